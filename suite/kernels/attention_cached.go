package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// The kernels of attention of one token against a cache: scores, softmax and
// weighted values.

// cachedAxes are their axes. The cache has spare rows, and a row of scores
// spare columns, after the positions that count.
var cachedAxes = []suite.Axis{queryHeads, keyHeads, channels, seqLen, spare}

// Lengths of the cache and of a row of scores.
var (
	cacheRows = suite.Func(func(s suite.Shape) int { return s[seqLen] + s[spare] })
	keyWidth  = suite.Product(keyHeads, channels)
)

// cachedProblem is the oracle's view of a shape.
func cachedProblem(s suite.Shape, m oracles.Mapping) oracles.Cached {
	return oracles.Cached{H: s[queryHeads], Hg: s[keyHeads], D: s[channels], Len: s[seqLen], Stride: cacheRows(s),
		Mapping: m}
}

// spareColumns are the columns of scores after the positions that count.
func spareColumns(s suite.Shape) []suite.Range {
	var ranges []suite.Range
	for row := range s[queryHeads] {
		if s[spare] > 0 {
			end := (row + 1) * cacheRows(s)
			ranges = append(ranges, suite.Range{First: end - s[spare], End: end})
		}
	}
	return ranges
}

// headScale is the usual scale of scores, 1/√D.
var headScale = suite.NumberFunc(func(s suite.Shape) float64 { return 1 / math.Sqrt(float64(s[channels])) })

// sharing is what tells a kernel how heads share key heads: in block mapping
// the heads for each key head, in tiled mapping the number of key heads.
func sharing(m oracles.Mapping) suite.Arg {
	if m == oracles.TiledHeads {
		return suite.Const("num_kv_heads", suite.U32, keyHeads)
	}
	return suite.Const("heads_per_kv", suite.U32,
		suite.Func(func(s suite.Shape) int { return s[queryHeads] / s[keyHeads] }))
}

func cachedLimits() func(suite.Shape) error {
	return limits(atLeast(1, queryHeads, keyHeads, channels, seqLen), atLeast(0, spare), multiple(queryHeads, keyHeads))
}

func cachedRefused(base suite.Shape) []suite.Shape {
	return suite.Around(base, suite.Vary(queryHeads, 0, 5), suite.Vary(keyHeads, 0, 3), suite.Vary(channels, 0),
		suite.Vary(seqLen, 0))[1:]
}

func attentionScores(m oracles.Mapping) suite.Kernel {
	base := point(cachedAxes, 4, 2, 33, 5, 3)
	name, doc := "attn_scores_batched", "Scaled scores of one token against the cache, block mapping."
	if m == oracles.TiledHeads {
		name, doc = "attn_scores_tiled", "Scaled scores of one token against the cache, tiled mapping."
	}
	return suite.Kernel{
		Name: name, Doc: doc, Axes: cachedAxes,
		Args: suite.Args{
			suite.In("Q", suite.F32, queryHeads, channels),
			suite.In("K_cache", suite.F32, cacheRows, keyWidth).Ignoring(rowsFrom(seqLen, cacheRows, keyWidth)),
			{Name: "scores", Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{queryHeads, cacheRows},
				Untouched: spareColumns,
				Unread:    everything(queryHeads, cacheRows)},
			suite.Const("head_dim", suite.U32, channels),
			suite.Const("kv_dim", suite.U32, keyWidth),
			suite.Const("seq_len", suite.U32, seqLen),
			suite.Const("seq_stride", suite.U32, cacheRows),
			suite.Const("scale", suite.F32, headScale),
			sharing(m),
			suite.Const("num_seq_tgs", suite.U32, seqLen),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Product(seqLen, queryHeads)},
			Of: []suite.Extent{suite.Fixed(256)}},
		Check: cachedLimits(),
		Work: suite.Work{
			// and the scale
			Operations: total(times(multiplyAdd, queryHeads, seqLen, channels), suite.Product(queryHeads, seqLen)),
			Reads:      elements{"K_cache": suite.Product(seqLen, keyWidth), "scores": none},
		},
		Sweep: suite.Sweep{
			Shapes: concat(
				headSharing(base, keyHeads, queryHeads),
				suite.Around(base,
					suite.Vary(channels, 1, 31, 32, 64, 65, 127, 128, 255, 256, 257),
					suite.Vary(seqLen, 1, 2, 31, 32, 33), suite.Vary(spare, 0, 1)),
				[]suite.Shape{attentionOf(fixtures.Qwen3Next80B(), 9, 7), point(cachedAxes, 1, 1, past16Bits, 2, 0),
					point(cachedAxes, 4, 2, 3, 1009, 3)},
			),
			Full: concat(
				suite.Cross(base, suite.Vary(seqLen, 127, 128, 129, 1000)),
				[]suite.Shape{attentionOf(fixtures.Qwen397B(), 129, 0), attentionOf(fixtures.Qwen27B(), 1000, 24),
					attentionOf(fixtures.Qwen3Next80B(), 1<<16, 0), point(cachedAxes, 4, 2, 64, 4096, 0)}),
			Probes: []suite.Shape{base, point(cachedAxes, 6, 3, 65, 3, 0)},
			// The last two have rows of the same width.
			Settings: otherScale("scale", base, point(cachedAxes, 4, 2, 32, 5, 3), point(cachedAxes, 2, 1, 64, 5, 3)),
			Ends:     scoreEnds(m),
			Refused:  cachedRefused(base),
			Inputs: append(suite.Standard(nil, "Q", "K_cache"),
				conditioned("K_cache", suite.Condition{Terms: channels, Weight: ramp},
					suite.Fills{"Q": ramps(channels)})...),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"score": oracles.Strided(256, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"scores": oracles.AttentionScores(in.Values("Q"), in.Values("K_cache"),
				in.Values("scores"),
				cachedProblem(in.Shape, m), in.Scalar("scale"), in.Contract)}
		},
	}
}

