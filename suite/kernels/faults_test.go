package kernels

import (
	"maps"
	"slices"

	"metalconform/suite"
)

// faults are seeded faults, by kernel: those that real kernels have shipped,
// and those that a slip of the pen makes of ours.
func faults() []fault {
	var all []fault
	for _, of := range []struct {
		kernel string
		faults []fault
	}{
		{"repeat_tiled_f32", repeatFaults()},
		{"rms_norm_bf16_fused_n_tokens", normFaults()},
		{"gated_delta_net_f32", recurrenceFaults()},
		{"gated_delta_net_chunkwise", chunkFaults()},
		{"gated_delta_net_step", stepFaults()},
		{"gated_delta_net_sequential", sequentialFaults()},
		{"compute_decay_beta", decayBetaFaults()},
		{"conv1d_step", convolutionFaults()},
		{"conv1d_state_update", convStateFaults()},
		{"chunk_local_cumsum_g_f32", cumsumFaults()},
		{"gated_delta_net_kkt_bf16", kktFaults()},
		{"chunk_tri_solve_invert_f32", inverseFaults()},
		{"gated_delta_net_recompute_wu_bf16", wuFaults()},
		{"gated_delta_net_chunk_inter_state_bf16", stateFaults()},
		{"gated_delta_net_chunk_o_bf16", chunkOutputFaults()},
		{"mla_split_q_kv", splitFaults()},
		{"yarn_rope_apply", rotationFaults()},
		{"mla_kv_cache_append", latentAppendFaults()},
		{"mla_q_prime_4bit", queryFaults()},
		{"mla_sdpa_folded", foldedFaults()},
		{"rms_norm_sum_sq", []fault{
			swapAfter("sum of values", suite.CheckBound, "kernel void rms_norm_sum_sq", "x[i] * x[i]", "x[i]"),
		}},
		{"rms_norm_apply", []fault{
			swapAfter("sum for mean", suite.CheckBound, "kernel void rms_norm_apply(", "sum_sq[0] / float(dim)",
				"sum_sq[0]"),
			swapAfter("root for its inverse", suite.CheckBound, "kernel void rms_norm_apply(", "rsqrt(", "sqrt("),
		}},
		{"rms_norm_apply_bf16", []fault{
			swapAfter("weights read as f16", suite.CheckBound, "kernel void rms_norm_apply_bf16", "float(weight[i])",
				"float(as_type<half>(weight[i]))"),
		}},
		{"rms_norm_per_head_n_tokens", perHeadFaults()},
		{"rms_norm_qk", qkFaults()},
		{"gated_rms_norm", gatedFaults()},
		{"residual_add", []fault{
			swapAfter("difference", suite.CheckExact, "kernel void residual_add(", "a[i] + b[i]", "a[i] - b[i]"),
			swapAfter("sum in bf16", suite.CheckExact, "kernel void residual_add(", "a[i] + b[i]",
				"float(bfloat(a[i] + b[i]))"),
		}},
		{"residual_add_n_tokens", []fault{
			swapAfter("first token only", suite.CheckUnwritten, "kernel void residual_add_n_tokens", "i < total",
				"i < 128"),
		}},
		{"repeat_block_f32", []fault{
			swapAfter("tiled mapping", suite.CheckExact, "kernel void repeat_block_f32", "h / shared_by",
				"h % params.hg"),
		}},
		{"attn_scores_batched",
			scoreFaults("kernel void attn_scores_batched", "head / heads_per_kv", "head % (kv_dim / head_dim)")},
		{"attn_scores_tiled", scoreFaults("kernel void attn_scores_tiled", "head % num_kv_heads",
			"min(head / 2, num_kv_heads - 1)")},
		{"attn_softmax_batched", softmaxFaults()},
		{"attn_values_batched",
			valueFaults("kernel void attn_values_batched", "head / heads_per_kv", "head % (kv_dim / head_dim)")},
		{"attn_values_tiled", valueFaults("kernel void attn_values_tiled", "head % num_kv_heads",
			"min(head / 2, num_kv_heads - 1)")},
		{"attn_online_f32", onlineFaults()},
		{"sigmoid_gate", []fault{
			swapAfter("sign dropped", suite.CheckBound, "kernel void sigmoid_gate", "sigmoid(gate[i])",
				"sigmoid(-gate[i])"),
			swapAfter("exponential in f16", suite.CheckBound, "kernel void sigmoid_gate", "sigmoid(gate[i])",
				"1.0f / (1.0f + float(exp(half(-gate[i]))))"),
		}},
		{"split_q_gate", []fault{
			swapAfter("interleaved halves", suite.CheckFault, "kernel void split_q_gate", "2 * head_dim + d",
				"2 * head_dim + 2 * d"),
		}},
		{"kv_cache_append_n_tokens", []fault{
			swapAfter("one row too far", suite.CheckUntouched, "kernel void kv_cache_append_n_tokens",
				"ulong(kv_start) *", "ulong(kv_start + 1) *"),
			swapAfter("keys for values", suite.CheckExact, "kernel void kv_cache_append_n_tokens", "= v_src[i]",
				"= k_src[i]"),
		}},
		{"rope_n_tokens", ropeFaults()},
		{"moe_softmax_topk", routerFaults()},
		{"moe_normalize_weights", []fault{
			swapAfter("largest for sum", suite.CheckBound, "kernel void moe_normalize_weights", "sum += row[s]",
				"sum = max(sum, row[s])"),
			swapAfter("negative sums too", suite.CheckExact, "kernel void moe_normalize_weights", "sum > 0.0f",
				"sum != 0.0f").only("negative_sum"),
		}},
		{"weighted_sum", []fault{
			swapAfter("weights transposed", suite.CheckBound, "kernel void weighted_sum", "weights[k]",
				"weights[K - 1 - k]"),
		}},
		{"moe_combine_residual", combineFaults("kernel void moe_combine_residual(")},
		{"moe_combine_residual_unscaled", []fault{
			swapAfter("gate applied", suite.CheckBound, "kernel void moe_combine_residual_unscaled(", "+ shared_out[i]",
				"+ sigmoid(params[SHARED_GATE]) * shared_out[i]"),
		}},
		{"moe_combine_residual_flat", []fault{
			swapAfter("stride of experts", suite.CheckBound, "kernel void moe_combine_residual_flat",
				"ulong(k) * dim + i", "ulong(i) * K + k"),
		}},
		{"moe_combine_residual_n_tokens", []fault{
			swapAfter("gate of the first token", suite.CheckBound, "kernel void moe_combine_residual_n_tokens",
				"shared_gate[i / dim]", "shared_gate[0]"),
		}},
		{"moe_bucket_accumulate", []fault{
			swapAfter("sum replaced", suite.CheckBound, "kernel void moe_bucket_accumulate", "out_sum[to] +=",
				"out_sum[to] ="),
			swapAfter("row of the bucket", suite.CheckBound, "kernel void moe_bucket_accumulate", "ulong(token_idx[b])",
				"ulong(b)"),
		}},
		{"swiglu_fused", []fault{
			swapAfter("sigmoid for silu", suite.CheckBound, "kernel void swiglu_fused(", "silu(gate[i])",
				"sigmoid(gate[i])"),
			swapAfter("gate and up swapped", suite.CheckBound, "kernel void swiglu_fused(", "silu(gate[i]) * up[i]",
				"silu(up[i]) * gate[i]"),
			swapAfter("last element unwritten", suite.CheckUnwritten, "kernel void swiglu_fused(", "if (i < dim)",
				"if (i + 1 < dim)"),
		}},
		{"swiglu_fused_vec4", []fault{
			swapAfter("last vector missed", suite.CheckUnwritten, "kernel void swiglu_fused_vec4", "i < dim / 4",
				"i + 1 < dim / 4"),
		}},
		{"swiglu_fused_batched", []fault{
			swapAfter("one expert only", suite.CheckUnwritten, "kernel void swiglu_fused_batched", "i < K * dim",
				"i < dim"),
		}},
		{"mla_sdpa_tile_accumulate", tileFaults()},
		{"mla_sdpa_tile_finalize", finalizeFaults()},
		{"tq_dequantize_kv", cacheNibbleFaults()},
		{"tq_dequantize_hb_kv", cacheByteFaults()},
		{"tq_dequantize_hb_kv_seq", cacheRunFaults()},
		{"mla_out_per_head_4bit", outputFaults()},
	} {
		for _, f := range of.faults {
			f.kernel = of.kernel
			all = append(all, f)
		}
	}
	ends := endFaults()
	for _, kernel := range slices.Sorted(maps.Keys(ends)) {
		for _, f := range ends[kernel] {
			f.kernel = kernel
			all = append(all, f)
		}
	}
	return append(all, quantFaults()...)
}

