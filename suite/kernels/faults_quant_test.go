package kernels

import "metalconform/suite"

// quantFaults are the faults of the quantised products, of those in bf16, and of
// the casts.
func quantFaults() []fault {
	var all []fault
	for _, of := range []struct {
		kernel string
		faults []fault
	}{
		{"dequant_matvec_4bit", plainFaults()},
		{"dequant_matvec_4bit_fast", fastFaults()},
		{"dequant_matvec_4bit_fast_n_tokens", fastTokensFaults()},
		{"dequant_matvec_4bit_v3", matvecFaults()},
		{"dequant_matvec_4bit_v3_n_tokens", matvecTokensFaults("kernel void dequant_matvec_4bit_v3_n_tokens(")},
		{"dequant_matvec_4bit_v4", quadFaults()},
		{"dequant_matvec_4bit_v5", tableFaults()},
		{"dequant_matvec_2bit", rowFaults("kernel void dequant_matvec_2bit(", "<2>", suite.CheckFault)},
		{"dequant_matvec_8bit_v3", rowFaults("kernel void dequant_matvec_8bit_v3(", "<8>", suite.CheckBound)},
		{"dequant_matvec_8bit_v3_n_tokens", matvecTokensFaults("kernel void dequant_matvec_8bit_v3_n_tokens(")},
		{"dequant_matvec_4bit_batched", batchedFaults()},
		{"dequant_matvec_4bit_v3_experts", blobFaults()},
		{"fused_gate_up_swiglu", gateUpFaults()},
		{"embed_gather_4bit", embedFaults()},
		{"bf16_matvec", bf16Faults()},
		{"bf16_matmul_n_tokens", bf16TokensFaults()},
		{"cast_f32_bf16_rne", bf16CastFaults()},
		{"cast_f32_bf16_trunc", truncationFaults()},
		{"cast_bf16_f32", bf16WideningFaults()},
		{"cast_f32_f16_rne", f16CastFaults()},
		{"cast_f16_f32", f16WideningFaults()},
	} {
		for _, f := range of.faults {
			f.kernel = of.kernel
			all = append(all, f)
		}
	}
	return all
}

func plainFaults() []fault {
	const kernel, sum = "kernel void dequant_matvec_4bit(", "static inline float dot_groups_4bit("
	return []fault{
		swapAfter("row not checked", suite.CheckFault, kernel, "if (row >= out_dim)", "if (false)"),
		swapAfter("every other group", suite.CheckBound, kernel, "group_size, 0, 1)", "group_size, 0, 2)"),
		swapAfter("biases of row 0", suite.CheckBound, kernel, "biases + ulong(row) * num_groups", "biases"),
		swapAfter("whole row one group", suite.CheckBound, sum, "float(scales[group])", "float(scales[0])"),
		swapAfter("bias times count", suite.CheckBound, sum, "float(biases[group]) * sum_x",
			"float(biases[group]) * float(group_size)"),
	}
}

func fastFaults() []fault {
	const kernel, sum, total = "kernel void dequant_matvec_4bit_fast(", "static inline float dot_groups_4bit(",
		"static inline float threadgroup_sum("
	return []fault{
		swapAfter("64 threads assumed", suite.CheckBound, kernel, "thread_id, threads)",
			"thread_id, 64)").only("/threads=96/"),
		swapAfter("one simdgroup only", suite.CheckBound, total, "s < simdgroups", "s < 1"),
		swapAfter("one group a thread", suite.CheckBound, sum, "group += stride",
			"group += num_groups").only("/in_dim=4160/"),
		swapAfter("sums in f16", suite.CheckBound, sum,
			"sum_qx = fma(float((packed >> (4 * j)) & 15u), value, sum_qx);",
			"sum_qx = float(half(fma(float((packed >> (4 * j)) & 15u), value, sum_qx)));"),
		swapAfter("last thread writes", suite.CheckUnwritten, kernel, "if (thread_id == 0)", "if (thread_id == 64)"),
	}
}

func fastTokensFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_fast_n_tokens("
	return []fault{
		swapAfter("rows and tokens transposed", suite.CheckBound, kernel,
			"flat % out_dim;\n    const uint token = flat / out_dim;",
			"flat / n_tokens;\n    const uint token = flat % n_tokens;"),
		swapAfter("input of token 0", suite.CheckBound, kernel, "x_inputs + ulong(token) * in_dim", "x_inputs"),
	}
}

func matvecFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_v3("
	const sum, of = "static inline float dot_row(", "static inline float dot_row_of("
	return []fault{
		swapAfter("group of 64 assumed", suite.CheckBound, sum, "w / words_per_group", "w / 8").only("group_size=8"),
		swapAfter("scale of the first group", suite.CheckBound, sum, "float(scales[group])", "float(scales[0])"),
		swapAfter("bias of the scales", suite.CheckBound, sum, "float(biases[group])", "float(scales[group])"),
		swapAfter("scales read as f16", suite.CheckBound, sum, "float(scales[group])",
			"float(as_type<half>(scales[group]))"),
		swapAfter("bias dropped", suite.CheckBound, sum, "bias * value", "0.0f"),
		swapAfter("high value first", suite.CheckBound, sum, "packed >> (BITS * j)",
			"packed >> (32 - BITS - BITS * j)"),
		swapAfter("signed values", suite.CheckBound, sum, "float((packed >> (BITS * j)) & MASK)",
			"float(int(packed << (32 - BITS - BITS * j)) >> (32 - BITS))"),
		swapAfter("f16 accumulation", suite.CheckBound, sum, "float sum = 0.0f;", "half sum = 0.0h;"),
		swapAfter("whole rounds of lanes only", suite.CheckBound, sum, "w < num_words",
			"w < num_words / SIMD_WIDTH * SIMD_WIDTH"),
		swapAfter("staging removed", suite.CheckNonFinite, kernel,
			"stage_input(staged, x, in_dim, thread_id, threads);", ""),
		swapAfter("rows past the last do not stage", suite.CheckNonFinite, kernel,
			"stage_input(staged, x, in_dim, thread_id, threads);",
			"if (row_tile * ROWS_PER_THREADGROUP + simdgroup < out_dim) { stage_input(staged, x, in_dim, thread_id, "+
				"threads); }"),
		swapAfter("row not checked", suite.CheckFault, kernel, "if (row >= out_dim)", "if (false)"),
		swapAfter("one row a threadgroup short", suite.CheckUnwritten, kernel, "if (row >= out_dim)",
			"if (row + 1 >= out_dim)"),
		swapAfter("scales of row 0", suite.CheckBound, of, "scales + ulong(row) * num_groups", "scales"),
	}
}

func matvecTokensFaults(kernel string) []fault {
	return []fault{
		swapAfter("input of token 0", suite.CheckBound, kernel, "x_inputs + ulong(token) * in_dim", "x_inputs"),
		swapAfter("output transposed", suite.CheckBound, kernel, "out[ulong(token) * out_dim + row]",
			"out[ulong(row) * n_tokens + token]"),
		swapAfter("staging removed", suite.CheckNonFinite, kernel,
			"stage_input(staged, x_inputs + ulong(token) * in_dim, in_dim, thread_id, threads);", ""),
		swapAfter("row not checked", suite.CheckFault, kernel, "if (row >= out_dim)", "if (row >= 8 * num_row_tiles)"),
	}
}

// rowFaults are faults of the kernels of other widths, whose sum is that of
// dequant_matvec_4bit_v3. Words of 4 bits are either too many or too few.
func rowFaults(kernel, bits string, tooMany suite.Check) []fault {
	return []fault{
		swapAfter("scales and biases swapped", suite.CheckBound, kernel, bits+"(W_packed, scales, biases",
			bits+"(W_packed, biases, scales"),
		swapAfter("4 bits taken for its width", tooMany, kernel, "dot_row_of"+bits,
			"dot_row_of<4>").only("out_dim=1/in_dim=64/"),
		swapAfter("row of the threadgroup", suite.CheckBound, kernel, "staged, row, in_dim",
			"staged, row_tile, in_dim"),
		swapAfter("row not checked", suite.CheckFault, kernel, "if (row >= out_dim)", "if (false)"),
	}
}

func quadFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_v4("
	return []fault{
		swapAfter("scale of the quad", suite.CheckBound, kernel, "word / words_per_group",
			"4 * w / words_per_group").only("group_size=8"),
		swapAfter("inputs of the first word", suite.CheckBound, kernel, "staged[word * NIBBLES + j]",
			"staged[4 * w * NIBBLES + j]"),
		swapAfter("whole rounds of lanes only", suite.CheckBound, kernel, "w < num_quads",
			"w < num_quads / SIMD_WIDTH * SIMD_WIDTH"),
		swapAfter("components reversed", suite.CheckBound, kernel, "packed[i] >>", "packed[3 - i] >>"),
	}
}

func tableFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_v5("
	return []fault{
		swapAfter("eight entries", suite.CheckBound, kernel, "& 15u]", "& 7u]"),
		swapAfter("table in bf16", suite.CheckBound, kernel, "fma(float(q), scale, bias);",
			"float(bfloat(fma(float(q), scale, bias)));"),
		swapAfter("scales of row 0", suite.CheckBound, kernel, "scales[ulong(row) * num_groups + group]",
			"scales[group]"),
		swapAfter("weights in place of inputs", suite.CheckBound, kernel, "staged[w * NIBBLES + j], sum",
			"staged[w + j], sum"),
	}
}

func batchedFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_batched("
	return []fault{
		swapAfter("words of the first expert", suite.CheckBound, kernel, "w_offsets[expert]", "w_offsets[0]"),
		swapAfter("offset of the scales for the biases", suite.CheckBound, kernel, "b_offsets[expert]",
			"s_offsets[expert]"),
		swapAfter("offsets taken for numbers of experts", suite.CheckBound, kernel, "scales + s_offsets[expert]",
			"scales + ulong(expert) * out_dim * (in_dim / group_size)"),
		swapAfter("input of the first expert", suite.CheckBound, kernel, "x_inputs + ulong(expert) * in_dim",
			"x_inputs"),
		swapAfter("output transposed", suite.CheckBound, kernel, "out[ulong(expert) * out_dim + row]",
			"out[ulong(row) * (out_dim / out_dim * 3) + expert]").only("K=3/"),
	}
}

func blobFaults() []fault {
	const kernel = "kernel void dequant_matvec_4bit_v3_experts("
	return []fault{
		swapAfter("expert that is not active", suite.CheckFault, kernel, "case 2: blob = blob2;",
			"case 2: blob = blob3;"),
		swapAfter("blob of another expert", suite.CheckBound, kernel, "case 7: blob = blob7;",
			"case 7: blob = blob6;").only("k_active=8/"),
		swapAfter("last expert missing", suite.CheckBound, kernel, "case 7: blob = blob7; break;",
			"").only("k_active=8/"),
		swapAfter("inputs follow each other", suite.CheckBound, kernel, "ulong(expert) * input_stride",
			"ulong(expert) * in_dim").only("input_stride=324/"),
		swapAfter("input of the first expert", suite.CheckBound, kernel, "x + ulong(expert) * input_stride", "x"),
		swapAfter("offset of the scales for the biases", suite.CheckBound, kernel, "blob + b_byte_off",
			"blob + s_byte_off"),
		swapAfter("words begin at 0", suite.CheckBound, kernel, "blob + w_byte_off", "blob"),
		swapAfter("scales right behind the words", suite.CheckBound, kernel, "blob + s_byte_off",
			"blob + w_byte_off + out_dim * in_dim / 2").only("s_byte_off=4100"),
		swapAfter("biases right behind the scales", suite.CheckBound, kernel, "blob + b_byte_off",
			"blob + s_byte_off + (2 * out_dim * (in_dim / group_size) + 7) / 4 * 4").only("b_byte_off=8198"),
	}
}

