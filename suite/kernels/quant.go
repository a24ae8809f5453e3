package kernels

import (
	"math"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Limits of the products.
const (
	maxStagedInput   = 4096 // longest input that a threadgroup stages
	rowsPerGroup     = 8    // rows of a threadgroup with one simdgroup a row
	maxActiveExperts = 8
)

// Quantised and bf16 products, and the casts.
func quant() []suite.Kernel {
	return []suite.Kernel{
		dequantMatvec4(), dequantMatvec4Fast(), dequantMatvec4FastTokens(),
		dequantMatvec4V3(), dequantMatvec4V3Tokens(), dequantMatvec4V4(), dequantMatvec4V5(),
		dequantMatvec2(), dequantMatvec8V3(), dequantMatvec8V3Tokens(),
		dequantMatvec4Batched(), dequantMatvec4Experts(), gateUpSwiGLU(), embedGather4(),
		bf16Matvec(), bf16Matmul(),
		castF32BF16(), castF32BF16Truncated(), castBF16F32(), castF32F16(), castF16F32(),
	}
}

// affineMatvec is the b-bit product of one token, but for its geometry, its
// limits, its sweep and its contract.
func affineMatvec(name, doc string, bits int, more ...suite.Axis) suite.Kernel {
	return suite.Kernel{
		Name: name,
		Doc:  doc,
		Axes: append([]suite.Axis{outDim, inDim, groupSize}, more...),
		Args: slices.Concat(
			affineWeights("", bits, outDim),
			suite.Args{suite.In("x", suite.F32, inDim), suite.Out("out", suite.F32, outDim)},
			matvecScalars(),
		),
		Work:   each(affineOps+multiplyAdd, outDim, inDim),
		Oracle: dequantMatvec(bits, "x"),
	}
}

// affineMatmul is the b-bit product of several tokens.
func affineMatmul(name, doc string, bits int, more ...suite.Axis) suite.Kernel {
	kernel := affineMatvec(name, doc, bits, more...)
	kernel.Axes = append([]suite.Axis{nTokens}, kernel.Axes...)
	kernel.Args[3] = suite.In("x_inputs", suite.F32, nTokens, inDim)
	kernel.Args[4] = suite.Out("out", suite.F32, nTokens, outDim)
	kernel.Args = append(kernel.Args, suite.Const("n_tokens", suite.U32, nTokens))
	kernel.Work.Operations = total(times(affineOps, outDim, inDim), times(multiplyAdd, nTokens, outDim, inDim))
	kernel.Oracle = dequantMatvec(bits, "x_inputs")
	return kernel
}

func dequantMatvec4() suite.Kernel {
	base := suite.Shape{outDim: 11, inDim: 320, groupSize: 64}
	kernel := affineMatvec("dequant_matvec_4bit", "4-bit matrix-vector product, one thread a row.", 4)
	kernel.Grid = suite.Flat(outDim, 256)
	kernel.Check = affineLimits(4)
	kernel.Sweep = suite.Sweep{
		Shapes: concat(
			suite.Around(base,
				suite.Vary(outDim, 1, 2, 31, 32, 33, 255, 256, 257, 509),
				suite.Vary(inDim, 64, 128, 448, 4096, 4160)),
			groupShapes(base, 4),
			products(suite.Shape{groupSize: 64}, fixtures.Qwen35B(), math.MaxInt, 1<<20),
			suite.Cross(suite.Shape{outDim: 2, inDim: word16Bits}, suite.Vary(groupSize, 64, word16Bits)),
		),
		Full: concat(
			suite.Cross(base, suite.Vary(outDim, 511, 512, 513, 1009)),
			models(suite.Shape{groupSize: 64}, math.MaxInt, 1<<24)),
		Probes:  []suite.Shape{base, {outDim: 1, inDim: 64, groupSize: 64}, {outDim: 9, inDim: 296, groupSize: 8}},
		Ends:    flatEnds(suite.Shape{inDim: 64, groupSize: 8}, outDim),
		Refused: affineRefused(base),
		Inputs:  affineInputs(4, "x"),
	}
	kernel.Contract = sumsOf("groups", oracles.Sequential())
	return kernel
}

func dequantMatvec4Fast() suite.Kernel {
	base := suite.Shape{outDim: 5, inDim: 1216, groupSize: 64, threads: 64}
	kernel := affineMatvec("dequant_matvec_4bit_fast",
		"4-bit matrix-vector product, one threadgroup a row, for inputs of any length.", 4, threads)
	kernel.Grid = suite.Grid{Threadgroups: []suite.Extent{outDim}, Of: []suite.Extent{threads}}
	kernel.Check = limits(affineLimits(4), wholeSimdgroups)
	kernel.Sweep = suite.Sweep{
		Shapes: concat(
			suite.Around(base, suite.Vary(outDim, 1, 2, 7, 8, 9, 31), suite.Vary(threads, 32, 96, 128, 992, 1024)),
			threadShapes(base),
			groupShapes(base, 4),
			longRow(suite.Shape{outDim: 2, threads: 64}),
			products(suite.Shape{groupSize: 64, threads: 64}, fixtures.Qwen35B(), math.MaxInt, 1<<20),
			products(suite.Shape{groupSize: 64, threads: 64}, fixtures.Qwen397B(), math.MaxInt, 1<<13),
		),
		Full: models(suite.Shape{groupSize: 64, threads: 64}, math.MaxInt, math.MaxInt),
		Probes: []suite.Shape{
			base, {outDim: 1, inDim: 64, groupSize: 64, threads: 64},
			{outDim: 3, inDim: 1096, groupSize: 8, threads: 96}},
		Ends:    rowEnds(suite.Shape{inDim: 64, groupSize: 8, threads: 64}, outDim),
		Refused: append(affineRefused(base), threadsRefused(base)...),
		Inputs:  affineInputs(4, "x"),
	}
	kernel.Contract = sumsOf("groups", oracles.Strided(64, 1))
	kernel.Oracle = stridedOver(threads, kernel.Oracle)
	return kernel
}

func dequantMatvec4FastTokens() suite.Kernel {
	base := suite.Shape{nTokens: 3, outDim: 5, inDim: 1216, groupSize: 64, threads: 64}
	kernel := affineMatmul("dequant_matvec_4bit_fast_n_tokens",
		"4-bit product of several tokens with one matrix; one token gives the bits of dequant_matvec_4bit_fast.", 4,
		threads)
	kernel.Grid = suite.Grid{Threadgroups: []suite.Extent{suite.Product(outDim, nTokens)}, Of: []suite.Extent{threads}}
	kernel.Check = limits(atLeast(1, nTokens), affineLimits(4), wholeSimdgroups, countable(nTokens, outDim))
	kernel.Sweep = suite.Sweep{
		Shapes: concat(
			suite.Around(base, suite.Vary(nTokens, 1, 2, 4, 15, 16, 17), suite.Vary(outDim, 1, 2, 7, 8, 9),
				suite.Vary(threads, 32, 96, 128, 1024)),
			threadShapes(base), suite.Cross(base, suite.Vary(groupSize, 8, 16, 32)),
			[]suite.Shape{{nTokens: 4, outDim: 9, inDim: 2112, groupSize: 32, threads: 96}},
			longRow(suite.Shape{nTokens: 2, outDim: 2, threads: 64}),
			products(suite.Shape{nTokens: 2, groupSize: 64, threads: 64}, fixtures.Qwen35B(), math.MaxInt, 1<<16),
		),
		Full: concat(
			models(suite.Shape{nTokens: 2, groupSize: 64, threads: 64}, math.MaxInt, 1<<22),
			suite.Cross(base, suite.Vary(nTokens, 63, 64, 65, 127, 128, 1000, 4096))),
		Probes: []suite.Shape{base, {nTokens: 1, outDim: 3, inDim: 1096, groupSize: 8, threads: 96}},
		Ends: append(rowEnds(suite.Shape{nTokens: 1, inDim: 64, groupSize: 8, threads: 64}, outDim),
			endOf(suite.Shape{nTokens: 4, outDim: 4, inDim: 64, groupSize: 64, threads: 64},
				suite.Shape{nTokens: 1<<30 - 4}),
			endOf(suite.Shape{nTokens: 13, outDim: 1, inDim: 64, groupSize: 64, threads: 64},
				suite.Shape{nTokens: 1<<31 + 5})),
		Refused: slices.Concat(affineRefused(base), threadsRefused(base),
			[]suite.Shape{base.With(suite.Shape{nTokens: 0}),
				base.With(suite.Shape{nTokens: 1 << 16, outDim: 1 << 16})}),
		Inputs: affineInputs(4, "x_inputs"),
	}
	kernel.Contract = sumsOf("groups", oracles.Strided(64, 1))
	kernel.Oracle = stridedOver(threads, kernel.Oracle)
	return kernel
}

// longRow has more elements than 16 bits count.
func longRow(base suite.Shape) []suite.Shape {
	return []suite.Shape{base.With(suite.Shape{inDim: word16Bits, groupSize: 64})}
}

// wholeSimdgroups refuses a threadgroup that is not made of whole simdgroups.
func wholeSimdgroups(s suite.Shape) error {
	return limits(atLeast(32, threads), atMost(maxThreads, threads), multipleOf(32, threads))(s)
}

func threadsRefused(base suite.Shape) []suite.Shape {
	return suite.Cross(base, suite.Vary(threads, 0, 31, 48, 1056))
}

// threadShapes have groups just below, at and above the threads that stride
// over them, and inputs beyond what a threadgroup could stage.
func threadShapes(base suite.Shape) []suite.Shape {
	return slices.Concat(strideShapes(base),
		suite.Cross(base.With(suite.Shape{groupSize: 8, outDim: 2, threads: 1024}),
			suite.Vary(inDim, 8184, 8192, 8200)),
	)
}

// strideShapes are those of threadShapes for the threads of the base.
func strideShapes(base suite.Shape) []suite.Shape {
	return slices.Concat(
		suite.Cross(base, suite.Vary(inDim, 64, 1984, 2048, 2112, 4032, 4096, 4160, 8192, 8256)),
		suite.Cross(base.With(suite.Shape{groupSize: 8}), suite.Vary(inDim, 8, 248, 256, 264, 504, 512, 520)))
}

// stridedOver asks an oracle with as many lanes as the axis says, instead of the
// 64 of the catalogue's contracts. One that says something else has been declared
// about the shaders, and holds.
func stridedOver(lanes suite.Axis, oracle func(*suite.Problem) suite.Answers) func(*suite.Problem) suite.Answers {
	return func(in *suite.Problem) suite.Answers {
		if in.Contract.Sum("groups") == oracles.Strided(64, 1) {
			in.Contract.Sums = map[string]oracles.Schedule{"groups": oracles.Strided(in.Shape[lanes], 1)}
		}
		return oracle(in)
	}
}

// embedGather4 is the lookup of tokens in a quantised table.
func embedGather4() suite.Kernel {
	base := suite.Shape{nTokens: 5, vocab: 37, hiddenDim: 192, groupSize: 64}
	words, groups := suite.Func(func(s suite.Shape) int { return s[hiddenDim] / 8 }), ratio(hiddenDim, groupSize)
	inputs := append(suite.Standard(
		suite.Fills{
			"token_ids": anyToken, "scales": suite.Scaled(suite.Normal, 1.0/16),
			"biases": suite.Scaled(suite.Normal, 0.5),
		}, "scales", "biases"),
		suite.Input{Name: "tokens_edge", Fills: suite.Fills{"token_ids": edgeTokens}},
		suite.Input{Name: "tokens_equal", Fills: suite.Fills{"token_ids": suite.Every(0)}},
		suite.Input{Name: "words_zero", Fills: suite.Fills{"W_packed": suite.Every(0)}},
		suite.Input{Name: "words_ones", Fills: suite.Fills{"W_packed": suite.Every(math.MaxUint32)}},
		suite.Input{Name: "words_single", Fills: suite.Fills{
			"W_packed": singleValue(4), "scales": suite.Every(1), "biases": suite.Every(0)}},
		suite.Input{Name: "scales_distinct",
			Fills: suite.Fills{"scales": counting, "biases": suite.Scaled(counting, -8)}},
	)
	return suite.Kernel{
		Name: "embed_gather_4bit",
		Doc:  "Rows of a 4-bit embedding table, one for each token.",
		Axes: []suite.Axis{nTokens, vocab, hiddenDim, groupSize},
		Args: suite.Args{
			suite.In("W_packed", suite.U32, vocab, words),
			suite.In("scales", suite.BF16, vocab, groups),
			suite.In("biases", suite.BF16, vocab, groups),
			suite.In("token_ids", suite.I32, nTokens),
			suite.Out("out", suite.F32, nTokens, hiddenDim),
			suite.Const("n_tokens", suite.U32, nTokens),
			suite.Const("hidden_dim", suite.U32, hiddenDim),
			suite.Const("group_size", suite.U32, groupSize),
		},
		Grid: suite.Flat(suite.Product(nTokens, hiddenDim), 256),
		Check: limits(atLeast(1, nTokens, vocab, hiddenDim, groupSize),
			multipleOf(8, groupSize), multiple(hiddenDim, groupSize), countable(nTokens, hiddenDim)),
		Work: gatherWork(),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(nTokens, 1, 2, 3, 4, 17, 64), suite.Vary(vocab, 1, 2, 256),
					suite.Vary(hiddenDim, 64, 128, 256, 320, 448)),
				suite.Cross(base.With(suite.Shape{groupSize: 8}), suite.Vary(hiddenDim, 8, 248, 256, 264)),
				suite.Cross(base.With(suite.Shape{hiddenDim: 512}), suite.Vary(groupSize, 16, 32, 128, 256, 512)),
				suite.Cross(suite.Shape{nTokens: 1, vocab: 16, groupSize: 64}, suite.Vary(hiddenDim, hiddenSizes()...)),
				suite.Cross(suite.Shape{nTokens: 1, vocab: 2, hiddenDim: word16Bits},
					suite.Vary(groupSize, word16Bits)),
			),
			Full: concat(
				suite.Cross(suite.Shape{nTokens: 1000, vocab: 4096, groupSize: 64},
					suite.Vary(hiddenDim, hiddenSizes()...)),
				suite.Cross(suite.Shape{nTokens: 3, hiddenDim: fixtures.Qwen35B().Hidden, groupSize: 64},
					suite.Vary(vocab, fixtures.Qwen35B().Vocabulary))),
			Probes: []suite.Shape{base, {nTokens: 9, vocab: 3, hiddenDim: 24, groupSize: 8}},
			Ends: []suite.End{
				{Shape: suite.Shape{nTokens: 5, vocab: 16, hiddenDim: 192, groupSize: 64},
					Of:    suite.Shape{vocab: 1 << 31},
					Fills: suite.Fills{"token_ids": shifted(anyToken, 1<<31-16)}},
				endOf(suite.Shape{nTokens: 4, vocab: 37, hiddenDim: 64, groupSize: 64},
					suite.Shape{nTokens: 1<<26 - 4}),
				endOf(suite.Shape{nTokens: 64, vocab: 37, hiddenDim: 8, groupSize: 8},
					suite.Shape{nTokens: 1<<29 - 32}),
				endOf(suite.Shape{nTokens: 1, vocab: 1, hiddenDim: 512, groupSize: 8},
					suite.Shape{hiddenDim: aroundSign}),
			},
			Refused: slices.Concat(
				suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(vocab, 0), suite.Vary(hiddenDim, 0, 1, 63, 100),
					suite.Vary(groupSize, 0, 4, 12, 256))[1:],
				[]suite.Shape{base.With(suite.Shape{nTokens: 1 << 20, hiddenDim: 1 << 12})}),
			Inputs: inputs,
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			ids := slices.Clone(in.Words("token_ids"))
			for i := range ids {
				ids[i] -= uint32(in.Preceding(vocab))
			}
			return suite.Answers{"out": oracles.GatherRows(
				oracles.Affine{Bits: 4, Group: in.Shape[groupSize]}, weightsOf(in, ""), ids, in.Shape[hiddenDim],
				in.Contract)}
		},
	}
}

