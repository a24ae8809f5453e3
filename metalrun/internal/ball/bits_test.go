package ball

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBitsHold has every float that a ball allows in its integer, and the exact value where the integer leaves it.
func TestBitsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x := math.Ldexp(1+r.Float64(), r.IntN(250)-125)
		if r.IntN(2) == 0 {
			x = -x
		}
		a := Ball{X: x, E: math.Abs(x) * math.Ldexp(r.Float64(), r.IntN(40)-38)}
		word := Bits(a, nil)
		device := float32(a.X + float64(a.E*(2*r.Float64()-1)))
		if !word.Known() {
			continue
		}
		if off := math.Abs(float64(device) - a.X); off > a.E || math.Abs(float64(device)) < normal {
			continue
		}
		if v := float64(int32(math.Float32bits(device))); math.Abs(v-word.X) > word.E+rounding {
			t.Fatalf("bits of %v, which %v allows: %v, want %v", device, a, v, word)
		}
		if back := FromBits(word, nil); back.Known() &&
			(math.Abs(back.X-a.X) > math.Abs(a.X)*0x1p-44 || math.Abs(float64(device)-back.X) > back.E*(1+Allowance)) {
			t.Fatalf("%v by its bits: %v, and %v is a device's", a, back, device)
		}
	}
}

// TestBitsOfNarrow: a value goes through the bits of a narrow format, and comes back as it was before its rounding.
func TestBitsOfNarrow(t *testing.T) {
	for _, f := range []*Format{Half, Bfloat} {
		for _, x := range []float64{1, -1, 1.2345678, -3.3333333, 0.0123, 1000.1} {
			a := Ball{X: x, E: math.Abs(x) * 0x1p-30}
			if back := FromBits(Bits(a, f), f); math.Abs(back.X-x) > math.Abs(x)*0x1p-44 ||
				back.E > 2*a.E+math.Abs(x)*0x1p-24 {
				t.Errorf("%v: %v", a, back)
			}
		}
	}
}

// TestRoundingsOfBits are ways to make a bfloat of a float by its bits: those to nearest leave the exact value, and
// others move it by half a step.
func TestRoundingsOfBits(t *testing.T) {
	even := func(u Ball) Ball {
		bias := Within(Shifted(u, 16), 2)
		return Ball{X: u.X + 0x7fff + bias.X, E: u.E + bias.E}
	}
	for _, test := range []struct {
		name  string
		bias  func(u Ball) Ball
		moved float64 // by steps of bfloat
	}{
		{"to even", even, 0},
		{"away", func(u Ball) Ball { return Ball{X: u.X + 0x8000, E: u.E} }, 0x1p-17},
		{"truncated", func(u Ball) Ball { return u }, -0.5 + 0x1p-17},
		{"up", func(u Ball) Ball { return Ball{X: u.X + 0xffff, E: u.E} }, 0.5 - 0x1p-17},
	} {
		a := Ball{X: 1.2345678, E: 0x1p-26}
		got := FromBits(Shifted(test.bias(Bits(a, nil)), 16), Bfloat)
		if want := a.X + test.moved*0x1p-7; math.Abs(got.X-want) > 0x1p-44 {
			t.Errorf("%s: %v, want %v", test.name, got, want)
		}
	}
}

// TestSpan has integers by hand.
func TestSpan(t *testing.T) {
	for _, test := range []struct {
		a         Ball
		low, high float64
		whole     Ball
	}{
		{Ball{X: 3}, 3, 3, Ball{X: 3}},
		{Ball{X: 3.25, E: 0.5}, 3, 3, Ball{X: 3}},
		{Ball{X: 3.5, E: 0.5}, 3, 4, Ball{X: 4, E: 1}},
		{Ball{X: -7.25, E: 2}, -9, -6, Ball{X: -7, E: 2}},
	} {
		if low, high := test.a.Span(); low != test.low || high != test.high || test.a.Whole() != test.whole ||
			test.a.One() != (low == high) {
			t.Errorf("%v: from %v to %v, %v", test.a, low, high, test.a.Whole())
		}
	}
	for _, test := range []struct{ got, want Ball }{
		{Within(Ball{X: 300, E: 3}, 256), Ball{X: 44, E: 3}},
		{Within(Ball{X: 256, E: 3}, 256), Ball{X: 127.5, E: 127.5}},
		{Within(Ball{X: 7}, 2), Ball{X: 0.5, E: 0.5}},
		{Unsigned(Ball{X: -3, E: 1}), Ball{X: 0x1p32 - 3, E: 1}},
		{Shifted(Ball{X: 8, E: 2}, 2), Ball{X: 2 - 0.375, E: 0.5 + 0.375}},
	} {
		if test.got != test.want {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
}