// swap is a fault of one edit.
func swap(name string, check suite.Check, old, new string) fault {
	return fault{name: name, check: check, edits: []edit{{old: old, new: new}}}
}

// swapAfter is a fault of one edit at the first place after a text.
func swapAfter(name string, check suite.Check, after, old, new string) fault {
	return fault{name: name, check: check, edits: []edit{{after, old, new}}}
}

// only is the fault, looked for in the cases with part in their names.
func (f fault) only(part string) fault {
	f.in = part
	return f
}

func repeatFaults() []fault {
	const kernel = "kernel void repeat_tiled_f32"
	return []fault{
		swapAfter("slash for percent", suite.CheckExact, kernel, "h % params.hg", "h / params.hg"),
		swapAfter("block mapping", suite.CheckExact, kernel, "h % params.hg", "h / (params.h / params.hg)"),
		swapAfter("token dropped", suite.CheckExact, kernel, "(ulong(t) * params.hg", "(ulong(0) * params.hg"),
		swapAfter("heads transposed", suite.CheckExact, kernel, "ulong(t) * params.h + h", "ulong(h) * params.seq + t"),
	}
}

func normFaults() []fault {
	const kernel = "kernel void rms_norm_bf16_fused_n_tokens"
	return []fault{
		swapAfter("eps dropped", suite.CheckNonFinite, kernel, "float(dim) + eps)", "float(dim))").only("input=zeros"),
		swapAfter("eps built in", suite.CheckBound, kernel, "float(dim) + eps)",
			"float(dim) + 1e-6f)").only("input=large_eps"),
		swapAfter("eps outside the root", suite.CheckBound, kernel, "rsqrt(sum_sq / float(dim) + eps)",
			"rsqrt(sum_sq / float(dim)) + eps").only("input=small"),
		swapAfter("sum for mean", suite.CheckBound, kernel, "sum_sq / float(dim)", "sum_sq"),
		swapAfter("mean over the threads", suite.CheckBound, kernel, "float(dim)", "float(threads)"),
		swapAfter("weight dropped", suite.CheckBound, kernel, " * float(weight[i])", ""),
		swap("one simdgroup only", suite.CheckBound, "s < simdgroups", "s < 1"),
		swapAfter("one element a thread", suite.CheckBound, kernel, "sum_sq += x_token[i] * x_token[i];",
			"sum_sq += x_token[i] * x_token[i]; break;"),
		swapAfter("row of another token", suite.CheckBound, kernel, "x + ulong(token) * dim", "x"),
		swapAfter("f16 sum", suite.CheckBound, kernel, "float sum_sq = 0.0f;",
			"half sum_sq = 0.0h;").only("input=large"),
		swapAfter("bf16 scale", suite.CheckBound, kernel, "x_token[i] * scale", "x_token[i] * float(bfloat(scale))"),
		swapAfter("last element missed", suite.CheckUnwritten, kernel, "i < dim; i += threads) {\n        out_token",
			"i < dim - 1; i += threads) {\n        out_token"),
	}
}

