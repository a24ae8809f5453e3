package oracles

import (
	"math"
	"testing"
)

func TestAccuracies(t *testing.T) {
	const u = 0x1p-24
	tests := []struct {
		name      string
		got, want float64
	}{
		{"precise exp", Precise.Exp(3), 8 * u},
		{"fast exp(3)", Fast.Exp(3), 18 * u}, // 3 + ⌊6⌋ ulp
		{"exp 0", Fast.Exp(0), 0},
		{"precise rsqrt", Precise.Rsqrt(), u},
		{"fast rsqrt", Fast.Rsqrt(), 4 * u},
		{"fast division", Fast.Divide(), 5 * u},
		{"fast log(1.5)", Fast.Log(1.5, 1.5, math.Log(1.5)), 0x1p-21},
		{"fast log(8)", Fast.Log(8, 8, math.Log(8)), math.Log(8) * 6 * u},
		{"fast log about 2", Fast.Log(1.9, 2.1, math.Log(2.1)), 0x1p-21},
		{"precise log(8)", Precise.Log(8, 8, math.Log(8)), math.Log(8) * 8 * u},
	}
	for _, test := range tests {
		if math.Abs(test.got-test.want) > 1e-20 {
			t.Errorf("%s: %g, want %g", test.name, test.got, test.want)
		}
	}
}
