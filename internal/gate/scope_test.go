package gate

import (
	"testing"

	"metalconform/internal/session"
)

// TestScopeOfOurs has files of this program and what they concern.
func TestScopeOfOurs(t *testing.T) {
	const all = -1
	norm := len(familyOf("norm"))
	if norm == 0 || norm == len(session.Specifications{}.Names()) {
		t.Fatalf("the family norm has %d kernels", norm)
	}
	for _, test := range []struct {
		file string
		want int // kernels
	}{
		{"README.md", 0},
		{"LICENSE", 0},
		{".github/workflows/test.yml", 0},
		{"reports/html/site.go", 0},
		{"suite/run_test.go", 0},
		{"suite/kernels/testdata/survivors/norm.txt", 0},
		{"suite/kernels/norm.go", norm},
		{"oracles/norm.go", norm},
		{"suite/kernels/mla_inputs.go", len(familyOf("mla"))},
		{"oracles/sum.go", all},
		{"suite/kernels/axes.go", all},
		{"suite/judge.go", all},
		{"metalrun/internal/simt/matrix.go", all},
		{"metalrun/sim/kernel.go", all},
		{"go.mod", all},
		{"cmd/conform/run.go", all},
	} {
		s := scope{kernels: map[string]string{}}
		s.ours(test.file)
		if got := len(s.kernels); (s.why != "") != (test.want == all) || test.want != all && got != test.want {
			t.Errorf("%s concerns %d kernels, everything because %q; want %d", test.file, got, s.why, test.want)
		}
	}
}
