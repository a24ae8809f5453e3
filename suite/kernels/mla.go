package kernels

import (
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/fixtures"
	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"
)

// maxTile is the largest number of positions of one tile.
const maxTile = 4096

// Multi-head latent attention, folded form.
func mla() []suite.Kernel {
	return []suite.Kernel{
		mlaSplit(), yarnRope(), mlaCacheAppend(),
		mlaQuery(), mlaFolded(), mlaTileAccumulate(), mlaTileFinalize(), mlaOutput(),
	}
}

func mlaTileAccumulate() suite.Kernel {
	axes := []suite.Axis{numHeads, kvLoraRank, qkRope, cacheLen, tile, empty, carried, spare}
	base := point(axes, 2, 33, 8, 70, 32, 0, 0, 3)
	deepSeek := fixtures.DeepSeekV3()
	scale := deepSeek.Latent.SoftmaxScale()
	return suite.Kernel{
		Name: "mla_sdpa_tile_accumulate",
		Math: &suite.MathLimit{Loosest: metalrun.MathRelaxed, Where: func(s suite.Shape) bool { return s[empty] == 1 },
			Why: "the first tile is empty, and leaves a maximum of -INFINITY to the second"},
		Doc: "One tile of latent attention with online softmax; the state of the softmax is carried from launch " +
			"to launch.",
		Axes: axes,
		Args: suite.Args{
			suite.In("q_prime", suite.F32, numHeads, kvLoraRank).Ignoring(withoutTile(numHeads, kvLoraRank)),
			suite.In("q_pe", suite.F32, numHeads, qkRope).Ignoring(withoutTile(numHeads, qkRope)),
			suite.In("latent_cache", suite.F32, latentRows, kvLoraRank).Ignoring(unattended(kvLoraRank)),
			suite.In("rope_k_cache", suite.F32, latentRows, qkRope).Ignoring(unattended(qkRope)),
			suite.InOut("running_max", suite.F32, numHeads).Ignoring(unlessCarried(numHeads)),
			suite.InOut("running_denom", suite.F32, numHeads).Ignoring(unlessCarried(numHeads)),
			suite.InOut("v_combine_partial", suite.F32, numHeads, kvLoraRank).Ignoring(unlessCarried(numHeads,
				kvLoraRank)),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
			suite.Const("qk_rope_head_dim", suite.U32, qkRope),
			suite.Const("tile_start", suite.U32, nil),
			suite.Const("tile_end", suite.U32, nil),
			suite.Const("softmax_scale", suite.F32, suite.Number(scale)),
			suite.Const("is_first_tile", suite.U32, nil),
		},
		Grid: suite.Grid{Threadgroups: []suite.Extent{numHeads}, Of: []suite.Extent{suite.Fixed(128)}},
		Check: limits(
			atLeast(1, numHeads, kvLoraRank, qkRope, cacheLen), atLeast(0, tile, empty, carried, spare),
			atMost(maxTile, tile), atMost(1, carried)),
		Launches: tileLaunches,
		Work:     tileWork(),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 3, 16),
					suite.Vary(kvLoraRank, 1, 31, 32, 127, 128, 129),
					suite.Vary(qkRope, 1, 31, 32, 33, 64),
					suite.Vary(tile, 0, 1, 31, 33, 35, 69, 70, 71, 4096),
					suite.Vary(empty, 1, 2, 3, 4), suite.Vary(spare, 0, 1)),
				// Single tiles round the simdgroups and the threadgroup, and one
				// of the largest size; above it, a full tile and an uneven one.
				suite.Cross(point(axes, 2, 17, 5, 0, 4096, 0, 0, 0),
					suite.Vary(cacheLen, 1, 3, 4, 5, 31, 32, 33, 127, 128, 129, 1000, 4095, 4096, 4097, 5000)),
				suite.Cross(base.With(suite.Shape{carried: 1}), suite.Vary(tile, 0, 32, 70), suite.Vary(empty, 0, 1)),
				[]suite.Shape{latent(deepSeek, 2, 65, 32), point(axes, 1, past16Bits, 1, 2, 2, 0, 0, 0),
					point(axes, 1, 1, past16Bits, 2, 2, 0, 0, 0)},
			),
			Full: concat(
				suite.Cross(latent(deepSeek, deepSeek.QueryHeads, 0, 128), suite.Vary(cacheLen, 1, 127, 128, 129)),
				suite.Cross(latent(deepSeek, 8, 0, maxTile), suite.Vary(cacheLen, 4095, 4096, 10000)),
				suite.Cross(latent(deepSeek, 4, 1000, 0), suite.Vary(tile, 1, 7, 64, 999)),
			),
			// The third is an empty tile, which leaves any state as it is.
			Probes: []suite.Shape{base, base.With(suite.Shape{carried: 1}), base.With(suite.Shape{carried: 1, tile: 0}),
				point(axes, 3, 130, 3, 40, 4096, 0, 0, 0)},
			Settings: append(otherScale("softmax_scale", base), lightQueries(base),
				latentPeaks(point(axes, 8, 5, 8, 257, 257, 0, 0, 0), scale),
				latentPeaks(point(axes, 8, 129, 8, 257, 64, 0, 0, 0), scale),
				latentPeaks(point(axes, 3, 2, 3, 4100, 4096, 0, 0, 0), scale),
				latentPeaks(point(axes, 1, 5, 1, 4096, 4096, 0, 0, 0), scale),
				// Little has been weighed in some heads, and nothing that counts comes.
				decisive("prior_light", base.With(suite.Shape{numHeads: 4, carried: 1}), suite.Fills{
					"running_max": suite.Every(200), "running_denom": lightWeights(numHeads),
					"v_combine_partial": steps(along(numHeads, kvLoraRank, -farApart))})),
			Ends: tileEnds(axes),
			Refused: suite.Around(base,
				suite.Vary(numHeads, 0), suite.Vary(kvLoraRank, 0), suite.Vary(qkRope, 0), suite.Vary(cacheLen, 0),
				suite.Vary(tile, -1, maxTile+1), suite.Vary(empty, -1), suite.Vary(carried, -1, 2))[1:],
			Inputs: mlaInputs(scale),
		},
		Contract: mlaContract(),
		Oracle:   mlaTile,
	}
}

