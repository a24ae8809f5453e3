package statistics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Step is a place where the level of a series changes: before its sample At, from the
// median Before to the median After.
type Step struct {
	At            int
	Before, After float64
	P             float64 // of the series that was cut there, by accident anywhere in it
}

// leastSide is the fewest samples that a level is known from.
const leastSide = 3

// Steps finds the steps of a series that are at least so large, in order.
//
// A series is cut in two where the sum of the ranks of its first part is the farthest from
// what it would be by chance. Without a step any order of the samples is as likely as any
// other, so the chance of a sum as far off at one given place is counted exactly over all
// orders of these very samples, and the chance of one anywhere is at most the sum over the
// places. A cut is a step if that is below alpha: so a series without one has one found
// with a chance of at most alpha, whatever its noise is, and each part of a series that
// was cut is searched in the same way, again with alpha. With no more than N samples
// behind it no step can be seen: see [Latency].
//
// Where the samples on both sides are the nearest to their medians is where the step is.
func Steps(x []float64, alpha, least float64) []Step {
	return steps(x, 0, alpha, least)
}

func steps(x []float64, from int, alpha, least float64) []Step {
	p := stepChance(x)
	if !(p < alpha) {
		return nil
	}
	at := cut(x)
	s := Step{At: from + at, Before: Median(x[:at]), After: Median(x[at:]), P: p}
	list := steps(x[:at], from, alpha, least)
	if math.Abs(s.After-s.Before) >= least {
		list = append(list, s)
	}
	return append(list, steps(x[at:], from+at, alpha, least)...)
}

// Latency is the number of samples that have to follow a step of any size, in a series
// of n in all, before it can be found; n if there is no such number.
func Latency(n int, alpha float64) int {
	for after := leastSide; after <= n/2; after++ {
		if float64(places(n))*2/binomial(n, after) < alpha {
			return after
		}
	}
	return n
}

// places is the number of cuts that a series of n has.
func places(n int) int { return n - 2*leastSide + 1 }

// binomial is the number of ways to choose k of n.
func binomial(n, k int) float64 {
	all := 1.0
	for i := 1; i <= k; i++ {
		all *= float64(n-k+i) / float64(i)
	}
	return all
}

// stepChance bounds the chance that a series in random order has a cut as far off as the
// farthest of this one.
func stepChance(x []float64) float64 {
	n := len(x)
	if n < 2*leastSide {
		return 1
	}
	ranks := doubledRanks(x)
	total, squares := 0, 0.0
	for _, r := range ranks {
		total += r
		squares += float64(r * r)
	}
	mean := float64(total) / float64(n)
	variance := squares/float64(n) - float64(mean*mean)
	if variance <= 0 {
		return 1
	}
	best, sum, at, of := 0.0, 0, 0, 0
	for k := 1; k <= n-leastSide; k++ {
		if sum += ranks[k-1]; k < leastSide {
			continue
		}
		z := math.Abs(float64(sum)-float64(mean*float64(k))) / math.Sqrt(float64(variance*float64(k*(n-k)))/float64(n-1))
		if z > best {
			best, at, of = z, k, sum
		}
	}
	chance := 2 * distuv.UnitNormal.Survival(best)
	if n <= exactRanks {
		chance = sumChance(ranks, total, at, of)
	}
	return min(1, float64(places(n))*chance)
}

// sumChance is the chance that the sum of k of the ranks, drawn at random, is as far from
// its mean as of.
func sumChance(ranks []int, total, k, of int) float64 {
	n := len(ranks)
	if k > n-k {
		k, of = n-k, total-of // the others are as far off
	}
	far := math.Abs(float64(of) - float64(total)*float64(k)/float64(n))
	ways := make([][]float64, k+1) // ways to draw so many with each sum
	for i := range ways {
		ways[i] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for done, r := range ranks {
		for i := min(k, done+1); i >= 1; i-- {
			for s := total; s >= r; s-- {
				ways[i][s] += ways[i-1][s-r]
			}
		}
	}
	some := 0.0
	for s, w := range ways[k] {
		if math.Abs(float64(s)-float64(total)*float64(k)/float64(n)) >= far-1e-9 {
			some += w
		}
	}
	return some / binomial(n, k)
}

// cut is where the samples before and after are the nearest to their medians.
func cut(x []float64) int {
	best, at := math.Inf(1), leastSide
	for k := leastSide; k <= len(x)-leastSide; k++ {
		if cost := away(x[:k]) + away(x[k:]); cost < best {
			best, at = cost, k
		}
	}
	return at
}

// away is how far samples are from their median in all.
func away(x []float64) float64 {
	m, sum := Median(x), 0.0
	for _, v := range x {
		sum += math.Abs(v - m)
	}
	return sum
}

// Median is that of samples in any order, of which there is at least one.
func Median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return middle(x)
}
