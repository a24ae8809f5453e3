package kernels

import (
	"fmt"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

func mlaQuery() suite.Kernel {
	axes := []suite.Axis{numHeads, nope, kvLoraRank, perHeadKV, groupSize}
	base := point(axes, 2, 13, 96, 20, 32)
	l := fixtures.DeepSeekV3().Latent
	rows := l.NoPE + l.Value
	return suite.Kernel{
		Name: "mla_q_prime_4bit",
		Doc:  "Folds the key half of the 4-bit up-projection into the query.",
		Axes: axes,
		Args: slices.Concat(
			upProjection(func(s suite.Shape, row int) bool { return row < s[nope] }),
			suite.Args{
				suite.In("q_nope", suite.F32, numHeads, nope),
				suite.Out("q_prime", suite.F32, numHeads, kvLoraRank),
				suite.Const("num_heads", suite.U32, numHeads),
				suite.Const("nope", suite.U32, nope),
				suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
				suite.Const("kv_b_per_head", suite.U32, perHeadKV),
				suite.Const("group_size", suite.U32, groupSize),
			}),
		Grid: suite.Flat(suite.Product(numHeads, kvLoraRank), 256),
		Check: limits(
			atLeast(1, numHeads, nope, kvLoraRank, groupSize), notAbove(nope, perHeadKV),
			multipleOf(8, groupSize), multiple(kvLoraRank, groupSize), countable(numHeads, kvLoraRank)),
		Work: projectionWork(nope),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 3, 16),
					suite.Vary(nope, 1, 19, 20),
					suite.Vary(kvLoraRank, 32, 128, 224, 256, 288, 512),
					suite.Vary(perHeadKV, 13, 14, 31),
					suite.Vary(groupSize, 8, 16, 48, 96)),
				[]suite.Shape{point(axes, 3, 33, 288, 79, 16)},
				suite.Cross(point(axes, 1, 0, 8, 40, 8), suite.Vary(nope, 31, 32, 33, 40)),
				suite.Cross(point(axes, 3, 2, 0, 3, 8), suite.Vary(kvLoraRank, 8, 80, 88, 248, 256, 264)),
				[]suite.Shape{point(axes, 1, l.NoPE, l.KVRank, rows, 64)},
			),
			Full:   suite.Cross(point(axes, 128, l.NoPE, l.KVRank, rows, 0), suite.Vary(groupSize, 32, 64, 128)),
			Probes: []suite.Shape{base, point(axes, 3, 8, 88, 12, 8)},
			Ends: []suite.End{
				endOf(point(axes, 32, 16, 8, 20, 8), suite.Shape{numHeads: 1<<29 - 32}),
				// The last head of matrices with many rows that the kernel does not read.
				{Shape: point(axes, 1, 16, 256, 16, 32), Of: suite.Shape{numHeads: 3, perHeadKV: 1 << 31},
					Before: map[string]int{"W_packed": 1 << 32 * 32, "scales": 1 << 32 * 8, "biases": 1 << 32 * 8}},
				endOf(point(axes, 1, 1, 512, 1, 8), suite.Shape{kvLoraRank: aroundSign}),
			},
			Refused: append(suite.Around(base,
				suite.Vary(numHeads, 0), suite.Vary(nope, 0, 21), suite.Vary(kvLoraRank, 0, 8, 95, 97),
				suite.Vary(perHeadKV, 0, 12), suite.Vary(groupSize, 0, 4, 12, 64))[1:],
				base.With(suite.Shape{numHeads: 1 << 26})),
			Inputs: affineInputsOver(4, "q_nope", suite.Condition{Terms: nope}, lightRows()), // a column has one weight
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"query": oracles.Sequential()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"q_prime": oracles.MLAQuery(projection(in), in.Values("q_nope"), in.Contract)}
		},
	}
}

