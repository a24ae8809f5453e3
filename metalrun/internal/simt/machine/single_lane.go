package machine

import "metalconform/metalrun/internal/ir"

// A kernel leaves sequential work to one thread: the other threads return, or have nothing to do in the last branch.
// From there on, nothing reads the other lanes unless threads act together again. The machine goes on in single-lane
// mode.

// ToSingleLane puts the machine into single-lane mode if only its first lane is left.
type ToSingleLane struct {
	Branch bool           // active lanes count; otherwise live lanes do
	Rest   *ScalarProgram // the rest of the entry point; nil: it is no scalar program
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n ToSingleLane) Run(m *Machine) bool {
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

// resize reduces rows to their first n lanes. The rows stay where they are.
func (m *Machine) resize(n int) {
	m.N = n
	for s := range m.slots {
		m.slots[s] = m.u32[s*m.Stride : s*m.Stride+n : s*m.Stride+n]
	}
	m.Mask, m.Exited, m.Ended, m.Addr = m.Mask[:n], m.Exited[:n], m.Ended[:n], m.Addr[:n]
	m.Scratch, m.Scratch8 = m.Scratch[:n], m.Scratch8[:n]
}

// MaxScalarPrograms is the greatest number of scalar programs of a body. Each is as long as the rest of the body. A
// source with 1,000 early returns takes 0.25 CPU seconds to check with 8 or 64 of them, and 1.8 without a bound. The
// kernels of the catalogue have at most 2.
const MaxScalarPrograms = 8

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
