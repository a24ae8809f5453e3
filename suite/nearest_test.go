package suite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	all := []string{"rms_norm", "rms_norm_qk", "layer_norm", "softmax"}
	for name, want := range map[string][]string{
		"rms_nrom": {"rms_norm", "rms_norm_qk"}, "softmacs": {"softmax"}, "xyz": nil, "": nil,
		"layer_norn": {"layer_norm"},
	} {
		if diff := cmp.Diff(want, Nearest(name, all)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}} {
		if got := distance(test.a, test.b, 100, make([]int, len(test.b)+1)); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
