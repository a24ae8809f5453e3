package kernels

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"metalconform/oracles"
	"metalconform/suite"
)

// Elements after each expert's part of the arrays of dequant_matvec_4bit_batched,
// so that no expert begins where the one before it ends.
const (
	spareWords  = 3
	spareScales = 1
	spareBiases = 5
)

func dequantMatvec4Batched() suite.Kernel {
	base := suite.Shape{slots: 3, outDim: 11, inDim: 320, groupSize: 64}
	rowTiles := suite.Ceil(outDim, rowsPerGroup)
	words, scales, biases := expertPart(1, spareWords), expertPart(groupPart, spareScales),
		expertPart(groupPart, spareBiases)
	offsets := suite.Fills{"w_offsets": inAnyOrder(words), "s_offsets": inAnyOrder(scales),
		"b_offsets": inAnyOrder(biases)}
	inputs := affineInputs(4, "x_inputs")
	for name, f := range offsets {
		inputs[0].Fills[name] = f
	}
	return suite.Kernel{
		Name: "dequant_matvec_4bit_batched",
		Doc:  "4-bit products of K experts, each with its own matrix, found by offsets, and its own input.",
		Axes: []suite.Axis{slots, outDim, inDim, groupSize},
		Args: slices.Concat(
			suite.Args{
				suite.In("W_packed", suite.U32, slots, words).Ignoring(afterParts(words, spareWords)),
				suite.In("scales", suite.BF16, slots, scales).Ignoring(afterParts(scales, spareScales)),
				suite.In("biases", suite.BF16, slots, biases).Ignoring(afterParts(biases, spareBiases)),
				suite.In("x_inputs", suite.F32, slots, inDim),
				suite.Out("out", suite.F32, slots, outDim),
			},
			matvecScalars(),
			suite.Args{
				suite.In("w_offsets", suite.U32, slots),
				suite.In("s_offsets", suite.U32, slots),
				suite.In("b_offsets", suite.U32, slots),
				suite.Const("num_row_tiles", suite.U32, rowTiles),
			}),
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Product(rowTiles, slots)},
			Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, slots), stagedLimits(4), countable(slots, outDim, inDim)),
		Work: suite.Work{
			Operations: times(affineOps+multiplyAdd, slots, outDim, inDim),
			Reads: elements{
				"W_packed": suite.Product(slots, expertPart(1, 0)),
				"scales":   suite.Product(slots, expertPart(groupPart, 0)),
				"biases":   suite.Product(slots, expertPart(groupPart, 0)),
			},
		},
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(slots, 1, 2, 8, 10, 17)),
				[]suite.Shape{{slots: 5, outDim: 19, inDim: 2112, groupSize: 32}},
				stagedShapes(base.With(suite.Shape{slots: 2}), 4),
			),
			Full:   expertShapes(suite.Shape{slots: 10}),
			Probes: []suite.Shape{base, {slots: 5, outDim: 9, inDim: 296, groupSize: 8}},
			Ends:   batchedEnds(words, scales, biases),
			Refused: append(stagedRefused(base), base.With(suite.Shape{slots: 0}),
				suite.Shape{slots: 1 << 12, outDim: 1 << 12, inDim: 4096, groupSize: 64}),
			Inputs: append(inputs,
				suite.Input{Name: "offsets_in_order", Fills: suite.Fills{
					"w_offsets": inOrder(words), "s_offsets": inOrder(scales), "b_offsets": inOrder(biases)}},
				suite.Input{Name: "offsets_shared", Fills: suite.Fills{
					"w_offsets": suite.Every(0), "s_offsets": suite.Every(0), "b_offsets": suite.Every(0)}}),
		},
		Contract: sumsOf("row", oracles.Strided(32, 1)),
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			return suite.Answers{"out": oracles.DequantExperts(
				oracles.Affine{Bits: 4, Group: s[groupSize]}, expertsByOffset(in), s[inDim], s[outDim], in.Contract)}
		},
	}
}

