package analysis

import "testing"

// TestRegisterPressure counts by hand the registers that threads need at once.
func TestRegisterPressure(t *testing.T) {
	for body, want := range map[string]int{
		"out[n] = 1;":                 0, // arguments are kept once
		"out[i] = in[i];":             2, // i and the value
		"out[n] = in[n];":             1,
		"out[n] = in[n] * in[n + 1];": 2,
		"float a = in[n], b = in[n + 1], c = in[n + 2]; out[n] = a; out[n] = b; out[n] = c;": 3,
		"float s = 0; for (uint k = 0; k < n; k++) { s += in[k]; } out[n] = s;":              2,
		"float s = 0; for (uint k = 0; k < 4; k++) { s += in[k]; } out[n] = s;":              5, // four loads
		"float r[4]; r[n] = in[n]; out[n] = r[0];":                                           5,
		"float r[65]; r[n] = in[n]; out[n] = r[0];":                                          1, // r is too large
	} {
		k := kernel(t, body)
		if got := RegisterPressure(k); got != want {
			t.Errorf("%s: %d, want %d\n%v", body, got, want, k)
		}
	}
}
