package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/oracles"
	"metalconform/suite"
)

// lastPosition is the largest position of the real models.
const lastPosition = 262143

func ropeTokens() suite.Kernel {
	axes := []suite.Axis{nTokens, queryHeads, channels, rotaryDim, startPos}
	base := point(axes, 3, 2, 70, 34, 5)
	pairs := suite.Func(func(s suite.Shape) int { return s[rotaryDim] / 2 })
	model := func(n, heads, start int) suite.Shape { return point(axes, n, heads, 256, 64, start) }
	return suite.Kernel{
		Name: "rope_n_tokens",
		Doc:  "Rotary position embedding of every head in place, half-split pairs; channels from rotary_dim on stay.",
		Axes: axes,
		Args: suite.Args{
			{Name: "x", Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{nTokens, queryHeads, channels},
				Untouched: behindRotary, Unread: behindRotary},
			suite.In("inv_freq", suite.F32, pairs),
			suite.Const("n_tokens", suite.U32, nTokens),
			suite.Const("H", suite.U32, queryHeads),
			suite.Const("D", suite.U32, channels),
			suite.Const("rotary_dim", suite.U32, rotaryDim),
			suite.Const("start_pos", suite.I32, startPos),
		},
		Grid: suite.Flat(suite.Product(nTokens, queryHeads, pairs), 256),
		Check: limits(atLeast(1, nTokens, queryHeads, channels), atLeast(2, rotaryDim), multipleOf(2, rotaryDim),
			notAbove(rotaryDim, channels),
			atLeast(0, startPos), countable(nTokens, queryHeads, channels)),
		Work: suite.Work{Operations: total(times(rotationOps, nTokens, queryHeads, pairs),
			times(angleOps, nTokens, pairs))},
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(nTokens, 1, 2, 17), suite.Vary(queryHeads, 1, 3, 16),
					suite.Vary(channels, 34, 35, 64, 128, 256), suite.Vary(rotaryDim, 2, 4, 32, 64, 66, 70)),
				suite.Cross(model(1, 2, 0), suite.Vary(startPos, 0, 1, 4095, 4096, 32767, lastPosition)),
				[]suite.Shape{model(2, 16, 4095), point(axes, 2, 2, 512, 512, 4095), point(axes, 1, 2, 300, 258, 9)},
				// Positions at the ends of narrower counts. Where f32 does not have them all,
				// theirs is the nearest that it has.
				suite.Cross(model(1, 2, 0), suite.Vary(startPos, 1<<20+5, 1<<24-1, positionEnd)),
				[]suite.Shape{model(2, 1, 1<<24+1)},
			),
			Full: concat(
				suite.Cross(model(64, 2, 0), suite.Vary(startPos, 0, 4095, 32767, lastPosition-63)),
				[]suite.Shape{model(64, 32, 1000)}),
			Probes:   []suite.Shape{base, model(2, 2, lastPosition-1)},
			Settings: []suite.Setting{decisive("slow_turns", model(1, 2, 1<<24-1), suite.Fills{"inv_freq": slowTurns})},
			Ends: []suite.End{
				endOf(point(axes, 256, 1, 2, 2, 0), suite.Shape{nTokens: 1<<31 - 256}),
				endOf(point(axes, 1, 256, 2, 2, 5), suite.Shape{queryHeads: 1<<31 - 256}),
				{Shape: point(axes, 1, 1, 512, 512, 5), Of: suite.Shape{queryHeads: 2, channels: 1<<31 - 128},
					Before: map[string]int{"x": 1<<31 - 128}},
			},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(queryHeads, 0), suite.Vary(channels, 0, 33),
				suite.Vary(rotaryDim, 0, 1, 33, 72), suite.Vary(startPos, -1))[1:],
			Inputs: append(suite.Standard(suite.Fills{"inv_freq": falling}, "x"), nonFinite("inv_freq", falling)...),
		},
		Oracle:    func(in *suite.Problem) suite.Answers { return ropeAnswers(in, false) },
		Secondary: func(in *suite.Problem) suite.Answers { return ropeAnswers(in, true) },
	}
}

// ropeAnswers starts from the position as an f32 number and the angle as an f32
// product, which is what a kernel is judged by, or from the exact one, which shows what the format costs.
func ropeAnswers(in *suite.Problem, exact bool) suite.Answers {
	s := in.Shape
	var at []float64
	for t := range s[nTokens] {
		position := float64(s[startPos] + in.Preceding(nTokens) + t)
		if !exact {
			position = oracles.F32.Round(position)
		}
		at = append(at, position)
	}
	return suite.Answers{"x": oracles.RoPE(oracles.Rotation{
		X: in.Values("x"), Width: s[channels], InvFreq: in.Values("inv_freq"), Positions: at, Scale: 1,
		ExactAngle: exact}, in.Contract)}
}

// slowTurns are frequencies of which every other one has not turned far at the last
// position that f32 can count.
func slowTurns(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = math.Ldexp(1, -41*(i%2))
	}
}

// behindRotary are the channels of each head that do not turn.
func behindRotary(s suite.Shape) []suite.Range {
	var ranges []suite.Range
	for row := range s[nTokens] * s[queryHeads] {
		if s[rotaryDim] < s[channels] {
			ranges = append(ranges, suite.Range{First: row*s[channels] + s[rotaryDim], End: (row + 1) * s[channels]})
		}
	}
	return ranges
}

// falling draws frequencies that fall from 1 to about 10⁻⁷, as those of rotary
// embedding with θ = 10⁷ do. Only exact operations, so that every machine draws
// the same.
func falling(r *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = math.Ldexp(0.5+float64(r.Float64()/2), -24*i/len(x))
	}
}
