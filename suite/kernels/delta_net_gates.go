package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// convPast is the number of rows of the past that the convolution keeps.
const convPast = 3

func computeDecayBeta() suite.Kernel {
	axes := []suite.Axis{tokens, hv}
	base := point(axes, 3, 5)
	far := suite.Uniform(-100, 100)
	return suite.Kernel{
		Name: "compute_decay_beta",
		Doc:  "Decay and gate of each token and value head.",
		Axes: axes,
		Args: suite.Args{
			suite.In("alpha_out", suite.F32, tokens, hv),
			suite.In("beta_out", suite.F32, tokens, hv),
			suite.In("A_log", suite.F32, hv),
			suite.In("dt_bias", suite.BF16, hv),
			suite.Out("g_decay", suite.F32, tokens, hv),
			suite.Out("beta_gate", suite.F32, tokens, hv),
			suite.Const("num_v_heads", suite.U32, hv),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{tokens}, Of: []suite.Extent{hv}},
		Check: limits(atLeast(1, tokens, hv), atMost(maxThreads, hv)),
		Work: suite.Work{Operations: total(
			times(1, hv),                    // exp(A_log)
			times(6+sigmoidOps, tokens, hv), // bias, softplus of three, product, exp; gate
		)},
		Sweep: suite.Sweep{
			Shapes: suite.Around(base,
				suite.Vary(hv, slices.Concat([]int{1, 2, 31, 33, 63, 65, 1023, 1024}, linearValueHeads())...),
				suite.Vary(tokens, 1, 2, 4, 15, 16, 17, 63, 64, 65, 127, 128, 1000)),
			Full:   suite.Cross(point(axes, 4096, 0), suite.Vary(hv, linearValueHeads()...)),
			Probes: []suite.Shape{point(axes, 17, 9), point(axes, 7, 32)},
			Settings: []suite.Setting{
				// Where thresholds of softplus are: what it differs from the identity by, and
				// from 0, shows after a rate of 1 and of e^55.
				decisive("knee", point(axes, 17, 9),
					suite.Fills{"alpha_out": suite.Uniform(4, 16), "A_log": suite.Every(0)}),
				decisive("far_tail", point(axes, 7, 9), suite.Fills{
					"alpha_out": byHead(func(h int) float64 { return -20 - float64(4*h) }),
					"A_log":     byHead(func(h int) float64 { return 18 + float64(4*h) }), "dt_bias": suite.Every(0)}),
				decisive("far_bias", point(axes, 7, 9), suite.Fills{
					"alpha_out": byHead(func(h int) float64 { return 0x1p17 + float64(float64(h)/4) }),
					"dt_bias":   suite.Every(-0x1p17)}),
			},
			Ends:    []suite.End{endOf(point(axes, 3, 8), suite.Shape{tokens: 1<<31 + 3})},
			Refused: suite.Around(base, suite.Vary(tokens, 0), suite.Vary(hv, 0, maxThreads+1))[1:],
			Inputs: append(suite.Standard(suite.Fills{"A_log": suite.Uniform(-4, 3)}, "alpha_out", "beta_out", "A_log",
				"dt_bias"),
				suite.Input{Name: "far", Fills: suite.Fills{"alpha_out": far, "beta_out": far}},
				// A large e^A brings out the tail of softplus, a small one what follows an overflow.
				suite.Input{Name: "tail",
					Fills: suite.Fills{"alpha_out": suite.Uniform(-24, -8), "A_log": suite.Uniform(8, 16)}},
				suite.Input{Name: "large",
					Fills: suite.Fills{"alpha_out": suite.Uniform(86, 100), "A_log": suite.Uniform(-9, -4)}},
				// With a large bias the sum leaves the range.
				suite.Input{Name: "extreme", Fills: suite.Fills{
					"alpha_out": suite.Choice(-3e38, -1e4, -104, 104, 1e4, 3e38), "dt_bias": suite.OneOf(suite.Normal,
						3e38), "beta_out": suite.Choice(-1e4, -88.72284, 88.72284, 1e4)}},
				suite.Input{Name: "ninf_alpha_out",
					Fills: suite.Fills{"alpha_out": suite.OneOf(suite.Normal, math.Inf(-1))}},
				suite.Input{Name: "ninf_beta_out",
					Fills: suite.Fills{"beta_out": suite.OneOf(suite.Normal, math.Inf(-1))}},
			),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			decay, gate := oracles.DecayBeta(
				in.Values("alpha_out"), in.Values("beta_out"), in.Values("A_log"), in.Values("dt_bias"), in.Contract)
			return suite.Answers{"g_decay": decay, "beta_gate": gate}
		},
	}
}

// byHead gives the elements of each value head one value.
func byHead(of func(h int) float64) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = of(i % s[hv])
		}
	}
}