func gateUpFaults() []fault {
	const kernel = "kernel void fused_gate_up_swiglu("
	const result = "gate * sigmoid(gate) * up"
	return []fault{
		swapAfter("sigmoid for silu", suite.CheckBound, kernel, result, "sigmoid(gate) * up"),
		swapAfter("gate and up swapped", suite.CheckBound, kernel, result, "up * sigmoid(up) * gate"),
		swapAfter("up dropped", suite.CheckBound, kernel, result, "gate * sigmoid(gate)"),
		swapAfter("exponential of the gate", suite.CheckNonFinite, kernel, result,
			"gate * exp(gate) / (1.0f + exp(gate)) * up").only("input=gates_far_above"),
		swapAfter("bf16 before the gate", suite.CheckBound, kernel, result, "gate * sigmoid(gate) * float(bfloat(up))"),
		swapAfter("scales of the gate", suite.CheckBound, kernel, "up_scales + groups_at", "gate_scales + groups_at"),
		swapAfter("exponential in f16", suite.CheckBound, kernel, result,
			"gate / (1.0f + float(exp(half(-gate)))) * up"),
	}
}

func embedFaults() []fault {
	const kernel = "kernel void embed_gather_4bit("
	return []fault{
		swapAfter("row of the first token", suite.CheckExact, kernel, "token_ids[i / hidden_dim]", "token_ids[0]"),
		swapAfter("token for its row", suite.CheckExact, kernel, "ulong(token_ids[i / hidden_dim])",
			"ulong(i / hidden_dim)"),
		swapAfter("high nibble first", suite.CheckExact, kernel, "(4 * (d % NIBBLES))", "(28 - 4 * (d % NIBBLES))"),
		swapAfter("group of 64 assumed", suite.CheckExact, kernel, "d / group_size", "d / 64").only("group_size=8"),
		swapAfter("scales read as f16", suite.CheckExact, kernel, "float(scales[group])",
			"float(as_type<half>(scales[group]))"),
		swapAfter("threads past the last write", suite.CheckFault, kernel, "if (i >= n_tokens * hidden_dim)",
			"if (false)"),
	}
}

func bf16Faults() []fault {
	const kernel, sum = "kernel void bf16_matvec(", "static inline float dot_row_bf16("
	return []fault{
		swapAfter("weights read as f16", suite.CheckBound, sum, "float(w[i])", "float(as_type<half>(w[i]))"),
		swapAfter("input in bf16", suite.CheckBound, sum, "fma(float(w[i]), x[i], sum)",
			"fma(float(w[i]), float(bfloat(x[i])), sum)"),
		swapAfter("sums in bf16", suite.CheckBound, sum, "sum = fma(float(w[i]), x[i], sum);",
			"sum = float(bfloat(fma(float(w[i]), x[i], sum)));"),
		swapAfter("tree stops early", suite.CheckBound, sum, "half_size > 0", "half_size > 1"),
		swapAfter("one element a thread", suite.CheckBound, sum, "i < in_dim; i += threads", "i < in_dim; i += in_dim"),
		swapAfter("row 0", suite.CheckBound, kernel, "w + ulong(row) * in_dim", "w"),
	}
}

func bf16TokensFaults() []fault {
	const kernel = "kernel void bf16_matmul_n_tokens("
	return []fault{
		swapAfter("input of token 0", suite.CheckBound, kernel, "input + ulong(token) * in_dim", "input"),
		swapAfter("output transposed", suite.CheckBound, kernel, "output[flat]",
			"output[ulong(row) * n_tokens + token]"),
	}
}

