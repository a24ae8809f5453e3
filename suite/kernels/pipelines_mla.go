package kernels

import (
	"math"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/oracles/exact"
	"metalconform/suite"
)

func mlaPipelines() []suite.Pipeline {
	return []suite.Pipeline{tiledIsFolded(), equalRowsReturn(), permutedCache(), mlaDecode()}
}

// What latent attention reads. The caches have no spare rows: a stage would have to
// have written them.
var latentInput = suite.Args{
	suite.In("q_prime", suite.F32, numHeads, kvLoraRank),
	suite.In("q_pe", suite.F32, numHeads, qkRope),
	suite.In("latent_cache", suite.F32, cacheLen, kvLoraRank),
	suite.In("rope_k_cache", suite.F32, cacheLen, qkRope),
}

// The state that carries a tiled attention from launch to launch.
var latentState = suite.Args{
	suite.InOut("running_max", suite.F32, numHeads),
	suite.InOut("running_denom", suite.F32, numHeads),
	suite.InOut("v_combine_partial", suite.F32, numHeads, kvLoraRank),
}

// latentInputs are families of a latent attention whose scores are numbers.
func latentInputs() []suite.Input {
	return inputsNamed(mlaTileAccumulate().Sweep.Inputs, "normal", "wide", "cancelling", "positive", "integers",
		"zeros",
		"scores_rising", "scores_dominated", "scores_far_below_zero", "rows_equal")
}

// tiles launches the tiled attention over a cache and says how far its result
// may be from the definition: what the errors of the state make of the
// quotient, and the division.
func tiles(c *suite.PipelineRun, shape suite.Shape, caches map[string]string, out string) []oracles.Term {
	c.Launch(suite.Step{Kernel: "mla_sdpa_tile_accumulate", Shape: shape, Buffers: caches})
	c.Launch(suite.Step{Kernel: "mla_sdpa_tile_finalize", Buffers: renamed("v_combine", out)})
	state := oracles.QuotientErrors(c.Values("v_combine_partial"), c.Values("running_denom"),
		c.Bounds("v_combine_partial"), c.Bounds("running_denom"), c.Shape[kvLoraRank])
	return []oracles.Term{{Label: "state of the tiles", Error: state},
		{Label: "division of the tiles", Error: c.Bounds(out)}}
}

// tiledIsFolded is the invariant that tiles, of any size and number, give what one
// pass over the cache gives.
func tiledIsFolded() suite.Pipeline {
	axes := []suite.Axis{numHeads, kvLoraRank, qkRope, cacheLen, tile, empty}
	base := point(axes, 2, 33, 8, 70, 32, 0)
	return suite.Pipeline{
		Name:    "mla_tiled_is_folded",
		Doc:     "Latent attention in tiles of any size equals one pass over the cache.",
		Axes:    axes,
		Kernels: []string{"mla_sdpa_tile_accumulate", "mla_sdpa_tile_finalize", "mla_sdpa_folded"},
		Buffers: slices.Concat(latentInput, latentState),
		Check: limits(atLeast(1, numHeads, kvLoraRank, qkRope, cacheLen, tile), atLeast(0, empty),
			atMost(maxTile, tile, cacheLen)),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(tile, 1, 7, 31, 33, 35, 69, 70, 71), suite.Vary(empty, 1, 2, 4),
					suite.Vary(numHeads, 1, 3)),
				[]suite.Shape{point(axes, 2, 512, 64, 65, 32, 0), point(axes, 1, 16, 8, 1000, 128, 0)}),
			Full: concat(
				suite.Cross(base.With(suite.Shape{cacheLen: 1000}), suite.Vary(tile, 1, 64, 127, 999)),
				suite.Cross(point(axes, 2, 64, 8, 0, 1024, 0), suite.Vary(cacheLen, 4095, 4096))),
			Probes: []suite.Shape{base, base.With(suite.Shape{empty: 2})},
			Refused: suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(cacheLen, 0, maxTile+1),
				suite.Vary(tile, 0, maxTile+1))[1:],
			Inputs: carriedInputs(latentInputs()),
		},
		Run: func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "mla_sdpa_folded", Shape: suite.Shape{spare: 0},
				Buffers: renamed("v_combine", "folded")})
			budget := tiles(c, suite.Shape{carried: 0, spare: 0}, nil, "tiled")
			c.Bounded("tiled = folded", "tiled", oracles.Answer{
				Want:   c.Values("folded"),
				Budget: append(budget, oracles.Term{Label: "folded", Error: c.Bounds("folded")}),
			})
		},
	}
}

