package kernels

import (
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

func mlaFolded() suite.Kernel {
	axes := []suite.Axis{numHeads, kvLoraRank, qkRope, cacheLen, spare}
	base := point(axes, 2, 33, 8, 70, 3)
	deepSeek := fixtures.DeepSeekV3()
	scale := deepSeek.Latent.SoftmaxScale()
	whole := func(heads, positions int) suite.Shape {
		return point(axes, heads, deepSeek.Latent.KVRank, deepSeek.Latent.RoPE, positions, 0)
	}
	return suite.Kernel{
		Name: "mla_sdpa_folded",
		Doc:  "Latent attention over a whole cache, its scores in threadgroup memory.",
		Axes: axes,
		Args: suite.Args{
			suite.In("q_prime", suite.F32, numHeads, kvLoraRank),
			suite.In("q_pe", suite.F32, numHeads, qkRope),
			suite.In("latent_cache", suite.F32, latentRows, kvLoraRank).Ignoring(rowsFrom(cacheLen, latentRows,
				kvLoraRank)),
			suite.In("rope_k_cache", suite.F32, latentRows, qkRope).Ignoring(rowsFrom(cacheLen, latentRows, qkRope)),
			suite.Out("v_combine", suite.F32, numHeads, kvLoraRank),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
			suite.Const("qk_rope_head_dim", suite.U32, qkRope),
			suite.Const("cache_len", suite.U32, cacheLen),
			suite.Const("softmax_scale", suite.F32, suite.Number(scale)),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{numHeads}, Of: []suite.Extent{suite.Fixed(128)}},
		Check: limits(atLeast(1, numHeads, kvLoraRank, qkRope, cacheLen), atLeast(0, spare), atMost(maxTile, cacheLen)),
		Work:  each(1, numHeads, cacheLen, foldedOps(softmaxOps)),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 3, 16),
					suite.Vary(kvLoraRank, 1, 31, 32, 127, 128, 129),
					suite.Vary(qkRope, 1, 31, 32, 33, 64), suite.Vary(spare, 0, 1)),
				suite.Cross(point(axes, 2, 17, 5, 0, 0),
					suite.Vary(cacheLen, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 1000, 4095, 4096)),
				[]suite.Shape{whole(2, 65), point(axes, 1, past16Bits, 1, 2, 0), point(axes, 1, 1, past16Bits, 2, 0),
					point(axes, 3, 129, 33, 129, 1)},
			),
			Full: concat(
				[]suite.Shape{whole(deepSeek.QueryHeads, 128), whole(8, 4095), whole(8, 4096)},
				suite.Cross(whole(4, 0), suite.Vary(cacheLen, 1, 127, 129, 1000)),
			),
			Probes: []suite.Shape{base, point(axes, 3, 130, 3, 129, 0)},
			Settings: append(otherScale("softmax_scale", base), lightQueries(base),
				// Every simdgroup has a peak, and one comes after many turns.
				latentPeaks(point(axes, 8, 5, 8, 257, 0), scale), latentPeaks(point(axes, 1, 5, 1, 4096, 0), scale)),
			Ends: []suite.End{endOf(point(axes, 2, 36, 8, 70, 3), suite.Shape{numHeads: 1<<31 + 2})},
			Refused: suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(kvLoraRank, 0), suite.Vary(qkRope, 0),
				suite.Vary(cacheLen, 0, maxTile+1))[1:],
			// no state is carried
			Inputs: slices.DeleteFunc(mlaInputs(scale), func(in suite.Input) bool { return in.Only != nil }),
		},
		Contract: mlaContract(),
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"v_combine": oracles.MLAFolded(attentionOver(in), in.Contract)}
		},
	}
}

// latentRows are the rows of the caches, of which the first cache_len count.
var latentRows = total(cacheLen, spare)

// mlaContract is the arithmetic of attention by 128 threads: a simdgroup to a
// score, all threads to the denominator, and the values in any order.
func mlaContract() oracles.Contract {
	return oracles.Contract{Sums: map[string]oracles.Schedule{
		"score": oracles.Strided(32, 1), "denominator": oracles.Strided(128, 1), "values": oracles.AnyOrder(),
	}}
}

// attentionOver is the attention that a problem asks for.
func attentionOver(in *suite.Problem) oracles.MLA {
	s := in.Shape
	return oracles.MLA{
		QPrime: in.Values("q_prime"), QPe: in.Values("q_pe"),
		Latent: in.Values("latent_cache")[:s[cacheLen]*s[kvLoraRank]],
		RopeK:  in.Values("rope_k_cache")[:s[cacheLen]*s[qkRope]],
		Heads:  s[numHeads], Rank: s[kvLoraRank], Rope: s[qkRope], Scale: in.Scalar("softmax_scale"),
	}
}

// foldedOps are the operations of a head at one position of a latent cache:
// the score with its scale, the weighted values, and those of the softmax.
func foldedOps(softmax int) suite.Func {
	return total(times(2*multiplyAdd, kvLoraRank), times(multiplyAdd, qkRope), suite.Fixed(1+softmax))
}
