package kernels

import (
	"slices"
	"testing"

	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// TestWork checks the declared work of each kernel over its whole sweep: there
// is some, it names buffers that can be read and written so, and it takes no
// element of a buffer that the buffer does not have.
func TestWork(t *testing.T) {
	for _, f := range All() {
		for _, k := range f.Kernels {
			if k.Work.Operations == nil {
				t.Errorf("%s declares no operations", k.Name)
				continue
			}
			for name := range k.Work.Reads {
				if a, ok := k.Args.Find(name); !ok || !a.Buffer() || a.Role == suite.RoleOut {
					t.Errorf("%s declares reads of %s, which is no input", k.Name, name)
				}
			}
			for name := range k.Work.Writes {
				if a, ok := k.Args.Find(name); !ok || !a.Writable() {
					t.Errorf("%s declares writes of %s, which is no output", k.Name, name)
				}
			}
		}
	}
	for _, c := range suite.Measurable(suite.Cases(All(), suite.Full)) {
		cost := c.Kernel.Cost(c.Shape)
		if cost.Bytes <= 0 || cost.Elements <= 0 || cost.Operations < 0 {
			t.Errorf("%s: cost %+v", c.Name, cost)
		}
		moves := c.Kernel.Work.Operations == none || c.Shape[tile] == 0 && slices.Contains(c.Kernel.Axes, tile)
		if moves != (cost.Operations == 0) {
			t.Errorf("%s: %d operations", c.Name, cost.Operations)
		}
		for _, a := range c.Kernel.Args {
			if !a.Buffer() {
				continue
			}
			for _, declared := range []map[string]suite.Extent{c.Kernel.Work.Reads, c.Kernel.Work.Writes} {
				if e, ok := declared[a.Name]; ok && (e.Size(c.Shape) < 0 || e.Size(c.Shape) > a.Count(c.Shape)) {
					t.Errorf("%s: %d elements of %s, which has %d", c.Name, e.Size(c.Shape), a.Name, a.Count(c.Shape))
				}
			}
		}
	}
}

// TestCost compares the cost of a few kernels of every family with counts by
// hand.
func TestCost(t *testing.T) {
	tests := []struct {
		kernel     string
		shape      suite.Shape
		want       suite.Cost
		operations string // where they come from
		bytes      string
	}{
		{
			"rms_norm_bf16_fused_n_tokens", suite.Shape{nTokens: 2, dim: 3},
			suite.Cost{Bytes: 54, Operations: 30, Elements: 6},
			"2 rows of (3 squares, 3 sums, mean, eps, rsqrt, 3 times 2 products)",
			"x 24, weight 6, out 24",
		},
		{
			"rms_norm_qk", suite.Shape{nTokens: 1, numKHeads: 1, keyDim: 2, keyGap: 0, valueTotal: 5},
			suite.Cost{Bytes: 32, Operations: 22, Elements: 4},
			"q and k of (2 squares, 2 sums, mean, eps, rsqrt, 2 times 2 products)",
			"4 of the 9 elements of x read and written",
		},
		{
			"attn_scores_batched", point(cachedAxes, 2, 1, 3, 2, 5), suite.Cost{Bytes: 64, Operations: 28, Elements: 4},
			"4 scores of (3 multiply-adds, scale)",
			"Q 24, 2 of the 7 rows of K_cache 24, 2 of 7 columns of scores 16, only written",
		},
		{
			"attn_online_f32",
			suite.Shape{tokens: 2, positions: 3, queryHeads: 2, keyHeads: 1, channels: 2, mapping: 0, causal: 1,
				startPos: 0},
			suite.Cost{Bytes: 96, Operations: 72, Elements: 8},
			"2 heads of 1 + 2 visible keys, each (2 multiply-adds, scale, exp, sum, quotient, 2 multiply-adds)",
			"Q 32, 2 of the 3 rows of K 16 and of V 16, out 32",
		},
		{
			"gated_delta_net_f32", suite.Shape{nSeqs: 1, tokens: 1, hk: 1, hv: 2, dk: 2, dv: 3, split: 0},
			suite.Cost{Bytes: 176, Operations: 98, Elements: 18},
			"2 heads of (exp, 6 decayed, 6 multiply-adds read, 3 differences, 3 times beta, 6 multiply-adds updated, " +
				"6 multiply-adds of output)",
			"4 times (q 2, k 2, v 6, g 2, beta 2, state_in 12, output 6, state_out 12)",
		},
		{
			"chunk_tri_solve_invert_f32", suite.Shape{batches: 1, tokens: 4, valueHeads: 1, blockTokens: 4},
			suite.Cost{Bytes: 88, Operations: 8, Elements: 16},
			"a multiply-add for each of the 4 triples i > m > j of 4",
			"the 6 elements of A below the diagonal 24, X 64",
		},
		{
			"dequant_matvec_4bit", suite.Shape{outDim: 2, inDim: 8, groupSize: 8},
			suite.Cost{Bytes: 56, Operations: 64, Elements: 2},
			"16 weights of (product, sum, multiply-add)",
			"W_packed 8, scales 4, biases 4, x 32, out 8",
		},
		{
			"dequant_matvec_4bit_v3_n_tokens", suite.Shape{nTokens: 3, outDim: 2, inDim: 8, groupSize: 8},
			suite.Cost{Bytes: 136, Operations: 128, Elements: 6},
			"16 weights of (product, sum, 3 multiply-adds)",
			"W_packed 8, scales 4, biases 4, x_inputs 96, out 24",
		},
		{
			"moe_combine_residual", suite.Shape{dim: 2, slots: 3}, suite.Cost{Bytes: 64, Operations: 19, Elements: 2},
			"2 elements of (3 multiply-adds for experts, 1 for the shared one), sigmoid of 3",
			"h_mid 8, shared_out 8, hidden_out 8, 3 of 16 experts 24, 3 weights and the gate 16",
		},
		{
			"mla_sdpa_folded", suite.Shape{numHeads: 1, kvLoraRank: 3, qkRope: 2, cacheLen: 2, spare: 0},
			suite.Cost{Bytes: 72, Operations: 40, Elements: 3},
			"2 positions of (5 multiply-adds, scale, exp, sum, quotient, 3 multiply-adds)",
			"q_prime 12, q_pe 8, latent_cache 24, rope_k_cache 16, v_combine 12",
		},
		{
			"tq_dequantize_kv", cachePoint(suite.Shape{readPos: 3}, 2, 4),
			suite.Cost{Bytes: 44, Operations: 16, Elements: 8},
			"8 coordinates of 2 products",
			"packed 2 heads of 2, norms 8, dst 32",
		},
	}
	families := map[string]bool{}
	for _, test := range tests {
		k, family := kernelOf(test.kernel)
		if k == nil {
			t.Errorf("no kernel is named %s", test.kernel)
			continue
		}
		families[family] = true
		if diff := cmp.Diff(test.want, k.Cost(test.shape)); diff != "" {
			t.Errorf("%s at %v (-want +got):\n%s\toperations: %s\n\tbytes: %s", test.kernel, test.shape, diff,
				test.operations, test.bytes)
		}
	}
	for _, f := range All() {
		if len(f.Kernels) > 0 && !families[f.Name] {
			t.Errorf("no count by hand for family %s", f.Name)
		}
	}
}

// kernelOf is the kernel of a name and its family.
func kernelOf(name string) (*suite.Kernel, string) {
	for _, f := range All() {
		if i := slices.IndexFunc(f.Kernels, func(k suite.Kernel) bool { return k.Name == name }); i >= 0 {
			return &f.Kernels[i], f.Name
		}
	}
	return nil, ""
}
