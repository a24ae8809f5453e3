package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// register is a new register, of 32 bytes or, where AVX-512 is used, of 64.
var register = YMM

// calc emits an instruction with a new register as destination.
func calc(instruction any, sources ...Op) VecVirtual {
	d := register()
	ops := append(sources, d)
	switch emit := instruction.(type) {
	case func(...Op):
		emit(ops...)
	case func(a, b Op):
		emit(ops[0], ops[1])
	case func(a, b, c Op):
		emit(ops[0], ops[1], ops[2])
	case func(a, b, c, d Op):
		emit(ops[0], ops[1], ops[2], ops[3])
	default:
		panic(fmt.Sprintf("%T is no instruction", instruction))
	}
	return d
}

// all repeats a constant of 32 bits.
func all(bits uint32) VecVirtual {
	r, d := GP32(), YMM()
	MOVL(U32(bits), r)
	VMOVD(r, d.AsX())
	VPBROADCASTD(d.AsX(), d)
	return d
}

// allQ repeats a constant of 64 bits.
func allQ(bits uint64) VecVirtual {
	r, d := GP64(), YMM()
	MOVQ(U64(bits), r)
	VMOVQ(r, d.AsX())
	VPBROADCASTQ(d.AsX(), d)
	return d
}

// ascending holds 0, 1, … 7.
func ascending() VecVirtual {
	r, d := GP64(), YMM()
	MOVQ(U64(0x0706050403020100), r)
	VMOVQ(r, d.AsX())
	VPMOVZXBD(d.AsX(), d)
	return d
}

func zeros() VecVirtual {
	d := YMM()
	VPXOR(d, d, d)
	return d
}

func ones() VecVirtual {
	d := YMM()
	VPCMPEQD(d, d, d)
	return d
}

// repeat broadcasts a parameter of width bytes.
func repeat(name string, width int) VecVirtual {
	if width == 8 {
		return calc(VPBROADCASTQ, address(name))
	}
	return calc(VBROADCASTSS, address(name))
}

// address is where a parameter lies.
func address(name string) Mem { return place(Param(name)) }

// place is where a parameter or a part of one lies.
func place(c gotypes.Component) Mem {
	p, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// base loads where a slice begins.
func base(name string) Register { return Load(Param(name).Base(), GP64()) }

// lanesAt is where lane i of a slice of lanes of width bytes lies.
func lanesAt(slice, i Register, width int) Mem {
	return Mem{Base: slice, Index: i, Scale: uint8(width)}
}

// load reads 4, 8, 16, 32 or 64 bytes. The rest of the register becomes zero.
func load(m Mem, bytes int) VecVirtual {
	d := register()
	switch bytes {
	case 64:
		VMOVUPS(m, d)
	case 4:
		VMOVD(m, d.AsX())
	case 8:
		VMOVQ(m, d.AsX())
	case 16:
		VMOVDQU(m, d.AsX())
	default:
		VMOVDQU(m, d)
	}
	return d
}

// store writes the low 4, 8, 16, 32 or 64 bytes.
func store(v VecVirtual, m Mem, bytes int) {
	switch bytes {
	case 64:
		VMOVUPS(v, m)
	case 4:
		VMOVD(v.AsX(), m)
	case 8:
		VMOVQ(v.AsX(), m)
	case 16:
		VMOVDQU(v.AsX(), m)
	default:
		VMOVDQU(v, m)
	}
}

// blend is a where mask is set and b elsewhere.
func blend(mask, a, b VecVirtual) VecVirtual { return calc(VBLENDVPS, mask, a, b) }

// packWords moves the low halves of eight lanes into the low 128 bits. What is
// above them in a lane must be zero.
func packWords(v VecVirtual) VecVirtual {
	p := calc(VPACKUSDW, v, v)
	return calc(VPERMQ, Imm(0b1000), p)
}
