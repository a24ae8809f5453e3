package kernels

import "metalconform/suite"

func stepFaults() []fault {
	const kernel = "kernel void gated_delta_net_step("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / k_heads_per_v", "head % (key_total / HEAD_DIM)"),
		swapAfter("decay after the read", suite.CheckBound, kernel, "s[j] *= alpha;\n"+
			"            sk += s[j] * k_token[j];", "sk += s[j] * k_token[j];\n            s[j] *= alpha;"),
		swapAfter("rate for the decay", suite.CheckBound, kernel, "const float alpha = g_decay[gate_at];",
			"const float alpha = exp(-g_decay[gate_at]);"),
		swapAfter("output before the update", suite.CheckBound, kernel, "s[j] += k_token[j] * delta;\n"+
			"            o += s[j] * q_token[j];", "o += s[j] * q_token[j];\n            s[j] += k_token[j] * delta;"),
		swapAfter("state in bf16", suite.CheckBound, kernel, "s[j] += k_token[j] * delta;",
			"s[j] = float(bfloat(s[j] + k_token[j] * delta));"),
		swapAfter("state not written", suite.CheckBound, kernel, "state_row[j] = s[j];", ""),
		swapAfter("keys and queries swapped", suite.CheckBound, kernel, "token[key_total + query_at + row]",
			"token[query_at + row]"),
	}
}

func sequentialFaults() []fault {
	const kernel = "kernel void gated_delta_net_sequential("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / k_heads_per_v", "head % (key_total / HEAD_DIM)"),
		swapAfter("read of one lane", suite.CheckBound, kernel, "sk = simd_sum(sk);", ""),
		swapAfter("output of one lane", suite.CheckBound, kernel, "o = simd_sum(o);", ""),
		swapAfter("sum by one lane only", suite.CheckBound, kernel, "o = simd_sum(o);",
			"if (lane == 0) { o = simd_sum(o); }"),
		swapAfter("decay after the read", suite.CheckBound, kernel, "s[j] *= alpha;\n            sk += s[j] * k[j];",
			"sk += s[j] * k[j];\n            s[j] *= alpha;"),
		swapAfter("rows of the first threadgroup", suite.CheckUnwritten, kernel,
			"group.x * ROWS_PER_THREADGROUP + simdgroup", "simdgroup"),
		swapAfter("state in bf16", suite.CheckBound, kernel, "s[j] += k[j] * delta;",
			"s[j] = float(bfloat(s[j] + k[j] * delta));"),
	}
}

func decayBetaFaults() []fault {
	const (
		kernel = "kernel void compute_decay_beta("
		log1p  = "static inline float log_1p("
	)
	return []fault{
		swapAfter("softplus overflows", suite.CheckBound, kernel, "max(x, 0.0f) + log_1p(exp(-abs(x)))",
			"log(1.0f + exp(x))").only("input=large"),
		swapAfter("tail of softplus lost", suite.CheckBound, log1p, "u == 1.0f ? y : log(u) * (y / (u - 1.0f))",
			"log(u)").only("input=tail"),
		swapAfter("softplus is a ramp", suite.CheckBound, kernel, " + log_1p(exp(-abs(x)))", ""),
		swapAfter("sigmoid overflows", suite.CheckNonFinite, kernel, "sigmoid(beta_out[at])",
			"exp(beta_out[at]) / (1.0f + exp(beta_out[at]))").only("input=far"),
		swapAfter("bias read as f16", suite.CheckBound, kernel, "float(dt_bias[h])",
			"float(as_type<half>(dt_bias[h]))"),
		swapAfter("bias by token", suite.CheckBound, kernel, "dt_bias[h]", "dt_bias[t % num_v_heads]"),
		swapAfter("sign of the rate", suite.CheckBound, kernel, "exp(-exp(A_log[h]) * softplus)",
			"exp(exp(A_log[h]) * softplus)"),
		swapAfter("rate not exponentiated", suite.CheckBound, kernel, "exp(A_log[h])", "A_log[h]"),
		swapAfter("gate not written", suite.CheckUnwritten, kernel, "beta_gate[at] =", "const float unused ="),
	}
}

