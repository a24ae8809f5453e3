package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// weightLoop recognises such a loop, n, whose body is compiled, or gives nil.
func (c *Compiler) weightLoop(n *ir.Loop, loop machine.Node, body machine.List, cost int64,
	count machine.LoopCounters) *machine.WeightLoop {
	test, step := machine.OnlyInstr(n.Head), machine.OnlyInstr(n.Post)
	_, nodes := machine.SplitCounters(n.Body)
	if !c.Does(machine.PassWeightLoop) || c.P.Stepwise || len(body) != 2 || len(nodes) < 2 || test == nil ||
		step == nil || test.Op != ir.ULt && test.Op != ir.SLt || step.Op != ir.Add {
		return nil
	}
	place, _ := body[0].(machine.Straight)
	adds, _ := body[1].(*machine.AddLoop)
	inner, _ := nodes[len(nodes)-1].(*ir.Loop)
	counter, limit := test.Args[0], test.Args[1]
	one := c.P.Kernel.Regs[step.Args[1]]
	if place == nil || adds == nil || inner == nil || test.Dst[0] != n.Cond || step.Dst[0] != counter ||
		step.Args[0] != counter || one.Kind != ir.Literal || one.Bits != 1 ||
		!c.Uniform(counter) || c.Simdgroup.Varying(limit) || ir.Sets(n.Body, counter) || ir.Sets(n.Body, limit) ||
		c.outlives(n) {
		return nil
	}
	w := &machine.WeightLoop{Loop: loop, Body: body, Adds: adds, Signed: test.Op == ir.SLt, Cost: cost, Count: count}
	if !places(w, c, nodes[:len(nodes)-1], counter, inner) {
		return nil
	}
	w.Counter, w.Limit = c.P.Slots[counter].Index, machine.Operand{At: c.P.Slots[limit].Index}
	if c.Uniform(limit) {
		w.Limit.Kind = machine.IsUniform
	}
	return w
}

// places reports whether all that instructions before a loop do is to broadcast the weight, to set the loop's
// counter and to find a place that moves by the same distance from iteration to iteration.
func places(w *machine.WeightLoop, c *Compiler, nodes []ir.Node, counter ir.Reg, inner *ir.Loop) bool {
	within := func(r ir.Reg) bool { return ir.Sets(nodes, r) }
	moves, numbers := map[ir.Reg]bool{counter: true}, []ir.Reg{counter}
	own, begun := machine.OnlyInstr(inner.Post).Dst[0], false
	w.Weights = -1
	for _, node := range nodes {
		in, ok := node.(*ir.Instr)
		if !ok || len(in.Dst) != 1 {
			return false
		}
		d, moving := in.Dst[0], 0
		for _, r := range in.Args {
			moving += int(machine.Lane(moves[r]) & 1)
		}
		switch {
		case in.Op == ir.Simd && c.P.Slots[d].Index == w.Adds.Weight && broadcasts(w, c, in, numbers) &&
			!within(in.Args[0]):
			moves[d] = true
		case !machine.MoveOrSum(in) || c.Changeable(d) && (d != own || in.Op != ir.Copy || within(in.Args[0])):
			return false
		case d == own && moving == 0:
			begun = true
		case moving == 0:
		// the number of a lane
		case in.Op == ir.Convert && in.Args[0] == counter && in.From.Size() == 4 && in.To.Size() == 2:
			moves[d], numbers = true, append(numbers, d)
		case in.Op == ir.Convert && in.Args[0] == counter && machine.Extension(in, w.Signed),
			!c.Typ(d).IsFloat() && machine.Linear(in.Op, moving):
			moves[d] = true
		default:
			return false
		}
	}
	_, head := machine.SplitCounters(inner.Head)
	return begun && w.Weights >= 0 && !slices.ContainsFunc(head, func(node ir.Node) bool {
		return slices.ContainsFunc(node.(*ir.Instr).Args, func(r ir.Reg) bool { return r != own && within(r) })
	})
}

// broadcasts reports whether an instruction gives all lanes the value of the one with such a number, and notes where
// it is.
func broadcasts(w *machine.WeightLoop, c *Compiler, in *ir.Instr, numbers []ir.Reg) bool {
	if in.Fn != "simd_broadcast" && in.Fn != "simd_shuffle" || !slices.Contains(numbers, in.Args[1]) ||
		c.Uniform(in.Args[0]) {
		return false
	}
	w.Weights = c.P.Slots[in.Args[0]].Index
	return true
}
