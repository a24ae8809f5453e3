package codegen

import (
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// simd compiles communication in simdgroups and quads. Each group of lanes is
// a span of the slots; only active lanes take part. A lane that reads from an
// inactive or absent lane, which Metal leaves undefined, keeps its own value, but see gives.
func (c *Compiler) simd(in *ir.Instr) {
	name, width := machine.SimdName(in.Fn)
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

// setElements writes n lanes of a register of either width. d may be the
// register's operand: a lane is read before it is written.
func (c *Compiler) setElements(r ir.Reg, compute func(m *machine.Machine, d machine.Elements, n int)) {
	if c.P.Slots[r].Wide {
		c.compute64(r, func(m *machine.Machine, d []uint64) { compute(m, machine.Elements{Wide: d}, len(d)) })
		return
	}
	c.compute(r, func(m *machine.Machine, d []uint32) { compute(m, machine.Elements{Narrow: d}, len(d)) })
}

// permute compiles broadcasts and shuffles: every lane takes the value of one
// lane of its group.
func (c *Compiler) permute(in *ir.Instr, name string, width int) {
	if len(in.Args) == 2 && !c.P.Slots[in.Dst[0]].Wide {
		c.permute32(in, name, width)
		return
	}
	site, met, rule := c.filler(in.Pos, machine.OtherLane), c.meeting(in), machine.RuleOf(name)
	value := c.Values(in.Args[0], false, nil)
	var fillValue, control, modulo func(m *machine.Machine) machine.Elements
	source := machine.LanePicker(in, name)
	switch {
	case strings.HasPrefix(name, "shuffle_and_fill"):
		fillValue, control, modulo = c.Values(in.Args[1], false, nil), c.Values(in.Args[2], false, nil),
			c.Values(in.Args[3], false, nil)
	case name != "broadcast_first":
		control = c.Values(in.Args[1], false, nil)
	}
	c.setElements(in.Dst[0], func(m *machine.Machine, d machine.Elements, _ int) {
		m.Costly += 2 * machine.Lanewise
		v, fill := value(m), site.Fills(m)
		at := func(f func(m *machine.Machine) machine.Elements, l int) int {
			x := f(m)
			return int(int32(x.At(l)))
		}
		m.Groups(width, func(lo, hi int) {
			var old, next [machine.Simdgroup]machine.Element
			for l := lo; l < hi; l++ {
				old[l-lo] = v.At(l)
			}
			unlike := (fill || met != nil) && rule.Unlike(m, lo, hi, func(l int) int { return at(control, l) })
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
					from = m.FirstIn(lo, hi) - lo
				}
				why := rule.Unreadable(m, from, lo, hi, width, unlike)
				if why != "" && met != nil && m.Mask[l] != 0 {
					met(m, l, why)
				}
				switch {
				case fill && why != "":
					next[i] = machine.Element(site.Value(m, l))
				case from >= 0 && from < width && lo+from < hi && m.Gives(lo+from):
					next[i] = old[from]
				case fillValue != nil && (from < 0 || from >= span):
					next[i] = machine.Filled(m, fillValue, lo, i, from, span)
				default:
					next[i] = old[i]
				}
			}
			for l := lo; l < hi; l++ {
				d.Set(l, next[l-lo])
			}
		})
	})
}

// permute32 is the hot case: 32-bit values and a lane, mask or delta.
func (c *Compiler) permute32(in *ir.Instr, name string, width int) {
	source, rule := machine.LanePicker(in, name), machine.RuleOf(name)
	site, met := c.filler(in.Pos, machine.OtherLane), c.meeting(in)
	value, control := c.arg(in.Args[0], false), c.operand(in.Args[1])
	one := control.Uniform()
	if at := control.At; site == nil && c.Does(machine.PassBroadcast) && one &&
		(name == "broadcast" || name == "shuffle") {
		c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
			m.Broadcast(d, value(m), int(int32(m.Uni32[at])), width, rule, met)
		})
		return
	}
	control = c.spread(control)
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		m.Costly += 2 * machine.Lanewise
		x, k, fill := value(m), m.Operand(&control), site.Fills(m)
		var old [machine.Simdgroup]uint32
		for lo := 0; lo < m.N; lo += width {
			hi := min(lo+width, m.N)
			copy(old[:], x[lo:hi])
			unlike := !one && (fill || met != nil) &&
				rule.Unlike(m, lo, hi, func(l int) int { return int(int32(k[l])) })
			for l := lo; l < hi; l++ {
				from := source(l-lo, int(int32(k[l])), width)
				there := from >= 0 && from < width && lo+from < hi && m.Gives(lo+from)
				if there && !unlike {
					d[l] = old[from]
					continue
				}
				why := rule.Unreadable(m, from, lo, hi, width, unlike)
				if why != "" && met != nil && m.Mask[l] != 0 {
					met(m, l, why)
				}
				switch {
				case fill && why != "":
					d[l] = site.Value(m, l)
				case there:
					d[l] = old[from]
				default:
					d[l] = old[l-lo]
				}
			}
		}
	})
}

// ballot gives a bit for every active lane whose predicate holds.
func (c *Compiler) ballot(in *ir.Instr, width int) {
	predicate := func(m *machine.Machine) machine.Elements { return machine.Elements{Narrow: m.Mask} }
	if len(in.Args) > 0 {
		predicate = c.Values(in.Args[0], false, nil)
	}
	c.compute64(in.Dst[0], func(m *machine.Machine, d []uint64) {
		p := predicate(m)
		m.Groups(width, func(lo, hi int) {
			var bits uint64
			for l := lo; l < hi; l++ {
				if m.Mask[l] != 0 && p.At(l) != 0 {
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
func (c *Compiler) vote(in *ir.Instr, name string, width int) {
	predicate := func(*machine.Machine) machine.Elements { return machine.Elements{} }
	if name != "is_first" {
		predicate = c.Values(in.Args[0], false, nil)
	}
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		p := predicate(m)
		m.Groups(width, func(lo, hi int) {
			if name == "is_first" {
				first := m.FirstIn(lo, hi)
				for l := lo; l < hi; l++ {
					d[l] = machine.Lane(l == first)
				}
				return
			}
			all, some := true, false
			for l := lo; l < hi; l++ {
				if m.Mask[l] != 0 {
					all, some = all && p.At(l) != 0, some || p.At(l) != 0
				}
			}
			for l := lo; l < hi; l++ {
				d[l] = machine.Lane(name == "all" && all || name == "any" && some)
			}
		})
	})
}
