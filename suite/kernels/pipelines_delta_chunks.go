package kernels

import (
	"math"
	"slices"

	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
)

// chunkStages are the six kernels of the chunk pipeline in order.
var chunkStages = []string{
	"chunk_local_cumsum_g_f32", "gated_delta_net_kkt_bf16", "chunk_tri_solve_invert_f32",
	"gated_delta_net_recompute_wu_bf16",
	"gated_delta_net_chunk_inter_state_bf16", "gated_delta_net_chunk_o_bf16",
}

// chunkGatedDeltaRule is the chunk pipeline from end to end: against the
// recurrence in float64, and against the kernel that computes it in f32.
func chunkGatedDeltaRule() suite.Pipeline {
	axes := []suite.Axis{batches, tokens, keyHeads, valueHeads, valueChannels, mapping}
	base := point(axes, 1, 128, 1, 1, 64, 0)
	key := suite.Fixed(stateKeys)
	unit := suite.Fill(unitVectors)
	return suite.Pipeline{
		Name: "chunk_gated_delta_rule",
		Doc:  "The six stages of the chunk pipeline, behind the expansion of tiled heads, equal the recurrence.",
		Axes: axes,
		Kernels: slices.Concat([]string{"cast_f32_bf16_rne", "cast_bf16_f32", "repeat_block_f32", "repeat_tiled_f32"},
			chunkStages, []string{"gated_delta_net_f32"}),
		Buffers: suite.Args{
			suite.In("q", suite.F32, batches, tokens, keyHeads, key),
			suite.In("k", suite.F32, batches, tokens, keyHeads, key),
			suite.In("v", suite.F32, batches, tokens, valueHeads, valueChannels),
			suite.In("g", suite.F32, batches, tokens, valueHeads),
			suite.In("beta", suite.F32, batches, tokens, valueHeads),
			suite.In("h0", suite.F32, batches, valueHeads, valueChannels, key),
		},
		Check: limits(atLeast(1, batches, tokens, keyHeads, valueHeads, valueChannels), multipleOf(stageTokens, tokens),
			multiple(valueHeads, keyHeads),
			multipleOf(stageKeys, valueChannels), atMost(maxStageV, valueChannels), atLeast(0, mapping),
			atMost(1, mapping)),
		Sweep: suite.Sweep{
			Shapes: append([]suite.Shape{base},
				suite.Cross(base.With(suite.Shape{tokens: 64, keyHeads: 2, valueHeads: 4}),
					suite.Vary(mapping, 0, 1))...),
			Full: append(suite.Cross(base, suite.Vary(valueHeads, 2, 4), suite.Vary(keyHeads, 1, 2),
				suite.Vary(mapping, 0, 1)),
				suite.Around(base, suite.Vary(tokens, 192, 1024, 4096), suite.Vary(batches, 2),
					suite.Vary(valueChannels, 128, 256))...),
			Probes: []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(tokens, 0, 65), suite.Vary(valueHeads, 0),
				suite.Vary(valueChannels, 32, 320))[1:],
			Inputs: []suite.Input{
				{Name: "normal", Random: true, Fills: suite.Fills{
					"q": unit, "k": unit, "g": suite.Uniform(-0.2, 0), "beta": suite.Uniform(0, 1),
					"h0": suite.Scaled(suite.Normal, 0.1)}},
				{Name: "positive", Random: true,
					Fills: suite.Fills{"v": suite.Positive, "h0": suite.Scaled(suite.Positive, 0.1)}},
				{Name: "no_decay", Fills: suite.Fills{"g": suite.Every(0)}},
				{Name: "strong", Fills: suite.Fills{"g": suite.Uniform(-40, 0)}},
				{Name: "no_past", Fills: suite.Fills{"h0": suite.Every(0)}},
			},
		},
		Run: runChunkGatedDeltaRule,
	}
}

