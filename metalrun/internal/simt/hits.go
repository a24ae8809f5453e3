package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// Where an instruction may give a value that Metal leaves unspecified, a program that is checked tells observers of the
// first lane that gets one.

// watched is the site of an instruction, if an observed launch is to watch what it
// meets there.
func (c *compiler) watched(in *ir.Instr, kind string) (Choice, bool) {
	return Choice{in.Pos, kind}, c.p.options.Check && unspecifiedKind(c.p.kernel, in) == kind
}

// watchConversion looks for floats that are no number of the integer type.
func (c *compiler) watchConversion(in *ir.Instr, x operand) {
	site, ok := c.watched(in, outOfInteger)
	if !ok {
		return
	}
	low, high := limits(in.To)
	c.watch(site, "conversion", "the conversion of a float out of the range of the integer type", c.uniform(in.Dst[0]), func(m *machine, first, end int) int {
		values := asF(m.operand(&x))
		for l := first; l < end; l++ {
			if v := float64(values[min(l, len(values)-1)]); (v <= low-1 || v >= high) && m.mask[l] != 0 {
				return l
			}
		}
		return -1
	})
}

// watchDivision looks for quotients that do not exist.
func (c *compiler) watchDivision(in *ir.Instr, x, y laneReader) {
	site, ok := c.watched(in, zeroDivisor)
	if !ok {
		return
	}
	of := divided(c.typ(in.Dst[0]), in)
	c.watch(site, "division", "the result of an integer division by zero, or of the least integer by -1,", c.uniform(in.Dst[0]), func(m *machine, first, end int) int {
		if d := of.Canonical(y.at(m, first)); y.uniform && d != 0 && int64(d) != -1 {
			return -1
		}
		for l := first; l < end; l++ {
			if !exists(of, x.at(m, l), y.at(m, l)) && m.mask[l] != 0 {
				return l
			}
		}
		return -1
	})
}

// watch looks at the operands of an instruction before it runs: find gives the first
// active lane between two that gets an unspecified value, or -1.
func (c *compiler) watch(site Choice, does, what string, uniform bool, find func(m *machine, first, end int) int) {
	c.do(func(m *machine) {
		first, end := 0, m.n
		if uniform {
			if first = m.firstActive(); first < 0 {
				return
			}
			end = first + 1
		}
		if l := find(m, first, end); l >= 0 {
			m.hit(site, does, what, l)
		}
	})
}

// laneReader gives an operand's value in one lane.
type laneReader struct {
	uniform bool
	at      func(m *machine, l int) element
}

func (o operand) reader() laneReader {
	if o.uniform() {
		return laneReader{true, func(m *machine, _ int) element { return element(m.uni32[o.at]) }}
	}
	return laneReader{false, func(m *machine, l int) element { return element(m.operand(&o)[l]) }}
}

func (o operand64) reader() laneReader {
	if o.uniform {
		return laneReader{true, func(m *machine, _ int) element { return m.uni64[o.at] }}
	}
	if o.grouped {
		return laneReader{false, func(m *machine, l int) element { return m.grouped(o.at)[l/Simdgroup] }}
	}
	return laneReader{false, func(m *machine, l int) element { return m.wide(o.at)[l] }}
}

// limits are the least number of an integer type and the first one beyond it.
func limits(to ir.Scalar) (low, high float64) {
	of, _ := intOf(to)
	high = math.Ldexp(1, int(of.Bits))
	if of.Signed {
		high /= 2
		low = -high
	}
	return low, high
}

// divided is the type of integers that a division is of.
func divided(t ir.Type, in *ir.Instr) scalar.Int {
	of := scalar.Int{Bits: 32, Signed: in.Op == ir.SDiv || in.Op == ir.SRem}
	if t == ir.I64 {
		of.Bits = 64
	}
	return of
}

// exists reports whether a quotient does.
func exists(of scalar.Int, x, y element) bool {
	x, y = of.Canonical(x), of.Canonical(y)
	return y != 0 && !(of.Signed && x == of.Canonical(1<<(of.Bits-1)) && int64(y) == -1)
}
