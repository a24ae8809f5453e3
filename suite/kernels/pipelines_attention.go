package kernels

import (
	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
)

func attentionPipelines() []suite.Pipeline {
	return []suite.Pipeline{
		threeKernels(oracles.BlockHeads), threeKernels(oracles.TiledHeads), permutedPositions(),
	}
}

// threeKernels is attention of one token by scores, softmax and values, end to
// end, and as the kernel that does all of it in one pass has it.
func threeKernels(m oracles.Mapping) suite.Pipeline {
	axes := []suite.Axis{queryHeads, keyHeads, channels, seqLen}
	base := point(axes, 4, 2, 64, 37)
	name, suffix := "attention_three_kernels", "batched"
	if m == oracles.TiledHeads {
		name, suffix = "attention_three_kernels_tiled", "tiled"
	}
	scores, values := "attn_scores_"+suffix, "attn_values_"+suffix
	return suite.Pipeline{
		Name: name,
		Doc: "Scores, softmax and values from end to end, and equal to attention in one pass, " + m.String() +
			" mapping.",
		Axes:    axes,
		Kernels: []string{scores, "attn_softmax_batched", values, "attn_online_f32"},
		Buffers: suite.Args{
			suite.In("Q", suite.F32, queryHeads, channels),
			suite.In("K", suite.F32, seqLen, keyHeads, channels),
			suite.In("V", suite.F32, seqLen, keyHeads, channels),
			suite.InOut("scores", suite.F32, queryHeads, seqLen),
		},
		Check: limits(atLeast(1, axes...), multiple(queryHeads, keyHeads)),
		Sweep: suite.Sweep{
			Shapes: suite.Around(base, suite.Vary(channels, 128, 256), suite.Vary(seqLen, 1, 2, 31, 32, 33, 129),
				suite.Vary(keyHeads, 1, 4),
				suite.Vary(queryHeads, 8)),
			Full: suite.Cross(base, suite.Vary(channels, 64, 256), suite.Vary(queryHeads, 4, 12),
				suite.Vary(seqLen, 255, 256, 257, 1000)),
			Probes: []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(queryHeads, 0, 3), suite.Vary(keyHeads, 0), suite.Vary(channels, 0),
				suite.Vary(seqLen, 0))[1:],
			Inputs: inputsNamed(attentionOnline().Sweep.Inputs, "normal", "positive", "scores_equal", "scores_spread",
				"scores_far_below"),
		},
		Run: func(c *suite.PipelineRun) {
			plain := suite.Shape{spare: 0}
			c.Launch(suite.Step{Kernel: scores, Shape: plain, Buffers: renamed("K_cache", "K")})
			errors := oracles.CachedErrors{Scores: c.Bounds("scores")}
			c.Launch(suite.Step{Kernel: "attn_softmax_batched", Shape: plain})
			errors.Softmax = c.Bounds("scores")
			c.Launch(suite.Step{Kernel: values, Shape: plain, Buffers: renamed("V_cache", "V")})
			errors.Values = c.Bounds("out")
			scale := oracles.F32.Round(headScale(c.Shape))
			problem := cachedProblem(c.Shape.With(plain), m)
			defined := oracles.CachedAttention(problem, c.Values("Q"), c.Values("K"), c.Values("V"), scale, errors)
			c.Definition("end to end", "out", defined,
				exact.CachedAttention(problem, c.Values("Q"), c.Values("K"), c.Values("V"), scale))
			c.Launch(suite.Step{
				Kernel:  "attn_online_f32",
				Shape:   suite.Shape{tokens: 1, positions: c.Shape[seqLen], mapping: int(m), causal: 0, startPos: 0},
				Buffers: renamed("out", "online"),
			})
			c.Bounded("online = three kernels", "online", oracles.Answer{
				Want:   c.Values("out"),
				Budget: append(defined.Budget, oracles.Term{Label: "online", Error: c.Bounds("online")}),
			})
		},
	}
}

// permutedPositions is the invariant that attention does not ask in what order the
// keys and values stand.
func permutedPositions() suite.Pipeline {
	kernel := attentionOnline()
	axes := []suite.Axis{tokens, positions, queryHeads, keyHeads, channels, mapping}
	base := point(axes, 2, 70, 4, 2, 33, 0)
	return suite.Pipeline{
		Name:    "attention_permuted_positions",
		Doc:     "Attention in one pass over keys and values in another order.",
		Axes:    axes,
		Kernels: []string{kernel.Name},
		Buffers: kernel.Args[:3],
		Check:   limits(atLeast(1, tokens, positions, queryHeads, keyHeads, channels), multiple(queryHeads, keyHeads)),
		Sweep: suite.Sweep{
			Shapes:  suite.Around(base, suite.Vary(positions, 2, 33, 129), suite.Vary(mapping, 1)),
			Full:    suite.Cross(base, suite.Vary(positions, 256, 1009), suite.Vary(channels, 64, 128)),
			Probes:  []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(positions, 0), suite.Vary(queryHeads, 3))[1:],
			Inputs: inputsNamed(kernel.Sweep.Inputs, "normal", "scores_spread", "scores_far_below",
				"scores_ascending"),
		},
		Run: func(c *suite.PipelineRun) {
			plain := suite.Shape{causal: 0, startPos: 0}
			c.Launch(suite.Step{Kernel: kernel.Name, Shape: plain})
			width := c.Shape[keyHeads] * c.Shape[channels]
			c.Store("K_permuted", suite.F32, permuted(c.Values("K"), width))
			c.Store("V_permuted", suite.F32, permuted(c.Values("V"), width))
			c.Launch(suite.Step{
				Name: "attention over permuted positions", Kernel: kernel.Name, Shape: plain,
				Buffers: renamed("K", "K_permuted", "V", "V_permuted", "out", "out_permuted"),
			})
			c.Close("out", "out_permuted")
		},
	}
}

// permuted is x with its rows of n elements in another order: the odd ones from
// the last to the first, then the even ones.
func permuted(x []float64, n int) []float64 {
	var y []float64
	rows := len(x) / n
	for r := rows - 1 - rows%2; r > 0; r -= 2 {
		y = append(y, x[r*n:(r+1)*n]...)
	}
	for r := 0; r < rows; r += 2 {
		y = append(y, x[r*n:(r+1)*n]...)
	}
	return y
}
