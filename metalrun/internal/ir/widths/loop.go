package widths

import "metalconform/metalrun/internal/ir"

const (
	iterations  = 3   // before a loop moves on to its last iteration
	mostEntered = 200 // of a loop whose variables do not move by the same step each time
	doubted     = 2   // of a loop whose condition is not known
)

// loop evaluates the first iterations and the last one.
func (t *thread) loop(n *ir.Loop) *ir.Exit {
	vars := t.carriedBy(n)
	var before, latest []value
	leapt := false
	for i := 0; i < mostEntered && t.left > 0; i++ {
		t.left--
		if i >= iterations && !leapt {
			leapt = t.leap(n, vars, before, latest)
		}
		before, latest = latest, t.values(vars)
		if e := t.list(n.Head); e != nil {
			return leaving(e, n)
		}
		if n.Cond != ir.None {
			c := t.regs[n.Cond]
			if !c.known && i >= doubted {
				t.forget(vars)
				return nil
			}
			c = t.decided(c, n.Pos)
			if c.known && c.bits == 0 {
				return nil
			}
		} else if t.doubt > 0 && i >= doubted {
			return nil
		}
		if e := t.list(n.Body); e != nil && (e.Loop != n || e.Kind != ir.Continue) {
			return leaving(e, n)
		}
		if e := t.list(n.Post); e != nil {
			return leaving(e, n)
		}
	}
	t.forget(vars)
	return nil
}

func leaving(e *ir.Exit, n *ir.Loop) *ir.Exit {
	if e.Loop == n {
		return nil
	}
	return e
}

// carried is a variable that a loop sets, and the last instruction that does.
type carried struct {
	reg ir.Reg
	by  *ir.Instr
}

// carriedBy are the variables that the loop sets. They are found once.
func (s *search) carriedBy(n *ir.Loop) []carried {
	if list, known := s.carried[n]; known {
		return list
	}
	var list []carried
	at := map[ir.Reg]int{}
	for in := range ir.Instrs(n) {
		for _, d := range in.Dst {
			if !s.needed[d] || s.k.Regs[d].Kind != ir.Variable {
				continue
			}
			if _, seen := at[d]; !seen {
				at[d] = len(list)
				list = append(list, carried{reg: d})
			}
			list[at[d]].by = in
		}
	}
	s.carried[n] = list
	return list
}

func (t *thread) values(vars []carried) []value {
	list := make([]value, len(vars))
	for i, v := range vars {
		list[i] = t.regs[v.reg]
	}
	return list
}

func (t *thread) put(vars []carried, values []value) {
	for i, v := range vars {
		t.regs[v.reg] = values[i]
	}
}

// setBy are the registers that nodes set. They are found once for each list of nodes.
func (s *search) setBy(nodes []ir.Node) (list []ir.Reg) {
	if len(nodes) == 0 {
		return nil
	}
	if list, known := s.sets[&nodes[0]]; known {
		return list
	}
	for in := range ir.Instrs(nodes...) {
		for _, d := range in.Dst {
			if s.needed[d] {
				list = append(list, d)
			}
		}
	}
	s.sets[&nodes[0]] = list
	return list
}

func (t *thread) valuesOf(regs []ir.Reg) []value {
	list := make([]value, len(regs))
	for i, r := range regs {
		list[i] = t.regs[r]
	}
	return list
}

func (t *thread) forget(vars []carried) {
	for _, v := range vars {
		t.regs[v.reg] = value{}
	}
}

// leap moves the variables on to the last iteration, by the steps that they have taken twice. It reports false where
// the loop does not go on by such steps, or has fewer iterations.
func (t *thread) leap(n *ir.Loop, vars []carried, before, latest []value) bool {
	start := t.values(vars)
	probed := n.Head
	if n.Cond == ir.None {
		probed = n.Body
	}
	kept := t.setBy(probed)
	held := t.valuesOf(kept)
	stays := func(k int64) bool {
		t.probing++
		defer func() {
			t.probing--
			for i, r := range kept {
				t.regs[r] = held[i]
			}
		}()
		t.advance(vars, before, latest, start, k)
		if e := t.list(probed); e != nil {
			return n.Cond == ir.None && e.Loop == n && e.Kind == ir.Continue
		}
		return n.Cond == ir.None || t.regs[n.Cond].known && t.regs[n.Cond].bits != 0
	}
	if !stays(1) {
		t.put(vars, start)
		return false
	}
	least, most := int64(1), int64(2)
	for most < 1<<40 && stays(most) {
		least, most = most, 2*most
	}
	if most >= 1<<40 {
		t.put(vars, start)
		return false // nothing that moves ends the loop
	}
	for least+1 < most {
		if middle := (least + most) / 2; stays(middle) {
			least = middle
		} else {
			most = middle
		}
	}
	t.advance(vars, before, latest, start, least)
	return true
}

// advance sets the variables as they are k iterations on. One that has not moved by the same step is not known then.
func (t *thread) advance(vars []carried, before, latest, start []value, k int64) {
	for i, v := range vars {
		r := v.reg
		a, b, c := before[i], latest[i], start[i]
		step := c.exact - b.exact
		moved, ok := product(step, k)
		if !a.known || !b.known || !c.known || b.exact-a.exact != step || c.bits-b.bits != b.bits-a.bits || !ok {
			t.regs[r] = value{}
			continue
		}
		c.exact += moved
		if typ := t.k.Regs[r].Type; c.of == nil && typ == ir.I32 && outside(c.exact, 32) {
			c.of = v.by
		}
		c.bits = canonical(t.k.Regs[r].Type, c.bits+uint64(moved))
		t.regs[r] = c
	}
}
