package lanes

// Native is the table of NEON, which every arm64 processor has.
func Native() *Table { return neon }

// tables are the tables that this processor can run, the fastest first.
var tables = []*Table{neon, Portable}

// neon has portable loops where NEON has no instructions, or is not faster: for products of 64 bits, and for SumF,
// which is a chain of dependent additions. Exp, Exp2, Lookup, DotGathered, Spread and Ascend are also portable,
// because nobody has written them for NEON.
var neon = &Table{
	Name: "neon",

	AddF: commutative(neonAddFVV, neonAddFVS),
	SubF: Binary{neonSubFVV, neonSubFVS, neonSubFSV},
	MulF: commutative(neonMulFVV, neonMulFVS),
	DivF: Binary{neonDivFVV, neonDivFVS, neonDivFSV},
	MinF: Binary{neonMinFVV, neonMinFVS, neonMinFSV},
	MaxF: Binary{neonMaxFVV, neonMaxFVS, neonMaxFSV},
	NegF: neonNegF, AbsF: neonAbsF, SqrtF: neonSqrtF,
	FloorF: neonFloorF, CeilF: neonCeilF, TruncF: neonTruncF, RintF: neonRintF,
	Exp: Portable.Exp, Exp2: Portable.Exp2,
	MulAdd: Ternary{neonMulAddVVV, neonMulAddVSV},
	FMA:    Ternary{neonFMAVVV, neonFMAVSV},
	MulMul: Ternary{neonMulMulVVV, neonMulMulVSV}, MulScalars: mulScalars(neonMulFVS),
	Affine:    affine(neonMulFVV, neonFMAVVV, neonAddFVV),
	EqF:       commutative(neonEqFVV, neonEqFVS),
	NeF:       commutative(neonNeFVV, neonNeFVS),
	LtF:       Binary{neonLtFVV, neonLtFVS, neonLtFSV},
	LeF:       Binary{neonLeFVV, neonLeFVS, neonLeFSV},
	RoundHalf: neonRoundHalf, RoundBfloat: neonRoundBfloat,
	HalfBits: neonHalfBits, BfloatBits: neonBfloatBits, FromHalfBits: neonFromHalfBits,
	Flush: neonFlush, QuietNaN: neonQuietNaN,
	FromU32: neonFromU32, FromI32: neonFromI32, ToU32: neonToU32, ToI32: neonToI32,

	AddI: commutative(neonAddIVV, neonAddIVS),
	SubI: Binary{neonSubIVV, neonSubIVS, neonSubISV},
	MulI: commutative(neonMulIVV, neonMulIVS),
	MinS: commutative(neonMinSVV, neonMinSVS), MaxS: commutative(neonMaxSVV, neonMaxSVS),
	MinU: commutative(neonMinUVV, neonMinUVS), MaxU: commutative(neonMaxUVV, neonMaxUVS),
	And:  commutative(neonAndVV, neonAndVS),
	Or:   commutative(neonOrVV, neonOrVS),
	Xor:  commutative(neonXorVV, neonXorVS),
	Shl:  Binary{neonShlVV, neonShlVS, neonShlSV},
	LShr: Binary{neonLShrVV, neonLShrVS, neonLShrSV},
	AShr: Binary{neonAShrVV, neonAShrVS, neonAShrSV},
	NegI: neonNegI, Not: neonNot, Field: neonField,
	FieldF: func(d, a []uint32, shift, mask uint32) {
		neonField(d, a, shift, mask)
		neonFromI32(d, d)
	},
	EqI: commutative(neonEqIVV, neonEqIVS),
	NeI: commutative(neonNeIVV, neonNeIVS),
	LtS: Binary{neonLtSVV, neonLtSVS, neonLtSSV},
	LeS: Binary{neonLeSVV, neonLeSVS, neonLeSSV},
	LtU: Binary{neonLtUVV, neonLtUVS, neonLtUSV},
	LeU: Binary{neonLeUVV, neonLeUVS, neonLeUSV},

	Fill: neonFill, Select: neonSelect,
	CopyMasked: func(d, m, a []uint32) { neonSelect(d, m, a, d) },
	AndMask:    neonAndMask, AndNotMask: neonAndNotMask,
	KeepLtU:  func(d, a []uint32, s uint32) int { return neonKeepLtU(d, d, a, s) },
	KeepLtS:  func(d, a []uint32, s uint32) int { return neonKeepLtS(d, d, a, s) },
	AddIndex: neonAddIndex,

	DotRows: neonDotRows, ScaleRows: neonScaleRows, UpdateRows: neonUpdateRows, DotRuns: dotRuns(neonDotPairs),
	DotGathered: Portable.DotGathered, Fetch: Portable.Fetch, Stream: Portable.Stream,

	AddQ:  commutativeQ(neonAddQVV, neonAddQVS),
	SubQ:  BinaryQ{neonSubQVV, neonSubQVS, neonSubQSV},
	MulQ:  Portable.MulQ,
	AndQ:  commutativeQ(neonAndQVV, neonAndQVS),
	OrQ:   commutativeQ(neonOrQVV, neonOrQVS),
	XorQ:  commutativeQ(neonXorQVV, neonXorQVS),
	ShlQ:  BinaryQ{neonShlQVV, neonShlQVS, neonShlQSV},
	LShrQ: BinaryQ{neonLShrQVV, neonLShrQVS, neonLShrQSV},
	AShrQ: BinaryQ{neonAShrQVV, neonAShrQVS, neonAShrQSV},
	FillQ: neonFillQ, SelectQ: neonSelectQ,
	CopyMaskedQ: func(d []uint64, m []uint32, a []uint64) { neonSelectQ(d, m, a, d) },
	ExtendU:     neonExtendU, ExtendS: neonExtendS, Low: neonLow, High: neonHigh,
	Narrow: narrowBlocks,

	Gather32: neonGather32, Gather16: neonGather16, Gather8: neonGather8,
	GatherHalf: neonGatherHalf, GatherBfloat: neonGatherBfloat,
	Lookup: Portable.Lookup, Widen16: neonWiden16, Widen8: neonWiden8, WidenHalf: neonWidenHalf,
	WidenBfloat: neonWidenBfloat,
	Scatter32:   neonScatter32, Scatter16: neonScatter16, Scatter8: neonScatter8,

	SumF: Portable.SumF, Spread: Portable.Spread, AddRuns: addRuns(neonMulAddVVV), Ascend: Portable.Ascend,
	MulAddTile: neonMulAddTile, FMATile: neonFMATile,
}

func neonField(d, a []uint32, shift, mask uint32) {
	neonLShrVS(d, a, shift)
	neonAndVS(d, d, mask)
}

// commutative is a table entry of loops whose operands may change places.
func commutative(vv func(d, a, b []uint32), vs func(d, a []uint32, s uint32)) Binary {
	return Binary{vv, vs, swapped(vs)}
}

func commutativeQ(vv func(d, a, b []uint64), vs func(d, a []uint64, s uint64)) BinaryQ {
	return BinaryQ{vv, vs, swapped(vs)}
}

// narrowBlocks stops before a block in which a lane fails. The portable loop finds the lane.
func narrowBlocks(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int {
	n := neonNarrow(d, a, mask, origin, limit, 1<<shift-1, uint64(shift))
	return n + narrow(d[n:], a[n:], mask[n:], origin, limit, shift)
}
