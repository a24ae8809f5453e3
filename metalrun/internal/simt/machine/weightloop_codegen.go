package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// weightLoop recognises such a loop, n, whose body is compiled, or gives nil.
func (c *Compiler) weightLoop(n *ir.Loop, loop Node, body List, cost int64, count turns) *WeightLoop {
	test, step := OnlyInstr(n.Head), OnlyInstr(n.Post)
	_, nodes := tallies(n.Body)
	if !c.Does(passWeightLoop) || c.P.stepwise || len(body) != 2 || len(nodes) < 2 || test == nil || step == nil || test.Op != ir.ULt && test.Op != ir.SLt || step.Op != ir.Add {
		return nil
	}
	place, _ := body[0].(Straight)
	adds, _ := body[1].(*AddLoop)
	inner, _ := nodes[len(nodes)-1].(*ir.Loop)
	counter, limit := test.Args[0], test.Args[1]
	one := c.P.Kernel.Regs[step.Args[1]]
	if place == nil || adds == nil || inner == nil || test.Dst[0] != n.Cond || step.Dst[0] != counter || step.Args[0] != counter || one.Kind != ir.Literal || one.Bits != 1 ||
		!c.Uniform(counter) || c.simdgroup.Varying(limit) || ir.Sets(n.Body, counter) || ir.Sets(n.Body, limit) || c.outlives(n) {
		return nil
	}
	w := &WeightLoop{Loop: loop, Body: body, adds: adds, signed: test.Op == ir.SLt, cost: cost, count: count}
	if !w.places(c, nodes[:len(nodes)-1], counter, inner) {
		return nil
	}
	w.counter, w.limit = c.P.Slots[counter].Index, Operand{At: c.P.Slots[limit].Index}
	if c.Uniform(limit) {
		w.limit.kind = isUniform
	}
	return w
}

// places reports whether all that instructions in front of a loop do is to broadcast the weight, to set the loop's counter and
// to find a place that moves by the same distance from turn to turn.
func (w *WeightLoop) places(c *Compiler, nodes []ir.Node, counter ir.Reg, inner *ir.Loop) bool {
	within := func(r ir.Reg) bool { return ir.Sets(nodes, r) }
	moves, numbers := map[ir.Reg]bool{counter: true}, []ir.Reg{counter}
	own, begun := OnlyInstr(inner.Post).Dst[0], false
	w.weights = -1
	for _, node := range nodes {
		in, ok := node.(*ir.Instr)
		if !ok || len(in.Dst) != 1 {
			return false
		}
		d, moving := in.Dst[0], 0
		for _, r := range in.Args {
			moving += int(Lane(moves[r]) & 1)
		}
		switch {
		case in.Op == ir.Simd && c.P.Slots[d].Index == w.adds.weight && w.broadcasts(c, in, numbers) && !within(in.Args[0]):
			moves[d] = true
		case !moveOrSum(in) || c.Changeable(d) && (d != own || in.Op != ir.Copy || within(in.Args[0])):
			return false
		case d == own && moving == 0:
			begun = true
		case moving == 0:
		case in.Op == ir.Convert && in.Args[0] == counter && in.From.Size() == 4 && in.To.Size() == 2: // the number of a lane
			moves[d], numbers = true, append(numbers, d)
		case in.Op == ir.Convert && in.Args[0] == counter && extension(in, w.signed), !c.Typ(d).IsFloat() && linear(in.Op, moving):
			moves[d] = true
		default:
			return false
		}
	}
	_, head := tallies(inner.Head)
	return begun && w.weights >= 0 && !slices.ContainsFunc(head, func(node ir.Node) bool {
		return slices.ContainsFunc(node.(*ir.Instr).Args, func(r ir.Reg) bool { return r != own && within(r) })
	})
}

// broadcasts reports whether an instruction gives all lanes the value of the one with such a number, and notes where it is.
func (w *WeightLoop) broadcasts(c *Compiler, in *ir.Instr, numbers []ir.Reg) bool {
	if in.Fn != "simd_broadcast" && in.Fn != "simd_shuffle" || !slices.Contains(numbers, in.Args[1]) || c.Uniform(in.Args[0]) {
		return false
	}
	w.weights = c.P.Slots[in.Args[0]].Index
	return true
}
