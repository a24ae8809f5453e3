package analysis

import "testing"

// TestTripCount has loops that count up to a literal, and others, and says what a compiler is likely to make of them.
func TestTripCount(t *testing.T) {
	for loop, want := range map[string]struct {
		trips, bodies int
		independent   bool
	}{
		"for (uint k = 0; k < 12; k++) { s += in[k]; }":                                 {12, 12, true},
		"for (uint k = 0; k < 12; k += 5) { s += in[k]; }":                              {3, 3, true},
		"for (uint k = 0; k < n; k++) { s += in[k]; }":                                  {0, 1, true},
		"for (uint k = 0; k < 900; k++) { s += in[k]; }":                                {900, 1, true},
		"for (uint k = 0; k < 4; k++) { out[k] = in[k]; }":                              {4, 4, true},
		"for (uint k = 0; k < 4; k++) { out[k] = out[k + 1]; }":                         {4, 4, false},
		"for (uint k = 0; k < 4; k++) { (n > 3 ? out : more)[k] = more[k + 1]; }":       {4, 4, false},
		"for (uint k = 0; k < 4; k++) { if (n > k) { s += in[k] * 2; } }":               {4, 4, false},
		"for (uint k = 0; k < 4; k++) { simdgroup_barrier(mem_flags::mem_none); s++; }": {4, 1, false},
		"for (uint k = 0; k < 4; k++) { for (uint j = 0; j < n; j++) { s += in[j]; } }": {4, 1, false},
	} {
		k := kernel(t, "float s = 0; "+loop+" out[i] = s;")
		l := firstLoop(k)
		trips, bodies, independent := TripCount(k, l), UnrolledBodies(k, l), IndependentIterations(k, l)
		if trips != want.trips || bodies != want.bodies || independent != want.independent {
			t.Errorf("%s: %d, %d, %t, want %v\n%v", loop, trips, bodies, independent, want, k)
		}
	}
}
