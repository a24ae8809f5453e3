package forecast

import (
	"math"
	"testing"
)

// Residuals of a hundred groups, each with one mistake in common and one of every kernel, show how large both are; those of
// none show what was believed.
func TestSeen(t *testing.T) {
	var groups [][]float64
	for i := range 100 {
		common, each := .1*float64(1-i%2*2), .2
		groups = append(groups, []float64{common - each, common + each})
	}
	got := seen(groups)
	if math.Abs(got.group-.1) > .01 || math.Abs(got.each-.2) > .01 {
		t.Errorf("%+v", got)
	}
	if got := seen(nil); got != believed {
		t.Errorf("%+v", got)
	}
}

// What all kernels of a group have in common is one mistake: as many kernels again do not make it larger.
func TestLoss(t *testing.T) {
	few, many := make([]float64, 5), make([]float64, 50)
	for i := range many {
		many[i] = .3
	}
	copy(few, many)
	if a, b := believed.loss(few), believed.loss(many); math.Abs(a-b) > 1e-9 || a <= 0 {
		t.Errorf("%v for few, %v for many", a, b)
	}
	if a, b := believed.loss([]float64{-.3, .3}), (deviations{.3, .25}).loss([]float64{-.3, .3}); b < 2*a {
		t.Errorf("%v where kernels differ much, %v where they do not", a, b)
	}
}
