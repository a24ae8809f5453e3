package suite

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/oracles"
)

func TestSummary(t *testing.T) {
	a := In("a", F16, Fixed(7))
	b, err := poisoned(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := b.payload()[:0]
	for _, x := range []float64{-2, 0, math.NaN(), 0x1p-20, 3, math.Inf(1), math.Copysign(0, -1)} {
		p = F16.append(p, x)
	}
	want := Summary{Arg: "a", Type: "f16", Axes: []string{""}, Extents: []int{7}, Elements: 7, Min: -2, Max: 3,
		Zeros: 2, Subnormal: 1, NonFinite: 2}
	if diff := cmp.Diff(want, b.summary(nil, 0, 7)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestNeighbours(t *testing.T) {
	inf, tiny := math.Inf(1), oracles.F32.SmallestSubnormal()
	for _, test := range []struct {
		format       oracles.Format
		x            float64
		below, above float64
	}{
		{oracles.F32, 1, 1 - 0x1p-24, 1 + 0x1p-23},
		{oracles.F32, -1, -1 - 0x1p-23, -1 + 0x1p-24},
		{oracles.F32, 1 + 0x1p-25, 1, 1 + 0x1p-23},
		{oracles.F32, 1 + 0x1.8p-24, 1, 1 + 0x1p-23},
		{oracles.F32, 0, -tiny, tiny},
		{oracles.F32, tiny, 0, 2 * tiny},
		{oracles.F32, tiny / 4, 0, tiny},
		{oracles.F32, -tiny / 4, -tiny, 0},
		{oracles.F32, oracles.F32.Max(), oracles.F32.Max() - 0x1p104, inf},
		{oracles.F16, 1e6, 65504, inf},
		{oracles.F16, -1e6, -inf, -65504},
		{oracles.BF16, 3.001, 3, 3.015625},
	} {
		if diff := cmp.Diff([]float64{test.below, test.above}, neighbours(test.format, test.x)); diff != "" {
			t.Errorf("%s next to %g (-want +got):\n%s", test.format, test.x, diff)
		}
	}
}
