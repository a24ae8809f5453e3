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
