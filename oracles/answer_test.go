package oracles

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDerivation(t *testing.T) {
	a := newAnswer(2, "u|y|", "sum")
	a.set(0, 3, 1e-7, 2.5e-7)
	a.set(1, 3, 0, 0)
	if got, want := a.Derivation(0), "1e-07 u|y| + 2.5e-07 sum"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := a.Derivation(1); got != "0" || a.Bound(1) != 0 {
		t.Errorf("got %q within %g, want 0", got, a.Bound(1))
	}
	if got := (Answer{Exact: true}).Derivation(0); got != "exact" {
		t.Errorf("got %q, want exact", got)
	}
}

// TestStatisticalVerdicts keeps the rigorous bounds whose value is a verdict.
func TestStatisticalVerdicts(t *testing.T) {
	a := newAnswer(5, "all")
	inf := math.Inf(1)
	for i, e := range []float64{0, inf, math.NaN(), 100, 1} {
		a.give(i, approx{1, e, moments{variance: 4, systematic: 3}})
	}
	type verdict struct {
		Bound float64
		OK    bool
		Text  string
	}
	want := []verdict{
		{0, true, "0"}, {inf, true, "+Inf all"}, {math.NaN(), true, "NaN all"},
		{15, true, "3 systematic + 6·2 of roundings"}, {1, true, "1 all"},
	}
	var got []verdict
	for i := range a.Want {
		bound, ok := a.Statistical(i)
		got = append(got, verdict{bound, ok, a.StatisticalDerivation(i)})
	}
	sameNaN := cmp.FilterValues(func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) }, cmp.Comparer(func(x, y float64) bool { return true }))
	if diff := cmp.Diff(want, got, sameNaN); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if bound, ok := newRigorousAnswer(1, "all").Statistical(0); bound != 0 || ok {
		t.Errorf("an answer without a statistical bound has %g, %v", bound, ok)
	}
}