// carriedInputs are families whose state before the first tile is a mixture of
// NaN and numbers, which the first tile has to ignore.
func carriedInputs(inputs []suite.Input) []suite.Input {
	for i := range inputs {
		fills := suite.Fills{}
		for arg, f := range inputs[i].Fills {
			fills[arg] = f
		}
		for _, a := range latentState {
			delete(fills, a.Name)
			if i == 0 {
				fills[a.Name] = suite.OneOf(suite.Normal, math.NaN())
			}
		}
		inputs[i].Fills = fills
	}
	return inputs
}

// equalRowsReturn is the invariant that a cache of equal rows returns that row,
// whatever the scores are.
func equalRowsReturn() suite.Pipeline {
	axes := []suite.Axis{numHeads, kvLoraRank, qkRope, cacheLen, tile}
	base := point(axes, 2, 33, 8, 70, 32)
	var inputs []suite.Input
	for _, in := range carriedInputs(latentInputs()) {
		if in.Name == "integers" || in.Name == "zeros" { // the definition says nothing new about them
			continue
		}
		in.Fills["latent_cache"], in.Random = equalRows(kvLoraRank), false
		inputs = append(inputs, in)
	}
	return suite.Pipeline{
		Name:    "mla_equal_rows_return",
		Doc:     "Latent attention over a cache of equal rows is that row, in one pass and in tiles.",
		Axes:    axes,
		Kernels: []string{"mla_sdpa_folded", "mla_sdpa_tile_accumulate", "mla_sdpa_tile_finalize"},
		Buffers: slices.Concat(latentInput, latentState),
		Check:   limits(atLeast(1, numHeads, kvLoraRank, qkRope, cacheLen, tile), atMost(maxTile, tile, cacheLen)),
		Sweep: suite.Sweep{
			Shapes:  suite.Around(base, suite.Vary(cacheLen, 1, 2, 33, 129), suite.Vary(kvLoraRank, 1, 128)),
			Full:    suite.Cross(base, suite.Vary(cacheLen, 1000, 4096)),
			Probes:  []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(cacheLen, 0))[1:],
			Inputs:  inputs,
		},
		Run: func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "mla_sdpa_folded", Shape: suite.Shape{spare: 0},
				Buffers: renamed("v_combine", "folded")})
			budget := tiles(c, suite.Shape{carried: 0, empty: 0, spare: 0}, nil, "tiled")
			var rows []float64
			for range c.Shape[numHeads] {
				rows = append(rows, c.Values("latent_cache")[:c.Shape[kvLoraRank]]...)
			}
			c.Bounded("folded = the row", "folded", oracles.Answer{
				Want: rows, Budget: []oracles.Term{{Label: "folded", Error: c.Bounds("folded")}}})
			c.Bounded("tiled = the row", "tiled", oracles.Answer{Want: rows, Budget: budget})
		},
	}
}

