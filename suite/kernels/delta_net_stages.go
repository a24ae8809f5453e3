package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// What the stages of the chunk pipeline are made for.
const (
	stageTokens  = 64  // BT: tokens of a chunk
	stageKeys    = 64  // BK: key channels that a stage takes at once
	stageValues  = 32  // BV: value channels of a threadgroup of the last two stages
	stateKeys    = 128 // K of the last two stages
	maxStageKeys = 192 // largest K of the others
	maxStageV    = 256 // largest V
)

// chunks is NT, the chunks of one batch.
func chunks(s suite.Shape) int { return s[tokens] / s[blockTokens] }

// perChunk is the grid of the stages that take a chunk of a head at a time.
func perChunk(threads suite.Extent) suite.Grid {
	return suite.Grid{Threadgroups: []suite.Extent{suite.Func(chunks), valueHeads, batches},
		Of: []suite.Extent{threads}}
}

// word is a field of a stage's params.
func word(name string, value suite.Scalar) suite.Field {
	return suite.Field{Name: name, Type: suite.U32, Value: value}
}

// stageLimits are the rules of all stages on the axes that a stage has.
func stageLimits(axes []suite.Axis, rules ...limit) func(suite.Shape) error {
	all := []limit{atLeast(1, axes...), exactly(stageTokens, blockTokens), multipleOf(stageTokens, tokens)}
	if slices.Contains(axes, keyHeads) {
		all = append(all, multiple(valueHeads, keyHeads))
	}
	if slices.Contains(axes, keyChannels) {
		all = append(all, multipleOf(stageKeys, keyChannels))
	}
	if slices.Contains(axes, valueChannels) {
		all = append(all, multipleOf(stageKeys, valueChannels), atMost(maxStageV, valueChannels))
	}
	return limits(append(all, rules...)...)
}

// stageRefusals are points around base that break one rule each.
func stageRefusals(base suite.Shape, axes []suite.Axis, more ...suite.Variation) []suite.Shape {
	broken := map[suite.Axis][]int{
		batches: {0}, tokens: {0, 63, 65, 100}, keyHeads: {0}, valueHeads: {0}, blockTokens: {0, 32, 128},
		keyChannels: {0, 32, 65, 96}, valueChannels: {0, 32, 65, maxStageV + stageKeys},
	}
	var vary []suite.Variation
	for _, a := range axes {
		vary = append(vary, suite.Vary(a, broken[a]...))
	}
	shapes := suite.Around(base, append(vary, more...)...)[1:]
	if slices.Contains(axes, keyHeads) {
		shapes = append(shapes, base.With(suite.Shape{keyHeads: 2, valueHeads: 3}),
			base.With(suite.Shape{keyHeads: 4, valueHeads: 2}))
	}
	return shapes
}

// stageModels are the heads of the real models' linear attention over so many
// tokens; a dimension that the stage does not have is left out.
func stageModels(axes []suite.Axis, n int, models ...fixtures.Model) []suite.Shape {
	var shapes []suite.Shape
	for _, m := range models {
		all := suite.Shape{
			batches: 1, tokens: n, keyHeads: m.LinearKeyHeads, valueHeads: m.LinearValueHeads,
			keyChannels: m.LinearHeadDim, valueChannels: m.LinearHeadDim, blockTokens: stageTokens,
		}
		s := suite.Shape{}
		for _, a := range axes {
			s[a] = all[a]
		}
		shapes = append(shapes, s)
	}
	return shapes
}

// stageHeads is base with all ways to share key heads: one for all, one for
// each, and two, three and four value heads to each.
func stageHeads(base suite.Shape) []suite.Shape {
	var shapes []suite.Shape
	for _, n := range [][2]int{{1, 1}, {1, 3}, {2, 2}, {2, 4}, {2, 6}, {1, 4}, {3, 6}} {
		shapes = append(shapes, base.With(suite.Shape{keyHeads: n[0], valueHeads: n[1]}))
	}
	return shapes
}

// linearModels are the models with linear attention.
func linearModels() []fixtures.Model {
	return slices.DeleteFunc(fixtures.Models(), func(m fixtures.Model) bool { return m.LinearKeyHeads == 0 })
}

