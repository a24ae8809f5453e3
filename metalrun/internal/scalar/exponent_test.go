package scalar

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRounding(t *testing.T) {
	for _, f := range []struct {
		name string
		got  func(float32) float32
		want func(float64) float64
	}{
		{"floor", Floor, math.Floor}, {"ceil", Ceil, math.Ceil}, {"trunc", Trunc, math.Trunc},
		{"rint", Rint, math.RoundToEven}, {"round", RoundAway, math.Round},
	} {
		check := func(x float32) {
			if got, want := f.got(x), float32(f.want(float64(x))); !same(got, want) {
				t.Errorf("%s(%g) = %g, want %g", f.name, x, got, want)
			}
		}
		for _, x := range edges() {
			check(x)
		}
		for b := uint64(0); b < 1<<32; b += 65521 {
			check(math.Float32frombits(uint32(b)))
		}
	}
}

func TestFract(t *testing.T) {
	for _, c := range []struct {
		f       Format
		x, want float32
	}{
		{F32, 1.25, 0.25}, {F32, -1.25, 0.75}, {F32, 0, 0}, {F32, 3, 0}, {F32, -3, 0}, {F32, -0x1p-30, 0x1.fffffep-1},
		{F32, -0x1p-24, 0x1.fffffep-1}, {F32, nan, nan}, {F32, inf, nan}, {F32, -inf, nan}, {F32, 1e30, 0},
		{Half, -0x1p-24, 0x1.ffcp-1}, {Half, 2.75, 0.75}, {Bfloat, -0x1p-20, 0x1.fep-1}, {Bfloat, 2.75, 0.75},
	} {
		if got := c.f.fract(c.x); !same(got, c.want) {
			t.Errorf("format %d: fract(%g) = %g, want %g", c.f, c.x, got, c.want)
		}
	}
	for b := uint64(0); b < 1<<32; b += 65521 {
		if x := math.Float32frombits(uint32(b)); finite(x) {
			if got := F32.fract(x); !(got >= 0 && got < 1) {
				t.Fatalf("fract(%g) = %g", x, got)
			}
		}
	}
}

func TestModf(t *testing.T) {
	for _, c := range []struct{ x, fraction, integer float32 }{
		{2.75, 0.75, 2}, {-2.75, -0.75, -2}, {3, 0, 3}, {-3, negZero, -3}, {-0.5, -0.5, negZero}, {0, 0, 0},
		{negZero, negZero, negZero}, {inf, 0, inf}, {-inf, negZero, -inf}, {nan, nan, nan}, {0x1p-149, 0x1p-149, 0},
	} {
		if f, i := Modf(c.x); !same(f, c.fraction) || !same(i, c.integer) {
			t.Errorf("Modf(%g) = %g, %g, want %g, %g", c.x, f, i, c.fraction, c.integer)
		}
	}
}

func TestIlogbFrexp(t *testing.T) {
	for _, c := range []struct {
		x float32
		e int32
	}{{1, 0}, {-1.5, 0}, {2, 1}, {0.75, -1}, {0x1p-149, -149}, {0x1.8p-127, -127}, {math.MaxFloat32, 127},
		{0, IlogbZero}, {negZero, IlogbZero}, {inf, IlogbInfinite}, {nan, IlogbInfinite}} {
		if got := Ilogb(c.x); got != c.e {
			t.Errorf("Ilogb(%g) = %d, want %d", c.x, got, c.e)
		}
	}
	for b := uint64(0); b < 1<<32; b += 65521 {
		x := math.Float32frombits(uint32(b))
		m, e := Frexp(x)
		want, exp := math.Frexp(float64(x))
		if !same(m, float32(want)) || int(e) != exp {
			t.Fatalf("Frexp(%g) = %g, %d, want %g, %d", x, m, e, want, exp)
		}
	}
}

func TestLdexp(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 5000 {
		x, n := random(r), int32(r.IntN(600)-300)
		if r.IntN(50) == 0 {
			n = math.MinInt32 + int32(r.IntN(2))*math.MaxInt32
		}
		for _, f := range []Format{F32, Half, Bfloat} {
			x := f.Narrow(x)
			want := x // zeros, infinities and NaN
			if finite(x) && x != 0 {
				want = round(f, bScale(bf(float64(x)), int(max(min(n, 5000), -5000))))
			}
			if got := f.Ldexp(x, n); !same(got, want) {
				t.Fatalf("format %d: ldexp(%g, %d) = %g, want %g", f, x, n, got, want)
			}
		}
	}
}

func TestNextafter(t *testing.T) {
	for _, x := range edges() {
		for _, y := range []float32{inf, -inf, 0, negZero, x, nan, 1} {
			want := math.Nextafter32(x, y)
			if x == y {
				want = y // as in C, of zeros the second
			}
			if got := F32.nextafter(x, y); !same(got, want) {
				t.Errorf("nextafter(%g, %g) = %g, want %g", x, y, got, want)
			}
		}
	}
	for _, n := range narrow {
		for b := range n.infinity {
			x, up := n.from(uint16(b)), n.from(uint16(b+1))
			for _, c := range []struct{ x, y, want float32 }{{x, inf, up}, {up, x, x}, {-x, -inf, -up}, {-up, -x, -x}} {
				if got := n.f.nextafter(c.x, c.y); got != c.want {
					t.Fatalf("%s: nextafter(%g, %g) = %g, want %g", n.name, c.x, c.y, got, c.want)
				}
			}
		}
	}
}

func TestFmod(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	check := func(x, y float32) {
		// The remainder of float32 values is a float32, and math.Mod is exact.
		if got, want := Fmod(x, y), float32(math.Mod(float64(x), float64(y))); !same(got, want) {
			t.Fatalf("fmod(%g, %g) = %g, want %g", x, y, got, want)
		}
	}
	for _, x := range edges() {
		for _, y := range []float32{1, 3, -0.7, 0, inf, nan, 0x1p-149, 0x1p127, math.MaxFloat32, x} {
			check(x, y)
		}
	}
	for range 5000 {
		check(random(r), random(r))
	}
}
