package analysis

import "testing"

// TestUnspecified has kernels that compute with floats or hold what nobody has written, and kernels that do not.
func TestUnspecified(t *testing.T) {
	for body, want := range map[string]struct{ computes, holds bool }{
		"out[i] = in[i];":                                             {false, false},
		"out[i] = float(half(in[i]));":                                {false, false},
		"out[i] = n > 3 ? in[i] : in[n];":                             {false, false},
		"out[i] = -in[i];":                                            {true, false},
		"if (in[i] > 3) { out[i] = 1; }":                              {true, false},
		"out[table[i]] = n + 1;":                                      {false, false},
		"float s[9]; s[n] = 1; out[i] = s[lane];":                     {false, true},
		"float x; if (n > 3) { x = in[i]; } out[i] = x;":              {false, true},
		"threadgroup float s[9]; s[lane] = in[i]; out[i] = s[n] * 2;": {true, true},
	} {
		k := kernel(t, body)
		if computes, holds := ComputesFloats(k), HoldsUnwritten(k); computes != want.computes || holds != want.holds {
			t.Errorf("%s: computes %t, holds %t, want %v\n%v", body, computes, holds, want, k)
		}
	}
}
