package scalar

import (
	"math"
	"math/big"
	"testing"
)

// TestPolynomials looks at the ends of the intervals, where what the series
// leave out is largest.
func TestPolynomials(t *testing.T) {
	one := bf(1)
	for _, p := range []struct {
		name string
		end  float64
		got  func(float64) float64
		want func(*big.Float) *big.Float
	}{
		{"1+expm1Poly", 0.0055, func(x float64) float64 { return 1 + expm1Poly(x) }, refExp},
		{"log1pPoly", 0x1p-8, log1pPoly, func(x *big.Float) *big.Float { return refLog(bAdd(one, x)) }},
		{"sinPoly", 0.7854, sinPoly, refSin},
		{"cosPoly", 0.7854, cosPoly, refCos},
		{"sinhPoly", 1, sinhPoly, refSinh},
		{"coshPoly", 0.5, coshPoly, refCosh},
		{"atanPoly", 1.0 / 31, atanPoly, refAtan},
	} {
		for i := range 32 {
			for _, x := range []float64{p.end - float64(i)*0x1p-53, float64(i)*0x1p-53 - p.end} {
				want := p.want(bf(x))
				units := bApprox(bQuo(bSub(bf(p.got(x)), want), want)) * 0x1p53
				if math.Abs(units) > 3 {
					t.Fatalf("%s(%g) is off by %.1f units", p.name, x, units)
				}
			}
		}
	}
}
