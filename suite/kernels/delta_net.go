package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

const (
	maxPrivateKeyDim = 128  // Dk of the kernel that keeps a row of the state in a thread
	maxThreads       = 1024 // threads of a threadgroup
	headDim          = 128  // Dk and Dv of the kernels on token-major buffers
	chunkTokens      = 16   // tokens of an inner chunk
)

// Gated delta-net.
func deltaNet() []suite.Kernel {
	return []suite.Kernel{gatedDeltaNet(), gatedDeltaNetChunkwise()}
}

func gatedDeltaNet() suite.Kernel {
	axes := []suite.Axis{nSeqs, tokens, hk, hv, dk, dv, split}
	base := point(axes, 1, 5, 2, 4, 20, 12, 0)
	return suite.Kernel{
		Name: "gated_delta_net_f32",
		Doc:  "Gated delta-net recurrence, tiled heads, decay exp(−g).",
		Axes: axes,
		Args: suite.Args{
			suite.In("q", suite.F32, nSeqs, tokens, hk, dk),
			suite.In("k", suite.F32, nSeqs, tokens, hk, dk),
			suite.In("v", suite.F32, nSeqs, tokens, hv, dv),
			suite.In("g", suite.F32, nSeqs, tokens, hv),
			suite.In("beta", suite.F32, nSeqs, tokens, hv),
			suite.In("state_in", suite.F32, nSeqs, hv, dv, dk),
			suite.Out("output", suite.F32, nSeqs, tokens, hv, dv),
			suite.Out("state_out", suite.F32, nSeqs, hv, dv, dk),
			suite.Params("params",
				suite.Field{Name: "Dk", Type: suite.U32, Value: dk},
				suite.Field{Name: "Dv", Type: suite.U32, Value: dv},
				suite.Field{Name: "Hk", Type: suite.U32, Value: hk},
				suite.Field{Name: "Hv", Type: suite.U32, Value: hv},
				suite.Field{Name: "T", Type: suite.U32, Value: tokens},
				suite.Field{Name: "n_seqs", Type: suite.U32, Value: nSeqs},
				suite.Field{Name: "reserved_6", Type: suite.U32, Value: suite.Fixed(0)},
				suite.Field{Name: "reserved_7", Type: suite.U32, Value: suite.Fixed(0)}),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{hv, nSeqs}, Of: []suite.Extent{dv}},
		ThreadgroupMemory: []suite.Extent{
			// Metal takes lengths in multiples of 16 bytes.
			suite.Func(func(s suite.Shape) int { return (4*(2*s[dk]+2*s[dv]) + 15) &^ 15 }),
		},
		Check: limits(
			atLeast(1, nSeqs, tokens, hk, hv, dk, dv), multiple(hv, hk), atMost(maxPrivateKeyDim, dk), atMost(maxThreads, dv),
			atLeast(0, split), notAbove(split, tokens), splitsOneSequence),
		Launches: func(s suite.Shape) []suite.Launch {
			return splitTokens(s, tokens, []perToken{
				{"q", s[hk] * s[dk]}, {"k", s[hk] * s[dk]}, {"v", s[hv] * s[dv]},
				{"g", s[hv]}, {"beta", s[hv]}, {"output", s[hv] * s[dv]},
			}, map[string]string{"state_in": "state_out"})
		},
		Sweep: suite.Sweep{
			Shapes: slices.Concat(
				suite.Around(base,
					suite.Vary(tokens, 1, 2, 3, 4, 15, 16, 17, 63, 64, 65, 127, 128, 1000, 4096),
					suite.Vary(dk, 1, 31, 32, 33, 37, 64, 127, 128),
					suite.Vary(dv, 1, 31, 32, 33, 37, 127, 128, 129, 1023, 1024),
					suite.Vary(nSeqs, 2, 3)),
				headSharing(base, hk, hv),
				suite.Cross(base.With(suite.Shape{tokens: 17}), suite.Vary(split, 1, 8, 16, 17)),
				[]suite.Shape{
					point(axes, 1, 9, 1, 1, 128, 1, 0),
					point(axes, 1, 9, 1, 2, 1, 33, 0),
					point(axes, 2, 4, 2, 6, 128, 128, 0),
					linearAttention(fixtures.Qwen3Next80B(), 1),
				},
			),
			Full: slices.Concat(
				suite.Cross(linearAttention(fixtures.Qwen3Next80B(), 1), suite.Vary(tokens, 16, 256)),
				suite.Cross(linearAttention(fixtures.Qwen27B(), 1), suite.Vary(tokens, 1, 64)),
				suite.Cross(linearAttention(fixtures.Qwen397B(), 1), suite.Vary(tokens, 1, 64)),
				suite.Cross(point(axes, 1, 0, 1, 2, 128, 128, 0), suite.Vary(tokens, 1000, 4096)),
				suite.Cross(point(axes, 1, 128, 2, 4, 128, 128, 0), suite.Vary(split, 1, 64, 127)),
			),
			Probes: []suite.Shape{point(axes, 1, 17, 2, 4, 33, 20, 0), point(axes, 2, 3, 2, 6, 128, 32, 0)},
			Refused: slices.Concat(
				suite.Around(base,
					suite.Vary(nSeqs, 0), suite.Vary(tokens, 0), suite.Vary(hk, 0), suite.Vary(hv, 0, 3),
					suite.Vary(dk, 0, maxPrivateKeyDim+1), suite.Vary(dv, 0, maxThreads+1),
					suite.Vary(split, -1, 6))[1:],
				[]suite.Shape{point(axes, 2, 5, 2, 4, 20, 12, 3)},
			),
			Inputs: slices.Concat(
				suite.Standard(suite.Fills{
					"q": unitRows(dk), "k": unitRows(dk), "g": suite.Uniform(0, 2), "beta": suite.Uniform(0, 1),
				}, "q", "v", "state_in"),
				[]suite.Input{
					{Name: "nan_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(dk), math.NaN())}},
					{Name: "inf_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(dk), math.Inf(1))}},
					{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(suite.Uniform(0, 2), math.NaN())}},
					{Name: "nan_beta", Fills: suite.Fills{"beta": suite.OneOf(suite.Uniform(0, 1), math.NaN())}},
					{Name: "exact", Fills: suite.Fills{
						"q": suite.Integers, "k": oneHotRows(dk), "v": suite.Integers, "state_in": suite.Integers,
						"g": suite.Every(0), "beta": suite.Choice(0, 1)}},
					{Name: "growing", Fills: suite.Fills{"k": suite.Scaled(suite.Normal, 0.4), "g": suite.Uniform(0, 0.1)}},
					{Name: "decay_one", Fills: suite.Fills{"g": suite.Every(0)}},
					{Name: "decay_weak", Fills: suite.Fills{"g": suite.Every(rate(0.99))}},
					{Name: "decay_strong", Fills: suite.Fills{"g": suite.Every(rate(1e-8))}},
					{Name: "decay_zero", Fills: suite.Fills{"g": suite.Every(underflowing)}},
					{Name: "decays_mixed", Fills: suite.Fills{
						"g": suite.Choice(underflowing, 0, rate(1e-30), rate(0.99), rate(1e-8))}},
				},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{
			"read": oracles.Sequential(), "output": oracles.Sequential(),
		}},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			output, state := oracles.GatedDelta(oracles.DeltaNet{
				Q: in.Values("q"), K: in.Values("k"), V: in.Values("v"),
				Rate: in.Values("g"), Beta: in.Values("beta"), State: in.Values("state_in"),
				Seqs: s[nSeqs], T: s[tokens], Hk: s[hk], Hv: s[hv], Dk: s[dk], Dv: s[dv],
				Mapping: oracles.TiledHeads,
			}, in.Contract)
			return suite.Answers{"output": output, "state_out": state}
		},
	}
}

func gatedDeltaNetChunkwise() suite.Kernel {
	axes := []suite.Axis{nTokens, hk, hv, split}
	base := point(axes, 19, 1, 2, 0)
	tokenSize := func(s suite.Shape) int { return (2*s[hk] + s[hv]) * headDim }
	unit := unitVectors
	return suite.Kernel{
		Name: "gated_delta_net_chunkwise",
		Doc:  "Gated delta-net in chunks of 16 tokens, block heads of 128 channels.",
		Axes: axes,
		Args: suite.Args{
			suite.InOut("state", suite.F32, hv, suite.Fixed(headDim), suite.Fixed(headDim)),
			suite.In("conv_out", suite.F32, nTokens, suite.Func(tokenSize)),
			suite.In("g_decay", suite.F32, nTokens, hv),
			suite.In("beta_gate", suite.F32, nTokens, hv),
			suite.Out("output", suite.F32, nTokens, hv, suite.Fixed(headDim)),
			suite.Const("k_heads_per_v", suite.U32, ratio(hv, hk)),
			suite.Const("n_tokens", suite.U32, nTokens),
			suite.Const("key_total", suite.U32, suite.Product(hk, suite.Fixed(headDim))),
			suite.Const("num_v_heads", suite.U32, hv),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{hv}, Of: []suite.Extent{suite.Fixed(headDim)}},
		Check: limits(atLeast(1, nTokens, hk, hv), multiple(hv, hk), atLeast(0, split), notAbove(split, nTokens)),
		Launches: func(s suite.Shape) []suite.Launch {
			return splitTokens(s, nTokens, []perToken{
				{"conv_out", tokenSize(s)}, {"g_decay", s[hv]}, {"beta_gate", s[hv]}, {"output", s[hv] * headDim},
			}, nil)
		},
		Sweep: suite.Sweep{
			Shapes: slices.Concat(
				suite.Cross(point(axes, 0, 1, 1, 0), suite.Vary(nTokens, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128)),
				headSharing(point(axes, 2, 1, 1, 0), hk, hv),
				[]suite.Shape{point(axes, 19, 2, 4, 0)},
				suite.Cross(point(axes, 19, 1, 1, 0), suite.Vary(split, 1, 8, 16, 18, 19)),
			),
			Full: slices.Concat(
				suite.Cross(point(axes, 0, 2, 4, 0), suite.Vary(nTokens, 15, 16, 17, 64, 128, 1000)),
				suite.Cross(point(axes, 100, 2, 6, 0), suite.Vary(split, 1, 16, 50, 99)),
				[]suite.Shape{
					point(axes, 4096, 1, 2, 0),
					linearChunks(fixtures.Qwen3Next80B(), 40),
					linearChunks(fixtures.Qwen27B(), 17),
					linearChunks(fixtures.Qwen397B(), 1),
				},
			),
			Probes: []suite.Shape{base},
			Refused: suite.Around(base,
				suite.Vary(nTokens, 0), suite.Vary(hk, 0, 3, 4), suite.Vary(hv, 0), suite.Vary(split, -1, 20))[1:],
			Inputs: []suite.Input{
				{Name: "normal", Fills: suite.Fills{
					"state": suite.Normal, "conv_out": convOut(unit, unit, suite.Normal),
					"g_decay": suite.Uniform(0.1, 1), "beta_gate": suite.Uniform(0, 1)}},
				{Name: "wide", Fills: suite.Fills{"state": suite.Wide, "conv_out": convOut(suite.Wide, unit, suite.Wide)}},
				{Name: "cancelling", Fills: suite.Fills{"state": suite.Cancelling, "conv_out": convOut(suite.Cancelling, unit, suite.Cancelling)}},
				{Name: "positive", Fills: suite.Fills{"state": suite.Positive, "conv_out": convOut(suite.Positive, unit, suite.Positive)}},
				{Name: "subnormal", Fills: suite.Fills{"state": suite.Subnormal, "conv_out": convOut(unit, unit, suite.Subnormal)}},
				{Name: "zeros", Fills: suite.Fills{"state": suite.Zeros, "conv_out": suite.Zeros}},
				{Name: "exact", Fills: suite.Fills{
					"state": suite.Integers, "conv_out": convOut(suite.Integers, oneHotVectors, suite.Integers),
					"g_decay": suite.Every(1), "beta_gate": suite.Choice(0, 1)}},
				{Name: "growing", Fills: suite.Fills{
					"conv_out": convOut(unit, suite.Scaled(suite.Normal, 0.2), suite.Normal), "g_decay": suite.Uniform(0.9, 1)}},
				{Name: "nan_state", Fills: suite.Fills{"state": suite.OneOf(suite.Normal, math.NaN())}},
				{Name: "inf_state", Fills: suite.Fills{"state": suite.OneOf(suite.Normal, math.Inf(1))}},
				{Name: "nan_q", Fills: suite.Fills{"conv_out": convOut(suite.OneOf(unit, math.NaN()), unit, suite.Normal)}},
				{Name: "nan_k", Fills: suite.Fills{"conv_out": convOut(unit, suite.OneOf(unit, math.NaN()), suite.Normal)}},
				{Name: "nan_v", Fills: suite.Fills{"conv_out": convOut(unit, unit, suite.OneOf(suite.Normal, math.NaN()))}},
				{Name: "inf_v", Fills: suite.Fills{"conv_out": convOut(unit, unit, suite.OneOf(suite.Normal, math.Inf(1)))}},
				{Name: "nan_g_decay", Fills: suite.Fills{"g_decay": suite.OneOf(suite.Uniform(0.1, 1), math.NaN())}},
				{Name: "nan_beta_gate", Fills: suite.Fills{"beta_gate": suite.OneOf(suite.Uniform(0, 1), math.NaN())}},
				{Name: "decay_one", Fills: suite.Fills{"g_decay": suite.Every(1)}},
				{Name: "decay_weak", Fills: suite.Fills{"g_decay": suite.Every(0.99)}},
				{Name: "decay_strong", Fills: suite.Fills{"g_decay": suite.Every(1e-8)}},
				{Name: "decay_zero", Fills: suite.Fills{"g_decay": suite.Every(0)}},
				{Name: "decays_mixed", Fills: suite.Fills{"g_decay": suite.Choice(0, 1, 1e-30, 0.99, 1e-8)}},
			},
		},
		Contract: oracles.Contract{
			Chunk: chunkTokens,
			Sums:  map[string]oracles.Schedule{"matrix": oracles.MatrixTiles(), "decay": oracles.Sequential()},
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			q, k, v := oracles.ConvOut(in.Values("conv_out"), s[nTokens], s[hk], s[hv], headDim)
			output, state := oracles.GatedDelta(oracles.DeltaNet{
				Q: q, K: k, V: v,
				Decay: in.Values("g_decay"), Beta: in.Values("beta_gate"), State: in.Values("state"),
				Seqs: 1, T: s[nTokens], Hk: s[hk], Hv: s[hv], Dk: headDim, Dv: headDim,
				Mapping: oracles.BlockHeads,
			}, in.Contract)
			return suite.Answers{"output": output, "state": state}
		},
	}
}

// underflowing is a decay rate g so large that exp(−g) is 0 in f32.
const underflowing = 200

// rate is the decay rate g of a decay α = exp(−g).
func rate(decay float64) float64 { return -math.Log(decay) }

// splitsOneSequence refuses to split several sequences: their first tokens do
// not lie together.
var splitsOneSequence limit = func(s suite.Shape) error {
	if s[split] > 0 {
		return atMost(1, nSeqs)(s)
	}
	return nil
}

// perToken is a buffer with so many elements for each token.
type perToken struct {
	name string
	size int
}

// splitTokens is one launch, or two of which the second goes on after the
// first split tokens, with the buffers in rebind bound anew.
func splitTokens(s suite.Shape, t suite.Axis, buffers []perToken, rebind map[string]string) []suite.Launch {
	n, all := s[split], s[t]
	if n == 0 || n == all {
		return []suite.Launch{{}}
	}
	window := func(first, end int) map[string]suite.Range {
		w := map[string]suite.Range{}
		for _, b := range buffers {
			w[b.name] = suite.Range{First: first * b.size, End: end * b.size}
		}
		return w
	}
	return []suite.Launch{
		{Shape: suite.Shape{t: n}, Windows: window(0, n)},
		{Shape: suite.Shape{t: all - n}, Windows: window(n, all), Buffers: rebind},
	}
}

// linearAttention is the recurrence of a model's linear attention over so many
// tokens.
func linearAttention(m fixtures.Model, n int) suite.Shape {
	return suite.Shape{
		nSeqs: 1, tokens: n, hk: m.LinearKeyHeads, hv: m.LinearValueHeads,
		dk: m.LinearHeadDim, dv: m.LinearHeadDim, split: 0,
	}
}

// linearChunks is the same on token-major buffers.
func linearChunks(m fixtures.Model, n int) suite.Shape {
	return suite.Shape{nTokens: n, hk: m.LinearKeyHeads, hv: m.LinearValueHeads, split: 0}
}

// unitRows draws rows of length 1 with as many elements as the axis says, the
// keys and queries of a trained model: with β ≤ 1 no update overshoots.
func unitRows(a suite.Axis) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for row := range slices.Chunk(x, s[a]) {
			normalise(r, row)
		}
	}
}