// stageEnds are many batches, and the last chunk of a long one. Where chunks depend on
// those before them, there are only the batches.
func stageEnds(axes []suite.Axis, s suite.Shape, many int, oneByOne bool) []suite.End {
	own := suite.Shape{}
	for _, a := range axes {
		own[a] = s[a]
	}
	ends := []suite.End{endOf(own, suite.Shape{batches: many + own[batches]})}
	if !oneByOne {
		for _, a := range []suite.Axis{keyHeads, valueHeads} {
			if _, ok := own[a]; ok {
				own = own.With(suite.Shape{a: 1})
			}
		}
		ends = append(ends, endOf(own.With(suite.Shape{batches: 1}), suite.Shape{tokens: 1<<32 - stageTokens}))
	}
	return ends
}

// stageEnd is the smallest chunk of two heads.
var stageEnd = suite.Shape{
	batches: 1, tokens: stageTokens, keyHeads: 1, valueHeads: 2, keyChannels: stageKeys, valueChannels: stageKeys,
	blockTokens: stageTokens,
}

// stageLayout is the shape as the oracles take it.
func stageLayout(s suite.Shape) oracles.Chunks {
	return oracles.Chunks{
		B: s[batches], T: s[tokens], Hg: s[keyHeads], H: s[valueHeads], K: s[keyChannels], V: s[valueChannels],
		BT: s[blockTokens],
	}
}

func chunkLocalCumsum() suite.Kernel {
	axes := []suite.Axis{batches, tokens, valueHeads, blockTokens}
	base := point(axes, 2, 128, 3, 64)
	decays := suite.Uniform(-0.2, 0)
	return suite.Kernel{
		Name: "chunk_local_cumsum_g_f32",
		Doc:  "Chunk pipeline, stage 1: running sums of the log-decays in each chunk.",
		Axes: axes,
		Args: suite.Args{
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.Out("g_cumsum", suite.F32, batches, tokens, valueHeads),
			suite.Params("params", word("B", batches), word("T", tokens), word("H", valueHeads),
				word("BT", blockTokens), word("NT", suite.Func(chunks))),
		},
		Grid: suite.Grid{
			Threadgroups: []suite.Extent{suite.Fixed(1), valueHeads, suite.Product(batches, suite.Func(chunks))},
			Of:           []suite.Extent{blockTokens},
		},
		Check: stageLimits(axes),
		Work:  each(1, batches, tokens, valueHeads),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(batches, 1, 3), suite.Vary(tokens, 64, 192, 1024),
					suite.Vary(valueHeads, 1, 2, 16)),
				[]suite.Shape{point(axes, 65, 64, 1, 64)}, // more chunks than BT, which is not NT
				stageModels(axes, 64, linearModels()...)),
			Full:    suite.Cross(point(axes, 1, 0, 32, 64), suite.Vary(tokens, 1024, 4096)),
			Probes:  []suite.Shape{base},
			Ends:    stageEnds(axes, stageEnd, 1<<31, false),
			Refused: stageRefusals(base, axes),
			Inputs: append(append(suite.Standard(suite.Fills{"g": decays}, "g"),
				conditioned("g", suite.Condition{Terms: blockTokens, Apart: valueHeads}, nil)...),
				suite.Input{Name: "ninf_g", Fills: suite.Fills{"g": suite.OneOf(decays, math.Inf(-1))}},
				suite.Input{Name: "strong", Fills: suite.Fills{"g": suite.Uniform(-40, 0)}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"cumsum": oracles.AnyOrder()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"g_cumsum": oracles.ChunkCumsum(in.Values("g"), stageLayout(in.Shape), in.Contract)}
		},
	}
}