// permutedCache is the invariant that latent attention does not ask in what order the
// positions stand.
func permutedCache() suite.Pipeline {
	axes := []suite.Axis{numHeads, kvLoraRank, qkRope, cacheLen, tile}
	base := point(axes, 2, 33, 8, 70, 32)
	return suite.Pipeline{
		Name:    "mla_permuted_positions",
		Doc:     "Latent attention over a cache in another order, in one pass and in tiles.",
		Axes:    axes,
		Kernels: []string{"mla_sdpa_folded", "mla_sdpa_tile_accumulate", "mla_sdpa_tile_finalize"},
		Buffers: slices.Concat(latentInput, latentState),
		Check:   limits(atLeast(1, numHeads, kvLoraRank, qkRope, cacheLen, tile), atMost(maxTile, tile, cacheLen)),
		Sweep: suite.Sweep{
			Shapes:  suite.Around(base, suite.Vary(cacheLen, 2, 33, 129), suite.Vary(tile, 1, 70)),
			Full:    suite.Cross(base, suite.Vary(cacheLen, 1000, 4096)),
			Probes:  []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(cacheLen, 0))[1:],
			Inputs:  carriedInputs(latentInputs()),
		},
		Run: func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "mla_sdpa_folded", Shape: suite.Shape{spare: 0},
				Buffers: renamed("v_combine", "in_order")})
			c.Store("latent_permuted", suite.F32, permuted(c.Values("latent_cache"), c.Shape[kvLoraRank]))
			c.Store("rope_permuted", suite.F32, permuted(c.Values("rope_k_cache"), c.Shape[qkRope]))
			caches := renamed("latent_cache", "latent_permuted", "rope_k_cache", "rope_permuted")
			again := renamed("v_combine", "permuted", "latent_cache", "latent_permuted", "rope_k_cache",
				"rope_permuted")
			c.Launch(suite.Step{Name: "folded attention over permuted positions", Kernel: "mla_sdpa_folded",
				Shape: suite.Shape{spare: 0}, Buffers: again})
			c.Close("in_order", "permuted")
			budget := tiles(c, suite.Shape{carried: 0, empty: 0, spare: 0}, caches, "tiled")
			c.Bounded("tiles of permuted positions = in order", "tiled", oracles.Answer{
				Want:   c.Values("in_order"),
				Budget: append(budget, oracles.Term{Label: "in order", Error: c.Bounds("in_order")}),
			})
		},
	}
}

// mlaDecode is one token's way through latent attention, end to end.
func mlaDecode() suite.Pipeline {
	axes := []suite.Axis{numHeads, nope, vHeadDim, kvLoraRank, qkRope, groupSize, pos}
	base := point(axes, 2, 12, 9, 64, 8, 32, 37)
	l := fixtures.DeepSeekV3().Latent
	perHead, cached := total(nope, vHeadDim), suite.Func(func(s suite.Shape) int { return s[pos] + 1 })
	rows, groups := suite.Product(numHeads, perHead), ratio(kvLoraRank, groupSize)
	inputs := suite.Fills{
		"scales": suite.Scaled(suite.Normal, 1.0/64), "biases": suite.Scaled(suite.Normal, 1.0/16),
		"q_full": suite.Scaled(suite.Normal, 0.5), "inv_freq": suite.Uniform(0, 1),
	}
	return suite.Pipeline{
		Name: "mla_decode_step",
		Doc:  "One token's step of latent attention: part, rotate, append, fold, attend, unfold.",
		Axes: axes,
		Kernels: []string{"mla_split_q_kv", "yarn_rope_apply", "mla_kv_cache_append", "mla_q_prime_4bit",
			"mla_sdpa_folded", "mla_out_per_head_4bit"},
		Buffers: suite.Args{
			suite.In("q_full", suite.F32, numHeads, total(nope, qkRope)),
			suite.In("kv_pre", suite.F32, total(kvLoraRank, qkRope)),
			suite.In("inv_freq", suite.F32, suite.Func(func(s suite.Shape) int { return s[qkRope] / 2 })),
			suite.InOut("latent_cache", suite.F32, cached, kvLoraRank),
			suite.InOut("rope_k_cache", suite.F32, cached, qkRope),
			suite.In("W_packed", suite.U32, rows, suite.Func(func(s suite.Shape) int { return s[kvLoraRank] / 8 })),
			suite.In("scales", suite.BF16, rows, groups),
			suite.In("biases", suite.BF16, rows, groups),
		},
		Check: limits(atLeast(1, numHeads, nope, vHeadDim, kvLoraRank, qkRope, groupSize), multipleOf(2, qkRope),
			multipleOf(8, groupSize), multiple(kvLoraRank, groupSize), atLeast(0, pos), atMost(maxTile-1, pos)),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(pos, 0, 1, 31, 128), suite.Vary(numHeads, 1, 3),
					suite.Vary(kvLoraRank, 32, 128)),
				[]suite.Shape{point(axes, 1, l.NoPE, l.Value, l.KVRank, l.RoPE, 64, 9)}),
			Full: []suite.Shape{point(axes, 8, l.NoPE, l.Value, l.KVRank, l.RoPE, 64, 1000),
				point(axes, 2, 12, 9, 64, 8, 32, maxTile-1)},
			Probes: []suite.Shape{base},
			Refused: suite.Around(base, suite.Vary(numHeads, 0), suite.Vary(kvLoraRank, 0, 33), suite.Vary(qkRope, 7),
				suite.Vary(groupSize, 12), suite.Vary(pos, -1, maxTile))[1:],
			Inputs: []suite.Input{
				{Name: "normal", Random: true, Fills: inputs},
				{Name: "positive", Random: true, Fills: suite.Fills{"q_full": suite.Scaled(suite.Positive, 0.1),
					"kv_pre": suite.Positive, "latent_cache": suite.Positive}},
				{Name: "scores_spread", Fills: suite.Fills{"q_full": suite.Scaled(suite.Normal, 5)}},
				{Name: "frequencies_zero", Fills: suite.Fills{"inv_freq": suite.Every(0)}},
			},
		},
		Run: runMLADecode,
	}
}