func conv1dStep() suite.Kernel {
	axes := []suite.Axis{tokens, convDim}
	base := point(axes, 3, 257)
	return suite.Kernel{
		Name: "conv1d_step",
		Doc:  "Causal depthwise convolution of width 4 with SiLU, bf16 weights.",
		Axes: axes,
		Args: suite.Args{
			suite.In("conv_state", suite.F32, suite.Fixed(convPast), convDim),
			suite.In("input", suite.F32, tokens, convDim),
			suite.In("weights", suite.BF16, convDim, suite.Fixed(convPast+1)),
			suite.Out("output", suite.F32, tokens, convDim),
			suite.Const("conv_dim", suite.U32, convDim),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Ceil(convDim, 256), tokens},
			Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, tokens, convDim)),
		Work:  each((convPast+1)*multiplyAdd+sigmoidOps, tokens, convDim),
		Sweep: suite.Sweep{
			Shapes: append(convShapes(axes, base), point(axes, 2, past16Bits), point(axes, 17, 1009)),
			Full: suite.Cross(point(axes, 0, 0), suite.Vary(tokens, 2, 3, 64, 257),
				suite.Vary(convDim, convDims()...)),
			Probes: []suite.Shape{point(axes, 6, 33), point(axes, 1, 300)},
			// The first three rows that are there are the past of the others.
			Ends: []suite.End{{Shape: point(axes, 7, 33), Of: suite.Shape{tokens: 1<<31 + 7}, Skip: convPast,
				Unwritten: map[string][]suite.Range{"output": {{First: 0, End: convPast * 33}}}}},
			Refused: suite.Around(base, suite.Vary(tokens, 0), suite.Vary(convDim, 0))[1:],
			Inputs: append(suite.Standard(nil, "conv_state", "input", "weights"),
				suite.Input{Name: "gates_far", Fills: suite.Fills{"input": suite.Uniform(-120, 120)}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"taps": oracles.AnyOrder()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"output": oracles.Conv1D(
				in.Values("conv_state"), in.Values("input"), in.Values("weights"), in.Shape[convDim], in.Contract)}
		},
	}
}

func conv1dStateUpdate() suite.Kernel {
	axes := []suite.Axis{tokens, convDim}
	base := point(axes, 3, 257)
	return suite.Kernel{
		Name: "conv1d_state_update",
		Doc:  "The last three rows of the convolution's state followed by its input.",
		Axes: axes,
		Args: suite.Args{
			suite.InOut("conv_state", suite.F32, suite.Fixed(convPast),
				convDim).Ignoring(func(s suite.Shape) []suite.Range {
				return []suite.Range{{First: 0, End: min(convPast, s[tokens]) * s[convDim]}}
			}),
			suite.In("input", suite.F32, tokens, convDim).Ignoring(func(s suite.Shape) []suite.Range {
				return []suite.Range{{First: 0, End: max(s[tokens]-convPast, 0) * s[convDim]}}
			}),
			suite.Const("conv_dim", suite.U32, convDim),
			suite.Const("n_tokens", suite.U32, tokens),
		},
		Grid:  suite.Flat(convDim, 256),
		Check: limits(atLeast(1, tokens, convDim), atMost(math.MaxUint32-convPast, tokens)),
		Work: suite.Work{Operations: none, Reads: elements{
			"conv_state": suite.Func(func(s suite.Shape) int { return max(convPast-s[tokens], 0) * s[convDim] }),
			"input":      suite.Func(func(s suite.Shape) int { return min(convPast, s[tokens]) * s[convDim] }),
		}},
		Sweep: suite.Sweep{
			Shapes: append(convShapes(axes, base), point(axes, 2, past16Bits)),
			Full: suite.Cross(point(axes, 0, 0), suite.Vary(tokens, 2, 3, 64, 1000),
				suite.Vary(convDim, convDims()...)),
			Probes:  []suite.Shape{point(axes, 1, 33), point(axes, 2, 33), point(axes, 4, 33)},
			Ends:    []suite.End{endOf(point(axes, 4, 64), suite.Shape{tokens: math.MaxUint32 - convPast})},
			Refused: suite.Around(base, suite.Vary(tokens, 0), suite.Vary(convDim, 0))[1:],
			Inputs:  suite.Standard(nil, "conv_state", "input"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"conv_state": oracles.ConvState(in.Values("conv_state"), in.Values("input"),
				in.Shape[convDim])}
		},
	}
}

// convShapes are numbers of channels round simdgroups and threadgroups, and of
// tokens round the length of the past.
func convShapes(axes []suite.Axis, base suite.Shape) []suite.Shape {
	return slices.Concat(
		suite.Around(base,
			suite.Vary(convDim, 1, 2, 31, 32, 33, 127, 255, 256, 511, 512, 513, 1009),
			suite.Vary(tokens, 1, 2, 4, 5, 17, 64)),
		suite.Cross(point(axes, 1, 0), suite.Vary(convDim, convDims()...)))
}

// convDims are the numbers of channels of the real models.
func convDims() []int {
	return dimensions(func(m fixtures.Model) int { return m.ConvDim })
}

// linearValueHeads are the numbers of value heads of the real models' linear attention.
func linearValueHeads() []int {
	return dimensions(func(m fixtures.Model) int { return m.LinearValueHeads })
}

// dimensions are the values of one dimension over the models that have it.
func dimensions(of func(fixtures.Model) int) []int {
	var values []int
	for _, m := range fixtures.Models() {
		if n := of(m); n > 0 && !slices.Contains(values, n) {
			values = append(values, n)
		}
	}
	return values
}
