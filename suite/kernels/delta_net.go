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
)

// Gated delta-net.
func deltaNet() []suite.Kernel {
	return []suite.Kernel{
		gatedDeltaNet(), gatedDeltaNetStep(), gatedDeltaNetSequential(), gatedDeltaNetChunkwise(),
		computeDecayBeta(), conv1dStep(), conv1dStateUpdate(),
		chunkLocalCumsum(), gatedDeltaNetKKT(), chunkTriSolveInvert(), gatedDeltaNetRecomputeWU(),
		gatedDeltaNetChunkState(), gatedDeltaNetChunkOutput(),
	}
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
			atLeast(1, nSeqs, tokens, hk, hv, dk, dv), multiple(hv, hk), atMost(maxPrivateKeyDim, dk),
			atMost(maxThreads, dv),
			atLeast(0, split), notAbove(split, tokens), splitsOneSequence),
		Launches: func(s suite.Shape) []suite.Launch {
			return splitTokens(s, tokens, []perToken{
				{"q", s[hk] * s[dk]}, {"k", s[hk] * s[dk]}, {"v", s[hv] * s[dv]},
				{"g", s[hv]}, {"beta", s[hv]}, {"output", s[hv] * s[dv]},
			}, map[string]string{"state_in": "state_out"})
		},
		Work: recurrenceWork(1, dk, dv, nSeqs, tokens, hv),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(tokens, 1, 2, 3, 4, 15, 16, 17, 63, 64, 65, 127, 128),
					suite.Vary(dk, 1, 31, 32, 33, 37, 64, 127, 128),
					suite.Vary(dv, 1, 31, 32, 33, 37, 127, 128, 129, 1023, 1024),
					suite.Vary(nSeqs, 2, 3)),
				headSharing(base, hk, hv),
				suite.Cross(base.With(suite.Shape{hk: 1, hv: 2}), suite.Vary(tokens, 1000, 4096)),
				suite.Cross(base.With(suite.Shape{tokens: 17}), suite.Vary(split, 1, 8, 16, 17)),
				[]suite.Shape{
					point(axes, 1, 9, 1, 1, 128, 1, 0),
					point(axes, 1, 9, 1, 2, 1, 33, 0),
					point(axes, 2, 4, 2, 6, 128, 128, 0),
					linearAttention(fixtures.Qwen3Next80B(), 1),
				},
			),
			Full: concat(
				suite.Cross(linearAttention(fixtures.Qwen3Next80B(), 1), suite.Vary(tokens, 16, 256, 4096)),
				suite.Cross(linearAttention(fixtures.Qwen27B(), 1), suite.Vary(tokens, 1, 64)),
				suite.Cross(linearAttention(fixtures.Qwen397B(), 1), suite.Vary(tokens, 1, 64)),
				suite.Cross(point(axes, 1, 0, 1, 2, 128, 128, 0), suite.Vary(tokens, 1000, 4096)),
				suite.Cross(point(axes, 1, 128, 2, 4, 128, 128, 0), suite.Vary(split, 1, 64, 127)),
			),
			Probes: []suite.Shape{point(axes, 1, 17, 2, 4, 33, 20, 0), point(axes, 2, 3, 2, 6, 128, 32, 0)},
			Settings: []suite.Setting{{Name: "exact", Shape: point(axes, 1, past16Bits, 1, 1, 1, 1, 0),
				Fills: exactRecurrence},
				decisive("decay_near_one", base,
					suite.Fills{"g": suite.Uniform(5e-5, 1e-4), "state_in": suite.Scaled(suite.Positive, 1e6)}),
				// The state outlives a decay to the smallest normal numbers.
				decisive("decay_least", base.With(suite.Shape{tokens: 1}),
					suite.Fills{"g": suite.Uniform(78, 87), "state_in": suite.Scaled(suite.Positive, 1e37)}),
				decisive("light_gates", base.With(suite.Shape{tokens: 1}),
					suite.Fills{"state_in": suite.Zeros, "beta": lightWeights(hv)}),
				decisive("tiny", base, suite.Fills{"state_in": suite.Scaled(suite.Normal, 1e-25),
					"v": suite.Scaled(suite.Normal, 1e-25)}),
				// Nothing decays, and only the updates take away what was before.
				{Name: "long_memory", Shape: point(axes, 1, 2000, 1, 1, 16, 4, 0),
					Fills: suite.Fills{"g": suite.Uniform(0, 1e-4)}, Random: true}},
			Ends: []suite.End{
				endOf(point(axes, 2, 3, 2, 4, 20, 12, 0), suite.Shape{nSeqs: 1<<31 + 2}),
				endOf(point(axes, 1, 1, 4, 4, 20, 12, 0), suite.Shape{hk: 1 << 30, hv: 1 << 31}),
			},
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
				// S·k and S·q of the first token.
				conditioned("state_in", suite.Condition{Terms: dk},
					suite.Fills{"q": suite.Every(0.125), "k": suite.Every(0.125)}),
				[]suite.Input{
					{Name: "nan_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(dk), math.NaN())}},
					{Name: "inf_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(dk), math.Inf(1))}},
					{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(suite.Uniform(0, 2), math.NaN())}},
					{Name: "inf_g", Fills: suite.Fills{"g": suite.OneOf(suite.Uniform(0, 2), math.Inf(1))}},
					{Name: "nan_beta", Fills: suite.Fills{"beta": suite.OneOf(suite.Uniform(0, 1), math.NaN())}},
					{Name: "inf_beta", Fills: suite.Fills{"beta": suite.OneOf(suite.Uniform(0, 1), math.Inf(1))}},
					{Name: "exact", Fills: exactRecurrence},
					{Name: "growing",
						Fills: suite.Fills{"k": suite.Scaled(suite.Normal, 0.4), "g": suite.Uniform(0, 0.1)}},
					{Name: "decay_one", Fills: suite.Fills{"g": suite.Every(0)}},
					{Name: "decay_weak", Fills: suite.Fills{"g": suite.Every(rate(0.99))}},
					{Name: "decay_strong", Fills: suite.Fills{"g": suite.Every(rate(1e-8))}},
					{Name: "decay_zero", Fills: suite.Fills{"g": suite.Every(underflowing)}},
					// The state outlives the first decay and shows its relative error.
					{Name: "decay_far", Fills: suite.Fills{"g": suite.Uniform(60, 80),
						"state_in": suite.Scaled(suite.Positive, 1e30)}},
					{Name: "decays_mixed", Fills: suite.Fills{
						"g": suite.Choice(underflowing, 0, rate(1e-30), rate(0.99), rate(1e-8))}},
				},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{
			"read": oracles.Sequential(), "output": oracles.Sequential(),
		}},
		Oracle: func(in *suite.Problem) suite.Answers {
			output, state := oracles.GatedDelta(deltaProblem(in), in.Contract)
			return suite.Answers{"output": output, "state_out": state}
		},
	}
}

