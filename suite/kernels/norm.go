package kernels

import (
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Norms and residuals.
func norm() []suite.Kernel {
	return []suite.Kernel{rmsNormFused()}
}

func rmsNormFused() suite.Kernel {
	base := suite.Shape{nTokens: 3, dim: 257}
	return suite.Kernel{
		Name: "rms_norm_bf16_fused_n_tokens",
		Doc:  "RMS norm of every token's row with bf16 weights, in one launch.",
		Axes: []suite.Axis{nTokens, dim},
		Args: suite.Args{
			suite.In("x", suite.F32, nTokens, dim),
			suite.In("weight", suite.BF16, dim),
			suite.Out("out", suite.F32, nTokens, dim),
			suite.Const("dim", suite.U32, dim),
			suite.Const("eps", suite.F32, suite.Number(1e-6)),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{nTokens}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, nTokens, dim)),
		Sweep: suite.Sweep{
			Shapes: slices.Concat(
				suite.Around(base,
					suite.Vary(dim, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 511, 512, 513, 1009),
					suite.Vary(nTokens, 1, 2, 17)),
				suite.Cross(suite.Shape{nTokens: 1}, suite.Vary(dim, hiddenSizes()...)),
			),
			Full: slices.Concat(
				suite.Cross(suite.Shape{nTokens: 64}, suite.Vary(dim, hiddenSizes()...)),
				suite.Cross(suite.Shape{dim: 128}, suite.Vary(nTokens, 63, 65, 1000, 4096)),
			),
			Probes:  []suite.Shape{base, {nTokens: 2, dim: 31}, {nTokens: 1, dim: 4096}},
			Refused: []suite.Shape{{nTokens: 0, dim: 64}, {nTokens: 1, dim: 0}},
			Inputs: append(suite.Standard(nil, "x", "weight"),
				// Where x² is no larger than eps, a norm without eps shows.
				suite.Input{Name: "small", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e-4)}},
				suite.Input{Name: "tiny", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e-15)}},
				suite.Input{Name: "large", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e15)}},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"square": oracles.Strided(256, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.RMSNorm(in.Values("x"), in.Values("weight"), in.Scalar("eps"), in.Contract)}
		},
	}
}

// hiddenSizes are the row lengths of the real models.
func hiddenSizes() []int {
	var sizes []int
	for _, m := range fixtures.Models() {
		if !slices.Contains(sizes, m.Hidden) {
			sizes = append(sizes, m.Hidden)
		}
	}
	return sizes
}
