package lanes

import "golang.org/x/sys/cpu"

//go:generate go run ./avx2 -pkg lanes -out avx2_amd64.s -stubs avx2_amd64.go
//go:generate go run ./avx2 -wide -pkg lanes -out avx512_amd64.s -stubs avx512_amd64.go

// avx2 is the table for processors with AVX2, FMA and F16C. Every entry is
// assembly, but for arguments of functions that are hard to round.
var avx2 = &Table{
	Name: "avx2",

	AddF: Binary{avxAddFVV, avxAddFVS, avxAddFSV},
	SubF: Binary{avxSubFVV, avxSubFVS, avxSubFSV},
	MulF: Binary{avxMulFVV, avxMulFVS, avxMulFSV},
	DivF: Binary{avxDivFVV, avxDivFVS, avxDivFSV},
	MinF: Binary{avxMinFVV, avxMinFVS, avxMinFSV},
	MaxF: Binary{avxMaxFVV, avxMaxFVS, avxMaxFSV},
	EqF:  Binary{avxEqFVV, avxEqFVS, avxEqFSV},
	NeF:  Binary{avxNeFVV, avxNeFVS, avxNeFSV},
	LtF:  Binary{avxLtFVV, avxLtFVS, avxLtFSV},
	LeF:  Binary{avxLeFVV, avxLeFVS, avxLeFSV},
	NegF: avxNegF, AbsF: avxAbsF, SqrtF: avxSqrtF,
	FloorF: avxFloorF, CeilF: avxCeilF, TruncF: avxTruncF, RintF: avxRintF,
	Exp: decided(avxExp, Portable.Exp), Exp2: decided(avxExp2, Portable.Exp2),
	MulAdd: Ternary{avxMulAddVVV, avxMulAddVSV},
	FMA:    Ternary{avxFMAVVV, avxFMAVSV},
	MulMul: Ternary{avxMulMulVVV, avxMulMulVSV}, MulScalars: avxMulScalars,
	Affine:    avxAffine,
	RoundHalf: avxRoundHalf, RoundBfloat: avxRoundBfloat,
	HalfBits: avxHalfBits, BfloatBits: avxBfloatBits, FromHalfBits: avxFromHalfBits,
	Flush: avxFlush, QuietNaN: avxQuietNaN,
	FromU32: avxFromU32, FromI32: avxFromI32, ToU32: avxToU32, ToI32: avxToI32,

	AddI: Binary{avxAddIVV, avxAddIVS, avxAddISV},
	SubI: Binary{avxSubIVV, avxSubIVS, avxSubISV},
	MulI: Binary{avxMulIVV, avxMulIVS, avxMulISV},
	MinS: Binary{avxMinSVV, avxMinSVS, avxMinSSV},
	MaxS: Binary{avxMaxSVV, avxMaxSVS, avxMaxSSV},
	MinU: Binary{avxMinUVV, avxMinUVS, avxMinUSV},
	MaxU: Binary{avxMaxUVV, avxMaxUVS, avxMaxUSV},
	And:  Binary{avxAndVV, avxAndVS, avxAndSV},
	Or:   Binary{avxOrVV, avxOrVS, avxOrSV},
	Xor:  Binary{avxXorVV, avxXorVS, avxXorSV},
	Shl:  Binary{avxShlVV, avxShlVS, avxShlSV},
	LShr: Binary{avxLShrVV, avxLShrVS, avxLShrSV},
	AShr: Binary{avxAShrVV, avxAShrVS, avxAShrSV},
	EqI:  Binary{avxEqIVV, avxEqIVS, avxEqISV},
	NeI:  Binary{avxNeIVV, avxNeIVS, avxNeISV},
	LtS:  Binary{avxLtSVV, avxLtSVS, avxLtSSV},
	LeS:  Binary{avxLeSVV, avxLeSVS, avxLeSSV},
	LtU:  Binary{avxLtUVV, avxLtUVS, avxLtUSV},
	LeU:  Binary{avxLeUVV, avxLeUVS, avxLeUSV},
	NegI: avxNegI, Not: avxNot, Field: avxField, FieldF: avxFieldF,

	Fill: avxFill, Select: avxSelect, CopyMasked: avxCopyMasked,
	AndMask: avxAndMask, AndNotMask: avxAndNotMask,
	KeepLtU: avxKeepLtU, KeepLtS: avxKeepLtS, AddIndex: avxAddIndex,
	DotRows: avxDotRows, ScaleRows: avxScaleRows, UpdateRows: avxUpdateRows, DotRuns: avxDotRuns,
	DotGathered: avxDotGathered, Fetch: avxFetch, Stream: avxStream,

	AddQ:  BinaryQ{avxAddQVV, avxAddQVS, avxAddQSV},
	SubQ:  BinaryQ{avxSubQVV, avxSubQVS, avxSubQSV},
	MulQ:  BinaryQ{avxMulQVV, avxMulQVS, avxMulQSV},
	AndQ:  BinaryQ{avxAndQVV, avxAndQVS, avxAndQSV},
	OrQ:   BinaryQ{avxOrQVV, avxOrQVS, avxOrQSV},
	XorQ:  BinaryQ{avxXorQVV, avxXorQVS, avxXorQSV},
	ShlQ:  BinaryQ{avxShlQVV, avxShlQVS, avxShlQSV},
	LShrQ: BinaryQ{avxLShrQVV, avxLShrQVS, avxLShrQSV},
	AShrQ: BinaryQ{avxAShrQVV, avxAShrQVS, avxAShrQSV},
	FillQ: avxFillQ, SelectQ: avxSelectQ, CopyMaskedQ: avxCopyMaskedQ,
	ExtendU: avxExtendU, ExtendS: avxExtendS, Low: avxLow, High: avxHigh, Narrow: avxNarrow,

	Gather32:     gatherAVX2(avxGather32),
	Gather16:     gatherAVX2(avxGather16),
	Gather8:      gatherAVX2(avxGather8),
	GatherHalf:   gatherAVX2(avxGatherHalf),
	GatherBfloat: gatherAVX2(avxGatherBfloat),
	Lookup:       avxLookup,
	Widen16:      avxWiden16,
	Widen8:       avxWiden8,
	WidenHalf:    avxWidenHalf,
	WidenBfloat:  avxWidenBfloat,
	Scatter32:    scatterAVX2(avxScatter32),
	Scatter16:    scatterAVX2(avxScatter16),
	Scatter8:     scatterAVX2(avxScatter8),

	SumF: avxSumF, Spread: avxSpread, AddRuns: avxAddRuns, Ascend: avxAscend, MulAddTile: avxMulAddTile,
	FMATile: avxFMATile,
}

