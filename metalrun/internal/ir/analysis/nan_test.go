package analysis

import "testing"

// TestArithmeticNaNs has values that may be a NaN that arithmetic made, and values that only move.
func TestArithmeticNaNs(t *testing.T) {
	for body, want := range map[string]bool{
		"out[i] = in[i];":                      false,
		"out[i] = -in[i];":                     false,
		"out[i] = n > 3 ? in[i] : in[n];":      false,
		"out[i] = as_type<float>(table[i]);":   false,
		"out[i] = in[i] * 2;":                  true,
		"out[i] = -(in[i] + in[n]);":           true,
		"out[i] = sqrt(in[i]);":                true,
		"out[i] = n > 3 ? in[i] : in[n] - 1;":  true,
		"out[i] = simd_sum(in[i]);":            true,
		"out[i] = simd_shuffle(in[i], n);":     false,
		"out[i] = simd_shuffle(in[i] * 2, n);": true,
		"float x = in[i]; for (uint k = 0; k < n; k++) { x = -x; } out[i] = x;":    false,
		"float x = in[i]; for (uint k = 0; k < n; k++) { x = 1 - x; } out[i] = x;": true,
		"float s[9]; s[n] = in[i]; out[i] = s[lane];":                              true,
	} {
		k := kernel(t, body)
		if got := InThreadgroup(k).ArithmeticNaNs()[lastStore(k).Args[0]]; got != want {
			t.Errorf("%s: %t, want %t\n%v", body, got, want, k)
		}
	}
}

// TestBitsSeen loads arrays as floats and as integers, by their names and by pointers.
func TestBitsSeen(t *testing.T) {
	for body, want := range map[string][2]bool{
		"out[i] = s[lane] + r[lane];": {false, false},
		"thread uint *p = (thread uint *)s; out[i] = as_type<float>(p[lane]) + r[lane];":               {true, false},
		"thread uint *p = (thread uint *)r; out[i] = as_type<float>(p[lane]) + s[lane];":               {false, true},
		"thread uint *p = (thread uint *)(n > 3 ? r : s); out[i] = as_type<float>(p[lane]) + s[lane];": {true, true},
	} {
		k := kernel(t, "float s[9], r[9]; s[n] = in[i]; r[n] = in[n]; "+body)
		seen := InThreadgroup(k).BitsSeen()
		if got := [2]bool{seen(0), seen(1)}; got != want {
			t.Errorf("%s: %v, want %v\n%v", body, got, want, k)
		}
		if got := seen(NoObject); got != (want[0] || want[1]) {
			t.Errorf("%s: %t of any object", body, got)
		}
	}
}
