package suite

import "testing"

func TestFirstFailing(t *testing.T) {
	from := func(k int) func(int) bool { return func(n int) bool { return n >= k } }
	for _, c := range []struct {
		name  string
		n     int
		fails func(int) bool
		want  int
		ok    bool
	}{
		{"the first choice", 8, from(1), 0, true},
		{"one in the middle", 9, from(5), 4, true},
		{"the last", 7, from(7), 6, true},
		{"the only one", 1, from(1), 0, true},
		{"no choices", 0, from(0), 0, false},
		{"wrong without any", 5, func(int) bool { return true }, 0, false},
		{"right with all", 5, func(int) bool { return false }, 0, false},
		{"in pairs only", 8, func(n int) bool { return n == 3 || n >= 6 }, 2, true},
	} {
		i, ok := firstFailing(c.n, c.fails)
		if ok && (c.fails(i) || !c.fails(i+1)) || ok != c.ok || c.name != "in pairs only" && i != c.want {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, i, ok, c.want, c.ok)
		}
	}
}
