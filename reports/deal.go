package reports

import (
	"cmp"
	"slices"
)

// Deal gives each case to one of n shards, numbered from 1, so that their sums of
// costs are as even as giving the dearest case first, always to the shard that has
// the least, makes them: the largest is at most 4/3 of the best there is (Graham,
// Bounds on multiprocessing timing anomalies, 1969).
func Deal(costs []int64, n int) []int {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[j], costs[i]) })
	owner, sums := make([]int, len(costs)), make([]int64, n)
	for _, i := range order {
		least := slices.Index(sums, slices.Min(sums))
		owner[i] = least + 1
		sums[least] += costs[i]
	}
	return owner
}

// Costs are what the cases of those names and kernels took in the run. One that it did
// not judge counts as the mean of its kernel, or of all cases.
func (r Run) Costs(names, kernels []string) []int64 {
	took := map[string]int64{}
	sums, counts := map[string]int64{}, map[string]int64{}
	for _, x := range r.Results {
		took[x.Case] = x.CostNS
		for _, of := range []string{x.Kernel, ""} {
			sums[of] += x.CostNS
			counts[of]++
		}
	}
	costs := make([]int64, len(names))
	for i, name := range names {
		cost, ok := took[name]
		for _, of := range []string{kernels[i], ""} {
			if !ok && counts[of] > 0 {
				cost, ok = sums[of]/counts[of], true
			}
		}
		costs[i] = max(1, cost)
	}
	return costs
}
