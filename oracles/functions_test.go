package oracles

import (
	"math"
	"testing"
)

// The limits are those of the tables, and of what is made of the tables' functions.
func TestAccuracies(t *testing.T) {
	const u = 0x1p-24
	definition, either := Forms{}, Forms{}
	for o := range definition {
		definition[o], either[o] = Definition, Either
	}
	precise, fast := library{Accuracy{Functions: Precise}, definition, nil},
		library{Accuracy{Functions: Fast}, definition, nil}
	precise2, fast2 := library{Accuracy{Functions: Precise}, either, nil},
		library{Accuracy{Functions: Fast}, either, nil}
	tests := []struct {
		name      string
		got, want float64
	}{
		{"precise exp", precise.exp(3), 8 * u},
		{"fast exp(3)", fast.exp(3), 18 * u}, // 3 + ⌊6⌋ ulp
		{"exp 0", fast2.exp(0), 0},
		{"precise rsqrt", precise.rsqrt(), u},
		{"fast rsqrt", fast.rsqrt(), 4 * u},
		{"precise division", precise.divide(), u},
		{"fast division", fast.divide(), 5 * u},
		{"fast log(1.5)", fast.log(1.5, 1.5, math.Log(1.5)), 0x1p-21},
		{"fast log(8)", fast.log(8, 8, math.Log(8)), math.Log(8) * 6 * u},
		{"fast log about 2", fast.log(1.9, 2.1, math.Log(2.1)), 0x1p-21},
		{"precise log(8)", precise.log(8, 8, math.Log(8)), math.Log(8) * 8 * u},

		{"precise exp2 of 8·log₂e", precise2.exp(8), 8 * u},
		{"fast exp2 of 8·log₂e", fast2.exp(8), 2 * (3 + 23) * u}, // 3 + ⌊2·11.54⌋ ulp
		{"8·log₂e", precise2.exponent(8), 8 * 1.25 * u},
		{"8 itself", precise.exponent(8), 0},
		{"x·(1/y)", precise2.divide(), 2 * u},
		{"fast division is no better than a reciprocal", fast2.divide(), 5 * u},
		{"1/√x", precise2.rsqrt(), 2 * u},
		{"fast 1/√x", fast2.rsqrt(), (5 + 4) * u},
		{"log₂8·ln 2", precise2.log(8, 8, math.Log(8)), math.Log(8) * (8 + 1.25) * u},
		{"fast ln about 1", fast2.log(0.9, 1.1, math.Log(1.1)), 0x1p-21},
	}
	for _, test := range tests {
		if math.Abs(test.got-test.want) > 1e-5*test.want {
			t.Errorf("%s: %g, want %g", test.name, test.got, test.want)
		}
	}
}

// The constants of 2^(x·log₂e) and of log₂x·ln 2 are as near as is said.
func TestConstants(t *testing.T) {
	for name, x := range map[string]float64{"log₂e": math.Log2E, "ln 2": math.Ln2} {
		if e := math.Abs(F32.Round(x)-x) / x; e > constantError {
			t.Errorf("%s in f32 is off by %g, want no more than %g", name, e, constantError)
		}
	}
}