func mlaTileFinalize() suite.Kernel {
	axes := []suite.Axis{numHeads, kvLoraRank}
	base := point(axes, 3, 130)
	deepSeek := fixtures.DeepSeekV3()
	return suite.Kernel{
		Name: "mla_sdpa_tile_finalize",
		Doc:  "The division that ends a tiled latent attention, 0 where the denominator is 0.",
		Axes: axes,
		Args: suite.Args{
			suite.In("v_combine_partial", suite.F32, numHeads, kvLoraRank),
			suite.In("running_denom", suite.F32, numHeads),
			suite.Out("v_combine", suite.F32, numHeads, kvLoraRank),
			suite.Const("num_heads", suite.U32, numHeads),
			suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
		},
		Grid:  suite.Flat(suite.Product(numHeads, kvLoraRank), 256),
		Check: limits(atLeast(1, numHeads, kvLoraRank), countable(numHeads, kvLoraRank)),
		Work:  each(1, numHeads, kvLoraRank),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(numHeads, 1, 2, 16),
					suite.Vary(kvLoraRank, 1, 31, 32, 33, 85, 86, 127, 128, 129, 255, 256, 257, 512)),
				[]suite.Shape{{numHeads: deepSeek.QueryHeads, kvLoraRank: deepSeek.Latent.KVRank}},
			),
			Full:   suite.Cross(base, suite.Vary(numHeads, 127, 128, 129), suite.Vary(kvLoraRank, 511, 512, 513)),
			Probes: []suite.Shape{base, {numHeads: 256, kvLoraRank: 1}},
			Ends: append(flatEnds(suite.Shape{kvLoraRank: 1}, numHeads),
				flatEnds(suite.Shape{numHeads: 1}, kvLoraRank)...),
			Refused: []suite.Shape{{numHeads: 0, kvLoraRank: 8}, {numHeads: 8, kvLoraRank: 0},
				{numHeads: 1 << 17, kvLoraRank: 1 << 16}},
			Inputs: append(
				suite.Standard(suite.Fills{"running_denom": suite.Uniform(0.5, 500)}, "v_combine_partial"),
				suite.Input{Name: "denom_zero", Fills: suite.Fills{"running_denom": suite.Choice(0, 1, 3)}},
				suite.Input{Name: "denom_all_zero",
					Fills: suite.Fills{"running_denom": suite.Every(0), "v_combine_partial": suite.Every(0)}},
				suite.Input{Name: "denom_small", Fills: suite.Fills{"running_denom": octaves(-125, -1),
					"v_combine_partial": suite.Scaled(suite.Normal, 0x1p-62)}},
				suite.Input{Name: "denom_wide", Fills: suite.Fills{"running_denom": magnitudes(suite.Wide)}},
				suite.Input{Name: "inf_running_denom",
					Fills: suite.Fills{"running_denom": suite.OneOf(suite.Uniform(0.5, 500), math.Inf(1))}},
				suite.Input{Name: "nan_running_denom",
					Fills: suite.Fills{"running_denom": suite.OneOf(suite.Uniform(0.5, 500), math.NaN())}},
			),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			return suite.Answers{"v_combine": oracles.MLAFinalize(
				in.Values("v_combine_partial"), in.Values("running_denom"), s[numHeads], s[kvLoraRank], in.Contract)}
		},
	}
}

