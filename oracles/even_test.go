package oracles

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// TestBetween tells midpoints of bfloat from all else.
func TestBetween(t *testing.T) {
	for v, want := range map[float64]bool{
		1 + 0x1p-8: true, 1 + 0x3p-8: true, -1 - 0x1p-8: true, 1 - 0x1p-9: true, 0x1p-134: true, -0x3p-134: true,
		1: false, 1 + 0x1p-7: false, 1 + 0x1p-9: false, 1 - 0x1p-10: false, 1 + 0x1.01p-8: false, 0: false,
		0x1.ffp127: false, math.Inf(1): false, // the midpoint to what would be the next number is infinite
	} {
		if got := BF16.between(v); got != want {
			t.Errorf("%g lies between two numbers: %v, want %v", v, got, want)
		}
	}
	if BF16.between(math.NaN()) {
		t.Error("NaN lies between two numbers")
	}
}

// TestEven has a state that is known exactly rounded to even, where that is a tie and
// nothing flushes it.
func TestEven(t *testing.T) {
	const n = 128
	p := Chunks{B: 1, T: 64, Hg: 1, H: 1, K: n, V: 1, BT: 64}
	h0 := make([]float64, n)
	h0[3], h0[5], h0[7], h0[9] = 1+0x1p-8, 1+0x1p-7, -1-0x3p-8, 0x1p-134
	zeros := make([]float64, 64*n)
	ask := func(c Contract) []int {
		h, _, _ := ChunkState(zeros, zeros, zeros[:64], zeros[:64], h0, p, c)
		return slices.Sorted(maps.Keys(h.Even))
	}
	if got := ask(Contract{}); !slices.Equal(got, []int{3, 7}) {
		t.Errorf("elements %v have to be even, want 3 and 7: 9 may be flushed", got)
	}
	if got := ask(Contract{Subnormals: Kept}); !slices.Equal(got, []int{3, 7, 9}) {
		t.Errorf("elements %v have to be even without a flush, want 3, 7 and 9", got)
	}
}
