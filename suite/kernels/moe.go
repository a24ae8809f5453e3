package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Limits of the router and of the combine kernels.
const (
	maxExperts     = 512
	maxRouterSlots = 16
	routerThreads  = 64 // of moe_softmax_topk, where nothing else is said
	maxCombined    = 16
	sharedGate     = 16 // place of the shared expert's gate among the parameters
	combineParams  = 18
)

// Mixture of experts.
func moe() []suite.Kernel {
	return []suite.Kernel{
		softmaxTopK(), normalizeWeights(), weightedSum(),
		combineResidual(), combineResidualUnscaled(), combineResidualFlat(), combineResidualTokens(),
		bucketAccumulate(), swiglu(), swigluVec4(), swigluBatched(),
	}
}

func softmaxTopK() suite.Kernel {
	base := suite.Shape{nTokens: 3, nExperts: 65, k: 5}
	return suite.Kernel{
		Name: "moe_softmax_topk",
		Doc:  "Softmax over the experts of each token and the k largest of them, in slots of a defined order.",
		Axes: []suite.Axis{nTokens, nExperts, k},
		Args: suite.Args{
			suite.In("logits", suite.F32, nTokens, nExperts),
			suite.Out("out_indices", suite.I32, nTokens, k),
			suite.Out("out_weights", suite.F32, nTokens, k),
			suite.Const("n_experts", suite.U32, nExperts),
			suite.Const("k", suite.U32, k),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{nTokens}, Of: []suite.Extent{width(routerThreads)}},
		Check: limits(atLeast(1, nTokens, nExperts, k), atMost(maxExperts, nExperts), atMost(maxRouterSlots, k),
			notAbove(k, nExperts)),
		Work: each(softmaxOps, nTokens, nExperts),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(nTokens, 1, 2, 17),
					suite.Vary(nExperts, 5, 31, 32, 33, 63, 64, 127, 128, 129, 255, 256, 257, 511, 512),
					suite.Vary(k, 1, 2, 4, 8, 10, 15, 16)),
				suite.Cross(suite.Shape{nTokens: 1}, suite.Vary(nExperts, 1), suite.Vary(k, 1)),
				routers(4),
			),
			Full:   concat(routers(64), suite.Cross(base, suite.Vary(nTokens, 63, 64, 65, 1000))),
			Probes: []suite.Shape{base, {nTokens: 2, nExperts: 512, k: 16}, {nTokens: 4, nExperts: 16, k: 16}},
			Settings: append(widths([]suite.Shape{base, {nTokens: 1, nExperts: 1, k: 1},
				{nTokens: 2, nExperts: 33, k: 16}, {nTokens: 1, nExperts: 128, k: 8},
				{nTokens: 2, nExperts: 257, k: 10}, {nTokens: 17, nExperts: 512, k: 4}}, 32, 96, 128),
				decisive("peaks", suite.Shape{nTokens: 16, nExperts: 512, k: 1},
					suite.Fills{"logits": peaks(nTokens, nExperts, nExperts)})),
			Ends: []suite.End{endOf(base.With(suite.Shape{k: 4}), suite.Shape{nTokens: 1<<30 + 3})},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(nExperts, 0, 4, 513),
				suite.Vary(k, 0, 17, 66))[1:],
			Inputs: append(suite.Standard(nil, "logits"),
				suite.Input{Name: "equal", Fills: suite.Fills{"logits": suite.Every(1.25)}},
				suite.Input{Name: "ties", Fills: suite.Fills{"logits": suite.Choice(-1, 0, 0.5, 2)}},
				suite.Input{Name: "neighbours",
					Fills: suite.Fills{"logits": suite.Choice(1, 1+1.0/(1<<23), 1+2.0/(1<<23))}},
				suite.Input{Name: "close", Fills: suite.Fills{"logits": closeLogits}},
				suite.Input{Name: "dominant", Fills: suite.Fills{"logits": suite.OneOf(suite.Normal, 80)}},
				suite.Input{Name: "last_dominant", Fills: suite.Fills{"logits": lastDominant}},
				suite.Input{Name: "far_below", Fills: suite.Fills{"logits": farBelow}},
				suite.Input{Name: "lowest", Fills: suite.Fills{"logits": suite.Every(-math.MaxFloat32)}},
				suite.Input{Name: "ascending", Fills: suite.Fills{"logits": ascending}},
				suite.Input{Name: "minus_inf", Fills: suite.Fills{"logits": suite.OneOf(suite.Normal, math.Inf(-1))}},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{
			"denominator": oracles.Strided(routerThreads, 1)}},
		Oracle: func(in *suite.Problem) suite.Answers {
			if in.Contract.Sum("denominator") == oracles.Strided(routerThreads, 1) {
				lanes := width(routerThreads)(in.Shape)
				in.Contract.Sums = map[string]oracles.Schedule{"denominator": oracles.Strided(lanes, 1)}
			}
			indices, weights := oracles.RouterTopK(in.Values("logits"), in.Shape[nExperts], in.Shape[k], in.Contract)
			return suite.Answers{"out_indices": indices, "out_weights": weights}
		},
	}
}

