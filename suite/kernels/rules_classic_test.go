package kernels

import "slices"

// classic is a mistake that reviews of kernels look for, with the seeded faults
// that make it.
type classic struct {
	name   string
	faults []string
}

func classics() []classic {
	return []classic{
		{"truncated, not rounded to bf16", []string{
			"gated_delta_net_kkt_bf16/k_beta_truncated",
			"gated_delta_net_recompute_wu_bf16/operand_truncated",
			"gated_delta_net_recompute_wu_bf16/output_truncated",
			"gated_delta_net_chunk_o_bf16/scores_truncated",
			"gated_delta_net_chunk_o_bf16/output_truncated",
			"cast_f32_bf16_rne/truncated",
		}},
		{"accumulator in bf16", []string{
			"attn_online_f32/accumulators_in_bf16",
			"conv1d_step/sum_in_bf16",
			"chunk_tri_solve_invert_f32/sum_in_bf16",
			"gated_delta_net_recompute_wu_bf16/sum_in_bf16",
			"mla_q_prime_4bit/bf16_accumulation",
			"bf16_matvec/sums_in_bf16",
		}},
		{"fast exponential, precise promised", []string{
			"attn_softmax_batched/log2(e)_to_five_digits",
			"attn_online_f32/log2(e)_to_five_digits",
			"attn_online_f32/weights_in_f16",
			"sigmoid_gate/exponential_in_f16",
			"fused_gate_up_swiglu/exponential_in_f16",
		}},
		{"one swapped head", []string{
			"attn_scores_batched/key_head_of_another",
			"attn_values_tiled/value_head_of_another",
			"attn_online_f32/two_heads_swapped",
		}},
		{"one unwritten element", []string{
			"attn_online_f32/last_element_unwritten",
			"swiglu_fused/last_element_unwritten",
			"mla_sdpa_folded/first_element_unwritten",
		}},
		{"running maximum from 0", []string{
			"attn_softmax_batched/maximum_from_0",
			"attn_online_f32/maximum_from_0",
			"moe_softmax_topk/maximum_of_0",
			"mla_sdpa_folded/maximum_begins_at_0",
			"mla_sdpa_tile_accumulate/maximum_begins_at_0",
		}},
	}
}

// classic is the name of the classic mistake that the fault is, if it is one.
func (f fault) classic() string {
	for _, c := range classics() {
		if slices.Contains(c.faults, f.String()) {
			return c.name
		}
	}
	return ""
}