func mlaOutput() suite.Kernel {
	axes := []suite.Axis{numHeads, nope, kvLoraRank, vHeadDim, perHeadKV, groupSize}
	base := point(axes, 2, 5, 320, 11, 20, 64)
	l := fixtures.DeepSeekV3().Latent
	rows := l.NoPE + l.Value
	return suite.Kernel{
		Name: "mla_out_per_head_4bit",
		Doc:  "Unfolds the value half of the 4-bit up-projection, one simdgroup for each output.",
		Axes: axes,
		Args: slices.Concat(
			upProjection(func(s suite.Shape, row int) bool { return s[nope] <= row && row < s[nope]+s[vHeadDim] }),
			suite.Args{
				suite.In("v_combine", suite.F32, numHeads, kvLoraRank),
				suite.Out("out_per_head", suite.F32, numHeads, vHeadDim),
				suite.Const("num_heads", suite.U32, numHeads),
				suite.Const("nope", suite.U32, nope),
				suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
				suite.Const("v_head_dim", suite.U32, vHeadDim),
				suite.Const("kv_b_per_head", suite.U32, perHeadKV),
				suite.Const("group_size", suite.U32, groupSize),
			}),
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Product(numHeads, vHeadDim)},
			Of: []suite.Extent{suite.Fixed(32)}},
		Check: limits(
			atLeast(1, numHeads, kvLoraRank, vHeadDim, groupSize), atLeast(0, nope), keysAndValuesFit,
			multipleOf(8, groupSize), multiple(kvLoraRank, groupSize), countable(numHeads, vHeadDim)),
		Work: projectionWork(vHeadDim),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 3, 16),
					suite.Vary(nope, 0, 1, 8, 9),
					suite.Vary(kvLoraRank, 64, 128, 192, 256, 448, 512, 576),
					suite.Vary(vHeadDim, 1, 7, 8, 9, 14, 15),
					suite.Vary(perHeadKV, 16, 17, 64),
					suite.Vary(groupSize, 8, 16, 32, 80, 160, 320)),
				[]suite.Shape{point(axes, 3, 9, 576, 15, 33, 32)},
				suite.Cross(point(axes, 2, 3, 0, 4, 8, 8), suite.Vary(kvLoraRank, 8, 16, 248, 256, 264, 296)),
				[]suite.Shape{point(axes, 2, l.NoPE, l.KVRank, l.Value, rows, 64),
					point(axes, 1, 0, word16Bits, 1, 1, 8), point(axes, 1, 0, word16Bits, 1, 1, word16Bits)},
			),
			Full: suite.Cross(point(axes, 128, l.NoPE, l.KVRank, l.Value, rows, 0),
				suite.Vary(groupSize, 32, 64, 128)),
			Probes: []suite.Shape{base, point(axes, 3, 2, 296, 5, 8, 8)},
			Ends: []suite.End{
				endOf(base, suite.Shape{numHeads: 1<<28 + 2}),
				endOf(point(axes, 8, 5, 64, 1, 6, 8), suite.Shape{numHeads: 1<<32 - 8}),
				endOf(point(axes, 1, 5, 64, 11, 16, 8), suite.Shape{vHeadDim: 1<<31 + 11, perHeadKV: 1<<31 + 16}),
				endOf(point(axes, 1, 5, 64, 11, 16, 8), suite.Shape{nope: 1<<31 + 5, perHeadKV: 1<<31 + 16}),
			},
			Refused: append(suite.Around(base,
				suite.Vary(numHeads, 0), suite.Vary(nope, -1, 10), suite.Vary(kvLoraRank, 0, 8, 319, 321),
				suite.Vary(vHeadDim, 0, 16),
				suite.Vary(perHeadKV, 0, 15), suite.Vary(groupSize, 0, 4, 12, 640))[1:],
				base.With(suite.Shape{numHeads: 1 << 29})),
			Inputs: affineInputsOver(4, "v_combine", suite.Condition{Terms: kvLoraRank, Weight: affineRampWeight(4)},
				lightGroups("v_combine", kvLoraRank)),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"row": oracles.Strided(32, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out_per_head": oracles.MLAOutput(projection(in), in.Values("v_combine"), in.Contract)}
		},
	}
}

// upProjection are the first three bindings of both products: kv_b_proj, of which
// each reads its own rows of every head.
func upProjection(reads func(s suite.Shape, row int) bool) suite.Args {
	rows, groups := suite.Product(numHeads, perHeadKV), ratio(kvLoraRank, groupSize)
	words := suite.Func(func(s suite.Shape) int { return s[kvLoraRank] / 8 })
	other := func(width suite.Extent) func(suite.Shape) []suite.Range {
		return rowsWithin(numHeads, perHeadKV, width, reads)
	}
	return suite.Args{
		suite.In("W_packed", suite.U32, rows, words).Ignoring(other(words)),
		suite.In("scales", suite.BF16, rows, groups).Ignoring(other(groups)),
		suite.In("biases", suite.BF16, rows, groups).Ignoring(other(groups)),
	}
}

// lightRows are weights that fall from row to row of a head, and queries that grow by as
// much.
func lightRows() suite.Fills {
	weights := suite.Scaled(steps(along(perHeadKV, ratio(kvLoraRank, groupSize), -farApart)), 1.0/64)
	return suite.Fills{"scales": weights, "biases": weights, "q_nope": steps(along(nope, single, farApart))}
}

// keysAndValuesFit refuses rows of keys and values that are more than a head
// has.
func keysAndValuesFit(s suite.Shape) error {
	if n, limit := s[nope]+s[vHeadDim], s[perHeadKV]; n > limit {
		return fmt.Errorf("%s + %s is %d, must be at most %s = %d", nope, vHeadDim, n, perHeadKV, limit)
	}
	return nil
}

// projection is kv_b_proj as a problem has it.
func projection(in *suite.Problem) oracles.MLAProjection {
	s := in.Shape
	return oracles.MLAProjection{
		Affine: oracles.Affine{Bits: 4, Group: s[groupSize]},
		Packed: in.Words("W_packed"), Scales: in.Values("scales"), Biases: in.Values("biases"),
		Heads: s[numHeads], NoPE: s[nope], Value: s[vHeadDim], Rank: s[kvLoraRank], PerHead: s[perHeadKV],
	}
}

// projectionWork is a product with so many rows of each head of kv_b_proj.
func projectionWork(rows suite.Extent) suite.Work {
	w := each(affineOps+multiplyAdd, numHeads, rows, kvLoraRank)
	groups := suite.Product(numHeads, rows, ratio(kvLoraRank, groupSize))
	w.Reads = elements{
		"W_packed": suite.Func(func(s suite.Shape) int { return s[numHeads] * rows.Size(s) * (s[kvLoraRank] / 8) }),
		"scales":   groups, "biases": groups,
	}
	return w
}
