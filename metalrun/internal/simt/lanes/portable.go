package lanes

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// Portable is the table written in Go.
var Portable = &Table{
	Name: "portable",

	AddF: floats(addVV[float32], addVS[float32], swapped(addVS[float32])),
	SubF: floats(subVV[float32], subVS[float32], subSV[float32]),
	MulF: floats(mulVV[float32], mulVS[float32], swapped(mulVS[float32])),
	DivF: floats(divVV, divVS, divSV),
	MinF: Binary{minVV, minVS, minSV}, MaxF: Binary{maxVV, maxVS, maxSV},
	NegF:  func(d, a []uint32) { xorVS(d, a, 1<<31) },
	AbsF:  func(d, a []uint32) { andVS(d, a, 1<<31-1) },
	SqrtF: unaryF(scalar.Float("sqrt").Unary(scalar.F32)),
	Exp:   unaryF(scalar.Float("exp").Unary(scalar.F32)), Exp2: unaryF(scalar.Float("exp2").Unary(scalar.F32)),
	FloorF: unaryF(scalar.Float("floor").Unary(scalar.F32)), CeilF: unaryF(scalar.Float("ceil").Unary(scalar.F32)),
	TruncF: unaryF(scalar.Float("trunc").Unary(scalar.F32)), RintF: unaryF(scalar.Float("rint").Unary(scalar.F32)),
	MulAdd: Ternary{
		VVV: func(d, a, b, c []uint32) { mulAddVVV(f(d), f(a), f(b), f(c)) },
		VSV: func(d, a []uint32, s uint32, c []uint32) { mulAddVSV(f(d), f(a), math.Float32frombits(s), f(c)) },
	},
	FMA: Ternary{
		VVV: func(d, a, b, c []uint32) { fmaVVV(f(d), f(a), f(b), f(c)) },
		VSV: func(d, a []uint32, s uint32, c []uint32) { fmaVSV(f(d), f(a), math.Float32frombits(s), f(c)) },
	},
	MulMul: Ternary{
		VVV: func(d, a, b, c []uint32) { mulMulVVV(f(d), f(a), f(b), f(c)) },
		VSV: func(d, a []uint32, s uint32, c []uint32) { mulMulVSV(f(d), f(a), math.Float32frombits(s), f(c)) },
	},
	MulScalars: mulScalars(func(d, a []uint32, s uint32) { mulVS(f(d), f(a), math.Float32frombits(s)) }),
	Affine: affine(
		func(d, a, b []uint32) { mulVV(f(d), f(a), f(b)) },
		func(d, a, b, c []uint32) { fmaVVV(f(d), f(a), f(b), f(c)) },
		func(d, a, b []uint32) { addVV(f(d), f(a), f(b)) },
	),
	EqF:         comparisonF(equalVV[float32], equalVS[float32], equalVS[float32]),
	NeF:         comparisonF(notEqualVV[float32], notEqualVS[float32], notEqualVS[float32]),
	LtF:         comparisonF(lessVV[float32], lessVS[float32], greaterVS[float32]),
	LeF:         comparisonF(lessEqualVV[float32], lessEqualVS[float32], greaterEqualVS[float32]),
	RoundHalf:   func(d, a []uint32) { roundHalf(f(d), f(a)) },
	RoundBfloat: func(d, a []uint32) { roundBfloat(f(d), f(a)) },
	HalfBits: func(d, a []uint32) {
		for i := range d {
			d[i] = uint32(scalar.HalfBits(math.Float32frombits(a[i])))
		}
	},
	BfloatBits: func(d, a []uint32) {
		for i := range d {
			d[i] = uint32(scalar.BfloatBits(math.Float32frombits(a[i])))
		}
	},
	FromHalfBits: fromHalfBits,
	Flush:        flush,
	QuietNaN:     quietNaN,
	FromU32:      func(d, a []uint32) { fromU32(f(d), a) },
	FromI32:      func(d, a []uint32) { fromI32(f(d), a) },
	ToU32:        func(d, a []uint32) { toU32(d, f(a)) },
	ToI32:        func(d, a []uint32) { toI32(d, f(a)) },

	AddI: Binary{addVV[uint32], addVS[uint32], swapped(addVS[uint32])},
	SubI: Binary{subVV[uint32], subVS[uint32], subSV[uint32]},
	MulI: Binary{mulVV[uint32], mulVS[uint32], swapped(mulVS[uint32])},
	MinS: eachI(func(a, b int32) int32 { return min(a, b) }), MaxS: eachI(func(a, b int32) int32 { return max(a, b) }),
	MinU: eachI(func(a, b uint32) uint32 { return min(a, b) }),
	MaxU: eachI(func(a, b uint32) uint32 { return max(a, b) }),
	And:  Binary{andVV[uint32], andVS[uint32], swapped(andVS[uint32])},
	Or:   Binary{orVV[uint32], orVS[uint32], swapped(orVS[uint32])},
	Xor:  Binary{xorVV[uint32], xorVS[uint32], swapped(xorVS[uint32])},
	Shl:  Binary{shlVV[uint32], shlVS[uint32], shlSV[uint32]},
	LShr: Binary{shrVV[uint32], shrVS[uint32], shrSV[uint32]},
	AShr: Binary{
		VV: func(d, a, b []uint32) { shrVV(int32s(d), int32s(a), int32s(b)) },
		VS: func(d, a []uint32, s uint32) { shrVS(int32s(d), int32s(a), int32(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { shrSV(int32s(d), int32(s), int32s(b)) },
	},
	NegI: negV[uint32], Not: notV[uint32],
	Field: field, FieldF: func(d, a []uint32, shift, mask uint32) {
		field(d, a, shift, mask)
		fromI32(f(d), d)
	},
	EqI: Binary{equalVV[uint32], equalVS[uint32], swapped(equalVS[uint32])},
	NeI: Binary{notEqualVV[uint32], notEqualVS[uint32], swapped(notEqualVS[uint32])},
	LtS: comparisonS(lessVV[int32], lessVS[int32], greaterVS[int32]),
	LeS: comparisonS(lessEqualVV[int32], lessEqualVS[int32], greaterEqualVS[int32]),
	LtU: Binary{lessVV[uint32], lessVS[uint32], swapped(greaterVS[uint32])},
	LeU: Binary{lessEqualVV[uint32], lessEqualVS[uint32], swapped(greaterEqualVS[uint32])},

	Fill: fill[uint32], Select: choose, CopyMasked: copyMasked, AndMask: andMask, AndNotMask: andNotMask,
	KeepLtU: keepLtU, KeepLtS: keepLtS, AddIndex: addIndex,

	AddQ:  BinaryQ{addVV[uint64], addVS[uint64], swapped(addVS[uint64])},
	SubQ:  BinaryQ{subVV[uint64], subVS[uint64], subSV[uint64]},
	MulQ:  BinaryQ{mulVV[uint64], mulVS[uint64], swapped(mulVS[uint64])},
	AndQ:  BinaryQ{andVV[uint64], andVS[uint64], swapped(andVS[uint64])},
	OrQ:   BinaryQ{orVV[uint64], orVS[uint64], swapped(orVS[uint64])},
	XorQ:  BinaryQ{xorVV[uint64], xorVS[uint64], swapped(xorVS[uint64])},
	ShlQ:  BinaryQ{shlVV[uint64], shlVS[uint64], shlSV[uint64]},
	LShrQ: BinaryQ{shrVV[uint64], shrVS[uint64], shrSV[uint64]},
	AShrQ: BinaryQ{
		VV: func(d, a, b []uint64) { shrVV(int64s(d), int64s(a), int64s(b)) },
		VS: func(d, a []uint64, s uint64) { shrVS(int64s(d), int64s(a), int64(s)) },
		SV: func(d []uint64, s uint64, b []uint64) { shrSV(int64s(d), int64(s), int64s(b)) },
	},
	FillQ: fill[uint64], SelectQ: chooseQ, CopyMaskedQ: copyMaskedQ,
	ExtendU: extendU, ExtendS: extendS, Low: low, High: high, Narrow: narrow,

	Gather32: gather(widen[uint32]), Gather16: gather(widen[uint16]), Gather8: gather(widen[uint8]),
	GatherHalf: gather(fromHalf), GatherBfloat: gather(fromBfloat),
	Lookup: lookup, Widen16: widening(widen[uint16]), Widen8: widening(widen[uint8]), WidenHalf: widening(fromHalf),
	WidenBfloat: widening(fromBfloat),
	Scatter32:   scatter[uint32], Scatter16: scatter[uint16], Scatter8: scatter[uint8],

	DotRows: dotRows, ScaleRows: scaleRows, UpdateRows: updateRows, DotRuns: dotRuns(dotPairs),
	DotGathered: dotGathered, Fetch: func(uintptr, int) {}, Stream: func(d, a []uint32) { copy(d, a) },

	SumF: sum, Spread: toLanes, AddRuns: addRuns(func(d, a, b, c []uint32) { mulAddVVV(f(d), f(a), f(b), f(c)) }),
	Ascend: ascend, MulAddTile: tiles(mulAddTile), FMATile: tiles(fmaTile),
}

func fromHalf(b uint16) uint32 { return math.Float32bits(scalar.FromHalfBits(b)) }

func fromBfloat(b uint16) uint32 { return uint32(b) << 16 }

// f views lanes as floats.
func f(x []uint32) []float32 { return Float32s(x) }

// floats is a binary table entry of loops over floats.
func floats(vv func(d, a, b []float32), vs func(d, a []float32, s float32),
	sv func(d []float32, s float32, b []float32)) Binary {
	return Binary{
		VV: func(d, a, b []uint32) { vv(f(d), f(a), f(b)) },
		VS: func(d, a []uint32, s uint32) { vs(f(d), f(a), math.Float32frombits(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { sv(f(d), math.Float32frombits(s), f(b)) },
	}
}

// swapped is a loop with the scalar on the other side.
func swapped[D, T any](loop func(d []D, a []T, s T)) func(d []D, s T, a []T) {
	return func(d []D, s T, a []T) { loop(d, a, s) }
}

// comparisonF is a comparison of floats; sv has its operands swapped.
func comparisonF(vv func(d []uint32, a, b []float32), vs, sv func(d []uint32, a []float32, s float32)) Binary {
	return Binary{
		VV: func(d, a, b []uint32) { vv(d, f(a), f(b)) },
		VS: func(d, a []uint32, s uint32) { vs(d, f(a), math.Float32frombits(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { sv(d, f(b), math.Float32frombits(s)) },
	}
}

// comparisonS is a comparison of signed integers; sv has its operands swapped.
func comparisonS(vv func(d []uint32, a, b []int32), vs, sv func(d []uint32, a []int32, s int32)) Binary {
	return Binary{
		VV: func(d, a, b []uint32) { vv(d, int32s(a), int32s(b)) },
		VS: func(d, a []uint32, s uint32) { vs(d, int32s(a), int32(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { sv(d, int32s(b), int32(s)) },
	}
}

func unaryF(g func(float32) float32) Unary {
	return func(d, a []uint32) {
		for i := range d {
			d[i] = math.Float32bits(g(math.Float32frombits(a[i])))
		}
	}
}

func eachI[T int32 | uint32](g func(a, b T) T) Binary {
	return each(func(a, b uint32) uint32 { return uint32(g(T(a), T(b))) })
}

func each(g func(a, b uint32) uint32) Binary {
	return Binary{
		VV: func(d, a, b []uint32) {
			for i := range d {
				d[i] = g(a[i], b[i])
			}
		},
		VS: func(d, a []uint32, s uint32) {
			for i := range d {
				d[i] = g(a[i], s)
			}
		},
		SV: func(d []uint32, s uint32, b []uint32) {
			for i := range d {
				d[i] = g(s, b[i])
			}
		},
	}
}