// scoreEnds are many positions, many heads, and the last head of long rows.
func scoreEnds(m oracles.Mapping) []suite.End {
	const stride = 1<<32 - 4
	one := point(cachedAxes, 1, 1, 36, 5, 3)
	return []suite.End{
		endOf(one, suite.Shape{seqLen: 1<<31 + 5}),
		endOf(one.With(suite.Shape{queryHeads: 4}), suite.Shape{queryHeads: 1 << 29}),
		// One position, so that the heads of its row are one range.
		endOf(point(cachedAxes, 4, keyHeadsOf4(m), 36, 1, 0), suite.Shape{queryHeads: 1 << 27, keyHeads: 1 << 26}),
		{Shape: one, Of: suite.Shape{queryHeads: 3, spare: stride - 5},
			Before: map[string]int{"K_cache": 0, "scores": 2 * stride}},
	}
}

// keyHeadsOf4 are the key heads that serve the last four of twice as many heads.
func keyHeadsOf4(m oracles.Mapping) int {
	if m == oracles.TiledHeads {
		return 4
	}
	return 2
}

// otherScale are points at which a scale is none that the shape gives.
func otherScale(scalar string, at ...suite.Shape) []suite.Setting {
	var list []suite.Setting
	for _, s := range at {
		list = append(list, suite.Setting{Name: "other_scale", Shape: s, Set: map[string]float64{scalar: 0.3}})
	}
	return list
}

// attentionOf is a model's attention over n positions, spare more in the cache.
func attentionOf(m fixtures.Model, n, spare int) suite.Shape {
	return point(cachedAxes, m.QueryHeads, m.KVHeads, m.HeadDim, n, spare)
}

// scoreFills are rows of scores that try a softmax.
func scoreFills(arg string) []suite.Input {
	return []suite.Input{
		{Name: "equal", Fills: suite.Fills{arg: suite.Every(3.5)}},
		{Name: "dominant", Fills: suite.Fills{arg: suite.OneOf(suite.Normal, 80)}},
		{Name: "far_below", Fills: suite.Fills{arg: farBelow}},
		{Name: "lowest", Fills: suite.Fills{arg: suite.Every(-math.MaxFloat32)}},
		{Name: "spread", Fills: suite.Fills{arg: suite.Uniform(-100, 100)}},
		{Name: "minus_inf", Fills: suite.Fills{arg: suite.Choice(math.Inf(-1), 0, 1)}},
	}
}

// lastOfRow gives the last position that counts of each row of normal scores
// that value.
func lastOfRow(value float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.Normal(r, s, x)
		for row := range s[queryHeads] {
			x[row*cacheRows(s)+s[seqLen]-1] = value
		}
	}
}

