package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

// turns takes the runs out of the parts of a loop that are straight. Of a body that no
// thread leaves early they are all that are not behind a condition. Where accesses are looked at they
// stay: barriers and accesses come between.
func (c *Compiler) turns(n *ir.Loop) (t turns, head, body, post []ir.Node) {
	head, body, post = n.Head, n.Body, n.Post
	if analysis.Straight(head) {
		t.head, head = tallies(head)
	}
	if !analysis.HasExit(body) && !(c.P.Options.Watched && looked(body)) {
		t.body, body = tallies(body)
	}
	if analysis.Straight(post) {
		t.post, post = tallies(post)
	}
	return t, head, body, post
}