func recurrenceFaults() []fault {
	const kernel = "kernel void gated_delta_net_f32("
	return []fault{
		swapAfter("slash for percent", suite.CheckBound, kernel, "head % Hk", "head / Hk"),
		swapAfter("block mapping", suite.CheckBound, kernel, "head % Hk", "head / (Hv / Hk)"),
		swapAfter("decay dropped", suite.CheckBound, kernel, "s[j] *= alpha;", ""),
		swapAfter("decay after the read", suite.CheckBound, kernel, "s[j] *= alpha;\n"+
			"            sk += s[j] * k_token[j];", "sk += s[j] * k_token[j];\n            s[j] *= alpha;"),
		swapAfter("rate taken for the decay", suite.CheckBound, kernel, "exp(-g[value_at])", "g[value_at]"),
		swapAfter("gate dropped", suite.CheckBound, kernel, "beta[value_at] * (v", "(v"),
		swapAfter("read dropped", suite.CheckBound, kernel, " - sk)", ")"),
		swapAfter("output before the update", suite.CheckBound, kernel, "s[j] += k_token[j] * delta;\n"+
			"            o += s[j] * q_token[j];", "o += s[j] * q_token[j];\n            s[j] += k_token[j] * delta;"),
		swapAfter("state in bf16", suite.CheckBound, kernel, "s[j] += k_token[j] * delta;",
			"s[j] = float(bfloat(s[j] + k_token[j] * delta));"),
		swapAfter("staging of keys removed", suite.CheckNonFinite, kernel, "k_token[j] = k[key_at + j];", ""),
		swapAfter("staging without a stride", suite.CheckNonFinite, kernel, "for (uint j = row; j < Dk; j += Dv) {",
			"for (uint j = row; j < min(Dk, Dv); j += Dv) {"),
		swapAfter("key of the first token", suite.CheckBound, kernel, "k[key_at + j]",
			"k[(seq * T * Hk + key_head) * Dk + j]"),
		swapAfter("state of the first sequence", suite.CheckBound, kernel, "((seq * Hv + head) * Dv + row)",
			"((ulong(0) * Hv + head) * Dv + row)").only("n_seqs=2"),
		swapAfter("state not written", suite.CheckUnwritten, kernel, "state_out[state_row + j] = s[j];", ""),
	}
}

