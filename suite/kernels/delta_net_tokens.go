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
	headDim     = 128 // Dk and Dv of the kernels on token-major buffers
	chunkTokens = 16  // tokens of an inner chunk
)

// gatedDeltaNetTokens is what the three kernels on token-major buffers have in
// common: arguments, limits, inputs, which a number of tokens probes, and oracle.
func gatedDeltaNetTokens(probe int) suite.Kernel {
	axes := []suite.Axis{nTokens, hk, hv, split}
	base := point(axes, probe, 1, 2, 0)
	tokenSize := func(s suite.Shape) int { return (2*s[hk] + s[hv]) * headDim }
	return suite.Kernel{
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
		Work: recurrenceWork(0, suite.Fixed(headDim), suite.Fixed(headDim), nTokens, hv),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Cross(point(axes, 0, 1, 1, 0), suite.Vary(nTokens, 1, 2, 3, 4, 9, 15, 16, 17, 63, 64, 65)),
				headSharing(point(axes, 2, 1, 1, 0), hk, hv),
				[]suite.Shape{point(axes, 19, 2, 4, 0)},
				suite.Cross(point(axes, 19, 1, 1, 0), suite.Vary(split, 1, 8, 16, 18, 19)),
			),
			Full: concat(
				suite.Cross(point(axes, 0, 2, 4, 0), suite.Vary(nTokens, 15, 16, 17, 64, 127, 128, 1000)),
				suite.Cross(point(axes, 100, 2, 6, 0), suite.Vary(split, 1, 16, 50, 99)),
				[]suite.Shape{
					point(axes, 4096, 1, 2, 0),
					linearTokens(fixtures.Qwen3Next80B(), 40),
					linearTokens(fixtures.Qwen27B(), 17),
					linearTokens(fixtures.Qwen397B(), 1),
				},
			),
			Probes: []suite.Shape{base},
			Settings: []suite.Setting{
				decisive("decay_least", point(axes, 2, 1, 1, 0),
					suite.Fills{"g_decay": firstToken(1.5e-30, 1), "state": suite.Scaled(suite.Positive, 1e30)}),
				decisive("decay_near_one", point(axes, 2, 1, 1, 0),
					suite.Fills{"g_decay": suite.Uniform(0.9999, 0.99995), "state": suite.Scaled(suite.Positive, 1e6)}),
				decisive("decay_small", point(axes, 2, 1, 1, 0),
					suite.Fills{"g_decay": firstToken(1e-21, 1), "state": suite.Scaled(suite.Positive, 1e21)}),
				// Gates nearly closed where there is no state yet, and rows that fall where there is one.
				decisive("light_rows", point(axes, 1, 1, 4, 0), suite.Fills{
					"beta_gate": lightWeights(hv),
					"state":     firstHead(steps(along(suite.Fixed(headDim), suite.Fixed(headDim), -farApart))),
					"conv_out": convOut(unitVectors, unitVectors,
						steps(along(suite.Fixed(headDim), single, -farApart)))}),
				decisive("tiny", point(axes, 3, 1, 1, 0), suite.Fills{"state": suite.Scaled(suite.Normal, 1e-25),
					"conv_out": convOut(unitVectors, unitVectors, suite.Scaled(suite.Normal, 1e-25))}),
			},
			Refused: suite.Around(base,
				suite.Vary(nTokens, 0), suite.Vary(hk, 0, 3, 4), suite.Vary(hv, 0), suite.Vary(split, -1, probe+1))[1:],
			Inputs: tokenInputs(),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			output, state := oracles.GatedDelta(tokenProblem(in), in.Contract)
			return suite.Answers{"output": output, "state": state}
		},
	}
}

// tokenProblem is the recurrence that a problem of token-major buffers asks for.
func tokenProblem(in *suite.Problem) oracles.DeltaNet {
	s := in.Shape
	q, k, v := oracles.ConvOut(in.Values("conv_out"), s[nTokens], s[hk], s[hv], headDim)
	return oracles.DeltaNet{
		Q: q, K: k, V: v,
		Decay: in.Values("g_decay"), Beta: in.Values("beta_gate"), State: in.Values("state"),
		Seqs: 1, T: s[nTokens], Hk: s[hk], Hv: s[hv], Dk: headDim, Dv: headDim,
		Mapping: oracles.BlockHeads,
	}
}

