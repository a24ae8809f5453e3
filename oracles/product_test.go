package oracles

import (
	"math"
	"testing"
)

// Factors may come in another order unless the contract says otherwise: an intermediate
// product is then lost below the normal range, and nothing is promised above it.
func TestRegroupedProducts(t *testing.T) {
	regrouping, written := Contract{}, Contract{Forms: Forms{Products: Definition}}
	// x·weight is subnormal, and the result some 10⁻³⁵.
	x, weight, eps := []float64{F32.Round(1e-10)}, []float64{F32.Round(1e-28)}, F32.Round(1e-6)
	got := []float32{flushed(float32(x[0])*float32(weight[0])) * 1000}
	within(t, "regrouped norm", RMSNorm(x, weight, eps, regrouping), got)

	beyond(t, "written norm", RMSNorm(x, weight, eps, written), got)

	p := Rotation{X: []float64{0x1p127, 0}, Width: 2, InvFreq: []float64{1}, Positions: []float64{math.Pi / 4},
		Scale: 2.5}
	overflowed := []float32{float32(math.Inf(1)), float32(math.Inf(1))}
	within(t, "regrouped rotation", RoPE(p, regrouping), overflowed)
	beyond(t, "written rotation", RoPE(p, written), overflowed)

	m, w := regrouping.arithmetic(), written.arithmetic()
	a, b, c := exactly(0x1p100), exactly(0x1p100), exactly(0x1p-90)
	y := m.mul(m.mul(a, c), b)
	if z := m.regrouped(y, a, b, c); !math.IsInf(z.e, 1) {
		t.Errorf("2¹⁰⁰·2¹⁰⁰·2⁻⁹⁰ may overflow on the way, and is known to within %g", z.e)
	}
	if z := w.regrouped(y, a, b, c); z != y {
		t.Errorf("as it is written it is %v, not %v", y, z)
	}
	third := exactly(F32.Round(1.0 / 3))
	y = m.mul(m.mul(third, exactly(8)), exactly(0.25))
	if z := m.regrouped(y, third, exactly(8), exactly(0.25)); z != y {
		t.Errorf("powers of two round nothing in any order: %v, not %v", z, y)
	}

	// 2⁻¹²⁶·f is 2⁻¹²⁶, or subnormal and lost.
	one, least, large := approx{v: 1, e: 0x1p-22}, exactly(0x1p-126), exactly(0x1p127)
	y = m.mul(m.mul(large, one), least)
	if z := m.regrouped(y, large, one, least); z.e < y.v {
		t.Errorf("2⁻¹²⁶·f for f ≈ 1 may be subnormal on the way, and the product is known to within %g", z.e)
	}
}
