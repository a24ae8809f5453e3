package oracles

import (
	"math"
	"testing"
)

// TestRMSNormRootBudget checks that nothing but the root of a mean is charged
// where nothing but the root of a mean rounds: a root one ulp off shows, and two ulp where
// a square root and a division may make it.
func TestRMSNormRootBudget(t *testing.T) {
	const n = 256
	r := source("signs", 1)
	row, weight := make([]float64, n), make([]float64, n)
	for i := range row {
		row[i], weight[i] = float64(1-2*r.IntN(2)), math.Ldexp(1, r.IntN(5)-2)
	}
	row[r.IntN(n)] = 0
	eps := float64(float32(1e-6))
	root := rsqrt32(float32(n-1)/n + float32(eps))
	scaled := func(root float32) []float32 {
		out := make([]float32, n)
		for i, x := range row {
			out[i] = float32(x) * root * float32(weight[i])
		}
		return out
	}
	for name, c := range map[string]Contract{"rsqrt": {Forms: Forms{Root: Definition}}, "sqrt": {}} {
		above, below := math.Nextafter32(root, 2), math.Nextafter32(root, 0)
		if name == "sqrt" {
			above, below = math.Nextafter32(above, 2), math.Nextafter32(below, 0)
		}
		for of, answer := range map[string]Answer{"RMSNorm": RMSNorm(row, weight, eps, c),
			"RMSNormApply": RMSNormApply(row, weight, n-1, n, eps, c)} {
			within(t, of+" by "+name, answer, scaled(root))
			if name == "sqrt" {
				within(t, of+" by 1/sqrt", answer, scaled(1/float32(math.Sqrt(float64(float32(n-1)/n+float32(eps))))))
			}
			beyond(t, of+" above "+name, answer, scaled(above))
			beyond(t, of+" below "+name, answer, scaled(below))
		}
	}
}

// TestOpenGateBudget checks that a gate so wide open that 1 + e^{−a} is 1 is charged
// with no rounding, whatever led there.
func TestOpenGateBudget(t *testing.T) {
	m := Contract{}.arithmetic()
	for _, a := range []float32{17, 18.5, 23, 33.25, 36.5, 61, 90, 1e4} {
		silu := m.silu(exactly(float64(a)))
		if got := a / (1 + exp32(-a)); !(math.Abs(float64(got)-silu.v) <= silu.e) {
			t.Errorf("silu(%v) = %v is %g off, more than %g", a, got, math.Abs(float64(got)-silu.v), silu.e)
		}
		if ulp := float64(math.Nextafter32(a, 2*a) - a); !(silu.e < ulp/2) {
			t.Errorf("silu(%v) may be %g off, half an ulp and more", a, silu.e)
		}
		sigmoid := m.sigmoid(exactly(float64(a)))
		if got := 1 / (1 + exp32(-a)); !(math.Abs(float64(got)-sigmoid.v) <= sigmoid.e) {
			t.Errorf("sigmoid(%v) = %v is %g off, more than %g", a, got, math.Abs(float64(got)-sigmoid.v), sigmoid.e)
		}
	}
}