func convolutionFaults() []fault {
	const kernel = "kernel void conv1d_step("
	return []fault{
		swapAfter("taps mirrored", suite.CheckBound, kernel, "weights[c * CONV_WIDTH + j]",
			"weights[c * CONV_WIDTH + 3 - j]"),
		swapAfter("taps transposed", suite.CheckBound, kernel, "weights[c * CONV_WIDTH + j]",
			"weights[j * conv_dim + c]"),
		swapAfter("weights read as f16", suite.CheckBound, kernel, "float(weights[c * CONV_WIDTH + j])",
			"float(as_type<half>(weights[c * CONV_WIDTH + j]))"),
		swapAfter("three taps", suite.CheckBound, kernel, "uint j = 0;", "uint j = 1;"),
		swapAfter("no silu", suite.CheckBound, kernel, "sum * sigmoid(sum)", "sum"),
		swapAfter("one token late", suite.CheckBound, kernel, "input, t + j,", "input, max(t + j, 1u) - 1,"),
		swapAfter("sum in bf16", suite.CheckBound, kernel, "sum += conv_row", "sum = float(bfloat(sum)) + conv_row"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (c >= conv_dim)", "if (false)"),
	}
}

func convStateFaults() []fault {
	const kernel = "kernel void conv1d_state_update("
	return []fault{
		swapAfter("last rows of the input only", suite.CheckFault, kernel, "input, n_tokens + r,",
			"input, max(n_tokens, 3u) + r,").only("T=2/"),
		swapAfter("one row short", suite.CheckExact, kernel, "input, n_tokens + r,", "input, n_tokens + r - 1,"),
		swapAfter("rows overwritten before they are read", suite.CheckExact, kernel,
			"for (uint r = 0; r < CONV_PAST; r++) {\n        rows[r] = conv_row(conv_state, input, n_tokens + r, c, "+
				"conv_dim);\n    }\n    for (uint r = 0; r < CONV_PAST; r++) {",
			"for (uint r = CONV_PAST; r-- > 0;) {\n"+
				"        rows[r] = conv_row(conv_state, input, n_tokens + r, c, conv_dim);").only("T=1/"),
		swapAfter("no bounds check", suite.CheckFault, kernel, "if (c >= conv_dim)", "if (false)"),
	}
}

func cumsumFaults() []fault {
	const kernel = "kernel void chunk_local_cumsum_g_f32("
	return []fault{
		swapAfter("log-decays not added", suite.CheckBound, kernel, "own + sums[from][t - distance]", "own"),
		swapAfter("sum one token late", suite.CheckBound, kernel, "g_cumsum[at] = sums[from][t];",
			"g_cumsum[at] = t > 0 ? sums[from][t - 1] : 0.0f;"),
		swapAfter("last round missed", suite.CheckBound, kernel, "distance < BT", "distance < BT / 2"),
		swapAfter("heads and tokens transposed", suite.CheckExact, kernel, "token * H + group.y",
			"ulong(group.y) * T + token").only("B=1/"),
		swapAfter("batches not told apart", suite.CheckUnwritten, kernel, "ulong(group.z / NT) * T + group.z % NT * BT",
			"ulong(group.z % NT) * BT"),
	}
}

func kktFaults() []fault {
	const kernel = "kernel void gated_delta_net_kkt_bf16("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / (H / Hg)", "head % Hg").only("Hg=2/H=4"),
		swapAfter("k beta truncated", suite.CheckBound, kernel,
			"bfloat(float(k_chunk[i * k_stride + c + e % BK]) * beta_i)",
			"as_type<bfloat>(ushort(as_type<uint>(float(k_chunk[i * k_stride + c + e % BK]) * beta_i) >> 16))"),
		swapAfter("rounded before the gate", suite.CheckBound, kernel,
			"bfloat(float(k_chunk[i * k_stride + c + e % BK]) * beta_i)",
			"bfloat(float(k_chunk[i * k_stride + c + e % BK]) * float(bfloat(beta_i)))"),
		swapAfter("gate dropped", suite.CheckBound, kernel, " * beta_i);", ");"),
		swapAfter("mask by multiplication", suite.CheckNonFinite, kernel, "i > j ? decay * products[e] : 0.0f",
			"(i > j ? 1.0f : 0.0f) * decay * products[e]").only("input=strong"),
		swapAfter("diagonal kept", suite.CheckExact, kernel, "i > j ?", "i >= j ?"),
		swapAfter("decay upside down", suite.CheckBound, kernel,
			"exp(g[(first + i) * H + head] - g[(first + j) * H + head])",
			"exp(g[(first + j) * H + head] - g[(first + i) * H + head])"),
		swapAfter("tile count of one head dimension", suite.CheckBound, kernel, "c < K; c += BK",
			"c < 64; c += BK").only("/K=128/"),
		swapAfter("tile count of a larger head dimension", suite.CheckFault, kernel, "c < K; c += BK",
			"c < 128; c += BK").only("/K=64/"),
	}
}

