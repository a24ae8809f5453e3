package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/oracles"
	"metalconform/suite"
)

func gatedDeltaNetChunkState() suite.Kernel {
	axes := []suite.Axis{batches, tokens, keyHeads, valueHeads, keyChannels, valueChannels, blockTokens}
	base := point(axes, 1, 128, 1, 2, stateKeys, 64, 64)
	// Reads of a third of a unit vector keep the state of many chunks bounded.
	reads := suite.Scaled(unitRows(keyChannels), 0.3)
	return suite.Kernel{
		Name: "gated_delta_net_chunk_inter_state_bf16",
		Doc:  "Chunk pipeline, stage 5: the state from chunk to chunk, and the values that each chunk adds.",
		Axes: axes,
		Args: suite.Args{
			suite.In("k", suite.BF16, batches, tokens, keyHeads, keyChannels),
			suite.In("w", suite.BF16, batches, tokens, valueHeads, keyChannels),
			suite.In("u", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.In("h0", suite.F32, batches, valueHeads, valueChannels, keyChannels),
			suite.Out("h_out", suite.BF16, batches, suite.Func(chunks), valueHeads, valueChannels, keyChannels),
			suite.Out("v_new", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.Out("final_state", suite.F32, batches, valueHeads, valueChannels, keyChannels),
			suite.Params("params", stageWords()...),
		},
		Grid: suite.Grid{
			Threadgroups: []suite.Extent{suite.Ceil(valueChannels, stageValues), valueHeads, batches},
			Of:           []suite.Extent{suite.Fixed(128)},
		},
		Check: stageLimits(axes, exactly(stateKeys, keyChannels)),
		Work: eachChunk(func(n, kc, vc int) int {
			return 2*multiplyAdd*n*kc*vc + 2*n*vc + 2*n + kc*vc + 1 // w·hᵀ and v'ᵀ·k; u − and the gate; e^(G−G); h·e^G
		}),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(batches, 2), suite.Vary(tokens, 64, 192),
					suite.Vary(valueChannels, 128, 192, 256)),
				stageHeads(point(axes, 1, 64, 1, 1, stateKeys, 64, 64)),
				[]suite.Shape{point(axes, 1, 192, 2, 4, stateKeys, 64, 64),
					point(axes, 1, 64, 2, 4, stateKeys, 256, 64)}),
			Full: concat(
				stageModels(axes, 128, linearModels()...),
				suite.Cross(point(axes, 1, 0, 1, 2, stateKeys, 128, 64), suite.Vary(tokens, 1024, 4096))),
			Probes: []suite.Shape{point(axes, 1, 128, 1, 1, stateKeys, 64, 64)},
			Settings: []suite.Setting{
				decisive("ties", point(axes, 1, 64, 1, 2, stateKeys, 64, 64), suite.Fills{
					"h0": ties, "k": oneHotRows(keyChannels), "w": suite.Zeros, "u": suite.Integers,
					"g": suite.Every(0)}),
				// Odd numbers beyond 256 have more bits than bfloat.
				decisive("ties_of_values", point(axes, 1, 64, 1, 1, stateKeys, 64, 64), suite.Fills{
					"h0": suite.Choice(-7, -5, -3, -1, 1, 3, 5, 7), "k": oneHotRows(keyChannels),
					"w": oneHotRows(keyChannels),
					"u": suite.Choice(-256, 256), "g": suite.Every(0)}),
				// Channels of reads and tokens of keys fall as what they meet grows.
				decisive("light_terms", point(axes, 1, 64, 1, 1, stateKeys, 64, 64), suite.Fills{
					"w":  steps(along(keyChannels, single, -farApart)),
					"h0": steps(along(keyChannels, single, farApart)),
					"k":  steps(along(tokens, suite.Product(keyHeads, keyChannels), -farApart)),
					"u":  steps(along(tokens, suite.Product(valueHeads, valueChannels), farApart)),
					"g":  suite.Every(0)}),
			},
			Ends:    stageEnds(axes, stageEnd.With(suite.Shape{keyChannels: stateKeys}), 1<<29, true),
			Refused: stageRefusals(base, axes, suite.Vary(keyChannels, 64, 192)),
			Inputs: append(append(
				suite.Standard(suite.Fills{"k": unitRows(keyChannels), "w": reads, "g": runningSums(0.1)}, "w", "u",
					"h0"),
				// w·h0
				conditioned("h0", suite.Condition{Terms: keyChannels}, suite.Fills{"w": suite.Every(1.0 / 32)})...),
				suite.Input{Name: "exact", Fills: suite.Fills{
					"k": oneHotRows(keyChannels), "w": oneHotRows(keyChannels), "u": suite.Integers,
					"h0": suite.Integers, "g": suite.Every(0)}},
				suite.Input{Name: "no_decay", Fills: suite.Fills{"g": suite.Every(0), "w": suite.Scaled(reads, 0.1)}},
				suite.Input{Name: "strong", Fills: suite.Fills{"g": runningSums(40)}},
				suite.Input{Name: "old_values",
					Fills: suite.Fills{"g": fading(1.2), "u": outlasting(suite.Normal, 1.2)}},
				suite.Input{Name: "old_state", Fills: suite.Fills{
					"g": fading(1.3), "w": suite.Zeros, "u": suite.Zeros,
					"h0": suite.Scaled(suite.Normal, math.Exp(1.3*stageTokens))}},
				suite.Input{Name: "nan_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(keyChannels), math.NaN())}},
				suite.Input{Name: "inf_k", Fills: suite.Fills{"k": suite.OneOf(unitRows(keyChannels), math.Inf(1))}},
				suite.Input{Name: "inf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.1), math.Inf(1))}},
				suite.Input{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.1), math.NaN())}},
				suite.Input{Name: "ninf_h0", Fills: suite.Fills{"h0": suite.OneOf(suite.Normal, math.Inf(-1))}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			h, vNew, final := oracles.ChunkState(
				in.Values("k"), in.Values("w"), in.Values("u"), in.Values("g"), in.Values("h0"), stageLayout(in.Shape),
				in.Contract)
			return suite.Answers{"h_out": h, "v_new": vNew, "final_state": final}
		},
	}
}

