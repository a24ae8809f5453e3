package kernels

import (
	"math/rand/v2"

	"metalconform/oracles"
	"metalconform/suite"
)

// combineSweep is the sweep of the kernels that add up one token's experts.
func combineSweep(args ...string) suite.Sweep {
	base := suite.Shape{dim: 260, slots: 5}
	return suite.Sweep{
		Shapes: concat(
			suite.Around(base, flatDims(), suite.Vary(slots, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
			suite.Cross(suite.Shape{slots: 10}, suite.Vary(dim, 2048)), []suite.Shape{{dim: 1009, slots: maxCombined}},
		),
		Full:   suite.Cross(suite.Shape{}, suite.Vary(slots, 8, 10), suite.Vary(dim, hiddenSizes()...)),
		Probes: []suite.Shape{base, {dim: 3, slots: 16}},
		Settings: []suite.Setting{decisive("gate_nearly_closed", suite.Shape{dim: 33, slots: 2},
			with(with(combineFills(suite.Normal, suite.Normal), "params", gate(nearlyClosed)), "shared_out",
				behindClosedGate)),
			decisive("light_channels", suite.Shape{dim: 33, slots: 16}, with(with(
				combineFills(steps(along(dim, single, -farApart)), suite.Normal), "h_mid", suite.Zeros), "shared_out",
				suite.Zeros))},
		Ends:    flatEnds(suite.Shape{slots: 1}, dim),
		Refused: suite.Around(base, suite.Vary(dim, 0), suite.Vary(slots, -1, maxCombined+1))[1:],
		Inputs: append(suite.Standard(nil, args...),
			// A shared output of 0 takes the gate out of a sum of integers.
			suite.Input{Name: "exact",
				Fills: with(combineFills(suite.Integers, suite.Integers), "shared_out", suite.Every(0))},
			suite.Input{Name: "exact_in_order", Fills: combinedInOrder()},
			suite.Input{Name: "light_weights",
				Fills: combineFills(suite.Scaled(suite.Normal, 0x1p40), suite.Scaled(suite.Normal, 0x1p-40))},
			suite.Input{Name: "gate_closed", Fills: suite.Fills{"params": gate(-100)}},
			suite.Input{Name: "gate_open", Fills: suite.Fills{"params": gate(100)}},
			suite.Input{Name: "gate_edge", Fills: suite.Fills{"params": gate(-88.5)}},
		),
	}
}

// combineFills fills the vectors and the parameters of a combine kernel.
func combineFills(vectors, params suite.Fill) suite.Fills {
	fills := suite.Fills{"h_mid": vectors, "shared_out": vectors, "expert_out": vectors, "params": params}
	for _, name := range expertNames() {
		fills[name] = vectors
	}
	return fills
}

// combinedInOrder are experts whose sum is exact in their order, and nothing else.
func combinedInOrder() suite.Fills {
	fills := combineFills(suite.Every(0), weightsInOrder)
	fills["expert_out"] = expertsInOrder(0)
	for expert, name := range expertNames() {
		fills[name] = expertsInOrder(expert)
	}
	return fills
}

// gate draws expert weights and sets the shared expert's gate.
func gate(x float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, p []float64) {
		suite.Normal(r, s, p)
		p[sharedGate] = x
	}
}

// sixteenExperts are the bindings of the kernels that take each expert in a
// buffer of its own, and with gated the shared expert's gate.
func sixteenExperts(gated bool) suite.Args {
	args := suite.Args{
		suite.In("h_mid", suite.F32, dim),
		suite.In("shared_out", suite.F32, dim),
		suite.Out("hidden_out", suite.F32, dim),
	}
	for i, name := range expertNames() {
		args = append(args, suite.In(name, suite.F32, dim).Ignoring(func(s suite.Shape) []suite.Range {
			if i < s[slots] {
				return nil
			}
			return []suite.Range{{First: 0, End: s[dim]}}
		}))
	}
	return append(args,
		suite.In("params", suite.F32, suite.Fixed(combineParams)).Ignoring(unusedParams(gated)),
		suite.Const("dim", suite.U32, dim),
		suite.Const("K", suite.U32, slots))
}

// unusedParams are the weights of experts that do not take part, the gate of a shared
// expert that has none, and the last one.
func unusedParams(gated bool) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		used := sharedGate
		if gated {
			used++
		}
		return []suite.Range{{First: s[slots], End: sharedGate}, {First: used, End: combineParams}}
	}
}

