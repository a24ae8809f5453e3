package profile

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Run is a sequence of instructions without control flow between them: a thread that executes the first executes all.
type Run []*ir.Instr

// countedRuns is a copy of k with a CounterOp before each run, and the runs, whose instructions are those of k.
func countedRuns(k *ir.Kernel) (*ir.Kernel, []Run) {
	number := 0
	return ir.Rewrite(k, func(_ *ir.Kernel, before []ir.Node, in *ir.Instr) []ir.Node {
		if len(before) > 0 {
			if _, within := before[len(before)-1].(*ir.Instr); within {
				return before
			}
		}
		number++
		return append(before, &ir.Instr{Op: machine.CounterOp, Pos: in.Pos, Extra: number - 1})
	}), runs(k.Body)
}

// runs are the runs of nodes and their parts, in the order of the source.
func runs(nodes []ir.Node) []Run {
	var list []Run
	within := false
	for _, n := range nodes {
		in, ok := n.(*ir.Instr)
		switch {
		case !ok:
			for _, part := range ir.Parts(n) {
				list = append(list, runs(*part)...)
			}
		case within:
			list[len(list)-1] = append(list[len(list)-1], in)
		default:
			list = append(list, Run{in})
		}
		within = ok
	}
	return list
}
