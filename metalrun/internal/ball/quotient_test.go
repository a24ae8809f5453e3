package ball

import (
	"math"
	"testing"

	"metalconform/metalrun/internal/scalar"
)

// TestNarrowQuotients: what is known of a quotient holds for the product with a rounded reciprocal where a
// compiler may take that, with subnormal numbers flushed too, and not where it may not.
func TestNarrowQuotients(t *testing.T) {
	for _, f := range []*Format{Half, Bfloat} {
		limit := scalar.Quotients(f.scalar, true)
		missed := 0
		for i := range 40 {
			for j := range 40 {
				a, b := float64(f.scalar.Round(1+0.137*float64(i))),
					math.Ldexp(float64(f.scalar.Round(1+float64(j)/41)), j-20)
				r := float64(f.scalar.Round(1 / b))
				product := float64(f.scalar.Round(a * r))
				if !f.Holds(f.Quotient(Ball{X: a}, Ball{X: b}, &limit, true), product) {
					t.Errorf("%v · (1 / %v) may be %v", a, b, product)
				}
				if r < f.normal && !f.Holds(f.Quotient(Ball{X: a}, Ball{X: b}, &limit, true), 0) {
					t.Errorf("%v · (1 / %v) may be 0", a, b)
				}
				if !f.Holds(f.Quotient(Ball{X: a}, Ball{X: b}, &limit, false), product) {
					missed++
				}
			}
		}
		if f == Half && missed == 0 { // of bfloat the limit of fast division has room for it
			t.Errorf("no product of %v differs from the quotient", f.scalar)
		}
	}
}