func chunkFaults() []fault {
	const kernel = "kernel void gated_delta_net_chunkwise("
	return []fault{
		swapAfter("percent for slash", suite.CheckBound, kernel, "head / k_heads_per_v",
			"head % k_heads_per_v").only("/Hk=2/Hv=6/"),
		swap("decay dropped", suite.CheckBound, "return exp(sum);", "return 1.0f;"),
		swapAfter("decay between tokens off by one", suite.CheckBound, kernel, "decay_over(log_decay, i + 1, l + 1)",
			"decay_over(log_decay, i, l + 1)"),
		swapAfter("ragged rows not cut off", suite.CheckFault, kernel, "if (l < n) {",
			"if (true) {").only("n_tokens=3/"),
		swapAfter("ragged updates not zero", suite.CheckNonFinite, kernel, "l < n ? to_end[l] * u[l] : 0.0f",
			"to_end[l] * u[l]"),
		swapAfter("staging of keys removed", suite.CheckNonFinite, kernel, "keys[l * HEAD_DIM + channel] = key;", ""),
		swapAfter("state not transposed", suite.CheckBound, kernel,
			"own_state + r * TILE * HEAD_DIM + j, HEAD_DIM, ulong2(0, 0), true)",
			"own_state + r * TILE * HEAD_DIM + j, HEAD_DIM)"),
		swapAfter("gate missing in the system", suite.CheckBound, kernel, "gate[l] * decay", "decay"),
		swapAfter("diagonal missing in the output", suite.CheckBound, kernel, "for (uint i = 0; i <= l; i++) {",
			"for (uint i = 0; i < l; i++) {"),
		swapAfter("state not decayed", suite.CheckBound, kernel, "keep(from_start[n - 1])", "keep(1.0f)"),
		swapAfter("second tile of tokens missing", suite.CheckBound, kernel,
			"simdgroup_multiply_accumulate(s, u1, k1, s);", "").only("n_tokens=16"),
		swapAfter("updates not decayed", suite.CheckBound, kernel, "l < n ? to_end[l] * u[l]", "l < n ? u[l]"),
		swapAfter("last chunk missing", suite.CheckUnwritten, kernel, "first < n_tokens; first += CHUNK",
			"first + CHUNK <= n_tokens; first += CHUNK"),
		swapAfter("triangle by multiplication", suite.CheckNonFinite, kernel, "for (uint i = 0; i < l; i++) {\n"+
			"                update", "for (uint i = 0; i < CHUNK; i++) {\n                update"),
	}
}
