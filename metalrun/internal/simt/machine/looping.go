package machine

import (
	"metalconform/metalrun/internal/ir"
)

// all is the number of remaining iterations of a loop with step 1. ok is false if there is none, if the step is another
// one, or if the step budget does not suffice.
func (n *Counted) all(m *Machine) (trips int, ok bool) {
	first, limit := m.Uni32[n.Counter], m.Uni32[n.Limit]
	trips = int(limit - first)
	return trips, m.Uni32[n.Step] == 1 && n.Less(first, limit) && int64(trips) <= m.Steps/n.Cost
}

// finish leaves the counter and the step budget as so many iterations do.
func (n *Counted) finish(m *Machine, trips int) {
	m.Uni32[n.Counter] = m.Uni32[n.Limit]
	m.Take(n.Counters.Head, trips+1)
	m.Take(n.Counters.Body, trips)
	m.Take(n.Counters.Post, trips)
	m.Steps -= int64(trips) * n.Cost
	m.Executed++
}

// Linear reports whether an operation on affine integers is affine if so many of them change from iteration to
// iteration.
func Linear(op ir.Op, moving int) bool {
	switch op {
	case ir.Add, ir.Sub, ir.PtrAdd:
		return true
	case ir.Mul:
		return moving < 2
	}
	return false
}

// Extension reports whether a conversion extends 32-bit integers, signed or unsigned, to 64 bits.
func Extension(in *ir.Instr, signed bool) bool {
	from := ir.U32
	if signed {
		from = ir.S32
	}
	return in.From == from && in.To.Type() == ir.I64
}

// OnlyInstr is the only instruction of a list except for counters, or nil.
func OnlyInstr(nodes []ir.Node) *ir.Instr {
	_, nodes = SplitCounters(nodes)
	if len(nodes) != 1 {
		return nil
	}
	in, _ := nodes[0].(*ir.Instr)
	return in
}

// LastInstr is the last node of a list if that is an instruction, or nil.
func LastInstr(nodes []ir.Node) *ir.Instr {
	if len(nodes) == 0 {
		return nil
	}
	in, _ := nodes[len(nodes)-1].(*ir.Instr)
	return in
}