func gatedDeltaNetKKT() suite.Kernel {
	axes := []suite.Axis{batches, tokens, keyHeads, valueHeads, keyChannels, blockTokens}
	base := point(axes, 1, 128, 1, 2, 64, 64)
	unit, gates := unitRows(keyChannels), suite.Uniform(0, 1)
	return suite.Kernel{
		Name: "gated_delta_net_kkt_bf16",
		Doc:  "Chunk pipeline, stage 2: the strictly lower triangle of each chunk's products of keys.",
		Axes: axes,
		Args: suite.Args{
			suite.In("k", suite.BF16, batches, tokens, keyHeads, keyChannels),
			// The first token of a chunk has none before it to multiply with.
			suite.In("beta", suite.F32, batches, tokens, valueHeads).Ignoring(
				rowsWithin(suite.Product(batches, suite.Func(chunks)), blockTokens, valueHeads,
					func(_ suite.Shape, token int) bool { return token > 0 })),
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.Out("A", suite.F32, batches, tokens, valueHeads, blockTokens),
			suite.Params("params",
				word("B", batches), word("T", tokens), word("Hg", keyHeads), word("H", valueHeads),
				word("K", keyChannels),
				word("BT", blockTokens), word("NT", suite.Func(chunks)), word("BK", suite.Fixed(stageKeys))),
		},
		Grid: perChunk(suite.Fixed(256)),
		ThreadgroupMemory: []suite.Extent{
			suite.Product(blockTokens, suite.Fixed(stageKeys), suite.Fixed(2)),
			suite.Product(blockTokens, blockTokens, suite.Fixed(4)),
		},
		Check: stageLimits(axes, atMost(maxStageKeys, keyChannels)),
		Work: eachChunk(func(n, kc, _ int) int {
			return n*kc + triangular(n-1)*(multiplyAdd*kc+decayOps) // k·β, then the products below the diagonal
		}),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(batches, 2), suite.Vary(tokens, 64, 192),
					suite.Vary(keyChannels, 128, 192)),
				[]suite.Shape{point(axes, 1, 64, 2, 4, 192, 64)},
				stageHeads(point(axes, 1, 64, 1, 1, 64, 64)),
				stageModels(axes, 64, fixtures.Qwen3Next80B())),
			Full: concat(
				stageModels(axes, 128, linearModels()...),
				suite.Cross(point(axes, 1, 0, 1, 2, 128, 64), suite.Vary(tokens, 1024, 4096))),
			Probes: []suite.Shape{point(axes, 1, 64, 2, 4, 128, 64)},
			// The gate of each token is a tie, and so is its key times the gate.
			Settings: []suite.Setting{
				decisive("ties", point(axes, 1, 64, 1, 2, 64, 64), suite.Fills{
					"k": channelOfRow(keyChannels, 0, suite.Choice(-1, 1)), "beta": ties, "g": suite.Every(0)}),
				decisive("light_tokens", point(axes, 1, 64, 1, 2, 64, 64), suite.Fills{
					"k":    steps(along(tokens, suite.Product(keyHeads, keyChannels), -farApart)),
					"beta": steps(along(tokens, valueHeads, farApart)), "g": suite.Every(0)}),
			},
			Ends:    stageEnds(axes, stageEnd, 1<<31, false),
			Refused: stageRefusals(base, axes, suite.Vary(keyChannels, maxStageKeys+stageKeys)),
			Inputs: append(suite.Standard(suite.Fills{"k": unit, "beta": gates, "g": runningSums(0.2)}, "k", "beta"),
				suite.Input{Name: "exact",
					Fills: suite.Fills{"k": suite.Integers, "beta": suite.Choice(0, 1), "g": suite.Every(0)}},
				suite.Input{Name: "no_decay", Fills: suite.Fills{"g": suite.Every(0)}},
				suite.Input{Name: "strong", Fills: suite.Fills{"g": runningSums(40)}},
				suite.Input{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.NaN())}},
				suite.Input{Name: "inf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.Inf(1))}},
				suite.Input{Name: "ninf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.Inf(-1))}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"A": oracles.ChunkKKT(in.Values("k"), in.Values("beta"), in.Values("g"),
				stageLayout(in.Shape), in.Contract)}
		},
	}
}