// tokenInputs are the input families of the kernels on token-major buffers.
func tokenInputs() []suite.Input {
	unit, flat := unitVectors, suite.Every(0.125)
	return slices.Concat([]suite.Input{
		{Name: "normal", Random: true, Fills: suite.Fills{
			"state": suite.Normal, "conv_out": convOut(unit, unit, suite.Normal),
			"g_decay": suite.Uniform(0.1, 1), "beta_gate": suite.Uniform(0, 1)}},
		{Name: "wide", Random: true,
			Fills: suite.Fills{"state": suite.Wide, "conv_out": convOut(suite.Wide, unit, suite.Wide)}},
		{Name: "cancelling", Fills: suite.Fills{"state": suite.Cancelling,
			"conv_out": convOut(suite.Cancelling, unit, suite.Cancelling)}},
		{Name: "positive", Random: true, Fills: suite.Fills{"state": suite.Positive,
			"conv_out": convOut(suite.Positive, unit, suite.Positive)}},
		{Name: "subnormal",
			Fills: suite.Fills{"state": suite.Subnormal, "conv_out": convOut(unit, unit, suite.Subnormal)}},
		{Name: "zeros", Fills: suite.Fills{"state": suite.Zeros, "conv_out": suite.Zeros}},
		{Name: "exact", Fills: suite.Fills{
			"state": suite.Integers, "conv_out": convOut(suite.Integers, oneHotVectors, suite.Integers),
			"g_decay": suite.Every(1), "beta_gate": suite.Choice(0, 1)}},
		{Name: "growing", Fills: suite.Fills{
			"conv_out": convOut(unit, suite.Scaled(suite.Normal, 0.2), suite.Normal),
			"g_decay":  suite.Uniform(0.9, 1)}},
		// Neither a decay to 0 nor a closed gate hides NaN.
		{Name: "nan_state", Fills: suite.Fills{"state": suite.OneOf(suite.Normal, math.NaN()), "g_decay": suite.Zeros}},
		{Name: "inf_state", Fills: suite.Fills{"state": suite.OneOf(suite.Normal, math.Inf(1))}},
		{Name: "nan_q", Fills: suite.Fills{"conv_out": convOut(suite.OneOf(unit, math.NaN()), unit, suite.Normal)}},
		{Name: "nan_k", Fills: suite.Fills{"conv_out": convOut(unit, suite.OneOf(unit, math.NaN()), suite.Normal)}},
		{Name: "nan_v", Fills: suite.Fills{"conv_out": convOut(unit, unit, suite.OneOf(suite.Normal, math.NaN())),
			"beta_gate": suite.Zeros}},
		{Name: "inf_v", Fills: suite.Fills{"conv_out": convOut(unit, unit, suite.OneOf(suite.Normal, math.Inf(1)))}},
		{Name: "nan_g_decay", Fills: suite.Fills{"g_decay": suite.OneOf(suite.Uniform(0.1, 1), math.NaN())}},
		{Name: "nan_beta_gate", Fills: suite.Fills{"beta_gate": suite.OneOf(suite.Uniform(0, 1), math.NaN())}},
		{Name: "inf_q", Fills: suite.Fills{"conv_out": convOut(suite.OneOf(unit, math.Inf(1)), unit, suite.Normal)}},
		{Name: "inf_k", Fills: suite.Fills{"conv_out": convOut(unit, suite.OneOf(unit, math.Inf(1)), suite.Normal)}},
		{Name: "inf_g_decay", Fills: suite.Fills{"g_decay": suite.OneOf(suite.Uniform(0.1, 1), math.Inf(1))}},
		{Name: "inf_beta_gate", Fills: suite.Fills{"beta_gate": suite.OneOf(suite.Uniform(0, 1), math.Inf(1))}},
		{Name: "decay_one", Fills: suite.Fills{"g_decay": suite.Every(1)}},
		{Name: "decay_weak", Fills: suite.Fills{"g_decay": suite.Every(0.99)}},
		{Name: "decay_strong", Fills: suite.Fills{"g_decay": suite.Every(1e-8)}},
		{Name: "decay_zero", Fills: suite.Fills{"g_decay": suite.Every(0)}},
		// The state outlives the first decay and shows its relative error.
		{Name: "decay_far", Fills: suite.Fills{
			"g_decay": suite.Scaled(suite.Positive, 1e-28), "state": suite.Scaled(suite.Positive, 1e28)}},
		{Name: "decays_mixed", Fills: suite.Fills{"g_decay": suite.Choice(0, 1, 1e-30, 0.99, 1e-8)}},
		// Of some tokens the decay is 0 and the gate is closed at once.
		suite.ZeroTokens(suite.Fills{"g_decay": suite.Uniform(0.1, 1), "beta_gate": suite.Uniform(0, 1)}),
	},
		// S·k and S·q of the first token.
		conditioned("state", suite.Condition{Terms: suite.Fixed(headDim)},
			suite.Fills{"conv_out": convOut(flat, flat, suite.Normal)}))
}

