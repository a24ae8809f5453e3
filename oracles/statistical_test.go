package oracles

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	const least = 0.05 // of the bound, by the median over cases of the largest error
	total := 0
	for _, s := range simulations() {
		cases := s.cases
		if testing.Short() {
			cases = max(cases/10, 8)
		}
		var used []float64
		var sharper float64
		elements := 0
		for seed := range cases {
			var most float64
			r := source(s.name, seed)
			for _, d := range s.draw(r, randomFamilies[seed%len(randomFamilies)]) {
				over, n, ratio := d.used()
				most, elements, sharper = max(most, over), elements+n, sharper+ratio*float64(n)
			}
			used = append(used, most)
		}
		slices.Sort(used)
		median, most := used[len(used)/2], used[len(used)-1]
		t.Logf("%-32s %8d elements: median %.3f, most %.3f of the bound, %.3g x sharper than the rigorous", s.name, elements, median, most, sharper/float64(elements))
		if most > 1 {
			t.Errorf("%s: a faithful evaluation is %.3g x its statistical bound", s.name, most)
		}
		if median < least {
			t.Errorf("%s: half of the cases use less than %.3g of the bound, want %g", s.name, median, least)
		}
		total += elements
	}
	if !testing.Short() && total < 1e6 {
		t.Errorf("%d elements in all, want a million", total)
	}
}

// TestStatisticalIsSharp finds the statistical bound of a long dot product at
// least five times below the rigorous one, in every order.
func TestStatisticalIsSharp(t *testing.T) {
	const n = 4096
	for _, s := range []Schedule{Sequential(), Strided(32, 4), Strided(256, 1), Halved(256), MatrixTiles(), AnyOrder()} {
		for seed := range 20 {
			r := source("sharp", seed)
			y := Contract{}.arithmetic().dotter(order{Schedule: s}).dot(inputs(r, "normal", F32, n), inputs(r, "normal", F32, n))
			if ratio := y.e / y.likely(); ratio < 5 {
				t.Errorf("%s, seed %d: the rigorous bound is %.3g x the statistical one, want 5", s, seed, ratio)
			}
		}
	}
}

// TestStatisticalCatches has sums that no proof condemns: an accumulator that
// truncates errs by less than twice what one that rounds may, all in one
// direction.
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

// TestSpreads draws what a kernel may hold and holds every operation's result to
// six deviations of its spread, and the deviation observed to at least a third
// of the one that was derived where operands are independent.
func TestSpreads(t *testing.T) {
	const (
		draws  = 4000
		sample = 1.05 // what the deviation of a sample may be off
	)
	r := rand.New(rand.NewPCG(5, 2))
	m := Contract{}.arithmetic()
	operand := func() approx {
		v := float64(float32(0.5 + r.Float64()))
		return approx{v, 0x1p-16, spread{variance: 0x1p-40, systematic: 0x1p-22}}
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
			var squares, mean float64
			for range draws {
				d := float64(op.of(hold(a), hold(b))) - op.want.v
				mean += d / draws
				squares += d * d / draws
				if likely := op.want.systematic + deviations*op.want.sigma(); math.Abs(d) > likely {
					t.Fatalf("%s of %g and %g: error %g, want at most %g", op.name, a.v, b.v, d, likely)
				}
			}
			if sigma := math.Sqrt(squares - mean*mean); sigma > sample*op.want.sigma() || sigma < op.want.sigma()/3 {
				t.Errorf("%s of %g and %g: deviation %.3g, derived %.3g", op.name, a.v, b.v, sigma, op.want.sigma())
			}
		}
	}
}

// TestStatisticalVerdicts keeps what a rigorous bound says by its value.
func TestStatisticalVerdicts(t *testing.T) {
	a := newAnswer(5, "all")
	inf := math.Inf(1)
	for i, e := range []float64{0, inf, math.NaN(), 100, 1} {
		a.give(i, approx{1, e, spread{variance: 4, systematic: 3}})
	}
	type verdict struct {
		Bound float64
		OK    bool
	}
	want := []verdict{
		{0, true}, {inf, true}, {math.NaN(), true}, {15, true}, {1, true},
	}
	var got []verdict
	for i := range a.Want {
		bound, ok := a.Statistical(i)
		got = append(got, verdict{bound, ok})
	}
	sameNaN := cmp.FilterValues(func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) }, cmp.Comparer(func(x, y float64) bool { return true }))
	if diff := cmp.Diff(want, got, sameNaN); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Part{{"systematic", 3}, {"6σ of roundings", 12}}, a.StatisticalParts(3)); diff != "" {
		t.Errorf("parts of a bound (-want +got):\n%s", diff)
	}
	if bound, ok := newRigorousAnswer(1, "all").Statistical(0); bound != 0 || ok {
		t.Errorf("an answer without a statistical bound has %g, %v", bound, ok)
	}
}
