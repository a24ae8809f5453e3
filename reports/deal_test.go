package reports

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
)

func TestDeal(t *testing.T) {
	for _, test := range []struct {
		costs []int64
		n     int
		want  []int
	}{
		{nil, 3, []int{}},
		{[]int64{5, 5, 5}, 1, []int{1, 1, 1}},
		{[]int64{1, 2, 3, 4}, 2, []int{1, 2, 2, 1}},
		{[]int64{1, 1, 9, 1, 1, 1}, 2, []int{2, 2, 1, 2, 2, 2}},
		{[]int64{2}, 4, []int{1}},
	} {
		got := Deal(test.costs, test.n)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v among %d (-want +got):\n%s", test.costs, test.n, diff)
		}
	}
}

// TestDealIsEven deals costs out that differ by three orders of magnitude and come in
// runs, as those of a sweep do: dealt out in turn they are not even.
func TestDealIsEven(t *testing.T) {
	var costs []int64
	for i := range 2000 {
		cost := int64(1000 + i*i%977)
		if i%64 < 3 {
			cost *= 300
		}
		costs = append(costs, cost)
	}
	spread := func(n int, owner func(int) int) float64 {
		sums := make([]int64, n)
		var all int64
		for i, c := range costs {
			sums[owner(i)-1] += c
			all += c
		}
		return float64(slices.Max(sums)) * float64(n) / float64(all)
	}
	for _, n := range []int{2, 8, 16, 32} {
		owner := Deal(costs, n)
		if got := spread(n, func(i int) int { return owner[i] }); got >= 1.15 {
			t.Errorf("%d shards: the largest is %.2f times the mean", n, got)
		}
	}
	if got := spread(16, func(i int) int { return i%16 + 1 }); got < 1.15 {
		t.Errorf("dealt out in turn the largest is %.2f times the mean: the test shows nothing", got)
	}
}

func TestCosts(t *testing.T) {
	run := Run{Results: []suite.Result{
		{Case: "a/1", Kernel: "a", CostNS: 10}, {Case: "a/2", Kernel: "a", CostNS: 30},
		{Case: "b/1", Kernel: "b", CostNS: 200},
	}}
	got := run.Costs([]string{"a/2", "a/3", "b/1", "c/1"}, []string{"a", "a", "b", "c"})
	if diff := cmp.Diff([]int64{30, 20, 200, 80}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
