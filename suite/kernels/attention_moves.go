package kernels

import (
	"metalconform/oracles"
	"metalconform/suite"
)

// The kernels round attention that move data or gate it.

func sigmoidGate() suite.Kernel {
	base := suite.Shape{dim: 260}
	return suite.Kernel{
		Name: "sigmoid_gate",
		Doc:  "Multiplies a vector by the sigmoid of its gate, in place.",
		Axes: []suite.Axis{dim},
		Args: suite.Args{
			suite.InOut("x_out", suite.F32, dim), suite.In("gate", suite.F32, dim), suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Flat(dim, 256),
		Check: limits(atLeast(1, dim)),
		Work:  each(sigmoidOps+1, dim),
		Sweep: suite.Sweep{
			Shapes: concat(suite.Around(base, flatDims()),
				suite.Cross(suite.Shape{}, suite.Vary(dim, 4096, 6144, 8192))),
			Full:    suite.Cross(suite.Shape{}, suite.Vary(dim, 65536, 1<<20)),
			Probes:  []suite.Shape{base, {dim: 5}},
			Ends:    flatEnds(suite.Shape{}, dim),
			Refused: []suite.Shape{{dim: 0}},
			Inputs: append(suite.Standard(nil, "x_out", "gate"),
				suite.Input{Name: "gates_far", Fills: suite.Fills{"gate": suite.Uniform(-120, 120)}},
				suite.Input{Name: "gates_edge", Fills: suite.Fills{"gate": suite.Uniform(-89, -87)}},
				suite.Input{Name: "gates_extreme",
					Fills: suite.Fills{"gate": suite.Choice(-1e38, -1e4, -88.72284, 88.72284, 1e4, 1e38)}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"x_out": oracles.SigmoidGate(in.Values("x_out"), in.Values("gate"), in.Contract)}
		},
	}
}

func splitQGate() suite.Kernel {
	axes := []suite.Axis{nTokens, numHeads, perHead}
	base := point(axes, 2, 3, 33)
	return suite.Kernel{
		Name: "split_q_gate",
		Doc:  "Parts each head of a projection into query and gate.",
		Axes: axes,
		Args: suite.Args{
			suite.In("q_proj", suite.F32, nTokens, numHeads, suite.Fixed(2), perHead),
			suite.Out("q_out", suite.F32, nTokens, numHeads, perHead),
			suite.Out("gate_out", suite.F32, nTokens, numHeads, perHead),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("head_dim", suite.U32, perHead),
			suite.Const("n_tokens", suite.U32, nTokens),
		},
		Grid:  suite.Flat(suite.Product(nTokens, numHeads, perHead), 256),
		Check: limits(atLeast(1, axes...), countable(axes...)),
		Work:  suite.Work{Operations: none},
		Sweep: suite.Sweep{
			Shapes: append(suite.Around(base,
				suite.Vary(nTokens, 1, 17), suite.Vary(numHeads, 1, 2, 16), suite.Vary(perHead, 1, 31, 32, 63, 64, 65,
					128, 255, 256, 257)), point(axes, 1, 1, past16Bits), point(axes, 3, 5, 300)),
			Full:   suite.Cross(point(axes, 0, 0, 256), suite.Vary(nTokens, 1, 64), suite.Vary(numHeads, 16, 24, 32)),
			Probes: []suite.Shape{base, point(axes, 1, 1, 300)},
			Ends: []suite.End{
				endOf(point(axes, 2, 3, 33), suite.Shape{nTokens: 43383298}), // 4,294,946,502 queries
				endOf(point(axes, 1, 2, 32), suite.Shape{numHeads: 1<<26 + 2}),
				endOf(point(axes, 1, 512, 1), suite.Shape{numHeads: aroundSign}),
				endOf(point(axes, 512, 1, 1), suite.Shape{nTokens: aroundSign}),
			},
			Refused: append(suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(numHeads, 0),
				suite.Vary(perHead, 0))[1:], point(axes, 1<<16, 1<<9, 256)),
			Inputs: suite.Standard(nil, "q_proj"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			q, gate := oracles.SplitQGate(in.Values("q_proj"), in.Shape[perHead])
			return suite.Answers{"q_out": q, "gate_out": gate}
		},
	}
}

func cacheAppend() suite.Kernel {
	axes := []suite.Axis{nTokens, kvDim, kvStart, spare}
	base := point(axes, 3, 66, 2, 2)
	rows := suite.Func(func(s suite.Shape) int { return s[kvStart] + s[nTokens] + s[spare] })
	older := func(s suite.Shape) []suite.Range {
		var ranges []suite.Range
		for _, r := range []suite.Range{{First: 0, End: s[kvStart]}, {First: s[kvStart] + s[nTokens], End: rows(s)}} {
			if r.First < r.End {
				ranges = append(ranges, suite.Range{First: r.First * s[kvDim], End: r.End * s[kvDim]})
			}
		}
		return ranges
	}
	cache := func(name string) suite.Arg {
		return suite.Arg{Name: name, Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{rows, kvDim},
			Untouched: older, Unread: everything(rows, kvDim)}
	}
	return suite.Kernel{
		Name: "kv_cache_append_n_tokens",
		Doc:  "Writes the keys and values of new tokens into the caches; all other rows stay.",
		Axes: axes,
		Args: suite.Args{
			suite.In("k_src", suite.F32, nTokens, kvDim), suite.In("v_src", suite.F32, nTokens, kvDim),
			cache("k_cache"), cache("v_cache"),
			suite.Const("kv_dim", suite.U32, kvDim), suite.Const("n_tokens", suite.U32, nTokens),
			suite.Const("kv_start", suite.U32, kvStart),
		},
		Grid:  suite.Flat(suite.Product(nTokens, kvDim), 256),
		Check: limits(atLeast(1, nTokens, kvDim), atLeast(0, kvStart, spare), countable(nTokens, kvDim)),
		Work:  suite.Work{Operations: none, Reads: elements{"k_cache": none, "v_cache": none}},
		Sweep: suite.Sweep{
			Shapes: suite.Around(base,
				suite.Vary(nTokens, 1, 2, 17), suite.Vary(kvDim, 1, 31, 32, 85, 86, 255, 256, 257, 512),
				suite.Vary(kvStart, 0, 1, 33, 4097), suite.Vary(spare, 0, 1)),
			Full:   suite.Cross(point(axes, 0, 512, 4095, 1), suite.Vary(nTokens, 1, 64)),
			Probes: []suite.Shape{base, point(axes, 1, 300, 0, 0)},
			Ends: []suite.End{
				endOf(base.With(suite.Shape{nTokens: 2}), suite.Shape{kvStart: 1<<32 - 2}),
				endOf(point(axes, 512, 1, 0, 4), suite.Shape{nTokens: aroundSign}),
				endOf(point(axes, 1, 512, 0, 0), suite.Shape{kvDim: aroundSign}),
			},
			Refused: append(suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(kvDim, 0),
				suite.Vary(kvStart, -1))[1:], point(axes, 1<<17, 1<<16, 0, 0)),
			Inputs: suite.Standard(nil, "k_src", "v_src"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			at := in.Shape[kvStart] * in.Shape[kvDim]
			return suite.Answers{
				"k_cache": oracles.CacheAppend(in.Values("k_cache"), in.Values("k_src"), at),
				"v_cache": oracles.CacheAppend(in.Values("v_cache"), in.Values("v_src"), at),
			}
		},
	}
}