// tokensInTurn is a kernel that takes one token after the other, more of them than 8 bits count.
func tokensInTurn() suite.Kernel {
	kernel := gatedDeltaNetTokens(5)
	kernel.Sweep.Shapes = append(kernel.Sweep.Shapes, point(kernel.Axes, 257, 1, 1, 0))
	return kernel
}

func gatedDeltaNetStep() suite.Kernel {
	kernel := tokensInTurn()
	kernel.Name = "gated_delta_net_step"
	kernel.Doc = "Gated delta-net token by token, one thread for each value channel, block heads of 128 channels."
	kernel.Contract = oracles.Contract{Sums: map[string]oracles.Schedule{
		"read": oracles.Sequential(), "output": oracles.Sequential(),
	}}
	return kernel
}

func gatedDeltaNetSequential() suite.Kernel {
	const simd, rows = 32, 4 // lanes of a simdgroup, simdgroups of a threadgroup
	kernel := tokensInTurn()
	kernel.Name = "gated_delta_net_sequential"
	kernel.Doc = "Gated delta-net token by token, one simdgroup for each value channel, block heads of 128 channels."
	kernel.Grid = suite.Grid{
		Threadgroups: []suite.Extent{suite.Fixed(headDim / rows), hv},
		Of:           []suite.Extent{suite.Fixed(simd), suite.Fixed(rows)},
	}
	lanes := oracles.Strided(simd, headDim/simd)
	kernel.Contract = oracles.Contract{Sums: map[string]oracles.Schedule{"read": lanes, "output": lanes}}
	return kernel
}

func gatedDeltaNetChunkwise() suite.Kernel {
	kernel := gatedDeltaNetTokens(chunkTokens + 3)
	kernel.Name = "gated_delta_net_chunkwise"
	kernel.Doc = "Gated delta-net in chunks of 16 tokens, block heads of 128 channels."
	kernel.Sweep.Shapes = slices.Concat(kernel.Sweep.Shapes,
		suite.Cross(point(kernel.Axes, 0, 1, 1, 0), suite.Vary(nTokens, 31, 32, 33, 127, 128)))
	kernel.Sweep.Settings = append(kernel.Sweep.Settings, suite.Setting{
		Name: "long_memory", Shape: point(kernel.Axes, 512, 1, 1, 0),
		Fills: suite.Fills{"g_decay": suite.Uniform(0.997, 1)}, Random: true})
	kernel.Contract = oracles.Contract{
		Chunk: chunkTokens,
		Sums:  map[string]oracles.Schedule{"matrix": oracles.MatrixTiles(), "decay": oracles.Sequential()},
	}
	kernel.Secondary = shortMemory
	return kernel
}

// shortMemory is the recurrence as chunks may take it, with no decay below
// [oracles.LeastDecay]; nil where there is none.
func shortMemory(in *suite.Problem) suite.Answers {
	least, p := oracles.F32.Round(oracles.LeastDecay), tokenProblem(in)
	if !slices.ContainsFunc(p.Decay, func(x float64) bool { return x < least }) {
		return nil
	}
	p.Decay = slices.Clone(p.Decay)
	for i, x := range p.Decay {
		if x < least {
			p.Decay[i] = least
		}
	}
	output, state := oracles.GatedDelta(p, in.Contract)
	return suite.Answers{"output": output, "state": state}
}

// firstToken gives the elements of the first token one value and all others another.
func firstToken(first, others float64) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = others
			if i < s[hv] {
				x[i] = first
			}
		}
	}
}

// firstHead is the state of the first head, and 0 after it.
func firstHead(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		clear(x[headDim*headDim:])
	}
}

// linearTokens is the recurrence of a model's linear attention over n tokens,
// on token-major buffers.
func linearTokens(m fixtures.Model, n int) suite.Shape {
	return suite.Shape{nTokens: n, hk: m.LinearKeyHeads, hv: m.LinearValueHeads, split: 0}
}

// unitVectors draws rows of length 1 and 128 elements.
func unitVectors(r *rand.Rand, _ suite.Shape, x []float64) {
	for row := range slices.Chunk(x, headDim) {
		normalise(r, row)
	}
}

// oneHotVectors draws rows of 128 elements with a single 1.
func oneHotVectors(r *rand.Rand, _ suite.Shape, x []float64) { oneHot(r, x, headDim) }

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