func chunkTriSolveInvert() suite.Kernel {
	axes := []suite.Axis{batches, tokens, valueHeads, blockTokens}
	base := point(axes, 2, 128, 3, 64)
	weak := suite.Scaled(suite.Normal, 0.1)
	return suite.Kernel{
		Name: "chunk_tri_solve_invert_f32",
		Doc:  "Chunk pipeline, stage 3: the inverse of each chunk's unit lower triangular matrix.",
		Axes: axes,
		Args: suite.Args{
			suite.In("A", suite.F32, batches, tokens, valueHeads, blockTokens).Ignoring(rightOf(0)),
			suite.Out("X", suite.F32, batches, tokens, valueHeads, blockTokens),
			suite.Params("params", word("B", batches), word("T", tokens), word("H", valueHeads),
				word("BT", blockTokens), word("NT", suite.Func(chunks))),
		},
		Grid:  perChunk(blockTokens),
		Check: stageLimits(axes),
		Work: chunkReads(eachChunk(func(n, _, _ int) int {
			return n * (n - 1) * (n - 2) / 3 // a multiply-add for each i > m > j
		}), "A", func(n int) int { return triangular(n - 1) }),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(batches, 1, 3), suite.Vary(tokens, 64, 192),
					suite.Vary(valueHeads, 1, 2, 16)),
				stageModels(axes, 64, fixtures.Qwen3Next80B())),
			Full: concat(
				stageModels(axes, 128, linearModels()...),
				suite.Cross(point(axes, 1, 0, 4, 64), suite.Vary(tokens, 1024, 4096))),
			Probes:  []suite.Shape{point(axes, 1, 128, 2, 64)},
			Ends:    stageEnds(axes, stageEnd, 1<<31, false),
			Refused: stageRefusals(base, axes),
			Inputs: []suite.Input{
				{Name: "normal", Random: true, Fills: suite.Fills{"A": lower(weak)}},
				{Name: "growing", Fills: suite.Fills{"A": lower(suite.Scaled(suite.Normal, 0.5))}},
				{Name: "wide", Random: true, Fills: suite.Fills{"A": lower(suite.Scaled(suite.Wide, 0x1p-21))}},
				{Name: "cancelling", Fills: suite.Fills{"A": lower(suite.Scaled(suite.Cancelling, 1e-4))}},
				{Name: "positive", Random: true, Fills: suite.Fills{"A": lower(suite.Positive)}},
				{Name: "negative", Fills: suite.Fills{"A": lower(suite.Scaled(suite.Positive, -0.1))}},
				{Name: "exact",
					Fills: suite.Fills{"A": lower(suite.Choice(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1))}},
				{Name: "subnormal", Fills: suite.Fills{"A": lower(suite.Subnormal)}},
				{Name: "zeros", Fills: suite.Fills{"A": suite.Zeros}},
				{Name: "nan_A", Fills: suite.Fills{"A": oneBelow(lower(weak), math.NaN())}},
				{Name: "inf_A", Fills: suite.Fills{"A": oneBelow(lower(weak), math.Inf(1))}},
			},
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"X": oracles.ChunkInverse(in.Values("A"), stageLayout(in.Shape), in.Contract)}
		},
	}
}