// routers are the routers of the real models.
func routers(n int) []suite.Shape {
	var shapes []suite.Shape
	for _, m := range fixtures.Models() {
		if m.Experts > 0 {
			shapes = append(shapes, suite.Shape{nTokens: n, nExperts: m.Experts, k: m.TopK})
		}
	}
	return shapes
}

// lastDominant puts the last expert so far above the others, which are equal, that
// its exponential overflows unless it is the maximum that is taken off.
func lastDominant(_ *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		x[i] = 0
		if i%s[nExperts] == s[nExperts]-1 {
			x[i] = 200
		}
	}
}

// closeLogits draws logits that are a hundred-thousandth apart, in any order: more than
// roundings, and less than a comparison in fewer bits tells apart.
func closeLogits(r *rand.Rand, s suite.Shape, x []float64) {
	for row := range slices.Chunk(x, s[nExperts]) {
		for e, rank := range r.Perm(len(row)) {
			row[e] = float64(rank) * 1e-5
		}
	}
}

// farBelow draws scores far from 0, below what half has.
func farBelow(r *rand.Rand, s suite.Shape, x []float64) {
	suite.Normal(r, s, x)
	for i := range x {
		x[i] -= 1e5
	}
}

// ascending makes every expert displace an earlier one.
func ascending(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(i%maxExperts) / 8
	}
}

func normalizeWeights() suite.Kernel {
	base := suite.Shape{nTokens: 5, k: 8}
	weights := suite.Uniform(0, 0.5)
	return suite.Kernel{
		Name: "moe_normalize_weights",
		Doc:  "Divides each token's weights by their sum where that is above 0.",
		Axes: []suite.Axis{nTokens, k},
		Args: suite.Args{
			suite.InOut("weights", suite.F32, nTokens, k),
			suite.Const("k", suite.U32, k),
		},
		Grid:  suite.Grid{Threadgroups: []suite.Extent{nTokens}, Of: []suite.Extent{k}},
		Check: limits(atLeast(1, nTokens, k), atMost(maxRouterSlots, k)),
		Work:  each(2, nTokens, k), // the sum and the quotient
		Sweep: suite.Sweep{
			Shapes: suite.Around(base, suite.Vary(nTokens, 1, 2, 64, 1009), suite.Vary(k, 1, 2, 3, 10, 15, 16)),
			Full:   suite.Cross(base, suite.Vary(nTokens, 4096), suite.Vary(k, 1, 8, 10, 16)),
			Probes: []suite.Shape{base, {nTokens: 3, k: 1}, {nTokens: 4, k: 16}},
			// Sums from 2⁻¹²⁵ to 2¹²³.
			Settings: []suite.Setting{
				decisive("far_sums", suite.Shape{nTokens: 32, k: 8}, suite.Fills{
					"weights": magnitudes(steps(func(s suite.Shape, i int) int { return 8*(i/s[k]) - 128 }))}),
				decisive("near_one", suite.Shape{nTokens: 6, k: 8}, suite.Fills{"weights": sumsNearOne}),
			},
			Ends:    []suite.End{endOf(base, suite.Shape{nTokens: 1<<31 + 5})},
			Refused: suite.Around(base, suite.Vary(nTokens, 0), suite.Vary(k, 0, 17))[1:],
			Inputs: append(append(suite.Standard(suite.Fills{"weights": weights}, "weights"),
				conditioned("weights", suite.Condition{Terms: k}, nil)...),
				suite.Input{Name: "negative_sum", Fills: suite.Fills{"weights": suite.Uniform(-1, -0.5)}},
				suite.Input{Name: "tiny", Fills: suite.Fills{"weights": suite.Scaled(weights, 1e-30)}},
			),
		},
		Contract: oracles.Contract{Sums: map[string]oracles.Schedule{"sum": oracles.AnyOrder()}},
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"weights": oracles.NormalizeRows(in.Values("weights"), in.Shape[k], in.Contract)}
		},
	}
}