// exactRecurrence has neither decay nor anything else that rounds.
var exactRecurrence = suite.Fills{
	"q": suite.Integers, "k": oneHotRows(dk), "v": suite.Integers, "state_in": suite.Integers,
	"g": suite.Every(0), "beta": suite.Choice(0, 1),
}

// deltaProblem is the recurrence that a problem asks for.
func deltaProblem(in *suite.Problem) oracles.DeltaNet {
	s := in.Shape
	return oracles.DeltaNet{
		Q: in.Values("q"), K: in.Values("k"), V: in.Values("v"),
		Rate: in.Values("g"), Beta: in.Values("beta"), State: in.Values("state_in"),
		Seqs: s[nSeqs], T: s[tokens], Hk: s[hk], Hv: s[hv], Dk: s[dk], Dv: s[dv],
		Mapping: oracles.TiledHeads,
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

// splitTokens is one launch, or two: then the second continues after the first split
// tokens, with the buffers in rebind bound anew.
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

// unitRows draws rows of length 1 with as many elements as the axis says, the
// keys and queries of a trained model: with β ≤ 1 no update overshoots.
func unitRows(a suite.Axis) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for row := range slices.Chunk(x, s[a]) {
			normalise(r, row)
		}
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

func oneHot(r *rand.Rand, x []float64, n int) {
	clear(x)
	for row := range slices.Chunk(x, n) {
		row[r.IntN(len(row))] = 1
	}
}

// recurrenceWork is that of the gated delta-net with states of keys × values:
// the decayed state, the read, its difference from the value, its product with
// β, the update and the output, and any further work of a token.
func recurrenceWork(besides int, keys, values suite.Extent, heads ...suite.Extent) suite.Work {
	all := suite.Product(heads...)
	return suite.Work{Operations: total(times(1+3*multiplyAdd, all, keys, values), times(2, all, values),
		times(besides, all))}
}
