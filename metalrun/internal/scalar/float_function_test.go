package scalar

import (
	"math"
	"testing"
)

// TestFloatFunctionsAreComplete asks each row for one definition, and holds what it
// says about its results to what it computes.
func TestFloatFunctionsAreComplete(t *testing.T) {
	for _, f := range FloatFunctions {
		definitions := 0
		for _, is := range []bool{f.exact != nil, f.elementary.f32 != nil || f.unary != nil, f.binary != nil,
			f.Scale != nil, f.Test != nil, f.Exponent != nil, f.Parts != nil, f.Frexp != nil} {
			if is {
				definitions++
			}
		}
		e := f.elementary
		if definitions != 1 || (e.f32 != nil) != (e.approx != nil) || (e.f32 != nil) != (e.exact != nil) {
			t.Errorf("%s has %d definitions, or a part of one", f.Name, definitions)
		}
		if Float(f.Name).Name != f.Name || f.Also != "" && Float(f.Also).Name != f.Name {
			t.Errorf("%s is not found by its names", f.Name)
		}
		if f.Precise.Open() && (!f.Fast.Open() || e.f32 == nil && f.binary == nil) {
			t.Errorf("%s has limits %v and %v", f.Name, f.Precise, f.Fast)
		}
		if of := f.Unary(F32); f.Fast.Absolute.Beyond != 0 {
			for x := float32(-8); x < 8; x += 0.01 {
				if y := of(x); math.Abs(float64(y)) > 1 {
					t.Errorf("%s(%g) = %g", f.Name, x, y)
				}
			}
		}
		if f.Unary(F32) != nil && e.f32 != nil && !tested(f.Name) {
			t.Errorf("%s has no reference in the tests", f.Name)
		}
	}
	if Float("erf") != nil {
		t.Error("there is a function that MSL has not")
	}
}

func tested(name string) bool {
	for _, n := range nearlyAll {
		if n.name == name {
			return true
		}
	}
	return false
}

// TestUlps holds the limit that grows with its argument.
func TestUlps(t *testing.T) {
	if got := Float("exp").Fast.Ulps.At(-2.75); got != 3+5 {
		t.Errorf("fast exp(-2.75) may be off by %g ulp, want 8", got)
	}
}
