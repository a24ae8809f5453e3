package kernels

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// neverDecisive are floating-point inputs of which small elements may be left out, by
// kernel and argument.
var neverDecisive = map[string]string{
	"rms_norm_apply sum_sq":                     aNumber,
	"rms_norm_apply_bf16 sum_sq":                aNumber,
	"rms_norm_sum_sq x":                         "their squares are 2⁻⁸⁰ of the sum",
	"moe_combine_residual_n_tokens shared_gate": "a gate of nearly 0 is half open",
	"gated_delta_net_f32 k":                     "the bound of a state goes by the norms of its rows",
	"gated_delta_net_f32 g":                     logarithm,
	"gated_delta_net_kkt_bf16 g":                logarithm,
	"gated_delta_net_recompute_wu_bf16 g":       logarithm,
	"gated_delta_net_chunk_inter_state_bf16 g":  logarithm,
	"gated_delta_net_chunk_o_bf16 g":            logarithm,
}

const (
	aNumber   = "it is one number"
	logarithm = "a decay whose logarithm is nearly 0 is 1"
)

// TestSmallWeightsDecide demands of each floating-point input a case of the quick sweep
// in which the elements that are 2⁻⁴⁰ of the largest, or less, decide a result: without
// them the oracle wants another, by more than its bound.
func TestSmallWeightsDecide(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	source := ours(t)
	cases := map[string][]suite.Case{}
	for _, c := range casesWhere(func(c suite.Case) bool {
		return c.Pipeline == nil && launched(c) && !c.IsEnd() && mayDecide(c) && (isLight(c) || aboutIt(c))
	}) {
		cases[c.Kernel.Name] = append(cases[c.Kernel.Name], c)
	}
	for _, k := range allKernels() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			of := cases[k.Name]
			slices.SortStableFunc(of, func(a, b suite.Case) int {
				return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(operations(a), operations(b)))
			})
			for _, a := range k.Args {
				if _, float := a.Type.Format(); !float || !a.Buffer() || a.Role == suite.RoleOut ||
					alwaysFinite[k.Name+"/"+a.Name] == overwritten {
					continue
				}
				reason, excused := neverDecisive[k.Name+" "+a.Name]
				decides := slices.ContainsFunc(of,
					func(c suite.Case) bool { return (aboutIt(c) || !excused) && smallDecide(t, source, c, a) })
				switch {
				case !decides && !excused:
					t.Errorf("in no case do small elements of %s decide", a.Name)
				case decides && excused:
					t.Errorf("small elements of %s decide, and it is said: %s", a.Name, reason)
				}
			}
		})
	}
}

// mayDecide leaves out families that are about something else.
func mayDecide(c suite.Case) bool {
	return !slices.ContainsFunc([]string{"nan_", "inf_", "ninf_", "unread_"},
		func(prefix string) bool { return strings.HasPrefix(c.Input.Name, prefix) })
}

// aboutIt reports whether the family of a case is about this, going by its name.
func aboutIt(c suite.Case) bool {
	return slices.ContainsFunc([]string{"light", "slow", "small", "wide"},
		func(part string) bool { return strings.Contains(c.Input.Name, part) })
}

// rank puts the cases that are about it first.
func rank(c suite.Case) int {
	if aboutIt(c) {
		return 0
	}
	return 1
}

// smallDecide reports whether small elements of an argument decide in a case.
func smallDecide(t *testing.T, source *suite.Shaders, c suite.Case, a suite.Arg) bool {
	asked, err := kerneltest.Ask(source, c, 1)
	if err != nil {
		t.Fatal(err)
	}
	var left int
	fill := fillOf(c, a)
	c.Input.Fills = with(c.Input.Fills, a.Name, func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		largest := 0.0
		for _, v := range x {
			largest = max(largest, math.Abs(v))
		}
		for i, v := range x {
			if v != 0 && math.Abs(v) <= 0x1p-40*largest {
				x[i], left = 0, left+1
			}
		}
	})
	other, err := kerneltest.Ask(source, c, 1)
	if err != nil {
		t.Fatal(err)
	}
	if left == 0 {
		return false
	}
	for name, answer := range asked.Answers {
		for i, want := range answer.Want {
			if math.Abs(other.Answers[name].Want[i]-want) > answer.Bound(i) {
				return true
			}
		}
	}
	return false
}
