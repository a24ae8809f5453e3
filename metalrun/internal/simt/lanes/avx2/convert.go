package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func conversions() {
	shortConversions()
	unary("RoundHalf", 1, always(func(x []VecVirtual) VecVirtual { return fromHalf(toHalf(x[0])) }))
	unary("HalfBits", 1, always(func(x []VecVirtual) VecVirtual { return calc(VPMOVZXWD, toHalf(x[0]).AsX()) }))
	unary("FromHalfBits", 1, fromHalfBits)
	unary("FromU32", 1, fromU32)
	unary("ToI32", 1, toI32)
	unary("ToU32", 1, toU32)

	half := func(order uint64) kernel {
		return always(func(x []VecVirtual) VecVirtual { return halves(x[0], order) })
	}
	wide := []operand{slice("a", 8)}
	loop{name: "Low", width: 4, operands: wide, kernel: half(0b10_00_10_00), unroll: 1}.emit()
	loop{name: "High", width: 4, operands: wide, kernel: half(0b11_01_11_01), unroll: 1}.emit()
	extend := func(instruction any) kernel {
		return always(func(x []VecVirtual) VecVirtual { return calc(instruction, x[0].AsX()) })
	}
	loop{name: "ExtendU", width: 8, operands: []operand{slice("a", 4)}, kernel: extend(VPMOVZXDQ), unroll: 1}.emit()
	loop{name: "ExtendS", width: 8, operands: []operand{slice("a", 4)}, kernel: extend(VPMOVSXDQ), unroll: 1}.emit()
}

// shortConversions emits the loops that do little for each lane.
func shortConversions() {
	unary("RoundBfloat", 1, func() body {
		round, low := roundBfloat(), all(0xffff)
		return func(x []VecVirtual) VecVirtual { return andNot(round(x), low) }
	})
	unary("BfloatBits", 1, func() body {
		round := roundBfloat()
		return func(x []VecVirtual) VecVirtual { return calc(VPSRLD, Imm(16), round(x)) }
	})
	unary("FromI32", 4, always(func(x []VecVirtual) VecVirtual { return calc(VCVTDQ2PS, x[0]) }))
}

// toHalf rounds eight lanes to packed binary16.
func toHalf(x VecVirtual) VecVirtual {
	h := YMM()
	VCVTPS2PH(halfEven, x, h.AsX())
	return h
}

func fromHalf(packed VecVirtual) VecVirtual { return calc(VCVTPH2PS, packed.AsX()) }

func fromHalfBits() body {
	low := all(0xffff)
	return func(x []VecVirtual) VecVirtual { return fromHalf(packWords(calc(VPAND, low, x[0]))) }
}

// roundBfloat rounds to even in the high halves by adding to the bits; the low
// halves are left over. A NaN becomes quiet instead.
func roundBfloat() body {
	almostHalf, one, quiet := all(0x7fff), all(1), all(1<<22)
	return func(x []VecVirtual) VecVirtual {
		odd := and(one, calc(VPSRLD, Imm(16), x[0]))
		rounded := calc(VPADDD, odd, calc(VPADDD, almostHalf, x[0]))
		return whereNaN(x[0], or(quiet, x[0]), rounded)
	}
}

// fromU32 rounds once, in the sum of the halves.
func fromU32() body {
	low, scale := all(0xffff), all(0x47800000) // 2^16
	return func(x []VecVirtual) VecVirtual {
		d := calc(VCVTDQ2PS, calc(VPAND, low, x[0]))
		VFMADD231PS(scale, calc(VCVTDQ2PS, calc(VPSRLD, Imm(16), x[0])), d)
		return d
	}
}

// toI32 corrects what VCVTTPS2DQ gives for every number out of range and for a
// NaN: 1<<31.
func toI32() body {
	limit := all(0x4f000000) // 2^31
	return func(x []VecVirtual) VecVirtual {
		above := calc(VCMPPS, greaterOrEqual, limit, x[0])
		number := calc(VCMPPS, ordered, x[0], x[0])
		saturated := calc(VPXOR, above, calc(VCVTTPS2DQ, x[0]))
		return calc(VPAND, number, saturated)
	}
}

// toU32 brings numbers from 2^31 on into the range of VCVTTPS2DQ and back.
func toU32() body {
	half, limit, zero := all(0x4f000000), all(0x4f800000), zeros() // 2^31, 2^32
	return func(x []VecVirtual) VecVirtual {
		v := calc(VMAXPS, zero, x[0]) // 0 for a NaN
		high := calc(VCMPPS, greaterOrEqual, half, v)
		low := calc(VCVTTPS2DQ, calc(VSUBPS, calc(VPAND, half, high), v))
		sum := calc(VPXOR, calc(VPSLLD, Imm(31), high), low)
		return calc(VPOR, calc(VCMPPS, greaterOrEqual, limit, v), sum)
	}
}

// halves gathers every other 32 bits of four 64-bit lanes in the low 128 bits.
func halves(x VecVirtual, order uint64) VecVirtual {
	high, d := XMM(), YMM()
	VEXTRACTI128(Imm(1), x, high)
	VSHUFPS(Imm(order), high, x.AsX(), d.AsX())
	return d
}
