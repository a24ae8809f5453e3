package simt

import (
	"strings"

	"metalconform/metalrun/internal/ir"
)

// simd compiles communication in simdgroups and quads. Each group of lanes is
// a span of the slots; only active lanes take part. A lane that reads from an
// inactive or absent lane, which Metal leaves undefined, keeps its own value, but see gives.
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

// setElements writes n lanes of a register of either width. d may be the
// register's operand: a lane is read before it is written.
func (c *compiler) setElements(r ir.Reg, compute func(m *machine, d elements, n int)) {
	if c.p.slots[r].wide {
		c.compute64(r, func(m *machine, d []uint64) { compute(m, elements{wide: d}, len(d)) })
		return
	}
	c.compute(r, func(m *machine, d []uint32) { compute(m, elements{narrow: d}, len(d)) })
}

// permute compiles broadcasts and shuffles: every lane takes the value of one
// lane of its group.
func (c *compiler) permute(in *ir.Instr, name string, width int) {
	if len(in.Args) == 2 && !c.p.slots[in.Dst[0]].wide {
		c.permute32(in, name, width)
		return
	}
	site, met, rule := c.filler(in.Pos, otherLane), c.meeting(in), ruleOf(name)
	value := c.values(in.Args[0], false, nil)
	var fillValue, control, modulo func(m *machine) elements
	source := lanePicker(in, name)
	switch {
	case strings.HasPrefix(name, "shuffle_and_fill"):
		fillValue, control, modulo = c.values(in.Args[1], false, nil), c.values(in.Args[2], false, nil), c.values(in.Args[3], false, nil)
	case name != "broadcast_first":
		control = c.values(in.Args[1], false, nil)
	}
	c.setElements(in.Dst[0], func(m *machine, d elements, _ int) {
		m.costly += 2 * lanewise
		v, fill := value(m), site.fills(m)
		at := func(f func(m *machine) elements, l int) int {
			x := f(m)
			return int(int32(x.at(l)))
		}
		m.groups(width, func(lo, hi int) {
			var old, next [Simdgroup]element
			for l := lo; l < hi; l++ {
				old[l-lo] = v.at(l)
			}
			unlike := (fill || met != nil) && rule.unlike(m, lo, hi, func(l int) int { return at(control, l) })
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
				why := rule.unreadable(m, from, lo, hi, width, unlike)
				if why != "" && met != nil && m.mask[l] != 0 {
					met(m, l, why)
				}
				switch {
				case fill && why != "":
					next[i] = element(site.value(m, l))
				case from >= 0 && from < width && lo+from < hi && m.gives(lo+from):
					next[i] = old[from]
				case fillValue != nil && (from < 0 || from >= span):
					next[i] = filled(m, fillValue, lo, i, from, span)
				default:
					next[i] = old[i]
				}
			}
			for l := lo; l < hi; l++ {
				d.set(l, next[l-lo])
			}
		})
	})
}

// permute32 is the hot case: 32-bit values and a lane, mask or delta.
func (c *compiler) permute32(in *ir.Instr, name string, width int) {
	source, rule := lanePicker(in, name), ruleOf(name)
	site, met := c.filler(in.Pos, otherLane), c.meeting(in)
	value, control := c.arg(in.Args[0], false), c.operand(in.Args[1])
	one := control.uniform()
	if at := control.at; site == nil && c.does(passBroadcast) && one && (name == "broadcast" || name == "shuffle") {
		c.compute(in.Dst[0], func(m *machine, d []uint32) { m.broadcast(d, value(m), int(int32(m.uni32[at])), width, rule, met) })
		return
	}
	control = c.spread(control)
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		m.costly += 2 * lanewise
		x, k, fill := value(m), m.operand(&control), site.fills(m)
		var old [Simdgroup]uint32
		for lo := 0; lo < m.n; lo += width {
			hi := min(lo+width, m.n)
			copy(old[:], x[lo:hi])
			unlike := !one && (fill || met != nil) && rule.unlike(m, lo, hi, func(l int) int { return int(int32(k[l])) })
			for l := lo; l < hi; l++ {
				from := source(l-lo, int(int32(k[l])), width)
				there := from >= 0 && from < width && lo+from < hi && m.gives(lo+from)
				if there && !unlike {
					d[l] = old[from]
					continue
				}
				why := rule.unreadable(m, from, lo, hi, width, unlike)
				if why != "" && met != nil && m.mask[l] != 0 {
					met(m, l, why)
				}
				switch {
				case fill && why != "":
					d[l] = site.value(m, l)
				case there:
					d[l] = old[from]
				default:
					d[l] = old[l-lo]
				}
			}
		}
	})
}

// gives reports whether a lane's value can be read by others: while it is active, and on Apple's
// GPUs also afterwards, when it is what the lane has computed last.
func (m *machine) gives(l int) bool { return m.mask[l] != 0 || m.p.options.DefaultBuild }

// broadcast gives every lane the value of one lane of its group.
func (m *machine) broadcast(d, x []uint32, from, width int, rule laneRule, met func(m *machine, l int, why string)) {
	for lo := 0; lo < m.n; lo += width {
		hi := min(lo+width, m.n)
		if from >= 0 && from < width && lo+from < hi && m.gives(lo+from) {
			m.p.table.Fill(d[lo:hi], x[lo+from])
			continue
		}
		if l := m.firstIn(lo, hi); met != nil && m.mask[l] != 0 {
			if why := rule.unreadable(m, from, lo, hi, width, false); why != "" {
				met(m, l, why)
			}
		}
		copy(d[lo:hi], x[lo:hi])
	}
}

// filled is what a shuffle_and_fill shifts in.
func filled(m *machine, fill func(m *machine) elements, lo, i, from, span int) element {
	x := fill(m)
	return x.at(fillingLane(m, lo, i, from, span))
}

// fillingLane is the lane whose filling data a shuffle_and_fill shifts in: they continue the
// data at the end that they are shifted in from.
func fillingLane(m *machine, lo, i, from, span int) int {
	block := i / span * span
	at := block + ((from-block)%span+span)%span
	return min(lo+at, m.n-1)
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
	predicate := func(m *machine) elements { return elements{narrow: m.mask} }
	if len(in.Args) > 0 {
		predicate = c.values(in.Args[0], false, nil)
	}
	c.compute64(in.Dst[0], func(m *machine, d []uint64) {
		p := predicate(m)
		m.groups(width, func(lo, hi int) {
			var bits uint64
			for l := lo; l < hi; l++ {
				if m.mask[l] != 0 && p.at(l) != 0 {
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
	predicate := func(*machine) elements { return elements{} }
	if name != "is_first" {
		predicate = c.values(in.Args[0], false, nil)
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
					all, some = all && p.at(l) != 0, some || p.at(l) != 0
				}
			}
			for l := lo; l < hi; l++ {
				d[l] = lane(name == "all" && all || name == "any" && some)
			}
		})
	})
}
