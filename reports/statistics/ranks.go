package statistics

import (
	"cmp"
	"math"
	"slices"
)

// exactRanks is the largest number of samples whose ranks are counted; of more, sums of
// ranks are as good as normal.
const exactRanks = 60

// doubledRanks are the ranks of x from 1 on, times two, so that ties, which share the mean
// of theirs, have whole ones.
func doubledRanks(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	ranks := make([]int, len(x))
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && x[order[end]] == x[order[first]] {
			end++
		}
		for _, i := range order[first:end] {
			ranks[i] = first + end + 1 // twice the mean of first+1 to end
		}
		first = end
	}
	return ranks
}

// SignedRank is the chance that paired differences without a direction would lean to one
// side as far as x does, after Wilcoxon (1945): differences of 0 do not count. The chance
// is exact up to 60 of them. z is how far they lean, in standard deviations.
func SignedRank(x []float64) (p, z float64) {
	x = slices.DeleteFunc(slices.Clone(x), func(d float64) bool { return d == 0 })
	if len(x) == 0 {
		return 1, 0
	}
	sizes := make([]float64, len(x))
	for i, d := range x {
		sizes[i] = math.Abs(d)
	}
	ranks := doubledRanks(sizes)
	positive, total, squares := 0, 0, 0.0
	for i, r := range ranks {
		total += r
		squares += float64(r * r)
		if x[i] > 0 {
			positive += r
		}
	}
	z = (float64(2*positive) - float64(total)) / math.Sqrt(squares)
	if len(x) > exactRanks {
		return beyond(z), z
	}
	chances := make([]float64, total+1) // of each sum of the ranks whose sign is positive
	chances[0] = 1
	reach := 0
	for _, r := range ranks {
		reach += r
		for s := reach; s >= 0; s-- {
			both := chances[s] // with the sign of this rank, or without
			if s >= r {
				both += chances[s-r]
			}
			chances[s] = both / 2
		}
	}
	p = 0
	for s := max(positive, total-positive); s <= total; s++ {
		p += chances[s]
	}
	return min(1, 2*p), z
}

// beyond is the chance that a normal quantity is as far from its mean as z standard
// deviations, on either side.
func beyond(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// Holm adjusts the chances p of several tests (Holm 1979): to call all of them changes
// whose adjusted chance is below α calls any wrongly with a chance of at most α.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
