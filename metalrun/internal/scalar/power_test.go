package scalar

import (
	"math"
	"math/rand/v2"
	"testing"
)

var (
	inf     = float32(math.Inf(1))
	nan     = float32(math.NaN())
	negZero = float32(math.Copysign(0, -1))
)

func TestPowSpecial(t *testing.T) {
	for _, c := range []struct{ x, y, pow, powr float32 }{
		{0, 0, 1, nan}, {negZero, 0, 1, nan}, {inf, 0, 1, nan}, {inf, negZero, 1, nan}, {nan, 0, 1, nan}, {2, 0, 1, 1},
		{1, nan, 1, nan}, {1, inf, 1, nan}, {1, -inf, 1, nan}, {1, 3, 1, 1}, {nan, 1, nan, nan}, {2, nan, nan, nan},
		{-1, inf, 1, nan}, {-1, -inf, 1, nan}, {-1, 3, -1, nan}, {-1, 4, 1, nan}, {-1, 0.5, nan, nan},
		{0, 3, 0, 0}, {0, 2, 0, 0}, {0, 0.5, 0, 0}, {0, inf, 0, 0}, {0, -3, inf, inf}, {0, -2, inf, inf},
		{0, -inf, inf, inf},
		{negZero, 3, negZero, 0}, {negZero, 2, 0, 0}, {negZero, -3, -inf, inf}, {negZero, -2, inf, inf},
		{negZero, -inf, inf, inf}, {negZero, -0.5, inf, inf},
		{inf, 3, inf, inf}, {inf, -3, 0, 0}, {-inf, 3, -inf, nan}, {-inf, 2, inf, nan}, {-inf, -3, negZero, nan},
		{-inf, 0.5, inf, nan}, {-inf, -0.5, 0, nan},
		{0.5, inf, 0, 0}, {0.5, -inf, inf, inf}, {2, inf, inf, inf}, {2, -inf, 0, 0}, {-0.5, inf, 0, nan},
		{-2, inf, inf, nan},
		{-8, 1.0 / 3, nan, nan}, {-2, 3, -8, nan}, {-2, 16777218, inf, nan}, {-2, 16777215, -inf, nan},
		{-3, -3, -1.0 / 27, nan},
	} {
		if got := F32.pow(c.x, c.y); !same(got, c.pow) {
			t.Errorf("F32.pow(%g, %g) = %g, want %g", c.x, c.y, got, c.pow)
		}
		if got := F32.powr(c.x, c.y); !same(got, c.powr) {
			t.Errorf("F32.powr(%g, %g) = %g, want %g", c.x, c.y, got, c.powr)
		}
	}
}

// TestPowTies holds powers that are exact and halfway between two numbers.
func TestPowTies(t *testing.T) {
	for _, c := range []struct {
		f          Format
		x, y, want float32
	}{
		{F32, 4097, 2, 16785408},  // 16785409: down to even
		{F32, 4099, 2, 16801800},  // 16801801: down to even
		{F32, 5791, 2, 33535680},  // 33535681
		{F32, 17, 6, 24137568},    // 24137569
		{F32, 81, 3.75, 14348907}, // 3^15, exact
		{F32, 2, -150, 0},         // half the smallest number
		{F32, 2, -149, 0x1p-149},
		{F32, 0.25, 75, 0},
		{F32, 8, -50, 0},
		{F32, 0x1.8p-75, 2, 0x1p-149}, // 2.25·2^-150
		{F32, 0x1p-50, 3, 0},
		{Half, 45, 2, 2025},     // exact
		{Half, 47, 2, 2208},     // 2209, between 2208 and 2210
		{Half, 49, 2, 2400},     // 2401, between 2400 and 2402
		{Half, 51, 2, 2600},     // 2601
		{Half, 0.5, 25, 0},      // half the smallest number
		{Half, 2, 15.5, 46336},  // no tie: 46340.95
		{Bfloat, 17, 2, 288},    // 289, between 288 and 290
		{Bfloat, 19, 2, 360},    // 361, between 360 and 362
		{Bfloat, 21, 2, 440},    // 441, between 440 and 442
		{Bfloat, 7, 3, 344},     // 343, between 342 and 344: up to even
		{Bfloat, 2, -134, 0},    // half the smallest number
		{Bfloat, 0x1p-67, 2, 0}, // the same
	} {
		if got := c.f.pow(c.x, c.y); !same(got, c.want) {
			t.Errorf("format %d: pow(%g, %g) = %g, want %g", c.f, c.x, c.y, got, c.want)
		}
	}
	for n := float32(3); n < 5793; n += 2 { // squares of up to 25 bits: rounded as products are
		if got, want := F32.pow(n, 2), n*n; got != want {
			t.Fatalf("F32.pow(%g, 2) = %g, want %g", n, got, want)
		}
		if got := F32.pow(n*n, 0.5); n*n < 1<<24 && got != n {
			t.Fatalf("F32.pow(%g, 0.5) = %g, want %g", n*n, got, n)
		}
	}
}