func inverseFaults() []fault {
	const kernel = "kernel void chunk_tri_solve_invert_f32("
	return []fault{
		swapAfter("sign", suite.CheckBound, kernel, "sum -= a_row[m] * x[m];", "sum += a_row[m] * x[m];"),
		swapAfter("zero diagonal", suite.CheckExact, kernel, "i == j ? 1.0f : 0.0f", "0.0f"),
		swapAfter("series cut after the first power", suite.CheckBound, kernel, "m < i; m++", "m < min(i, j + 1); m++"),
		swapAfter("sum in bf16", suite.CheckBound, kernel, "sum -= a_row[m] * x[m];",
			"sum = float(bfloat(sum)) - a_row[m] * x[m];"),
		swapAfter("transposed", suite.CheckBound, kernel, "X[row + j] = sum;",
			"X[((first + j) * H + group.y) * BT + i] = sum;"),
	}
}

func wuFaults() []fault {
	const kernel = "kernel void gated_delta_net_recompute_wu_bf16("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / (H / Hg)", "head % Hg").only("Hg=2/H=4"),
		swapAfter("decay missing", suite.CheckBound, kernel, " * exp(g[gate_at])", ""),
		swapAfter("decay of values too", suite.CheckBound, kernel, "bfloat(value * beta[gate_at])",
			"bfloat(value * beta[gate_at] * exp(g[gate_at]))"),
		swapAfter("rounded before the gate", suite.CheckBound, kernel, "bfloat(key * beta[gate_at] * exp(g[gate_at]))",
			"bfloat(float(bfloat(key * beta[gate_at])) * exp(g[gate_at]))"),
		swapAfter("operand truncated", suite.CheckBound, kernel, "bfloat(value * beta[gate_at])",
			"as_type<bfloat>(ushort(as_type<uint>(value * beta[gate_at]) >> 16))"),
		swapAfter("output truncated", suite.CheckBound, kernel, "u[row * V + (c - K) + d] = bfloat(sum)",
			"u[row * V + (c - K) + d] = as_type<bfloat>(ushort(as_type<uint>(sum) >> 16))"),
		swapAfter("diagonal missing", suite.CheckBound, kernel, "j <= i; j++", "j < i; j++"),
		swapAfter("sum in bf16", suite.CheckBound, kernel, "sum += inverse", "sum = float(bfloat(sum)) + inverse"),
		swapAfter("values of one head dimension", suite.CheckUnwritten, kernel, "c < K + V",
			"c < K + 64").only("/V=128/"),
	}
}

