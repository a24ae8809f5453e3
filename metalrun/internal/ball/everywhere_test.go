package ball

import (
	"math"
	"testing"

	"metalconform/metalrun/internal/scalar"
)

// TestEverywhere: what leaves the range of f32 for certain is infinite on every device, and so is what follows from it.
func TestEverywhere(t *testing.T) {
	inf, huge := math.Inf(1), Mul(Ball{X: 1e38}, Ball{X: 4, E: 1e-6})
	some, near := Ball{X: 3, E: 1e-6}, Mul(Ball{X: 1e38}, Ball{X: 3.4028236, E: 1e-6})
	infinite := func(x float64) Ball { return Ball{X: x, E: inf, L: math.Copysign(inf, x)} }
	nan := func(x float64) Ball { return Ball{X: x, E: inf, L: math.NaN()} }
	for name, c := range map[string]struct{ got, want Ball }{
		"product":               {huge, infinite(4e38)},
		"near the end":          {near, Unknown(near.X)},
		"negative":              {Neg(huge), infinite(-4e38)},
		"sum":                   {Add(huge, some), infinite(4e38 + 3)},
		"contracted, and in":    {Sub(huge, Ball{X: 2e38}), Unknown(4e38 - 2e38)},
		"both":                  {Add(huge, huge), infinite(8e38)},
		"its own difference":    {Sub(huge, huge), Unknown(0)},
		"scaled":                {Mul(huge, Ball{X: 1e-37}), Ball{X: float64(huge.X * 1e-37), E: inf, L: inf}},
		"times what may be 0":   {Mul(huge, Ball{X: 1e-8, E: 1}), Unknown(float64(huge.X * 1e-8))},
		"over itself":           {Div(huge, huge), nan(1)},
		"less than":             {Min(huge, some), some},
		"more than":             {Max(huge, some), infinite(4e38)},
		"of two signs":          {Max(huge, Neg(huge)), infinite(4e38)},
		"a NaN is no greatest":  {Max(Div(huge, huge), Ball{X: 3}), Ball{X: 3}},
		"size":                  {Abs(Neg(huge)), infinite(4e38)},
		"either of two":         {Either(huge, some), Unknown(4e38)},
		"what may be as large":  {Max(huge, near), Unknown(4e38)},
		"with more digits":      {huge.Valued(Double{Hi: 4e38}), huge},
		"of half":               {Half.Read(Ball{X: 7e4, E: 1}), infinite(7e4)},
		"of half, near the end": {Half.Read(Ball{X: 65520, E: 1}), Unknown(65520)},
	} {
		same := c.got.X == c.want.X && c.got.E == c.want.E &&
			(c.got.L == c.want.L || c.got.L != c.got.L && c.want.L != c.want.L)
		if !same {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if q := Div(some, huge); q.X != 3/4e38 || !(q.E >= q.X) || !(q.E < 2*normal) {
		t.Errorf("a number over what is infinite is 0 on every device: %v", q)
	}
	root := unaries["sqrt"].evaluated(huge, 0, new(scalar.Limit))
	if root != (Ball{X: math.Sqrt(4e38), E: inf, L: inf}) {
		t.Errorf("root: %v", root)
	}
	ulps := &scalar.Limit{Ulps: scalar.Ulps{Max: 4}}
	for x, want := range map[float64]Ball{100: infinite(math.Exp(100)), 1000: {X: inf},
		88.72284: Unknown(math.Exp(88.72284))} {
		if got := unaries["exp"].evaluated(Ball{X: x, E: 1e-6}, 0, ulps); got != want {
			t.Errorf("exp(%g) = %v, want %v", x, got, want)
		}
	}
	if !Apart(huge, some) || !Apart(huge, Neg(huge)) || Apart(huge, Add(huge, some)) || Apart(Div(huge, huge), some) {
		t.Error("comparisons with what every device has are not those of exact arithmetic")
	}
}
