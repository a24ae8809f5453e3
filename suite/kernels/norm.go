package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Norms and residuals.
func norm() []suite.Kernel {
	return []suite.Kernel{
		sumOfSquares(), rmsNormApply(), rmsNormApplyBF16(), rmsNormFused(), rmsNormPerHead(), rmsNormQK(),
		gatedRMSNorm(),
		residualAdd(), residualAddTokens(),
	}
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
		Work:  rowWork(multiplyAdd+2, dim, rmsOps, nTokens),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(dim, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 511, 512, 513, 1009),
					suite.Vary(nTokens, 1, 2, 17)),
				[]suite.Shape{{nTokens: 2, dim: past16Bits}},
				suite.Cross(suite.Shape{nTokens: 1}, suite.Vary(dim, hiddenSizes()...)),
			),
			Full: concat(
				suite.Cross(suite.Shape{nTokens: 64}, suite.Vary(dim, hiddenSizes()...)),
				suite.Cross(suite.Shape{dim: 128}, suite.Vary(nTokens, 63, 65, 1000, 4096)),
			),
			Probes:   []suite.Shape{base, {nTokens: 2, dim: 31}, {nTokens: 1, dim: 4096}},
			Settings: append(otherEps(base, "x", 1e-7), vanishing(base, "x")),
			Ends:     []suite.End{endOf(suite.Shape{nTokens: 3, dim: 65}, suite.Shape{nTokens: 1<<26 + 3})},
			Refused:  []suite.Shape{{nTokens: 0, dim: 64}, {nTokens: 1, dim: 0}},
			Inputs: append(withExtremes(suite.Standard(nil, "x", "weight"), suite.Fills{"x": squareExtremes}),
				// Where x² is no larger than eps, a norm without eps shows.
				suite.Input{Name: "small", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e-4)}},
				suite.Input{Name: "tiny", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e-15)}},
				suite.Input{Name: "large", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e15)}},
				suite.Input{Name: "signs", Fills: suite.Fills{"x": signs(dim), "weight": halvesAndTwos}},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"square": oracles.Strided(256, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.RMSNorm(in.Values("x"), in.Values("weight"), in.Scalar("eps"),
				in.Contract)}
		},
	}
}

// signs draws rows of ±1 in which one element is 0. The mean of their squares is
// exact where n is a power of two, and just below 1, so that an ulp of its inverse
// root is as large as it gets: nothing hides an error of the root.
func signs(n suite.Extent) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.Choice(-1, 1)(r, s, x)
		for n := n.Size(s); len(x) >= n; x = x[n:] {
			x[r.IntN(n)] = 0
		}
	}
}

// lessOne is the sum of the squares of a row of signs.
func lessOne(n suite.Extent) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) { x[0] = float64(n.Size(s) - 1) }
}

// halvesAndTwos are weights that do not round.
func halvesAndTwos(r *rand.Rand, s suite.Shape, x []float64) {
	suite.Choice(-2, -1, -0.5, 0.5, 1, 2)(r, s, x)
}

// strided256 is the contract of a sum of squares over a threadgroup.
func strided256() oracles.Contract {
	return oracles.Contract{Sums: map[string]oracles.Schedule{"square": oracles.Strided(256, 1)}}
}

// normDims are row lengths round simdgroups and threadgroups of 256.
func normDims() suite.Variation {
	return suite.Vary(dim, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1009)
}

func sumOfSquares() suite.Kernel {
	base := suite.Shape{dim: 257}
	return suite.Kernel{
		Name: "rms_norm_sum_sq",
		Doc:  "The sum of squares, first pass of a norm.",
		Axes: []suite.Axis{dim},
		Args: suite.Args{
			suite.In("x", suite.F32, dim), suite.Out("sum_sq", suite.F32, suite.Fixed(1)),
			suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{suite.Fixed(1)}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, dim)),
		Work:  each(multiplyAdd, dim),
		Sweep: suite.Sweep{
			Shapes: concat(suite.Around(base, normDims()),
				suite.Cross(suite.Shape{}, suite.Vary(dim, append(hiddenSizes(), past16Bits)...))),
			Full:    suite.Cross(suite.Shape{}, suite.Vary(dim, 16384, 65536, 1<<20)),
			Probes:  []suite.Shape{base, {dim: 5}, {dim: 4096}},
			Refused: []suite.Shape{{dim: 0}},
			Inputs:  withExtremes(suite.Standard(nil, "x"), suite.Fills{"x": squareExtremes}),
		},
		Contract: strided256(),
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"sum_sq": oracles.SumOfSquares(in.Values("x"), in.Contract)}
		},
	}
}