// batchedEnds are many experts, and three whose offsets are the largest that there are,
// so that their matrices lie beyond what 32 bits count.
func batchedEnds(words, scales, biases suite.Func) []suite.End {
	s := suite.Shape{slots: 3, outDim: 12, inDim: 64, groupSize: 8}
	many := s.With(suite.Shape{slots: 1<<22 + 3})
	at := func(part suite.Func) float64 { return float64((many[slots] - s[slots]) * part(s)) }
	const far = 1<<32 - 512
	return []suite.End{
		{Shape: s, Of: suite.Shape{slots: many[slots]}, Fills: suite.Fills{
			"w_offsets": shifted(inAnyOrder(words), at(words)), "s_offsets": shifted(inAnyOrder(scales), at(scales)),
			"b_offsets": shifted(inAnyOrder(biases), at(biases))}},
		endOf(suite.Shape{slots: 1, outDim: 13, inDim: 8, groupSize: 8}, suite.Shape{outDim: 1<<29 - 3}),
		{Shape: s, Before: map[string]int{"W_packed": far, "scales": far, "biases": far}, Fills: suite.Fills{
			"w_offsets": shifted(inAnyOrder(words), far), "s_offsets": shifted(inAnyOrder(scales), far),
			"b_offsets": shifted(inAnyOrder(biases), far)}},
	}
}

// expertsByOffset are the experts as a problem's offsets find them.
func expertsByOffset(in *suite.Problem) []oracles.Expert {
	s, all := in.Shape, weightsOf(in, "")
	w, scale, bias := in.Words("w_offsets"), in.Words("s_offsets"), in.Words("b_offsets")
	rows := in.Preceding(outDim) // of each expert, before those that are there
	groups := rows * (s[inDim] / s[groupSize])
	var experts []oracles.Expert
	for i := range s[slots] {
		experts = append(experts, oracles.Expert{
			Weights: oracles.Weights{
				Packed: all.Packed[int(w[i])-in.Before("W_packed")+rows*s[inDim]/8:],
				Scales: all.Scales[int(scale[i])-in.Before("scales")+groups:],
				Biases: all.Biases[int(bias[i])-in.Before("biases")+groups:],
			},
			X: in.Values("x_inputs")[i*s[inDim] : (i+1)*s[inDim]],
		})
	}
	return experts
}

// groupPart stands for one element of a group.
const groupPart = 0

// expertPart is the size of one expert's part of an array: words of its
// matrix, or an element for each group, and the spare ones after.
func expertPart(kind, spare int) suite.Func {
	return func(s suite.Shape) int {
		if kind == groupPart {
			return s[outDim]*(s[inDim]/s[groupSize]) + spare
		}
		return s[outDim]*s[inDim]/8 + spare
	}
}

// afterParts are the spare elements after each expert's part of an array.
func afterParts(part suite.Func, spare int) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		var ranges []suite.Range
		for i := range s[slots] {
			end := (i + 1) * part(s)
			ranges = append(ranges, suite.Range{First: end - spare, End: end})
		}
		return ranges
	}
}

// inAnyOrder are the offsets of the experts' parts, shuffled.
func inAnyOrder(part suite.Func) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for i, at := range r.Perm(len(x)) {
			x[i] = float64(at * part(s))
		}
	}
}

// inOrder are the offsets of the experts' parts as they follow each other.
func inOrder(part suite.Func) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = float64(i * part(s))
		}
	}
}

// expertShapes are the experts' matrices of the models that have them, up to
// the staging limit.
func expertShapes(base suite.Shape) []suite.Shape {
	return suite.Cross(base.With(suite.Shape{groupSize: 64, outDim: 512, inDim: 2048}),
		suite.Vary(outDim, 512, 1024), suite.Vary(inDim, 512, 2048, 4096))
}

