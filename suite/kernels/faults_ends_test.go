package kernels

import "metalconform/suite"

// endFaults are faults that show where counts end, and where what is usually negligible
// decides, by kernel.
func endFaults() map[string][]fault {
	narrow := func(name, after, old, new string) fault {
		return swapAfter(name, suite.CheckFault, after, old, new).only("input=end_")
	}
	return map[string][]fault{
		"rms_norm_bf16_fused_n_tokens": {narrow("tokens in 16 bits", "kernel void rms_norm_bf16_fused_n_tokens",
			"x + ulong(token)", "x + ulong(ushort(token))")},
		"residual_add": {swapAfter("signed comparison", suite.CheckUnwritten,
			"kernel void residual_add(", "i < dim", "int(i) < int(dim)").only("input=end_")},
		"repeat_tiled_f32": {swapAfter("tokens as floats", suite.CheckExact, "kernel void repeat_tiled_f32",
			"(ulong(t) * params.hg", "(ulong(float(t)) * params.hg").only("input=end_")},
		"attn_scores_batched": {narrow("positions times a width in 32 bits", "kernel void attn_scores_batched",
			"K_cache + ulong(position) * kv_dim", "K_cache + position * kv_dim")},
		"attn_softmax_batched": {narrow("stride in 32 bits", "kernel void attn_softmax_batched",
			"ulong(head) * seq_stride", "head * seq_stride")},
		"kv_cache_append_n_tokens": {narrow("ring of 65536 rows", "kernel void kv_cache_append_n_tokens",
			"ulong(kv_start) *", "ulong(kv_start % 65536) *")},
		"embed_gather_4bit": {narrow("tokens in 16 bits", "kernel void embed_gather_4bit",
			"ulong(token_ids[i / hidden_dim])", "ulong(ushort(token_ids[i / hidden_dim]))")},
		"dequant_matvec_4bit": {narrow("rows times words in 32 bits", "kernel void dequant_matvec_4bit(",
			"W_packed + ulong(row) * (in_dim / NIBBLES)", "W_packed + row * (in_dim / NIBBLES)")},
		"dequant_matvec_4bit_batched": {narrow("offsets with a sign", "kernel void dequant_matvec_4bit_batched",
			"scales + s_offsets[expert]", "scales + int(s_offsets[expert])")},
		"dequant_matvec_4bit_v3_experts": {
			narrow("offsets with a sign", "kernel void dequant_matvec_4bit_v3_experts", "blob + b_byte_off",
				"blob + int(b_byte_off)")},
		"cast_f32_bf16_trunc": {narrow("index as a float", "kernel void cast_f32_bf16_trunc", "src[i]",
			"src[uint(float(i))]")},
		"moe_bucket_accumulate": {narrow("tokens in 16 bits", "kernel void moe_bucket_accumulate",
			"ulong(token_idx[b])", "ulong(ushort(token_idx[b]))")},
		"mla_kv_cache_append": {narrow("ring of 4096 rows", "kernel void mla_kv_cache_append",
			"latent_cache[ulong(pos)", "latent_cache[ulong(pos % 4096)")},
		"mla_sdpa_tile_accumulate": {narrow("starts in 16 bits", "kernel void mla_sdpa_tile_accumulate",
			"latent_cache + ulong(tile_start)", "latent_cache + ulong(ushort(tile_start))")},
		"tq_dequantize_kv": {narrow("positions in 16 bits", "kernel void tq_dequantize_kv(",
			"+ params.read_pos", "+ ushort(params.read_pos)")},
		"conv1d_step": {narrow("tokens in 16 bits", "kernel void conv1d_step", "const uint t = position.y",
			"const uint t = ushort(position.y)")},
		"chunk_local_cumsum_g_f32": {narrow("tokens in 16 bits", "kernel void chunk_local_cumsum_g_f32",
			"token * H + group.y", "ulong(ushort(token)) * H + group.y")},

		"rope_n_tokens": {
			swapAfter("positions in 20 bits", suite.CheckBound, "kernel void rope_n_tokens", "start_pos + int(row / H)",
				"(start_pos + int(row / H)) % 1048576").only("start_pos=16777215"),
			swapAfter("table of 128 frequencies", suite.CheckBound, "kernel void rope_n_tokens", "inv_freq[i]",
				"inv_freq[min(i, 127u)]").only("rotary_dim=512")},
		"attn_online_f32": {
			swapAfter("start with a sign", suite.CheckFault, "kernel void attn_online_f32",
				"min(params.S, params.start_pos + t + 1)", "uint(min(int(params.S), int(params.start_pos + t + 1)))").
				only("start_pos=2147483645"),
			swapAfter("old sums never below e^-20", suite.CheckBound, "kernel void attn_online_f32",
				"0.0f : exp(running_max - new_max);", "0.0f : exp(max(running_max - new_max, -20.0f));").
				only("input=small_weights")},
		"moe_combine_residual": {
			swapAfter("gate closed below -50", suite.CheckBound, "kernel void moe_combine_residual(",
				"sigmoid(params[SHARED_GATE])", "(params[SHARED_GATE] < -50.0f ? 0.0f : sigmoid(params[SHARED_GATE]))").
				only("input=gate_nearly_closed")},
		"moe_normalize_weights": {
			swapAfter("no sum below 1e-20", suite.CheckBound, "kernel void moe_normalize_weights", "sum > 0.0f",
				"sum > 1e-20f").only("input=far_sums")},
		"mla_sdpa_tile_finalize": {
			swapAfter("no denominator below 0", suite.CheckBound, "kernel void mla_sdpa_tile_finalize", "denom == 0.0f",
				"denom <= 0.0f").only("input=denom_small")},
		"compute_decay_beta": {
			swapAfter("identity from 10 on", suite.CheckBound, "kernel void compute_decay_beta",
				"max(x, 0.0f) + log_1p(exp(-abs(x)))", "(x > 10.0f ? x : max(x, 0.0f) + log_1p(exp(-abs(x))))").
				only("input=knee"),
			swapAfter("no tail below -30", suite.CheckBound, "kernel void compute_decay_beta",
				"max(x, 0.0f) + log_1p(exp(-abs(x)))", "(x < -30.0f ? 0.0f : max(x, 0.0f) + log_1p(exp(-abs(x))))").
				only("input=far_tail")},
		"gated_delta_net_step": {
			swapAfter("decay of 1e-20 at least", suite.CheckBound, "kernel void gated_delta_net_step",
				"= g_decay[gate_at]", "= max(g_decay[gate_at], 1e-20f)").only("input=decay_small")},
		"gated_delta_net_kkt_bf16": {
			away("keys", suite.CheckExact, "kernel void gated_delta_net_kkt_bf16",
				"float(k_chunk[i * k_stride + c + e % BK]) * beta_i")},
		"gated_delta_net_recompute_wu_bf16": {
			away("operands", suite.CheckExact, "kernel void gated_delta_net_recompute_wu_bf16",
				"value * beta[gate_at]"),
			away("results", suite.CheckExact, "kernel void gated_delta_net_recompute_wu_bf16", "sum")},
		"gated_delta_net_chunk_inter_state_bf16": {
			away("states", suite.CheckExact, "kernel void gated_delta_net_chunk_inter_state_bf16",
				"h[r * STATE_K + c]"),
			away("values", suite.CheckExact, "kernel void gated_delta_net_chunk_inter_state_bf16", "v")},
		"gated_delta_net_chunk_o_bf16": {
			away("weights", suite.CheckExact, "kernel void gated_delta_net_chunk_o_bf16",
				"decay * scores[own * TILE + e]"),
			away("outputs", suite.CheckExact, "kernel void gated_delta_net_chunk_o_bf16", "scale * out")},
	}
}

// away is a rounding to bfloat16 of which ties go away from zero.
func away(what string, check suite.Check, after, x string) fault {
	return swapAfter("ties of "+what+" away from zero", check, after, "bfloat("+x+")",
		"as_type<bfloat>(ushort((as_type<uint>("+x+") + 0x8000u) >> 16))").only("input=ties")
}