func rmsNormApply() suite.Kernel {
	base := suite.Shape{dim: 257}
	sums := suite.Uniform(0.5, 400)
	return suite.Kernel{
		Name: "rms_norm_apply",
		Doc:  "Scales a row by its sum of squares and its weights, second pass of a norm.",
		Axes: []suite.Axis{dim},
		Args: suite.Args{
			suite.In("x", suite.F32, dim), suite.In("weight", suite.F32, dim),
			suite.In("sum_sq", suite.F32, suite.Fixed(1)),
			suite.Out("out", suite.F32, dim), suite.Const("dim", suite.U32, dim),
			suite.Const("eps", suite.F32, suite.Number(1e-6)),
		},
		Grid:  suite.Flat(dim, 256),
		Check: limits(atLeast(1, dim)),
		Work:  rowWork(2, dim, rmsOps),
		Sweep: suite.Sweep{
			Shapes: concat(suite.Around(base, normDims()),
				suite.Cross(suite.Shape{}, suite.Vary(dim, hiddenSizes()...))),
			Full:     suite.Cross(suite.Shape{}, suite.Vary(dim, 16384, 65536, 1<<20)),
			Probes:   []suite.Shape{base, {dim: 5}},
			Settings: otherEps(base, "sum_sq", 1e-11),
			Ends:     flatEnds(suite.Shape{}, dim),
			Refused:  []suite.Shape{{dim: 0}},
			Inputs: append(suite.Standard(suite.Fills{"sum_sq": sums}, "x", "weight", "sum_sq"),
				// Where the mean is no larger than eps, a norm without eps shows.
				suite.Input{Name: "small_sum", Fills: suite.Fills{"sum_sq": suite.Uniform(1e-7, 1e-4)}},
				suite.Input{Name: "no_sum", Fills: suite.Fills{"sum_sq": suite.Every(0)}},
				suite.Input{Name: "signs",
					Fills: suite.Fills{"x": signs(dim), "weight": halvesAndTwos, "sum_sq": lessOne(dim)}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.RMSNormApply(
				in.Values("x"), in.Values("weight"), in.Values("sum_sq")[0], int(in.Scalar("dim")), in.Scalar("eps"),
				in.Contract)}
		},
	}
}

func rmsNormApplyBF16() suite.Kernel {
	kernel := rmsNormApply()
	kernel.Name = "rms_norm_apply_bf16"
	kernel.Doc = "Scales a row by its sum of squares and its bf16 weights, second pass of a norm."
	kernel.Args = slices.Clone(kernel.Args)
	kernel.Args[1].Type = suite.BF16
	return kernel
}

func rmsNormPerHead() suite.Kernel {
	axes := []suite.Axis{nTokens, numHeads, perHead}
	base := point(axes, 2, 3, 65)
	return suite.Kernel{
		Name: "rms_norm_per_head_n_tokens",
		Doc:  "RMS norm of every head of every token in place, bf16 weights.",
		Axes: axes,
		Args: suite.Args{
			suite.InOut("x", suite.F32, nTokens, numHeads, perHead),
			suite.In("weight", suite.BF16, perHead),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("head_dim", suite.U32, perHead),
			suite.Const("eps", suite.F32, suite.Number(1e-6)),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{numHeads, nTokens}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, axes...)),
		Work:  rowWork(multiplyAdd+2, perHead, rmsOps, nTokens, numHeads),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(perHead, 1, 2, 31, 32, 33, 64, 127, 128, 129, 255, 256, 257, 509),
					suite.Vary(nTokens, 1, 5), suite.Vary(numHeads, 1, 2, 16)),
				[]suite.Shape{point(axes, 1, 32, 256), point(axes, 1, 2, 256), point(axes, 1, 1, past16Bits)}),
			Full: suite.Cross(point(axes, 0, 0, 256), suite.Vary(nTokens, 1, 64),
				suite.Vary(numHeads, 2, 4, 16, 24, 32)),
			Probes:   []suite.Shape{base, point(axes, 1, 2, 256)},
			Settings: append(otherEps(base, "x", 1e-7), vanishing(base, "x")),
			Ends: []suite.End{
				endOf(point(axes, 2, 3, 65), suite.Shape{nTokens: 1<<25 + 2}),
				endOf(point(axes, 1, 3, 65), suite.Shape{numHeads: 1<<31 + 3}),
			},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(numHeads, 0), suite.Vary(perHead, 0))[1:],
			Inputs: append(withExtremes(suite.Standard(nil, "x", "weight"), suite.Fills{"x": squareExtremes}),
				suite.Input{Name: "signs", Fills: suite.Fills{"x": signs(perHead), "weight": halvesAndTwos}}),
		},
		Contract: strided256(),
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"x": oracles.RMSNorm(in.Values("x"), in.Values("weight"), in.Scalar("eps"),
				in.Contract)}
		},
	}
}

