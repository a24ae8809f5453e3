package machine

import (
	"metalconform/metalrun/internal/ir"
)

// LoopCounters are the numbers of the runs that all active threads execute in an iteration of a loop, by the part of
// the loop. The loop counts these runs itself, so that its parts need no counters.
type LoopCounters struct{ Head, Body, Post []int }

// OrderMatters reports whether nodes have barriers or observed accesses, whose order among the counted runs is
// observed.
func OrderMatters(body []ir.Node) bool {
	return ir.Contains(body, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == ObserveOp || in.Op == ir.Barrier)
	})
}

// SplitCounters separates the counters of a list of nodes from the other nodes.
func SplitCounters(nodes []ir.Node) (runs []int, others []ir.Node) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok && in.Op == CounterOp {
			runs = append(runs, NumberOf(in))
		} else {
			others = append(others, n)
		}
	}
	return runs, others
}
