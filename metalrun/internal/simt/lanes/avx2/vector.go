package main

import (
	"flag"
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// wide asks for the loops for AVX-512, whose registers are twice as long.
var wide = flag.Bool("wide", false, "write the loops that gain from AVX-512 for it")

// remaining is a mask of the lanes that are left after the last whole register; nil elsewhere. Loads give zeros for
// others, and stores leave them.
var remaining Register

// vector is a new register.
func vector() VecVirtual {
	if *wide {
		return ZMM()
	}
	return YMM()
}

// bytes is how long a register is.
func bytes() int {
	if *wide {
		return 64
	}
	return 32
}

// text begins the function of a loop.
func text(loop, signature string) {
	if *wide {
		TEXT("avx512"+loop, NOSPLIT, signature)
	} else {
		TEXT("avx"+loop, NOSPLIT, signature)
	}
}

// either is an instruction for AVX2, or the one that does the same with longer registers.
func either(instruction, longer any) any {
	if *wide {
		return longer
	}
	return instruction
}

func and(b, a Op) VecVirtual { return calc(either(VPAND, VPANDD), b, a) }
func or(b, a Op) VecVirtual  { return calc(either(VPOR, VPORD), b, a) }
func xor(b, a Op) VecVirtual { return calc(either(VPXOR, VPXORD), b, a) }

// andNot is b without what is set in a.
func andNot(b, a Op) VecVirtual { return calc(either(VPANDN, VPANDND), b, a) }

// calc emits an instruction with a new register as destination.
func calc(instruction any, sources ...Op) VecVirtual {
	d := vector()
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
	r, d := GP32(), vector()
	MOVL(U32(bits), r)
	if *wide {
		VPBROADCASTD(r, d)
		return d
	}
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
	d := vector()
	if *wide {
		VPXORD(d, d, d)
	} else {
		VPXOR(d, d, d)
	}
	return d
}

func ones() VecVirtual {
	if *wide {
		return all(1<<32 - 1)
	}
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
	d := vector()
	if bytes == 64 {
		if remaining != nil {
			VMOVDQU32_Z(m, remaining, d)
		} else {
			VMOVDQU32(m, d)
		}
		return d
	}
	switch bytes {
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
		if remaining != nil {
			VMOVDQU32(v, remaining, m)
		} else {
			VMOVDQU32(v, m)
		}
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
func blend(mask, a, b VecVirtual) VecVirtual {
	if !*wide {
		return calc(VBLENDVPS, mask, a, b)
	}
	d := vector()
	VMOVDQA32(mask, d)
	VPTERNLOGD(U8(0xca), b, a, d)
	return d
}

// compared is the mask of the lanes for which a comparison holds.
func compared(predicate U8, b, a VecVirtual) VecVirtual {
	if !*wide {
		return calc(VCMPPS, predicate, b, a)
	}
	holds, d := K(), vector()
	VCMPPS(predicate, b, a, holds)
	VPMOVM2D(holds, d)
	return d
}

// whereNaN is a where x is a NaN and b elsewhere.
func whereNaN(x, a, b VecVirtual) VecVirtual {
	if !*wide {
		return blend(calc(VCMPPS, unordered, x, x), a, b)
	}
	is, d := K(), vector()
	VCMPPS(unordered, x, x, is)
	VBLENDMPS(a, b, is, d)
	return d
}

// rest does what is left for lanes after the last whole register, with longer registers; otherwise single lanes do.
func rest(i, n Register, body func()) {
	count, low := GP64(), GP32()
	MOVQ(n, count)
	SUBQ(i, count)
	JE(LabelRef("done"))
	MOVL(U32(1<<32-1), low)
	BZHIL(count.As32(), low, low)
	remaining = K()
	KMOVW(low, remaining)
	body()
	remaining = nil
	Label("done")
}

// packWords moves the low halves of eight lanes into the low 128 bits. What is
// above them in a lane must be zero.
func packWords(v VecVirtual) VecVirtual {
	p := calc(VPACKUSDW, v, v)
	return calc(VPERMQ, Imm(0b1000), p)
}