// Native is the fastest table that this processor can run.
func Native() *Table { return tables[0] }

// tables are those that this processor can run, the fastest first.
var tables = runnable()

func runnable() []*Table {
	x, list := &cpu.X86, []*Table{Portable}
	if x.HasAVX2 && x.HasFMA && x.HasF16C {
		list = append([]*Table{avx2}, list...)
		if x.HasBMI2 && x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL {
			list = append([]*Table{lengthened()}, list...)
		}
	}
	return list
}

// decided is a function of two loops. The first gives how many lanes it has done. It stops before a lane whose
// rounding is hard to decide. The portable loop does that lane and those after it, some at a time. Where all results
// are subnormal, it takes 28 µs for 256 lanes one at a time and 23 µs eight at a time. No workload of
// BenchmarkAblation has enough of such lanes to matter.
func decided(loop func(d, a []uint32) int, otherwise Unary) Unary {
	const some = 8
	return func(d, a []uint32) {
		for {
			n := loop(d, a)
			if d, a = d[n:], a[n:]; len(d) == 0 {
				return
			}
			n = min(some, len(d))
			otherwise(d[:n], a)
			d, a = d[n:], a[n:]
		}
	}
}

// gatherAVX2 gives the assembly the fields of an Index, because the generator does not know the type.
func gatherAVX2(f func(d, words, idx, mask []uint32, lo, count, mult, first uint32) int) Gather {
	return func(d, words, idx, mask []uint32, at Index) int {
		return f(d, words, idx, mask, at.Lo, at.Count, at.Mult, at.First)
	}
}

func scatterAVX2(f func(words, idx, mask, v []uint32, lo, count, mult, first uint32) int) Scatter {
	return func(words, idx, mask, v []uint32, at Index) int {
		return f(words, idx, mask, v, at.Lo, at.Count, at.Mult, at.First)
	}
}
