package fastmath

import "metalconform/metalrun/internal/ir"

// Reciprocals turn x/y into x·(1/y), which rounds twice.
var Reciprocals = &Rule{Name: "quotient by a reciprocal", at: func(p *pass, in *ir.Instr) {
	if in.Op != ir.Div || !may(ir.Reciprocal, in) || p.equals(in.Args[0], 1) {
		return
	}
	if _, ok := p.take(in); ok {
		t := p.typ(in.Dst[0])
		become(in, ir.Mul, in.Args[0], p.emit(in, ir.Div, t, p.constant(t, 1), in.Args[1]))
	}
}}

// Quotients are joined to one of products: (x/y)/z is x/(y·z), x/(y/z) is x·z/y, and x·(y/z) is x·y/z. So does LLVM's
// InstCombine (visitFDiv, visitFMul), where no other reads the inner quotient. The product may leave the range.
var Quotients = &Rule{Name: "joining of quotients", at: func(p *pass, in *ir.Instr) {
	if in.Op != ir.Div && in.Op != ir.Mul || !may(anyOrder|ir.Reciprocal, in) || !p.typ(in.Dst[0]).IsFloat() {
		return
	}
	x, y := in.Args[0], in.Args[1]
	left, right := p.ownQuotient(x), p.ownQuotient(y)
	if left == nil && right == nil {
		return
	}
	if _, ok := p.take(in); !ok {
		return
	}
	t := p.typ(in.Dst[0])
	switch {
	case in.Op == ir.Mul && left != nil:
		become(in, ir.Div, p.emit(in, ir.Mul, t, left.Args[0], y), left.Args[1])
	case in.Op == ir.Mul:
		become(in, ir.Div, p.emit(in, ir.Mul, t, x, right.Args[0]), right.Args[1])
	case left != nil:
		become(in, ir.Div, left.Args[0], p.emit(in, ir.Mul, t, left.Args[1], y))
	default:
		become(in, ir.Div, p.emit(in, ir.Mul, t, x, right.Args[1]), right.Args[0])
	}
}}

// ownQuotient is the quotient that r is, if its only reader is another operation. What a literal divides, or is divided
// by one, joins with other literals instead.
func (p *pass) ownQuotient(r ir.Reg) *ir.Instr {
	in := p.is(r, anyOrder|ir.Reciprocal, ir.Div)
	if in == nil || !p.own(r) || !p.own(in.Dst[0]) {
		return nil
	}
	for _, a := range in.Args {
		if _, ok := p.literal(a); ok {
			return nil
		}
	}
	return in
}

// ReciprocalRoots turn x/√y into x·rsqrt(y).
var ReciprocalRoots = &Rule{Name: "quotient by a reciprocal root", at: func(p *pass, in *ir.Instr) {
	if in.Op != ir.Div || !may(ir.Reciprocal, in) {
		return
	}
	root := p.function(in.Args[1], ir.Reciprocal, "sqrt")
	if root == nil {
		return
	}
	if _, ok := p.take(in); !ok {
		return
	}
	r := p.call(root, "rsqrt", root.Args[0])
	if p.equals(in.Args[0], 1) {
		become(in, ir.Copy, r)
	} else {
		become(in, ir.Mul, in.Args[0], r)
	}
}}
