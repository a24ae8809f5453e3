package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// root compiles the body of the entry point.
func (c *Compiler) root(nodes []ir.Node) machine.List {
	apart := len(nodes) // from here on, threads do not act together
	for apart > 0 && !machine.ActTogether(nodes[apart-1]) {
		apart--
	}
	// without a loop, single-lane mode would cost more than it saves
	loops := ir.Contains(nodes[apart:], func(n ir.Node) bool { return machine.IsLoop(n) })
	loops = loops && c.Does(machine.PassSingleLaneMode)
	begins := []int{apart}
	for i := apart + 1; loops && i < len(nodes); i++ {
		if machine.Ends(nodes[i-1]) {
			begins = append(begins, i)
		}
	}
	begins = begins[max(0, len(begins)-machine.MaxScalarPrograms):]
	for i, n := range nodes {
		if loops && len(begins) > 0 && i == begins[0] {
			begins = begins[1:]
			c.endRun()
			c.out = append(c.out, machine.ToSingleLane{Rest: c.scalarProgram(nodes[i:])})
		}
		if branch, ok := n.(*ir.If); ok && loops && i == len(nodes)-1 && i >= apart && len(branch.Else) == 0 &&
			!c.contests(branch.Cond) {
			c.last = branch
		}
		c.node(n)
	}
	c.endRun()
	return c.out
}