// sumsNearOne draws rows whose sums leave 1 by 2⁻¹⁰, −2⁻¹², 2⁻¹⁴ and so on, which looks like weights that are
// normalised.
func sumsNearOne(r *rand.Rand, s suite.Shape, x []float64) {
	off := 0x1p-10
	for row := range slices.Chunk(x, s[k]) {
		suite.Uniform(0.05, 0.1)(r, s, row)
		row[0] = 1 + off
		for _, w := range row[1:] {
			row[0] -= w
		}
		off /= -4
	}
}

// overExperts is the contract of a sum over experts: there are few of them, and as many
// orders of them in use as kernels.
func overExperts() oracles.Contract {
	return oracles.Contract{Sums: map[string]oracles.Schedule{"experts": oracles.AnyOrder()}}
}

// combined is the contract of a sum over experts to which the residual and the
// shared expert are added.
func combined() oracles.Contract {
	return oracles.Contract{Sums: map[string]oracles.Schedule{"experts": oracles.AnyOrder(),
		"parts": oracles.AnyOrder()}}
}

func weightedSum() suite.Kernel {
	base := suite.Shape{slots: 5, dim: 260}
	return suite.Kernel{
		Name: "weighted_sum",
		Doc:  "The weighted sum of K vectors.",
		Axes: []suite.Axis{slots, dim},
		Args: suite.Args{
			suite.In("expert_outs", suite.F32, slots, dim),
			suite.In("weights", suite.F32, slots),
			suite.Out("out", suite.F32, dim),
			suite.Const("K", suite.U32, slots),
			suite.Const("dim", suite.U32, dim),
		},
		Grid:  suite.Flat(dim, 256),
		Check: limits(atLeast(1, slots, dim)),
		Work:  each(multiplyAdd, slots, dim),
		Sweep: suite.Sweep{
			Shapes: append(suite.Around(base, suite.Vary(slots, 1, 2, 8, 10, 16, 17), flatDims()),
				suite.Shape{slots: past16Bits, dim: 3}),
			Full:    suite.Cross(suite.Shape{slots: 10}, suite.Vary(dim, hiddenSizes()...)),
			Probes:  []suite.Shape{base, {slots: 1, dim: 3}},
			Ends:    flatEnds(suite.Shape{slots: 1}, dim),
			Refused: suite.Around(base, suite.Vary(slots, 0), suite.Vary(dim, 0))[1:],
			Inputs: append(append(suite.Standard(nil, "expert_outs", "weights"),
				conditioned("expert_outs", suite.Condition{Terms: slots, Apart: dim, Weight: ramp},
					suite.Fills{"weights": ramps(slots)})...),
				suite.Input{Name: "exact_in_order",
					Fills: suite.Fills{"expert_outs": expertsInOrder(0), "weights": weightsInOrder}},
				suite.Input{Name: "light_weights",
					Fills: suite.Fills{"expert_outs": heavyRows(dim), "weights": lightWeights(slots)}}),
		},
		Contract: overExperts(),
		Oracle: func(in *suite.Problem) suite.Answers {
			return suite.Answers{"out": oracles.WeightedSum(in.Values("expert_outs"), in.Values("weights"),
				in.Shape[dim], in.Contract)}
		},
	}
}

// expertsInOrder are the experts from the first on of weighted sums that are exact in
// ascending order: all partial sums are odd integers, by turns just below 2²⁴ and
// just below 0. An expert that comes before its predecessor takes its partial sum
// above 2²⁴, where no f32 is odd, and leaves the total 1 off; only the first two
// may change places.
func expertsInOrder(first int) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			expert, element := first+i/s[dim], i%s[dim]
			x[i] = (sumInOrder(expert, element) - sumInOrder(expert-1, element)) / weightInOrder(expert)
		}
	}
}

// sumInOrder is the sum over the experts up to the given one.
func sumInOrder(expert, element int) float64 {
	switch {
	case expert < 0:
		return 0
	case expert%2 == 0:
		return float64(1<<24 - 1 - 2*((element+expert)%4))
	}
	return float64(-9 - 2*((3*element+expert)%8))
}

// weightInOrder is a power of two: the products are exact.
func weightInOrder(expert int) float64 { return math.Ldexp(1, expert%5-2) }