func dequantMatvec4Experts() suite.Kernel {
	base := inOneBlob(suite.Shape{kActive: 3, outDim: 11, inDim: 320, groupSize: 64, wByteOff: 12, inputStride: 324})[0]
	rowTiles := suite.Ceil(outDim, rowsPerGroup)
	var args suite.Args
	for i := range maxActiveExperts {
		args = append(args, suite.In(blobName(i), suite.U8, blobSize(i)).Ignoring(blobGaps(i)))
	}
	inputs := suite.Func(func(s suite.Shape) int { return (s[kActive]-1)*s[inputStride] + s[inDim] })
	args = append(args,
		suite.In("x", suite.F32, inputs).Ignoring(inputGaps),
		suite.Out("out", suite.F32, kActive, outDim),
		suite.Const("out_dim", suite.U32, outDim),
		suite.Const("in_dim", suite.U32, inDim),
		suite.Const("group_size", suite.U32, groupSize),
		suite.Const("w_byte_off", suite.U32, wByteOff),
		suite.Const("s_byte_off", suite.U32, sByteOff),
		suite.Const("b_byte_off", suite.U32, bByteOff),
		suite.Const("num_row_tiles", suite.U32, rowTiles),
		suite.Const("k_active", suite.U32, kActive),
		suite.Const("input_stride", suite.U32, inputStride))
	return suite.Kernel{
		Name: "dequant_matvec_4bit_v3_experts",
		Doc:  "4-bit products of up to eight experts, each a blob of bytes that holds its words, scales and biases.",
		Axes: []suite.Axis{kActive, outDim, inDim, groupSize, wByteOff, sByteOff, bByteOff, inputStride},
		Args: args,
		Grid: suite.Grid{Threadgroups: []suite.Extent{suite.Product(rowTiles, kActive)},
			Of: []suite.Extent{suite.Fixed(256)}},
		Check: limits(atLeast(1, kActive), atMost(maxActiveExperts, kActive), stagedLimits(4),
			atLeast(0, wByteOff, sByteOff, bByteOff, inputStride), multipleOf(4, wByteOff), multipleOf(2, sByteOff),
			multipleOf(2, bByteOff)),
		Work: blobWork(),
		Sweep: suite.Sweep{
			Shapes: concat(
				inOneBlob(slices.Concat(
					suite.Around(withoutOffsets(base),
						suite.Vary(kActive, 1, 2, 4, 5, 6, 7, 8), suite.Vary(wByteOff, 0, 4, 64, 4096, past16Bits/4*4),
						suite.Vary(inputStride, 0, 320, 4096, past16Bits)),
					stagedShapes(withoutOffsets(base).With(suite.Shape{kActive: 2, inputStride: 0}), 4),
					[]suite.Shape{{kActive: 8, outDim: 64, inDim: 2048, groupSize: 64, wByteOff: 0, inputStride: 0},
						{kActive: 8, outDim: 19, inDim: 576, groupSize: 32, wByteOff: 4, inputStride: 580}})...),
				blobOrders(base)),
			Full: inOneBlob(slices.Concat(
				expertShapes(suite.Shape{kActive: 8, wByteOff: 0, inputStride: 0}),
				expertShapes(suite.Shape{kActive: 8, wByteOff: 16, inputStride: 4096}))...),
			Probes: inOneBlob(base,
				suite.Shape{kActive: 8, outDim: 9, inDim: 296, groupSize: 8, wByteOff: 0, inputStride: 0}),
			Ends: blobEnds(base),
			Refused: append(inOneBlob(stagedRefused(base)...),
				suite.Around(base, suite.Vary(kActive, 0, 9), suite.Vary(wByteOff, -4, 1, 2, 6),
					suite.Vary(sByteOff, -2, 1791),
					suite.Vary(bByteOff, -2, 2021), suite.Vary(inputStride, -1))[1:]...),
			Inputs:   blobInputs(),
			Sensible: func(s suite.Shape) bool { return layout(s).apart() },
		},
		Contract: sumsOf("row", oracles.Strided(32, 1)),
		Oracle:   expertsOracle,
	}
}

func expertsOracle(in *suite.Problem) suite.Answers {
	s := in.Shape
	return suite.Answers{"out": oracles.DequantExperts(
		oracles.Affine{Bits: 4, Group: s[groupSize]}, expertsInBlobs(in), s[inDim], s[outDim], in.Contract)}
}

// expertsInBlobs are the experts as a problem's blobs hold them.
func expertsInBlobs(in *suite.Problem) []oracles.Expert {
	s, x := in.Shape, in.Values("x")
	var experts []oracles.Expert
	for i := range s[kActive] {
		first := i * s[inputStride]
		experts = append(experts,
			oracles.Expert{Weights: layout(s).weights(in.Words(blobName(i))), X: x[first : first+s[inDim]]})
	}
	return experts
}

func blobName(i int) string { return fmt.Sprintf("blob%d", i) }

