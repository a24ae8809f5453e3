package simt

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/profile"
)

// TestBeginnings has variables that are set in front of all else that mentions them, and others that keep what an
// earlier turn has left.
func TestBeginnings(t *testing.T) {
	const v, x, cond ir.Reg = 0, 1, 2
	set := func(from ...ir.Reg) *ir.Instr { return &ir.Instr{Op: ir.Copy, Dst: []ir.Reg{v}, Args: from} }
	loop := func(body ...ir.Node) []ir.Node { return []ir.Node{&ir.Loop{Cond: cond, Body: body}} }
	branch := func(then ir.Node) ir.Node { return &ir.If{Cond: cond, Then: []ir.Node{then}} }
	read := &ir.Instr{Op: ir.Copy, Dst: []ir.Reg{x}, Args: []ir.Reg{v}}
	for name, test := range map[string]struct {
		body []ir.Node
		want bool
	}{
		"in front":         {[]ir.Node{set(x), &ir.Loop{Cond: cond, Body: []ir.Node{read}}}, true},
		"within":           {loop(set(x), branch(read)), true},
		"under conditions": {loop(branch(set(x)), read), false},
		"after a read":     {loop(read, set(x)), false},
		"from itself":      {loop(set(v), read), false},
		"in two parts":     {[]ir.Node{&ir.Loop{Cond: cond, Head: []ir.Node{read}, Body: []ir.Node{set(x)}}}, false},
	} {
		l := &profile.LoopSampler{K: &ir.Kernel{Body: test.body}, Mentions: profile.Mentions(test.body)}
		if got := l.Beginnings()[v] != nil; got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