func gatedDeltaNetChunkOutput() suite.Kernel {
	axes := []suite.Axis{batches, tokens, keyHeads, valueHeads, keyChannels, valueChannels, blockTokens}
	base := point(axes, 1, 128, 1, 2, stateKeys, 64, 64)
	unit := unitRows(keyChannels)
	one := point(axes, 1, 64, 1, 2, stateKeys, 64, 64)
	quarter := map[string]float64{"scale_bits": float64(math.Float32bits(0.25))} // does not round
	return suite.Kernel{
		Name: "gated_delta_net_chunk_o_bf16",
		Doc:  "Chunk pipeline, stage 6: the outputs of each chunk from its start state and its new values.",
		Axes: axes,
		Args: suite.Args{
			suite.In("q", suite.BF16, batches, tokens, keyHeads, keyChannels),
			suite.In("k", suite.BF16, batches, tokens, keyHeads, keyChannels),
			suite.In("v_new", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.In("h", suite.BF16, batches, suite.Func(chunks), valueHeads, valueChannels, keyChannels),
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.Out("o", suite.BF16, batches, tokens, valueHeads, valueChannels),
			suite.Params("params", append(stageWords(),
				word("BK", suite.Fixed(stageKeys)), word("BV", suite.Fixed(stageValues)),
				word("scale_bits", suite.NumberFunc(scaleBits)))...),
		},
		Grid: suite.Grid{
			Threadgroups: []suite.Extent{
				suite.Ceil(valueChannels, stageValues), suite.Func(chunks), suite.Product(batches, valueHeads),
			},
			Of: []suite.Extent{suite.Fixed(256)},
		},
		Check: stageLimits(axes, exactly(stateKeys, keyChannels)),
		Work: eachChunk(func(n, kc, vc int) int {
			// q·hᵀ; e^G; its product, the sum, the scale; scores and values
			return multiplyAdd*n*kc*vc + n + 3*n*vc + triangular(n)*(multiplyAdd*(kc+vc)+decayOps)
		}),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(batches, 2), suite.Vary(tokens, 64, 192),
					suite.Vary(valueChannels, 128, 192, 256)),
				stageHeads(point(axes, 1, 64, 1, 1, stateKeys, 64, 64)),
				[]suite.Shape{point(axes, 1, 192, 2, 4, stateKeys, 64, 64),
					point(axes, 1, 64, 2, 4, stateKeys, 256, 64)}),
			Full: concat(
				stageModels(axes, 128, linearModels()...),
				suite.Cross(point(axes, 1, 0, 1, 2, stateKeys, 128, 64), suite.Vary(tokens, 1024, 4096))),
			Probes: []suite.Shape{point(axes, 1, 64, 1, 2, stateKeys, 64, 64)},
			Settings: []suite.Setting{
				{Name: "other_scale", Shape: base,
					Set: map[string]float64{"scale_bits": float64(math.Float32bits(0.3))}},
				// Channels of queries and tokens of keys fall as what they meet grows.
				decisive("light_terms", one, suite.Fills{
					"q": steps(along(keyChannels, single, -farApart)), "h": steps(along(keyChannels, single, farApart)),
					"k": steps(both(along(keyChannels, single, farApart),
						along(tokens, suite.Product(keyHeads, keyChannels), -farApart))),
					"v_new": steps(along(tokens, suite.Product(valueHeads, valueChannels), farApart)),
					"g":     suite.Every(0)}),
				// Ties of weights, each after a value of its own, and of their sums.
				{Name: "ties_of_weights", Shape: one, Set: quarter, Fills: suite.Fills{
					"q": twoChannels(1, 1.0/16), "k": tiedKeys, "v_new": ownChannel, "h": suite.Zeros,
					"g": suite.Every(0)}},
				{Name: "ties_of_sums", Shape: one, Set: quarter, Fills: suite.Fills{
					"q": twoChannels(1, 0), "k": twoChannels(1, 0), "v_new": tiedValues, "h": suite.Zeros,
					"g": suite.Every(0)}},
				{Name: "exact_scale", Shape: base,
					Set: map[string]float64{"scale_bits": float64(math.Float32bits(0.125))}, Fills: suite.Fills{
						"q": oneHotRows(keyChannels), "k": suite.Integers, "v_new": suite.Integers, "h": suite.Integers,
						"g": suite.Every(0)}},
			},
			Ends:    stageEnds(axes, stageEnd.With(suite.Shape{keyChannels: stateKeys}), 1<<29, false),
			Refused: stageRefusals(base, axes, suite.Vary(keyChannels, 64, 192)),
			Inputs: append(append(
				suite.Standard(suite.Fills{"q": unit, "k": unit, "g": runningSums(0.1)}, "q", "v_new", "h"),
				// q·h
				conditionedBF16("h", suite.Condition{Terms: keyChannels}, suite.Fills{"q": suite.Every(1.0 / 8)})...),
				suite.Input{Name: "exact", Fills: suite.Fills{
					"q": oneHotRows(keyChannels), "k": suite.Integers, "v_new": suite.Integers, "h": suite.Integers,
					"g": suite.Every(0)}},
				suite.Input{Name: "no_decay", Fills: suite.Fills{"g": suite.Every(0)}},
				suite.Input{Name: "strong", Fills: suite.Fills{"g": runningSums(40)}},
				suite.Input{Name: "old_values", Fills: suite.Fills{
					"q": oneHotRows(keyChannels), "k": suite.Integers, "v_new": outlasting(suite.Normal, 1.2),
					"g": fading(1.2)}},
				suite.Input{Name: "old_state", Fills: suite.Fills{
					"q": oneHotRows(keyChannels), "v_new": suite.Zeros, "h": suite.Normal, "g": fading(1.2)}},
				suite.Input{Name: "nan_k", Fills: suite.Fills{"k": suite.OneOf(unit, math.NaN())}},
				suite.Input{Name: "inf_k", Fills: suite.Fills{"k": suite.OneOf(unit, math.Inf(1))}},
				suite.Input{Name: "inf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.1), math.Inf(1))}},
				suite.Input{Name: "nan_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.1), math.NaN())}},
				suite.Input{Name: "ninf_g", Fills: suite.Fills{"g": suite.OneOf(runningSums(0.1), math.Inf(-1))}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			scale := math.Float32frombits(uint32(in.Scalar("scale_bits")))
			return suite.Answers{"o": oracles.ChunkOutput(
				in.Values("q"), in.Values("k"), in.Values("v_new"), in.Values("h"), in.Values("g"), float64(scale),
				stageLayout(in.Shape), in.Contract)}
		},
	}
}

// scaleBits are the bits of the f32 nearest to 1/√K.
func scaleBits(s suite.Shape) float64 {
	return float64(math.Float32bits(float32(1 / math.Sqrt(float64(s[keyChannels])))))
}

// twoChannels are rows of 0 but for the first two channels.
func twoChannels(first, second float64) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		clear(x)
		for i := 0; i < len(x); i += s[keyChannels] {
			x[i], x[i+1] = first, second
		}
	}
}

// tiedKeys have products of ±(1 + m/256), m odd, with (1, 1/16).
func tiedKeys(r *rand.Rand, s suite.Shape, x []float64) {
	twoChannels(1, 0)(r, s, x)
	for i := 0; i < len(x); i += s[keyChannels] {
		sign := float64(1 - 2*r.IntN(2))
		x[i], x[i+1] = sign, sign*float64(2*r.IntN(64)+1)/16
	}
}

// ownChannel are values of which each token of a chunk has a 1 in a channel of its own.
func ownChannel(_ *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		token, channel := i/(s[valueHeads]*s[valueChannels]), i%s[valueChannels]
		x[i] = 0
		if token%s[valueChannels] == channel {
			x[i] = 1
		}
	}
}

// tiedValues are ±1 for the first token, an odd multiple of ±1/256 for the second,
// and 0.
func tiedValues(r *rand.Rand, s suite.Shape, x []float64) {
	width := s[valueHeads] * s[valueChannels]
	clear(x)
	for i := range width {
		sign := float64(1 - 2*r.IntN(2))
		x[i], x[i+width] = sign, sign*float64(2*r.IntN(64)+1)/256
	}
}
