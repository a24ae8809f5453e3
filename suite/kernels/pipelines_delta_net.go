package kernels

import (
	"math"
	"slices"

	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
)

func deltaNetPipelines() []suite.Pipeline {
	return []suite.Pipeline{
		splitLaunches(gatedDeltaNetStep(), 5, 1), splitLaunches(gatedDeltaNetSequential(), 5, 1),
		splitLaunches(gatedDeltaNetChunkwise(), chunkTokens+3, chunkTokens),
		chunksAreRecurrence(), linearAttentionBlock(), chunkGatedDeltaRule(),
	}
}

// recurrenceInputs are families of the recurrence without non-finite elements.
func recurrenceInputs() []suite.Input {
	return inputsNamed(tokenInputs(), "normal", "positive", "exact", "decay_one", "decay_strong", "decay_zero",
		"decays_mixed")
}

// splitLaunches is the invariant that two launches which carry the state give what
// one launch gives: the same bits, where the first of them takes whole chunks.
// Inputs are probed with a number of tokens, split after the first chunk.
func splitLaunches(kernel suite.Kernel, probe, chunk int) suite.Pipeline {
	base := point(kernel.Axes, probe, 1, 2, chunk)
	return suite.Pipeline{
		Name:    kernel.Name + "_split_launches",
		Doc:     "Two launches of " + kernel.Name + " that carry the state equal one.",
		Axes:    kernel.Axes,
		Kernels: []string{kernel.Name},
		Buffers: kernel.Args[:4],
		Check:   limits(kernel.Check, atLeast(1, split)),
		Sweep: suite.Sweep{
			Shapes: append(suite.Around(base, suite.Vary(split, probe-1)),
				suite.Cross(point(kernel.Axes, 19, 1, 2, 0), suite.Vary(split, 1, 8, 18))...),
			Full:    suite.Cross(point(kernel.Axes, 100, 2, 4, 0), suite.Vary(split, 1, 16, 48, 99)),
			Probes:  []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(split, 0, probe+1), suite.Vary(hk, 3))[1:],
			Inputs:  recurrenceInputs(),
		},
		Run: func(c *suite.PipelineRun) {
			c.Copy("state", "state_split")
			c.Launch(suite.Step{Name: "one launch", Kernel: kernel.Name, Shape: suite.Shape{split: 0}})
			c.Launch(suite.Step{Name: "two launches", Kernel: kernel.Name,
				Buffers: renamed("state", "state_split", "output", "output_split")})
			same := c.Equal
			if c.Shape[split]%chunk != 0 {
				same = c.Close
			}
			same("output", "output_split")
			same("state", "state_split")
		},
	}
}

// chunksAreRecurrence is the invariant between the three kernels on token-major
// buffers.
func chunksAreRecurrence() suite.Pipeline {
	kernel := gatedDeltaNetTokens(chunkTokens + 3)
	axes := []suite.Axis{nTokens, hk, hv}
	base := point(axes, chunkTokens+1, 1, 2)
	names := []string{"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"}
	return suite.Pipeline{
		Name:    "gated_delta_net_chunks_are_recurrence",
		Doc:     "Token by token, by simdgroups and by chunks: one recurrence.",
		Axes:    axes,
		Kernels: names,
		Buffers: kernel.Args[:4],
		Check:   limits(atLeast(1, nTokens, hk, hv), multiple(hv, hk)),
		Sweep: suite.Sweep{
			Shapes:  suite.Around(base, suite.Vary(nTokens, 1, 15, 16, 33)),
			Full:    suite.Cross(point(axes, 0, 2, 4), suite.Vary(nTokens, 64, 100, 257)),
			Probes:  []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(hk, 0, 3))[1:],
			Inputs:  recurrenceInputs(),
		},
		Run: func(c *suite.PipelineRun) {
			for _, name := range names {
				c.Copy("state", "state_"+name)
				c.Launch(suite.Step{Kernel: name, Shape: suite.Shape{split: 0},
					Buffers: renamed("state", "state_"+name, "output", "output_"+name)})
			}
			for _, name := range names[1:] {
				c.Close("output_"+names[0], "output_"+name)
				c.Close("state_"+names[0], "state_"+name)
			}
		},
	}
}

