package statistics

import (
	"math"
	"math/rand/v2"
	"slices"
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
// Without a step any order of the samples is as likely as any other. So a series is cut
// where its parts differ the most, and is asked how many of its own orders have a cut
// where they differ as much: two ways to measure that share alpha. By ranks, all orders
// are counted for one place, and the chances of the places are added up. By sums, with
// what lies beyond the third least and the third largest sample moved there, orders are
// drawn at random. A series without a step has one found with a chance of at most alpha,
// whatever its noise is; each part of one that was cut is searched in the same way, again
// with alpha. [Latency] is how soon a step can be seen.
//
// A step is where the samples on both sides are the nearest to their medians.
func Steps(x []float64, alpha, least float64) []Step {
	return steps(x, 0, alpha, least)
}

func steps(x []float64, from int, alpha, least float64) []Step {
	p := min(1, 2*rankChance(x))
	if p >= alpha {
		p = min(1, 2*sumChance(x, alpha/2))
	}
	if p >= alpha {
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

// Latency is the least number of samples that have to follow a step of any size, in a
// series of n in all, before it can be found: with fewer, too many orders are as good. It
// is n if there is no such number.
func Latency(n int, alpha float64) int {
	for after := leastSide; after <= n/2; after++ {
		if 2/binomial(n, after) < alpha/2 {
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

// rankChance bounds the chance that a series in random order has a cut with a sum of ranks
// as far off as the farthest of this one.
func rankChance(x []float64) float64 {
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
		z := math.Abs(float64(sum)-float64(mean*float64(k))) /
			math.Sqrt(float64(variance*float64(k*(n-k)))/float64(n-1))
		if z > best {
			best, at, of = z, k, sum
		}
	}
	chance := beyond(best)
	if n <= exactRanks {
		chance = drawChance(ranks, total, at, of)
	}
	return min(1, float64(places(n))*chance)
}

// drawChance is the chance that the sum of k of the ranks, drawn at random, is as far from
// its mean as of.
func drawChance(ranks []int, total, k, of int) float64 {
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

// sumChance is the chance that a series in random order has a cut as far off as the
// farthest of this one, by the sums of its parts: of orders that are drawn, enough to tell
// a chance below alpha, the part that does, this one included (which makes it one that
// holds, however few are drawn). It stops at 1 when that can no longer be below alpha.
func sumChance(x []float64, alpha float64) float64 {
	const enough = 10 // orders as far off, of those that alpha would let through
	if len(x) < 2*leastSide {
		return 1
	}
	x = clamped(x)
	seen := farthest(x)
	if seen == 0 {
		return 1
	}
	orders := int(math.Ceil(enough / alpha))
	draw := rand.New(rand.NewPCG(uint64(len(x)), 0)) // the same orders every time
	far := 1
	for range orders {
		draw.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		if farthest(x) >= seen*(1-1e-12) {
			if far++; float64(far) >= alpha*float64(orders+1) {
				return 1
			}
		}
	}
	return float64(far) / float64(orders+1)
}

// clamped are samples around their mean, with what is beyond the third least and the third
// largest moved there: of fewer no step is made.
func clamped(x []float64) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	low, high := sorted[leastSide-1], sorted[len(x)-leastSide]
	list, mean := make([]float64, len(x)), 0.0
	for i, v := range x {
		list[i] = min(max(v, low), high)
		mean += list[i] / float64(len(x))
	}
	for i := range list {
		list[i] -= mean
	}
	return list
}

// farthest is how far off the farthest cut of samples around their mean is.
func farthest(x []float64) float64 {
	most, sum, n := 0.0, 0.0, len(x)
	for k := 1; k <= n-leastSide; k++ {
		if sum += x[k-1]; k >= leastSide {
			most = max(most, float64(sum*sum)/float64(k*(n-k)))
		}
	}
	return most
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
