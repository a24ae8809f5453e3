package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// maxStagedInput is the longest input of the kernels that stage it in
// threadgroup memory.
const maxStagedInput = 4096

// Quantised and bf16 products.
func quant() []suite.Kernel {
	return []suite.Kernel{dequantMatvec4(), dequantMatvec4NTokens()}
}

func dequantMatvec4() suite.Kernel {
	base := suite.Shape{outDim: 11, inDim: 320, groupSize: 64}
	return suite.Kernel{
		Name: "dequant_matvec_4bit_v3",
		Doc:  "4-bit matrix-vector product, one simdgroup a row, input staged in threadgroup memory.",
		Axes: []suite.Axis{outDim, inDim, groupSize},
		Args: slices.Concat(
			affineWeights(8),
			suite.Args{suite.In("x", suite.F32, inDim), suite.Out("out", suite.F32, outDim)},
			matvecScalars(),
		),
		Grid:  suite.Grid{Threadgroups: []suite.Extent{suite.Ceil(outDim, 8)}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: stagedMatvecLimits(8),
		Sweep: suite.Sweep{
			Shapes: slices.Concat(
				stagedMatvecShapes(base),
				products(suite.Shape{groupSize: 64}, fixtures.Qwen35B(), 1<<20),
			),
			Full: slices.Concat(
				products(suite.Shape{groupSize: 64}, fixtures.Qwen3Next80B(), math.MaxInt),
				products(suite.Shape{groupSize: 64}, fixtures.Qwen35B(), math.MaxInt),
				products(suite.Shape{groupSize: 64}, fixtures.Qwen397B(), math.MaxInt),
				products(suite.Shape{groupSize: 64}, fixtures.DeepSeekV3(), math.MaxInt),
			),
			Probes:  []suite.Shape{base, {outDim: 1, inDim: 64, groupSize: 64}, {outDim: 9, inDim: 296, groupSize: 8}},
			Refused: stagedMatvecRefused(base),
			Inputs:  matvecInputs("x"),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"row": oracles.Strided(32, 1)}},
		Oracle:   dequantMatvec(4, "x"),
	}
}

func dequantMatvec4NTokens() suite.Kernel {
	base := suite.Shape{nTokens: 3, outDim: 11, inDim: 320, groupSize: 64}
	rowTiles := suite.Ceil(outDim, 8)
	return suite.Kernel{
		Name: "dequant_matvec_4bit_v3_n_tokens",
		Doc:  "4-bit product of several tokens with one matrix; one token gives the bits of dequant_matvec_4bit_v3.",
		Axes: []suite.Axis{nTokens, outDim, inDim, groupSize},
		Args: slices.Concat(
			affineWeights(8),
			suite.Args{suite.In("x_inputs", suite.F32, nTokens, inDim), suite.Out("out", suite.F32, nTokens, outDim)},
			matvecScalars(),
			suite.Args{suite.Const("n_tokens", suite.U32, nTokens), suite.Const("num_row_tiles", suite.U32, rowTiles)},
		),
		Grid:  suite.Grid{Threadgroups: []suite.Extent{suite.Product(rowTiles, nTokens)}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, nTokens), stagedMatvecLimits(8)),
		Sweep: suite.Sweep{
			Shapes: slices.Concat(
				suite.Around(base, suite.Vary(nTokens, 1, 2, 4, 15, 16, 17)),
				stagedMatvecShapes(base)[1:],
				products(suite.Shape{nTokens: 2, groupSize: 64}, fixtures.Qwen35B(), 1<<16),
			),
			Full: slices.Concat(
				products(suite.Shape{nTokens: 1, groupSize: 64}, fixtures.Qwen397B(), math.MaxInt),
				products(suite.Shape{nTokens: 5, groupSize: 64}, fixtures.Qwen35B(), math.MaxInt),
				suite.Cross(base, suite.Vary(nTokens, 63, 64, 65, 127, 128, 1000, 4096)),
			),
			Probes:  []suite.Shape{base, {nTokens: 1, outDim: 9, inDim: 296, groupSize: 8}},
			Refused: append(stagedMatvecRefused(base), base.With(suite.Shape{nTokens: 0})),
			Inputs:  matvecInputs("x_inputs"),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"row": oracles.Strided(32, 1)}},
		Oracle:   dequantMatvec(4, "x_inputs"),
	}
}