func runMLADecode(c *suite.PipelineRun) {
	s := c.Shape
	before := oracles.MLADecode{
		QFull: c.Values("q_full"), KVPre: c.Values("kv_pre"),
		Latent: c.Values("latent_cache"), RopeK: c.Values("rope_k_cache"), InvFreq: c.Values("inv_freq"),
	}
	var errors oracles.MLADecodeErrors
	c.Launch(suite.Step{Kernel: "mla_split_q_kv",
		Shape: suite.Shape{queryHeads: s[numHeads], qkNope: s[nope], qkPe: s[qkRope]}})

	turn := suite.Shape{rotaryDim: s[qkRope], yarnFactor: 40}
	c.Launch(suite.Step{Name: "rotation of the queries", Kernel: "yarn_rope_apply", Shape: turn,
		Buffers: renamed("x", "q_pe")})
	turn[numHeads] = 1
	c.Launch(suite.Step{Name: "rotation of the key", Kernel: "yarn_rope_apply", Shape: turn,
		Buffers: renamed("x", "k_pe")})
	errors.QPe, errors.KPe = c.Bounds("q_pe"), c.Bounds("k_pe")

	c.Launch(suite.Step{Kernel: "mla_kv_cache_append", Shape: suite.Shape{qkPe: s[qkRope], capacity: s[pos] + 1}})
	projected := suite.Shape{perHeadKV: s[nope] + s[vHeadDim]}
	c.Launch(suite.Step{Kernel: "mla_q_prime_4bit", Shape: projected})
	errors.QPrime = c.Bounds("q_prime")
	scale := fixtures.DeepSeekV3().Latent.SoftmaxScale()
	c.Launch(suite.Step{Kernel: "mla_sdpa_folded", Shape: suite.Shape{cacheLen: s[pos] + 1, spare: 0},
		Set: map[string]float64{"softmax_scale": scale}})
	errors.Combine = c.Bounds("v_combine")
	c.Launch(suite.Step{Kernel: "mla_out_per_head_4bit", Shape: projected})
	errors.Out = c.Bounds("out_per_head")

	before.MLAProjection = oracles.MLAProjection{
		Affine: oracles.Affine{Bits: 4, Group: s[groupSize]},
		Packed: c.Words("W_packed"), Scales: c.Values("scales"), Biases: c.Values("biases"),
		Heads: s[numHeads], NoPE: s[nope], Value: s[vHeadDim], Rank: s[kvLoraRank], PerHead: s[nope] + s[vHeadDim],
	}
	before.Rope, before.Pos = s[qkRope], s[pos]
	before.Magnitude = oracles.F32.Round(yarn(suite.Shape{rotaryDim: s[qkRope], yarnFactor: 40}).Magnitude())
	before.Scale = oracles.F32.Round(scale)
	c.Definition("end to end", "out_per_head", oracles.MLADecodeStep(before, errors), exact.MLADecodeStep(before))
}
