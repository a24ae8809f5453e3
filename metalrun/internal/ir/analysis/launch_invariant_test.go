package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestLaunchInvariant has values that a whole launch has in common, and others that only a threadgroup has.
func TestLaunchInvariant(t *testing.T) {
	for value, want := range map[string]bool{
		"n * 3":        true,
		"threads + n":  true,
		"(&n)[2] * 5":  true,
		"group + n":    false,
		"size * 3":     false,
		"i * n":        false,
		"table[0]":     false,
		"table[n] * n": false,
		"m * 2":        false,
	} {
		k := kernel(t, "uint m = 2; if (group > 0) { m = n; } out[i] = as_type<float>("+value+");")
		if got := InThreadgroup(k).LaunchInvariant()[lastStore(k).Args[0]]; got != want {
			t.Errorf("%s: %t, want %t", value, got, want)
		}
	}
	k := kernel(t, "out[i] = as_type<float>(n * 3);")
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Load {
			in.Mem.Volatile = true
		}
	}
	if InThreadgroup(k).LaunchInvariant()[lastStore(k).Args[0]] {
		t.Error("a volatile load is launch-invariant")
	}
}