// maxQKDim is the widest head of the kernels with one thread a channel.
const maxQKDim = 128

func rmsNormQK() suite.Kernel {
	axes := []suite.Axis{nTokens, numKHeads, keyDim, keyGap, valueTotal}
	base := point(axes, 2, 3, 33, 0, 50)
	queries := suite.Product(numKHeads, keyDim)
	offset := suite.Func(func(s suite.Shape) int { return qkLayout(s).KeyOffset })
	stride := suite.Func(func(s suite.Shape) int { return qkLayout(s).Stride })
	others := func(s suite.Shape) []suite.Range {
		var ranges []suite.Range
		for t := range s[nTokens] {
			first, end := t*stride(s), (t+1)*stride(s)
			for _, r := range []suite.Range{{First: first + queries(s), End: first + offset(s)},
				{First: end - s[valueTotal], End: end}} {
				if r.First < r.End {
					ranges = append(ranges, r)
				}
			}
		}
		return ranges
	}
	return suite.Kernel{
		Name: "rms_norm_qk",
		Doc:  "RMS norm of the query and key heads of every token in place; the values behind them stay.",
		Axes: axes,
		Args: suite.Args{
			{Name: "x", Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{nTokens, stride},
				Untouched: others, Unread: others},
			suite.Const("key_dim", suite.U32, keyDim),
			suite.Const("inv_scale", suite.F32,
				suite.NumberFunc(func(s suite.Shape) float64 { return 1 / math.Sqrt(float64(s[keyDim])) })),
			suite.Const("per_token_total", suite.U32, stride),
			suite.Const("key_offset_per_token", suite.U32, offset),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{numKHeads, nTokens}, Of: []suite.Extent{keyDim}},
		Check: limits(atLeast(1, nTokens, numKHeads, keyDim), atLeast(0, keyGap, valueTotal), atMost(maxQKDim, keyDim)),
		Work:  rowWork(multiplyAdd+2, keyDim, rmsOps, nTokens, suite.Fixed(2), numKHeads),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(keyDim, 1, 2, 31, 32, 63, 64, 65, 96, 127, 128),
					suite.Vary(nTokens, 1, 5), suite.Vary(numKHeads, 1, 2, 16), suite.Vary(valueTotal, 0, 1)),
				// Rows of one length whose keys begin elsewhere.
				[]suite.Shape{base.With(suite.Shape{keyGap: 7, valueTotal: 43}),
					base.With(suite.Shape{keyGap: 50, valueTotal: 0})},
				[]suite.Shape{point(axes, 1, 16, 128, 0, 4096), point(axes, 2, 16, 128, 0, 6144),
					point(axes, 1, 3, 33, past16Bits, 0)}),
			Full: suite.Cross(point(axes, 0, 16, 128, 0, 0), suite.Vary(nTokens, 1, 64),
				suite.Vary(valueTotal, 4096, 6144, 8192)),
			// 1/√64 is a power of two: the scale does not round.
			Probes: []suite.Shape{base, point(axes, 1, 2, 128, 5, 7), point(axes, 2, 1, 64, 0, 0)},
			// Rows of one layout with heads of two widths.
			Settings: append(otherScale("inv_scale", base,
				base.With(suite.Shape{keyDim: 30, keyGap: 9, valueTotal: 59})), vanishing(base, "x")),
			Ends: []suite.End{
				endOf(base, suite.Shape{nTokens: 1<<25 + 2}),
				// The last of three rows, without most of what is after its keys.
				{Shape: base.With(suite.Shape{nTokens: 1}), Of: suite.Shape{nTokens: 3, valueTotal: 1 << 31},
					Before: map[string]int{"x": 2 * stride(base.With(suite.Shape{valueTotal: 1 << 31}))}},
			},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(numKHeads, 0),
				suite.Vary(keyDim, 0, 129))[1:],
			Inputs: append(withExtremes(suite.Standard(nil, "x"), suite.Fills{"x": squareExtremes}),
				suite.Input{Name: "small", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 1e-4)}},
				suite.Input{Name: "signs", Fills: suite.Fills{"x": signs(keyDim)}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"square": oracles.Strided(128, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"x": oracles.RMSNormQK(in.Values("x"), qkLayout(in.Shape), in.Scalar("inv_scale"),
				qkEps, in.Contract)}
		},
	}
}

