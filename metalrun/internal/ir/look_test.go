package ir

import "testing"

// TestBeginnings has variables that are set in front of all else that mentions them, and others that keep what an earlier
// turn has left.
func TestBeginnings(t *testing.T) {
	const v, x, cond Reg = 0, 1, 2
	set := func(from ...Reg) *Instr { return &Instr{Op: Copy, Dst: []Reg{v}, Args: from} }
	read := &Instr{Op: Copy, Dst: []Reg{x}, Args: []Reg{v}}
	for name, test := range map[string]struct {
		body []Node
		want bool
	}{
		"in front":         {[]Node{set(x), &Loop{Cond: cond, Body: []Node{read}}}, true},
		"within":           {[]Node{&Loop{Cond: cond, Body: []Node{set(x), &If{Cond: cond, Then: []Node{read}}}}}, true},
		"under conditions": {[]Node{&Loop{Cond: cond, Body: []Node{&If{Cond: cond, Then: []Node{set(x)}}, read}}}, false},
		"after a read":     {[]Node{&Loop{Cond: cond, Body: []Node{read, set(x)}}}, false},
		"from itself":      {[]Node{&Loop{Cond: cond, Body: []Node{set(v), read}}}, false},
		"in two parts":     {[]Node{&Loop{Cond: cond, Head: []Node{read}, Body: []Node{set(x)}}}, false},
	} {
		l := &looker{k: &Kernel{Body: test.body}, mentions: mentions(test.body)}
		if got := l.beginnings()[v] != nil; got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
