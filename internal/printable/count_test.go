package printable

import "testing"

// A number other than one takes the plural.
func TestCount(t *testing.T) {
	for _, test := range []struct {
		n    int
		noun string
		want string
	}{
		{1, "case", "1 case"}, {0, "case", "0 cases"}, {2, "case", "2 cases"}, {-1, "case", "-1 cases"},
		{1, "launch", "1 launch"}, {3, "launch", "3 launches"}, {2, "branch", "2 branches"}, {2, "box", "2 boxes"},
		{2, "entry", "2 entries"}, {2, "array", "2 arrays"}, {2, "pass", "2 passes"}, {2, "more case", "2 more cases"},
		{2, "kernel", "2 kernels"},
	} {
		if got := Count(test.n, test.noun); got != test.want {
			t.Errorf("%d of %q: %q, want %q", test.n, test.noun, got, test.want)
		}
	}
}