// delta says which kernel takes the recurrence of a block, by its place among
// step, sequential and chunkwise.
const delta suite.Axis = "delta"

// linearAttentionBlock is the linear-attention block over runs of tokens that
// carry both states, end to end.
func linearAttentionBlock() suite.Pipeline {
	axes := []suite.Axis{tokens, perRun, hk, hv, delta}
	base := point(axes, 5, 2, 1, 2, 0)
	names := []string{"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"}
	width := suite.Func(func(s suite.Shape) int { return (2*s[hk] + s[hv]) * headDim })
	gates := computeDecayBeta().Sweep.Inputs[0].Fills
	fills := suite.Fills{"A_log": gates["A_log"], "state": suite.Scaled(suite.Normal, 0.1),
		"conv_weights": suite.Scaled(suite.Normal, 0.5)}
	return suite.Pipeline{
		Name: "linear_attention_block",
		Doc:  "Convolution, norm, gates, delta rule and gated norm over runs of tokens that carry both states.",
		Axes: axes,
		Kernels: append([]string{"conv1d_step", "conv1d_state_update", "rms_norm_qk", "compute_decay_beta",
			"gated_rms_norm"},
			names...),
		Buffers: suite.Args{
			suite.InOut("conv_state", suite.F32, suite.Fixed(convPast), width),
			suite.In("input", suite.F32, tokens, width),
			suite.In("conv_weights", suite.BF16, width, suite.Fixed(convPast+1)),
			suite.In("alpha_out", suite.F32, tokens, hv),
			suite.In("beta_out", suite.F32, tokens, hv),
			suite.In("A_log", suite.F32, hv),
			suite.In("dt_bias", suite.BF16, hv),
			suite.InOut("state", suite.F32, hv, suite.Fixed(headDim), suite.Fixed(headDim)),
			suite.In("z", suite.F32, tokens, hv, suite.Fixed(headDim)),
			suite.In("weight", suite.BF16, suite.Fixed(headDim)),
			suite.Out("conv_out", suite.F32, tokens, width),
			suite.Out("g_decay", suite.F32, tokens, hv),
			suite.Out("beta_gate", suite.F32, tokens, hv),
			suite.Out("delta_out", suite.F32, tokens, hv, suite.Fixed(headDim)),
			suite.Out("out", suite.F32, tokens, hv, suite.Fixed(headDim)),
		},
		Check: limits(atLeast(1, tokens, perRun, hk, hv), multiple(hv, hk), atLeast(0, delta),
			atMost(len(names)-1, delta)),
		Sweep: suite.Sweep{
			Shapes: suite.Cross(base, suite.Vary(delta, 0, 1, 2), suite.Vary(perRun, 1, 2, 5)),
			Full: suite.Cross(point(axes, 70, 0, 2, 4, 0), suite.Vary(delta, 0, 1, 2),
				suite.Vary(perRun, 1, 16, 33, 70)),
			Probes: []suite.Shape{base, base.With(suite.Shape{delta: 2})},
			Refused: suite.Around(base, suite.Vary(tokens, 0), suite.Vary(perRun, 0), suite.Vary(hk, 3),
				suite.Vary(delta, -1, 3))[1:],
			Inputs: []suite.Input{
				{Name: "normal", Random: true, Fills: fills},
				{Name: "positive", Random: true, Fills: suite.Fills{"input": suite.Positive,
					"conv_weights": suite.Positive, "state": suite.Positive}},
				{Name: "far", Fills: suite.Fills{"alpha_out": suite.Uniform(-100, 100),
					"beta_out": suite.Uniform(-100, 100)}},
				{Name: "no_past", Fills: suite.Fills{"state": suite.Every(0), "conv_state": suite.Every(0)}},
			},
		},
		Run: func(c *suite.PipelineRun) { runLinearAttention(c, names[c.Shape[delta]]) },
	}
}