// affineWeights are the bindings of a quantised matrix of as many rows as the
// extent says, their names after a prefix.
func affineWeights(prefix string, bits int, rows suite.Extent) suite.Args {
	words, groups := suite.Func(func(s suite.Shape) int { return s[inDim] * bits / 32 }), ratio(inDim, groupSize)
	packed, scales, biases := weightNames(prefix)
	return suite.Args{
		suite.In(packed, suite.U32, rows, words),
		suite.In(scales, suite.BF16, rows, groups),
		suite.In(biases, suite.BF16, rows, groups),
	}
}

// weightNames are the names of a quantised matrix.
func weightNames(prefix string) (packed, scales, biases string) {
	if prefix == "" {
		return "W_packed", "scales", "biases"
	}
	return prefix + "_W", prefix + "_scales", prefix + "_biases"
}

// weightsOf is a quantised matrix of the problem.
func weightsOf(in *suite.Problem, prefix string) oracles.Weights {
	packed, scales, biases := weightNames(prefix)
	return oracles.Weights{Packed: in.Words(packed), Scales: in.Values(scales), Biases: in.Values(biases)}
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

// sumsOf is the contract of one sum.
func sumsOf(name string, s oracles.Schedule) oracles.Contract {
	return oracles.Contract{Sums: map[string]oracles.Schedule{name: s}}
}

// affineLimits are those of every affine product: rows of whole groups of
// whole words.
func affineLimits(bits int) limit {
	return limits(atLeast(1, outDim, inDim, groupSize), multipleOf(32/bits, groupSize), multiple(inDim, groupSize))
}

func affineRefused(base suite.Shape) []suite.Shape {
	return suite.Around(base,
		suite.Vary(outDim, 0), suite.Vary(inDim, 0, 1, 63, 65), suite.Vary(groupSize, 0, 2, 12, 100, 2*base[inDim]))[1:]
}

// groupShapes go through the sizes of groups, from a word up to a whole row.
func groupShapes(base suite.Shape, bits int) []suite.Shape {
	word := 32 / bits
	return slices.Concat(
		suite.Cross(base.With(suite.Shape{groupSize: word}), suite.Vary(inDim, word, 7*word, 37*word)),
		suite.Cross(base.With(suite.Shape{inDim: 512}), suite.Vary(groupSize, 16, 32, 128, 256, 512)),
		suite.Cross(base.With(suite.Shape{inDim: maxStagedInput}), suite.Vary(groupSize, maxStagedInput)),
	)
}

// products are the matrices of a model that have inputs of at most maxIn and at
// most so many elements.
func products(base suite.Shape, m fixtures.Model, maxIn, elements int) []suite.Shape {
	var shapes []suite.Shape
	for _, p := range m.Products {
		if p.In <= maxIn && p.Out*p.In <= elements {
			shapes = append(shapes, base.With(suite.Shape{outDim: p.Out, inDim: p.In}))
		}
	}
	return shapes
}

// models are such products of all models.
func models(base suite.Shape, maxIn, elements int) []suite.Shape {
	var shapes []suite.Shape
	for _, m := range fixtures.Models() {
		shapes = append(shapes, products(base, m, maxIn, elements)...)
	}
	return shapes
}

// dequantMatvec is the oracle of every b-bit affine product of the input
// called x.
func dequantMatvec(bits int, x string) func(*suite.Problem) suite.Answers {
	return func(in *suite.Problem) suite.Answers {
		s, w := in.Shape, weightsOf(in, "")
		return suite.Answers{"out": oracles.DequantMatvec(
			oracles.Affine{Bits: bits, Group: s[groupSize]}, w.Packed, w.Scales, w.Biases, in.Values(x), s[inDim],
			s[outDim], in.Contract)}
	}
}

// gatherWork is the dequantisation of a row for each token. Tokens share no row
// unless there are more tokens than rows.
func gatherWork() suite.Work {
	rows := suite.Func(func(s suite.Shape) int { return min(s[nTokens], s[vocab]) })
	groups := suite.Product(rows, ratio(hiddenDim, groupSize))
	w := each(affineOps, nTokens, hiddenDim)
	w.Reads = elements{
		"W_packed": suite.Func(func(s suite.Shape) int { return rows(s) * (s[hiddenDim] / 8) }),
		"scales":   groups, "biases": groups,
	}
	return w
}
