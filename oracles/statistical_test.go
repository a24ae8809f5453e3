package oracles

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// drawn is one simulated output of a kernel: what the oracle says, and what a
// faithful f32 evaluation made of the same inputs.
type drawn struct {
	answer Answer
	got    []float32
}

// used is the largest error of got as a fraction of the statistical bound, how
// many elements have one, and how many times sharper than the rigorous bound it
// is on average. Elements whose bound is 0 or not finite do not count.
func (d drawn) used() (most float64, elements int, sharper float64) {
	for i, want := range d.answer.Want {
		bound, ok := d.answer.Statistical(i)
		if !ok || bound == 0 || !finite(bound) {
			continue
		}
		elements++
		sharper += d.answer.Bound(i) / bound
		most = max(most, math.Abs(float64(d.got[i])-want)/bound)
	}
	return most, elements, sharper / float64(max(elements, 1))
}

// TestStatisticalBounds holds faithful evaluations of random inputs to the
// statistical bounds, and the bounds to being of the size of what is observed:
// no element may exceed its own, and half of the cases have to use some of it.
func TestStatisticalBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	const least = 0.03 // of the bound, by the median over cases of the largest error
	var total atomic.Int64
	t.Run("simulations", func(t *testing.T) {
		for _, s := range simulations() {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				median, most, elements, sharper := s.run()
				t.Logf("%8d elements: median %.3f, most %.3f of the bound, %.3g x sharper than the rigorous", elements,
					median, most, sharper)
				if most > 1 {
					t.Errorf("a faithful evaluation is %.3g x its statistical bound", most)
				}
				if median < least {
					t.Errorf("half of the cases use less than %.3g of the bound, want %g", median, least)
				}
				total.Add(int64(elements))
			})
		}
	})
	if !testing.Short() && total.Load() < 1e6 {
		t.Errorf("%d elements in all, want a million", total.Load())
	}
}

// TestStatisticalIsSharp finds the statistical bound of a long dot product at
// least five times below the rigorous one, in every order.
func TestStatisticalIsSharp(t *testing.T) {
	const n = 4096
	for _, s := range []Schedule{Sequential(), Strided(32, 4), Strided(256, 1), Halved(256), MatrixTiles(),
		AnyOrder()} {
		for seed := range 20 {
			r := source("sharp", seed)
			y := Contract{}.arithmetic().dotter(order{Schedule: s}).dot(inputs(r, "normal", F32, n),
				inputs(r, "normal", F32, n))
			if ratio := y.e / y.likely(); ratio < 5 {
				t.Errorf("%s, seed %d: the rigorous bound is %.3g x the statistical one, want 5", s, seed, ratio)
			}
		}
	}
}

// TestStatisticalCatches has sums that no proof condemns: an accumulator that
// truncates errs by less than twice as much as one that rounds may, but always in
// one direction.
func TestStatisticalCatches(t *testing.T) {
	const n = 4096
	s := Sequential()
	for seed := range 20 {
		r := source("truncated", seed)
		a, b := inputs(r, "positive", F32, n), inputs(r, "positive", F32, n)
		y := Contract{}.arithmetic().dotter(order{Schedule: s}).dot(a, b)
		var sum float32
		for i, x := range a {
			sum = towardsZero(float64(sum) + float64(float32(x*b[i])))
		}
		if err := math.Abs(float64(sum) - y.v); err > y.e || err <= y.likely() {
			t.Errorf("seed %d: a truncated sum errs by %.3g, want it between %.3g and %.3g", seed, err, y.likely(), y.e)
		}
	}
}

// towardsZero is x ≥ 0 truncated to f32.
func towardsZero(x float64) float32 {
	y := float32(x)
	if float64(y) > x {
		return math.Nextafter32(y, 0)
	}
	return y
}

// TestMoments draws what a kernel may hold and holds every operation's result to
// as many of its standard deviations as a bound has, and the deviation observed to at least a third
// of the one that was derived where operands are independent.
func TestMoments(t *testing.T) {
	const (
		draws  = 4000
		sample = 1.05 // what the deviation of a sample may be off
	)
	r := rand.New(rand.NewPCG(5, 2))
	m := Contract{}.arithmetic()
	operand := func() approx {
		v := float64(float32(0.5 + r.Float64()))
		return approx{v, 0x1p-16, moments{variance: 0x1p-40, systematic: 0x1p-22}}
	}
	hold := func(a approx) float32 { // as a kernel that has made systematic errors, too
		return float32(a.v + a.systematic + a.sigma()*max(-5, min(5, r.NormFloat64())))
	}
	for range 20 {
		a, b := operand(), operand()
		for _, op := range []struct {
			name string
			want approx
			of   func(x, y float32) float32
		}{
			{"add", m.add(a, b), func(x, y float32) float32 { return x + y }},
			{"add independent", m.addIndependent(a, b), func(x, y float32) float32 { return x + y }},
			{"sub", m.sub(a, b), func(x, y float32) float32 { return x - y }},
			{"mul", m.mul(a, b), func(x, y float32) float32 { return x * y }},
			{"div", m.div(a, b), func(x, y float32) float32 { return x / y }},
			{"rsqrt", m.rsqrt(a), func(x, _ float32) float32 { return rsqrt32(x) }},
			{"exp", m.exp(a), func(x, _ float32) float32 { return exp32(x) }},
			{"log1p", m.log1p(a), func(x, _ float32) float32 { return float32(math.Log1p(float64(x))) }},
		} {
			errs := make([]float64, draws)
			for i := range errs {
				d := float64(op.of(hold(a), hold(b))) - op.want.v
				errs[i] = d
				if likely := op.want.systematic + deviations*op.want.sigma(); math.Abs(d) > likely {
					t.Fatalf("%s of %g and %g: error %g, want at most %g", op.name, a.v, b.v, d, likely)
				}
			}
			if sigma := stat.PopStdDev(errs, nil); sigma > sample*op.want.sigma() || sigma < op.want.sigma()/3 {
				t.Errorf("%s of %g and %g: deviation %.3g, derived %.3g", op.name, a.v, b.v, sigma, op.want.sigma())
			}
		}
	}
}

// TestDeviations holds the number of deviations to what it promises, and to no more.
func TestDeviations(t *testing.T) {
	alarms := func(z float64) float64 { return Nights * NightlyElements * 2 * math.Exp(-z*z/2) }
	if p := alarms(deviations); p > FalseAlarms {
		t.Errorf("a year may raise a false alarm with a probability of %.3g, want at most %g", p, FalseAlarms)
	}
	if p := alarms(deviations - 0.1); p <= FalseAlarms {
		t.Errorf("%g deviations would be enough: %.3g", deviations-0.1, p)
	}
	// A rounding has no heavier tails than the bound takes it to have.
	for a := 0.01; a < 300; a *= 1.1 {
		if math.Sinh(a)/a > math.Exp(a*a/6) {
			t.Errorf("the moments of a rounding exceed those of a normal number at %g", a)
		}
	}
}
