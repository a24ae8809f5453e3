package kernels

import "metalconform/suite"

// Scalings are the comparisons that bench times: alternatives for the same work, of which
// one is faster for small sizes and another for large ones.
func Scalings() []suite.Scaling {
	powers := func(low, high, step int) (list []int) {
		for n := low; n <= high; n *= step {
			list = append(list, n)
		}
		return list
	}
	stages := suite.ScalingLine{Name: "the six stages of chunks", Kernels: chunkStages, Axis: tokens,
		Others: suite.Shape{
			batches: 1, keyHeads: 2, valueHeads: 4, keyChannels: stateKeys, valueChannels: stateKeys,
			blockTokens: stageTokens,
		}}
	heads := suite.Shape{keyHeads: 4, channels: 128, seqLen: 512, spare: 0}
	matvec := []string{"dequant_matvec_4bit_v3", "dequant_matvec_4bit_v4", "dequant_matvec_4bit_v5"}
	return []suite.Scaling{
		{
			Name: "recurrent-chunkwise",
			Doc: "Gated delta-net token by token, by threads and by simdgroups, in chunks of 16 tokens, and in " +
				"chunks of 64 by six kernels, whose times add up.",
			Values: powers(1, 1024, 4), Lines: append(suite.Alone(nTokens, suite.Shape{hk: 2, hv: 4, split: 0},
				"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"), stages),
		},
		{
			Name: "chunk-stages", Doc: "The stages of the chunk pipeline, and all six.",
			Values: powers(64, 1024, 2), Lines: append(suite.Alone(tokens, stages.Others, chunkStages...), stages),
			Parts: true,
		},
		{
			Name: "block-tiled-scores", Doc: "Scores of attention with heads in blocks and in tiles.",
			Values: powers(4, 64, 2), Lines: suite.Alone(queryHeads, heads, "attn_scores_batched", "attn_scores_tiled"),
		},
		{
			Name: "block-tiled-values", Doc: "Values of attention with heads in blocks and in tiles.",
			Values: powers(4, 64, 2), Lines: suite.Alone(queryHeads, heads, "attn_values_batched", "attn_values_tiled"),
		},
		{
			Name: "matvec-rows", Doc: "Three 4-bit matrix-vector products, by rows of the matrix.",
			Values: powers(256, 4096, 2),
			Lines:  suite.Alone(outDim, suite.Shape{inDim: 2048, groupSize: 64}, matvec...),
		},
		{
			Name: "matvec-columns", Doc: "Three 4-bit matrix-vector products, by columns of the matrix.",
			Values: powers(256, 4096, 2),
			Lines:  suite.Alone(inDim, suite.Shape{outDim: 2048, groupSize: 64}, matvec...),
		},
	}
}
