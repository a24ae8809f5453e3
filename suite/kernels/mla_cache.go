package kernels

import (
	"fmt"
	"math"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

func mlaSplit() suite.Kernel {
	axes := []suite.Axis{queryHeads, qkNope, qkPe, kvLoraRank}
	base := point(axes, 3, 20, 8, 40)
	deepSeek := fixtures.DeepSeekV3()
	return suite.Kernel{
		Name: "mla_split_q_kv",
		Doc:  "Parts queries, and the compressed row of keys and values, into what takes no rotation and what does.",
		Axes: axes,
		// One token has them. In DeepSeek-V3 they are 128, 64 and 512.
		Limits: suite.Shape{qkNope: past16Bits, qkPe: past16Bits, kvLoraRank: past16Bits},
		Args: suite.Args{
			suite.In("q_full", suite.F32, queryHeads, total(qkNope, qkPe)),
			suite.In("kv_pre", suite.F32, total(kvLoraRank, qkPe)),
			suite.Out("q_nope", suite.F32, queryHeads, qkNope),
			suite.Out("q_pe", suite.F32, queryHeads, qkPe),
			suite.Out("kv_lat", suite.F32, kvLoraRank),
			suite.Out("k_pe", suite.F32, qkPe),
			suite.Const("H", suite.U32, queryHeads),
			suite.Const("qk_nope", suite.U32, qkNope),
			suite.Const("qk_rope", suite.U32, qkPe),
			suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
		},
		Grid: suite.Flat(longest(suite.Product(queryHeads, qkNope), suite.Product(queryHeads, qkPe), kvLoraRank, qkPe),
			256),
		Check: limits(
			atLeast(1, queryHeads, qkNope, qkPe, kvLoraRank), countable(queryHeads, qkNope),
			countable(queryHeads, qkPe), wholeQueries),
		Work: suite.Work{Operations: none},
		Sweep: suite.Sweep{
			// Each of the four outputs is the longest somewhere, with a length
			// round that of a threadgroup.
			Shapes: concat(
				suite.Around(base,
					suite.Vary(queryHeads, 1, 2, 16, 31), suite.Vary(qkNope, 1, 7, 85, 86, 256),
					suite.Vary(qkPe, 1, 2, 64, 85, 86, 300),
					suite.Vary(kvLoraRank, 1, 60, 255, 256, 257, 512)),
				suite.Cross(point(axes, 1, 4, 0, 4), suite.Vary(qkPe, 255, 256, 257)),
				suite.Around(point(axes, 1, 1, 1, 1), suite.Vary(qkNope, past16Bits), suite.Vary(qkPe, past16Bits),
					suite.Vary(kvLoraRank, past16Bits))[1:],
				[]suite.Shape{point(axes, deepSeek.QueryHeads, deepSeek.Latent.NoPE, deepSeek.Latent.RoPE,
					deepSeek.Latent.KVRank)},
			),
			Full: suite.Cross(base, suite.Vary(queryHeads, 127, 128, 129), suite.Vary(qkNope, 127, 128),
				suite.Vary(qkPe, 63, 64, 65)),
			Probes: []suite.Shape{base},
			// Many queries, the parts of which are of one length so that one threadgroup
			// has the last of both. Those of the compressed row do not run.
			Ends: []suite.End{{Shape: point(axes, 2, 128, 128, 40), Of: suite.Shape{queryHeads: 1<<24 - 2},
				Unwritten: map[string][]suite.Range{"kv_lat": {{First: 0, End: 40}}, "k_pe": {{First: 0, End: 128}}}}},
			Refused: append(
				suite.Around(base, suite.Vary(queryHeads, 0), suite.Vary(qkNope, 0), suite.Vary(qkPe, 0),
					suite.Vary(kvLoraRank, 0))[1:],
				point(axes, 1<<16, 1<<16, 1, 1), point(axes, 1<<16, 1, 1<<16, 1), point(axes, 1<<16, 1<<15, 1<<15, 1)),
			Inputs: suite.Standard(nil, "q_full", "kv_pre"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			qNope, qPe, kvLat, kPe := oracles.MLASplit(in.Values("q_full"), in.Values("kv_pre"), s[qkNope], s[qkPe],
				s[kvLoraRank])
			return suite.Answers{"q_nope": qNope, "q_pe": qPe, "kv_lat": kvLat, "k_pe": kPe}
		},
	}
}

// wholeQueries refuses queries of which a u32 could count the parts and not the whole.
func wholeQueries(s suite.Shape) error {
	if n := s[queryHeads] * (s[qkNope] + s[qkPe]); n > math.MaxUint32 {
		return fmt.Errorf("%s · (%s + %s) is %d, must be at most %d", queryHeads, qkNope, qkPe, n,
			uint32(math.MaxUint32))
	}
	return nil
}

func mlaCacheAppend() suite.Kernel {
	axes := []suite.Axis{kvLoraRank, qkPe, capacity, pos}
	base := point(axes, 40, 8, 5, 2)
	l := fixtures.DeepSeekV3().Latent
	cache := func(name string, width suite.Axis) suite.Arg {
		arg := suite.InOut(name, suite.F32, capacity, width).Ignoring(everything(capacity, width))
		arg.Untouched = func(s suite.Shape) []suite.Range {
			row := suite.Range{First: s[pos] * s[width], End: (s[pos] + 1) * s[width]}
			others := []suite.Range{{First: 0, End: row.First}, {First: row.End, End: s[capacity] * s[width]}}
			return slices.DeleteFunc(others, func(r suite.Range) bool { return r.First == r.End })
		}
		return arg
	}
	return suite.Kernel{
		Name: "mla_kv_cache_append",
		Doc:  "Writes one position's latent row and rotated key into the caches; all other rows stay.",
		Axes: axes,
		Args: suite.Args{
			suite.In("kv_lat", suite.F32, kvLoraRank),
			suite.In("k_pe", suite.F32, qkPe),
			cache("latent_cache", kvLoraRank),
			cache("rope_k_cache", qkPe),
			suite.Const("kv_lora_rank", suite.U32, kvLoraRank),
			suite.Const("qk_rope", suite.U32, qkPe),
			suite.Const("pos", suite.I32, pos),
		},
		Grid:  suite.Flat(longest(kvLoraRank, qkPe), 256),
		Check: limits(atLeast(1, kvLoraRank, qkPe, capacity), atLeast(0, pos), below(pos, capacity)),
		Work:  suite.Work{Operations: none, Reads: elements{"latent_cache": none, "rope_k_cache": none}},
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(kvLoraRank, 1, 8, 255, 256, 257, 512, 600),
					suite.Vary(qkPe, 1, 40, 64, 255, 256, 257, 300),
					suite.Vary(pos, 0, 1, 3, 4), suite.Vary(capacity, 3, 100)),
				[]suite.Shape{point(axes, 1, 1, 1, 0), point(axes, l.KVRank, l.RoPE, 64, 31)},
			),
			Full:   suite.Cross(point(axes, l.KVRank, l.RoPE, 4097, 0), suite.Vary(pos, 0, 1, 4095, 4096)),
			Probes: []suite.Shape{base, base.With(suite.Shape{pos: 0}), base.With(suite.Shape{pos: 4})},
			Ends: []suite.End{
				endOf(base, suite.Shape{pos: 1<<31 - 6, capacity: 1<<31 - 3}),
				// Both rows together: a thread has an element of each.
				endOf(point(axes, 512, 512, 1, 0), suite.Shape{kvLoraRank: aroundSign, qkPe: aroundSign}),
			},
			Refused: suite.Around(base, suite.Vary(kvLoraRank, 0), suite.Vary(qkPe, 0), suite.Vary(capacity, 0, 1, 2),
				suite.Vary(pos, -1, 5, 6))[1:],
			Inputs: suite.Standard(nil, "kv_lat", "k_pe"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			return suite.Answers{
				"latent_cache": oracles.CacheAppend(in.Values("latent_cache"), in.Values("kv_lat"),
					s[pos]*s[kvLoraRank]),
				"rope_k_cache": oracles.CacheAppend(in.Values("rope_k_cache"), in.Values("k_pe"), s[pos]*s[qkPe]),
			}
		},
	}
}

// total is the sum of extents.
func total(es ...suite.Extent) suite.Func {
	return func(s suite.Shape) int {
		n := 0
		for _, e := range es {
			n += e.Size(s)
		}
		return n
	}
}

// longest is the largest of extents.
func longest(es ...suite.Extent) suite.Func {
	return func(s suite.Shape) int {
		n := 0
		for _, e := range es {
			n = max(n, e.Size(s))
		}
		return n
	}
}

// below refuses a value of a that is not below that of b.
func below(a, b suite.Axis) limit {
	return func(s suite.Shape) error {
		if x, y := a.Size(s), b.Size(s); x >= y {
			return fmt.Errorf("%s is %d, must be below %s = %d", a, x, b, y)
		}
		return nil
	}
}
