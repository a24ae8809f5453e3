package metrics

import (
	"encoding/json"
	"math"
	"testing"

	"metalconform/oracles"

	"github.com/google/go-cmp/cmp"
)

// The errors of a few elements, by hand: of bounds 4, 2, 1 and 0, and one that nothing
// is wrong with.
func TestErrors(t *testing.T) {
	m := NewMeter(Buffer{Extents: []int{5}, Format: oracles.F32, Float: true})
	for i, x := range []struct{ got, want, ratio float64 }{
		{9, 10, 0.25}, {-9, -10, 0.5}, {12, 10, 2}, {7, 6, math.Inf(1)}, {3, 3, 0},
	} {
		m.Judged(i, x.ratio)
		m.Add(i, x.got, x.want, 0)
	}
	got := m.Output(nil).Errors
	want := &Errors{
		Elements: 5, Sum: -0.25 + 0.5 + 2, Outward: -0.25 - 0.5 + 2, Squares: 0.0625 + 0.25 + 4,
		Bins: Histogram{-22: 1, 23: 1, 24: 2, 0: 1}, // [2^18, 2^19), [2^19, 2^20) and beyond, in units of 2^-20
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var back Errors
	if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(*want, back) {
		t.Errorf("%s is read as %+v, %v", text, back, err)
	}
}

// Half of the errors of a truncation are toward zero on either side, and none is outward;
// what is systematic adds up over outputs, what is not cancels.
func TestErrorsAdd(t *testing.T) {
	var all Errors
	part := Errors{Elements: 2, Sum: 0.5, Outward: -0.5, Squares: 0.25, Bins: Histogram{0: 1, 22: 1}}
	all.Add(part)
	part.Sum = -0.5
	all.Add(part)
	want := Errors{Elements: 4, Outward: -1, Squares: 0.5, Bins: Histogram{0: 2, 22: 2}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	rms := math.Sqrt(0.125)
	if all.RMS() != rms || all.Bias() != 0 || all.Inward() != 0.25/rms {
		t.Errorf("rms %v, bias %v, inward %v", all.RMS(), all.Bias(), all.Inward())
	}
}
