package scaffold

import (
	"strings"
	"testing"
)

// The order of extents is that of the source's indices, whichever order the axes are found in.
func TestOrderOfIndices(t *testing.T) {
	got := specifiedIn(t, "testdata/", "attention", "attention", 1<<40)
	for _, want := range []string{
		`input("q", f16, "heads", "D")`, `input("k", f16, "tokens", "kv_heads", "D")`,
		`input("v", f16, "kv_heads", "tokens", "D")`, `output("out", f32, "heads", "D")`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in\n%s", want, got)
		}
	}
}