// blobLayout says where in a blob its parts begin and end, in bytes.
type blobLayout struct{ words, scales, biases suite.Range }

// layout is that of the offsets of a shape.
func layout(s suite.Shape) blobLayout {
	part := func(first, n int) suite.Range { return suite.Range{First: first, End: first + n} }
	groups := s[outDim] * (s[inDim] / s[groupSize])
	return blobLayout{part(s[wByteOff], s[outDim]*(s[inDim]/8)*4), part(s[sByteOff], 2*groups),
		part(s[bByteOff], 2*groups)}
}

// parts are the parts of a blob in order.
func (l blobLayout) parts() []suite.Range {
	parts := []suite.Range{l.words, l.scales, l.biases}
	slices.SortFunc(parts, func(a, b suite.Range) int { return cmp.Compare(a.First, b.First) })
	return parts
}

// apart reports whether no two parts overlap.
func (l blobLayout) apart() bool {
	parts := l.parts()
	return parts[0].End <= parts[1].First && parts[1].End <= parts[2].First
}

// end is the size of a blob.
func (l blobLayout) end() int { return l.parts()[2].End }

// inOneBlob gives shapes without offsets the offsets of the usual layout. The scales follow the words directly. The
// biases follow the scales, after a gap that ends at a multiple of 4. A refused shape may have impossible sizes.
func inOneBlob(shapes ...suite.Shape) []suite.Shape {
	var list []suite.Shape
	for _, s := range shapes {
		if _, given := s[sByteOff]; !given {
			words, groups := s[outDim]*(s[inDim]/8)*4, s[outDim]*(s[inDim]/max(s[groupSize], 1))
			s = s.With(suite.Shape{sByteOff: s[wByteOff] + words})
			s = s.With(suite.Shape{bByteOff: s[sByteOff] + (2*groups+7)/4*4})
		}
		list = append(list, s)
	}
	return list
}

// withoutOffsets is a shape without the offsets of a layout.
func withoutOffsets(s suite.Shape) suite.Shape {
	s = maps.Clone(s)
	delete(s, sByteOff)
	delete(s, bByteOff)
	return s
}

// blobOrders are layouts in which no offset follows from the sizes: parts far apart,
// in every order, and at the same offsets with other sizes.
func blobOrders(base suite.Shape) []suite.Shape {
	at := func(w, s, b int) suite.Shape {
		return base.With(suite.Shape{wByteOff: w, sByteOff: s, bByteOff: b})
	}
	far := at(1024, 4096, 8192)
	return []suite.Shape{
		far, at(1024, 4100, 8192), at(1024, 4096, 8198), at(1028, 4096, 8192),
		far.With(suite.Shape{outDim: 10}), far.With(suite.Shape{inDim: 256}), far.With(suite.Shape{groupSize: 32}),
		at(1024, 8192, 4096), at(4096, 2, 1024), at(4096, 1026, 0), at(2048, 4096, 34),
	}
}

// blobEnds have their parts after as many bytes as an offset can say, the words last
// and first.
func blobEnds(base suite.Shape) []suite.End {
	s := base.With(suite.Shape{outDim: 12, inDim: 64, groupSize: 8})
	var ends []suite.End
	for _, parts := range []suite.Shape{{wByteOff: 3840, sByteOff: 16, bByteOff: 512},
		{wByteOff: 64, sByteOff: 3840, bByteOff: 1024}} {
		of := suite.Shape{}
		for a, at := range parts {
			of[a] = 1<<32 - 4096 + at
		}
		ends = append(ends, endOf(s.With(parts), of))
	}
	return ends
}

// blobSize is the size of blob i: one of an expert that is not active has
// nothing to read.
func blobSize(i int) suite.Func {
	return func(s suite.Shape) int {
		if i >= s[kActive] {
			return 4
		}
		return layout(s).end()
	}
}

// blobGaps are the bytes of blob i that belong to none of its parts.
func blobGaps(i int) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		if i >= s[kActive] {
			return []suite.Range{{First: 0, End: blobSize(i)(s)}}
		}
		var gaps []suite.Range
		end := 0
		for _, part := range layout(s).parts() {
			gaps = append(gaps, suite.Range{First: end, End: part.First})
			end = part.End
		}
		return gaps
	}
}