func expertNames() []string {
	return []string{"expert_out0", "expert_out1", "expert_out2", "expert_out3", "expert_out4", "expert_out5",
		"expert_out6", "expert_out7",
		"expert_out8", "expert_out9", "expert_out10", "expert_out11", "expert_out12", "expert_out13", "expert_out14",
		"expert_out15"}
}

// firstExperts are the outputs of the experts that a kernel has to read.
func firstExperts(in *suite.Problem) []float64 {
	var x []float64
	for _, name := range expertNames()[:in.Shape[slots]] {
		x = append(x, in.Values(name)...)
	}
	return x
}

func combineResidual() suite.Kernel {
	return suite.Kernel{
		Name:     "moe_combine_residual",
		Doc:      "Residual, K weighted experts in buffers of their own, and the shared expert behind its gate.",
		Axes:     []suite.Axis{dim, slots},
		Args:     sixteenExperts(true),
		Grid:     suite.Flat(dim, 256),
		Check:    limits(atLeast(1, dim), atLeast(0, slots), atMost(maxCombined, slots)),
		Work:     separately(combineWork(true)),
		Sweep:    combineSweep("h_mid", "shared_out", "expert_out0", "expert_out4", "expert_out15", "params"),
		Contract: combined(),
		Oracle: func(in *suite.Problem) suite.Answers {
			p := in.Values("params")
			return suite.Answers{"hidden_out": oracles.Combine(in.Values("h_mid"), in.Values("shared_out"),
				firstExperts(in), p[:in.Shape[slots]], &p[sharedGate], in.Contract)}
		},
	}
}

func combineResidualUnscaled() suite.Kernel {
	kernel := combineResidual()
	kernel.Name = "moe_combine_residual_unscaled"
	kernel.Doc = "Residual, K weighted experts in buffers of their own, and the shared expert as it is."
	kernel.Args = sixteenExperts(false)
	kernel.Work = separately(combineWork(false))
	kernel.Oracle = func(in *suite.Problem) suite.Answers {
		p := in.Values("params")
		return suite.Answers{"hidden_out": oracles.Combine(in.Values("h_mid"), in.Values("shared_out"),
			firstExperts(in), p[:in.Shape[slots]], nil, in.Contract)}
	}
	return kernel
}

func combineResidualFlat() suite.Kernel {
	return suite.Kernel{
		Name: "moe_combine_residual_flat",
		Doc:  "Residual, K weighted experts in one buffer, and the shared expert behind its gate.",
		Axes: []suite.Axis{dim, slots},
		Args: suite.Args{
			suite.In("h_mid", suite.F32, dim),
			suite.In("shared_out", suite.F32, dim),
			suite.Out("hidden_out", suite.F32, dim),
			suite.In("expert_out", suite.F32, slots, dim),
			suite.In("params", suite.F32, suite.Fixed(combineParams)).Ignoring(unusedParams(true)),
			suite.Const("dim", suite.U32, dim),
			suite.Const("K", suite.U32, slots),
		},
		Grid:     suite.Flat(dim, 256),
		Check:    limits(atLeast(1, dim), atLeast(0, slots), atMost(maxCombined, slots)),
		Work:     combineWork(true),
		Sweep:    combineSweep("h_mid", "shared_out", "expert_out", "params"),
		Contract: combined(),
		Oracle: func(in *suite.Problem) suite.Answers {
			p := in.Values("params")
			return suite.Answers{"hidden_out": oracles.Combine(in.Values("h_mid"), in.Values("shared_out"),
				in.Values("expert_out"), p[:in.Shape[slots]], &p[sharedGate], in.Contract)}
		},
	}
}

