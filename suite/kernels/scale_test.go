package kernels

import (
	"math"
	"testing"
)

// unsummed are the outputs that are neither sums nor products, so that errors are shown in
// units of the largest exact value.
var unsummed = map[string]string{
	"attn_softmax_batched scores":          "quotients of exponentials",
	"moe_softmax_topk out_weights":         "quotients of exponentials",
	"moe_softmax_topk out_indices":         "integers",
	"mla_sdpa_tile_accumulate running_max": "a maximum",
	"compute_decay_beta g_decay":           "powers",
	"compute_decay_beta beta_gate":         "sigmoids",
	"fused_gate_up_swiglu out":             "products of two sums, one of them in a sigmoid",
	"conv1d_step output":                   "sigmoids of sums",
}

// TestScales demands Σ|terms| of every output that is one sum: no less than what the terms
// come to, and more where they cancel.
func TestScales(t *testing.T) {
	for name, of := range firstInputs() {
		c := of[0]
		for output, a := range ask(t, c, c.Kernel.Contract) {
			if a.Exact || unsummed[name+" "+output] != "" {
				continue
			}
			if a.Scale == nil {
				t.Errorf("%s of %s has no scale", output, name)
				continue
			}
			for i, want := range a.Want {
				if math.IsNaN(want) || math.IsInf(want, 0) {
					continue
				}
				if a.Bound(i) == 0 {
					continue // the kernel may not touch it
				}
				if len(a.Scale) != len(a.Want) {
					t.Fatalf("%s of %s has %d scales for %d elements", output, name, len(a.Scale), len(a.Want))
				}
				if !(a.Scale[i] >= math.Abs(want)*(1-1e-6)) {
					t.Errorf("%s: element %d of %s is %g, and its terms add up to %g", c.Name, i, output, want,
						a.Scale[i])
					break
				}
			}
		}
	}
}
