package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// maxPosition is the largest position up to which every one is an f32 number.
const maxPosition = 1 << 24

func yarnRope() suite.Kernel {
	axes := []suite.Axis{numHeads, rotaryDim, pos, yarnFactor}
	base := point(axes, 3, 64, 4096, 40)
	deepSeek := fixtures.DeepSeekV3()
	pairs := suite.Func(func(s suite.Shape) int { return s[rotaryDim] / 2 })
	return suite.Kernel{
		Name: "yarn_rope_apply",
		Doc:  "Rotary embedding of every head at one position, in half-split pairs, with YaRN's magnitude.",
		Axes: axes,
		Args: suite.Args{
			suite.InOut("x", suite.F32, numHeads, rotaryDim),
			suite.In("inv_freq", suite.F32, pairs),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("rotary_dim", suite.U32, rotaryDim),
			suite.Const("pos_f", suite.F32, pos),
			suite.Const("mscale", suite.F32,
				suite.NumberFunc(func(s suite.Shape) float64 { return yarn(s).Magnitude() })),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{numHeads, pairs}, Of: []suite.Extent{suite.Fixed(1)}},
		Check: limits(
			atLeast(1, numHeads, rotaryDim, yarnFactor), multipleOf(2, rotaryDim), countable(numHeads, rotaryDim),
			atLeast(0, pos), atMost(maxPosition, pos)),
		// both functions times mscale
		Work: suite.Work{Operations: total(times(rotationOps, numHeads, pairs), times(angleOps+2, pairs))},
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 2, 31), suite.Vary(rotaryDim, 2, 4, 6, 62, 66, 128, 256, 512),
					suite.Vary(yarnFactor, 1, 2),
					suite.Vary(pos, 0, 1, 2, 100, 4095, 4097, 32767, 262143, 1<<20+5, maxPosition)),
				suite.Cross(base.With(suite.Shape{yarnFactor: 1}), suite.Vary(pos, 0, 1, 4095, 4096, 32767, 262143)),
			),
			Full: concat(
				suite.Cross(point(axes, deepSeek.QueryHeads, deepSeek.Latent.RoPE, 0, 40),
					suite.Vary(pos, 0, 1, 4095, 4096, 32767, 163839)),
				suite.Cross(base, suite.Vary(yarnFactor, 1, 40),
					suite.Vary(pos, 3, 1000, 65536, 131071, 1<<20, maxPosition)),
			),
			Probes: []suite.Shape{base, base.With(suite.Shape{pos: 0}), point(axes, 2, 10, 262143, 1)},
			Settings: []suite.Setting{
				{Name: "small_mscale", Shape: base, Set: map[string]float64{"mscale": 0.7}},
				decisive("slow_turns", base.With(suite.Shape{pos: maxPosition}), suite.Fills{"inv_freq": slowTurns}),
				{Name: "between_positions", Shape: base, Set: map[string]float64{"pos_f": 1000.5}},
			},
			Ends: []suite.End{endOf(point(axes, 8, 2, 5, 40), suite.Shape{numHeads: 1<<31 - 8})},
			Refused: append(
				suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(rotaryDim, 0, 1, 63),
					suite.Vary(pos, -1, maxPosition+1), suite.Vary(yarnFactor, 0))[1:],
				base.With(suite.Shape{numHeads: 1 << 27})),
			Inputs: rotationInputs(),
		},
		Oracle:    func(in *suite.Problem) suite.Answers { return yarnAnswers(in, false) },
		Secondary: func(in *suite.Problem) suite.Answers { return yarnAnswers(in, true) },
	}
}

// yarnAnswers starts from the angle as an f32 product, which is what a kernel is judged by, or
// from the exact one.
func yarnAnswers(in *suite.Problem, exact bool) suite.Answers {
	return suite.Answers{"x": oracles.RoPE(oracles.Rotation{
		X: in.Values("x"), Width: in.Shape[rotaryDim], InvFreq: in.Values("inv_freq"),
		Positions: []float64{in.Scalar("pos_f")}, Scale: in.Scalar("mscale"), ExactAngle: exact}, in.Contract)}
}

// yarn is DeepSeek's rotary embedding with the channels and the factor of the
// shape.
func yarn(s suite.Shape) fixtures.YaRN {
	y := fixtures.DeepSeekV3().Latent.YaRN
	y.Channels, y.Factor = s[rotaryDim], float64(s[yarnFactor])
	return y
}

// rotationInputs are the families of a rotation by a table of frequencies.
func rotationInputs() []suite.Input {
	table := func(_ *rand.Rand, s suite.Shape, x []float64) { copy(x, yarn(s).InverseFrequencies()) }
	return append(suite.Standard(suite.Fills{"inv_freq": table}, "x"),
		suite.Input{Name: "frequencies_zero", Fills: suite.Fills{"inv_freq": suite.Every(0), "x": suite.Integers}},
		suite.Input{Name: "frequencies_any", Fills: suite.Fills{"inv_freq": suite.Uniform(0, 1)}},
		suite.Input{Name: "frequencies_subnormal", Fills: suite.Fills{"inv_freq": magnitudes(suite.Subnormal)}},
		suite.Input{Name: "nan_inv_freq", Fills: suite.Fills{"inv_freq": suite.OneOf(table, math.NaN())}},
		suite.Input{Name: "inf_inv_freq", Fills: suite.Fills{"inv_freq": suite.OneOf(table, math.Inf(1))}},
	)
}
