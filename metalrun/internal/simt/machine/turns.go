package machine

import (
	"metalconform/metalrun/internal/ir"
)

// Turns are the runs that all threads take in a turn of a loop, by the part that they are in. The
// loop counts them, so that what is left of a part is the source's alone.
type Turns struct{ Head, Body, Post []int }

// Looked reports whether what is between tallies matters to who looks at accesses.
func Looked(body []ir.Node) bool {
	return ir.Contains(body, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == ObserveOp || in.Op == ir.Barrier)
	})
}

// Tallies takes those out of a list of nodes.
func Tallies(nodes []ir.Node) (runs []int, others []ir.Node) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok && in.Op == CounterOp {
			runs = append(runs, NumberOf(in))
		} else {
			others = append(others, n)
		}
	}
	return runs, others
}
