package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// turns takes the runs out of the parts of a loop that are straight. Of a body that no
// thread leaves early they are all that are not behind a condition. Where accesses are looked at they
// stay: barriers and accesses come between.
func (c *Compiler) turns(n *ir.Loop) (t machine.Turns, head, body, post []ir.Node) {
	head, body, post = n.Head, n.Body, n.Post
	if analysis.Straight(head) {
		t.Head, head = machine.Tallies(head)
	}
	if !analysis.HasExit(body) && !(c.P.Options.Watched && machine.Looked(body)) {
		t.Body, body = machine.Tallies(body)
	}
	if analysis.Straight(post) {
		t.Post, post = machine.Tallies(post)
	}
	return t, head, body, post
}