// perRun is the number of tokens of one run of the block.
const perRun suite.Axis = "per_run"

func runLinearAttention(c *suite.PipelineRun, recurrence string) {
	s := c.Shape
	channelsOf := (2*s[hk] + s[hv]) * headDim
	block := oracles.LinearAttention{
		ConvState: c.Values("conv_state"), Input: c.Values("input"), ConvWeight: c.Values("conv_weights"),
		Alpha: c.Values("alpha_out"), Beta: c.Values("beta_out"), ALog: c.Values("A_log"), DtBias: c.Values("dt_bias"),
		State: c.Values("state"), Z: c.Values("z"), Weight: c.Values("weight"),
		T: s[tokens], Hk: s[hk], Hv: s[hv], D: headDim,
		Scale: oracles.F32.Round(1 / math.Sqrt(headDim)), QKEps: qkEps, OutputEps: oracles.F32.Round(1e-6),
	}
	errors := oracles.LinearAttentionErrors{Chunk: s[perRun]}
	for first := 0; first < s[tokens]; first += s[perRun] {
		n := min(s[perRun], s[tokens]-first)
		part := func(width int) suite.Range { return rowsOf(first, n, width) }
		run := suite.Shape{tokens: n, nTokens: n, convDim: channelsOf, numKHeads: s[hk], keyDim: headDim,
			keyGap: 0, valueTotal: s[hv] * headDim, split: 0, numVHeads: s[hv], valueDim: headDim}
		conv, gate, value := part(channelsOf), part(s[hv]), part(s[hv]*headDim)
		c.Launch(suite.Step{Kernel: "conv1d_step", Shape: run,
			Buffers: renamed("weights", "conv_weights", "output", "conv_out"),
			Windows: map[string]suite.Range{"input": conv, "output": conv}})
		errors.Conv = append(errors.Conv, c.BoundsIn("conv_out", conv)...)
		c.Launch(suite.Step{Kernel: "conv1d_state_update", Shape: run, Windows: map[string]suite.Range{"input": conv}})
		c.Launch(suite.Step{Kernel: "rms_norm_qk", Shape: run, Buffers: renamed("x", "conv_out"),
			Windows: map[string]suite.Range{"x": conv}})
		c.Launch(suite.Step{Kernel: "compute_decay_beta", Shape: run,
			Windows: map[string]suite.Range{"alpha_out": gate, "beta_out": gate, "g_decay": gate, "beta_gate": gate}})
		c.Launch(suite.Step{Kernel: recurrence, Shape: run, Buffers: renamed("output", "delta_out"),
			Windows: map[string]suite.Range{"conv_out": conv, "g_decay": gate, "beta_gate": gate, "output": value}})
		errors.States = append(errors.States, c.Bounds("state"))
		c.Launch(suite.Step{Kernel: "gated_rms_norm", Shape: run,
			Buffers: renamed("values", "delta_out", "output", "out"),
			Windows: map[string]suite.Range{"values": value, "z": value, "output": value}})
	}
	errors.Norm, errors.Decay, errors.Gate = c.Bounds("conv_out"), c.Bounds("g_decay"), c.Bounds("beta_gate")
	errors.Output, errors.Out = c.Bounds("delta_out"), c.Bounds("out")
	out, state := oracles.LinearAttentionBlock(block, errors)
	exactOut, exactState := exact.LinearAttentionBlock(block)
	c.Definition("end to end", "out", out, exactOut)
	c.Definition("state end to end", "state", state, exactState)
	past := slices.Concat(block.ConvState, block.Input)
	c.Bounded("state of the convolution end to end", "conv_state",
		oracles.Answer{Want: past[len(past)-convPast*channelsOf:], Exact: true})
}