func weightsInOrder(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = weightInOrder(i)
	}
}

// flatDims are lengths round the threadgroups of a flat grid of 256.
func flatDims() suite.Variation {
	return suite.Vary(dim, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1009)
}

func bucketAccumulate() suite.Kernel {
	base := suite.Shape{nTokens: 9, hiddenDim: 130, bucketSize: 4}
	indices := suite.Fills{"token_idx": differentTokens, "weights": suite.Uniform(0, 1)}
	return suite.Kernel{
		Name: "moe_bucket_accumulate",
		Doc:  "Adds an expert's weighted outputs to the tokens that it served.",
		Axes: []suite.Axis{nTokens, hiddenDim, bucketSize},
		Args: suite.Args{
			suite.In("bucket_out", suite.F32, bucketSize, hiddenDim),
			suite.In("token_idx", suite.I32, bucketSize),
			suite.In("weights", suite.F32, bucketSize),
			suite.InOut("out_sum", suite.F32, nTokens, hiddenDim),
			suite.Const("hidden_dim", suite.U32, hiddenDim),
			suite.Const("bucket_size", suite.U32, bucketSize),
		},
		Grid: suite.Grid{
			Threadgroups: []suite.Extent{bucketSize, suite.Ceil(hiddenDim, 256)},
			Of:           []suite.Extent{suite.Fixed(1), suite.Fixed(256)},
		},
		// A bucket larger than the number of tokens has to repeat one.
		Check: limits(atLeast(1, nTokens, hiddenDim, bucketSize), notAbove(bucketSize, nTokens),
			countable(nTokens, hiddenDim)),
		Work: suite.Work{
			Operations: times(multiplyAdd, bucketSize, hiddenDim),
			Reads:      elements{"out_sum": suite.Product(bucketSize, hiddenDim)},
			Writes:     elements{"out_sum": suite.Product(bucketSize, hiddenDim)},
		},
		Sweep: suite.Sweep{
			Shapes: suite.Around(base,
				suite.Vary(nTokens, 4, 5, 17), suite.Vary(bucketSize, 1, 2, 8, 9),
				suite.Vary(hiddenDim, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1009)),
			Full:   suite.Cross(suite.Shape{nTokens: 64, bucketSize: 33}, suite.Vary(hiddenDim, hiddenSizes()...)),
			Probes: []suite.Shape{base, {nTokens: 1, hiddenDim: 3, bucketSize: 1}},
			Ends: []suite.End{
				bucketEnd(suite.Shape{nTokens: 12, hiddenDim: 1, bucketSize: 4},
					suite.Shape{nTokens: 1 << 31, bucketSize: 1<<31 - 8}),
				bucketEnd(suite.Shape{nTokens: 9, hiddenDim: 128, bucketSize: 4},
					suite.Shape{nTokens: 1<<24 + 9, bucketSize: 1<<24 + 4}),
				endOf(suite.Shape{nTokens: 1, hiddenDim: 512, bucketSize: 1}, suite.Shape{hiddenDim: aroundSign}),
			},
			Refused: suite.Around(base, suite.Vary(nTokens, 0, 3), suite.Vary(hiddenDim, 0),
				suite.Vary(bucketSize, 0, 10))[1:],
			Inputs: append(suite.Standard(indices, "bucket_out", "weights", "out_sum"),
				suite.Input{Name: "light_weights",
					Fills: with(with(indices, "bucket_out", suite.Scaled(suite.Normal, 0x1p40)), "weights",
						suite.Scaled(suite.Normal, 0x1p-40))}),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			var token []int
			for _, t := range in.Words("token_idx") {
				token = append(token, int(t)-in.Preceding(nTokens))
			}
			return suite.Answers{"out_sum": oracles.BucketAccumulate(
				in.Values("out_sum"), in.Values("bucket_out"), token, in.Values("weights"), in.Shape[hiddenDim],
				in.Contract)}
		},
	}
}

// bucketEnd is a bucket of the last of many tokens.
func bucketEnd(s, of suite.Shape) suite.End {
	return suite.End{Shape: s, Of: of,
		Fills: suite.Fills{"token_idx": shifted(differentTokens, float64(of[nTokens]-s[nTokens]))}}
}

// differentTokens draws a bucket that names no token twice.
func differentTokens(r *rand.Rand, s suite.Shape, x []float64) {
	for i, t := range r.Perm(s[nTokens])[:len(x)] {
		x[i] = float64(t)
	}
}