func peaksOf(s suite.Shape) suite.Setting {
	return decisive("peaks", s, suite.Fills{"scores": peaks(queryHeads, seqLen, cacheRows)})
}

func attentionSoftmax() suite.Kernel {
	axes := []suite.Axis{queryHeads, seqLen, spare}
	base := point(axes, 3, 70, 5)
	return suite.Kernel{
		Name: "attn_softmax_batched",
		Doc:  "Softmax of the first positions of each row of scores, in place.",
		Axes: axes,
		Args: suite.Args{
			{Name: "scores", Role: suite.RoleInOut, Type: suite.F32, Extents: []suite.Extent{queryHeads, cacheRows},
				Untouched: spareColumns, Unread: spareColumns},
			suite.Const("seq_len", suite.U32, seqLen),
			suite.Const("seq_stride", suite.U32, cacheRows),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{queryHeads}, Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, queryHeads, seqLen), atLeast(0, spare)),
		Work:  each(softmaxOps, queryHeads, seqLen),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(seqLen, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1009), suite.Vary(spare, 0, 1),
					suite.Vary(queryHeads, 1, 16)),
				[]suite.Shape{point(axes, 1, 4095, 1), point(axes, 1, 4096, 0), point(axes, 1, past16Bits, 1)}),
			Full:   suite.Cross(point(axes, 32, 0, 8), suite.Vary(seqLen, 4095, 4096, 32768)),
			Probes: []suite.Shape{base, point(axes, 2, 257, 0)},
			// Rows in which every simdgroup has a peak, and one of many turns.
			Settings: []suite.Setting{peaksOf(point(axes, 16, 257, 0)), peaksOf(point(axes, 1, past16Bits, 1))},
			Ends: []suite.End{
				endOf(point(axes, 2, 70, 2), suite.Shape{queryHeads: 1<<26 + 2}),
				{Shape: point(axes, 1, 70, 2), Of: suite.Shape{queryHeads: 3, spare: 1<<32 - 4 - 70},
					Before: map[string]int{"scores": 2 * (1<<32 - 4)}},
			},
			Refused: []suite.Shape{point(axes, 0, 4, 0), point(axes, 2, 0, 4)},
			Inputs: append(append(suite.Standard(nil, "scores"), scoreFills("scores")...),
				// A maximum without the last position makes an exponential overflow.
				suite.Input{Name: "last_dominant", Fills: suite.Fills{"scores": lastOfRow(100)}}),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"denominator": oracles.Strided(256, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"scores": oracles.SoftmaxRows(in.Values("scores"), cacheRows(in.Shape),
				in.Shape[seqLen], in.Contract)}
		},
	}
}

