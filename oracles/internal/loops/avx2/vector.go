package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A vector is four numbers.
type vector = VecVirtual

// columns are how many numbers a vector has, and bytes how long it is.
const columns, bytes = 4, 32

func binary(instruction func(...Op), a, b Op) vector {
	d := YMM()
	instruction(b, a, d)
	return d
}

func add(a vector, b Op) vector        { return binary(VADDPD, a, b) }
func sub(a vector, b Op) vector        { return binary(VSUBPD, a, b) }
func mul(a vector, b Op) vector        { return binary(VMULPD, a, b) }
func abs(a Op, signless vector) vector { return binary(VANDPD, signless, a) }

// greater and lesser are b where the two do not compare.
func greater(a vector, b Op) vector { return binary(VMAXPD, a, b) }
func lesser(a vector, b Op) vector  { return binary(VMINPD, a, b) }

func root(a vector) vector {
	d := YMM()
	VSQRTPD(a, d)
	return d
}

// accumulate adds b to a.
func accumulate(a vector, b Op) { VADDPD(b, a, a) }

func zeros() vector {
	d := YMM()
	VXORPD(d, d, d)
	return d
}

// repeated is a vector of one number in memory.
func repeated(m Mem) vector {
	d := YMM()
	VBROADCASTSD(m, d)
	return d
}

func load(m Mem) vector {
	d := YMM()
	VMOVUPD(m, d)
	return d
}

// repeatedBits is a vector of one number given by its bits.
func repeatedBits(bits uint64) vector {
	r, d := GP64(), YMM()
	MOVQ(U64(bits), r)
	VMOVQ(r, d.AsX())
	VBROADCASTSD(d.AsX(), d)
	return d
}

// signless is the mask of all bits but the sign.
func signless() vector { return repeatedBits(1<<63 - 1) }

// pointer and count load parameters.
func pointer(name string) Register { return Load(Param(name), GP64()) }

// planes are planes of numbers that lie one after the other.
type planes struct {
	base  Register
	steps *steps
}

// steps are multiples of the length of a plane.
type steps struct{ one, three, five, seven Register }

// stepsOf are those of planes of n numbers.
func stepsOf(n Register) *steps {
	s := &steps{GP64(), GP64(), GP64(), GP64()}
	MOVQ(n, s.one)
	SHLQ(Imm(3), s.one)
	LEAQ(Mem{Base: s.one, Index: s.one, Scale: 2}, s.three)
	LEAQ(Mem{Base: s.one, Index: s.one, Scale: 4}, s.five)
	LEAQ(Mem{Base: s.three, Index: s.one, Scale: 4}, s.seven)
	return s
}

// at is plane i at the current column.
func (p planes) at(i int) Mem {
	switch i {
	case 0:
		return Mem{Base: p.base}
	case 1, 2, 4:
		return Mem{Base: p.base, Index: p.steps.one, Scale: uint8(i)}
	case 3, 6:
		return Mem{Base: p.base, Index: p.steps.three, Scale: uint8(i / 3)}
	case 5:
		return Mem{Base: p.base, Index: p.steps.five, Scale: 1}
	case 7:
		return Mem{Base: p.base, Index: p.steps.seven, Scale: 1}
	}
	panic("no such plane")
}

// next goes on to the next columns.
func (p planes) next() { ADDQ(Imm(bytes), p.base) }
