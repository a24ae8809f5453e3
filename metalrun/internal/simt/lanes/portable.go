package lanes

import (
	"math"

	"metalconform/metalrun/internal/simt/scalar"
)

// Portable is the table written in Go.
var Portable = &Table{
	Name: "portable",

	AddF: floats(AddVV[float32], AddVS[float32], swapped(AddVS[float32])),
	SubF: floats(SubVV[float32], SubVS[float32], SubSV[float32]),
	MulF: floats(MulVV[float32], MulVS[float32], swapped(MulVS[float32])),
	DivF: floats(DivVV, DivVS, DivSV),
	MinF: eachF(scalar.Fmin), MaxF: eachF(scalar.Fmax),
	NegF:   func(d, a []uint32) { XorVS(d, a, 1<<31) },
	AbsF:   func(d, a []uint32) { AndVS(d, a, 1<<31-1) },
	SqrtF:  unaryF(scalar.F32.Unary("sqrt")),
	FloorF: unaryF(scalar.F32.Unary("floor")), CeilF: unaryF(scalar.F32.Unary("ceil")),
	TruncF: unaryF(scalar.F32.Unary("trunc")), RintF: unaryF(scalar.F32.Unary("rint")),
	MulAdd: Ternary{
		VVV: func(d, a, b, c []uint32) { MulAddVVV(f(d), f(a), f(b), f(c)) },
		VSV: func(d, a []uint32, s uint32, c []uint32) { MulAddVSV(f(d), f(a), math.Float32frombits(s), f(c)) },
	},
	FMA: Ternary{
		VVV: func(d, a, b, c []uint32) { FMAVVV(f(d), f(a), f(b), f(c)) },
		VSV: func(d, a []uint32, s uint32, c []uint32) { FMAVSV(f(d), f(a), math.Float32frombits(s), f(c)) },
	},
	EqF:         comparisonF(EqualVV[float32], EqualVS[float32], EqualVS[float32]),
	NeF:         comparisonF(NotEqualVV[float32], NotEqualVS[float32], NotEqualVS[float32]),
	LtF:         comparisonF(LessVV[float32], LessVS[float32], GreaterVS[float32]),
	LeF:         comparisonF(LessEqualVV[float32], LessEqualVS[float32], GreaterEqualVS[float32]),
	RoundHalf:   func(d, a []uint32) { RoundHalfV(f(d), f(a)) },
	RoundBfloat: func(d, a []uint32) { RoundBfloatV(f(d), f(a)) },
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
	Flush:        flushBits,
	QuietNaN:     quietNaN,
	FromU32:      func(d, a []uint32) { F32FromU32(f(d), a) },
	FromI32:      func(d, a []uint32) { F32FromI32(f(d), a) },
	ToU32:        func(d, a []uint32) { U32FromF32(d, f(a)) },
	ToI32:        func(d, a []uint32) { I32FromF32(d, f(a)) },

	AddI: Binary{AddVV[uint32], AddVS[uint32], swapped(AddVS[uint32])},
	SubI: Binary{SubVV[uint32], SubVS[uint32], SubSV[uint32]},
	MulI: Binary{MulVV[uint32], MulVS[uint32], swapped(MulVS[uint32])},
	MinS: eachI(func(a, b int32) int32 { return min(a, b) }), MaxS: eachI(func(a, b int32) int32 { return max(a, b) }),
	MinU: eachI(func(a, b uint32) uint32 { return min(a, b) }), MaxU: eachI(func(a, b uint32) uint32 { return max(a, b) }),
	And:  Binary{AndVV[uint32], AndVS[uint32], swapped(AndVS[uint32])},
	Or:   Binary{OrVV[uint32], OrVS[uint32], swapped(OrVS[uint32])},
	Xor:  Binary{XorVV[uint32], XorVS[uint32], swapped(XorVS[uint32])},
	Shl:  Binary{ShlVV[uint32], ShlVS[uint32], ShlSV[uint32]},
	LShr: Binary{ShrVV[uint32], ShrVS[uint32], ShrSV[uint32]},
	AShr: Binary{
		VV: func(d, a, b []uint32) { ShrVV(Int32s(d), Int32s(a), Int32s(b)) },
		VS: func(d, a []uint32, s uint32) { ShrVS(Int32s(d), Int32s(a), int32(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { ShrSV(Int32s(d), int32(s), Int32s(b)) },
	},
	NegI: NegV[uint32], Not: NotV[uint32],
	EqI: Binary{EqualVV[uint32], EqualVS[uint32], swapped(EqualVS[uint32])},
	NeI: Binary{NotEqualVV[uint32], NotEqualVS[uint32], swapped(NotEqualVS[uint32])},
	LtS: comparisonS(LessVV[int32], LessVS[int32], GreaterVS[int32]),
	LeS: comparisonS(LessEqualVV[int32], LessEqualVS[int32], GreaterEqualVS[int32]),
	LtU: Binary{LessVV[uint32], LessVS[uint32], swapped(GreaterVS[uint32])},
	LeU: Binary{LessEqualVV[uint32], LessEqualVS[uint32], swapped(GreaterEqualVS[uint32])},

	Fill: Fill[uint32], Select: Select, CopyMasked: CopyMasked, AndMask: andMask, AndNotMask: andNotMask,

	AddQ:  BinaryQ{AddVV[uint64], AddVS[uint64], swapped(AddVS[uint64])},
	SubQ:  BinaryQ{SubVV[uint64], SubVS[uint64], SubSV[uint64]},
	MulQ:  BinaryQ{MulVV[uint64], MulVS[uint64], swapped(MulVS[uint64])},
	AndQ:  BinaryQ{AndVV[uint64], AndVS[uint64], swapped(AndVS[uint64])},
	OrQ:   BinaryQ{OrVV[uint64], OrVS[uint64], swapped(OrVS[uint64])},
	XorQ:  BinaryQ{XorVV[uint64], XorVS[uint64], swapped(XorVS[uint64])},
	ShlQ:  BinaryQ{ShlVV[uint64], ShlVS[uint64], ShlSV[uint64]},
	LShrQ: BinaryQ{ShrVV[uint64], ShrVS[uint64], ShrSV[uint64]},
	AShrQ: BinaryQ{
		VV: func(d, a, b []uint64) { ShrVV(Int64s(d), Int64s(a), Int64s(b)) },
		VS: func(d, a []uint64, s uint64) { ShrVS(Int64s(d), Int64s(a), int64(s)) },
		SV: func(d []uint64, s uint64, b []uint64) { ShrSV(Int64s(d), int64(s), Int64s(b)) },
	},
	FillQ: Fill[uint64], SelectQ: Select64, CopyMaskedQ: CopyMasked64,
	ExtendU: extendU, ExtendS: extendS, Low: low, High: high, Narrow: narrow,

	Gather32: gather(widen[uint32]), Gather16: gather(widen[uint16]), Gather8: gather(widen[uint8]),
	GatherHalf:   gather(func(b uint16) uint32 { return math.Float32bits(scalar.FromHalfBits(b)) }),
	GatherBfloat: gather(func(b uint16) uint32 { return uint32(b) << 16 }),
	Scatter32:    scatter[uint32], Scatter16: scatter[uint16], Scatter8: scatter[uint8],

	SumF: sum, MulAddTile: tiles(MulAddTile), FMATile: tiles(FMATile),
}

// f views lanes as floats.
func f(x []uint32) []float32 { return Float32s(x) }

// floats is a binary table entry of loops over floats.
func floats(vv func(d, a, b []float32), vs func(d, a []float32, s float32), sv func(d []float32, s float32, b []float32)) Binary {
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
		VV: func(d, a, b []uint32) { vv(d, Int32s(a), Int32s(b)) },
		VS: func(d, a []uint32, s uint32) { vs(d, Int32s(a), int32(s)) },
		SV: func(d []uint32, s uint32, b []uint32) { sv(d, Int32s(b), int32(s)) },
	}
}

func unaryF(g func(float32) float32) Unary {
	return func(d, a []uint32) {
		for i := range d {
			d[i] = math.Float32bits(g(math.Float32frombits(a[i])))
		}
	}
}

func eachF(g func(a, b float32) float32) Binary {
	return each(func(a, b uint32) uint32 {
		return math.Float32bits(g(math.Float32frombits(a), math.Float32frombits(b)))
	})
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
