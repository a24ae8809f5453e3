package kernels

import (
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// stagedMatvec is a b-bit product of one token by threadgroups that stage the
// input and compute eight rows, one simdgroup a row. Its lanes stride
// over words.
func stagedMatvec(name, doc string, bits int) suite.Kernel {
	base := suite.Shape{outDim: 11, inDim: 320, groupSize: 64}
	word := 32 / bits
	kernel := affineMatvec(name, doc, bits)
	kernel.Grid = suite.Grid{Threadgroups: []suite.Extent{suite.Ceil(outDim, rowsPerGroup)},
		Of: []suite.Extent{suite.Fixed(256)}}
	kernel.Check = stagedLimits(bits)
	kernel.Sweep = suite.Sweep{
		Shapes: concat(
			stagedShapes(base, bits),
			products(suite.Shape{groupSize: 64}, fixtures.Qwen35B(), maxStagedInput, 1<<20),
		),
		Full: models(suite.Shape{groupSize: 64}, maxStagedInput, 1<<23),
		Probes: []suite.Shape{
			base, {outDim: 1, inDim: 64, groupSize: 64}, {outDim: 9, inDim: 37 * word, groupSize: word}},
		Ends:    rowEnds(suite.Shape{inDim: 64, groupSize: 32 / bits}, outDim),
		Refused: stagedRefused(base),
		Inputs:  affineInputs(bits, "x"),
	}
	kernel.Contract = sumsOf("row", oracles.Strided(32, 1))
	return kernel
}

// stagedMatmul is the same product of several tokens.
func stagedMatmul(name, doc string, bits int) suite.Kernel {
	base := suite.Shape{nTokens: 3, outDim: 11, inDim: 320, groupSize: 64}
	word := 32 / bits
	rowTiles := suite.Ceil(outDim, rowsPerGroup)
	kernel := affineMatmul(name, doc, bits)
	kernel.Args = append(kernel.Args, suite.Const("num_row_tiles", suite.U32, rowTiles))
	kernel.Grid = suite.Grid{Threadgroups: []suite.Extent{suite.Product(rowTiles, nTokens)},
		Of: []suite.Extent{suite.Fixed(256)}}
	kernel.Check = limits(atLeast(1, nTokens), stagedLimits(bits), countable(nTokens, outDim))
	kernel.Sweep = suite.Sweep{
		Shapes: concat(
			suite.Around(base, suite.Vary(nTokens, 1, 2, 4, 15, 16, 17)),
			// many tiles, of which the last has fewer rows
			[]suite.Shape{base.With(suite.Shape{nTokens: 2, outDim: 8*rowsPerGroup + 3})},
			[]suite.Shape{{nTokens: 4, outDim: 19, inDim: 2112, groupSize: 32}},
			stagedShapes(base, bits)[1:],
			products(suite.Shape{nTokens: 2, groupSize: 64}, fixtures.Qwen35B(), maxStagedInput, 1<<16),
		),
		Full: concat(
			models(suite.Shape{nTokens: 2, groupSize: 64}, maxStagedInput, 1<<22),
			suite.Cross(base, suite.Vary(nTokens, 63, 64, 65, 127, 128, 1000, 4096)),
		),
		Probes: []suite.Shape{base, {nTokens: 1, outDim: 9, inDim: 37 * word, groupSize: word}},
		Ends: append(rowEnds(suite.Shape{nTokens: 1, inDim: 64, groupSize: 32 / bits}, outDim),
			endOf(suite.Shape{nTokens: 3, outDim: 12, inDim: 64, groupSize: 64}, suite.Shape{nTokens: 1<<28 + 3}),
			endOf(suite.Shape{nTokens: 13, outDim: 1, inDim: 64, groupSize: 64}, suite.Shape{nTokens: 1<<31 + 5})),
		Refused: append(stagedRefused(base),
			base.With(suite.Shape{nTokens: 0}), base.With(suite.Shape{nTokens: 1 << 16, outDim: 1 << 16})),
		Inputs: affineInputs(bits, "x_inputs"),
	}
	kernel.Contract = sumsOf("row", oracles.Strided(32, 1))
	return kernel
}

func dequantMatvec4V3() suite.Kernel {
	kernel := stagedMatvec("dequant_matvec_4bit_v3",
		"4-bit matrix-vector product, one simdgroup a row, input staged in threadgroup memory.", 4)
	kernel.Sweep.Full = models(suite.Shape{groupSize: 64}, maxStagedInput, 1<<30)
	return kernel
}

func dequantMatvec4V3Tokens() suite.Kernel {
	return stagedMatmul("dequant_matvec_4bit_v3_n_tokens",
		"4-bit product of several tokens with one matrix; one token gives the bits of dequant_matvec_4bit_v3.", 4)
}

func dequantMatvec4V4() suite.Kernel {
	kernel := stagedMatvec("dequant_matvec_4bit_v4", "4-bit matrix-vector product with weights loaded by 128 bits.", 4)
	accepts := limits(stagedLimits(4), multipleOf(32, inDim))
	// Quads of words just below, at and above the lanes, and groups of less than
	// a quad.
	kernel.Sweep.Shapes = slices.Concat(kernel.Sweep.Shapes,
		suite.Cross(suite.Shape{outDim: 11, groupSize: 8}, suite.Vary(inDim, 32, 64, 992, 1024, 1056, 4064)))
	kernel.Sweep.Probes = []suite.Shape{
		{outDim: 11, inDim: 320, groupSize: 64}, {outDim: 1, inDim: 32, groupSize: 32},
		{outDim: 9, inDim: 1184, groupSize: 8}}
	kernel.Sweep.Shapes = accepted(kernel.Sweep.Shapes, accepts)
	kernel.Sweep.Refused = append(kernel.Sweep.Refused,
		suite.Cross(suite.Shape{outDim: 11, groupSize: 8}, suite.Vary(inDim, 8, 16, 24, 40, 4088))...)
	kernel.Check = accepts
	kernel.Contract = sumsOf("row", oracles.Strided(32, 4))
	return kernel
}

func dequantMatvec4V5() suite.Kernel {
	kernel := stagedMatvec("dequant_matvec_4bit_v5",
		"4-bit matrix-vector product that looks values up in a table of sixteen weights for each group.", 4)
	kernel.Contract = sumsOf("groups", oracles.Strided(32, 1))
	return kernel
}

func dequantMatvec2() suite.Kernel {
	return stagedMatvec("dequant_matvec_2bit",
		"2-bit matrix-vector product, one simdgroup a row, input staged in threadgroup memory.", 2)
}

func dequantMatvec8V3() suite.Kernel {
	return stagedMatvec("dequant_matvec_8bit_v3",
		"8-bit matrix-vector product, one simdgroup a row, input staged in threadgroup memory.", 8)
}

func dequantMatvec8V3Tokens() suite.Kernel {
	return stagedMatmul("dequant_matvec_8bit_v3_n_tokens",
		"8-bit product of several tokens with one matrix; one token gives the bits of dequant_matvec_8bit_v3.", 8)
}

// accepted are the shapes that a rule accepts.
func accepted(shapes []suite.Shape, rule limit) []suite.Shape {
	return slices.DeleteFunc(shapes, func(s suite.Shape) bool { return rule(s) != nil })
}

func stagedLimits(bits int) limit {
	return limits(affineLimits(bits), atMost(maxStagedInput, inDim))
}

func stagedRefused(base suite.Shape) []suite.Shape {
	return append(affineRefused(base), base.With(suite.Shape{inDim: maxStagedInput + 64}))
}

// stagedShapes go round the tiles of a kernel with eight rows to a threadgroup
// and 32 lanes to a row: every remainder of rows, words just below, at and above
// the lanes, and the staging limit.
func stagedShapes(base suite.Shape, bits int) []suite.Shape {
	word := 32 / bits
	return slices.Concat(
		suite.Around(base,
			suite.Vary(outDim, 1, 7, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 24),
			suite.Vary(inDim, 64, 128, 192, 256, 448, 512, 576, 1984, 2048, 2112, 4032, 4096)),
		suite.Cross(base.With(suite.Shape{groupSize: word}),
			suite.Vary(inDim, word, 2*word, 31*word, 32*word, 33*word, 37*word, maxStagedInput-word, maxStagedInput)),
		groupShapes(base, bits),
	)
}
