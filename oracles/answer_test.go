package oracles

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParts(t *testing.T) {
	a := newAnswer(2, "u|y|", "sum")
	a.set(0, 3, 1e-7, 2.5e-7)
	a.set(1, 3, 0, 0)
	if diff := cmp.Diff([]Part{{"u|y|", 1e-7}, {"sum", 2.5e-7}}, a.Parts(0)); diff != "" {
		t.Errorf("parts of a bound (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Part{{"u|y|", 0}, {"sum", 0}}, a.Parts(1)); diff != "" || a.Bound(1) != 0 {
		t.Errorf("parts of a bound of %g (-want +got):\n%s", a.Bound(1), diff)
	}
	a = newAnswer(2, "scores", "carried", "sum")
	a.setParts(0, 3, 10, 4, 5)
	a.setParts(1, 3, 10, 4, math.NaN())
	for i, want := range [][]Part{{{"scores", 4}, {"carried", 5}, {"sum", 1}},
		{{"scores", 4}, {"carried", 6}, {"sum", 0}}} {
		if diff := cmp.Diff(want, a.Parts(i)); diff != "" || a.Bound(i) != 10 {
			t.Errorf("parts of element %d, whose bound is %g (-want +got):\n%s", i, a.Bound(i), diff)
		}
	}
	if got := (&Answer{Exact: true}).Parts(0); len(got) != 0 {
		t.Errorf("an exact answer has the parts %v", got)
	}
}

// TestStatisticalVerdicts keeps the rigorous bounds whose value is a verdict.
func TestStatisticalVerdicts(t *testing.T) {
	a := newAnswer(5, "all")
	inf := math.Inf(1)
	for i, e := range []float64{0, inf, math.NaN(), 100, 1} {
		a.give(i, approx{1, e, moments{variance: 4, systematic: 3}})
	}
	if !math.IsInf(a.Bound(2), 1) {
		t.Errorf("a number with an error of NaN is promised within %g", a.Bound(2))
	}
	a.give(2, approx{math.Inf(1), math.NaN(), moments{}})
	type verdict struct {
		Bound float64
		OK    bool
	}
	want := []verdict{
		{0, true}, {inf, true}, {math.NaN(), true}, {19.6, true}, {1, true},
	}
	var got []verdict
	for i := range a.Want {
		bound, ok := a.Statistical(i)
		got = append(got, verdict{bound, ok})
	}
	sameNaN := cmp.FilterValues(func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) },
		cmp.Comparer(func(x, y float64) bool { return true }))
	if diff := cmp.Diff(want, got, sameNaN); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Part{{"systematic", 3}, {"roundings (8.3σ)", 16.6}}, a.StatisticalParts(3)); diff != "" {
		t.Errorf("parts of a bound (-want +got):\n%s", diff)
	}
	a = newRigorousAnswer(1, "all")
	if bound, ok := a.Statistical(0); bound != 0 || ok {
		t.Errorf("an answer without a statistical bound has %g, %v", bound, ok)
	}
}
