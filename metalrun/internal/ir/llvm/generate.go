package llvm

import (
	"metalconform/metalrun/internal/ir"
)

// reciprocals makes each quotient a product with a reciprocal, which is all that the GPU has.
func (f *function) reciprocals() {
	for _, in := range f.order() {
		if in.Op != ir.Div || !allows(in, ir.Reciprocal) || f.is(in.Args[0], 1) {
			continue
		}
		one := f.literal(f.typ(in.Dst[0]), 1)
		f.become(in, ir.Mul, in.Args[0], f.emit(in, ir.Div, one, in.Args[1]))
	}
}

// joinLiterals makes x·a·b, of two literals, one product, whoever else reads x·a. What simplifies
// expressions does so only if nobody does; the code generator does not ask. Neither looks through the
// reciprocal of a divisor.
func (f *function) joinLiterals() {
	for _, in := range f.order() {
		if x, b, ok := f.multiple(in); ok {
			if inner := f.def[x]; inner != nil && f.in[inner].block == f.in[in].block {
				if y, a, ok := f.multiple(inner); ok {
					f.become(in, ir.Mul, y, f.literal(f.typ(y), float64(a*b)))
				}
			}
		}
	}
	f.sweep()
}

// multiple are the parts of a product with a literal that may be taken in any order.
func (f *function) multiple(in *ir.Instr) (x ir.Reg, literal float64, ok bool) {
	if in.Op != ir.Mul || !allows(in, anyOrder) {
		return 0, 0, false
	}
	for i, r := range in.Args {
		if literal, ok = f.value(r); ok {
			return in.Args[1-i], literal, true
		}
	}
	return 0, 0, false
}

// contract fuses sums with a product that they read.
func (f *function) contract() {
	for _, in := range f.order() {
		if in.Op != ir.Add && in.Op != ir.Sub || !f.typ(in.Dst[0]).IsFloat() || !allows(in, ir.ContractFast) {
			continue
		}
		f.fuse(in)
	}
	f.sweep()
}

// fuse makes in an fma with a product that it reads, of two the one that fewer read, the left one if
// as many do. A product that others read, too, is fused all the same, and rounded for them alone: the
// GPU's back end is aggressive, as LLVM calls it (enableAggressiveFMAFusion).
func (f *function) fuse(in *ir.Instr) {
	first := 0
	if p, _ := f.product(in.Args[0]); p != nil {
		if q, _ := f.product(in.Args[1]); q != nil && len(f.users[p.Dst[0]]) > len(f.users[q.Dst[0]]) {
			first = 1
		}
	}
	for _, i := range []int{first, 1 - first} {
		p, minus := f.product(in.Args[i])
		if p == nil {
			continue
		}
		x, y, z := p.Args[0], p.Args[1], in.Args[1-i]
		if minus != (in.Op == ir.Sub && i == 1) {
			x = f.emit(in, ir.Neg, x)
		}
		if in.Op == ir.Sub && i == 0 {
			z = f.emit(in, ir.Neg, z)
		}
		f.become(in, ir.FMA, x, y, z)
		return
	}
}

// product is what sets r, or what r negates, if that is a product that may be fused.
func (f *function) product(r ir.Reg) (p *ir.Instr, minus bool) {
	if p = f.def[r]; p != nil && p.Op == ir.Neg && f.once(r) {
		p, minus = f.def[p.Args[0]], true
	}
	if p == nil || p.Op != ir.Mul || !allows(p, ir.ContractFast) {
		return nil, false
	}
	return p, minus
}
