package statistics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var near = cmpopts.EquateApprox(1e-12, 0)

// Chances counted by hand: of the 2^n ways to give signs to the ranks, and published
// critical values.
func TestSignedRank(t *testing.T) {
	to := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i + 1)
		}
		return x
	}
	for _, test := range []struct {
		name string
		x    []float64
		p    float64
	}{
		{"none", nil, 1},
		{"zeros do not count", []float64{0, 0, 3}, 1},
		{"all of five", to(5), 2.0 / 32},
		{"all of five, below", []float64{-1, -2, -3, -4, -5}, 2.0 / 32},
		{"all but the least of five", []float64{-1, 2, 3, 4, 5}, 2 * 2.0 / 32},
		{"ties share ranks", []float64{1, 1, 1, -1}, 2 * 5.0 / 16},
		{"critical value of W for ten is 8 at 0.05", []float64{-8, 1, 2, 3, 4, 5, 6, 7, 9, 10}, 0.048828125},
	} {
		if p, _ := SignedRank(test.x); math.Abs(p-test.p) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.name, p, test.p)
		}
	}
	exact, z := SignedRank(append(to(45), -50, -51, -52, -53, -54, -55, -56, -57, -58, -59, -60))
	if approximate := math.Erfc(math.Abs(z) / math.Sqrt2); math.Abs(exact-approximate) > 0.1*exact {
		t.Errorf("%v by counting, and about %v", exact, approximate)
	}
}

// Chances are multiplied by the number of those that are not less, and never lie below
// the one before.
func TestHolm(t *testing.T) {
	if diff := cmp.Diff([]float64{0.06, 0.04, 0.06, 0.06}, Holm([]float64{0.03, 0.01, 0.04, 0.02}), near); diff != "" {
		t.Errorf("adjusted (-want +got):\n%s", diff)
	}
}

// The interval of a shift has the ends that tables of the Mann–Whitney test give: with
// six and six, the critical value 5, so the sixth difference from either end.
func TestShift(t *testing.T) {
	base, head := []float64{1, 2, 3, 4, 5, 6}, []float64{11, 22, 33, 44, 55, 66}
	e := Shift(base, head, 0.95)
	want := Effect{Size: 35, Low: 10, High: 60, P: 2.0 / 924, N: 6}
	// The differences in order are 5 6 7 8 9 10 … 60 61 62 63 64 65.
	if diff := cmp.Diff(want, e, near, cmpopts.IgnoreUnexported(Effect{})); diff != "" {
		t.Errorf("shift (-want +got):\n%s", diff)
	}
	if e := Shift([]float64{1}, []float64{2}, 0.95); !math.IsInf(e.Low, -1) || !math.IsInf(e.High, 1) || e.Size != 1 {
		t.Errorf("one sample each: %+v", e)
	}
}

func TestJudge(t *testing.T) {
	for _, test := range []struct {
		e    Effect
		p    float64
		want Verdict
	}{
		{Effect{Size: 0.2, Low: 0.15, High: 0.25}, 0.01, Regressed},
		{Effect{Size: -0.2, Low: -0.25, High: -0.15}, 0.01, Improved},
		{Effect{Size: 0.02, Low: 0.01, High: 0.03}, 0.01, Unchanged}, // and beyond doubt
		{Effect{Size: 0.02, Low: -0.05, High: 0.09}, 0.5, Unchanged},
		{Effect{Size: 0.02, Low: -0.05, High: 0.11}, 0.5, Inconclusive},
		{Effect{Size: 0.2, Low: 0.15, High: 0.25}, 0.06, Inconclusive}, // among so many tests
		{Effect{Size: 0, Low: math.Inf(-1), High: math.Inf(1)}, 1, Inconclusive},
	} {
		if got := test.e.Judge(test.p, 0.05, 0.1); got != test.want {
			t.Errorf("%+v, p %v: %s, want %s", test.e, test.p, got, test.want)
		}
	}
}

// As many samples more as it says are enough, four times in five or more often; half as
// many are not.
func TestMore(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	sample := func(n int, level float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = level + 0.1*draw.NormFloat64()
		}
		return x
	}
	const least, alpha, tests = 0.05, 0.05, 10
	found := func(n int) (times int) {
		for range 100 {
			e := Shift(sample(n, 0), sample(n, 0.1), 0.95)
			if e.Judge(min(1, tests*e.P), alpha, least) == Regressed {
				times++
			}
		}
		return times
	}
	more := Shift(evenly(8, 0), evenly(8, 0.1), 0.95).More(alpha, least, tests)
	if few, enough := found(8+more/4), found(8+2*more); few > 70 || enough < 80 {
		t.Errorf("with %d more: %d of 100 found with a quarter of them, %d with twice as many", more, few, enough)
	}
	if got := Shift([]float64{1}, []float64{2}, 0.95).More(alpha, least, tests); got != fewest-1 {
		t.Errorf("of one sample: %d more", got)
	}
}

// evenly is a sample without accidents: quantiles of a normal distribution.
func evenly(n int, level float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = level + 0.1*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/float64(n)-1)
	}
	return x
}

// Steps are found where they are, in noise of any shape, and none in noise alone.
func TestSteps(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	noises := map[string]func() float64{
		"normal": draw.NormFloat64,
		"heavy":  func() float64 { return draw.NormFloat64() / math.Max(0.2, math.Abs(draw.NormFloat64())) },
		"skewed": draw.ExpFloat64,
	}
	series := func(noise func() float64, n int, steps map[int]float64) []float64 {
		x, level := make([]float64, n), 0.0
		for i := range x {
			level += steps[i]
			x[i] = level + noise()
		}
		return x
	}
	const alpha, times = 1e-3, 20
	for name, noise := range noises {
		wrong, exact := 0, 0
		for range times {
			wrong += len(Steps(series(noise, 30, nil), alpha, 0))
			if s := Steps(series(noise, 30, map[int]float64{18: 12}), alpha, 1); len(s) == 1 && s[0].At >= 17 &&
				s[0].At <= 19 {
				exact++
			}
		}
		if wrong > 1 || exact < times-1 {
			t.Errorf("%s: %d false steps, and %d of %d found", name, wrong, exact, times)
		}
	}
	got := Steps(series(func() float64 { return 0.01 * draw.NormFloat64() }, 45, map[int]float64{15: 1, 30: -3}),
		alpha, 0.1)
	if len(got) != 2 || got[0].At != 15 || got[1].At != 30 || math.Abs(got[1].After+2) > 0.1 {
		t.Errorf("two steps: %+v", got)
	}
	slow := make([]float64, 30)
	for i := range slow {
		slow[i] = 0.01*float64(i) + 0.02*draw.NormFloat64()
	}
	if got := Steps(slow, alpha, 0.05); len(got) == 0 {
		t.Error("a slow decline is not found")
	}
}

// A chance is that of all orders of a series: of six samples, whose only cut is in the
// middle, 2 of the 20 ways to draw three have the three least or the three largest.
func TestRankChance(t *testing.T) {
	for _, test := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4, 5, 6}, 0.1},
		{[]float64{1, 2}, 1},
		{[]float64{4, 4, 4, 4, 4, 4, 4, 4}, 1},
		{[]float64{1, 1, 1, 1, 2, 2, 2, 2}, 3 * 2.0 / 70}, // three cuts, ties and all
	} {
		if got := rankChance(test.x); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", test.x, got, test.want)
		}
	}
	if n := Latency(30, 1e-4); n != 5 { // 2/C(30, 4) is 7.3e-5, and 2/C(30, 5) is 1.4e-5
		t.Errorf("a step of 30 is found after %d, want 5", n)
	}
}