func attentionValues(m oracles.Mapping) suite.Kernel {
	base := point(cachedAxes, 4, 2, 33, 9, 3)
	name, doc := "attn_values_batched", "Weighted sum of the cached values, block mapping."
	check, shapes, refused := cachedLimits(), headSharing(base, keyHeads, queryHeads), cachedRefused(base)
	probes := []suite.Shape{base, point(cachedAxes, 6, 3, 65, 3, 0)}
	widths := []int{1, 31, 32, 63, 64, 65, 127, 128, 129, 256}
	long := []suite.Shape{point(cachedAxes, 1, 1, 1, past16Bits, 1), point(cachedAxes, 1, 1, past16Bits, 2, 0),
		point(cachedAxes, past16Bits, past16Bits, 1, 2, 0)}
	if m == oracles.TiledHeads {
		// No argument tells how many heads there are, so that threads past the
		// last output cannot know it: the grid has to fit.
		name, doc = "attn_values_tiled", "Weighted sum of the cached values, tiled mapping."
		base = point(cachedAxes, 4, 2, 64, 9, 3)
		check = limits(check, wholeThreadgroups)
		shapes, refused = headSharing(base.With(suite.Shape{channels: 256}), keyHeads, queryHeads),
			append(cachedRefused(base), point(cachedAxes, 4, 2, 33, 9, 3))
		probes = []suite.Shape{base, point(cachedAxes, 6, 3, 128, 3, 0)}
		widths = []int{64, 128, 192, 256, 320}
		const whole = 257 * 256
		long = []suite.Shape{point(cachedAxes, 16, 1, 16, past16Bits, 1), point(cachedAxes, 1, 1, whole, 2, 0),
			point(cachedAxes, whole, whole, 1, 2, 0)}
	}
	return suite.Kernel{
		Name: name, Doc: doc, Axes: cachedAxes,
		Args: suite.Args{
			suite.In("scores", suite.F32, queryHeads, cacheRows).Ignoring(spareColumns),
			suite.In("V_cache", suite.F32, cacheRows, keyWidth).Ignoring(rowsFrom(seqLen, cacheRows, keyWidth)),
			suite.Out("out", suite.F32, queryHeads, channels),
			suite.Const("head_dim", suite.U32, channels),
			suite.Const("kv_dim", suite.U32, keyWidth),
			suite.Const("seq_len", suite.U32, seqLen),
			suite.Const("seq_stride", suite.U32, cacheRows),
			sharing(m),
		},
		Grid:  suite.Flat(suite.Product(queryHeads, channels), 256),
		Check: check,
		Work: suite.Work{
			Operations: times(multiplyAdd, queryHeads, seqLen, channels),
			Reads: elements{"scores": suite.Product(queryHeads, seqLen),
				"V_cache": suite.Product(seqLen, keyWidth)},
		},
		Sweep: suite.Sweep{
			Shapes: concat(shapes,
				suite.Around(base, suite.Vary(channels, widths...), suite.Vary(seqLen, 1, 2, 31, 32, 33, 127, 128, 129),
					suite.Vary(spare, 0, 1)),
				// One stride with two lengths, and rows of one width with two numbers of heads.
				[]suite.Shape{base.With(suite.Shape{seqLen: base[seqLen] + 1, spare: base[spare] - 1})},
				suite.Cross(base, suite.Vary(channels, 64)),
				[]suite.Shape{base.With(suite.Shape{queryHeads: 2, keyHeads: 1, channels: 128})},
				[]suite.Shape{attentionOf(fixtures.Qwen3Next80B(), 17, 7)}, long),
			Full: []suite.Shape{
				attentionOf(fixtures.Qwen397B(), 1000, 0), attentionOf(fixtures.Qwen27B(), 129, 1),
				attentionOf(fixtures.Qwen3Next80B(), 1<<16, 0),
				point(cachedAxes, 4, 2, 64, 4095, 1), point(cachedAxes, 4, 2, 64, 4096, 0),
			},
			Probes:  probes,
			Ends:    valueEnds(),
			Refused: refused,
			Inputs: append(suite.Standard(suite.Fills{"scores": suite.Uniform(0, 0.2)}, "scores", "V_cache"),
				append(conditioned("V_cache", suite.Condition{Terms: seqLen, Apart: keyWidth, Weight: ramp},
					suite.Fills{"scores": ramps(cacheRows)}),
					suite.Input{Name: "light_weights", Fills: suite.Fills{"scores": lightWeights(cacheRows),
						"V_cache": heavyRows(keyWidth)}})...),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"values": oracles.AnyOrder()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.AttentionValues(in.Values("scores"), in.Values("V_cache"),
				cachedProblem(in.Shape, m), in.Contract)}
		},
	}
}

// valueEnds are many heads, and the last head of long rows. One threadgroup has the
// outputs of 16 heads.
func valueEnds() []suite.End {
	const stride = 1<<32 - 4
	heads := point(cachedAxes, 16, 1, 16, 5, 3)
	return []suite.End{
		endOf(heads, suite.Shape{queryHeads: 1<<28 - 16}), // 2³² − 256 outputs
		endOf(heads.With(suite.Shape{keyHeads: 16, seqLen: 1, spare: 0}),
			suite.Shape{queryHeads: 1<<28 - 16, keyHeads: 1<<28 - 16}),
		{Shape: point(cachedAxes, 1, 1, 256, 5, 3), Of: suite.Shape{queryHeads: 3, spare: stride - 5},
			Before: map[string]int{"V_cache": 0, "scores": 2 * stride}},
	}
}

// wholeThreadgroups refuses outputs that do not fill threadgroups of 256.
func wholeThreadgroups(s suite.Shape) error {
	return multipleOf(256, outputs)(suite.Shape{outputs: s[queryHeads] * s[channels]})
}

// outputs names the product in the message of wholeThreadgroups.
const outputs suite.Axis = "H*D"