// qkLayout is a token's row: its queries, a gap, its keys and its values.
func qkLayout(s suite.Shape) oracles.QKNorm {
	queries := s[numKHeads] * s[keyDim]
	return oracles.QKNorm{Heads: s[numKHeads], Dim: s[keyDim], KeyOffset: queries + s[keyGap],
		Stride: 2*queries + s[keyGap] + s[valueTotal]}
}

// qkEps is the ε of rms_norm_qk: 1e-6 as an f32.
const qkEps = float64(float32(1e-6))

func gatedRMSNorm() suite.Kernel {
	axes := []suite.Axis{nTokens, numVHeads, valueDim}
	base := point(axes, 2, 3, 33)
	return suite.Kernel{
		Name: "gated_rms_norm",
		Doc:  "RMS norm of every value head, times silu of its gate, bf16 weights.",
		Axes: axes,
		Args: suite.Args{
			suite.In("values", suite.F32, nTokens, numVHeads, valueDim),
			suite.In("z", suite.F32, nTokens, numVHeads, valueDim),
			suite.In("weight", suite.BF16, valueDim),
			suite.Out("output", suite.F32, nTokens, numVHeads, valueDim),
			suite.Const("value_dim", suite.U32, valueDim),
			suite.Const("eps", suite.F32, suite.Number(1e-6)),
			suite.Const("num_v_heads", suite.U32, numVHeads),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{numVHeads, nTokens}, Of: []suite.Extent{valueDim}},
		Check: limits(atLeast(1, axes...), atMost(maxQKDim, valueDim)),
		Work:  rowWork(multiplyAdd+sigmoidOps+3, valueDim, rmsOps, nTokens, numVHeads),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(valueDim, 1, 2, 31, 32, 63, 64, 65, 96, 127, 128),
					suite.Vary(nTokens, 1, 5), suite.Vary(numVHeads, 1, 2, 16)),
				[]suite.Shape{point(axes, 1, 32, 128), point(axes, 1, 64, 128)}),
			Full: suite.Cross(point(axes, 0, 0, 128), suite.Vary(nTokens, 1, 64),
				suite.Vary(numVHeads, 32, 48, 64)),
			Probes:   []suite.Shape{base, point(axes, 1, 2, 128)},
			Settings: append(otherEps(base, "values", 1e-7), vanishing(base, "values")),
			Ends: []suite.End{
				endOf(base, suite.Shape{nTokens: 1<<26 + 2}),
				endOf(point(axes, 1, 3, 33), suite.Shape{numVHeads: 1<<31 + 3}),
			},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(numVHeads, 0),
				suite.Vary(valueDim, 0, 129))[1:],
			Inputs: append(withExtremes(suite.Standard(nil, "values", "z", "weight"),
				suite.Fills{"values": squareExtremes}),
				suite.Input{Name: "gates_far", Fills: suite.Fills{"z": suite.Uniform(-120, 120)}},
				suite.Input{Name: "gates_extreme",
					Fills: suite.Fills{"z": suite.Choice(-1e4, -88.72284, 88.72284, 1e4)}},
				// Gates that are open so wide that silu(z) is z.
				suite.Input{Name: "signs", Fills: suite.Fills{"values": signs(valueDim), "z": suite.Uniform(32, 64),
					"weight": halvesAndTwos}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"square": oracles.Strided(128, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"output": oracles.GatedRMSNorm(
				in.Values("values"), in.Values("z"), in.Values("weight"), in.Scalar("eps"), in.Contract)}
		},
	}
}

