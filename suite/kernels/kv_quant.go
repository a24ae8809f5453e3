package kernels

import (
	"fmt"
	"slices"

	"metalconform/fixtures"
	"metalconform/oracles"
	"metalconform/suite"
)

// Axes of a quantised cache, spelled as its parameters.
const (
	numKVHeads    suite.Axis = "num_kv_heads"
	cacheCapacity suite.Axis = "cache_capacity"
	readPos       suite.Axis = "read_pos"
	normsPerPos   suite.Axis = "norms_per_pos"
	scaleD512     suite.Axis = "scale_factor_d512"
	codebookBits  suite.Axis = "codebook_bits"
)

// normBlock is the number of coordinates that share a norm.
const normBlock = 256

// Dequantisation of a rotated cache of keys or values.
func kvQuant() []suite.Kernel {
	return []suite.Kernel{dequantizeNibbles(), dequantizeBytes(), dequantizeRun()}
}

func dequantizeNibbles() suite.Kernel {
	base := cachePoint(suite.Shape{readPos: 3}, 2, 64)
	width := suite.Func(func(s suite.Shape) int { return s[perHead] / 2 })
	return suite.Kernel{
		Name: "tq_dequantize_kv",
		Doc:  "Decodes one position of a quantised cache of 4 bits a coordinate, in the rotated domain.",
		Axes: []suite.Axis{numKVHeads, perHead, cacheCapacity, readPos, normsPerPos, scaleD512, spare},
		Args: slices.Concat(
			cacheBuffers(width, readPos),
			suite.Args{suite.Params("params", onePosition()...)},
		),
		Grid:     suite.Grid{Threadgroups: []suite.Extent{numKVHeads}, Of: []suite.Extent{cacheThreads()}},
		Check:    cacheLimits(wholeBytes, positionLimits),
		Launches: unlessEmpty(numKVHeads, perHead),
		Tables:   func(suite.Shape) []suite.Table { return []suite.Table{codebookTable(4)} },
		Work:     decodeWork(width),
		Sweep: suite.Sweep{
			Shapes:   concat(cacheShapes(base, 2), positionShapes(base), []suite.Shape{longVector(base)}),
			Full:     modelCaches(suite.Shape{readPos: 4095}),
			Probes:   cacheProbes(base),
			Settings: fractionalScale(base),
			Ends:     positionEnds(base, width),
			Refused: slices.Concat(cacheRefused(base), positionRefused(base),
				suite.Cross(base, suite.Vary(perHead, 1))),
			Inputs: cacheInputs(4),
		},
		Oracle: dequantize(func(s suite.Shape) (bits, start, n int) { return 4, s[readPos], 1 }),
	}
}

func dequantizeBytes() suite.Kernel {
	base := cachePoint(suite.Shape{readPos: 3, codebookBits: 6}, 2, 64)
	return suite.Kernel{
		Name: "tq_dequantize_hb_kv",
		Doc:  "Decodes one position of a quantised cache of a byte a coordinate, in the rotated domain.",
		Axes: []suite.Axis{numKVHeads, perHead, cacheCapacity, readPos, normsPerPos, scaleD512, codebookBits, spare},
		Args: slices.Concat(
			cacheBuffers(perHead, readPos),
			suite.Args{suite.Params("params", append(onePosition(),
				suite.Field{Name: "codebook_bits", Type: suite.U32, Value: codebookBits})...)},
		),
		Grid:     suite.Grid{Threadgroups: []suite.Extent{numKVHeads}, Of: []suite.Extent{cacheThreads()}},
		Check:    cacheLimits(bitsLimit, positionLimits),
		Launches: unlessEmpty(numKVHeads, perHead),
		Tables:   byteTables,
		Work:     decodeWork(perHead),
		Sweep: suite.Sweep{
			Shapes:   concat(everyBits(cacheShapes(base, 1)), positionShapes(base), []suite.Shape{longVector(base)}),
			Full:     everyBits(modelCaches(suite.Shape{readPos: 4095, codebookBits: 6})),
			Probes:   everyBits(cacheProbes(base)),
			Settings: fractionalScale(base),
			Ends:     positionEnds(base, perHead),
			Refused:  slices.Concat(cacheRefused(base), positionRefused(base), bitsRefused(base)),
			Inputs:   cacheInputs(8),
		},
		Oracle: dequantize(func(s suite.Shape) (bits, start, n int) { return s[codebookBits], s[readPos], 1 }),
	}
}

