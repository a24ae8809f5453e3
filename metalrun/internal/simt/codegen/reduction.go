package codegen

import (
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
)

// combine is the binary function of a reduction.
func (c *Compiler) combine(in *ir.Instr, name string) func(a, b machine.Element) machine.Element {
	if t := c.Typ(in.Dst[0]); t.IsFloat() {
		f := c.combineFloat(name, t)
		return func(a, b machine.Element) machine.Element {
			return machine.Element(machine.F32bits(f(machine.F32frombits(uint32(a)), machine.F32frombits(uint32(b)))))
		}
	}
	t, _ := machine.IntOf(in.From)
	canonical := t.Canonical
	less := func(a, b machine.Element) bool {
		if t.Signed {
			return int64(canonical(a)) < int64(canonical(b))
		}
		return canonical(a) < canonical(b)
	}
	switch name {
	case "sum":
		return func(a, b machine.Element) machine.Element { return canonical(a + b) }
	case "product":
		return func(a, b machine.Element) machine.Element { return canonical(a * b) }
	case "and":
		return func(a, b machine.Element) machine.Element { return a & b }
	case "or":
		return func(a, b machine.Element) machine.Element { return a | b }
	case "xor":
		return func(a, b machine.Element) machine.Element { return a ^ b }
	case "min":
		return func(a, b machine.Element) machine.Element {
			if less(b, a) {
				return b
			}
			return a
		}
	case "max":
		return func(a, b machine.Element) machine.Element {
			if less(a, b) {
				return b
			}
			return a
		}
	}
	panic(machine.Unknown(in))
}

func (c *Compiler) combineFloat(name string, t ir.Type) func(a, b float32) float32 {
	finish := c.finish(t, true)
	rounded := func(x float32) float32 {
		one := [1]uint32{machine.F32bits(x)}
		for _, loop := range finish {
			loop(one[:], one[:])
		}
		return machine.F32frombits(one[0])
	}
	switch name {
	case "sum":
		return func(a, b float32) float32 { return rounded(a + b) }
	case "product":
		return func(a, b float32) float32 { return rounded(a * b) }
	case "min":
		return scalar.Fmin
	}
	return scalar.Fmax
}

// reduction combines the active lanes of a group in the order of the options
// and gives every lane the result.
func (c *Compiler) reduction(in *ir.Instr, combine func(a, b machine.Element) machine.Element, width int) {
	pairs := c.pairs(in, width)
	if in.Fn == "simd_sum" && c.Typ(in.Dst[0]) == ir.F32 {
		switch order, flush := c.P.Options.SumOrder, c.P.Options.FlushSubnormals; {
		case pairs != nil:
			c.sumPairs(in, pairs, flush)
			return
		case order == machine.Ascending && !flush:
			c.sumAscending(in)
			return
		}
	}
	order := c.P.Options.SumOrder
	if of := machine.Extrema[in.Fn]; of != nil && c.Does(machine.PassExtrema) && order == machine.Ascending &&
		pairs == nil && c.Typ(in.Dst[0]).IsFloat() {
		c.extremum(in, of, width)
		return
	}
	value := c.Values(in.Args[0], false, nil)
	c.setElements(in.Dst[0], func(m *machine.Machine, d machine.Elements, _ int) {
		v := value(m)
		m.Groups(width, func(lo, hi int) {
			var active [machine.Simdgroup]machine.Element
			var on [machine.Simdgroup]bool
			for l := lo; l < hi; l++ {
				active[l-lo], on[l-lo] = v.At(l), m.Mask[l] != 0
			}
			if total, ok := machine.Reduce(active[:width], on[:width], combine, order, pairs); ok {
				for l := lo; l < hi; l++ {
					d.Set(l, total)
				}
			}
		})
	})
}

