package simt

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fastmath"
)

// Fast math takes every number for finite: what an operation makes of a NaN or an infinity is
// unspecified from there on. The checks note where a launch meets one, and try others in
// place of the results, as with all that is unspecified; an adversary has others there.

// notFinites are what an adversary has there: NaN, 0 and the numbers of the greatest size.
var notFinites = [...]uint32{0x7fc00000, 0, 0x7f7fffff, 0xff7fffff}

// finiteSites are where a kernel may meet a NaN or an infinity that its math takes for
// impossible.
func finiteSites(k *ir.Kernel) (sites []Choice) {
	if !fastmath.AssumesFinite(k) {
		return nil
	}
	fastmath.GuardFinite(ir.Values(k), hitOp, func(in *ir.Instr) fastmath.Guard {
		sites = append(sites, Choice{in.Pos, notFinite})
		return fastmath.Guard{}
	})
	return sites
}

// guarded is a kernel with guards beside these sites: so that its checks see them, or with
// the values that a trial or an adversary has there. A launch and its trials have
// the same branches.
func (o *Options) guarded(k *ir.Kernel, a *adversary) *ir.Kernel {
	if !fastmath.AssumesFinite(k) || !o.Check && !o.open && a == nil {
		return k
	}
	v := ir.Values(k)
	fastmath.GuardFinite(v, hitOp, func(in *ir.Instr) fastmath.Guard {
		g := fastmath.Guard{Note: o.Check, Open: o.open}
		if draw, ok := a.takes(in.Pos, notFinite); ok && a.rewrites(Choice{in.Pos, notFinite}) {
			g.Replace, g.Value = true, notFinites[draw>>3%uint64(len(notFinites))]
		}
		return g
	})
	return ir.Tidy(v)
}

// meet compiles a hitOp: the first lane for which the condition holds has met a value that
// has to be finite and is not.
func (c *compiler) meet(in *ir.Instr) {
	if len(in.Dst) > 0 {
		c.replaceBad(in)
		return
	}
	bad, uniform := c.operand(in.Args[0]).reader(), c.uniform(in.Args[0])
	var values []laneReader
	for _, r := range in.Args[1:] {
		values = append(values, c.operand(r).reader())
	}
	site, what := Choice{in.Pos, notFinite}, in.Fn
	c.do(func(m *machine) {
		first, end := 0, m.n
		if uniform {
			if first = m.firstActive(); first < 0 {
				return
			}
			end = first + 1
		}
		for l := first; l < end; l++ {
			if bad.at(m, l) == 0 || m.mask[l] == 0 {
				continue
			}
			for _, v := range values {
				if x := f32frombits(uint32(v.at(m, l))); x-x != 0 {
					m.sanitizer.encounter(m, site, "operation", fmt.Sprintf("fast math has no %v: what becomes of it in %s", x, what), l)
					return
				}
			}
		}
	})
}

// replaceBad compiles a hitOp with a result.
func (c *compiler) replaceBad(in *ir.Instr) {
	d := in.Dst[0]
	t := c.typ(d)
	plain := func() {
		c.consumed(in.Args[0])
		if c.p.slots[d].wide {
			c.each(d, in.Args[1], func(v element) element { return v })
		} else {
			c.assign(d, c.copied(c.operand(in.Args[1]), c.uniform(d)))
		}
	}
	c.replaced(in, Choice{in.Pos, notFinite}, nil, plain, func(v []element) (element, bool) { return v[1], v[0] == 0 }, func(value uint32) element {
		switch {
		case t.IsFloat():
			return element(f32bits(t.Format().Narrow(f32frombits(value))))
		case t == ir.Bool:
			return element(lane(value != 0))
		}
		return 0
	})
}
