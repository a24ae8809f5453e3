package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactFMA rounds a·b + c, formed without error, once.
func exactFMA(f Format, a, b, c float32) float32 {
	p := new(big.Float).SetPrec(48).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
	s := new(big.Float).SetPrec(1200).Add(p, big.NewFloat(float64(c)))
	if s.Sign() == 0 {
		return float32(float64(a)*float64(b)) + c // signs of zeros
	}
	return round(f, s)
}

// finite reports whether none of the arguments is infinite or NaN.
func finite(xs ...float32) bool {
	for _, x := range xs {
		if x-x != 0 {
			return false
		}
	}
	return true
}

// triples draws operands of the kinds that matter: any bits, results among the
// subnormals, cancellation, short significands with their exact ties, and an
// addend beyond the last place of the product's midpoint.
func triples(r *rand.Rand, kind int) (a, b, c float32) {
	u := func() float32 { return float32(r.Float64()*2 - 1) }
	switch kind {
	case 0:
		return math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
	case 1:
		return u() * 0x1p-70, u() * 0x1p-70, math.Float32frombits(r.Uint32() & 0x807fffff)
	case 2:
		a, b = u(), u()
		return a, b, -a * b * (1 + 0x1p-20*u())
	case 3:
		return float32(int32(r.Uint32()) >> 20), float32(int32(r.Uint32()) >> 18),
			float32(int32(r.Uint32())>>8) * float32(math.Ldexp(1, r.IntN(16)-8))
	}
	a, b = float32(r.IntN(1<<12)|1), float32(r.IntN(1<<13)|1<<12|1)
	return a, b, float32(math.Ldexp(float64(r.IntN(5)-2), -r.IntN(120)))
}

func TestFMA(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 50000 {
		a, b, c := triples(r, i%5)
		if !finite(a, b, c) {
			continue
		}
		if got, want := FMA32(a, b, c), exactFMA(F32, a, b, c); !same(got, want) {
			t.Fatalf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		a, b, c = RoundHalf(a), RoundHalf(b), RoundHalf(c)
		if got := Half.FMA(a, b, c); finite(a, b, c) && !same(got, exactFMA(Half, a, b, c)) {
			t.Fatalf("Half.FMA(%x, %x, %x) = %x, want %x", a, b, c, got, exactFMA(Half, a, b, c))
		}
		a, b, c = triples(r, i%5)
		a, b, c = RoundBfloat(a), RoundBfloat(b), RoundBfloat(c)
		if got := Bfloat.FMA(a, b, c); finite(a, b, c) && !same(got, exactFMA(Bfloat, a, b, c)) {
			t.Fatalf("Bfloat.FMA(%x, %x, %x) = %x, want %x", a, b, c, got, exactFMA(Bfloat, a, b, c))
		}
	}
}

// TestDoubts rounds what float32 makes of a·b + c again: the result is that of one rounding, unless it is in doubt,
// and few are.
func TestDoubts(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, f := range []Format{Half, Bfloat} {
		draw := func(kind int) float32 {
			switch kind {
			case 0:
				return f.Narrow(float32(r.NormFloat64()))
			case 1:
				return f.Narrow(float32(math.Ldexp(r.NormFloat64(), r.IntN(40)-24)))
			case 2:
				return float32(r.IntN(1<<9) - 1<<8)
			}
			return f.Narrow(math.Float32frombits(r.Uint32()))
		}
		usual := 0
		for i := range 200000 {
			a, b, c := draw(i%4), draw(i%4), draw(r.IntN(4))
			once := FMA32(a, b, c)
			if f.Doubts().Has(math.Float32bits(once)) {
				if i%4 == 0 {
					usual++
				}
				continue
			}
			if got, want := f.Narrow(once), f.FMA(a, b, c); math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("format %d: %x·%x + %x is %x if it is rounded twice, want %x", f, a, b, c, got, want)
			}
		}
		if usual > 50000/8 {
			t.Errorf("format %d: %d of 50000 results of usual numbers are in doubt", f, usual)
		}
	}
}

func TestFMASpecial(t *testing.T) {
	for _, c := range []struct{ a, b, c, want float32 }{
		{inf, 0, 1, nan}, {inf, 1, -inf, nan}, {inf, 2, 3, inf}, {-inf, 2, 3, -inf}, {2, 3, -inf, -inf},
		{nan, 1, 1, nan},
		{1, 1, nan, nan}, {0, 1, negZero, 0}, {negZero, 1, negZero, negZero}, {1, 1, -1, 0},
		{math.MaxFloat32, 2, 0, inf},
		{math.MaxFloat32, math.MaxFloat32, -inf, -inf},
		{math.MaxFloat32, 1, 0x1p103, inf},                                  // the midpoint ties to infinity
		{math.MaxFloat32, 1, math.Nextafter32(0x1p103, 0), math.MaxFloat32}, // just below it does not
		{0x1p-75, 0x1p-75, 0, 0}, {0x1p-75, 0x1p-75, 0x1p-149, 0x1p-148}, {0x1.8p-75, 0x1p-75, 0, 0x1p-149},
		{0x1.000002p0, 0x1.000002p0, 0, 0x1.000004p0}, {0x1.001p0, 0x1.001p0, -0x1.002p0, 0x1p-24},
		{1 + 0x1p-12, 1 + 0x1p-12, 0x1p-140, 0x1.002002p0}, {1 + 0x1p-12, 1 + 0x1p-12, -0x1p-140, 0x1.002p0},
	} {
		if got := FMA32(c.a, c.b, c.c); !same(got, c.want) {
			t.Errorf("FMA32(%x, %x, %x) = %x, want %x", c.a, c.b, c.c, got, c.want)
		}
		if c.want != c.want && math.Float32bits(FMA32(c.a, c.b, c.c)) != 0x7fc00000 {
			t.Errorf("FMA32(%x, %x, %x) is NaN %08x", c.a, c.b, c.c, math.Float32bits(FMA32(c.a, c.b, c.c)))
		}
	}
}

func FuzzFMA32(f *testing.F) {
	f.Add(uint32(0x3f800800), uint32(0x3f800800), uint32(0x80000001))
	f.Add(uint32(0x00000001), uint32(0x3f000000), uint32(0x00000001))
	f.Add(uint32(0x7f7fffff), uint32(0x3f800000), uint32(0x73000000))
	f.Fuzz(func(t *testing.T, x, y, z uint32) {
		a, b, c := math.Float32frombits(x), math.Float32frombits(y), math.Float32frombits(z)
		got := FMA32(a, b, c)
		want := float32(float64(a)*float64(b) + float64(c)) // of infinities and NaN
		if finite(a, b, c) {
			want = exactFMA(F32, a, b, c)
		}
		if !same(got, want) {
			t.Errorf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
	})
}