// tileEnds are many heads, and a tile far down the cache.
func tileEnds(axes []suite.Axis) []suite.End {
	const start, n = 1<<32 - 76, 70
	ends := []suite.End{endOf(point(axes, 2, 36, 8, n, n, 0, 0, 3), suite.Shape{numHeads: 1<<31 + 2})}
	for _, state := range []int{0, 1} {
		ends = append(ends, suite.End{
			Shape: point(axes, 2, 36, 8, n, n, 0, state, 3), Of: suite.Shape{cacheLen: start + n},
			Set: map[string]float64{"tile_start": start, "tile_end": start + n},
		})
	}
	return ends
}

// tileLaunches are the tiles of the cache in order, one launch each, with an
// empty one put in where the shape wants it.
func tileLaunches(s suite.Shape) []suite.Launch {
	var bounds [][2]int
	if s[tile] == 0 {
		bounds = [][2]int{{0, 0}}
	} else {
		for start := 0; start < s[cacheLen]; start += s[tile] {
			bounds = append(bounds, [2]int{start, min(start+s[tile], s[cacheLen])})
		}
	}
	if n := s[empty]; n > 0 {
		n = min(n-1, len(bounds))
		at := s[cacheLen]
		if n < len(bounds) {
			at = bounds[n][0]
		}
		bounds = slices.Insert(bounds, n, [2]int{at, at})
	}
	var launches []suite.Launch
	for i, b := range bounds {
		first := 0.0
		if i == 0 && s[carried] == 0 {
			first = 1
		}
		launches = append(launches, suite.Launch{Set: map[string]float64{
			"tile_start": float64(b[0]), "tile_end": float64(b[1]), "is_first_tile": first,
		}})
	}
	return launches
}

// unattended are the rows of a cache that no tile has: the spare ones, and all if
// the only tile is empty.
func unattended(width suite.Extent) func(suite.Shape) []suite.Range {
	attended := suite.Func(func(s suite.Shape) int {
		if s[tile] == 0 {
			return 0
		}
		return s[cacheLen]
	})
	return rowsFrom(attended, latentRows, width)
}

// withoutTile is a query that no position is asked for.
func withoutTile(extents ...suite.Extent) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		if s[tile] > 0 {
			return nil
		}
		return everything(extents...)(s)
	}
}

// mlaTile is the oracle of a whole sequence of tiles.
func mlaTile(in *suite.Problem) suite.Answers {
	highest, denom, values := oracles.MLATile(attentionOver(in), priorState(in), tilesOf(in),
		in.Scalar("is_first_tile") != 0, in.Contract)
	return suite.Answers{"running_max": highest, "running_denom": denom, "v_combine_partial": values}
}

// tilesOf are the positions that the launches of a problem take in turn.
func tilesOf(in *suite.Problem) [][2]int {
	var tiles [][2]int
	first := in.Preceding(cacheLen)
	for i := range in.Launches {
		tiles = append(tiles,
			[2]int{int(in.ScalarIn(i, "tile_start")) - first, int(in.ScalarIn(i, "tile_end")) - first})
	}
	return tiles
}

// priorState is the state before the first tile.
func priorState(in *suite.Problem) oracles.MLAState {
	return oracles.MLAState{
		Max: in.Values("running_max"), Denom: in.Values("running_denom"), Values: in.Values("v_combine_partial"),
	}
}

// latent is the attention of a model with so many of its heads over a cache of
// so many positions.
func latent(m fixtures.Model, heads, positions, tilePositions int) suite.Shape {
	return suite.Shape{
		numHeads: heads, kvLoraRank: m.Latent.KVRank, qkRope: m.Latent.RoPE,
		cacheLen: positions, tile: tilePositions, empty: 0, carried: 0, spare: 0,
	}
}

// magnitudes is fill without its signs.
func magnitudes(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			x[i] = math.Abs(x[i])
		}
	}
}

// tileWork is latent attention before its division. Without positions nothing
// of it is left, and only a launch that goes on from a state reads one.
func tileWork() suite.Work {
	tiled := func(es ...suite.Extent) suite.Func {
		return func(s suite.Shape) int { return min(s[tile], 1) * suite.Product(es...).Size(s) }
	}
	prior := func(es ...suite.Extent) suite.Func { return suite.Product(append(es, carried)...) }
	return suite.Work{
		Operations: tiled(numHeads, cacheLen, foldedOps(softmaxOps-1)),
		Reads: elements{
			"q_prime": tiled(numHeads, kvLoraRank), "q_pe": tiled(numHeads, qkRope),
			"latent_cache": tiled(cacheLen, kvLoraRank), "rope_k_cache": tiled(cacheLen, qkRope),
			"running_max": prior(numHeads), "running_denom": prior(numHeads),
			"v_combine_partial": prior(numHeads, kvLoraRank),
		},
	}
}
