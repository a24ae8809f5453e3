package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPS.
const (
	equal          = U8(0x00) // ordered, as the following but for unordered
	unordered      = U8(0x03)
	notEqual       = U8(0x04) // or unordered
	ordered        = U8(0x07)
	less           = U8(0x11)
	lessOrEqual    = U8(0x12)
	greaterOrEqual = U8(0x1d)
)

// Modes of VROUNDPS and VCVTPS2PH.
const (
	toNearest = U8(0x8)
	down      = U8(0x9)
	up        = U8(0xa)
	toZero    = U8(0xb)
	halfEven  = U8(0x0) // of VCVTPS2PH
)

func floats() {
	arithmetic()
	forms("DivF", 4, 1, binary(VDIVPS))
	unary("SqrtF", 1, always(func(x []VecVirtual) VecVirtual { return calc(VSQRTPS, x[0]) }))
	unary("FloorF", 2, rounded(down))
	unary("CeilF", 2, rounded(up))
	unary("TruncF", 2, rounded(toZero))
	unary("RintF", 2, rounded(toNearest))
	unary("Flush", 2, flush)
}

// arithmetic emits the loops that do little for each lane.
func arithmetic() {
	forms("AddF", 4, 4, binary(VADDPS))
	forms("SubF", 4, 4, binary(VSUBPS))
	forms("MulF", 4, 4, binary(VMULPS))
	forms("MinF", 4, 2, extremum(VMINPS))
	forms("MaxF", 4, 2, extremum(VMAXPS))
	forms("EqF", 4, 4, compare(equal))
	forms("NeF", 4, 4, compare(notEqual))
	forms("LtF", 4, 4, compare(less))
	forms("LeF", 4, 4, compare(lessOrEqual))
	unary("NegF", 4, masked(xor, 1<<31))
	unary("AbsF", 4, masked(and, 1<<31-1))
	unary("QuietNaN", 2, quietNaN)

	ternary("MulAdd", func(x []VecVirtual) VecVirtual {
		return calc(VADDPS, x[2], calc(VMULPS, x[1], x[0]))
	})
	ternary("FMA", func(x []VecVirtual) VecVirtual {
		VFMADD231PS(x[1], x[0], x[2])
		return x[2]
	})
	ternary("MulMul", func(x []VecVirtual) VecVirtual {
		return calc(VMULPS, x[2], calc(VMULPS, x[1], x[0]))
	})
	loop{name: "MulScalars", width: 4, unroll: 4, operands: []operand{slice("a", 4), scalar("s", 4), scalar("t", 4)},
		kernel: always(func(x []VecVirtual) VecVirtual { return calc(VMULPS, x[2], calc(VMULPS, x[1], x[0])) })}.emit()
	loop{name: "Affine", width: 4, unroll: 2, kernel: always(affine),
		operands: []operand{slice("q", 4), slice("s", 4), slice("c", 4), slice("x", 4), slice("e", 4)}}.emit()
}

// affine is e + (q·(s·x) + c·x) of operands in the order of their names.
func affine(x []VecVirtual) VecVirtual {
	scaled, shift := calc(VMULPS, x[3], x[1]), calc(VMULPS, x[3], x[2])
	VFMADD231PS(scaled, x[0], shift)
	return calc(VADDPS, shift, x[4])
}

// ternary emits an operation such as a·b + c of vectors, and with a scalar b. The body may use up
// the third operand.
func ternary(name string, b body) {
	for suffix, factor := range []operand{slice("b", 4), scalar("s", 4)} {
		operands := []operand{slice("a", 4), factor, slice("c", 4)}
		loop{name: name + []string{"VVV", "VSV"}[suffix], width: 4, operands: operands, kernel: always(b),
			unroll: 4}.emit()
	}
}

func compare(predicate U8) kernel {
	return always(func(x []VecVirtual) VecVirtual { return compared(predicate, x[1], x[0]) })
}

// extremum is VMINPS or VMAXPS of b and a, in this order: that gives a for
// equal operands and if one is a NaN, where b takes the place of an a that is.
func extremum(instruction any) kernel {
	return always(func(x []VecVirtual) VecVirtual {
		a, b := x[0], x[1]
		return whereNaN(a, b, calc(instruction, a, b))
	})
}

// masked combines lanes with a constant.
func masked(operation func(b, a Op) VecVirtual, constant uint32) kernel {
	return func() body {
		m := all(constant)
		return func(x []VecVirtual) VecVirtual { return operation(x[0], m) }
	}
}

func rounded(mode U8) kernel {
	return always(func(x []VecVirtual) VecVirtual { return calc(VROUNDPS, mode, x[0]) })
}

// flush clears all but the sign where the exponent is zero.
func flush() body {
	exponent, zero := all(0x7f800000), zeros()
	return func(x []VecVirtual) VecVirtual {
		small := calc(VPCMPEQD, zero, calc(VPAND, exponent, x[0]))
		return calc(VPANDN, x[0], calc(VPSRLD, Imm(1), small))
	}
}

func quietNaN() body {
	nan := all(0x7fc00000)
	return func(x []VecVirtual) VecVirtual { return whereNaN(x[0], nan, x[0]) }
}
