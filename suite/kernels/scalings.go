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
	list := []suite.Scaling{
		{
			Name: "recurrent-chunkwise", Doc: "Gated delta-net token by token, by threads and by simdgroups, and in chunks of 16 tokens.",
			Kernels: []string{"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"},
			Axis:    nTokens, Values: powers(1, 1024, 4), Others: suite.Shape{hk: 2, hv: 4, split: 0},
		},
		{
			Name: "block-tiled-scores", Doc: "Scores of attention with heads in blocks and in tiles.",
			Kernels: []string{"attn_scores_batched", "attn_scores_tiled"},
			Axis:    queryHeads, Values: powers(4, 64, 2), Others: suite.Shape{keyHeads: 4, channels: 128, seqLen: 512, spare: 0},
		},
		{
			Name: "block-tiled-values", Doc: "Values of attention with heads in blocks and in tiles.",
			Kernels: []string{"attn_values_batched", "attn_values_tiled"},
			Axis:    queryHeads, Values: powers(4, 64, 2), Others: suite.Shape{keyHeads: 4, channels: 128, seqLen: 512, spare: 0},
		},
	}
	matvec := []string{"dequant_matvec_4bit_v3", "dequant_matvec_4bit_v4", "dequant_matvec_4bit_v5"}
	return append(list,
		suite.Scaling{
			Name: "matvec-rows", Doc: "Three 4-bit matrix-vector products, by rows of the matrix.",
			Kernels: matvec, Axis: outDim, Values: powers(256, 4096, 2), Others: suite.Shape{inDim: 2048, groupSize: 64},
		},
		suite.Scaling{
			Name: "matvec-columns", Doc: "Three 4-bit matrix-vector products, by columns of the matrix.",
			Kernels: matvec, Axis: inDim, Values: powers(256, 4096, 2), Others: suite.Shape{outDim: 2048, groupSize: 64},
		})
}