// unitVectors draws rows of length 1 and 128 elements.
func unitVectors(r *rand.Rand, _ suite.Shape, x []float64) {
	for row := range slices.Chunk(x, headDim) {
		normalise(r, row)
	}
}

// normalise draws one row of length 1.
func normalise(r *rand.Rand, row []float64) {
	suite.Normal(r, nil, row)
	var square float64
	for _, y := range row {
		square += float64(y * y)
	}
	for i := range row {
		row[i] /= math.Sqrt(square)
	}
}

// oneHotRows draws rows with a single 1: with integers elsewhere and no decay
// the whole recurrence is exact.
func oneHotRows(a suite.Axis) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) { oneHot(r, x, s[a]) }
}

// oneHotVectors draws rows of 128 elements with a single 1.
func oneHotVectors(r *rand.Rand, _ suite.Shape, x []float64) { oneHot(r, x, headDim) }

func oneHot(r *rand.Rand, x []float64, n int) {
	clear(x)
	for row := range slices.Chunk(x, n) {
		row[r.IntN(len(row))] = 1
	}
}

// convOut fills the q, k and v regions of token-major rows, each region as one
// array of all tokens.
func convOut(q, k, v suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		at := 0
		size := (2*s[hk] + s[hv]) * headDim
		for _, region := range []struct {
			fill suite.Fill
			size int
		}{{q, s[hk] * headDim}, {k, s[hk] * headDim}, {v, s[hv] * headDim}} {
			y := make([]float64, s[nTokens]*region.size)
			region.fill(r, s, y)
			for t := range s[nTokens] {
				copy(x[t*size+at:], y[t*region.size:(t+1)*region.size])
			}
			at += region.size
		}
	}
}
