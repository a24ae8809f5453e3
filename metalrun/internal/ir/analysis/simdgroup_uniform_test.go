package analysis

import "testing"

// TestSimdgroupUniform has pointers that each simdgroup has one of, each thread, or the threadgroup.
func TestSimdgroupUniform(t *testing.T) {
	for body, want := range map[string]bool{
		"(out + ulong(simdgroup) * n)[lane] = 1;":                                         true,
		"device float *row = out; row += ulong(simdgroup + 3) * 8; row[lane] = 1;":        false, // a variable
		"(out + ulong(i) * n)[lane] = 1;":                                                 false,
		"(out + ulong(n) * 2)[lane] = 1;":                                                 false,
		"(out + ulong(simd_broadcast(simdgroup, 0)))[lane] = 1;":                          false,
		"(lane > 3 ? out + ulong(simdgroup) * n : out)[0] = 1;":                           false,
		"ulong j = simdgroup; if (n > 3) { j += n; } (out + j * 2)[lane] = 1;":            true,
		"ulong j = simdgroup; if (lane > 3) { j += n; } (out + j * 2)[lane] = 1;":         false,
		"for (uint k = simdgroup; k < n; k += 4) { (out + ulong(k) * n)[lane] = 1; }":     true,
		"for (uint k = lane & 1; k < n; k++) { (out + ulong(k + simdgroup))[lane] = 1; }": false,
	} {
		k := kernel(t, body)
		if got := SimdgroupUniform(InThreadgroup(k), InSimdgroup(k))[lastStore(k).Mem.Base]; got != want {
			t.Errorf("%s: %t, want %t\n%v", body, got, want, k)
		}
	}
}
