package analysis

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestStraight has code through which threads go without a jump, and other code.
func TestStraight(t *testing.T) {
	for body, want := range map[string]bool{
		"out[i] = 1;":                true,
		"if (n > 3) { out[i] = 1; }": true,
		"if (n > 3) { out[i] = 1; } else if (n > 2) { out[i] = 2; }":   true,
		"if (n > 3) { " + strings.Repeat("out[i] += in[i];", 8) + " }": false,
		"if (n > 3) { simdgroup_barrier(mem_flags::mem_none); }":       false,
		"for (uint k = 0; k < n; k++) { out[k] = 1; }":                 false,
		"if (n > 3) { return; } out[i] = 1;":                           false,
		"out[i] = twice(in[i]);":                                       true,
		"out[i] = atMost(in[i], 3);":                                   false,
	} {
		k := kernel(t, body)
		if got := Straight(k.Body[0].(*ir.Block).Body); got != want {
			t.Errorf("%s: %t, want %t\n%v", body, got, want, k)
		}
	}
}

// TestLeavesEarly has loops that are left, and loops whose inner loops are left.
func TestLeavesEarly(t *testing.T) {
	for body, want := range map[string]bool{
		"out[k] = 1;":                                                            false,
		"if (in[k] > 3) { break; } out[k] = 1;":                                  true,
		"if (in[k] > 3) { continue; } out[k] = 1;":                               true,
		"if (in[k] > 3) { return; } out[k] = 1;":                                 true,
		"for (uint j = 0; j < n; j++) { if (in[j] > 3) { break; } out[j] = 1; }": false,
	} {
		k := kernel(t, "for (uint k = 0; k < n; k++) { "+body+" }")
		l := firstLoop(k)
		if got := LeavesEarly(l); got != want || HasExit(l.Body) != strings.Contains(body, "if") {
			t.Errorf("%s: %t, want %t; has an exit: %t", body, got, want, HasExit(l.Body))
		}
	}
}
