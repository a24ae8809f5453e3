package kernels

import (
	"math"
	"slices"

	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// References are the high-precision references of the oracles, by the kernels that
// the oracles judge. A kernel that only moves or converts data needs none: its
// answer is compared bit for bit.
func References() map[string]kerneltest.Reference {
	references := map[string]kerneltest.Reference{}
	for _, row := range slices.Concat(attentionReferences(), normReferences(), quantReferences(), moeReferences(),
		mlaReferences(), kvQuantReferences(), deltaNetReferences(), stageReferences()) {
		for _, name := range row.kernels {
			references[name] = row.of
		}
	}
	return references
}

// reference is one high-precision reference and the kernels whose oracle it
// referees.
type reference struct {
	kernels []string
	of      kerneltest.Reference
}

// byOutput are references by output.
type byOutput = map[string]oracles.Reference

func attentionReferences() []reference {
	scores := func(m oracles.Mapping) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			return byOutput{"scores": exact.AttentionScores(in.Values("Q"), in.Values("K_cache"), in.Values("scores"),
				cachedProblem(in.Shape, m), in.Scalar("scale"))}
		}
	}
	values := func(m oracles.Mapping) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.AttentionValues(in.Values("scores"), in.Values("V_cache"),
				cachedProblem(in.Shape, m))}
		}
	}
	return []reference{
		{[]string{"attn_scores_batched"}, scores(oracles.BlockHeads)},
		{[]string{"attn_scores_tiled"}, scores(oracles.TiledHeads)},
		{[]string{"attn_values_batched"}, values(oracles.BlockHeads)},
		{[]string{"attn_values_tiled"}, values(oracles.TiledHeads)},
		{[]string{"attn_softmax_batched"}, func(in *suite.Problem) byOutput {
			return byOutput{"scores": exact.SoftmaxRows(in.Values("scores"), cacheRows(in.Shape), in.Shape[seqLen])}
		}},
		{[]string{"attn_online_f32"}, func(in *suite.Problem) byOutput {
			s := in.Shape
			return byOutput{"out": exact.GroupedQuery(oracles.Attention{
				Q: in.Values("Q"), K: in.Values("K"), V: in.Values("V"),
				T: s[tokens], S: s[positions], H: s[queryHeads], Hg: s[keyHeads], D: s[channels],
				Mapping: oracles.Mapping(s[mapping]), Causal: s[causal] == 1, Start: s[startPos],
				Scale: in.Scalar("scale"),
			})}
		}},
		{[]string{"sigmoid_gate"}, func(in *suite.Problem) byOutput {
			return byOutput{"x_out": exact.SigmoidGate(in.Values("x_out"), in.Values("gate"))}
		}},
		{[]string{"rope_n_tokens"}, func(in *suite.Problem) byOutput {
			s := in.Shape
			var at []float64
			for t := range s[nTokens] {
				at = append(at, float64(s[startPos]+t))
			}
			return byOutput{"x": exact.RoPE(oracles.Rotation{
				X: in.Values("x"), Width: s[channels], InvFreq: in.Values("inv_freq"), Positions: at, Scale: 1},
				oracles.F32)}
		}},
	}
}

func normReferences() []reference {
	weighted := func(x, out string) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			return byOutput{out: exact.RMSNorm(in.Values(x), in.Values("weight"), in.Scalar("eps"))}
		}
	}
	return []reference{
		{[]string{"rms_norm_bf16_fused_n_tokens"}, weighted("x", "out")},
		{[]string{"rms_norm_per_head_n_tokens"}, weighted("x", "x")},
		{[]string{"rms_norm_sum_sq"}, func(in *suite.Problem) byOutput {
			return byOutput{"sum_sq": exact.SumOfSquares(in.Values("x"))}
		}},
		{[]string{"rms_norm_apply", "rms_norm_apply_bf16"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.RMSNormApply(in.Values("x"), in.Values("weight"), in.Values("sum_sq")[0],
				int(in.Scalar("dim")), in.Scalar("eps"))}
		}},
		{[]string{"rms_norm_qk"}, func(in *suite.Problem) byOutput {
			return byOutput{"x": exact.RMSNormQK(in.Values("x"), qkLayout(in.Shape), in.Scalar("inv_scale"), qkEps)}
		}},
		{[]string{"gated_rms_norm"}, func(in *suite.Problem) byOutput {
			return byOutput{"output": exact.GatedRMSNorm(in.Values("values"), in.Values("z"), in.Values("weight"),
				in.Scalar("eps"))}
		}},
		{[]string{"residual_add", "residual_add_n_tokens"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.ResidualAdd(in.Values("a"), in.Values("b"), oracles.F32)}
		}},
	}
}