// affineWeights are the first three bindings of every affine product, with so
// many values in a word.
func affineWeights(perWord int) suite.Args {
	groups := ratio(inDim, groupSize)
	return suite.Args{
		suite.In("W_packed", suite.U32, outDim, suite.Func(func(s suite.Shape) int { return s[inDim] / perWord })),
		suite.In("scales", suite.BF16, outDim, groups),
		suite.In("biases", suite.BF16, outDim, groups),
	}
}

// matvecScalars are bindings 5 to 7 of every affine product.
func matvecScalars() suite.Args {
	return suite.Args{
		suite.Const("out_dim", suite.U32, outDim),
		suite.Const("in_dim", suite.U32, inDim),
		suite.Const("group_size", suite.U32, groupSize),
	}
}

// ratio is a/b, rounded down.
func ratio(a, b suite.Axis) suite.Func {
	return func(s suite.Shape) int { return s[a] / s[b] }
}

func stagedMatvecLimits(perWord int) limit {
	return limits(
		atLeast(1, outDim, inDim, groupSize), atMost(maxStagedInput, inDim),
		multipleOf(perWord, groupSize), multiple(inDim, groupSize))
}

// stagedMatvecShapes goes round the tiles of a kernel with eight rows to a
// threadgroup, 32 lanes to a row and eight values to a word: every remainder of
// rows, words just below, at and above the lanes, and the staging limit.
func stagedMatvecShapes(base suite.Shape) []suite.Shape {
	return slices.Concat(
		suite.Around(base,
			suite.Vary(outDim, 1, 7, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 24),
			suite.Vary(inDim, 64, 128, 192, 256, 448, 512, 576, 1984, 2048, 2112, 4032, 4096)),
		suite.Cross(base.With(suite.Shape{groupSize: 8}), suite.Vary(inDim, 8, 16, 248, 256, 264, 296, 4088, 4096)),
		suite.Cross(base.With(suite.Shape{inDim: 512}), suite.Vary(groupSize, 16, 32, 128, 256, 512)),
	)
}

func stagedMatvecRefused(base suite.Shape) []suite.Shape {
	return suite.Around(base,
		suite.Vary(outDim, 0),
		suite.Vary(inDim, 0, 1, 63, 65, maxStagedInput+64),
		suite.Vary(groupSize, 0, 4, 12, 640))[1:]
}

// products are the matrices of a model that a staged kernel can take and that
// have at most so many elements.
func products(base suite.Shape, m fixtures.Model, elements int) []suite.Shape {
	var shapes []suite.Shape
	for _, p := range m.Products {
		if p.In <= maxStagedInput && p.Out*p.In <= elements {
			shapes = append(shapes, base.With(suite.Shape{outDim: p.Out, inDim: p.In}))
		}
	}
	return shapes
}

// matvecInputs are the families of an affine product of the input called x.
func matvecInputs(x string) []suite.Input {
	defaults := suite.Fills{
		"scales": suite.Scaled(suite.Normal, 1.0/16),
		"biases": suite.Scaled(suite.Normal, 0.5),
	}
	return append(suite.Standard(defaults, x, "scales", "biases"),
		suite.Input{Name: "words_zero", Fills: suite.Fills{"W_packed": suite.Every(0)}},
		suite.Input{Name: "words_ones", Fills: suite.Fills{"W_packed": suite.Every(math.MaxUint32)}},
		// A single value that is not 0 shows a wrong order in a word.
		suite.Input{Name: "words_single", Fills: suite.Fills{
			"W_packed": singleValue, x: suite.Integers, "scales": suite.Every(1), "biases": suite.Every(0)}},
		// Each group's own scale, exact, shows a wrong group index.
		suite.Input{Name: "scales_distinct", Fills: suite.Fills{
			x: suite.Every(1), "scales": counting, "biases": suite.Scaled(counting, -8)}},
	)
}

// singleValue has one nibble of 1 in every word.
func singleValue(r *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(uint32(1) << (4 * r.IntN(8)))
	}
}

// counting is 1, 2, …, 127, 1, …: all exact in bf16.
func counting(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(i%127 + 1)
	}
}

// dequantMatvec is the oracle of every b-bit affine product of the input
// called x.
func dequantMatvec(bits int, x string) func(*suite.Problem) suite.Answers {
	return func(in *suite.Problem) suite.Answers {
		s := in.Shape
		return suite.Answers{"out": oracles.DequantMatvec(
			oracles.Affine{Bits: bits, Group: s[groupSize]},
			in.Words("W_packed"), in.Values("scales"), in.Values("biases"), in.Values(x),
			s[inDim], s[outDim], in.Contract)}
	}
}