func TestPow(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	r := rand.New(rand.NewPCG(13, 14))
	count := 800
	if exhaustive {
		count = 10000
	}
	for range count {
		x := float32(math.Ldexp(1+r.Float64(), r.IntN(60)-30))
		y := float32(r.Float64()*8-4) * float32(math.Ldexp(1, r.IntN(6)-4))
		if r.IntN(8) == 0 {
			x = 1 + (r.Float32()-0.5)*0x1p-15
			y *= 0x1p15
		}
		if exact, ok := exactPower(float64(x), float64(y)); ok {
			t.Fatalf("exactPower(%g, %g) = %g by chance", x, y, exact)
		}
		p := refPow(bf(float64(x)), bf(float64(y)))
		for _, f := range []Format{F32, Half, Bfloat} {
			x, y := f.Narrow(x), f.Narrow(y)
			if f != F32 {
				if x == 1 || y == 0 || x-x != 0 || x == 0 {
					continue
				}
				if _, ok := exactPower(float64(x), float64(y)); ok {
					continue
				}
				p = refPow(bf(float64(x)), bf(float64(y)))
			}
			if got, want := f.pow(x, y), round(f, p); !same(got, want) {
				t.Fatalf("format %d: pow(%g, %g) = %g, want %g", f, x, y, got, want)
			}
			if got := f.powr(x, y); !same(got, f.pow(x, y)) {
				t.Fatalf("format %d: powr(%g, %g) = %g", f, x, y, got)
			}
		}
	}
}

func TestAtan2Special(t *testing.T) {
	const pi, quarter = math.Pi, math.Pi / 4
	for _, c := range []struct{ y, x, want float32 }{
		{0, 0, 0}, {negZero, 0, negZero}, {0, negZero, pi}, {negZero, negZero, -pi}, {0, 1, 0}, {negZero, 1, negZero},
		{0, -1, pi}, {negZero, -1, -pi}, {1, 0, pi / 2}, {1, negZero, pi / 2}, {-1, 0, -pi / 2}, {inf, inf, quarter},
		{inf, -inf, 3 * quarter}, {-inf, inf, -quarter}, {-inf, -inf, -3 * quarter}, {inf, 5, pi / 2},
		{-inf, -5, -pi / 2},
		{5, inf, 0}, {-5, inf, negZero}, {5, -inf, pi}, {-5, -inf, -pi}, {nan, 1, nan}, {1, nan, nan}, {nan, inf, nan},
		{1, 1, quarter}, {1, -1, 3 * quarter}, {-1, -1, -3 * quarter},
		{0x1p-149, 0x1p127, 0}, {-0x1p-149, 0x1p127, negZero},
		{3 * 0x1p-149, 2, 0x1p-149}, // 1.5 less a little: no tie
		{0x1p-149, 2, 0},            // 0.5 less a little: down, as the tie would
		{0x1p-148, 4, 0}, {0x1p-149, 1, 0x1p-149},
	} {
		if got := F32.atan2(c.y, c.x); !same(got, c.want) {
			t.Errorf("F32.atan2(%g, %g) = %g, want %g", c.y, c.x, got, c.want)
		}
	}
	if got := Half.atan2(3*0x1p-24, 2); got != 0x1p-24 {
		t.Errorf("half: atan2(3·2^-24, 2) = %g, want 2^-24", got)
	}
}

func TestAtan2(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	r := rand.New(rand.NewPCG(15, 16))
	count := 800
	if exhaustive {
		count = 10000
	}
	for range count {
		y, x := random(r), random(r)
		for _, f := range []Format{F32, Half, Bfloat} {
			y, x := f.Narrow(y), f.Narrow(x)
			if x == 0 || y == 0 || !finite(x, y) {
				continue
			}
			want := round(f, refAtan2(bf(float64(y)), bf(float64(x))))
			if got := f.atan2(y, x); !same(got, want) {
				t.Fatalf("format %d: atan2(%g, %g) = %g, want %g", f, y, x, got, want)
			}
		}
	}
}