// inputGaps lie between an expert's input and the next one's.
func inputGaps(s suite.Shape) []suite.Range {
	var ranges []suite.Range
	for i := range s[kActive] - 1 {
		ranges = append(ranges, suite.Range{First: i*s[inputStride] + s[inDim], End: (i + 1) * s[inputStride]})
	}
	return ranges
}

// weights are the parts of a blob, given by its bytes.
func (l blobLayout) weights(blob []uint32) oracles.Weights {
	var w oracles.Weights
	half := func(at int) uint32 { return blob[at] | blob[at+1]<<8 }
	for at := l.words.First; at < l.words.End; at += 4 {
		w.Packed = append(w.Packed, half(at)|half(at+2)<<16)
	}
	for at := l.scales.First; at < l.scales.End; at += 2 {
		w.Scales = append(w.Scales, oracles.BF16.FromBits(half(at)))
	}
	for at := l.biases.First; at < l.biases.End; at += 2 {
		w.Biases = append(w.Biases, oracles.BF16.FromBits(half(at)))
	}
	return w
}

// blob fills a blob by its parts. What lies between them is any bytes.
func blob(words, scales, biases suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = float64(r.IntN(256))
		}
		l := layout(s)
		if len(x) < l.end() {
			return
		}
		put := func(fill suite.Fill, part suite.Range, size int, bits func(float64) uint32) {
			values := make([]float64, (part.End-part.First)/size)
			fill(r, s, values)
			var bytes [4]byte
			for i, v := range values {
				binary.LittleEndian.PutUint32(bytes[:], bits(v))
				for j := range size {
					x[part.First+i*size+j] = float64(bytes[j])
				}
			}
		}
		put(words, l.words, 4, func(v float64) uint32 { return uint32(v) })
		put(scales, l.scales, 2, oracles.BF16.Bits)
		put(biases, l.biases, 2, oracles.BF16.Bits)
	}
}

// inEachRow fills the inputs of the experts, which begin input_stride apart, each
// on its own; an expert may share the input of the one before it.
func inEachRow(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x[:s[inDim]])
		for first := s[inputStride]; first > 0 && first+s[inDim] <= len(x); first += s[inputStride] {
			fill(r, s, x[first:first+s[inDim]])
		}
	}
}

// blobInputs are the families of a 4-bit product, with the weights in blobs.
func blobInputs() []suite.Input {
	families := affineInputs(4, "x")
	defaults := families[0].Fills
	for i := range families {
		fills := suite.Fills{}
		part := func(name string, otherwise suite.Fill) suite.Fill {
			if f, ok := families[i].Fills[name]; ok {
				return f
			}
			return otherwise
		}
		b := blob(part("W_packed", suite.AnyBits), part("scales", defaults["scales"]),
			part("biases", defaults["biases"]))
		for k := range maxActiveExperts {
			fills[blobName(k)] = b
		}
		if f, ok := families[i].Fills["x"]; ok {
			fills["x"] = inEachRow(f)
		}
		families[i].Fills = fills
	}
	return families
}

