package kernels

import (
	"fmt"
	"slices"

	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
)

func moePipelines() []suite.Pipeline { return []suite.Pipeline{moeLayer()} }

// expertWidth is the number of hidden values of an expert.
const expertWidth suite.Axis = "width"

// moeLayer is a layer of experts from the router's logits to the residual
// stream, bucket by bucket.
func moeLayer() suite.Pipeline {
	axes := []suite.Axis{nTokens, nExperts, k, dim, expertWidth, groupSize}
	base := point(axes, 5, 7, 3, 64, 32, 32)
	weights := func(name string, out, in suite.Axis) suite.Args {
		packed, scales, biases := weightNames(name)
		words := suite.Func(func(s suite.Shape) int { return s[in] / 8 })
		return suite.Args{
			suite.In(packed, suite.U32, nExperts, out, words),
			suite.In(scales, suite.BF16, nExperts, out, ratio(in, groupSize)),
			suite.In(biases, suite.BF16, nExperts, out, ratio(in, groupSize)),
		}
	}
	fills := suite.Fills{"moe_sum": suite.Every(0)}
	for _, name := range []string{"gate", "up", "down"} {
		_, scales, biases := weightNames(name)
		fills[scales], fills[biases] = suite.Scaled(suite.Normal, 1.0/32), suite.Scaled(suite.Normal, 1.0/8)
	}
	return suite.Pipeline{
		Name: "moe_layer",
		Doc: "Router, normalised weights, each expert's bucket through SwiGLU and down projection, and the " +
			"combination.",
		Axes: axes,
		Kernels: []string{"moe_softmax_topk", "moe_normalize_weights", "fused_gate_up_swiglu",
			"dequant_matvec_4bit_v3_n_tokens",
			"moe_bucket_accumulate", "moe_combine_residual_n_tokens"},
		Buffers: slices.Concat(
			suite.Args{suite.In("logits", suite.F32, nTokens, nExperts), suite.In("x", suite.F32, nTokens, dim)},
			weights("gate", expertWidth, dim), weights("up", expertWidth, dim), weights("down", dim, expertWidth),
			suite.Args{
				suite.InOut("moe_sum", suite.F32, nTokens, dim),
				suite.In("h_mid", suite.F32, nTokens, dim),
				suite.In("shared_out", suite.F32, nTokens, dim),
				suite.In("shared_gate", suite.F32, nTokens),
			}),
		Check: limits(atLeast(1, axes...), atMost(maxExperts, nExperts), atMost(maxRouterSlots, k),
			notAbove(k, nExperts),
			multipleOf(8, groupSize), multiple(dim, groupSize), multiple(expertWidth, groupSize),
			atMost(maxStagedInput, expertWidth)),
		Sweep: suite.Sweep{
			Shapes: suite.Around(base, suite.Vary(nTokens, 1, 2, 9), suite.Vary(k, 1, 7), suite.Vary(expertWidth, 64),
				suite.Vary(groupSize, 8)),
			Full:   []suite.Shape{point(axes, 8, 64, 8, 256, 128, 64), point(axes, 3, 256, 8, 512, 256, 64)},
			Probes: []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(k, 0, 8, 17), suite.Vary(dim, 0, 33),
				suite.Vary(groupSize, 0, 12))[1:],
			Inputs: []suite.Input{
				{Name: "normal", Random: true, Fills: fills},
				{Name: "positive", Random: true, Fills: suite.Fills{"x": suite.Positive, "h_mid": suite.Positive,
					"shared_out": suite.Positive}},
				{Name: "equal", Fills: suite.Fills{"logits": suite.Every(1.25)}},
				{Name: "dominant", Fills: suite.Fills{"logits": suite.OneOf(suite.Normal, 80)}},
				{Name: "gates_far", Fills: suite.Fills{"shared_gate": suite.Choice(-1e4, -100, 100, 1e4)}},
			},
		},
		Run: runMoELayer,
	}
}

