package codegen

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/simt/machine"
)

// Fast math assumes that every number is finite: the result of an operation on a NaN or an infinity is unspecified. The
// checks report where a launch meets one, and try other values in place of the result. An adversary replaces the
// result.

// notFinites are the results that an adversary draws from: NaN, 0 and the greatest numbers.
var notFinites = [...]uint32{0x7fc00000, 0, 0x7f7fffff, 0xff7fffff}

// finiteSites are the operations of a kernel that must not get a NaN or an infinity.
func finiteSites(k *ir.Kernel) (sites []machine.Choice) {
	if !fastmath.AssumesFinite(k) {
		return nil
	}
	fastmath.GuardFinite(ir.Values(k), machine.HitOp, func(in *ir.Instr) fastmath.Guard {
		sites = append(sites, machine.Choice{Pos: in.Pos, Kind: machine.NotFinite})
		return fastmath.Guard{}
	})
	return sites
}

// guarded is a kernel with guards at these operations. With checks, they report hits. In a trial or under an adversary,
// they replace results. A launch and its trials have the same branches.
func guarded(o *machine.Options, k *ir.Kernel, a *adversary) *ir.Kernel {
	if !fastmath.AssumesFinite(k) || !o.Check && !o.Open && a == nil {
		return k
	}
	v := ir.Values(k)
	fastmath.GuardFinite(v, machine.HitOp, func(in *ir.Instr) fastmath.Guard {
		g := fastmath.Guard{Note: o.Check, Open: o.Open}
		if draw, ok := a.takes(in.Pos, machine.NotFinite); ok &&
			a.rewrites(machine.Choice{Pos: in.Pos, Kind: machine.NotFinite}) {
			g.Replace, g.Value = true, notFinites[draw>>3%uint64(len(notFinites))]
		}
		return g
	})
	return ir.Tidy(v)
}

// notFiniteHits compiles a HitOp: it reports the first lane for which the condition holds, because a value is not
// finite.
func (c *Compiler) notFiniteHits(in *ir.Instr) {
	if len(in.Dst) > 0 {
		c.replaceBad(in)
		return
	}
	bad, uniform := reader(c.operand(in.Args[0])), c.Uniform(in.Args[0])
	var values []laneReader
	for _, r := range in.Args[1:] {
		values = append(values, reader(c.operand(r)))
	}
	site, what := machine.Choice{Pos: in.Pos, Kind: machine.NotFinite}, in.Fn
	c.Do(func(m *machine.Machine) {
		first, end := 0, m.N
		if uniform {
			if first = m.FirstActive(); first < 0 {
				return
			}
			end = first + 1
		}
		for l := first; l < end; l++ {
			if bad.at(m, l) == 0 || m.Mask[l] == 0 {
				continue
			}
			for _, v := range values {
				if x := machine.F32frombits(uint32(v.at(m, l))); x-x != 0 {
					m.Hit(site, "operation", fmt.Sprintf("fast math has no %v: what becomes of it in %s", x, what), l)
					return
				}
			}
		}
	})
}

// replaceBad compiles a HitOp with a result.
func (c *Compiler) replaceBad(in *ir.Instr) {
	d := in.Dst[0]
	t := c.Typ(d)
	plain := func() {
		c.Consumed(in.Args[0])
		if c.P.Slots[d].Wide {
			c.each(d, in.Args[1], func(v machine.Element) machine.Element { return v })
		} else {
			c.assign(d, c.copied(c.operand(in.Args[1]), c.Uniform(d)))
		}
	}
	c.replaced(in, machine.Choice{Pos: in.Pos, Kind: machine.NotFinite}, nil, plain,
		func(v []machine.Element) (machine.Element, bool) { return v[1], v[0] == 0 },
		func(value uint32) machine.Element {
			switch {
			case t.IsFloat():
				return machine.Element(machine.F32bits(t.Format().Narrow(machine.F32frombits(value))))
			case t == ir.Bool:
				return machine.Element(machine.Lane(value != 0))
			}
			return 0
		})
}