func combineResidualTokens() suite.Kernel {
	base := suite.Shape{nTokens: 3, dim: 130}
	return suite.Kernel{
		Name: "moe_combine_residual_n_tokens",
		Doc:  "Residual, summed experts, and the shared expert behind its gate, for several tokens.",
		Axes: []suite.Axis{nTokens, dim},
		Args: suite.Args{
			suite.In("h_mid", suite.F32, nTokens, dim),
			suite.In("moe_sum", suite.F32, nTokens, dim),
			suite.In("shared_out", suite.F32, nTokens, dim),
			suite.In("shared_gate", suite.F32, nTokens),
			suite.Out("hidden_out", suite.F32, nTokens, dim),
			suite.Const("n_tokens", suite.U32, nTokens),
			suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Flat(suite.Product(nTokens, dim), 256),
		Check: limits(atLeast(1, nTokens, dim), countable(nTokens, dim)),
		Work:  rowWork(1+multiplyAdd, dim, sigmoidOps, nTokens),
		Sweep: suite.Sweep{
			Shapes: suite.Around(base, suite.Vary(nTokens, 1, 2, 17), flatDims()),
			Full:   suite.Cross(suite.Shape{}, suite.Vary(nTokens, 1, 64), suite.Vary(dim, hiddenSizes()...)),
			Probes: []suite.Shape{base, {nTokens: 7, dim: 1}},
			Settings: []suite.Setting{decisive("gates_nearly_closed", base,
				suite.Fills{"shared_gate": suite.Every(nearlyClosed), "shared_out": behindClosedGate})},
			Ends:    append(flatEnds(suite.Shape{dim: 1}, nTokens), flatEnds(suite.Shape{nTokens: 1}, dim)...),
			Refused: []suite.Shape{{nTokens: 0, dim: 4}, {nTokens: 4, dim: 0}, {nTokens: 1 << 16, dim: 1 << 17}},
			Inputs: append(suite.Standard(nil, "h_mid", "moe_sum", "shared_out", "shared_gate"),
				suite.Input{Name: "exact", Fills: suite.Fills{
					"h_mid": suite.Integers, "moe_sum": suite.Integers, "shared_out": suite.Every(0),
					"shared_gate": suite.Integers}},
				suite.Input{Name: "gates_far",
					Fills: suite.Fills{"shared_gate": suite.Choice(-1e4, -100, -88.5, 88.5, 100, 1e4)}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"parts": oracles.AnyOrder()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"hidden_out": oracles.CombineTokens(
				in.Values("h_mid"), in.Values("moe_sum"), in.Values("shared_out"), in.Values("shared_gate"),
				in.Contract)}
		},
	}
}

// combineWork adds the weighted experts and the shared one to the residual, the
// shared one times the sigmoid of its gate if it has one.
func combineWork(gated bool) suite.Work {
	perElement, once, weights := 1, 0, total(slots)
	if gated {
		perElement, once, weights = multiplyAdd, sigmoidOps, total(slots, suite.Fixed(1))
	}
	return suite.Work{
		Operations: total(times(multiplyAdd, slots, dim), times(perElement, dim), suite.Fixed(once)),
		Reads:      elements{"params": weights},
	}
}

// separately is the work with each expert in a buffer of its own. Only the first
// buffers are read.
func separately(w suite.Work) suite.Work {
	for i, name := range expertNames() {
		w.Reads[name] = suite.Func(func(s suite.Shape) int {
			if i >= s[slots] {
				return 0
			}
			return s[dim]
		})
	}
	return w
}
