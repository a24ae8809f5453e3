package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestTruncate(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	check := func(typ Int, x float32) {
		want := uint64(0)
		switch low, high := typ.limits(); {
		case x != x:
		case math.IsInf(float64(x), 1):
			want = high
		case math.IsInf(float64(x), -1):
			want = low
		default:
			v, _ := bf(float64(x)).Int(nil)
			want = typ.saturate(v)
		}
		if got := typ.Truncate(x); got != want {
			t.Fatalf("%v from %g = %v, want %v", typ, x, typ.value(got), typ.value(want))
		}
	}
	r := rand.New(rand.NewPCG(27, 28))
	for _, typ := range intTypes {
		for _, x := range edges() {
			check(typ, x)
		}
		for e := range 68 {
			p := float32(math.Ldexp(1, e))
			for _, x := range []float32{p, math.Nextafter32(p, 0), math.Nextafter32(p, inf), p - 0.5, p + 0.5} {
				check(typ, x)
				check(typ, -x)
			}
		}
		for range 2000 {
			check(typ, random(r)*1e5)
		}
	}
	for b := range uint32(1 << 16) {
		for _, typ := range intTypes {
			check(typ, FromHalfBits(uint16(b)))
			check(typ, FromBfloatBits(uint16(b)))
		}
	}
	if got := ToInteger[int16](-40000); got != math.MinInt16 {
		t.Errorf("ToInteger[int16](-40000) = %d", got)
	}
	if got := ToInteger[uint8](300); got != 255 {
		t.Errorf("ToInteger[uint8](300) = %d", got)
	}
}

// TestFromInteger draws numbers around the midpoints of all formats at all
// magnitudes, where rounding to float64 first would go wrong.
func TestFromInteger(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	check := func(typ Int, x uint64) {
		v := typ.value(x)
		for _, f := range []Format{F32, Half, Bfloat} {
			want := float32(0)
			if v.Sign() != 0 {
				want = round(f, new(big.Float).SetInt(v))
			}
			if got := f.FromInteger(typ, x); !same(got, want) {
				t.Fatalf("format %d from %v = %g, want %g", f, v, got, want)
			}
		}
	}
	for _, typ := range intTypes {
		low, high := typ.limits()
		check(typ, low)
		check(typ, high)
		check(typ, 0)
		for range 2000 {
			check(typ, typ.operands(r))
			n := uint64(1) << r.IntN(64)
			p := []int{24, 11, 8}[r.IntN(3)]
			v := n | n>>p | uint64(r.IntN(3)-1) | n>>1&-uint64(r.IntN(2))
			check(typ, typ.Canonical(v))
		}
	}
	if F32.Round(1+0x1p-24+0x1p-50) != 1+0x1p-23 || Half.Round(1+0x1p-11+0x1p-50) != 1+0x1p-10 ||
		Bfloat.Round(1+0x1p-8+0x1p-50) != 1+0x1p-7 {
		t.Error("float64 is rounded twice")
	}
}
