package kernels

import (
	"metalconform/oracles"
	"metalconform/suite"
)

// swigluInputs are the families of the gated activations: gates from the
// subnormal to where the exponential overflows.
func swigluInputs() []suite.Input {
	return append(suite.Standard(nil, "gate", "up"),
		suite.Input{Name: "gates_far", Fills: suite.Fills{"gate": suite.Uniform(-120, 120)}},
		suite.Input{Name: "gates_edge", Fills: suite.Fills{"gate": suite.Uniform(-89, -87)}},
		suite.Input{Name: "gates_extreme",
			Fills: suite.Fills{"gate": suite.Choice(-1e38, -1e4, -88.72284, 88.72284, 1e4, 1e38)}})
}

func swigluOracle(in *suite.Problem) suite.Answers {
	return suite.Answers{"out": oracles.SwiGLU(in.Values("gate"), in.Values("up"), in.Contract)}
}

func swiglu() suite.Kernel {
	base := suite.Shape{dim: 260}
	return suite.Kernel{
		Name: "swiglu_fused",
		Doc:  "silu(gate)·up.",
		Axes: []suite.Axis{dim},
		Args: suite.Args{
			suite.In("gate", suite.F32, dim), suite.In("up", suite.F32, dim), suite.Out("out", suite.F32, dim),
			suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Flat(dim, 256),
		Check: limits(atLeast(1, dim)),
		Work:  each(sigmoidOps+1, dim),
		Sweep: suite.Sweep{
			Shapes: concat(suite.Around(base, flatDims()),
				suite.Cross(suite.Shape{}, suite.Vary(dim, 512, 1024, 2048, 17408))),
			Full:    suite.Cross(suite.Shape{}, suite.Vary(dim, 18432, 1<<20)),
			Probes:  []suite.Shape{base, {dim: 5}},
			Ends:    flatEnds(suite.Shape{}, dim),
			Refused: []suite.Shape{{dim: 0}},
			Inputs:  swigluInputs(),
		},
		Oracle: swigluOracle,
	}
}

func swigluVec4() suite.Kernel {
	kernel := swiglu()
	kernel.Name = "swiglu_fused_vec4"
	kernel.Doc = "silu(gate)·up, four elements a thread."
	kernel.Grid = suite.Flat(suite.Func(func(s suite.Shape) int { return s[dim] / 4 }), 256)
	kernel.Check = limits(atLeast(1, dim), multipleOf(4, dim))
	kernel.Sweep.Shapes = suite.Cross(suite.Shape{},
		suite.Vary(dim, 4, 8, 124, 128, 132, 512, 1020, 1024, 1028, 2048, 17408))
	kernel.Sweep.Probes = []suite.Shape{{dim: 260}, {dim: 4}}
	kernel.Sweep.Ends = []suite.End{
		endOf(suite.Shape{dim: 2048}, suite.Shape{dim: 1<<31 + 1024}),
		endOf(suite.Shape{dim: 2048}, suite.Shape{dim: 1<<32 - 1024})}
	kernel.Sweep.Refused = []suite.Shape{{dim: 0}, {dim: 3}, {dim: 258}}
	return kernel
}

func swigluBatched() suite.Kernel {
	base := suite.Shape{slots: 3, dim: 130}
	kernel := swiglu()
	kernel.Name = "swiglu_fused_batched"
	kernel.Doc = "silu(gate)·up of K experts."
	kernel.Axes = []suite.Axis{slots, dim}
	kernel.Args = suite.Args{
		suite.In("gate", suite.F32, slots, dim), suite.In("up", suite.F32, slots, dim),
		suite.Out("out", suite.F32, slots, dim),
		suite.Const("dim", suite.U32, dim), suite.Const("K", suite.U32, slots),
	}
	kernel.Work = each(sigmoidOps+1, slots, dim)
	kernel.Grid = suite.Flat(suite.Product(slots, dim), 256)
	kernel.Check = limits(atLeast(1, slots, dim), countable(slots, dim))
	kernel.Sweep.Shapes = append(suite.Around(base, suite.Vary(slots, 1, 2, 8, 10), flatDims()),
		suite.Shape{slots: 10, dim: 1009})
	kernel.Sweep.Full = suite.Cross(suite.Shape{slots: 10}, suite.Vary(dim, 512, 1024, 2048))
	kernel.Sweep.Probes = []suite.Shape{base, {slots: 5, dim: 1}}
	kernel.Sweep.Ends = append(flatEnds(suite.Shape{dim: 1}, slots), flatEnds(suite.Shape{slots: 1}, dim)...)
	kernel.Sweep.Refused = []suite.Shape{{slots: 0, dim: 4}, {slots: 4, dim: 0}, {slots: 1 << 16, dim: 1 << 17}}
	return kernel
}
