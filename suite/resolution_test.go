package suite

import (
	"math"
	"testing"
)

// TestUnresolved holds the condition on every element to what float64 resolves.
func TestUnresolved(t *testing.T) {
	const between = 1 + 0x1p-30 // a float64, no f32
	for _, test := range []struct {
		name        string
		of          Type
		want, bound float64
		refused     bool
	}{
		{"a bound of one rounding", F32, between, 0x1p-24, false},
		{"a number of the type with no bound", F32, 1.5, 0, false},
		{"no number of the type with no bound", F32, between, 0, true},
		{"no number of the type with the bound of an underflow", F32, between, 0x1p-126, true},
		{"a number of the type with the bound of an underflow", F32, 1.5, 0x1p-126, false},
		{"ten times what float64 resolves", F32, between, 10.1 * 0x1p-53, false},
		{"less than that", F32, between, 9.9 * 0x1p-53, true},
		{"zero", F32, 0, 0, false},
		{"infinite", F32, math.Inf(1), 0, false},
		{"open", F32, between, math.Inf(1), false},
		{"no integer", I32, 2.5, 0, true},
		{"an integer", I32, 2, 0, false},
		{"close to a number of a narrow type", BF16, between, 0x1p-50, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := poisoned(Out("y", test.of, wide), Shape{wide: 1})
			if err != nil {
				t.Fatal(err)
			}
			o := output{buffer: b, shape: Shape{wide: 1}}
			if err := o.unresolved(0, test.want, test.bound); (err != nil) != test.refused {
				t.Errorf("error %v, want one: %t", err, test.refused)
			}
		})
	}
}