func quantReferences() []reference {
	matvec := func(bits int, x string) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			s := in.Shape
			return byOutput{"out": exact.DequantMatvec(
				oracles.Affine{Bits: bits, Group: s[groupSize]}, weightsOf(in, ""), in.Values(x), s[inDim], s[outDim])}
		}
	}
	return []reference{
		{[]string{"dequant_matvec_4bit", "dequant_matvec_4bit_fast", "dequant_matvec_4bit_v3", "dequant_matvec_4bit_v4",
			"dequant_matvec_4bit_v5"}, matvec(4, "x")},
		{[]string{"dequant_matvec_4bit_fast_n_tokens", "dequant_matvec_4bit_v3_n_tokens"}, matvec(4, "x_inputs")},
		{[]string{"dequant_matvec_2bit"}, matvec(2, "x")},
		{[]string{"dequant_matvec_8bit_v3"}, matvec(8, "x")},
		{[]string{"dequant_matvec_8bit_v3_n_tokens"}, matvec(8, "x_inputs")},
		{[]string{"dequant_matvec_4bit_batched"}, func(in *suite.Problem) byOutput {
			s := in.Shape
			return byOutput{"out": exact.DequantExperts(oracles.Affine{Bits: 4, Group: s[groupSize]},
				expertsByOffset(in), s[inDim], s[outDim])}
		}},
		{[]string{"dequant_matvec_4bit_v3_experts"}, func(in *suite.Problem) byOutput {
			s := in.Shape
			return byOutput{"out": exact.DequantExperts(oracles.Affine{Bits: 4, Group: s[groupSize]},
				expertsInBlobs(in), s[inDim], s[outDim])}
		}},
		{[]string{"embed_gather_4bit"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.GatherRows(
				oracles.Affine{Bits: 4, Group: in.Shape[groupSize]}, weightsOf(in, ""), in.Words("token_ids"),
				in.Shape[hiddenDim])}
		}},
		{[]string{"bf16_matvec", "bf16_matmul_n_tokens"}, func(in *suite.Problem) byOutput {
			return byOutput{"output": exact.MatVec(in.Values("w"), in.Values("input"), in.Shape[inDim],
				in.Shape[outDim])}
		}},
		{[]string{"fused_gate_up_swiglu"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.GateUpSwiGLU(
				oracles.Affine{Bits: 4, Group: in.Shape[groupSize]}, weightsOf(in, "gate"), weightsOf(in, "up"),
				in.Values("x"))}
		}},
	}
}

func moeReferences() []reference {
	combine := func(experts func(*suite.Problem) []float64, gated bool) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			p := in.Values("params")
			var gate *float64
			if gated {
				gate = &p[sharedGate]
			}
			return byOutput{"hidden_out": exact.Combine(in.Values("h_mid"), in.Values("shared_out"), experts(in),
				p[:in.Shape[slots]], gate)}
		}
	}
	flat := func(in *suite.Problem) []float64 { return in.Values("expert_out") }
	return []reference{
		{[]string{"moe_softmax_topk"}, func(in *suite.Problem) byOutput {
			indices, weights := exact.RouterTopK(in.Values("logits"), in.Shape[nExperts], in.Shape[k])
			return byOutput{"out_indices": indices, "out_weights": weights}
		}},
		{[]string{"moe_normalize_weights"}, func(in *suite.Problem) byOutput {
			return byOutput{"weights": exact.NormalizeRows(in.Values("weights"), in.Shape[k])}
		}},
		{[]string{"weighted_sum"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.WeightedSum(in.Values("expert_outs"), in.Values("weights"), in.Shape[dim])}
		}},
		{[]string{"moe_combine_residual"}, combine(firstExperts, true)},
		{[]string{"moe_combine_residual_unscaled"}, combine(firstExperts, false)},
		{[]string{"moe_combine_residual_flat"}, combine(flat, true)},
		{[]string{"moe_combine_residual_n_tokens"}, func(in *suite.Problem) byOutput {
			return byOutput{"hidden_out": exact.CombineTokens(
				in.Values("h_mid"), in.Values("moe_sum"), in.Values("shared_out"), in.Values("shared_gate"))}
		}},
		{[]string{"moe_bucket_accumulate"}, func(in *suite.Problem) byOutput {
			var token []int
			for _, t := range in.Words("token_idx") {
				token = append(token, int(t))
			}
			return byOutput{"out_sum": exact.BucketAccumulate(
				in.Values("out_sum"), in.Values("bucket_out"), token, in.Values("weights"), in.Shape[hiddenDim])}
		}},
		{[]string{"swiglu_fused", "swiglu_fused_vec4", "swiglu_fused_batched"}, func(in *suite.Problem) byOutput {
			return byOutput{"out": exact.SwiGLU(in.Values("gate"), in.Values("up"))}
		}},
	}
}

