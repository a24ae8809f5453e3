package fixpoint

import (
	"fmt"
	"testing"
)

// TestIterate finds what can be reached in graphs, along edges in the order of the source and against it.
func TestIterate(t *testing.T) {
	for name, c := range map[string]struct {
		edges  [][2]int
		reach  []bool
		passes int // one more than those that find something
	}{
		"nothing":           {nil, []bool{true, false, false, false}, 1},
		"in order":          {[][2]int{{0, 1}, {1, 2}, {2, 3}}, []bool{true, true, true, true}, 2},
		"against the order": {[][2]int{{2, 3}, {1, 2}, {0, 1}}, []bool{true, true, true, true}, 4},
		"cycle":             {[][2]int{{1, 2}, {2, 1}, {0, 2}}, []bool{true, true, true, false}, 3},
		"from elsewhere":    {[][2]int{{3, 1}, {1, 3}}, []bool{true, false, false, false}, 1},
	} {
		reach, passes := make([]bool, 4), 0
		reach[0] = true
		Iterate(func(p *Pass) {
			passes++
			for _, e := range c.edges {
				if reach[e[0]] {
					p.Raise(&reach[e[1]])
				}
			}
		})
		if fmt.Sprint(reach) != fmt.Sprint(c.reach) || passes != c.passes {
			t.Errorf("%s: %v after %d passes, want %v after %d", name, reach, passes, c.reach, c.passes)
		}
	}
}

// TestMove changes facts of each kind. What is as it was is no change.
func TestMove(t *testing.T) {
	on, number, sizes := true, 3, map[string]int{"a": 1}
	for name, c := range map[string]struct {
		move func(p *Pass) bool
		want bool
	}{
		"true stays true":    {func(p *Pass) bool { return p.Raise(&on) }, false},
		"true becomes false": {func(p *Pass) bool { x := true; return p.Lower(&x) }, true},
		"false becomes true": {func(p *Pass) bool { x := false; return p.Raise(&x) }, true},
		"the same number":    {func(p *Pass) bool { return Move(p, &number, 3) }, false},
		"the same in a map":  {func(p *Pass) bool { return MoveIn(p, sizes, "a", 1) }, false},
		"zero without a key": {func(p *Pass) bool { return MoveIn(p, sizes, "b", 0) }, false},
		"another number":     {func(p *Pass) bool { x := 3; return Move(p, &x, 4) && x == 4 }, true},
		"a new key":          {func(p *Pass) bool { return MoveIn(p, sizes, "c", 2) && sizes["c"] == 2 }, true},
		"another in a map":   {func(p *Pass) bool { m := map[int]int{1: 1}; return MoveIn(p, m, 1, 2) }, true},
		"what a pass says":   {func(p *Pass) bool { p.Change(); return true }, true},
	} {
		var p Pass
		if got := c.move(&p); got != c.want || p.changed != c.want {
			t.Errorf("%s: moved %v, changed %v, want %v", name, got, p.changed, c.want)
		}
	}
}
