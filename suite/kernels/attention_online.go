package kernels

import (
	"maps"
	"math"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// maxOnlineDim is the widest head of attn_online_f32.
const maxOnlineDim = 512

// onlineSimdgroups is the number of simdgroups that attn_online_f32 is
// launched with; its blocks are of 32 keys.
const onlineSimdgroups = 4

// seenKeys is the number of keys that the last query sees, and thus any does.
var seenKeys = suite.Func(func(s suite.Shape) int {
	if s[causal] == 0 {
		return s[positions]
	}
	return min(s[positions], s[startPos]+s[tokens])
})

func attentionOnline() suite.Kernel {
	axes := []suite.Axis{tokens, positions, queryHeads, keyHeads, channels, mapping, causal, startPos}
	base := point(axes, 3, 70, 4, 2, 33, 0, 0, 0)
	tiled := base.With(suite.Shape{mapping: 1})
	masked := point(axes, 5, 40, 4, 2, 33, 1, 1, 35)
	return suite.Kernel{
		Name: "attn_online_f32",
		Doc:  "Attention in one pass with online softmax, block or tiled heads, causal or not.",
		Axes: axes,
		Args: suite.Args{
			suite.In("Q", suite.F32, tokens, queryHeads, channels),
			suite.In("K", suite.F32, positions, keyHeads, channels).Ignoring(rowsFrom(seenKeys, positions, keyWidth)),
			suite.In("V", suite.F32, positions, keyHeads, channels).Ignoring(rowsFrom(seenKeys, positions, keyWidth)),
			suite.Out("out", suite.F32, tokens, queryHeads, channels),
			suite.Params("params",
				suite.Field{Name: "T", Type: suite.U32, Value: tokens},
				suite.Field{Name: "S", Type: suite.U32, Value: positions},
				suite.Field{Name: "H", Type: suite.U32, Value: queryHeads},
				suite.Field{Name: "Hg", Type: suite.U32, Value: keyHeads},
				suite.Field{Name: "D", Type: suite.U32, Value: channels},
				suite.Field{Name: "mapping", Type: suite.U32, Value: mapping},
				suite.Field{Name: "causal", Type: suite.U32, Value: causal},
				suite.Field{Name: "start_pos", Type: suite.U32, Value: startPos},
				suite.Field{Name: "scale", Type: suite.F32, Value: headScale}),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{tokens, queryHeads},
			Of: []suite.Extent{width(32 * onlineSimdgroups)}},
		Check: limits(atLeast(1, tokens, positions, queryHeads, keyHeads, channels), atMost(maxOnlineDim, channels),
			multiple(queryHeads, keyHeads),
			atLeast(0, mapping, causal, startPos), atMost(1, mapping, causal), countedPositions),
		Work: onlineWork(),
		Sweep: suite.Sweep{
			Shapes: concat(
				headSharing(base, keyHeads, queryHeads), headSharing(tiled, keyHeads, queryHeads),
				suite.Around(base,
					suite.Vary(tokens, 1, 2, 17),
					suite.Vary(positions, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257),
					suite.Vary(channels, 1, 31, 32, 63, 64, 65, 128, 256, 511, 512)),
				[]suite.Shape{base.With(suite.Shape{causal: 1})},
				suite.Around(masked,
					suite.Vary(tokens, 1, 2, 17), suite.Vary(startPos, 0, 1, 30, 31, 32, 39, 100),
					suite.Vary(positions, 1, 33, 64)),
				[]suite.Shape{online(fixtures.Qwen3Next80B(), 1, 65), point(axes, 1, 4097, 2, 1, 16, 0, 0, 0),
					point(axes, 70, 70, 2, 1, 4, 0, 1, 0), point(axes, 4, 300, 6, 3, 65, 1, 1, 246),
					point(axes, 1, past16Bits, 1, 1, 1, 0, 1, past16Bits-9)},
				// Start positions at the ends of narrower counts: every key is seen.
				suite.Cross(masked, suite.Vary(startPos, 1<<16, 1<<20, 1<<24+1, 1<<31-3, 1<<32-6)),
			),
			Full: concat(
				[]suite.Shape{online(fixtures.Qwen3Next80B(), 1, 1000), online(fixtures.Qwen27B(), 2, 257),
					online(fixtures.Qwen397B(), 1, 129), online(fixtures.Qwen3Next80B(), 1, 1<<16)},
				suite.Cross(point(axes, 1, 0, 4, 2, 64, 1, 0, 0), suite.Vary(positions, 1000, 4095, 4096)),
				suite.Cross(masked.With(suite.Shape{positions: 200, startPos: 100}), suite.Vary(tokens, 63, 64, 65))),
			// The third is long enough for every simdgroup to rescale its state; the last
			// has keys that no query sees.
			Probes: []suite.Shape{base, masked, point(axes, 1, 300, 2, 1, 16, 1, 0, 0),
				point(axes, 2, 70, 4, 2, 20, 1, 1, 7)},
			Settings: append(append(otherScale("scale", base, base.With(suite.Shape{channels: 34})),
				widths([]suite.Shape{base, masked, point(axes, 1, 1, 2, 1, 64, 0, 1, 0),
					point(axes, 2, 33, 2, 2, 128, 1, 1, 40), point(axes, 1, 300, 2, 1, 16, 1, 0, 0),
					point(axes, 1, 1100, 2, 1, 3, 0, 1, 1099)}, 32, 64, 96, 256, 1024)...),
				decisive("light_queries", base, suite.Fills{
					"Q": steps(along(channels, single, -farApart)), "K": steps(along(channels, single, farApart))}),
				// Peaks in every simdgroup, after many turns, and in a wide head.
				onlinePeaks(point(axes, 1, 300, 10, 10, 16, 0, 0, 0)),
				onlinePeaks(point(axes, 1, 4097, 1, 1, 4, 0, 0, 0)),
				onlinePeaks(point(axes, 1, 161, 1, 1, 512, 0, 0, 0)),
				decisive("small_weights", point(axes, 1, 300, 2, 2, 16, 0, 0, 0),
					suite.Fills{"Q": firstChannel, "K": leaningKeys, "V": leaningValues})),
			Ends: []suite.End{
				endOf(point(axes, 3, 5, 1, 1, 36, 0, 1, 5), suite.Shape{tokens: 1<<31 + 3}),
				// One key, so that the heads of its row are one range.
				endOf(point(axes, 1, 1, 4, keyHeadsOf4(oracles.BlockHeads), 36, 0, 0, 0),
					suite.Shape{queryHeads: 1<<32 - 8, keyHeads: 1<<31 - 4}),
				endOf(point(axes, 1, 1, 4, keyHeadsOf4(oracles.TiledHeads), 36, 1, 0, 0),
					suite.Shape{queryHeads: 1<<32 - 8, keyHeads: 1<<31 - 4}),
			},
			Refused: suite.Around(base, suite.Vary(tokens, 0), suite.Vary(positions, 0), suite.Vary(queryHeads, 0, 3),
				suite.Vary(keyHeads, 0, 3),
				suite.Vary(channels, 0, 513), suite.Vary(mapping, -1, 2), suite.Vary(causal, -1, 2),
				suite.Vary(startPos, -1, 1<<32-3))[1:],
			Inputs: append(append(withExtremes(suite.Standard(nil, "Q", "K", "V"), suite.Fills{
				"Q": suite.ExtremesUpTo(4), "K": suite.ExtremesUpTo(4), "V": suite.Extremes}),
				// Equal weights, of as many values as a query sees.
				conditioned("V", suite.Condition{Terms: positions, Apart: keyWidth},
					suite.Fills{"Q": suite.Every(0)})...),
				suite.Input{Name: "scores_equal", Fills: suite.Fills{"Q": suite.Every(0)}},
				suite.Input{Name: "scores_spread", Fills: suite.Fills{"Q": suite.Scaled(suite.Normal, 20)}},
				// All scores are far below 0, and below what half has: a maximum that
				// starts at 0 shows, and one in half.
				suite.Input{Name: "scores_far_below",
					Fills: suite.Fills{"Q": suite.Every(1), "K": suite.Choice(-16385, -16384, -16383)}},
				suite.Input{Name: "scores_light",
					Fills: suite.Fills{"Q": firstOf(channels, 1), "K": lightKeys, "V": heavyRows(keyWidth)}},
				suite.Input{Name: "scores_ascending", Fills: suite.Fills{"Q": suite.Every(1), "K": risingKeys}},
				// From tile to tile the maximum grows by too little to look like anything
				// but noise.
				suite.Input{Name: "scores_near",
					Fills: suite.Fills{"Q": suite.Every(1), "K": suite.Scaled(risingKeys, 1e-5)}},
				suite.Input{Name: "scores_hidden", Fills: suite.Fills{"Q": suite.Positive, "K": hiddenKeys}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{
			"score": oracles.Sequential(), "denominator": oracles.AnyOrder(),
			"values": {Lanes: onlineSimdgroups, Block: 32},
		}},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			if values := in.Contract.Sum("values"); values == (oracles.Schedule{Lanes: onlineSimdgroups, Block: 32}) {
				values.Lanes = width(32*onlineSimdgroups)(s) / 32
				in.Contract.Sums = maps.Clone(in.Contract.Sums)
				in.Contract.Sums["values"] = values
			}
			return suite.Answers{"out": oracles.GroupedQuery(oracles.Attention{
				Q: in.Values("Q"), K: in.Values("K"), V: in.Values("V"),
				T: s[tokens], S: s[positions], H: s[queryHeads], Hg: s[keyHeads], D: s[channels],
				Mapping: oracles.Mapping(s[mapping]), Causal: s[causal] == 1, Start: s[startPos],
				Scale: in.Scalar("scale"),
			}, in.Contract)}
		},
	}
}

func onlinePeaks(s suite.Shape) suite.Setting {
	return decisive("peaks", s, suite.Fills{"Q": firstChannel, "K": peakKeys})
}

// countedPositions refuses a start from which the number of keys that the last query
// sees is more than a u32 counts.
func countedPositions(s suite.Shape) error {
	return atMost(math.MaxUint32-s[tokens], startPos)(s)
}

// online is a model's attention of n queries over s positions.
func online(m fixtures.Model, n, s int) suite.Shape {
	return suite.Shape{tokens: n, positions: s, queryHeads: m.QueryHeads, keyHeads: m.KVHeads, channels: m.HeadDim,
		mapping: 0, causal: 1, startPos: s - n}
}

// onlineWork is scores with their scale, softmax and weighted values over the
// keys that each query sees.
func onlineWork() suite.Work {
	visible := func(s suite.Shape, t int) int {
		if s[causal] == 0 {
			return s[positions]
		}
		return min(s[positions], s[startPos]+t+1)
	}
	seen := suite.Func(func(s suite.Shape) int { return visible(s, s[tokens]-1) * s[keyHeads] * s[channels] })
	return suite.Work{
		Operations: suite.Func(func(s suite.Shape) int {
			pairs := 0
			for t := range s[tokens] {
				pairs += visible(s, t)
			}
			return s[queryHeads] * pairs * (2*multiplyAdd*s[channels] + 1 + softmaxOps)
		}),
		Reads: elements{"K": seen, "V": seen},
	}
}