func mlaReferences() []reference {
	return []reference{
		{[]string{"yarn_rope_apply"}, func(in *suite.Problem) byOutput {
			return byOutput{"x": exact.RoPE(oracles.Rotation{
				X: in.Values("x"), Width: in.Shape[rotaryDim], InvFreq: in.Values("inv_freq"),
				Positions: []float64{in.Scalar("pos_f")}, Scale: in.Scalar("mscale"),
			}, oracles.F32)}
		}},
		{[]string{"mla_q_prime_4bit"}, func(in *suite.Problem) byOutput {
			return byOutput{"q_prime": exact.MLAQuery(projection(in), in.Values("q_nope"))}
		}},
		{[]string{"mla_out_per_head_4bit"}, func(in *suite.Problem) byOutput {
			return byOutput{"out_per_head": exact.MLAOutput(projection(in), in.Values("v_combine"))}
		}},
		{[]string{"mla_sdpa_folded"}, func(in *suite.Problem) byOutput {
			return byOutput{"v_combine": exact.MLAFolded(attentionOver(in))}
		}},
		{[]string{"mla_sdpa_tile_finalize"}, func(in *suite.Problem) byOutput {
			return byOutput{"v_combine": exact.MLAFinalize(in.Values("v_combine_partial"), in.Values("running_denom"),
				in.Shape[kvLoraRank])}
		}},
		{[]string{"mla_sdpa_tile_accumulate"}, func(in *suite.Problem) byOutput {
			highest, denom, values := exact.MLATile(attentionOver(in), priorState(in), tilesOf(in),
				in.Scalar("is_first_tile") != 0)
			return byOutput{"running_max": highest, "running_denom": denom, "v_combine_partial": values}
		}},
	}
}

func kvQuantReferences() []reference {
	cache := func(of func(suite.Shape) (bits, start, n int)) kerneltest.Reference {
		return func(in *suite.Problem) byOutput {
			bits, start, n := of(in.Shape)
			return byOutput{"dst": exact.DequantizeCache(cacheOf(in, bits), start, n)}
		}
	}
	return []reference{
		{[]string{"tq_dequantize_kv"}, cache(func(s suite.Shape) (bits, start, n int) { return 4, s[readPos], 1 })},
		{[]string{"tq_dequantize_hb_kv"},
			cache(func(s suite.Shape) (bits, start, n int) { return s[codebookBits], s[readPos], 1 })},
		{[]string{"tq_dequantize_hb_kv_seq"},
			cache(func(s suite.Shape) (bits, start, n int) { return s[codebookBits], s[startPos], s[nTokens] })},
	}
}

func deltaNetReferences() []reference {
	return []reference{
		{[]string{"gated_delta_net_f32"}, func(in *suite.Problem) byOutput {
			output, state := exact.GatedDelta(deltaProblem(in))
			return byOutput{"output": output, "state_out": state}
		}},
		{[]string{"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"},
			func(in *suite.Problem) byOutput {
				output, state := exact.GatedDelta(tokenProblem(in))
				return byOutput{"output": output, "state": state}
			}},
		{[]string{"compute_decay_beta"}, func(in *suite.Problem) byOutput {
			decay, gate := exact.DecayBeta(in.Values("alpha_out"), in.Values("beta_out"), in.Values("A_log"),
				in.Values("dt_bias"))
			return byOutput{"g_decay": decay, "beta_gate": gate}
		}},
		{[]string{"conv1d_step"}, func(in *suite.Problem) byOutput {
			return byOutput{"output": exact.Conv1D(in.Values("conv_state"), in.Values("input"), in.Values("weights"),
				in.Shape[convDim])}
		}},
	}
}

func stageReferences() []reference {
	return []reference{
		{[]string{"chunk_local_cumsum_g_f32"}, func(in *suite.Problem) byOutput {
			return byOutput{"g_cumsum": exact.ChunkCumsum(in.Values("g"), stageLayout(in.Shape))}
		}},
		{[]string{"gated_delta_net_kkt_bf16"}, func(in *suite.Problem) byOutput {
			return byOutput{"A": exact.ChunkKKT(in.Values("k"), in.Values("beta"), in.Values("g"),
				stageLayout(in.Shape))}
		}},
		{[]string{"chunk_tri_solve_invert_f32"}, func(in *suite.Problem) byOutput {
			return byOutput{"X": exact.ChunkInverse(in.Values("A"), stageLayout(in.Shape))}
		}},
		{[]string{"gated_delta_net_recompute_wu_bf16"}, func(in *suite.Problem) byOutput {
			w, u := exact.ChunkWU(
				in.Values("k"), in.Values("v"), in.Values("beta"), in.Values("g"), in.Values("A"),
				stageLayout(in.Shape))
			return byOutput{"w": w, "u": u}
		}},
		{[]string{"gated_delta_net_chunk_inter_state_bf16"}, func(in *suite.Problem) byOutput {
			h, vNew, final := exact.ChunkState(
				in.Values("k"), in.Values("w"), in.Values("u"), in.Values("g"), in.Values("h0"), stageLayout(in.Shape))
			return byOutput{"h_out": h, "v_new": vNew, "final_state": final}
		}},
		{[]string{"gated_delta_net_chunk_o_bf16"}, func(in *suite.Problem) byOutput {
			scale := math.Float32frombits(uint32(in.Scalar("scale_bits")))
			return byOutput{"o": exact.ChunkOutput(
				in.Values("q"), in.Values("k"), in.Values("v_new"), in.Values("h"), in.Values("g"), float64(scale),
				stageLayout(in.Shape))}
		}},
	}
}