func dequantizeRun() suite.Kernel {
	base := cachePoint(suite.Shape{startPos: 1, nTokens: 3, codebookBits: 6}, 2, 64)
	return suite.Kernel{
		Name: "tq_dequantize_hb_kv_seq",
		Doc: "Decodes a run of positions of a quantised cache of a byte a coordinate, each to the bits of " +
			"tq_dequantize_hb_kv.",
		Axes: []suite.Axis{numKVHeads, perHead, cacheCapacity, startPos, nTokens, normsPerPos, scaleD512, codebookBits,
			spare},
		Args: slices.Concat(
			cacheBuffers(perHead, startPos, nTokens),
			suite.Args{suite.Params("params",
				suite.Field{Name: "head_dim", Type: suite.U32, Value: perHead},
				suite.Field{Name: "num_kv_heads", Type: suite.U32, Value: numKVHeads},
				suite.Field{Name: "start_pos", Type: suite.U32, Value: startPos},
				suite.Field{Name: "n_tokens", Type: suite.U32, Value: nTokens},
				suite.Field{Name: "cache_capacity", Type: suite.U32, Value: cacheCapacity},
				suite.Field{Name: "norms_per_pos", Type: suite.U32, Value: normsPerPos},
				suite.Field{Name: "scale_factor_d512", Type: suite.F32, Value: scaleD512},
				suite.Field{Name: "codebook_bits", Type: suite.U32, Value: codebookBits})},
		),
		Grid:     suite.Grid{Threadgroups: []suite.Extent{numKVHeads, nTokens}, Of: []suite.Extent{cacheThreads()}},
		Check:    cacheLimits(bitsLimit, runLimits, nTokens),
		Launches: unlessEmpty(numKVHeads, perHead, nTokens),
		Tables:   byteTables,
		Work:     decodeWork(perHead, nTokens),
		Sweep: suite.Sweep{
			Shapes:   concat(everyBits(cacheShapes(base, 1)), runShapes(base), []suite.Shape{longVector(base)}),
			Full:     everyBits(modelCaches(suite.Shape{startPos: 3000, nTokens: 1096, codebookBits: 6})),
			Probes:   everyBits(cacheProbes(base)),
			Settings: fractionalScale(base),
			Ends:     runEnds(base),
			Refused:  slices.Concat(cacheRefused(base), bitsRefused(base), runRefused(base)),
			Inputs:   cacheInputs(8),
		},
		Oracle: dequantize(func(s suite.Shape) (bits, start, n int) {
			return s[codebookBits], s[startPos], s[nTokens]
		}),
	}
}

// cacheBuffers are the buffers of every kernel, with so many bytes to a
// position of a head, of which those of a run that begins at the axis first are
// read. Behind the heads of dst that count lie spare ones.
func cacheBuffers(width suite.Extent, first suite.Axis, run ...suite.Extent) suite.Args {
	heads := suite.Func(func(s suite.Shape) int { return s[numKVHeads] + s[spare] })
	extents := slices.Concat([]suite.Extent{heads}, run, []suite.Extent{perHead})
	read := func(s suite.Shape, position int) bool {
		return s[first] <= position && position < s[first]+suite.Product(run...).Size(s)
	}
	return suite.Args{
		suite.In("packed", suite.U8, numKVHeads, cacheCapacity, width).Ignoring(rowsWithin(numKVHeads, cacheCapacity,
			width, read)),
		suite.In("norms", suite.F32, numKVHeads, cacheCapacity, normsPerPos).Ignoring(rowsWithin(numKVHeads,
			cacheCapacity, normsPerPos, read)),
		{Name: "dst", Role: suite.RoleOut, Type: suite.F32, Extents: extents,
			Untouched: func(s suite.Shape) []suite.Range {
				head := suite.Product(extents[1:]...).Size(s)
				return []suite.Range{{First: s[numKVHeads] * head, End: heads(s) * head}}
			}},
	}
}

