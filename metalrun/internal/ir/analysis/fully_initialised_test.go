package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir/irtest"
)

// TestFullyInitialised: an array whose elements a loop gives values, one after another, before anything else is done
// to it needs no trials; any other has them.
func TestFullyInitialised(t *testing.T) {
	const arguments = "kernel void k(device float *a [[buffer(0)]], constant uint &n [[buffer(1)]]) { "
	for body, want := range map[string]bool{
		"for (uint j = 0; j < 8; j++) { s[j] = a[j]; }":                                            true,
		"for (int j = 0; j < 8; ++j) { const float x = a[j]; if (x > 0) { a[8] = x; } s[j] = x; }": true,
		"if (n == 0) { return; } for (uint j = 0; j < 8; j++) { s[j] = 1; }":                       true,
		"for (uint j = 0; j < 7; j++) { s[j] = a[j]; }":                                            false,
		"for (uint j = 1; j < 8; j++) { s[j] = a[j]; }":                                            false,
		"for (uint j = 0; j < 8; j += 2) { s[j] = a[j]; }":                                         false,
		"for (uint j = 0; j < n; j++) { s[j] = a[j]; }":                                            false,
		"for (uint j = 0; j < 8; j++) { s[j + 1 & 7] = a[j]; }":                                    false,
		"for (uint j = 0; j < 8; j++) { if (a[j] > 0) { s[j] = a[j]; } }":                          false,
		"for (uint j = 0; j < 8; j++) { if (a[j] > 0) { break; } s[j] = a[j]; }":                   false,
		"for (uint j = 0; j < 8; j++) { if (a[j] > 0) { continue; } s[j] = a[j]; }":                false,
		"for (uint j = 0; j < 8; j++) { s[j] = 1; a[j] = s[j + 1 & 7]; }":                          false,
		"for (uint j = 0; j < 8; j++) { s[j] += a[j]; }":                                           false,
		"a[0] = s[3]; for (uint j = 0; j < 8; j++) { s[j] = 1; }":                                  false,
		"if (n > 3) { for (uint j = 0; j < 8; j++) { s[j] = 1; } }":                                false,
		"thread float* p = s; a[0] = p[n]; for (uint j = 0; j < 8; j++) { s[j] = 1; }":             false,
		"for (uint i = 0; i < n; i++) { for (uint j = 0; j < 8; j++) { s[j] = 1; } }":              false,
		"uint j = n; for (j = n; j < 8; j++) { s[j] = 1; }":                                        false,
		"for (uint j = 0; j < 8; j++) { s[j] = 1; j += n; }":                                       false,
	} {
		k := irtest.Lower(t, arguments+"float s[8]; "+body+" for (uint j = 0; j < 8; j++) { a[16 + j] = s[j]; } }")
		if got := FullyInitialised(k)[0]; got != want {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
	k := irtest.Lower(t, `kernel void k(device float4 *a [[buffer(0)]]) {
	float4 s[8];
	float s2[8];
	for (uint j = 0; j < 8; j++) {
		s[j] = a[j];
		s2[j] = 1;
	}
	a[9] = s[3] * s2[4];
}`)
	if got := FullyInitialised(k); !got[0] || !got[1] {
		t.Errorf("two arrays, one of vectors: %v", got)
	}
	for want, bodies := range map[bool][]string{
		true: {
			"for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; } for (uint j = 0; j < 8; j++) { a[j] += s[j]; }",
			"if (a[i] > 0) { for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; } for (uint j = 0; j < 8; " +
				"j++) { a[j] += s[j]; } }",
			"if (a[i] > 0) { continue; } for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; } for (uint j = 0; " +
				"j < 8; j++) { a[j] += s[j]; }",
		},
		false: {
			"if (a[i] > 0) { for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; } } for (uint j = 0; j < 8; " +
				"j++) { a[j] += s[j]; }",
			"if (a[i] > 0) { for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; } } else { for (uint j = 0; j < 8; " +
				"j++) { a[j] += s[j]; } }",
			"for (uint j = 0; j < 8; j++) { a[j] += s[j]; } for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; }",
			"if (a[i] > 0) { a[i] = s[i & 7]; } for (uint j = 0; j < 8; j++) { s[j] = a[i + j]; " +
				"} for (uint j = 0; j < 8; j++) { a[j] += s[j]; }",
		},
	} {
		for _, body := range bodies {
			k := irtest.Lower(t, arguments+"for (uint i = 0; i < n; i++) { float s[8]; "+body+" } }")
			if got := FullyInitialised(k)[0]; got != want {
				t.Errorf("in a loop, %s: %t, want %t", body, got, want)
			}
		}
	}
}