// extremum gives every lane of a group the largest or the least of its active lanes' floats.
func (c *Compiler) extremum(in *ir.Instr, of func(x []float32) float32, width int) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		x := machine.AsF(value(m))
		var active [machine.Simdgroup]float32
		for lo := 0; lo < m.N; lo += width {
			hi := min(lo+width, m.N)
			group := x[lo:hi]
			if !m.Whole {
				group = active[:0]
				for l := lo; l < hi; l++ {
					if m.Mask[l] != 0 {
						group = append(group, x[l])
					}
				}
			}
			if len(group) > 0 {
				machine.Fill(d[lo:hi], machine.F32bits(of(group)))
			}
		}
	})
}

// sumAscending is the hot reduction: f32 sums in ascending order.
func (c *Compiler) sumAscending(in *ir.Instr) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		v := value(m)
		if m.Whole && m.N%machine.Simdgroup == 0 {
			c.t.SumF(d, v)
			return
		}
		x := machine.AsF(v)
		for lo := 0; lo < m.N; lo += machine.Simdgroup {
			hi := min(lo+machine.Simdgroup, m.N)
			var sum float32
			begun := false
			for l := lo; l < hi; l++ {
				switch {
				case m.Mask[l] == 0:
				case begun:
					sum += x[l]
				default:
					sum, begun = x[l], true
				}
			}
			machine.Fill(d[lo:hi], machine.F32bits(sum))
		}
	})
}

// sumPairs is the hot reduction of an adversary: f32 sums by drawn pairs.
func (c *Compiler) sumPairs(in *ir.Instr, pairs [][2]int, flush bool) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		v := machine.AsF(value(m))
		for lo := 0; lo < m.N; lo += machine.Simdgroup {
			hi := min(lo+machine.Simdgroup, m.N)
			var x [machine.Simdgroup]float32
			var on uint32 // a bit for each lane
			for l := lo; l < hi; l++ {
				x[l-lo], on = v[l], on|m.Mask[l]&1<<(l-lo)
			}
			for _, p := range pairs {
				i, j := p[0]&(machine.Simdgroup-1), p[1]&(machine.Simdgroup-1)
				switch on>>i&1 | on>>j&1<<1 {
				case 3:
					if x[i] += x[j]; flush {
						x[i] = scalar.FlushF32(x[i])
					}
				case 2:
					x[i], on = x[j], on|1<<i
				}
			}
			if on&1 != 0 {
				machine.Fill(d[lo:hi], machine.F32bits(x[0]))
			}
		}
	})
}

// pairs is the adversary's order of a sum, or nil. Each pair's first lane is the
// lower one, so that lane 0 has the total.
func (c *Compiler) pairs(in *ir.Instr, width int) [][2]int {
	if draw, ok := c.adversary.takes(in.Pos, machine.SimdOrder); ok {
		return order(draw, width)
	}
	return nil
}

// prefix combines each active lane with the active lanes before it.
func (c *Compiler) prefix(in *ir.Instr, name string, width int) {
	exclusive := strings.Contains(name, "exclusive")
	base := name[strings.LastIndexByte(name, '_')+1:]
	combine, value := c.combine(in, base), c.Values(in.Args[0], false, nil)
	neutral, pairs := c.neutral(in, base), c.pairs(in, width)
	c.setElements(in.Dst[0], func(m *machine.Machine, d machine.Elements, _ int) {
		v := value(m)
		if pairs != nil {
			m.Groups(width,
				func(lo, hi int) { m.DrawnPrefix(lo, hi, width, exclusive, &v, &d, combine, neutral, pairs) })
			return
		}
		m.Groups(width, func(lo, hi int) {
			sum, begun := neutral, false
			for l := lo; l < hi; l++ {
				if m.Mask[l] == 0 {
					continue
				}
				own, before := v.At(l), sum
				if begun {
					sum = combine(sum, own)
				} else {
					sum, begun = own, true
				}
				if exclusive {
					d.Set(l, before)
				} else {
					d.Set(l, sum)
				}
			}
		})
	})
}

// neutral is what an exclusive prefix begins with: 0 or 1.
func (c *Compiler) neutral(in *ir.Instr, base string) machine.Element {
	switch {
	case base == "sum":
		return 0
	case c.Typ(in.Dst[0]).IsFloat():
		return machine.Element(machine.F32bits(1))
	}
	return 1
}
