package kernels

import "metalconform/suite"

func splitFaults() []fault {
	const kernel = "kernel void mla_split_q_kv("
	return []fault{
		swapAfter("rotated part first", suite.CheckExact, kernel, "i / qk_rope * q_dim + qk_nope + i % qk_rope",
			"i / qk_rope * q_dim + i % qk_rope"),
		swapAfter("heads without their rotated part", suite.CheckExact, kernel, "i / qk_nope * q_dim + i % qk_nope",
			"i"),
		swapAfter("key from the row's start", suite.CheckExact, kernel, "kv_pre[kv_lora_rank + i]", "kv_pre[i]"),
		swapAfter("latent row cut at the heads", suite.CheckUnwritten, kernel, "if (i < kv_lora_rank)",
			"if (i < min(kv_lora_rank, H * qk_nope))").only("kv_lora_rank=257"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (i < H * qk_nope)", "if (true)"),
		swapAfter("heads transposed", suite.CheckExact, kernel, "q_full[i / qk_nope * q_dim + i % qk_nope]",
			"q_full[i % H * q_dim + i / H]"),
	}
}

func rotationFaults() []fault {
	const kernel = "kernel void yarn_rope_apply("
	return []fault{
		{name: "interleaved pairs", check: suite.CheckBound, edits: []edit{
			{kernel, "rotary_dim + i;", "rotary_dim + 2 * i;"},
			{"const float a = pair[0];", "pair[pairs]", "pair[1]"},
			{"const float b = pair[1];", "pair[pairs]", "pair[1]"},
		}},
		// What a fast sine makes of a large angle.
		swapAfter("angle reduced in f32", suite.CheckBound, kernel, "precise::sin(angle)",
			"precise::sin(angle - 6.2831853f * floor(angle / 6.2831853f))").only("pos=4096"),
		swapAfter("half angle precision", suite.CheckBound, kernel, "pos_f * inv_freq[i]",
			"float(half(pos_f * inv_freq[i]))"),
		swapAfter("turned backwards", suite.CheckBound, kernel, "a * c - b * s", "a * c + b * s"),
		swapAfter("magnitude dropped from cosine", suite.CheckBound, kernel, "precise::cos(angle) * mscale",
			"precise::cos(angle)").only("factor=40"),
		swapAfter("magnitude dropped from sine", suite.CheckBound, kernel, "precise::sin(angle) * mscale",
			"precise::sin(angle)").only("factor=40"),
		swapAfter("first channel overwritten too early", suite.CheckBound, kernel, "const float b = pair[pairs];",
			"const float b = pair[0];"),
		swapAfter("frequency of the next pair", suite.CheckBound, kernel, "inv_freq[i]", "inv_freq[(i + 1) % pairs]"),
		swapAfter("head 0 for all", suite.CheckBound, kernel, "ulong(head) * rotary_dim",
			"0 * rotary_dim").only("num_heads=31"),
	}
}

func latentAppendFaults() []fault {
	const kernel = "kernel void mla_kv_cache_append("
	return []fault{
		swapAfter("latent row of the next position", suite.CheckExact, kernel, "ulong(pos) * kv_lora_rank",
			"ulong(pos == 0 ? 1 : pos - 1) * kv_lora_rank"),
		swapAfter("stride of the other cache", suite.CheckExact, kernel, "ulong(pos) * qk_rope",
			"ulong(pos) * kv_lora_rank / 2").only("qk_rope=40"),
		swapAfter("position dropped", suite.CheckExact, kernel, "ulong(pos) * qk_rope", "0"),
		swapAfter("latent row cut at the key", suite.CheckExact, kernel, "if (i < kv_lora_rank)",
			"if (i < min(kv_lora_rank, qk_rope))"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (i < kv_lora_rank)", "if (true)"),
	}
}

func queryFaults() []fault {
	const (
		kernel = "kernel void mla_q_prime_4bit("
		weight = "static inline float weight_4bit("
	)
	return []fault{
		swapAfter("value rows for key rows", suite.CheckBound, kernel, "ulong(head) * kv_b_per_head + j;",
			"ulong(head) * kv_b_per_head + kv_b_per_head - nope + j;"),
		swapAfter("rows of keys only", suite.CheckBound, kernel, "ulong(head) * kv_b_per_head + j;",
			"ulong(head) * nope + j;"),
		swapAfter("query of head 0", suite.CheckBound, kernel, "q_nope[ulong(head) * nope + j]", "q_nope[j]"),
		swapAfter("last row missed", suite.CheckBound, kernel, "j < nope", "j + 1 < nope"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (i >= num_heads * kv_lora_rank)", "if (false)"),
		swapAfter("bf16 accumulation", suite.CheckBound, kernel, "sum += q_nope", "sum = float(bfloat(sum)) + q_nope"),
		swapAfter("high nibble first", suite.CheckBound, weight, "4 * (c % NIBBLES)", "4 * (7 - c % NIBBLES)"),
		swapAfter("group of 32 assumed", suite.CheckBound, weight, "c / group_size",
			"min(c / 32, R / group_size - 1)").only("group_size=8"),
		swapAfter("scales read as f16", suite.CheckBound, weight, "float(scales[group])",
			"float(as_type<half>(scales[group]))"),
		swapAfter("bias dropped", suite.CheckBound, weight, "float(biases[group])", "0.0f"),
		swapAfter("groups of row 0", suite.CheckBound, weight, "row * (R / group_size) + c", "c"),
	}
}

func foldedFaults() []fault {
	const (
		kernel  = "kernel void mla_sdpa_folded("
		scores  = "static inline void score_positions("
		maximum = "static inline float largest_score("
		weights = "static inline float weigh_scores("
		rows    = "static inline float weighted_rows("
	)
	return []fault{
		swapAfter("not divided", suite.CheckBound, kernel, " / sum;", ";"),
		swapAfter("first element unwritten", suite.CheckUnwritten, kernel,
			"v_combine[ulong(head) * kv_lora_rank + c] =",
			"if (head > 0 || c > 0) v_combine[ulong(head) * kv_lora_rank + c] ="),
		swapAfter("query of head 0", suite.CheckBound, kernel, "q_prime + ulong(head) * kv_lora_rank", "q_prime"),
		swapAfter("RoPE query of head 0", suite.CheckBound, kernel, "q_pe + ulong(head) * qk_rope_head_dim", "q_pe"),
		swapAfter("last position missed", suite.CheckBound, kernel,
			"weighted_rows(weights, latent_cache, kv_lora_rank, cache_len, c)",
			"weighted_rows(weights, latent_cache, kv_lora_rank, cache_len - 1, c)"),
		swapAfter("one channel a thread", suite.CheckUnwritten, kernel, "c < kv_lora_rank; c += threads",
			"c < min(kv_lora_rank, threads); c += threads").only("kv_lora_rank=130"),
		swapAfter("maximum begins at 0", suite.CheckNonFinite, maximum, "float largest = LOWEST;",
			"float largest = 0.0f;").only("input=scores_far_below_zero"),
		swapAfter("maximum begins at -1e3", suite.CheckNonFinite, maximum, "float largest = LOWEST;",
			"float largest = -1e3f;").only("input=scores_far_below_zero"),
		swapAfter("scale dropped", suite.CheckBound, scores, "softmax_scale * dot", "dot"),
		swapAfter("log2 e twice", suite.CheckBound, weights, "exp(score - highest)",
			"exp2(1.44269504f * 1.44269504f * (score - highest))"),
		swapAfter("no maximum", suite.CheckNonFinite, weights, "exp(score - highest)",
			"exp(score)").only("input=scores_far_below_zero"),
		swapAfter("positions rounded up to simdgroups", suite.CheckFault, kernel,
			"kv_lora_rank, qk_rope_head_dim, cache_len, softmax_scale",
			"kv_lora_rank, qk_rope_head_dim, (cache_len + 31) / 32 * 32, softmax_scale"),
		swapAfter("latent row for RoPE row", suite.CheckBound, scores, "q_rope[c] * rope_row[c]",
			"q_latent[c] * rope_row[c]"),
		swapAfter("stride of the length", suite.CheckBound, rows, "ulong(t) * rank + c",
			"ulong(c) * length + t").only("kv_lora_rank=33/qk_rope_head_dim=8/cache_len=70"),
	}
}

func outputFaults() []fault {
	const kernel = "kernel void mla_out_per_head_4bit("
	return []fault{
		swapAfter("key rows for value rows", suite.CheckBound, kernel, "kv_b_per_head + nope + flat % v_head_dim",
			"kv_b_per_head + flat % v_head_dim"),
		swapAfter("rows of values only", suite.CheckBound, kernel, "ulong(head) * kv_b_per_head + nope",
			"ulong(head) * v_head_dim + nope"),
		swapAfter("values of head 0", suite.CheckBound, kernel, "v_combine + ulong(head) * kv_lora_rank", "v_combine"),
		swapAfter("group of 64 assumed", suite.CheckBound, kernel, "w * NIBBLES / group_size",
			"w * NIBBLES / 64").only("group_size=8"),
		swapAfter("whole rounds of lanes only", suite.CheckBound, kernel, "w < kv_lora_rank / NIBBLES",
			"w < kv_lora_rank / NIBBLES / SIMD_WIDTH * SIMD_WIDTH"),
		swapAfter("high nibble first", suite.CheckBound, kernel, "packed >> (4 * j)", "packed >> (28 - 4 * j)"),
		swapAfter("bias dropped", suite.CheckBound, kernel, "bias * value", "0.0f"),
		swapAfter("lanes not added", suite.CheckBound, kernel, "sum = simd_sum(sum);", ""),
		swapAfter("f16 accumulation", suite.CheckBound, kernel, "float sum = 0.0f;", "half sum = 0.0h;"),
		swapAfter("scales read as f16", suite.CheckBound, kernel, "float(scales[group])",
			"float(as_type<half>(scales[group]))"),
		swapAfter("heads and channels transposed", suite.CheckBound, kernel, "out_per_head[flat]",
			"out_per_head[flat % v_head_dim * num_heads + head]"),
	}
}

func tileFaults() []fault {
	const (
		kernel  = "kernel void mla_sdpa_tile_accumulate("
		scores  = "static inline void score_positions("
		maximum = "static inline float largest_score("
		weights = "static inline float weigh_scores("
	)
	return []fault{
		swapAfter("maximum begins at 0", suite.CheckBound, kernel, "carried_max = first ? float(LOWEST)",
			"carried_max = first ? 0.0f").only("input=scores_far_below_zero"),
		swapAfter("denominator not rescaled", suite.CheckBound, kernel, "carried_denom * rescale + sum",
			"carried_denom + sum"),
		swapAfter("values not rescaled", suite.CheckBound, kernel, "v_head[c] * rescale + v", "v_head[c] + v"),
		swapAfter("carried values on the first tile", suite.CheckNonFinite, kernel,
			"first ? v : v_head[c] * rescale + v", "v_head[c] * rescale + v"),
		swapAfter("carried denominator on the first tile", suite.CheckNonFinite, kernel,
			"carried_denom = first ? 0.0f : running_denom[head]", "carried_denom = running_denom[head]"),
		swapAfter("scale dropped", suite.CheckBound, scores, "softmax_scale * dot", "dot"),
		swapAfter("RoPE part dropped", suite.CheckBound, scores, "dot += q_rope[c] * rope_row[c];", ""),
		swapAfter("tile begins at 0", suite.CheckBound, kernel, "latent_cache + ulong(tile_start) * kv_lora_rank",
			"latent_cache"),
		swapAfter("RoPE keys of the first tile", suite.CheckBound, kernel,
			"rope_k_cache + ulong(tile_start) * qk_rope_head_dim", "rope_k_cache"),
		swapAfter("last position missed", suite.CheckBound, kernel, "tile_end - tile_start : 0",
			"tile_end - tile_start - 1 : 0"),
		swapAfter("maximum of one simdgroup", suite.CheckBound, maximum,
			"simd_max(lane < simdgroups ? partial[lane] : float(LOWEST))", "partial[0]"),
		swapAfter("sum of one simdgroup", suite.CheckBound, weights,
			"simd_sum(lane < simdgroups ? partial[lane] : 0.0f)", "partial[0]").only("cache_len=129"),
		swapAfter("one channel a thread", suite.CheckNonFinite, kernel, "v_head[c] = first",
			"if (c < threads) v_head[c] = first").only("kv_lora_rank=130/qk_rope_head_dim=3/cache_len=40"),
		swapAfter("maximum not carried", suite.CheckBound, kernel, "-INFINITY : new_max;",
			"-INFINITY : largest;").only("input=prior_dominating"),
		swapAfter("query of head 0", suite.CheckBound, kernel, "q_prime + ulong(head) * kv_lora_rank", "q_prime"),
		swapAfter("values kept in bf16", suite.CheckBound, kernel, "first ? v : v_head[c] * rescale + v",
			"float(bfloat(first ? v : v_head[c] * rescale + v))"),
		swapAfter("last tile read past its end", suite.CheckFault, kernel, "tile_end - tile_start : 0",
			"(tile_end - tile_start + 31) / 32 * 32 : 0").only("cache_len=70"),
	}
}

func finalizeFaults() []fault {
	const kernel = "kernel void mla_sdpa_tile_finalize("
	return []fault{
		swapAfter("division by zero", suite.CheckNonFinite, kernel, "denom == 0.0f ? 0.0f : ", "").only("input=denom"),
		swapAfter("denominator of another head", suite.CheckBound, kernel, "running_denom[i / kv_lora_rank]",
			"running_denom[i % num_heads]"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (i >= num_heads * kv_lora_rank)", "if (false)"),
		swapAfter("product for quotient", suite.CheckBound, kernel, "v_combine_partial[i] / denom",
			"v_combine_partial[i] * denom"),
		swapAfter("approximate division", suite.CheckBound, kernel, "v_combine_partial[i] / denom",
			"v_combine_partial[i] * float(half(1.0f / denom))"),
	}
}
