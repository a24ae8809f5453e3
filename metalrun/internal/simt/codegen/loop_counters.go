package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// loopCounters takes the counters out of the parts of a loop. Out of the head and the post it takes them if the part is
// straight. Out of a body it takes those that are under no condition, if no thread leaves the body early. If accesses
// are sampled, the counters of a body with accesses or barriers stay, because their order matters.
func (c *Compiler) loopCounters(n *ir.Loop) (t machine.LoopCounters, head, body, post []ir.Node) {
	head, body, post = n.Head, n.Body, n.Post
	if analysis.Straight(head) {
		t.Head, head = machine.SplitCounters(head)
	}
	if !analysis.HasExit(body) && !(c.P.Options.SampleAccesses && machine.OrderMatters(body)) {
		t.Body, body = machine.SplitCounters(body)
	}
	if analysis.Straight(post) {
		t.Post, post = machine.SplitCounters(post)
	}
	return t, head, body, post
}
