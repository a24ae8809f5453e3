package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/irtest"
)

// TestMaybeUninitialised: a variable that each way through the kernel sets before it is read needs no trials; any
// other has them.
func TestMaybeUninitialised(t *testing.T) {
	for body, want := range map[string]bool{
		"x = a[1]; a[0] = x;": false,
		"if (n > 3) { x = a[1]; } else { x = a[2]; } a[0] = x;":                                            false,
		"if (n > 3) { return; } else { x = a[2]; } a[0] = x;":                                              false,
		"for (uint i = 0; i < n; i++) { x = a[i]; a[i] = x * 2; }":                                         false,
		"while (true) { x = a[n]; if (x > 3) { break; } } a[0] = x;":                                       false,
		"if (n > 3) { x = a[1]; } a[0] = x;":                                                               true,
		"if (n > 3) { a[0] = x; } x = 1; a[1] = x;":                                                        true,
		"for (uint i = 0; i < n; i++) { x = a[i]; } a[0] = x;":                                             true,
		"for (uint i = 0; i < n; i++) { if (i > 0) { a[i] = x; } x = a[i + 9]; }":                          true,
		"for (uint i = 0; i < n; i++) { if (a[i] > 0) { continue; } x = a[i]; } if (n == 7) { a[0] = x; }": true,
		"while (true) { if (a[n] > 3) { break; } x = a[n]; a[n] = x + 1; } a[0] = x;":                      true,
		"switch (n) { case 0: x = 1; break; case 1: x = 2; } a[0] = x;":                                    true,
		"uint j = uint(x); a[j] = 1;":                                                                      true,
	} {
		k := irtest.Lower(t, uninitialised+body+" }")
		poison := false
		for in := range ir.Instrs(k.Body...) {
			poison = poison || in.Op == ir.Poison
		}
		if got := len(MaybeUninitialised(k)) > 0; got != want || want && !poison {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
}

// Loops within loops are gone over again and again; what has no end within bounds counts.
func TestMaybeUninitialisedIsBounded(t *testing.T) {
	body := "x = a[0];"
	for range 40 {
		body = "for (uint i = 0; i < n; i++) { if (a[i] > 0) { continue; } " + body + " }"
	}
	k := irtest.Lower(t, uninitialised+body+" }")
	if work := MaybeUninitialised(k); len(work) > 1 {
		t.Errorf("%d sites", len(work))
	}
}

// uninitialised begins a kernel with a variable that is not set.
const uninitialised = "kernel void k(device float *a [[buffer(0)]], constant uint &n [[buffer(1)]]) { float x; "
