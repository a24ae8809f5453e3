package statistics

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Effect is how far something has moved, with the interval that holds it at the
// confidence asked for; infinite with too few samples.
type Effect struct {
	Size, Low, High float64
	P               float64 // chance of moving as far by accident, not adjusted
	N               int     // samples: pairs, or those of the smaller side
	z               float64 // of P
}

// Paired is the effect that differences between pairs show: their median, and
// [SignedRank]. There is at least one.
func Paired(differences []float64, confidence float64) Effect {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(differences), &benchmath.DefaultThresholds),
		confidence)
	e := Effect{Size: s.Center, Low: s.Lo, High: s.Hi, N: len(differences)}
	e.P, e.z = SignedRank(differences)
	return e
}

// Shift is how far head lies above base: the median of all differences between the two,
// with its interval (Hodges and Lehmann 1963), and the test of Mann and Whitney. Both have
// a sample at least. The ends of the interval are the differences of those orders that the
// test would just not reject, by its normal approximation.
func Shift(base, head []float64, confidence float64) Effect {
	n, m := len(base), len(head)
	all := differencesOf(base, head)
	sample := func(x []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(x), &benchmath.DefaultThresholds)
	}
	middle := (all.nth((all.len()-1)/2) + all.nth(all.len()/2)) / 2
	e := Effect{Size: middle, Low: math.Inf(-1), High: math.Inf(1), N: min(n, m)}
	e.P = benchmath.AssumeNothing.Compare(sample(base), sample(head)).P
	e.z = NormalQuantile(1 - float64(max(e.P, 1e-15)/2))
	spread := math.Sqrt(float64(n*m*(n+m+1)) / 12)
	margin := float64(NormalQuantile(float64((1+confidence)/2)) * spread)
	if k := int(math.Floor(float64(float64(n*m)/2) - margin)); k >= 0 {
		e.Low, e.High = all.nth(k), all.nth(all.len()-1-k)
	}
	return e
}

// NormalQuantile is the number that a standard normal variable does not exceed with probability p.
func NormalQuantile(p float64) float64 { return float64(math.Sqrt2 * math.Erfinv(p+p-1)) }

// Verdict is what an effect comes to.
type Verdict string

// Verdicts.
const (
	Improved     Verdict = "improved"
	Regressed    Verdict = "regressed"
	Unchanged    Verdict = "unchanged"
	Inconclusive Verdict = "inconclusive"
)

// Judge is the verdict on an effect of which more is worse: it has to be as large as the
// smallest that counts, and its adjusted chance below alpha. It is none if the interval
// holds nothing that counts, or if it is beyond doubt and too small. Anything else needs
// more samples.
func (e Effect) Judge(adjusted, alpha, least float64) Verdict {
	switch {
	case adjusted < alpha && e.Size >= least:
		return Regressed
	case adjusted < alpha && e.Size <= -least:
		return Improved
	case adjusted < alpha, -least < e.Low && e.High < least:
		return Unchanged
	}
	return Inconclusive
}

// fewest is the number of samples that an interval takes at 95 %.
const fewest = 6

// More is about how many samples more it takes to tell, four times out of five, an effect
// of the size that was seen, or if that is smaller, of the least that counts: intervals
// and distances shrink with the root of the number. tests is how many share alpha.
func (e Effect) More(alpha, least float64, tests int) int {
	const power = 0.8
	wanted := NormalQuantile(1-alpha/float64(2*max(1, tests))) + NormalQuantile(power)
	if e.N < fewest || math.IsInf(e.Low, 0) || math.IsInf(e.High, 0) {
		return max(fewest-e.N, 1)
	}
	factor := 1.0
	if size := math.Abs(e.Size); size >= least && e.z != 0 {
		factor = float64(wanted/e.z) * float64(wanted/e.z)
	} else if width := (e.High - e.Low) / 2; width > 0 {
		apart := max(least-size, least/2)
		factor = float64(width/apart) * float64(width/apart)
	}
	return max(1, int(math.Ceil(float64(e.N)*(factor-1))))
}
