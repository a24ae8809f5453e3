package scalar

import (
	"math"
	"testing"
)

// TestTurn tells the steps of the GPU's sine from a rounded one.
func TestTurn(t *testing.T) {
	tests := []struct {
		name    string
		x, want float32
	}{
		{"nothing", 0, 0}, {"a quarter", 0.25, 1}, {"half a turn", 0.5, 0}, {"three quarters", 0.75, -1},
		{"many turns", 1e9, 0},
		{"the quotient is rounded toward zero, for small angles, too", 0x1p-20, 0x1p-18 * 0x1.921fb4p0},
		{"an eighth of a turn", 0.125, 0x1.6a09e6p-1},
		{"5/64 of a turn: to nearest it were 0x1.e2b5d4p-2", 5.0 / 64, 0x1.e2b5d2p-2},
		{"the fraction of an angle just below a turn is rounded, and can be a whole one", -0x1p-30, 0},
		{"or less exact than the angle", -0x1.000002p-6, -0x1.917a6ap-4},
	}
	for _, test := range tests {
		if got := Turn(test.x); got != test.want {
			t.Errorf("%s: the sine of %x turns is %x, want %x", test.name, test.x, got, test.want)
		}
	}
	if got := TurnCospi(0x1p-26); got != 1 {
		t.Errorf("the cosine of a small angle is %x, want 1", got)
	}
	if got, want := TurnCospi(0.5+0x1p-24), Turn(0.5); got != want {
		t.Errorf("the cosine of what the addition of a quarter loses is %x, want %x", got, want)
	}
}

// TestTurnAccuracy holds the GPU's sine to a few roundings of the sine: one of the fraction, of 2⁻²⁵ turns, and two of
// the product.
func TestTurnAccuracy(t *testing.T) {
	for i := -4096; i <= 4096; i++ {
		x := float32(float64(i) * 0x1.fp-11)
		got, want := float64(Turn(x)), math.Sin(2*math.Pi*float64(x))
		if limit := 2*math.Pi*0x1p-25 + 3*0x1p-24*math.Abs(want); math.Abs(got-want) > limit {
			t.Errorf("the sine of %x turns is %x, %.2g off, want at most %.2g", x, got, got-want, limit)
		}
	}
}
