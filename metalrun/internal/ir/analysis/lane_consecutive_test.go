package analysis

import "testing"

// TestLaneConsecutive has indices of stores that follow the lanes of a threadgroup in one line, of each simdgroup, or
// of each simdgroup in the same way.
func TestLaneConsecutive(t *testing.T) {
	for body, want := range map[string][3]bool{
		"out[i] = 1;":                    {true, false, false},
		"out[thread_index] = 1;":         {true, true, false},
		"out[lane] = 1;":                 {false, true, true},
		"out[i + n] = 1;":                {true, false, false},
		"out[i - n] = 1;":                {true, false, false},
		"out[n - i] = 1;":                {false, false, false},
		"out[i * 2] = 1;":                {false, false, false},
		"out[i + lane] = 1;":             {false, false, false},
		"out[lane + simdgroup * n] = 1;": {false, true, false},
		"uint j = lane; for (uint k = 0; k < n; k++) { out[j] = 1; j += n; }":         {false, true, true},
		"uint j = lane; for (uint k = 0; k < n; k++) { out[j] = 1; j += simdgroup; }": {false, true, false},
		"uint j = i; if (i > 3) { j += n; } out[j] = 1;":                              {false, false, false},
		"uint j = i; if (group > 3) { j += n; } out[j] = 1;":                          {true, false, false},
	} {
		k := kernel(t, body)
		threadgroup, simdgroup, index := InThreadgroup(k), InSimdgroup(k), lastStore(k).Mem.Index
		got := [3]bool{threadgroup.ConsecutiveInLine()[index], simdgroup.ConsecutiveInSimdgroup()[index],
			threadgroup.ConsecutiveInEachSimdgroup()[index]}
		if got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