// onePosition are the parameters that the kernels of one position share.
func onePosition() []suite.Field {
	return []suite.Field{
		{Name: "head_dim", Type: suite.U32, Value: perHead},
		{Name: "num_kv_heads", Type: suite.U32, Value: numKVHeads},
		{Name: "read_pos", Type: suite.U32, Value: readPos},
		{Name: "cache_capacity", Type: suite.U32, Value: cacheCapacity},
		{Name: "norms_per_pos", Type: suite.U32, Value: normsPerPos},
		{Name: "scale_factor_d512", Type: suite.F32, Value: scaleD512},
	}
}

// cacheThreads is a thread for each coordinate, up to the most of a threadgroup.
func cacheThreads() suite.Func {
	return func(s suite.Shape) int { return min(s[perHead], 1024) }
}

// unlessEmpty is a single launch, or none if one of the axes is 0: an empty cache
// leaves nothing to do.
func unlessEmpty(axes ...suite.Axis) func(suite.Shape) []suite.Launch {
	return func(s suite.Shape) []suite.Launch {
		if suite.Product(extents(axes)...).Size(s) == 0 {
			return nil
		}
		return []suite.Launch{{}}
	}
}

func extents(axes []suite.Axis) []suite.Extent {
	var list []suite.Extent
	for _, a := range axes {
		list = append(list, a)
	}
	return list
}

// byteTables is the codebook of a byte kernel's bits.
func byteTables(s suite.Shape) []suite.Table { return []suite.Table{codebookTable(s[codebookBits])} }

// codebookTable is the codebook of so many bits.
func codebookTable(bits int) suite.Table {
	return suite.Table{Name: codebookName(bits), Values: codebook(bits), Appraise: appraiseCodebook}
}

func codebookName(bits int) string { return fmt.Sprintf("CODEBOOK_%dBIT", bits) }

// dequantize is the oracle of the kernels, given the positions that they
// decode. The spare heads of dst have no answer.
func dequantize(of func(suite.Shape) (bits, start, n int)) func(*suite.Problem) suite.Answers {
	return func(in *suite.Problem) suite.Answers {
		s := in.Shape
		bits, start, n := of(s)
		a := oracles.DequantizeCache(cacheOf(in, bits), start, n, in.Contract)
		behind := make([]float64, s[spare]*n*s[perHead])
		a.Want = append(a.Want, behind...)
		for i := range a.Budget {
			a.Budget[i].Error = append(a.Budget[i].Error, behind...)
		}
		return suite.Answers{"dst": a}
	}
}

// cacheOf is the cache of a problem, in a codebook of so many bits.
func cacheOf(in *suite.Problem, bits int) oracles.Cache {
	s := in.Shape
	return oracles.Cache{
		Packed: in.Words("packed"), Norms: in.Values("norms"), Levels: in.Table(codebookName(bits)), Bits: bits,
		Heads: s[numKVHeads], Dim: s[perHead], Capacity: s[cacheCapacity], NormsPerPos: s[normsPerPos],
		Scale: in.Scalar("scale_factor_d512"),
	}
}

// modelCaches are the key and value caches of real models at 4096 positions.
func modelCaches(at suite.Shape) []suite.Shape {
	var shapes []suite.Shape
	for _, m := range []fixtures.Model{fixtures.Qwen35B(), fixtures.Qwen27B()} {
		shapes = append(shapes, cachePoint(at, m.KVHeads, m.HeadDim).With(suite.Shape{cacheCapacity: 4096, spare: 0}))
	}
	return shapes
}

// decodeWork is the decoding of one position of each head, or of a run: a level
// times its norm and its scale.
func decodeWork(stored suite.Extent, run ...suite.Extent) suite.Work {
	vectors := suite.Product(append(run, numKVHeads)...)
	w := each(2, vectors, perHead)
	w.Reads = elements{"packed": suite.Product(vectors, stored), "norms": suite.Product(vectors, normsPerPos)}
	return w
}