func bf16CastFaults() []fault {
	const kernel = "kernel void cast_f32_bf16_rne("
	return []fault{
		swapAfter("truncated", suite.CheckExact, kernel, "bits + 0x7fffu + ((bits >> 16) & 1u)", "bits"),
		swapAfter("ties away from zero", suite.CheckExact, kernel, "0x7fffu + ((bits >> 16) & 1u)",
			"0x8000u").only("input=exhaustive"),
		swapAfter("ties towards zero", suite.CheckExact, kernel, "0x7fffu + ((bits >> 16) & 1u)",
			"0x7fffu").only("input=exhaustive"),
		swapAfter("NaN becomes an infinity", suite.CheckExact, kernel, "bits | 0x00400000u",
			"bits & 0xff800000u").only("input=nan_low_payload"),
		swapAfter("NaN is rounded", suite.CheckExact, kernel, "nan ? bits | 0x00400000u : ", "").only("input=special"),
		swapAfter("NaN stays signalling", suite.CheckExact, kernel, "bits | 0x00400000u",
			"bits | 0x00010000u").only("input=exhaustive"),
		swapAfter("subnormals flushed", suite.CheckExact, kernel, "dst[i] = ushort(rounded >> 16);",
			"dst[i] = (bits & 0x7f800000u) == 0 ? ushort((bits >> 31) << 15) : ushort(rounded >> 16);").
			only("input=exhaustive"),
	}
}

func truncationFaults() []fault {
	const kernel = "kernel void cast_f32_bf16_trunc("
	return []fault{
		swapAfter("rounded", suite.CheckExact, kernel, "as_type<uint>(src[i]) >> 16",
			"(as_type<uint>(src[i]) + 0x8000u) >> 16"),
		swapAfter("NaN made quiet", suite.CheckExact, kernel, "as_type<uint>(src[i]) >> 16",
			"(isnan(src[i]) ? as_type<uint>(src[i]) | 0x00400000u : as_type<uint>(src[i])) >> 16").
			only("input=nan_low_payload"),
		swapAfter("threads past the last write", suite.CheckFault, kernel, "if (i < n)", "if (true)"),
	}
}

func bf16WideningFaults() []fault {
	const kernel = "kernel void cast_bf16_f32("
	return []fault{
		swapAfter("converted as an integer", suite.CheckExact, kernel, "as_type<float>(uint(src[i]) << 16)",
			"float(src[i])"),
		swapAfter("read as f16", suite.CheckExact, kernel, "as_type<float>(uint(src[i]) << 16)",
			"float(as_type<half>(src[i]))"),
		swapAfter("subnormals flushed", suite.CheckExact, kernel, "as_type<float>(uint(src[i]) << 16)",
			"((src[i] & 0x7f80) == 0 ? 0.0f : as_type<float>(uint(src[i]) << 16))").only("input=exhaustive"),
	}
}

func f16CastFaults() []fault {
	const kernel = "kernel void cast_f32_f16_rne("
	return []fault{
		swapAfter("truncated", suite.CheckExact, kernel, "half(src[i])",
			"half(as_type<float>(as_type<uint>(src[i]) & 0xffffe000u))").only("input=exhaustive"),
		swapAfter("ties away from zero", suite.CheckExact, kernel, "half(src[i])",
			"half(as_type<float>(as_type<uint>(src[i]) | 1u))").only("input=exhaustive"),
		swapAfter("subnormals flushed", suite.CheckExact, kernel, "half(src[i])",
			"abs(src[i]) < 0x1p-14f ? 0.0h : half(src[i])").only("input=exhaustive"),
		swapAfter("largest number for overflow", suite.CheckExact, kernel, "half(src[i])",
			"half(clamp(src[i], -65504.0f, 65504.0f))").only("input=special"),
	}
}

func f16WideningFaults() []fault {
	const kernel = "kernel void cast_f16_f32("
	return []fault{
		swapAfter("subnormals flushed", suite.CheckExact, kernel, "float(src[i])",
			"(abs(src[i]) < 0x1p-14h ? 0.0f : float(src[i]))").only("input=exhaustive"),
		swapAfter("through bf16", suite.CheckExact, kernel, "float(src[i])", "float(bfloat(float(src[i])))"),
	}
}
