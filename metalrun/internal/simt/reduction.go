package simt

import (
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// combine is the binary function of a reduction.
func (c *compiler) combine(in *ir.Instr, name string) func(a, b element) element {
	if t := c.typ(in.Dst[0]); t.IsFloat() {
		f := c.combineFloat(name, t)
		return func(a, b element) element {
			return element(f32bits(f(f32frombits(uint32(a)), f32frombits(uint32(b)))))
		}
	}
	t, _ := intOf(in.From)
	canonical := t.Canonical
	less := func(a, b element) bool {
		if t.Signed {
			return int64(canonical(a)) < int64(canonical(b))
		}
		return canonical(a) < canonical(b)
	}
	switch name {
	case "sum":
		return func(a, b element) element { return canonical(a + b) }
	case "product":
		return func(a, b element) element { return canonical(a * b) }
	case "and":
		return func(a, b element) element { return a & b }
	case "or":
		return func(a, b element) element { return a | b }
	case "xor":
		return func(a, b element) element { return a ^ b }
	case "min":
		return func(a, b element) element {
			if less(b, a) {
				return b
			}
			return a
		}
	case "max":
		return func(a, b element) element {
			if less(a, b) {
				return b
			}
			return a
		}
	}
	panic(unknown(in))
}

func (c *compiler) combineFloat(name string, t ir.Type) func(a, b float32) float32 {
	finish := c.finish(t, true)
	rounded := func(x float32) float32 {
		one := [1]uint32{f32bits(x)}
		for _, loop := range finish {
			loop(one[:], one[:])
		}
		return f32frombits(one[0])
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
func (c *compiler) reduction(in *ir.Instr, combine func(a, b element) element, width int) {
	pairs := c.pairs(in, width)
	if in.Fn == "simd_sum" && c.typ(in.Dst[0]) == ir.F32 {
		switch order, flush := c.p.options.SumOrder, c.p.options.FlushSubnormals; {
		case pairs != nil:
			c.sumPairs(in, pairs, flush)
			return
		case order == Ascending && !flush:
			c.sumAscending(in)
			return
		}
	}
	order := c.p.options.SumOrder
	if of := extrema[in.Fn]; of != nil && c.does(passExtrema) && order == Ascending && pairs == nil && c.typ(in.Dst[0]).IsFloat() {
		c.extremum(in, of, width)
		return
	}
	value := c.values(in.Args[0], false, nil)
	c.setElements(in.Dst[0], func(m *machine, d elements, _ int) {
		v := value(m)
		m.groups(width, func(lo, hi int) {
			var active [Simdgroup]element
			var on [Simdgroup]bool
			for l := lo; l < hi; l++ {
				active[l-lo], on[l-lo] = v.at(l), m.mask[l] != 0
			}
			if total, ok := reduce(active[:width], on[:width], combine, order, pairs); ok {
				for l := lo; l < hi; l++ {
					d.set(l, total)
				}
			}
		})
	})
}

// extrema are the reductions of floats that round nothing.
var extrema = map[string]func(x []float32) float32{"simd_max": largest, "quad_max": largest, "simd_min": least, "quad_min": least}

// largest is scalar.Fmax of all in turn.
func largest(x []float32) float32 {
	most := x[0]
	for _, v := range x[1:] {
		if most < v || most != most {
			most = v
		}
	}
	return most
}

// least is scalar.Fmin of all in turn.
func least(x []float32) float32 {
	least := x[0]
	for _, v := range x[1:] {
		if v < least || least != least {
			least = v
		}
	}
	return least
}

// extremum gives every lane of a group the largest or the least of its active lanes' floats.
func (c *compiler) extremum(in *ir.Instr, of func(x []float32) float32, width int) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		x := asF(value(m))
		var active [Simdgroup]float32
		for lo := 0; lo < m.n; lo += width {
			hi := min(lo+width, m.n)
			group := x[lo:hi]
			if !m.whole {
				group = active[:0]
				for l := lo; l < hi; l++ {
					if m.mask[l] != 0 {
						group = append(group, x[l])
					}
				}
			}
			if len(group) > 0 {
				fill(d[lo:hi], f32bits(of(group)))
			}
		}
	})
}

// sumAscending is the hot reduction: f32 sums in ascending order.
func (c *compiler) sumAscending(in *ir.Instr) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		v := value(m)
		if m.whole && m.n%Simdgroup == 0 {
			c.t.SumF(d, v)
			return
		}
		x := asF(v)
		for lo := 0; lo < m.n; lo += Simdgroup {
			hi := min(lo+Simdgroup, m.n)
			var sum float32
			begun := false
			for l := lo; l < hi; l++ {
				switch {
				case m.mask[l] == 0:
				case begun:
					sum += x[l]
				default:
					sum, begun = x[l], true
				}
			}
			fill(d[lo:hi], f32bits(sum))
		}
	})
}

