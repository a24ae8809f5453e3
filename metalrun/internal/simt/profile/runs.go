package profile

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/redundancy"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Run is a sequence of instructions without control flow between them: a thread that executes the first executes all.
// A run without instructions is where threads reach a loop or a branch.
type Run []*ir.Instr

// counting puts a CounterOp before each run.
type counting struct {
	runs []Run
	// ahead are the constructs that instructions are moved in front of, with the run that is there.
	ahead map[ir.Node]int
	of    map[*ir.Instr]int // run of each instruction
}

// countedRuns is a copy of k with a CounterOp before each run. Its instructions in the runs are those of k.
func countedRuns(k *ir.Kernel, left []redundancy.Remaining) (*ir.Kernel, counting) {
	c := counting{ahead: map[ir.Node]int{}, of: map[*ir.Instr]int{}}
	for _, r := range left {
		if r.Before != nil {
			c.ahead[r.Before] = 0
		}
	}
	out := ir.Rewrite(k, func(_ *ir.Kernel, before []ir.Node, _ *ir.Instr) []ir.Node { return before })
	out.Body = c.list(k.Body, out.Body)
	return out, c
}

// list puts counters into the copy of a list, and numbers the runs in the order of the source.
func (c *counting) list(source, copied []ir.Node) []ir.Node {
	out := make([]ir.Node, 0, len(copied)+1)
	within := false
	begin := func(pos syntax.Pos, run Run) {
		out = append(out, &ir.Instr{Op: machine.CounterOp, Pos: pos, Extra: len(c.runs)})
		c.runs = append(c.runs, run)
	}
	for _, n := range source {
		in, ok := n.(*ir.Instr)
		switch _, ahead := c.ahead[n]; {
		case ok && in.Op == ir.Nop:
			continue // the copy has none
		case ok && within:
			last := len(c.runs) - 1
			c.runs[last] = append(c.runs[last], in)
		case ok:
			begin(in.Pos, Run{in})
		case ahead:
			if !within {
				begin(position(n), nil)
			}
			c.ahead[n] = len(c.runs) - 1
		}
		if ok {
			c.of[in] = len(c.runs) - 1
		}
		parts := ir.Parts(copied[0])
		for i, part := range ir.Parts(n) {
			*parts[i] = c.list(*part, *parts[i])
		}
		out, copied = append(out, copied[0]), copied[1:]
		within = ok
	}
	return out
}

// position is that of a loop or a branch.
func position(n ir.Node) syntax.Pos {
	switch n := n.(type) {
	case *ir.Loop:
		return n.Pos
	case *ir.If:
		return n.Pos
	}
	return syntax.Pos{}
}
