package simt

import (
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/scalar"
)

// simd compiles communication in simdgroups and quads. Each group of lanes is
// a span of the slots; only active lanes take part. A lane that reads from an
// inactive or absent lane, which Metal leaves undefined, keeps its own value.
func (c *compiler) simd(in *ir.Instr) {
	name, width := simdName(in.Fn)
	switch name {
	case "ballot", "active_threads_mask":
		c.ballot(in, width)
	case "all", "any", "is_first":
		c.vote(in, name, width)
	case "sum", "product", "min", "max", "and", "or", "xor":
		c.reduction(in, c.combine(in, name), width)
	case "prefix_inclusive_sum", "prefix_exclusive_sum", "prefix_inclusive_product", "prefix_exclusive_product":
		c.prefix(in, name, width)
	default:
		c.permute(in, name, width)
	}
}

// simdName takes a function apart: its name without prefix, and the lanes of a group.
func simdName(fn string) (name string, width int) {
	if name, ok := strings.CutPrefix(fn, "simd_"); ok {
		return name, Simdgroup
	}
	return strings.TrimPrefix(fn, "quad_"), 4
}

// groups calls f for the span of every simdgroup or quad of the threadgroup.
func (m *machine) groups(width int, f func(lo, hi int)) {
	for lo := 0; lo < m.n; lo += width {
		f(lo, min(lo+width, m.n))
	}
}

// elements reads a register of either width as lanes of 64 bits.
func (c *compiler) elements(r ir.Reg) func(m *machine) func(lane int) element {
	return c.values(r, false, nil)
}

