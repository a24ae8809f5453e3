package fastmath

import (
	"math"

	"metalconform/metalrun/internal/ir"
)

// Comparisons take NaN for impossible: isnan(x) and x != x are false, !(a < b) is b <= a,
// min and max are selections and the reverse.
var Comparisons = &Rule{Name: "NaN taken for impossible", at: func(p *pass, in *ir.Instr) {
	switch in.Op {
	case ir.Math:
		p.test(in)
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe:
		if may(ir.NoNaNs, in) && p.typ(in.Args[0]).IsFloat() && p.same(in.Args[0], in.Args[1]) {
			p.becomes(in, ir.Copy, p.truth(in.Op == ir.Eq || in.Op == ir.FLe))
		}
	case ir.Select:
		p.extreme(in)
	case ir.Not:
		if c := p.is(in.Args[0], ir.NoNaNs, ir.FLt, ir.FLe); c != nil {
			p.becomes(in, map[ir.Op]ir.Op{ir.FLt: ir.FLe, ir.FLe: ir.FLt}[c.Op], c.Args[1], c.Args[0])
		}
	}
}}

// test rewrites a function whose result NaN decides.
func (p *pass) test(in *ir.Instr) {
	if !may(ir.NoNaNs, in) {
		return
	}
	switch in.Fn {
	case "isnan":
		p.becomes(in, ir.Copy, p.truth(false))
	case "min", "max":
		draw, ok := p.take(in)
		if !ok {
			return
		}
		x, y := in.Args[0], in.Args[1]
		if draw&1 != 0 {
			x, y = y, x
		}
		less, more := x, y
		if in.Fn == "max" {
			less, more = y, x
		}
		become(in, ir.Select, p.emit(in, ir.FLt, ir.Bool, less, more), x, y)
	}
}

// extreme makes a selection of the lesser or the greater of two values min or max.
func (p *pass) extreme(in *ir.Instr) {
	c := p.is(in.Args[0], ir.NoNaNs|ir.NoSignedZeros, ir.FLt, ir.FLe)
	if c == nil || !may(ir.NoNaNs|ir.NoSignedZeros, in) || p.same(c.Args[0], c.Args[1]) {
		return
	}
	name := ""
	switch {
	case p.same(c.Args[0], in.Args[1]) && p.same(c.Args[1], in.Args[2]):
		name = "min"
	case p.same(c.Args[0], in.Args[2]) && p.same(c.Args[1], in.Args[1]):
		name = "max"
	default:
		return
	}
	if _, ok := p.take(in); ok {
		become(in, ir.Math, in.Args[1], in.Args[2])
		in.Fn = name
	}
}

// Infinities take infinity for impossible: isinf(x) is false, isfinite(x) true where NaN is
// impossible too, x < ∞ true, and nothing equals ∞.
var Infinities = &Rule{Name: "infinity taken for impossible", at: func(p *pass, in *ir.Instr) {
	if !may(ir.NoInfs, in) {
		return
	}
	switch in.Op {
	case ir.Math:
		switch {
		case in.Fn == "isinf":
			p.becomes(in, ir.Copy, p.truth(false))
		case in.Fn == "isfinite" && may(ir.NoNaNs, in):
			p.becomes(in, ir.Copy, p.truth(true))
		}
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe:
		if p.typ(in.Args[0]).IsFloat() {
			p.compareInfinity(in)
		}
	}
}}

// compareInfinity rewrites a comparison with an infinite literal. A NaN is less than nothing:
// where it is possible, only what is false of it too is known.
func (p *pass) compareInfinity(in *ir.Instr) {
	x, left := p.literal(in.Args[0])
	y, right := p.literal(in.Args[1])
	left, right = left && math.IsInf(x, 0), right && math.IsInf(y, 0)
	if left == right {
		return
	}
	is := in.Op == ir.Ne
	if in.Op == ir.FLt || in.Op == ir.FLe {
		is = left && x < 0 || right && y > 0
	}
	if !is || in.Op == ir.Ne || may(ir.NoNaNs, in) {
		p.becomes(in, ir.Copy, p.truth(is))
	}
}

// AsksFinite reports whether a kernel asks of numbers whether they are NaN or infinite although its fast-math flags
// take that for impossible: by a function, by comparing them with themselves or with infinity, or by what x − x and x·0
// are.
func AsksFinite(k *ir.Kernel) bool {
	if !AssumesFinite(k) {
		return false
	}
	p := newPass(ir.Values(k), nil, Chooser{})
	for in := range ir.Instrs(p.k.Body...) {
		if in.Allow&finite != 0 && p.asks(in) {
			return true
		}
	}
	return false
}

func (p *pass) asks(in *ir.Instr) bool {
	switch in.Op {
	case ir.Math:
		return in.Fn == "isnan" || in.Fn == "isinf" || in.Fn == "isfinite"
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe:
		return p.typ(in.Args[0]).IsFloat() &&
			(p.same(in.Args[0], in.Args[1]) || p.infinite(in.Args[0]) || p.infinite(in.Args[1]))
	case ir.Sub:
		return p.same(in.Args[0], in.Args[1])
	case ir.Mul:
		return p.equals(in.Args[0], 0) || p.equals(in.Args[1], 0)
	}
	return false
}

// infinite reports whether r is an infinite literal, with its sign or without.
func (p *pass) infinite(r ir.Reg) bool {
	if minus := p.is(r, 0, ir.Neg); minus != nil {
		r = minus.Args[0]
	}
	x, ok := p.literal(r)
	return ok && math.IsInf(x, 0)
}
