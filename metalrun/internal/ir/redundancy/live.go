package redundancy

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// markLive marks what is needed: computations with effects, and what they depend on.
func (n *numbering) markLive() {
	m := &marking{n: n}
	for _, c := range n.computations {
		if c.in.Op.Info().Kept && (c.in.Op != ir.Load || c.in.Mem.Volatile) &&
			(c.in.Op != ir.Store || c.object < 0) && !c.overwritten {
			m.computation(c)
		}
	}
	for len(m.values) > 0 {
		v := m.values[len(m.values)-1]
		m.values = m.values[:len(m.values)-1]
		if v.of != nil {
			m.computation(v.of)
		}
		if v.at != nil {
			m.construct(v.at)
		}
		m.need(v.merged)
	}
	for _, c := range n.computations {
		if c.in.Op == ir.Load && !c.in.Mem.Volatile {
			c.elements = 0
			for _, v := range c.results {
				if v.live {
					c.elements++
				}
			}
		}
	}
}

// marking has the values that are needed and not looked at.
type marking struct {
	n      *numbering
	values []*value
}

func (m *marking) need(list []*value) {
	for _, v := range list {
		if !v.live {
			v.live = true
			m.values = append(m.values, v)
		}
	}
}

func (m *marking) computation(c *computation) {
	if c.live || c.overwritten {
		return
	}
	c.live = true
	m.need(c.args)
	m.need(c.address)
	m.scope(c.at)
	if c.in.Op == ir.Load && c.object >= 0 {
		for _, w := range m.n.arrays[c.object].stores {
			m.computation(w)
		}
	}
}

// scope needs the conditions of the constructs around it.
func (m *marking) scope(s *scope) {
	for ; s != nil && s.of != nil; s = s.of.within {
		m.construct(s.of)
	}
}

func (m *marking) construct(c *construct) {
	if c.live {
		return
	}
	c.live = true
	m.need(c.conds)
	m.scope(c.within)
	for _, s := range c.exits {
		m.scope(s)
	}
}

// uses are the computations that read a value, and whether anything else does.
type uses struct {
	by    []*computation
	other bool
}

func (u *uses) all(holds func(*computation) bool) bool {
	return !slices.ContainsFunc(u.by, func(by *computation) bool { return !holds(by) })
}

// combine finds computations that are parts of those that read them.
func (n *numbering) combine() {
	used := n.uses()
	for _, c := range slices.Backward(n.computations) {
		if !c.live || len(c.results) != 1 {
			continue
		}
		u := used[c.results[0]]
		if u == nil || u.other {
			continue
		}
		switch {
		case addressing(c):
			c.free = c.free || u.all(func(by *computation) bool { return addresses(by, c.results[0]) })
		case c.in.Op == ir.Neg && c.results[0].typ.IsFloat():
			c.free = u.all(func(by *computation) bool { return negates(by.in.Op) })
		case isProduct(c) && len(u.by) == 1:
			sum := u.by[0]
			if (sum.in.Op == ir.Add || sum.in.Op == ir.Sub) && !sum.fused && sum.at == c.at && sum.before == c.before {
				c.free, sum.fused = true, true
			}
		}
	}
}

// isProduct reports whether a computation is a product of floats, or twice a float.
func isProduct(c *computation) bool {
	return c.results[0].typ.IsFloat() && (c.in.Op == ir.Mul || c.in.Op == ir.Add && c.args[0] == c.args[1])
}

func (n *numbering) uses() map[*value]*uses {
	used := map[*value]*uses{}
	of := func(v *value) *uses {
		u := used[v]
		if u == nil {
			u = &uses{}
			used[v] = u
		}
		return u
	}
	seen := map[*value]bool{}
	var merged func(v *value)
	merged = func(v *value) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, m := range v.merged {
			of(m).other = true
			merged(m)
		}
	}
	for _, c := range n.computations {
		if !c.live {
			continue
		}
		for _, v := range slices.Concat(c.args, c.address) {
			u := of(v)
			u.by = append(u.by, c)
			merged(v)
		}
		for s := c.at; s != nil && s.of != nil; s = s.of.within {
			for _, v := range s.of.conds {
				of(v).other = true
				merged(v)
			}
		}
	}
	return used
}

// addressing reports whether a computation may be a part of an address.
func addressing(c *computation) bool {
	switch in := c.in; in.Op {
	case ir.PtrAdd:
		return true
	case ir.Convert:
		return c.args[0].typ == ir.I32 && c.results[0].typ == ir.I64
	case ir.Mul, ir.Shl:
		return c.results[0].typ == ir.I64 && (c.args[0].literal || c.args[1].literal)
	}
	return false
}

// addresses reports whether a computation takes a value in as a part of its address.
func addresses(by *computation, v *value) bool {
	if slices.Contains(by.args, v) {
		return by.free && addressing(by)
	}
	return true
}

// negates reports whether an operation can take its operands with the other sign.
func negates(op ir.Op) bool {
	return op == ir.Add || op == ir.Sub || op == ir.Mul || op == ir.FMA
}