// setElements writes a register of either width from a function of the lane,
// which may read the register's old value only before it is written.
func (c *compiler) setElements(r ir.Reg, compute func(m *machine, set func(lane int, v element))) {
	if c.p.places[r].wide {
		c.compute64(r, func(m *machine, d []uint64) {
			compute(m, func(l int, v element) { d[l] = v })
		})
		return
	}
	c.compute(r, func(m *machine, d []uint32) {
		compute(m, func(l int, v element) { d[l] = uint32(v) })
	})
}

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
	if order := c.p.options.SumOrder; pairs == nil && in.Fn == "simd_sum" && c.typ(in.Dst[0]) == ir.F32 && order == Ascending && !c.p.options.FlushSubnormals {
		c.sumAscending(in)
		return
	}
	value := c.elements(in.Args[0])
	order := c.p.options.SumOrder
	c.setElements(in.Dst[0], func(m *machine, set func(int, element)) {
		v := value(m)
		m.groups(width, func(lo, hi int) {
			var active [Simdgroup]element
			var on [Simdgroup]bool
			for l := lo; l < hi; l++ {
				active[l-lo], on[l-lo] = v(l), m.mask[l] != 0
			}
			if total, ok := reduce(active[:width], on[:width], combine, order, pairs); ok {
				for l := lo; l < hi; l++ {
					set(l, total)
				}
			}
		})
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
	combine, value := c.combine(in, base), c.elements(in.Args[0])
	neutral, pairs := c.neutral(in, base), c.pairs(in, width)
	c.setElements(in.Dst[0], func(m *machine, set func(int, element)) {
		v := value(m)
		if pairs != nil {
			m.groups(width, func(lo, hi int) { m.drawnPrefix(lo, hi, width, exclusive, v, set, combine, neutral, pairs) })
			return
		}
		m.groups(width, func(lo, hi int) {
			sum, begun := neutral, false
			for l := lo; l < hi; l++ {
				if m.mask[l] == 0 {
					continue
				}
				own, before := v(l), sum
				if begun {
					sum = combine(sum, own)
				} else {
					sum, begun = own, true
				}
				if exclusive {
					set(l, before)
				} else {
					set(l, sum)
				}
			}
		})
	})
}

// drawnPrefix gives each active lane the sum of those before it, added up by pairs.
func (m *machine) drawnPrefix(lo, hi, width int, exclusive bool, v func(int) element, set func(int, element),
	combine func(a, b element) element, neutral element, pairs [][2]int) {
	var results [Simdgroup]element
	for l := lo; l < hi; l++ {
		var before [Simdgroup]element
		var on [Simdgroup]bool
		for k := lo; k < l || k == l && !exclusive; k++ {
			before[k-lo], on[k-lo] = v(k), m.mask[k] != 0
		}
		total, any := reduce(before[:width], on[:width], combine, Ascending, pairs)
		if !any {
			total = neutral
		}
		results[l-lo] = total
	}
	for l := lo; l < hi; l++ {
		if m.mask[l] != 0 {
			set(l, results[l-lo])
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

// permute compiles broadcasts and shuffles: every lane takes the value of one
// lane of its group.
func (c *compiler) permute(in *ir.Instr, name string, width int) {
	if len(in.Args) == 2 && !c.p.places[in.Dst[0]].wide {
		c.permute32(in, name, width)
		return
	}
	draw, adverse := c.adversary.takes(in.Pos, inactive)
	value := c.elements(in.Args[0])
	var fillValue, control, modulo func(m *machine) func(int) element
	source := lanePicker(in, name)
	switch {
	case strings.HasPrefix(name, "shuffle_and_fill"):
		fillValue, control, modulo = c.elements(in.Args[1]), c.elements(in.Args[2]), c.elements(in.Args[3])
	case name != "broadcast_first":
		control = c.elements(in.Args[1])
	}
	c.setElements(in.Dst[0], func(m *machine, set func(int, element)) {
		v := value(m)
		at := func(func(m *machine) func(int) element, int) int { return 0 }
		if control != nil {
			at = func(f func(m *machine) func(int) element, l int) int { return int(int32(f(m)(l))) }
		}
		m.groups(width, func(lo, hi int) {
			var old, next [Simdgroup]element
			for l := lo; l < hi; l++ {
				old[l-lo] = v(l)
			}
			for l := lo; l < hi; l++ {
				i, span := l-lo, width
				if modulo != nil {
					if s := at(modulo, l); s > 0 && s <= width {
						span = s
					}
				}
				from := i
				if control != nil {
					from = source(i, at(control, l), span)
				} else {
					from = m.firstIn(lo, hi) - lo
				}
				switch {
				case from >= 0 && lo+from < hi && m.mask[lo+from] != 0:
					next[i] = old[from]
				case adverse && from >= 0 && from < width:
					next[i] = element(hostile(mix(draw + uint64(l))))
				case fillValue != nil && (from < 0 || from >= span):
					next[i] = filled(m, fillValue, lo, i, from, span)
				default:
					next[i] = old[i]
				}
			}
			for l := lo; l < hi; l++ {
				set(l, next[l-lo])
			}
		})
	})
}

// permute32 is the hot case: 32-bit values and a lane, mask or delta.
func (c *compiler) permute32(in *ir.Instr, name string, width int) {
	source := lanePicker(in, name)
	draw, adverse := c.adversary.takes(in.Pos, inactive)
	value, control := c.arg(in.Args[0], false), c.operand(in.Args[1])
	if one := control; !adverse && one.uniform() && (name == "broadcast" || name == "shuffle") {
		c.compute(in.Dst[0], func(m *machine, d []uint32) { m.broadcast(d, value(m), int(int32(m.uni32[one.at])), width) })
		return
	}
	control = c.spread(control)
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		x, k := value(m), m.operand(&control)
		var old [Simdgroup]uint32
		for lo := 0; lo < m.n; lo += width {
			hi := min(lo+width, m.n)
			copy(old[:], x[lo:hi])
			for l := lo; l < hi; l++ {
				from := source(l-lo, int(int32(k[l])), width)
				switch {
				case from >= 0 && lo+from < hi && m.mask[lo+from] != 0:
					d[l] = old[from]
				case adverse && from >= 0 && from < width:
					d[l] = hostile(mix(draw + uint64(l)))
				default:
					d[l] = old[l-lo]
				}
			}
		}
	})
}

// broadcast gives every lane the value of one lane of its group.
func (m *machine) broadcast(d, x []uint32, from, width int) {
	for lo := 0; lo < m.n; lo += width {
		hi := min(lo+width, m.n)
		if from >= 0 && from < width && lo+from < hi && m.mask[lo+from] != 0 {
			m.p.table.Fill(d[lo:hi], x[lo+from])
		} else {
			copy(d[lo:hi], x[lo:hi])
		}
	}
}

// filled is what a shuffle_and_fill shifts in: the filling data continues the
// data at the end that it is shifted in from.
func filled(m *machine, fill func(m *machine) func(int) element, lo, i, from, span int) element {
	block := i / span * span
	at := block + ((from-block)%span+span)%span
	return fill(m)(min(lo+at, m.n-1))
}

func (m *machine) firstIn(lo, hi int) int {
	for l := lo; l < hi; l++ {
		if m.mask[l] != 0 {
			return l
		}
	}
	return lo
}

// lanePicker gives the lane that lane i reads from, out of range if there is none.
func lanePicker(in *ir.Instr, name string) func(i, control, span int) int {
	const none = -1 << 20
	switch name {
	case "broadcast_first":
		return nil
	case "broadcast", "shuffle":
		return func(_, lane, _ int) int { return lane }
	case "shuffle_xor":
		return func(i, mask, _ int) int { return i ^ mask }
	case "shuffle_up":
		return func(i, delta, _ int) int { return i - delta }
	case "shuffle_down":
		return func(i, delta, _ int) int { return i + delta }
	case "shuffle_rotate_up":
		return func(i, delta, span int) int { return ((i-delta)%span + span) % span }
	case "shuffle_rotate_down":
		return func(i, delta, span int) int { return ((i+delta)%span + span) % span }
	case "shuffle_and_fill_up":
		return func(i, delta, span int) int {
			if i%span < delta {
				return i - delta + none
			}
			return i - delta
		}
	case "shuffle_and_fill_down":
		return func(i, delta, span int) int {
			if i%span+delta >= span {
				return i + delta - none
			}
			return i + delta
		}
	}
	panic(unknown(in))
}

// ballot gives a bit for every active lane whose predicate holds.
func (c *compiler) ballot(in *ir.Instr, width int) {
	predicate := func(*machine) func(int) element { return func(int) element { return 1 } }
	if len(in.Args) > 0 {
		predicate = c.elements(in.Args[0])
	}
	c.compute64(in.Dst[0], func(m *machine, d []uint64) {
		p := predicate(m)
		m.groups(width, func(lo, hi int) {
			var bits uint64
			for l := lo; l < hi; l++ {
				if m.mask[l] != 0 && p(l) != 0 {
					bits |= 1 << (l - lo)
				}
			}
			for l := lo; l < hi; l++ {
				d[l] = bits
			}
		})
	})
}

// vote compiles all, any and is_first.
func (c *compiler) vote(in *ir.Instr, name string, width int) {
	predicate := func(*machine) func(int) element { return nil }
	if name != "is_first" {
		predicate = c.elements(in.Args[0])
	}
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		p := predicate(m)
		m.groups(width, func(lo, hi int) {
			if name == "is_first" {
				first := m.firstIn(lo, hi)
				for l := lo; l < hi; l++ {
					d[l] = lane(l == first)
				}
				return
			}
			all, some := true, false
			for l := lo; l < hi; l++ {
				if m.mask[l] != 0 {
					all, some = all && p(l) != 0, some || p(l) != 0
				}
			}
			for l := lo; l < hi; l++ {
				d[l] = lane(name == "all" && all || name == "any" && some)
			}
		})
	})
}
