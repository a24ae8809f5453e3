package simt

import "metalconform/metalrun/internal/ir"

// Kernels leave what goes one by one to one thread: the others return, or have nothing to do in
// the last branch. From there on nobody looks at the other lanes, unless threads act together
// again, and the machine runs on with one.

// alone makes the machine one of one lane if only its first is left.
type alone struct {
	branch bool  // of the lanes that are active; otherwise of those that live
	rest   *solo // what is left to do, as a program for one thread; nil: there is none
}

func (n alone) run(m *machine) bool {
	if m.n == 1 || m.mask[0] == 0 {
		return true
	}
	if m.active() == 1 && (n.branch || m.live == 1) {
		m.resize(1)
		m.live = 1
		m.counted(1)
		if n.rest != nil && n.rest.suits(m) {
			n.rest.run(m)
			return false
		}
	}
	return true
}

// resize makes the first n lanes all that there are, of rows that stay where they are.
func (m *machine) resize(n int) {
	m.n = n
	for s := range m.slots {
		m.slots[s] = m.u32[s*m.stride : s*m.stride+n : s*m.stride+n]
	}
	m.mask, m.exited, m.ended, m.addr = m.mask[:n], m.exited[:n], m.ended[:n], m.addr[:n]
	m.scratch, m.scratch8 = m.scratch[:n], m.scratch8[:n]
}

// mostSolos is how many places of a body a program for one thread begins at: each is as long as what is left.
const mostSolos = 8

// root compiles the body of the entry point.
func (c *compiler) root(nodes []ir.Node) list {
	apart := len(nodes) // from here on, threads do not act together
	for apart > 0 && !actTogether(nodes[apart-1]) {
		apart--
	}
	loops := ir.Contains(nodes[apart:], func(n ir.Node) bool { return isLoop(n) }) // otherwise it is not worth the trouble
	loops = loops && c.does(passSingleLaneMode)
	begins := []int{apart}
	for i := apart + 1; loops && i < len(nodes); i++ {
		if ends(nodes[i-1]) {
			begins = append(begins, i)
		}
	}
	begins = begins[max(0, len(begins)-mostSolos):]
	for i, n := range nodes {
		if loops && len(begins) > 0 && i == begins[0] {
			begins = begins[1:]
			c.endRun()
			c.out = append(c.out, alone{rest: c.solo(nodes[i:])})
		}
		if branch, ok := n.(*ir.If); ok && loops && i == len(nodes)-1 && i >= apart && len(branch.Else) == 0 && (c.p.exact == nil || !c.p.exact.Depends(branch.Cond)) {
			c.last = branch
		}
		c.node(n)
	}
	c.endRun()
	return c.out
}

// actTogether reports whether threads act together in a node.
func actTogether(n ir.Node) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == ir.Barrier || in.Op.Info().Effects.Has(ir.Collective|ir.Orders))
	})
}

// ends reports whether threads may end in a node.
func ends(n ir.Node) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		_, ok := n.(*ir.Exit)
		return ok
	})
}
