package oracles

import (
	"math"
	"slices"
	"testing"
)

func TestConvOut(t *testing.T) {
	q, k, v := ConvOut([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 1, 2, 1)
	if !slices.Equal(q, []float64{1, 5}) || !slices.Equal(k, []float64{2, 6}) ||
		!slices.Equal(v, []float64{3, 4, 7, 8}) {
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

// An output in two sums, α·(S·q) + β·u·(k·q), rounds what cancels in the updated state:
// that is allowed where products may be multiplied out, and not otherwise.
func TestDeltaOutputInTwoSums(t *testing.T) {
	third := F32.Round(1.0 / 3)
	p := DeltaNet{
		Seqs: 1, T: 1, Hk: 1, Hv: 1, Dk: 2, Dv: 1,
		Q: []float64{third, 1}, K: []float64{0, 0x1p-40}, V: []float64{0x1p60},
		Decay: []float64{1}, Beta: []float64{third}, State: []float64{0, -F32.Round(third * 0x1p20)},
	}
	terms := func(c Contract) float64 { output, _ := GatedDelta(p, c); return output.Budget[1].Error[0] }
	apart, written := terms(Contract{}), terms(Contract{Forms: Forms{Products: Definition}})
	// β·u·(k·q) is 2²⁰/3, rounded at least twice, and the output almost 0.
	if least := 0x1p20 / 3 * F32.UnitRoundoff(); !(apart >= 2*least) || !(written < least) {
		t.Errorf("the output's own sum is off by up to %g, as written %g, and one rounding of a part is %g", apart,
			written, least)
	}
}
