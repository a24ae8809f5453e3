package fastmath

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
)

// Signs give a zero that arithmetic makes a sign of their own, where somebody looks at the sign: a copysign, an angle,
// a quotient by the zero, or the bits. The flag says only that the sign does not matter, and compilers
// give it away in passing, as where a negated product is the product of a negated factor.
var Signs = &Rule{Name: "sign of a zero", at: func(p *pass, in *ir.Instr) {
	if !makesZeros(in) || !may(ir.NoSignedZeros, in) || !p.typ(in.Dst[0]).IsFloat() || !p.signSeen(in.Dst[0]) {
		return
	}
	draw, ok := p.take(in)
	if !ok {
		return
	}
	t := p.typ(in.Dst[0])
	x := p.emit(in, in.Op, t, in.Args...)
	p.setBy[x].Group = in.Group
	zero := p.constant(t, 0)
	if draw&1 == 0 { // −0 + 0 is 0
		become(in, ir.Add, x, zero)
	} else { // −(0 − x) is −0 for either zero
		rest := p.emit(in, ir.Sub, t, zero, x)
		p.setBy[rest].Allow = 0
		become(in, ir.Neg, rest)
	}
	in.Allow = 0
}}

// makesZeros reports whether an operation is arithmetic, which may have a zero as its result.
func makesZeros(in *ir.Instr) bool {
	return slices.Contains([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.FMA}, in.Op)
}

// signSeen reports whether the sign of a zero in r may show in what is computed of it.
func (p *pass) signSeen(r ir.Reg) bool {
	if p.signs == nil {
		p.signs = make([]bool, len(p.k.Regs))
		fixpoint.Iterate(p.traceSigns)
	}
	return int(r) < len(p.signs) && p.signs[r]
}

// traceSigns is one pass that finds registers whose sign is seen.
func (p *pass) traceSigns(x *fixpoint.Pass) {
	for in := range ir.Instrs(p.k.Body...) {
		for _, a := range p.signsSeen(in) {
			x.Raise(&p.signs[a])
		}
	}
}

// signsSeen are the operands of an instruction in the sign of whose zeros its result differs.
func (p *pass) signsSeen(in *ir.Instr) []ir.Reg {
	switch in.Op {
	case ir.Bitcast:
		return in.Args
	case ir.Div:
		return in.Args[1:]
	case ir.Math:
		switch in.Fn {
		case "copysign":
			return in.Args[1:]
		case "signbit", "atan2":
			return in.Args
		}
	case ir.Copy, ir.Select, ir.Simd:
		if p.signs[in.Dst[0]] && (in.Op != ir.Simd || moves(in)) {
			return slices.DeleteFunc(slices.Clone(in.Args), func(a ir.Reg) bool { return !p.typ(a).IsFloat() })
		}
	}
	return nil
}