func gateUpSwiGLU() suite.Kernel {
	base := suite.Shape{outDim: 5, inDim: 1216, groupSize: 64, threads: 64}
	scales, biases := suite.Scaled(suite.Normal, 1.0/64), suite.Scaled(suite.Normal, 1.0/8)
	defaults := suite.Fills{"gate_scales": scales, "gate_biases": biases, "up_scales": scales, "up_biases": biases}
	light := lightGroups("x", inDim)
	ramps := affineRamp(4, "gate_W", "gate_scales", "gate_biases")
	maps.Copy(ramps, affineRamp(4, "up_W", "up_scales", "up_biases"))
	// Gates of the same sign as their common bias, far from 0.
	gates := func(bias float64) suite.Fills {
		return suite.Fills{"x": suite.Every(1), "gate_scales": suite.Every(math.Ldexp(1, -20)),
			"gate_biases": suite.Every(bias)}
	}
	return suite.Kernel{
		Name: "fused_gate_up_swiglu",
		Doc:  "The gate's and the up product of a SwiGLU layer and what it makes of them, 4-bit weights.",
		Axes: []suite.Axis{outDim, inDim, groupSize, threads},
		Args: slices.Concat(
			affineWeights("gate", 4, outDim), affineWeights("up", 4, outDim),
			suite.Args{suite.In("x", suite.F32, inDim), suite.Out("out", suite.F32, outDim)},
			matvecScalars()),
		Grid:  suite.Grid{Threadgroups: []suite.Extent{outDim}, Of: []suite.Extent{threads}},
		Check: limits(affineLimits(4), atLeast(64, threads), atMost(64, threads)),
		Work:  rowWork(2*(affineOps+multiplyAdd), inDim, sigmoidOps+1, outDim),
		Sweep: suite.Sweep{
			Shapes: concat(
				suite.Around(base, suite.Vary(outDim, 1, 2, 7, 8, 9, 31)),
				strideShapes(base), suite.Cross(base, suite.Vary(groupSize, 8, 16, 32)),
				longRow(suite.Shape{outDim: 2, threads: 64}),
				suite.Cross(suite.Shape{outDim: 64, groupSize: 64, threads: 64}, suite.Vary(inDim, hiddenSizes()...)),
				[]suite.Shape{{outDim: 9, inDim: 8256, groupSize: 8, threads: 64}},
			),
			Full: concat(groupShapes(base, 4), []suite.Shape{
				{outDim: 512, inDim: 2048, groupSize: 64, threads: 64},
				{outDim: 1024, inDim: 4096, groupSize: 64, threads: 64},
				{outDim: 2048, inDim: 7168, groupSize: 64, threads: 64},
				{outDim: 17408, inDim: 5120, groupSize: 64, threads: 64},
			}),
			Probes: []suite.Shape{
				base, {outDim: 1, inDim: 64, groupSize: 64, threads: 64},
				{outDim: 3, inDim: 1096, groupSize: 8, threads: 64}},
			Ends:    rowEnds(suite.Shape{inDim: 64, groupSize: 8, threads: 64}, outDim),
			Refused: append(affineRefused(base), threadsRefused(base)...),
			// Gate and up are multiplied, so that inputs are at most 2⁶⁰.
			Inputs: append(append(withExtremes(
				suite.Standard(defaults, "x", "gate_scales", "gate_biases", "up_scales", "up_biases"), suite.Fills{
					"x": suite.ExtremesUpTo(0x1p60), "gate_scales": extremeWeights, "gate_biases": extremeWeights,
					"up_scales": extremeWeights, "up_biases": extremeWeights}),
				conditioned("x", suite.Condition{Terms: inDim, Weight: affineRampWeight(4)}, ramps)...),
				suite.Input{Name: "light_weights", Fills: suite.Fills{
					"gate_scales": light["scales"], "gate_biases": light["biases"],
					"up_scales": light["scales"], "up_biases": light["biases"], "x": light["x"]}},
				suite.Input{Name: "gates_far_above", Fills: gates(8)},
				suite.Input{Name: "gates_far_below", Fills: gates(-8)},
				suite.Input{Name: "gates_closed", Fills: gates(-0.07)}, // about e^-85 at 1216 inputs
			),
		},
		Contract: sumsOf("groups", oracles.Strided(64, 1)),
		Oracle: func(in *suite.Problem) suite.Answers {
			s := in.Shape
			return suite.Answers{"out": oracles.GateUpSwiGLU(
				oracles.Affine{Bits: 4, Group: s[groupSize]}, weightsOf(in, "gate"), weightsOf(in, "up"),
				in.Values("x"), s[inDim], s[outDim], in.Contract)}
		},
	}
}

// blobWork is the work of the products with weights in blobs. It does not read the
// gaps between the parts of a blob, or between the inputs.
func blobWork() suite.Work {
	w := each(affineOps+multiplyAdd, kActive, outDim, inDim)
	w.Reads = elements{
		"x": suite.Func(func(s suite.Shape) int { return (s[kActive]-1)*min(s[inputStride], s[inDim]) + s[inDim] }),
	}
	for i := range maxActiveExperts {
		w.Reads[blobName(i)] = suite.Func(func(s suite.Shape) int {
			if i >= s[kActive] {
				return 0
			}
			return 4*expertPart(1, 0)(s) + 2*2*expertPart(groupPart, 0)(s)
		})
	}
	return w
}
