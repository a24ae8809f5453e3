package machine

import "metalconform/metalrun/internal/ir"

// Kernels leave what goes one by one to one thread: the others return, or have nothing to do in
// the last branch. From there on nobody looks at the other lanes, unless threads act together
// again, and the machine runs on with one.

// Alone makes the machine one of one lane if only its first is left.
type Alone struct {
	Branch bool  // of the lanes that are active; otherwise of those that live
	Rest   *Solo // what is left to do, as a program for one thread; nil: there is none
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n Alone) Run(m *Machine) bool {
	if m.N == 1 || m.Mask[0] == 0 {
		return true
	}
	if m.active() == 1 && (n.Branch || m.Live == 1) {
		m.resize(1)
		m.Live = 1
		m.Counted(1)
		if n.Rest != nil && n.Rest.suits(m) {
			n.Rest.Run(m)
			return false
		}
	}
	return true
}

// resize makes the first n lanes all that there are, of rows that stay where they are.
func (m *Machine) resize(n int) {
	m.N = n
	for s := range m.slots {
		m.slots[s] = m.u32[s*m.Stride : s*m.Stride+n : s*m.Stride+n]
	}
	m.Mask, m.Exited, m.Ended, m.Addr = m.Mask[:n], m.Exited[:n], m.Ended[:n], m.Addr[:n]
	m.Scratch, m.Scratch8 = m.Scratch[:n], m.Scratch8[:n]
}

// mostSolos is how many places of a body a program for one thread begins at: each is as long as what is left.
const MostSolos = 8

// ActTogether reports whether threads act together in a node.
func ActTogether(n ir.Node) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == ir.Barrier || in.Op.Info().Effects.Has(ir.Collective|ir.Orders))
	})
}

// Ends reports whether threads may end in a node.
func Ends(n ir.Node) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		_, ok := n.(*ir.Exit)
		return ok
	})
}