func gatedDeltaNetRecomputeWU() suite.Kernel {
	axes := []suite.Axis{batches, tokens, keyHeads, valueHeads, keyChannels, valueChannels, blockTokens}
	base := point(axes, 1, 128, 1, 2, 64, 64, 64)
	weak := suite.Scaled(suite.Normal, 0.1)
	return suite.Kernel{
		Name: "gated_delta_net_recompute_wu_bf16",
		Doc:  "Chunk pipeline, stage 4: the triangular system solved for keys and for values.",
		Axes: axes,
		Args: suite.Args{
			suite.In("k", suite.BF16, batches, tokens, keyHeads, keyChannels),
			suite.In("v", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.In("beta", suite.F32, batches, tokens, valueHeads),
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.In("A", suite.F32, batches, tokens, valueHeads, blockTokens).Ignoring(rightOf(1)),
			suite.Out("w", suite.BF16, batches, tokens, valueHeads, keyChannels),
			suite.Out("u", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.Params("params", stageWords()...),
		},
		Grid: perChunk(suite.Fixed(256)),
		ThreadgroupMemory: []suite.Extent{
			suite.Product(blockTokens, blockTokens, suite.Fixed(4)),
			suite.Product(blockTokens, suite.Fixed(stageKeys), suite.Fixed(2)),
		},
		Check: stageLimits(axes, atMost(maxStageKeys, keyChannels)),
		Work: chunkReads(eachChunk(func(n, kc, vc int) int {
			return 2*n + (n+multiplyAdd*triangular(n))*(kc+vc) // β·e^G, the scaled rows, the products
		}), "A", triangular),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(batches, 2), suite.Vary(tokens, 64, 192),
					suite.Vary(keyChannels, 128, 192), suite.Vary(valueChannels, 128, 192, 256)),
				stageHeads(point(axes, 1, 64, 1, 1, 64, 64, 64)),
				[]suite.Shape{point(axes, 1, 64, 1, 1, maxStageKeys, maxStageV, 64)}, // both as wide as they may be
				stageModels(axes, 64, fixtures.Qwen3Next80B())),
			Full: concat(
				stageModels(axes, 128, linearModels()...),
				suite.Cross(point(axes, 1, 0, 1, 2, 128, 128, 64), suite.Vary(tokens, 1024, 4096))),
			Probes: []suite.Shape{point(axes, 1, 64, 1, 2, 64, 64, 64)},
			Settings: []suite.Setting{
				decisive("ties_of_operands", point(axes, 1, 64, 1, 2, 64, 64, 64), suite.Fills{
					"k": suite.Choice(-1, 1), "v": suite.Choice(-1, 1), "beta": ties, "g": suite.Every(0),
					"A": diagonal(suite.Every(1))}),
				decisive("ties_of_results", point(axes, 1, 64, 1, 2, 64, 64, 64), suite.Fills{
					"k": suite.Choice(-1, 1), "v": suite.Choice(-1, 1), "beta": suite.Every(1), "g": suite.Every(0),
					"A": diagonal(ties)}),
				// Each column of A weighs little what is as much larger.
				decisive("light_columns", point(axes, 1, 64, 1, 2, 64, 64, 64), suite.Fills{
					"k":    steps(along(tokens, suite.Product(keyHeads, keyChannels), farApart)),
					"v":    steps(along(tokens, suite.Product(valueHeads, valueChannels), farApart)),
					"beta": steps(along(tokens, valueHeads, 14)), "g": suite.Every(0),
					"A": steps(along(blockTokens, single, -farApart-14))}),
				// Keys that count in spite of their decay.
				decisive("old_keys", point(axes, 1, 64, 1, 2, 64, 64, 64), suite.Fills{
					"k": suite.Scaled(suite.Normal, 1e34), "g": suite.Uniform(-85, -60),
					"A": diagonal(suite.Every(1))}),
			},
			Ends:    stageEnds(axes, stageEnd, 1<<31, false),
			Refused: stageRefusals(base, axes, suite.Vary(keyChannels, maxStageKeys+stageKeys)),
			Inputs: append(
				suite.Standard(suite.Fills{
					"k": unitRows(keyChannels), "beta": suite.Uniform(0, 1), "g": runningSums(0.2),
					"A": unitLower(weak),
				}, "k", "v", "beta"),
				suite.Input{Name: "wide_A", Fills: suite.Fills{"A": unitLower(suite.Wide)}},
				suite.Input{Name: "exact", Fills: suite.Fills{
					"k": suite.Integers, "v": suite.Integers, "beta": suite.Choice(0, 1), "g": suite.Every(0),
					"A": unitLower(suite.Integers)}},
				suite.Input{Name: "strong", Fills: suite.Fills{"g": runningSums(40)}},
				suite.Input{Name: "nan_A", Fills: suite.Fills{"A": oneBelow(unitLower(weak), math.NaN())}},
				suite.Input{Name: "inf_A", Fills: suite.Fills{"A": oneBelow(unitLower(weak), math.Inf(1))}},
				suite.Input{Name: "inf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.Inf(1))}},
				suite.Input{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.NaN())}},
				suite.Input{Name: "ninf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.2), math.Inf(-1))}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			w, u := oracles.ChunkWU(
				in.Values("k"), in.Values("v"), in.Values("beta"), in.Values("g"), in.Values("A"),
				stageLayout(in.Shape), in.Contract)
			return suite.Answers{"w": w, "u": u}
		},
	}
}

// stageWords are the params of the stages with keys and values.
func stageWords() []suite.Field {
	return []suite.Field{
		word("B", batches), word("T", tokens), word("Hg", keyHeads), word("H", valueHeads),
		word("K", keyChannels), word("V", valueChannels), word("BT", blockTokens), word("NT", suite.Func(chunks)),
	}
}

