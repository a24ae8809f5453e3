package suite

import "testing"

// A line goes by the width of a vector, by what it multiplies, divides or advances by, and by how far it looks ahead.
func TestSteps(t *testing.T) {
	numbers := map[string]string{"W": "8"}
	for text, want := range map[string]int{
		"for (uint i = 0; i + 3 < n; i += 4)":          4,
		"for (uint i = lane * 4; i < n; i += lanes)":   4,
		"for (uint i = t; i < n / W; i += 32u)":        32,
		"uint groups = n >> 5;":                        32,
		"float4 v = i < n ? load(i) : 0;":              4,
		"while (i + 16 <= n)":                          16,
		"for (uint k = n / 2; k > 0; k /= 2)":          0,
		"for (uint i = t; i < n; i += lanes)":          0,
		"for (uint i = 0; i < m; i += 4) x[i] = 0;":    0,
		"out[row * n + i] = x[row * n + i] * 1000.0f;": 0,
	} {
		largest := 0
		for _, s := range stepsOf([]string{text}, 7, "n", numbers) {
			if largest = max(largest, s.of); s.line != 7 {
				t.Errorf("%q is in line %d, want 7", text, s.line)
			}
		}
		if largest != want {
			t.Errorf("%q goes by %d, want %d", text, largest, want)
		}
	}
}
