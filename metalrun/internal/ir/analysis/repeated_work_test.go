package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
)

// TestRepeatedWork counts the iterations that compute each kind of operation in a loop of four.
func TestRepeatedWork(t *testing.T) {
	const conversion, product, sum = "convert", "mul", "add"
	for body, want := range map[string]map[string]int{
		"s += float(k) * 3;":            {conversion: 0, product: 0, sum: 4}, // of literals
		"s += float(lane) * 3;":         {product: 1, sum: 4},                // converted before the loop
		"s += float(lane & k) * 3;":     {conversion: 4, product: 4, sum: 4, "and": 4},
		"s += float(lane & k / 2) * 3;": {conversion: 2, product: 2, sum: 4, "and": 2, "udiv": 0},
		// a function is not folded
		"s += float(popcount(k)) * 3;": {conversion: 4, product: 4, sum: 4, "math": 4},
		"s += in[lane] * 3;":           {product: 4, sum: 4}, // of what another thread may write
	} {
		k := kernel(t, "float s = 0; for (uint k = 0; k < 4; k++) { "+body+" } out[i] = s;")
		got := map[string]int{}
		for in, n := range RepeatedWork(k, firstLoop(k)) {
			if in.Op != ir.Copy && !(in.Op == ir.Add && k.Regs[in.Dst[0]].Type == ir.I32) {
				got[in.Op.String()] += n
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", body, diff, k)
		}
	}
	k := kernel(t, "float s = 0; for (uint k = 0; k < n; k++) { s += 1; } out[i] = s;")
	if RepeatedWork(k, firstLoop(k)) != nil {
		t.Error("a loop whose trip count is not known")
	}
}
