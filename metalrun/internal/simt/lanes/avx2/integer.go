package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func integers() {
	integerArithmetic()
	forms("EqI", 4, 4, binary(VPCMPEQD))
	forms("NeI", 4, 4, not(binary(VPCMPEQD)))
	forms("LtS", 4, 4, always(func(x []VecVirtual) VecVirtual { return calc(VPCMPGTD, x[0], x[1]) }))
	forms("LeS", 4, 4, not(binary(VPCMPGTD)))
	forms("LtU", 4, 4, not(isLimit(VPMAXUD)))
	forms("LeU", 4, 4, isLimit(VPMINUD))
}

// integerArithmetic emits the loops that do little for each lane.
func integerArithmetic() {
	forms("AddI", 4, 4, binary(VPADDD))
	forms("SubI", 4, 4, binary(VPSUBD))
	forms("MulI", 4, 2, binary(VPMULLD))
	forms("MinS", 4, 4, binary(VPMINSD))
	forms("MaxS", 4, 4, binary(VPMAXSD))
	forms("MinU", 4, 4, binary(VPMINUD))
	forms("MaxU", 4, 4, binary(VPMAXUD))
	forms("And", 4, 4, binary(either(VPAND, VPANDD)))
	forms("Or", 4, 4, binary(either(VPOR, VPORD)))
	forms("Xor", 4, 4, binary(either(VPXOR, VPXORD)))
	forms("Shl", 4, 2, shift(VPSLLVD))
	forms("LShr", 4, 2, shift(VPSRLVD))
	forms("AShr", 4, 2, shift(VPSRAVD))

	loop{name: "AddIndex", width: 4, operands: []operand{slice("a", 4), slice("b", 4)}, kernel: addIndex,
		unroll: 4}.emit()

	fields := []operand{slice("a", 4), scalar("shift", 4), scalar("mask", 4)}
	loop{name: "Field", width: 4, operands: fields, kernel: field, unroll: 4}.emit()
	loop{name: "FieldF", width: 4, operands: fields, unroll: 4, kernel: func() body {
		integer := field()
		return func(x []VecVirtual) VecVirtual { return calc(VCVTDQ2PS, integer(x)) }
	}}.emit()

	unary("Not", 4, not(always(func(x []VecVirtual) VecVirtual { return x[0] })))
	unary("NegI", 4, func() body {
		zero := zeros()
		return func(x []VecVirtual) VecVirtual { return calc(VPSUBD, x[0], zero) }
	})
}

// addIndex keeps the top bit of b.
func addIndex() body {
	top := all(1 << 31)
	return func(x []VecVirtual) VecVirtual {
		return or(calc(VPADDD, x[1], x[0]), and(top, x[1]))
	}
}

// shift takes the counts modulo 32.
func shift(instruction any) kernel {
	return func() body {
		modulus := all(31)
		return func(x []VecVirtual) VecVirtual { return calc(instruction, and(modulus, x[1]), x[0]) }
	}
}

// field takes the count modulo 32.
func field() body {
	logical := shift(VPSRLVD)()
	return func(x []VecVirtual) VecVirtual { return and(x[2], logical(x)) }
}

// not inverts the result of a kernel.
func not(k kernel) kernel {
	return func() body {
		op, ones := k(), ones()
		return func(x []VecVirtual) VecVirtual { return xor(ones, op(x)) }
	}
}

// isLimit compares a with the minimum or maximum of a and b.
func isLimit(instruction any) kernel {
	return always(func(x []VecVirtual) VecVirtual {
		return calc(VPCMPEQD, x[0], calc(instruction, x[1], x[0]))
	})
}

func wides() {
	forms("AddQ", 8, 4, binary(VPADDQ))
	forms("SubQ", 8, 4, binary(VPSUBQ))
	forms("MulQ", 8, 1, always(multiplyQ))
	forms("AndQ", 8, 4, binary(VPAND))
	forms("OrQ", 8, 4, binary(VPOR))
	forms("XorQ", 8, 4, binary(VPXOR))
	forms("ShlQ", 8, 2, shiftQ(VPSLLVQ))
	forms("LShrQ", 8, 2, shiftQ(VPSRLVQ))
	forms("AShrQ", 8, 1, shiftSignedQ)
}

// multiplyQ adds to the product of the low halves the low bits of the mixed
// products.
func multiplyQ(x []VecVirtual) VecVirtual {
	a, b := x[0], x[1]
	high := calc(VPADDQ,
		calc(VPMULUDQ, b, calc(VPSRLQ, Imm(32), a)),
		calc(VPMULUDQ, a, calc(VPSRLQ, Imm(32), b)))
	return calc(VPADDQ, calc(VPSLLQ, Imm(32), high), calc(VPMULUDQ, b, a))
}

// shiftQ takes the counts modulo 64.
func shiftQ(instruction any) kernel {
	return func() body {
		modulus := allQ(63)
		return func(x []VecVirtual) VecVirtual { return calc(instruction, calc(VPAND, modulus, x[1]), x[0]) }
	}
}

// shiftSignedQ shifts zeros into what is not negative: the number or its
// complement.
func shiftSignedQ() body {
	logical, zero := shiftQ(VPSRLVQ)(), zeros()
	return func(x []VecVirtual) VecVirtual {
		sign := calc(VPCMPGTQ, x[0], zero)
		positive := calc(VPXOR, sign, x[0])
		return calc(VPXOR, sign, logical([]VecVirtual{positive, x[1]}))
	}
}
