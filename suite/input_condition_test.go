package suite

import (
	"fmt"
	"math"
	"testing"

	"metalconform/oracles"
)

// condition is κ of n terms, apart elements from each other.
func condition(x []float64, n, apart int, weight func(int) float64) float64 {
	var sum, magnitude float64
	for i := range n {
		p := weight(i) * x[i*apart]
		sum += p
		magnitude += math.Abs(p)
	}
	return magnitude / math.Abs(sum)
}

// TestCondition measures, in float64, the condition of every sum of a buffer
// after its elements have been rounded to the buffer's type.
func TestCondition(t *testing.T) {
	ramp := func(i int) float64 { return 1 + float64(i%8)/8 }
	one := func(int) float64 { return 1 }
	for _, test := range []struct {
		of         Type
		kappa      float64
		n, apart   int
		weight     func(int) float64
		within     float64 // relative
		partialEnd int     // elements behind the last whole sum
	}{
		{F32, 1e3, 2, 1, ramp, 0.01, 0}, {F32, 1e3, 3, 1, one, 0.01, 1}, {F32, 1e3, 257, 1, ramp, 0.01, 5},
		{F32, 1e3, 4096, 1, ramp, 0.01, 0},
		{F32, 1e6, 3, 1, ramp, 0.1, 0}, {F32, 1e6, 33, 1, ramp, 0.03, 0}, {F32, 1e6, 1009, 1, one, 0.01, 7},
		{F32, 1e6, 70, 33, one, 0.03, 40},
		{BF16, 1e3, 128, 1, ramp, 0.1, 0},
	} {
		t.Run(fmt.Sprintf("%s/kappa=%g/n=%d/apart=%d", test.of, test.kappa, test.n, test.apart), func(t *testing.T) {
			format, _ := test.of.Format()
			c := Condition{Kappa: test.kappa, Terms: Fixed(test.n), Apart: Fixed(test.apart), Weight: test.weight,
				Format: format}
			const blocks = 5
			x := make([]float64, blocks*test.n*test.apart+test.partialEnd)
			c.Fill(Generator("case", "x", 1), nil, x)
			for i := range x {
				x[i] = test.of.Round(x[i])
			}
			for b := range blocks {
				for j := range test.apart {
					got := condition(x[b*test.n*test.apart+j:], test.n, test.apart, test.weight)
					if math.Abs(got/test.kappa-1) > test.within {
						t.Errorf("sum %d, %d: condition %g, want %g", b, j, got, test.kappa)
					}
				}
			}
			for _, v := range x {
				if v == 0 || !isFinite(v) {
					t.Fatalf("an element is %v", v)
				}
			}
		})
	}
}

// TestConditionOfOne checks that a single term is drawn like any other.
func TestConditionOfOne(t *testing.T) {
	x := make([]float64, 4)
	Condition{Kappa: 1e6, Terms: Fixed(1), Format: oracles.F32}.Fill(Generator("case", "x", 1), nil, x)
	for _, v := range x {
		if !(math.Abs(v) >= 1 && math.Abs(v) < 0x1p10) {
			t.Errorf("the only term is %v", v)
		}
	}
}