func stateFaults() []fault {
	const kernel = "kernel void gated_delta_net_chunk_inter_state_bf16("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / (H / Hg)", "head % Hg").only("Hg=2/H=4"),
		swapAfter("gated values stored", suite.CheckBound, kernel, "= bfloat(v);",
			"= bfloat(v * exp(g_last - g[row]));"),
		swapAfter("values rounded before the gate", suite.CheckBound, kernel, "rounded(v * exp(g_last - g[row]))",
			"rounded(rounded(v) * exp(g_last - g[row]))"),
		swapAfter("values not rounded", suite.CheckBound, kernel, "rounded(v * exp(g_last - g[row]))",
			"v * exp(g_last - g[row])"),
		swapAfter("state in bf16", suite.CheckBound, kernel, "h[r * STATE_K + c] * decay + sum;",
			"rounded(h[r * STATE_K + c] * decay + sum);"),
		swapAfter("read of the rounded state", suite.CheckBound, kernel, "* h[r * STATE_K + j];",
			"* rounded(h[r * STATE_K + j]);"),
		swapAfter("state not decayed", suite.CheckBound, kernel, "h[r * STATE_K + c] * decay + sum;",
			"h[r * STATE_K + c] + sum;"),
		swapAfter("state not stored before the first chunk", suite.CheckBound, kernel,
			"h[r * STATE_K + c] = h0[state_at + r * STATE_K + c];", "h[r * STATE_K + c] = 0.0f;"),
		swapAfter("decay from the chunk's start", suite.CheckBound, kernel, "exp(g_last - g[row])", "exp(g[row])"),
		swapAfter("last token of the first chunk", suite.CheckBound, kernel, "g[(first + BT - 1) * H + head]",
			"g[(ulong(group.z) * T + BT - 1) * H + head]"),
		swapAfter("read added", suite.CheckBound, kernel, " - wh;", " + wh;"),
	}
}

func chunkOutputFaults() []fault {
	const kernel = "kernel void gated_delta_net_chunk_o_bf16("
	return []fault{
		swapAfter("tiled mapping", suite.CheckBound, kernel, "head / (H / Hg)", "head % Hg").only("Hg=2/H=4"),
		swapAfter("diagonal missing", suite.CheckBound, kernel, "col <= i ?", "col < i ?"),
		swapAfter("mask by multiplication", suite.CheckNonFinite, kernel,
			"col <= i ? bfloat(decay * scores[own * TILE + e]) : bfloat(0.0f)",
			"bfloat((col <= i ? 1.0f : 0.0f) * decay * scores[own * TILE + e])").only("input=strong"),
		swapAfter("scores truncated", suite.CheckBound, kernel, "? bfloat(decay * scores[own * TILE + e])",
			"? as_type<bfloat>(ushort(as_type<uint>(decay * scores[own * TILE + e]) >> 16))"),
		swapAfter("scores rounded before the decay", suite.CheckBound, kernel,
			"? bfloat(decay * scores[own * TILE + e])", "? bfloat(decay * rounded(scores[own * TILE + e]))"),
		swapAfter("output truncated", suite.CheckBound, kernel, "= bfloat(scale * out);",
			"= as_type<bfloat>(ushort(as_type<uint>(scale * out) >> 16));"),
		swapAfter("scale dropped", suite.CheckBound, kernel, "bfloat(scale * out)", "bfloat(out)"),
		swapAfter("scale applied twice", suite.CheckBound, kernel, "bfloat(scale * out)",
			"bfloat(scale * scale * out)"),
		swapAfter("state not decayed", suite.CheckBound, kernel, "exp(g[token]) * sums", "sums"),
		swapAfter("state of the first chunk", suite.CheckBound, kernel, "(ulong(batch) * NT + group.y)",
			"(ulong(batch) * NT)"),
		swapAfter("batches not told apart", suite.CheckUnwritten, kernel, "const uint batch = group.z / H;",
			"const uint batch = 0;"),
	}
}
