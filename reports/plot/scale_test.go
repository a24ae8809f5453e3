package plot

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"metalconform/suite/metrics"
)

// Whatever the numbers are, each has a finite place between the ends of the axis,
// in their order, and so has every tick.
func TestLogScale(t *testing.T) {
	draws := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, -1, 1, 5e-324, math.SmallestNonzeroFloat32, math.MaxFloat64, math.Inf(1), 1e308, 10, 1000}
	for range 2000 {
		var numbers []float64
		for range draws.IntN(5) {
			x := special[draws.IntN(len(special))]
			if draws.IntN(2) == 0 {
				x = math.Ldexp(draws.Float64(), draws.IntN(2000)-1000)
			}
			numbers = append(numbers, x)
		}
		s := newLogScale(number, 1+draws.IntN(mostDecades), numbers...)
		low, high := s.span()
		inside := func(what string, x float64) {
			if !(low <= x && x <= high) {
				t.Fatalf("%v: %s %g is at none of %g to %g", numbers, what, x, low, high)
			}
		}
		if !(low < high) || math.IsInf(high-low, 0) {
			t.Fatalf("%v: from %g to %g", numbers, low, high)
		}
		for _, x := range numbers {
			inside("number", s.position(x))
			for _, y := range numbers {
				if x < y && s.position(x) > s.position(y) {
					t.Fatalf("%v: %g is above %g", numbers, x, y)
				}
			}
		}
		labels := 0
		for _, tick := range s.Ticks() {
			inside("tick", tick.value)
			if tick.label != "" {
				labels++
			}
		}
		if labels < 2 || labels > 14 {
			t.Fatalf("%v: %d labels", numbers, labels)
		}
	}
}

// TestLabelsAreShort: a product of a digit and a power of ten may miss the number that it spells.
func TestLabelsAreShort(t *testing.T) {
	for d := -30; d < 30; d++ {
		for _, tick := range (logScale{low: d, high: d + 1, name: number}).Ticks() {
			if digits, _, _ := strings.Cut(tick.label, "e"); len(strings.Trim(digits, "0.")) > 1 {
				t.Errorf("decade %d has a tick called %s", d, tick.label)
			}
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ got, want string }{
		{number(pow10(-4)), "1e-4"},
		{number(pow10(-3)), "0.001"},
		{number(pow10(6)), "1e6"},
		{number(pow10(23)), "1e23"}, // math.Pow10 is next to it
		{prefixed("s")(1e-6), "1 µs"},
		{prefixed("s")(0.25), "250 ms"},
		{prefixed("B/s")(2e11), "200 GB/s"},
		{prefixed("B/s")(999.9), "1 kB/s"},
		{percent(0.001), "0.1 %"},
		{ulpLabel(-0.125), "−1/8"},
		{ulpLabel(2048), "2k"},
		{ulpLabel(1 << 20), "1M"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// An error stands in the column of the bin that counts it.
func TestUlpScale(t *testing.T) {
	s := ulpScale{first: -24, last: 24}
	for k := -24; k <= 24; k++ {
		near, far := metrics.Histogram(nil).Edges(k)
		for _, x := range []float64{near, far} {
			if k == 0 || x == 0 {
				continue
			}
			if position := s.position(x); math.Abs(position-float64(k)) > 0.5 {
				t.Errorf("%g of bin %d is at %g", x, k, position)
			}
		}
	}
	for _, tick := range s.Ticks() {
		if strings.Contains(tick.label, "Inf") {
			t.Errorf("tick %+v", tick)
		}
	}
}
