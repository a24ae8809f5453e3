package oracles

import (
	"math"
	"slices"
	"testing"
)

func TestConvOut(t *testing.T) {
	q, k, v := ConvOut([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 1, 2, 1)
	if !slices.Equal(q, []float64{1, 5}) || !slices.Equal(k, []float64{2, 6}) || !slices.Equal(v, []float64{3, 4, 7, 8}) {
		t.Errorf("q %v, k %v, v %v", q, k, v)
	}
}

// TestDeltaNonFiniteEitherWay: an output is S·q of the updated state, or S·q before the
// update and β·u·(k·q) behind it. An infinite value leaves one infinite where the
// other is NaN.
func TestDeltaNonFiniteEitherWay(t *testing.T) {
	p := DeltaNet{
		Seqs: 1, T: 1, Hk: 1, Hv: 1, Dk: 2, Dv: 1,
		Q: []float64{1, -1}, K: []float64{1, 1}, V: []float64{math.Inf(1)},
		Decay: []float64{1}, Beta: []float64{1}, State: []float64{2, 3},
	}
	output, state := GatedDelta(p, Contract{})
	if finite(output.Want[0]) || !math.IsNaN(output.Bound(0)) {
		t.Errorf("output %g within %g, want it non-finite either way", output.Want[0], output.Bound(0))
	}
	for j, want := range state.Want {
		if finite(want) || !math.IsNaN(state.Bound(j)) {
			t.Errorf("state %d: %g within %g, want it non-finite either way", j, want, state.Bound(j))
		}
	}
}