// sumPairs is the hot reduction of an adversary: f32 sums by drawn pairs.
func (c *compiler) sumPairs(in *ir.Instr, pairs [][2]int, flush bool) {
	value := c.arg(in.Args[0], false)
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		v := asF(value(m))
		for lo := 0; lo < m.n; lo += Simdgroup {
			hi := min(lo+Simdgroup, m.n)
			var x [Simdgroup]float32
			var on uint32 // a bit for each lane
			for l := lo; l < hi; l++ {
				x[l-lo], on = v[l], on|m.mask[l]&1<<(l-lo)
			}
			for _, p := range pairs {
				i, j := p[0]&(Simdgroup-1), p[1]&(Simdgroup-1)
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
				fill(d[lo:hi], f32bits(x[0]))
			}
		}
	})
}

// pairs is the adversary's order of a sum, or nil. Each pair's first lane is the
// lower one, so that lane 0 has the total.
func (c *compiler) pairs(in *ir.Instr, width int) [][2]int {
	if draw, ok := c.adversary.takes(in.Pos, simdOrder); ok {
		return order(draw, width)
	}
	return nil
}

// reduce combines the lanes that are on: in the given order, or by drawn pairs. It
// works in place.
func reduce(v []element, on []bool, combine func(a, b element) element, order SumOrder, pairs [][2]int) (element, bool) {
	join := func(i, j int) {
		switch {
		case on[i] && on[j]:
			v[i] = combine(v[i], v[j])
		case on[j]:
			v[i], on[i] = v[j], true
		}
	}
	if pairs != nil {
		for _, p := range pairs {
			join(p[0], p[1])
		}
		return v[0], on[0]
	}
	switch order {
	case Butterfly:
		for d := len(v) / 2; d > 0; d /= 2 {
			for i := range d {
				join(i, i+d)
			}
		}
	case Tree:
		for d := 1; d < len(v); d *= 2 {
			for i := 0; i < len(v); i += 2 * d {
				join(i, i+d)
			}
		}
	default:
		for i := 1; i < len(v); i++ {
			join(0, i)
		}
	}
	return v[0], on[0]
}

// prefix combines each active lane with the active lanes before it.
func (c *compiler) prefix(in *ir.Instr, name string, width int) {
	exclusive := strings.Contains(name, "exclusive")
	base := name[strings.LastIndexByte(name, '_')+1:]
	combine, value := c.combine(in, base), c.values(in.Args[0], false, nil)
	neutral, pairs := c.neutral(in, base), c.pairs(in, width)
	c.setElements(in.Dst[0], func(m *machine, d elements, _ int) {
		v := value(m)
		if pairs != nil {
			m.groups(width, func(lo, hi int) { m.drawnPrefix(lo, hi, width, exclusive, &v, &d, combine, neutral, pairs) })
			return
		}
		m.groups(width, func(lo, hi int) {
			sum, begun := neutral, false
			for l := lo; l < hi; l++ {
				if m.mask[l] == 0 {
					continue
				}
				own, before := v.at(l), sum
				if begun {
					sum = combine(sum, own)
				} else {
					sum, begun = own, true
				}
				if exclusive {
					d.set(l, before)
				} else {
					d.set(l, sum)
				}
			}
		})
	})
}

// drawnPrefix gives each active lane the sum of those before it, added up by pairs.
func (m *machine) drawnPrefix(lo, hi, width int, exclusive bool, v, d *elements,
	combine func(a, b element) element, neutral element, pairs [][2]int) {
	var results [Simdgroup]element
	for l := lo; l < hi; l++ {
		var before [Simdgroup]element
		var on [Simdgroup]bool
		for k := lo; k < l || k == l && !exclusive; k++ {
			before[k-lo], on[k-lo] = v.at(k), m.mask[k] != 0
		}
		total, any := reduce(before[:width], on[:width], combine, Ascending, pairs)
		if !any {
			total = neutral
		}
		results[l-lo] = total
	}
	for l := lo; l < hi; l++ {
		if m.mask[l] != 0 {
			d.set(l, results[l-lo])
		}
	}
}

// neutral is what an exclusive prefix begins with: 0 or 1.
func (c *compiler) neutral(in *ir.Instr, base string) element {
	switch {
	case base == "sum":
		return 0
	case c.typ(in.Dst[0]).IsFloat():
		return element(f32bits(1))
	}
	return 1
}
