package kernels

import "metalconform/suite"

func perHeadFaults() []fault {
	const kernel = "kernel void rms_norm_per_head_n_tokens"
	return []fault{
		swapAfter("weights of the first channel", suite.CheckBound, kernel, "float(weight[i])", "float(weight[0])"),
		swapAfter("elements past 256 missed", suite.CheckBound, kernel, "row[i] = row[i] * scale",
			"row[i % 256] = row[i % 256] * scale").only("head_dim=257"),
		swapAfter("width of 128 assumed", suite.CheckBound, kernel, "sum_sq / float(head_dim)", "sum_sq / 128.0f"),
	}
}

func qkFaults() []fault {
	const kernel = "kernel void rms_norm_qk"
	return []fault{
		swapAfter("one scale for queries", suite.CheckBound, kernel, "(inv_scale * inv_scale)", "inv_scale"),
		swapAfter("keys behind the values", suite.CheckFault, kernel, "x[at + key_offset_per_token] = k",
			"x[at + 2 * key_offset_per_token] = k"),
		swapAfter("eps dropped", suite.CheckNonFinite, kernel, "float(key_dim) + QK_EPS",
			"float(key_dim)").only("input=zeros"),
	}
}

func gatedFaults() []fault {
	const kernel = "kernel void gated_rms_norm"
	return []fault{
		swapAfter("gate before the norm", suite.CheckBound, kernel, "const float v = values[at];",
			"const float v = values[at] * z[at];"),
		swapAfter("sigmoid for silu", suite.CheckBound, kernel, "z[at] * sigmoid(z[at])", "sigmoid(z[at])"),
		swapAfter("rounded before the gate", suite.CheckBound, kernel, "v * rsqrt(sum_sq / float(value_dim) + eps)",
			"float(bfloat(v * rsqrt(sum_sq / float(value_dim) + eps)))"),
	}
}

func scoreFaults(kernel, mapping, wrong string) []fault {
	return []fault{
		swapAfter("wrong head mapping", suite.CheckBound, kernel, mapping, wrong),
		swapAfter("key head of another", suite.CheckBound, kernel, mapping,
			"(head == 0 ? kv_dim / head_dim - 1 : "+mapping+")"),
		swapAfter("scale dropped", suite.CheckBound, kernel, "head_dim, scale,", "head_dim, 1.0f,"),
		swapAfter("scale made from the width", suite.CheckBound, kernel, "head_dim, scale,",
			"head_dim, rsqrt(float(head_dim)),").only("input=other_scale"),
		swapAfter("length for stride", suite.CheckUntouched, kernel, "ulong(head) * seq_stride",
			"ulong(head) * seq_len"),
	}
}

func softmaxFaults() []fault {
	const kernel = "kernel void attn_softmax_batched"
	return []fault{
		swapAfter("maximum from 0", suite.CheckNonFinite, kernel, "float largest = LOWEST",
			"float largest = 0.0f").only("far_below"),
		swapAfter("maximum over the stride", suite.CheckNonFinite, kernel, "p < seq_len",
			"p < seq_stride").only("input=unread"),
		swapAfter("exponential of two", suite.CheckBound, kernel, "exp(row[p] - largest)", "exp2(row[p] - largest)"),
		swapAfter("log2(e) to five digits", suite.CheckBound, kernel, "exp(row[p] - largest)",
			"exp2(1.4427f * (row[p] - largest))"),
		swapAfter("one simdgroup's sum", suite.CheckBound, kernel,
			"threadgroup_sum(sum, partial_sum, lane, simdgroup, simdgroups)", "simd_sum(sum)").only("257"),
		swapAfter("length for stride", suite.CheckUntouched, kernel, "ulong(head) * seq_stride",
			"ulong(head) * seq_len"),
	}
}

func valueFaults(kernel, mapping, wrong string) []fault {
	return []fault{
		swapAfter("wrong head mapping", suite.CheckBound, kernel, mapping, wrong),
		swapAfter("value head of another", suite.CheckBound, kernel, mapping,
			"(head == 0 ? kv_dim / head_dim - 1 : "+mapping+")"),
		swapAfter("length for stride", suite.CheckBound, kernel, "ulong(head) * seq_stride", "ulong(head) * seq_len"),
		swapAfter("last position missed", suite.CheckBound, kernel, "kv_dim, seq_len);", "kv_dim, seq_len - 1);"),
	}
}

