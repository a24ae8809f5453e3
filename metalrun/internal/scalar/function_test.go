package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
)

// edges are arguments at which functions change their behaviour: zeros, limits of
// formats, neighbours of 1, multiples of π/2, thresholds of reductions.
func edges() []float32 {
	var x []float32
	add := func(vs ...float64) {
		for _, v := range vs {
			c := float32(v)
			for _, w := range []float32{c, math.Nextafter32(c, 0), math.Nextafter32(c, float32(math.Inf(1)))} {
				x = append(x, w, -w)
			}
		}
	}
	add(0, 0x1p-149, 0x1p-126, 0x1p-24, 0x1p-14, 0x1p-12, 0x1p-5, 0.25, 0.5, 0.78, math.Pi/4, 1, 1.5, 2, 10, 22)
	add(math.Pi/2, math.Pi, 2*math.Pi, 100*math.Pi, 1e4*math.Pi, 1<<20, 1<<21, 1<<23, 1<<24, 1<<25, 1e10, 0x1p80)
	add(88.722839, 89.415985, 103.97207, 127, 128, 149, 150, 133, 134, 38.53184, 45.15, 9.01, 11.09, 65504, 65520)
	add(16367173*0x1p72, 1e36, math.MaxFloat32, math.Inf(1))
	for i := range 33 {
		add(float64(i)/32, float64(i)+0.5)
	}
	return append(x, float32(math.NaN()))
}

// random draws bit patterns, and moderate numbers of both signs.
func random(r *rand.Rand) float32 {
	if r.IntN(2) == 0 {
		return math.Float32frombits(r.Uint32())
	}
	return float32(math.Ldexp(r.Float64()*2-1, r.IntN(16)-8))
}

func TestElementaryAgainstReference(t *testing.T) {
	count := 60
	if exhaustive {
		count = 4000
	}
	for _, n := range nearlyAll {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, 6))
			xs := edges()
			for range count {
				xs = append(xs, random(r))
			}
			f32 := Float(n.name).Unary(F32)
			for i, x := range xs {
				if testing.Short() && i%5 != 0 {
					continue
				}
				if got, want := f32(x), n.want(F32, x, true); !same(got, want) {
					t.Errorf("%s(%g [%08x]) = %g, want %g", n.name, x, math.Float32bits(x), got, want)
				}
			}
		})
	}
}

var exhaustive = os.Getenv("CONFORM_EXHAUSTIVE") == "1"

// TestElementaryInFormats tries all values of half and bfloat.
func TestElementaryInFormats(t *testing.T) {
	for _, n := range nearlyAll {
		for _, f := range []Format{Half, Bfloat} {
			t.Run(n.name, func(t *testing.T) {
				t.Parallel()
				got := Float(n.name).Unary(f)
				for b := range uint32(1 << 16) {
					x := f.FromBits(b)
					if got, want := got(x), n.want(f, x, false); !same(got, want) {
						t.Fatalf("format %d: %s(%g) = %g, want %g", f, n.name, x, got, want)
					}
				}
			})
		}
	}
}

// TestElementaryEverywhere tries 65,536 float32 evenly spaced, or every one with
// CONFORM_EXHAUSTIVE=1.
func TestElementaryEverywhere(t *testing.T) {
	step := uint64(65521)
	if exhaustive {
		step = 1
	}
	for _, n := range nearlyAll {
		t.Run(n.name, func(t *testing.T) {
			f32 := Float(n.name).Unary(F32)
			var wait sync.WaitGroup
			workers := uint64(runtime.GOMAXPROCS(0))
			for w := range workers {
				wait.Go(func() {
					for b := w * step; b < 1<<32; b += workers * step {
						x := math.Float32frombits(uint32(b))
						if got, want := f32(x), n.want(F32, x, false); !same(got, want) {
							t.Errorf("%s(%g [%08x]) = %g, want %g", n.name, x, b, got, want)
							return
						}
					}
				})
			}
			wait.Wait()
		})
	}
}