func runMoELayer(c *suite.PipelineRun) {
	s := c.Shape
	var errors oracles.MixtureErrors
	c.Launch(suite.Step{Kernel: "moe_softmax_topk"})
	errors.Router = c.Bounds("out_weights")
	c.Launch(suite.Step{Kernel: "moe_normalize_weights", Buffers: renamed("weights", "out_weights")})
	errors.Weights = c.Bounds("out_weights")

	chosen, routed := c.Words("out_indices"), c.Values("out_weights")
	errors.Hidden = make([]float64, len(chosen)*s[expertWidth])
	errors.Outputs = make([]float64, len(chosen)*s[dim])
	errors.Sum = make([]float64, s[nTokens]*s[dim])
	for expert := range s[nExperts] {
		var slotsOf []int
		for i, e := range chosen {
			if int(e) == expert {
				slotsOf = append(slotsOf, i)
			}
		}
		if len(slotsOf) > 0 {
			serve(c, expert, slotsOf, routed, &errors)
		}
	}
	c.Launch(suite.Step{Kernel: "moe_combine_residual_n_tokens"})
	errors.Out = c.Bounds("hidden_out")
	mixture := oracles.Mixture{
		Affine: oracles.Affine{Bits: 4, Group: s[groupSize]},
		Logits: c.Values("logits"), Chosen: chosen, X: c.Values("x"),
		Gate: expertWeights(c, "gate"), Up: expertWeights(c, "up"), Down: expertWeights(c, "down"),
		Residual: c.Values("h_mid"), Shared: c.Values("shared_out"), SharedGate: c.Values("shared_gate"),
		Tokens: s[nTokens], Experts: s[nExperts], K: s[k], Dim: s[dim], Width: s[expertWidth],
	}
	c.Definition("end to end", "hidden_out", oracles.MixtureLayer(mixture, errors), exact.MixtureLayer(mixture))
}

// serve takes one expert's bucket through its matrices and adds it to the
// tokens. A slot is a place in the router's output.
func serve(c *suite.PipelineRun, expert int, slotsOf []int, routed []float64, errors *oracles.MixtureErrors) {
	s := c.Shape
	var token, weights []float64
	for _, slot := range slotsOf {
		token, weights = append(token, float64(slot/s[k])), append(weights, routed[slot])
	}
	name := func(what string) string { return fmt.Sprintf("%s of expert %d", what, expert) }
	c.Store(name("tokens"), suite.I32, token)
	c.Store(name("weights"), suite.F32, weights)
	c.Store(name("hidden"), suite.F32, make([]float64, len(slotsOf)*s[expertWidth]))
	for b, t := range token {
		windows := map[string]suite.Range{"x": row(int(t), s[dim]), "out": row(b, s[expertWidth])}
		expertWindows(s, expert, "gate", s[expertWidth], s[dim], windows)
		expertWindows(s, expert, "up", s[expertWidth], s[dim], windows)
		c.Launch(suite.Step{
			Name: name("fused_gate_up_swiglu"), Kernel: "fused_gate_up_swiglu",
			Shape:   suite.Shape{outDim: s[expertWidth], inDim: s[dim], threads: 64},
			Buffers: renamed("out", name("hidden")), Windows: windows,
		})
	}
	windows := map[string]suite.Range{}
	expertWindows(s, expert, "", s[dim], s[expertWidth], windows)
	c.Launch(suite.Step{
		Name: name("down projection"), Kernel: "dequant_matvec_4bit_v3_n_tokens",
		Shape: suite.Shape{nTokens: len(slotsOf), outDim: s[dim], inDim: s[expertWidth]},
		Buffers: renamed("W_packed", "down_W", "scales", "down_scales", "biases", "down_biases", "x_inputs",
			name("hidden"), "out", name("output")),
		Windows: windows,
	})
	c.Launch(suite.Step{
		Name: name("accumulation"), Kernel: "moe_bucket_accumulate",
		Shape: suite.Shape{hiddenDim: s[dim], bucketSize: len(slotsOf)},
		Buffers: renamed("bucket_out", name("output"), "token_idx", name("tokens"), "weights", name("weights"),
			"out_sum", "moe_sum"),
	})
	hidden, outputs := c.Bounds(name("hidden")), c.Bounds(name("output"))
	for b, slot := range slotsOf {
		copy(errors.Hidden[slot*s[expertWidth]:], hidden[b*s[expertWidth]:(b+1)*s[expertWidth]])
		copy(errors.Outputs[slot*s[dim]:], outputs[b*s[dim]:(b+1)*s[dim]])
	}
	for i, e := range c.Bounds("moe_sum") {
		errors.Sum[i] += e
	}
}

// expertWindows narrows a kernel's matrix to that of one expert of [out, in].
func expertWindows(s suite.Shape, expert int, arg string, out, in int, windows map[string]suite.Range) {
	packed, scales, biases := weightNames(arg)
	windows[packed] = row(expert, out*in/8)
	windows[scales] = row(expert, out*in/s[groupSize])
	windows[biases] = row(expert, out*in/s[groupSize])
}

// expertWeights are the matrices of all experts.
func expertWeights(c *suite.PipelineRun, name string) []oracles.Weights {
	packed, scales, biases := weightNames(name)
	words, factors, offsets := c.Words(packed), c.Values(scales), c.Values(biases)
	n := c.Shape[nExperts]
	var list []oracles.Weights
	for e := range n {
		cut := func(length int) suite.Range { return row(e, length/n) }
		w, f := cut(len(words)), cut(len(factors))
		list = append(list, oracles.Weights{Packed: words[w.First:w.End], Scales: factors[f.First:f.End],
			Biases: offsets[f.First:f.End]})
	}
	return list
}