func runChunkGatedDeltaRule(c *suite.PipelineRun) {
	s := c.Shape
	repeat := "repeat_block_f32"
	if s[mapping] == 1 {
		repeat = "repeat_tiled_f32"
	}
	for _, x := range []string{"q", "k", "v"} {
		convert(c, "cast_f32_bf16_rne", x, x+"_bf16")
		convert(c, "cast_bf16_f32", x+"_bf16", x+"_exact")
	}
	heads := suite.Shape{seq: s[batches] * s[tokens], hg: s[keyHeads], h: s[valueHeads], k: stateKeys}
	for _, x := range []string{"q", "k"} {
		c.Launch(suite.Step{Kernel: repeat, Shape: heads, Buffers: renamed("src", x+"_exact", "dst", x+"_heads")})
	}
	queries, keys, stage := "q_bf16", "k_bf16", suite.Shape{keyChannels: stateKeys, blockTokens: stageTokens}
	if s[mapping] == 1 {
		queries, keys, stage[keyHeads] = "q_repeated", "k_repeated", s[valueHeads]
		convert(c, "cast_f32_bf16_rne", "q_heads", queries)
		convert(c, "cast_f32_bf16_rne", "k_heads", keys)
	}
	stages(c, stage, queries, keys)

	problem := oracles.ChunkedDelta{
		Chunks: stageLayout(s.With(stage)), Q: c.Values("q_bf16"), K: c.Values("k_bf16"), V: c.Values("v_bf16"),
		G: c.Values("g"), Beta: c.Values("beta"), State: c.Values("h0"),
		Scale: oracles.F32.Round(1 / math.Sqrt(stateKeys)),
	}
	if s[mapping] == 1 {
		problem.Q = oracles.RepeatTiled(problem.Q, heads[seq], heads[hg], heads[h], heads[k]).Want
		problem.K = oracles.RepeatTiled(problem.K, heads[seq], heads[hg], heads[h], heads[k]).Want
	}
	o, final := oracles.ChunkedDeltaRule(problem, oracles.ChunkedDeltaErrors{
		Sums: c.Bounds("G"), A: c.Bounds("A"), X: c.Bounds("X"), W: c.Bounds("w"), U: c.Bounds("u"), H: c.Bounds("h"),
		VNew: c.Bounds("v_new"), Final: c.Bounds("final_state"), O: c.Bounds("o"), Inverse: c.Values("X"),
	})
	exactO, exactFinal := exact.ChunkedDeltaRule(problem)
	c.Definition("end to end", "o", o, exactO)
	c.Definition("state end to end", "final_state", final, exactFinal)

	var rates []float64
	for _, g := range problem.G {
		rates = append(rates, -g)
	}
	c.Store("rates", suite.F32, rates)
	c.Launch(suite.Step{
		Kernel: "gated_delta_net_f32",
		Shape: suite.Shape{nSeqs: s[batches], hk: s[valueHeads], hv: s[valueHeads], dk: stateKeys,
			dv: s[valueChannels], split: 0},
		Buffers: renamed("q", "q_heads", "k", "k_heads", "v", "v_exact", "g", "rates", "state_in", "h0"),
	})
	output, errors := c.Values("output"), c.Bounds("output")
	for i := range output {
		output[i] *= problem.Scale
		errors[i] *= problem.Scale
	}
	c.Bounded("chunks = recurrence", "o", oracles.Answer{
		Want: output, Budget: append(o.Budget, oracles.Term{Label: "recurrence", Error: errors})})
	c.Bounded("state of chunks = of recurrence", "final_state", oracles.Answer{
		Want:   c.Values("state_out"),
		Budget: append(final.Budget, oracles.Term{Label: "recurrence", Error: c.Bounds("state_out")})})
}

// stages are the six kernels of the pipeline on queries and keys of the given
// names.
func stages(c *suite.PipelineRun, stage suite.Shape, q, k string) {
	c.Launch(suite.Step{Kernel: "chunk_local_cumsum_g_f32", Shape: stage, Buffers: renamed("g_cumsum", "G")})
	c.Launch(suite.Step{Kernel: "gated_delta_net_kkt_bf16", Shape: stage, Buffers: renamed("k", k, "g", "G")})
	c.Launch(suite.Step{Kernel: "chunk_tri_solve_invert_f32", Shape: stage})
	c.Launch(suite.Step{Kernel: "gated_delta_net_recompute_wu_bf16", Shape: stage,
		Buffers: renamed("k", k, "v", "v_bf16", "g", "G", "A", "X")})
	c.Launch(suite.Step{Kernel: "gated_delta_net_chunk_inter_state_bf16", Shape: stage,
		Buffers: renamed("k", k, "g", "G", "h_out", "h")})
	c.Launch(suite.Step{Kernel: "gated_delta_net_chunk_o_bf16", Shape: stage,
		Buffers: renamed("q", q, "k", k, "g", "G")})
}

// convert casts a whole buffer.
func convert(c *suite.PipelineRun, kernel, from, to string) {
	c.Launch(suite.Step{
		Name: kernel + " of " + from, Kernel: kernel,
		Shape: suite.Shape{length: len(c.Values(from))}, Buffers: renamed("src", from, "dst", to),
	})
}