// TestEvaluationsWithinBounds holds the float64 evaluations, whose errors the
// last rounding hides, to what they were measured to reach, well within the
// bounds that they state.
func TestEvaluationsWithinBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	r := rand.New(rand.NewPCG(9, 10))
	xs := edges()
	if !exhaustive {
		r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
		xs = xs[:120]
	}
	for range 50 {
		xs = append(xs, random(r))
	}
	for _, n := range nearlyAll {
		e := Float(n.name).elementary
		if e.approx == nil {
			continue
		}
		worst, at := 0.0, float32(0)
		for _, x := range xs {
			y := n.std(float64(x))
			if a := math.Abs(y); !(a > 0x1p-160 && a < 0x1p130) || math.IsInf(float64(x), 0) {
				continue
			}
			want := n.ref(bf(float64(x)))
			if want.Sign() == 0 || want.MantExp(nil) < -300 {
				continue // an exact zero, which the reference misses by its last bits
			}
			units := bApprox(bQuo(bSub(bf(e.approx(float64(x))), want), want)) * 0x1p53
			if math.Abs(units) > worst {
				worst, at = math.Abs(units), x
			}
		}
		t.Logf("%-8s %5.2f units at %g", n.name, worst, at)
		if worst > 6 {
			t.Errorf("%s(%g) is off by %.1f units in float64", n.name, at, worst)
		}
	}
}

// TestWide holds the evaluations with math/big, which one argument in a million
// needs, to the error that converge relies on.
func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const bits = 128
	w := wide{bits + guard}
	for _, n := range nearlyAll {
		e := Float(n.name).elementary
		if e.approx == nil {
			continue
		}
		for range 40 {
			x := random(r)
			y := math.Abs(n.std(float64(x)))
			if !(y > 0x1p-160 && y < 0x1p130) || y == 1 || !finite(x) {
				continue
			}
			want := n.ref(bf(float64(x)))
			if want.Sign() == 0 || want.MantExp(nil) < -300 {
				continue // an exact zero
			}
			got := e.exact(w, w.from(float64(x)))
			if d := bSub(got, want); d.Sign() != 0 && d.MantExp(nil) > want.MantExp(nil)-bits {
				t.Errorf("%s(%g) = %.40g with math/big, want %.40g", n.name, x, got, want)
			}
		}
	}
}

// TestConverge decides what is closer to a midpoint than the first try resolves.
func TestConverge(t *testing.T) {
	for _, f := range []Format{F32, Half, Bfloat} {
		mid := bScale(bAdd(bf(float64(f.nextafter(1, 2))), bf(1)), -1)
		for _, n := range []int{-60, -130, -300} {
			above := f.converge(func(w wide) *big.Float { return w.wider(400).add(mid, bScale(bf(1), n)) })
			below := f.converge(func(w wide) *big.Float { return w.wider(400).sub(mid, bScale(bf(1), n)) })
			if above != f.nextafter(1, 2) || below != 1 {
				t.Errorf("format %d: 2^%d above and below a midpoint gives %g and %g", f, n, above, below)
			}
		}
	}
}

// TestRoundable holds the tests that lead to math/big, which no wrong
// result would betray: around a midpoint they must say no.
func TestRoundable(t *testing.T) {
	mid := 1 + 0x1p-24 // the midpoint of 1 and its upper neighbour
	for _, c := range []struct {
		y    float64
		want bool
	}{{mid, false}, {mid * (1 + 0x1p-46), false}, {mid * (1 - 0x1p-46), false}, {mid * (1 + 0x1p-43), true}, {1, true},
		{0x1p-149, false}, {0, false}, {math.Inf(1), false}, {math.NaN(), false}, {-mid, false}, {-1.25, true}} {
		if got := roundable(c.y); got != c.want {
			t.Errorf("roundable(%x) = %v", c.y, got)
		}
	}
	for f, p := range map[Format]int{F32: 24, Half: 11, Bfloat: 8} {
		mid := 1 + math.Ldexp(1, -p)
		for _, c := range []struct {
			y    float64
			want bool
		}{{mid, false}, {mid * (1 + 0x1p-46), false}, {mid * (1 - 0x1p-46), false}, {mid * (1 + 0x1p-43), true},
			{1, true}, {0, true}, {math.Inf(-1), true}} {
			if _, got := f.decide(c.y, slack); got != c.want {
				t.Errorf("format %d: decide(%x) = %v", f, c.y, got)
			}
		}
	}
}