func onlineFaults() []fault {
	const kernel = "kernel void attn_online_f32"
	return []fault{
		swapAfter("block for tiled", suite.CheckBound, kernel, "head % params.Hg", "head / (params.H / params.Hg)"),
		swapAfter("tiled for block", suite.CheckBound, kernel, "head / (params.H / params.Hg)", "head % params.Hg"),
		swapAfter("causal limit without the start", suite.CheckBound, kernel, "params.start_pos + t + 1", "t + 1"),
		swapAfter("causal limit one short", suite.CheckBound, kernel, "params.start_pos + t + 1",
			"params.start_pos + t"),
		swapAfter("maximum from 0", suite.CheckBound, kernel, "float running_max = LOWEST",
			"float running_max = 0.0f").only("far_below"),
		swapAfter("no rescale of the sum", suite.CheckBound, kernel, "running_sum * rescale",
			"running_sum").only("ascending"),
		swapAfter("no rescale of the values", suite.CheckBound, kernel, "acc[c] *= rescale",
			"acc[c] *= 1.0f").only("ascending"),
		swapAfter("log2(e) twice", suite.CheckBound, kernel, "exp(score - new_max)",
			"exp2((score - new_max) * 1.442695f * 1.442695f)"),
		swapAfter("log2(e) to five digits", suite.CheckStatistical, kernel, "exp(score - new_max)",
			"exp2(1.4427f * (score - new_max))"),
		swapAfter("weights in f16", suite.CheckBound, kernel, "exp(score - new_max)",
			"float(half(exp(score - new_max)))"),
		swapAfter("accumulators in bf16", suite.CheckBound, kernel, "acc[c] += w * row[c * SIMD_WIDTH + lane];",
			"acc[c] = float(bfloat(acc[c] + w * row[c * SIMD_WIDTH + lane]));"),
		swapAfter("two heads swapped", suite.CheckBound, kernel, "params.H + head) * D + d]",
			"params.H + (params.H > 1 && head < 2 ? 1 - head : head)) * D + d]"),
		swapAfter("last element unwritten", suite.CheckUnwritten, kernel, "out[(ulong(t) * params.H + head) * D + d] =",
			"if (t + 1 < params.T || head + 1 < params.H || d + 1 < D) out[(ulong(t) * params.H + head) * D + d] ="),
		swapAfter("partial block read whole", suite.CheckBound, kernel, "min(SIMD_WIDTH, visible - first)",
			"min(SIMD_WIDTH, params.S - first)"),
	}
}

func ropeFaults() []fault {
	const kernel = "kernel void rope_n_tokens"
	return []fault{
		swapAfter("pairs of the whole head", suite.CheckUntouched, kernel, "pair[pairs] = a * s",
			"pair[D / 2] = a * s"),
		swapAfter("interleaved pairs", suite.CheckBound, kernel, "ulong(row) * D + i", "ulong(row) * D + 2 * i"),
		swapAfter("rotation the other way", suite.CheckBound, kernel, "a * c - b * s", "a * c + b * s"),
		swapAfter("position without the start", suite.CheckBound, kernel, "float(start_pos + int(row / H))",
			"float(int(row / H))"),
		swapAfter("position of the head", suite.CheckBound, kernel, "int(row / H)", "int(row % H)"),
		swapAfter("angle in half", suite.CheckBound, kernel,
			"const float angle = float(start_pos + int(row / H)) * inv_freq[i];",
			"const float angle = float(half(float(start_pos + int(row / H)) * inv_freq[i]));"),
	}
}

func routerFaults() []fault {
	const kernel = "kernel void moe_softmax_topk"
	return []fault{
		swapAfter("a tie takes the slot", suite.CheckExact, kernel, "p > weights[smallest]",
			"p >= weights[smallest]").only("ties"),
		swapAfter("last of equal slots", suite.CheckExact, kernel, "weights[s] < weights[smallest]",
			"weights[s] <= weights[smallest]").only("equal"),
		swapAfter("slots clamped", suite.CheckExact, kernel, "for (uint s = 1; s < k; s++)",
			"for (uint s = 1; s < min(k, 4u); s++)"),
		swapAfter("not divided", suite.CheckBound, kernel, "probabilities[e] / sum", "probabilities[e]"),
		swapAfter("maximum of 0", suite.CheckExact, kernel,
			"largest = simd_max(lane < simdgroups ? partial_max[lane] : float(LOWEST));",
			"largest = 0.0f;").only("far_below"),
	}
}

func combineFaults(kernel string) []fault {
	return []fault{
		swapAfter("gate without sigmoid", suite.CheckBound, kernel, "sigmoid(params[SHARED_GATE])",
			"params[SHARED_GATE]"),
		swapAfter("experts swapped", suite.CheckBound, kernel, "params[2] * expert_out2[i]",
			"params[2] * expert_out1[i]"),
		swapAfter("one expert too many", suite.CheckBound, kernel, "K > 5", "K > 4"),
		swapAfter("residual dropped", suite.CheckBound, kernel, "= h_mid[i] + sum", "= sum"),
	}
}
