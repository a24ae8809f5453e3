package codegen

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// A program that is checked tells observers of unspecified-value hits: of the first lane for which an instruction gives
// a value that Metal leaves unspecified.

// reportsHit gives the choice of an instruction. ok is false if the program does not report its hits.
func (c *Compiler) reportsHit(in *ir.Instr, kind string) (machine.Choice, bool) {
	return machine.Choice{Pos: in.Pos, Kind: kind}, c.P.Options.Check && unspecifiedKind(c.P.Kernel, in) == kind
}

// conversionHits reports conversions of floats that are out of the range of the integer type.
func (c *Compiler) conversionHits(in *ir.Instr, x machine.Operand) {
	site, ok := c.reportsHit(in, machine.OutOfInteger)
	if !ok {
		return
	}
	low, high := Limits(in.To)
	c.reportHit(site, "conversion", "the conversion of a float out of the range of the integer type",
		c.Uniform(in.Dst[0]), func(m *machine.Machine, first, end int) int {
			values := machine.AsF(m.Operand(&x))
			for l := first; l < end; l++ {
				if v := float64(values[min(l, len(values)-1)]); (v <= low-1 || v >= high) && m.Mask[l] != 0 {
					return l
				}
			}
			return -1
		})
}

// divisionHits reports divisions without a quotient.
func (c *Compiler) divisionHits(in *ir.Instr, x, y laneReader) {
	site, ok := c.reportsHit(in, machine.ZeroDivisor)
	if !ok {
		return
	}
	of := divided(c.Typ(in.Dst[0]), in)
	c.reportHit(site, "division", "the result of an integer division by zero, or of the least integer by -1,",
		c.Uniform(in.Dst[0]), func(m *machine.Machine, first, end int) int {
			if d := of.Canonical(y.at(m, first)); y.uniform && d != 0 && int64(d) != -1 {
				return -1
			}
			for l := first; l < end; l++ {
				if !exists(of, x.at(m, l), y.at(m, l)) && m.Mask[l] != 0 {
					return l
				}
			}
			return -1
		})
}

// reportHit examines the operands of an instruction before it runs. find gives the first active lane in [first, end)
// that gets an unspecified value, or -1.
func (c *Compiler) reportHit(site machine.Choice, does, what string, uniform bool,
	find func(m *machine.Machine, first, end int) int) {
	c.Do(func(m *machine.Machine) {
		first, end := 0, m.N
		if uniform {
			if first = m.FirstActive(); first < 0 {
				return
			}
			end = first + 1
		}
		if l := find(m, first, end); l >= 0 {
			m.Hit(site, does, what, l)
		}
	})
}

// laneReader gives an operand's value in one lane.
type laneReader struct {
	uniform bool
	at      func(m *machine.Machine, l int) machine.Element
}

func reader(o machine.Operand) laneReader {
	if o.Uniform() {
		return laneReader{true, func(m *machine.Machine, _ int) machine.Element {
			return machine.Element(m.Uni32[o.At])
		}}
	}
	return laneReader{false, func(m *machine.Machine, l int) machine.Element {
		return machine.Element(m.Operand(&o)[l])
	}}
}

func wideReader(o machine.Operand64) laneReader {
	if o.Uniform {
		return laneReader{true, func(m *machine.Machine, _ int) machine.Element { return m.Uni64[o.At] }}
	}
	if o.Grouped {
		return laneReader{false, func(m *machine.Machine, l int) machine.Element {
			return m.Grouped(o.At)[l/machine.Simdgroup]
		}}
	}
	return laneReader{false, func(m *machine.Machine, l int) machine.Element { return m.Wide(o.At)[l] }}
}

// Limits are the least number of an integer type, and the least number above its range.
func Limits(to ir.Scalar) (low, high float64) {
	of, _ := machine.IntOf(to)
	high = math.Ldexp(1, int(of.Bits))
	if of.Signed {
		high /= 2
		low = -high
	}
	return low, high
}

// divided is the integer type of a division.
func divided(t ir.Type, in *ir.Instr) scalar.Int {
	of := scalar.Int{Bits: 32, Signed: in.Op == ir.SDiv || in.Op == ir.SRem}
	if t == ir.I64 {
		of.Bits = 64
	}
	return of
}

// exists reports whether a quotient exists.
func exists(of scalar.Int, x, y machine.Element) bool {
	x, y = of.Canonical(x), of.Canonical(y)
	return y != 0 && !(of.Signed && x == of.Canonical(1<<(of.Bits-1)) && int64(y) == -1)
}
