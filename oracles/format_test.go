package oracles

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/x448/float16"

	"metalconform/fixtures/golden"
)

// load is a case of golden data.
func load(t *testing.T, name string) map[string]golden.Array {
	t.Helper()
	arrays, err := golden.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return arrays
}

func TestBitsRoundTrip(t *testing.T) {
	for _, f := range []Format{BF16, F16} {
		for b := range uint32(1 << 16) {
			x := f.FromBits(b)
			if math.IsNaN(x) {
				if !math.IsNaN(f.Round(x)) || !math.IsNaN(f.FromBits(f.Bits(x))) {
					t.Errorf("%s %#04x: NaN is lost", f, b)
				}
				continue
			}
			if got := f.Bits(x); got != b {
				t.Errorf("%s: Bits(FromBits(%#04x)) = %#04x", f, b, got)
			}
			if got := f.Round(x); got != x || math.Signbit(got) != math.Signbit(x) {
				t.Errorf("%s: Round(%v) = %v", f, x, got)
			}
		}
	}
}

func TestRoundAgreesWithTorch(t *testing.T) {
	casts := load(t, "casts")
	for i, w := range casts["f32"].Data {
		x := float64(math.Float32frombits(uint32(w)))
		if got, want := BF16.Bits(x), uint32(casts["bf16"].Data[i]); got != want {
			t.Errorf("bf16 of %v = %#04x, want %#04x", x, got, want)
		}
		if got, want := F16.Bits(x), uint32(casts["f16"].Data[i]); got != want {
			t.Errorf("f16 of %v = %#04x, want %#04x", x, got, want)
		}
		if got := F32.FromBits(uint32(w)); got != x {
			t.Errorf("f32 of bits %#08x = %v, want %v", uint32(w), got, x)
		}
		if t.Failed() {
			return
		}
	}
}

// TestF16AgreesWithFloat16 has package float16 referee every half, and rounding
// at, above and below the midpoint of every two neighbours.
func TestF16AgreesWithFloat16(t *testing.T) {
	check := func(x float32) {
		if got, want := F16.Bits(float64(x)), uint32(float16.Fromfloat32(x)); got != want {
			t.Errorf("f16 of %v = %#04x, want %#04x", x, got, want)
		}
	}
	for b := range uint32(1 << 16) {
		x := float16.Frombits(uint16(b)).Float32()
		if got := F16.FromBits(b); got != float64(x) && !math.IsNaN(got) || math.IsNaN(got) != math.IsNaN(float64(x)) {
			t.Errorf("f16 of bits %#04x = %v, want %v", b, got, x)
		}
		if b&0x7fff >= 0x7c00 {
			continue // not finite
		}
		next := 0x1p16 // after the largest, if exponents had no end
		if b&0x7fff != 0x7bff {
			next = math.Abs(F16.FromBits(b + 1))
		}
		middle := float32(math.Copysign((math.Abs(float64(x))+next)/2, float64(x)))
		check(middle)
		check(math.Nextafter32(middle, 0))
		check(math.Nextafter32(middle, 2*middle))
	}
}

func TestRoundF32AgreesWithTheHardware(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200000 {
		x := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			x = math.Ldexp(1+r.Float64(), r.IntN(300)-160)
		}
		want := float64(float32(x))
		got := F32.Round(x)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("Round(%v) = %v, want %v", x, got, want)
		}
		if !math.IsNaN(x) && F32.Bits(x) != math.Float32bits(float32(x)) {
			t.Fatalf("Bits(%v) = %#x, want %#x", x, F32.Bits(x), math.Float32bits(float32(x)))
		}
	}
}

func TestUlp(t *testing.T) {
	tests := []struct {
		f       Format
		x, want float64
	}{
		{F32, 1, 0x1p-24}, // the gap below a power of two
		{F32, 1.5, 0x1p-23},
		{F32, -1.5, 0x1p-23},
		{F32, 0, 0x1p-149},
		{F32, 0x1p-126, 0x1p-149},
		{F32, 0x1p-140, 0x1p-149},
		{F32, 0x1.8p-126, 0x1p-149},
		{F32, 1e300, 0x1p104},
		{BF16, 3, 0x1p-6},
		{F16, 1000, 0.5},
		{F16, 65504, 32},
	}
	for _, test := range tests {
		if got := test.f.Ulp(test.x); got != test.want {
			t.Errorf("%s.Ulp(%v) = %g, want %g", test.f, test.x, got, test.want)
		}
	}
}

func TestUlpError(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct{ got, want, err float64 }{
		{1, 1, 0},
		{1 + 0x1p-23, 1.5 * 0x1p-23 * 0, (1 + 0x1p-23) / 0x1p-149},
		{1.5, 1.5 + 0x1p-24, -0.5},
		{1.5 + 0x1p-22, 1.5, 2},
		{nan, nan, 0}, {nan, 1, inf}, {1, nan, inf},
		{inf, inf, 0}, {inf, -inf, inf}, {1, inf, inf},
		{inf, 0x1p128, 0}, // rounds to it
		{inf, 1, inf},
	}
	for _, test := range tests {
		if got := F32.UlpError(test.got, test.want); got != test.err {
			t.Errorf("UlpError(%v, %v) = %v, want %v", test.got, test.want, got, test.err)
		}
	}
}

func TestFormatConstants(t *testing.T) {
	for _, test := range []struct {
		f            Format
		u, tiny, max float64
	}{
		{F32, 0x1p-24, 0x1p-126, math.MaxFloat32},
		{BF16, 0x1p-8, 0x1p-126, 0x1.fep127},
		{F16, 0x1p-11, 0x1p-14, 65504},
	} {
		if test.f.UnitRoundoff() != test.u || test.f.SmallestNormal() != test.tiny || test.f.Max() != test.max {
			t.Errorf("%s: u = %g, smallest normal = %g, max = %g, want %g, %g, %g", test.f,
				test.f.UnitRoundoff(), test.f.SmallestNormal(), test.f.Max(), test.u, test.tiny, test.max)
		}
	}
}
