package forecast

import (
	"math"
	"testing"
)

// The minimum of Rosenbrock's valley is at ones, and that of a robust loss where its parts balance.
func TestMinimise(t *testing.T) {
	valley := func(x []float64) float64 {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		return a*a + 100*b*b
	}
	x, ok := minimise(valley, []float64{-1.2, 1})
	if !ok || math.Abs(x[0]-1) > 1e-3 || math.Abs(x[1]-1) > 2e-3 {
		t.Errorf("%v, %t", x, ok)
	}
	losses := func(x []float64) float64 { return robust(x[0]-1) + robust(x[0]-3) + robust(x[1]+5) }
	if x, ok := minimise(losses, []float64{100, 100}); !ok || math.Abs(x[0]-2) > 5e-3 || math.Abs(x[1]+5) > 5e-3 {
		t.Errorf("%v, %t", x, ok)
	}
	if _, ok := minimise(func([]float64) float64 { return math.NaN() }, []float64{0}); ok {
		t.Error("the minimum of no number")
	}
}

// The inverse of {{2, 1}, {1, 2}} is {{2, −1}, {−1, 2}}/3.
func TestInverseDiagonal(t *testing.T) {
	form := func(x []float64) float64 { return x[0]*x[0] + x[0]*x[1] + x[1]*x[1] }
	h := curvature(form, []float64{3, 4})
	got, ok := inverseDiagonal(h)
	if !ok || math.Abs(got[0]-2./3) > 1e-6 || math.Abs(got[1]-2./3) > 1e-6 {
		t.Errorf("%v of %v, %t", got, h, ok)
	}
	if got, ok := inverseDiagonal([][]float64{{1, 2}, {2, 1}}); ok {
		t.Errorf("%v of a matrix that is not positive definite", got)
	}
}

// Correlations by hand: deviations {−1, 0, 1} and {−1, 1, 0} have the product 1 and the squares 2 and 2.
func TestCorrelation(t *testing.T) {
	if got := correlation([]float64{1, 2, 3}, []float64{4, 6, 5}); math.Abs(got-0.5) > 1e-15 {
		t.Error(got)
	}
	if got := correlation([]float64{1, 1}, []float64{4, 6}); !math.IsNaN(got) {
		t.Error(got)
	}
}
