package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// argmin recognises an argmin loop. head is the head of the loop without the loads that are done before the loop.
func (s *ScalarCompiler) argmin(n *ir.Loop, head []ir.Node) *machine.Argmin {
	_, body := machine.SplitCounters(n.Body)
	test, step, branch := machine.OnlyInstr(head), machine.OnlyInstr(n.Post), machine.LastBranch(body)
	if !s.Does(machine.PassArgmin) || test == nil || step == nil || branch == nil || len(body) != 4 ||
		test.Op != ir.ULt || test.Dst[0] != n.Cond ||
		step.Op != ir.Add || s.Typ(step.Dst[0]) != ir.I32 || step.Dst[0] != step.Args[0] ||
		step.Dst[0] != test.Args[0] {
		return nil
	}
	set := machine.OnlyInstr(branch.Then)
	first, second, compared := machine.InstrAt(body, 0), machine.InstrAt(body, 1), machine.InstrAt(body, 2)
	if set == nil || set.Op != ir.Copy || set.Args[0] != step.Dst[0] || first == nil || second == nil ||
		compared == nil ||
		compared.Op != ir.FLt && compared.Op != ir.FLe || compared.Dst[0] != branch.Cond || s.reads[branch.Cond] != 1 ||
		ir.Sets(body, test.Args[1]) || ir.Sets(n.Post, test.Args[1]) || ir.Sets(body, step.Args[1]) ||
		test.Args[1] == step.Dst[0] ||
		step.Args[1] == step.Dst[0] {
		return nil
	}
	q := &machine.Argmin{Counter: s.Register(step.Dst[0]), Limit: s.Register(test.Args[1]),
		Step: s.Register(step.Args[1]), Best: s.Register(set.Dst[0]),
		OrEqual: compared.Op == ir.FLe, Branch: -1}
	q.Runs, _ = machine.SplitCounters(branch.Then)
	if first.Dst[0] == compared.Args[1] {
		first, second = second, first
	}
	if q.Swapped = first.Mem != nil && first.Mem.Index == set.Dst[0]; q.Swapped {
		first, second = second, first
	}
	ok := s.element(&q.Element, first, step.Dst[0]) && s.element(&q.Held, second, set.Dst[0])
	left, right := first.Dst[0], second.Dst[0]
	if q.Swapped {
		left, right = right, left
	}
	if !ok || compared.Args[0] != left || compared.Args[1] != right || s.reads[left] != 1 || s.reads[right] != 1 ||
		left == right {
		return nil
	}
	of := &ArgminRegisters{step.Dst[0], test.Args[1], set.Dst[0], branch.Cond, left, right, first.Mem, second.Mem}
	for _, x := range s.add {
		how, ok := x.Argmin(q, of)
		if !ok {
			return nil
		}
		if how != nil {
			q.How = how
		}
	}
	return q
}

// element reports whether a load is of a float of an array of the thread, at an index without an offset. It sets at to
// the array.
func (s *ScalarCompiler) element(at *machine.PrivateArray, in *ir.Instr, index ir.Reg) bool {
	if in.Op != ir.Load || in.From.Type() != ir.F32 || len(in.Dst) != 1 || in.Mem.Space != syntax.Thread ||
		in.Mem.Volatile || in.Mem.Disp != 0 ||
		in.Mem.Scale != 4 || in.Mem.IndexSigned || in.Mem.Index != index || s.Wide(index) {
		return false
	}
	base := s.P.Kernel.Regs[in.Mem.Base]
	if base.Kind != ir.Address {
		return false
	}
	at.First, at.Size = s.P.PrivateBase[base.Index], s.P.Kernel.Objects[base.Index].Size/4
	return true
}
