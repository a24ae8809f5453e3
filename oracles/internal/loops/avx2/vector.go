package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A vector is four numbers, or eight.
type vector = VecVirtual

// columns are how many numbers a vector has, bytes how long it is, and halves how many vectors a row of a panel has.
// With wide vectors it has one.
var (
	wide                   = flag.Bool("wide", false, "write the loops over panels for AVX-512")
	columns, bytes, halves = 4, 32, mostHalves
)

const mostHalves = 2

// widen makes vectors as wide as a row of a panel.
func widen() { columns, bytes, halves = 8, rowBytes, 1 }

// register is a vector with nothing in it.
func register() vector {
	if *wide {
		return ZMM()
	}
	return YMM()
}

// text begins the function of a loop over panels.
func text(loop, signature string) {
	if *wide {
		TEXT("avx512"+loop, NOSPLIT, signature)
	} else {
		TEXT("avx"+loop, NOSPLIT, signature)
	}
}

func binary(instruction func(...Op), a, b Op) vector {
	d := register()
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
	d := register()
	VSQRTPD(a, d)
	return d
}

// accumulate adds b to a.
func accumulate(a vector, b Op) { VADDPD(b, a, a) }

func zeros() vector {
	d := register()
	VXORPD(d, d, d)
	return d
}

// repeated is a vector of one number in memory.
func repeated(m Mem) vector {
	d := register()
	VBROADCASTSD(m, d)
	return d
}

func load(m Mem) vector {
	d := register()
	VMOVUPD(m, d)
	return d
}

// repeatedBits is a vector of one number given by its bits.
func repeatedBits(bits uint64) vector {
	r, d := GP64(), register()
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
func (p planes) next() { ADDQ(U32(uint32(bytes)), p.base) }