// runningSums draws log-decays from −most to 0 and adds them up in each chunk:
// what stage 1 hands to the others, [B, T, H].
func runningSums(most float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.Uniform(-most, 0)(r, s, x)
		heads, block := s[valueHeads], s[blockTokens]
		for i := range x {
			if i/heads%block > 0 {
				x[i] += x[i-heads]
			}
		}
	}
}

// fading draws running sums of log-decays close to −rate a token.
func fading(rate float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		runningSums(0.2)(r, s, x)
		heads, block := s[valueHeads], s[blockTokens]
		for i := range x {
			x[i] -= float64((rate - 0.1) * float64(i/heads%block+1))
		}
	}
}

// outlasting is fill for values [B, T, H, V] that are larger for older tokens. [fading] decays them. At the end of a
// chunk all its tokens have the same weight, so the new tokens do not hide a wrong decay of an old one.
func outlasting(fill suite.Fill, rate float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		token, block := s[valueHeads]*s[valueChannels], s[blockTokens]
		for i := range x {
			x[i] *= math.Exp(rate * float64(block-1-i/token%block))
		}
	}
}

// triangle calls below for the elements under the diagonal of each chunk in an
// array [B, T, H, BT], and other for all others.
func triangle(s suite.Shape, n int, below func(i int), other func(i int, diagonal bool)) {
	heads, block := s[valueHeads], s[blockTokens]
	for i := range n {
		row, column := i/block/heads%block, i%block
		if column < row {
			below(i)
		} else {
			other(i, column == row)
		}
	}
}

// lower is fill under the diagonal of each chunk, and 0 elsewhere.
func lower(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		triangle(s, len(x), func(int) {}, func(i int, _ bool) { x[i] = 0 })
	}
}

// unitLower is lower with a diagonal of 1.
func unitLower(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		triangle(s, len(x), func(int) {}, func(i int, diagonal bool) {
			x[i] = 0
			if diagonal {
				x[i] = 1
			}
		})
	}
}

// oneBelow is fill with one element under the diagonal replaced by value.
func oneBelow(fill suite.Fill, value float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		var places []int
		triangle(s, len(x), func(i int) { places = append(places, i) }, func(int, bool) {})
		x[places[r.IntN(len(places))]] = value
	}
}

// rightOf are the elements of each chunk's matrix from so many columns right of the
// diagonal on.
func rightOf(n int) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		var ranges []suite.Range
		width := s[blockTokens]
		for row := range s[batches] * s[tokens] * s[valueHeads] {
			token := row / s[valueHeads] % s[tokens] % width
			if first := token + n; first < width {
				ranges = append(ranges, suite.Range{First: row*width + first, End: (row + 1) * width})
			}
		}
		return ranges
	}
}

// diagonal is fill on the diagonal and 0 elsewhere.
func diagonal(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		triangle(s, len(x), func(i int) { x[i] = 0 }, func(i int, on bool) {
			if !on {
				x[i] = 0
			}
		})
	}
}

// channelOfRow is fill in one channel of each row of so many, and 0 elsewhere.
func channelOfRow(width suite.Extent, channel int, fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			if i%width.Size(s) != channel {
				x[i] = 0
			}
		}
	}
}

// eachChunk is an operation count for each chunk of each value head, given its
// tokens, its key channels and its value channels.
func eachChunk(ops func(n, keys, values int) int) suite.Work {
	return suite.Work{Operations: suite.Func(func(s suite.Shape) int {
		return headChunks(s) * ops(s[blockTokens], s[keyChannels], s[valueChannels])
	})}
}

// headChunks is the number of chunks of all value heads.
func headChunks(s suite.Shape) int { return s[batches] * s[valueHeads] * chunks(s) }

// chunkReads is work that reads some elements of each chunk's matrix of tokens
// by tokens.
func chunkReads(w suite.Work, matrix string, of func(n int) int) suite.Work {
	w.Reads = elements{matrix: suite.Func(func(s suite.Shape) int { return headChunks(s) * of(s[blockTokens]) })}
	return w
}
