package kernels

import (
	"math"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

func bf16Matvec() suite.Kernel {
	base := suite.Shape{outDim: 5, inDim: 257}
	return suite.Kernel{
		Name: "bf16_matvec",
		Doc:  "Matrix-vector product with bf16 weights, one threadgroup a row, reduced by a tree.",
		Axes: []suite.Axis{outDim, inDim},
		Args: suite.Args{
			suite.In("w", suite.BF16, outDim, inDim),
			suite.In("input", suite.F32, inDim),
			suite.Out("output", suite.F32, outDim),
			suite.Const("in_dim", suite.U32, inDim),
			suite.Const("out_dim", suite.U32, outDim),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{outDim}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, outDim, inDim)),
		Work:  each(multiplyAdd, outDim, inDim),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(outDim, 1, 2, 7, 8, 9, 31), bf16Inputs()),
				products(suite.Shape{}, fixtures.Qwen35B(), math.MaxInt, 1<<19),
				products(suite.Shape{}, fixtures.Qwen397B(), math.MaxInt, 1<<13),
			),
			Full:    models(suite.Shape{}, math.MaxInt, 1<<24),
			Probes:  []suite.Shape{base, {outDim: 3, inDim: 31}, {outDim: 2, inDim: 1009}},
			Ends:    rowEnds(suite.Shape{inDim: 31}, outDim),
			Refused: suite.Around(base, suite.Vary(outDim, 0), suite.Vary(inDim, 0))[1:],
			Inputs:  bf16Families(),
		},
		Contract: sumsOf("row", oracles.Halved(256)),
		Oracle:   bf16Product,
	}
}

func bf16Matmul() suite.Kernel {
	base := suite.Shape{nTokens: 3, outDim: 5, inDim: 257}
	return suite.Kernel{
		Name: "bf16_matmul_n_tokens",
		Doc:  "Product of several tokens with one matrix of bf16 weights; one token gives the bits of bf16_matvec.",
		Axes: []suite.Axis{nTokens, outDim, inDim},
		Args: suite.Args{
			suite.In("w", suite.BF16, outDim, inDim),
			suite.In("input", suite.F32, nTokens, inDim),
			suite.Out("output", suite.F32, nTokens, outDim),
			suite.Const("in_dim", suite.U32, inDim),
			suite.Const("out_dim", suite.U32, outDim),
			suite.Const("n_tokens", suite.U32, nTokens),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Product(outDim, nTokens)},
			Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, nTokens, outDim, inDim), countable(nTokens, outDim)),
		Work:  each(multiplyAdd, nTokens, outDim, inDim),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(nTokens, 1, 2, 4, 15, 16, 17), suite.Vary(outDim, 1, 2, 7, 8, 9),
					bf16Inputs()),
				[]suite.Shape{{nTokens: 4, outDim: 9, inDim: 1009}},
				products(suite.Shape{nTokens: 2}, fixtures.Qwen397B(), math.MaxInt, 1<<13),
			),
			Full: concat(
				models(suite.Shape{nTokens: 2}, math.MaxInt, 1<<21),
				suite.Cross(base, suite.Vary(nTokens, 63, 64, 65, 127, 128, 1000, 4096))),
			Probes: []suite.Shape{base, {nTokens: 2, outDim: 3, inDim: 31}, {nTokens: 1, outDim: 2, inDim: 1009}},
			Ends: append(rowEnds(suite.Shape{nTokens: 1, inDim: 31}, outDim),
				endOf(suite.Shape{nTokens: 4, outDim: 4, inDim: 31}, suite.Shape{nTokens: 1<<30 - 4}),
				endOf(suite.Shape{nTokens: 13, outDim: 1, inDim: 31}, suite.Shape{nTokens: 1<<31 + 5})),
			Refused: append(suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(outDim, 0), suite.Vary(inDim, 0))[1:],
				base.With(suite.Shape{nTokens: 1 << 16, outDim: 1 << 16})),
			Inputs: bf16Families(),
		},
		Contract: sumsOf("row", oracles.Halved(256)),
		Oracle:   bf16Product,
	}
}

// bf16Inputs go round the threads that stride over a row.
func bf16Inputs() suite.Variation {
	return suite.Vary(inDim, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 511, 512, 513, 1009, 4096, 4097, 7168,
		past16Bits)
}

// bf16Families are the families of a product with a bf16 matrix.
func bf16Families() []suite.Input {
	return append(suite.Standard(nil, "w", "input"),
		conditioned("input", suite.Condition{Terms: inDim, Weight: ramp}, suite.Fills{"w": ramps(inDim)})...)
}

func bf16Product(in *suite.Problem) suite.Answers {
	return suite.Answers{"output": oracles.MatVec(in.Values("w"), in.Values("input"), in.Shape[inDim], in.Shape[outDim],
		in.Contract)}
}