func residualAdd() suite.Kernel {
	base := suite.Shape{dim: 260}
	return suite.Kernel{
		Name: "residual_add",
		Doc:  "The sum of two vectors, rounded once.",
		Axes: []suite.Axis{dim},
		Args: suite.Args{
			suite.In("a", suite.F32, dim), suite.In("b", suite.F32, dim), suite.Out("out", suite.F32, dim),
			suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Flat(dim, 256),
		Check: limits(atLeast(1, dim)),
		Work:  each(1, dim),
		Sweep: suite.Sweep{
			Shapes: concat(suite.Around(base, flatDims()),
				suite.Cross(suite.Shape{}, suite.Vary(dim, hiddenSizes()...))),
			Full:    suite.Cross(suite.Shape{}, suite.Vary(dim, 65536, 1<<20)),
			Probes:  []suite.Shape{base, {dim: 5}},
			Ends:    flatEnds(suite.Shape{}, dim),
			Refused: []suite.Shape{{dim: 0}},
			Inputs: append(suite.Standard(nil, "a", "b"),
				suite.Input{Name: "overflow",
					Fills: suite.Fills{"a": suite.Choice(3e38, -3e38), "b": suite.Choice(3e38, -3e38)}}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.ResidualAdd(in.Values("a"), in.Values("b"), in.Contract)}
		},
	}
}

func residualAddTokens() suite.Kernel {
	base := suite.Shape{nTokens: 3, dim: 130}
	total := suite.Product(nTokens, dim)
	kernel := residualAdd()
	kernel.Name = "residual_add_n_tokens"
	kernel.Doc = "The sum of two vectors for each token, rounded once."
	kernel.Axes = []suite.Axis{nTokens, dim}
	kernel.Args = suite.Args{
		suite.In("a", suite.F32, nTokens, dim), suite.In("b", suite.F32, nTokens, dim),
		suite.Out("out", suite.F32, nTokens, dim),
		suite.Const("total", suite.U32, total),
	}
	kernel.Work = each(1, total)
	kernel.Grid = suite.Flat(total, 256)
	kernel.Check = limits(atLeast(1, nTokens, dim), countable(nTokens, dim))
	kernel.Sweep.Shapes = suite.Around(base, suite.Vary(nTokens, 1, 2, 17), flatDims())
	kernel.Sweep.Full = suite.Cross(suite.Shape{}, suite.Vary(nTokens, 1, 64), suite.Vary(dim, hiddenSizes()...))
	kernel.Sweep.Probes = []suite.Shape{base, {nTokens: 7, dim: 1}}
	kernel.Sweep.Ends = append(flatEnds(suite.Shape{dim: 1}, nTokens), flatEnds(suite.Shape{nTokens: 1}, dim)...)
	kernel.Sweep.Refused = []suite.Shape{{nTokens: 0, dim: 4}, {nTokens: 4, dim: 0}, {nTokens: 1 << 16, dim: 1 << 17}}
	return kernel
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

// vanishing are numbers whose squares are 0 in f32.
func vanishing(s suite.Shape, arg string) suite.Setting {
	return decisive("vanishing", s, suite.Fills{arg: suite.Scaled(suite.Normal, 1e-25)})
}

// otherEps are points with values of eps that no kernel has as a built-in constant. They are above and below the usual
// ones. An argument is scaled such that eps is not negligible next to its squares.
func otherEps(at suite.Shape, arg string, scale float64) []suite.Setting {
	return []suite.Setting{
		{Name: "large_eps", Shape: at, Set: map[string]float64{"eps": 0.25}},
		{Name: "small_eps", Shape: at, Set: map[string]float64{"eps": 1e-13},
			Fills: suite.Fills{arg: suite.Scaled(suite.Positive, scale)}},
	}
}
