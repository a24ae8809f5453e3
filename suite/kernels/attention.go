package kernels

import (
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Attention, head broadcast, RoPE, cache and gates.
func attention() []suite.Kernel {
	return []suite.Kernel{
		repeatTiled(), repeatBlock(),
		attentionScores(oracles.BlockHeads), attentionScores(oracles.TiledHeads), attentionSoftmax(),
		attentionValues(oracles.BlockHeads), attentionValues(oracles.TiledHeads), attentionOnline(),
		sigmoidGate(), splitQGate(), cacheAppend(), ropeTokens(),
	}
}

func repeatTiled() suite.Kernel {
	base := suite.Shape{seq: 3, hg: 2, h: 4, k: 33}
	return suite.Kernel{
		Name: "repeat_tiled_f32",
		Doc:  "Repeats key heads for value heads, head h from head h mod hg.",
		Axes: []suite.Axis{seq, hg, h, k},
		Args: suite.Args{
			suite.In("src", suite.F32, seq, hg, k),
			suite.Out("dst", suite.F32, seq, h, k),
			suite.Params("params",
				suite.Field{Name: "seq", Type: suite.U32, Value: seq},
				suite.Field{Name: "hg", Type: suite.U32, Value: hg},
				suite.Field{Name: "h", Type: suite.U32, Value: h},
				suite.Field{Name: "k", Type: suite.U32, Value: k}),
		},
		Grid: suite.Grid{
			Threads: []suite.Extent{k, h, seq},
			Of:      []suite.Extent{suite.Func(func(s suite.Shape) int { return min(256, s[k]) })},
		},
		Check: limits(atLeast(1, seq, hg, h, k), multiple(h, hg), countable(seq, h, k)),
		Work:  suite.Work{Operations: none},
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base,
					suite.Vary(seq, 1, 2, 17),
					suite.Vary(k, 1, 31, 32, 64, 128, 255, 256, 257, 511, 512, 513, 1009)),
				headSharing(base, hg, h),
				[]suite.Shape{linearHeads(fixtures.Qwen3Next80B(), 1), linearHeads(fixtures.Qwen27B(), 3)},
			),
			Full: concat(
				suite.Cross(linearHeads(fixtures.Qwen397B(), 1), suite.Vary(seq, 1, 64, 1000)),
				suite.Cross(base, suite.Vary(seq, 63, 64, 65, 4096)),
			),
			Probes: []suite.Shape{base, {seq: 2, hg: 3, h: 9, k: 260}},
			Ends: append(repeatEnds(),
				endOf(suite.Shape{seq: 1, hg: 4, h: 4, k: 1}, suite.Shape{hg: 1<<31 - 4, h: 1<<32 - 8})),
			Refused: slices.Concat(
				suite.Around(base, suite.Vary(seq, 0), suite.Vary(hg, 0), suite.Vary(h, 0), suite.Vary(k, 0))[1:],
				[]suite.Shape{
					{seq: 3, hg: 2, h: 5, k: 33},
					{seq: 3, hg: 4, h: 2, k: 33},
					{seq: 1 << 16, hg: 2, h: 1 << 9, k: 128},
				},
			),
			Inputs: suite.Standard(nil, "src"),
		},
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			return suite.Answers{"dst": oracles.RepeatTiled(in.Values("src"), s[seq], s[hg], s[h], s[k])}
		},
	}
}

func repeatBlock() suite.Kernel {
	kernel := repeatTiled()
	kernel.Name = "repeat_block_f32"
	kernel.Doc = "Repeats key heads for value heads, head h from head h / (H / hg)."
	kernel.Sweep.Ends = append(repeatEnds(),
		endOf(suite.Shape{seq: 1, hg: 4, h: 8, k: 1}, suite.Shape{hg: 1<<31 - 4, h: 1<<32 - 8}))
	kernel.Oracle = func(in *suite.Problem) suite.Answers {
		s := in.Shape
		return suite.Answers{"dst": oracles.RepeatBlock(in.Values("src"), s[seq], s[hg], s[h], s[k])}
	}
	return kernel
}

// repeatEnds are many tokens, and a long head.
func repeatEnds() []suite.End {
	return []suite.End{
		endOf(suite.Shape{seq: 3, hg: 2, h: 4, k: 33}, suite.Shape{seq: 32537603}), // 4,294,963,596 elements
		endOf(suite.Shape{seq: 3, hg: 1, h: 1, k: 1}, suite.Shape{seq: 1<<32 - 5}),
		endOf(suite.Shape{seq: 1, hg: 1, h: 1, k: 512}, suite.Shape{k: aroundSign}),
	}
}

// headSharing are the ways in which heads share key heads: one key head, one
// for each head, and ratios of 2, 3 and 4 with several key heads, where block
// and tiled mapping differ.
func headSharing(base suite.Shape, keyHeads, heads suite.Axis) []suite.Shape {
	var shapes []suite.Shape
	for _, n := range [][2]int{{1, 1}, {1, 3}, {4, 4}, {2, 4}, {2, 6}, {2, 8}, {3, 6}, {3, 9}, {3, 12}, {5, 10}} {
		shapes = append(shapes, base.With(suite.Shape{keyHeads: n[0], heads: n[1]}))
	}
	return shapes
}

// linearHeads is the head broadcast of a model's linear attention.
func linearHeads(m fixtures.Model, n int) suite.Shape {
	return suite.Shape{seq: n, hg: m.LinearKeyHeads, h: m.LinearValueHeads, k: m.LinearHeadDim}
}
