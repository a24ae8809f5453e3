package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An exponential is base^x in float64, rounded once: x = k·u + r, where base^u is 2, so that base^x is 2^k·e^(r·ln
// base). Terms of the series for |r·ln base| ≤ ln 2/2 are left out from the 13th on, which are below 2⁻⁵² of the sum;
// all roundings together stay below 2⁻⁵⁰. That is far less than the slack of 2⁻⁴⁵ with which a lane is tested: as in
// package scalar, a result counts if all numbers within the slack round alike. Where a lane has another or no normal
// result, the function ends.
type exponential struct {
	name        string
	scale       float64 // 1/u
	high, low   float64 // u; low is 0 if k·u is exact
	factor      float64 // ln base; 0 is 1
	least, most float64 // arguments whose results are normal
	nothing     float64 // below, the result is 0
}

const (
	terms     = 12
	toInteger = 0x1.8p52 // adding it rounds to an integer, which is left in the low bits
	slack     = 256      // units of 2⁻⁵³
	dropped   = 29       // bits of float64 that float32 has not
)

func exponentials() {
	exponential{"Exp", 0x1.71547652b82fep0, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33, 0, -87, 88, -104}.emit()
	exponential{"Exp2", 1, 1, 0, 0x1.62e42fefa39efp-1, -126, 127, -151}.emit()
}

// constants hands out operands that hold a number in each place: registers, or memory where there are few of these.
type constants struct {
	data   Mem
	offset int
}

func (c *constants) bits(u uint64) Op {
	at := c.data.Offset(c.offset)
	if *wide {
		DATA(c.offset, U64(u))
		c.offset += 8
		d := ZMM()
		VBROADCASTSD(at, d)
		return d
	}
	for range 4 {
		DATA(c.offset, U64(u))
		c.offset += 8
	}
	return at
}

func (c *constants) number(x float64) Op { return c.bits(math.Float64bits(x)) }

// emit writes the function. It gives how many lanes it has done.
func (e exponential) emit() {
	data := GLOBL(fmt.Sprintf("constants%s%d", e.name, bytes()), attr.RODATA|attr.NOPTR)
	text(e.name, "func(d, a []uint32) int")
	d, a := base("d"), base("a")
	n := Load(Param("d").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	value := e.evaluation(&constants{data: data})
	lanes := bytes() / 8
	block := func(lanes int) {
		y := value(doubles(lanesAt(a, i, 4), lanes))
		singles(y, lanesAt(d, i, 4), lanes)
	}
	while(i, n, lanes, "block", func() { block(lanes) })
	if *wide {
		rest(i, n, func() {
			block(lanes)
			MOVQ(Load(Param("d").Len(), GP64()), i)
		})
	} else {
		while(i, n, 1, "lane", func() { block(1) })
	}
	Label("undecided")
	Store(i, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// evaluation gives what computes a block; it jumps if a lane has no result.
func (e exponential) evaluation(c *constants) func(x VecVirtual) VecVirtual {
	scale, integer, high, floor := c.number(e.scale), c.number(toInteger), c.number(e.high), c.number(2*e.nothing)
	var low, factor Op
	if e.low != 0 {
		low = c.number(e.low)
	}
	if e.factor != 0 {
		factor = c.number(e.factor)
	}
	least, most, nothing := c.number(e.least), c.number(e.most), c.number(e.nothing)
	half, tail, close := c.bits(1<<(dropped-1)+slack), c.bits(1<<dropped-1), c.bits(2*slack)
	var inverse [terms + 1]Op // of factorials
	product := 1.0
	for k := range inverse {
		product *= float64(max(k, 1))
		inverse[k] = c.number(1 / product)
	}
	return func(argument VecVirtual) VecVirtual {
		x := calc(VMAXPD, floor, argument)
		t := calc(VADDPD, integer, calc(VMULPD, scale, x))
		k, r := calc(VSUBPD, integer, t), x
		VFNMADD231PD(high, k, r)
		if low != nil {
			VFNMADD231PD(low, k, r)
		}
		if factor != nil {
			r = calc(VMULPD, factor, r)
		}
		y := load64(inverse[terms])
		for j := terms - 1; j >= 0; j-- {
			VFMADD213PD(inverse[j], r, y)
		}
		y = calc(VPADDQ, calc(VPSLLQ, Imm(52), t), y)
		rounds := aboveQ(close, and64(tail, calc(VPADDQ, half, y)))
		normal := and64(comparedPD(greaterOrEqual, least, argument), comparedPD(lessOrEqual, most, argument))
		unlessAll64(or64(and64(normal, rounds), comparedPD(less, nothing, argument)), "undecided")
		return y
	}
}

// load64 is a register with a constant.
func load64(o Op) VecVirtual {
	d := vector()
	VMOVUPD(o, d)
	return d
}

func and64(b, a Op) VecVirtual { return calc(either(VPAND, VPANDQ), b, a) }
func or64(b, a Op) VecVirtual  { return calc(either(VPOR, VPORQ), b, a) }

// aboveQ is the mask of the places where a > b, both numbers with a sign.
func aboveQ(b Op, a VecVirtual) VecVirtual {
	if !*wide {
		return calc(VPCMPGTQ, b, a)
	}
	holds, d := K(), vector()
	VPCMPGTQ(b, a, holds)
	VPMOVM2Q(holds, d)
	return d
}

// comparedPD is compared for float64.
func comparedPD(predicate U8, b Op, a VecVirtual) VecVirtual {
	if !*wide {
		return calc(VCMPPD, predicate, b, a)
	}
	holds, d := K(), vector()
	VCMPPD(predicate, b, a, holds)
	VPMOVM2Q(holds, d)
	return d
}

// unlessAll64 jumps unless all places of a mask are set.
func unlessAll64(mask VecVirtual, target string) {
	r := GP32()
	if *wide {
		holds := K()
		VPMOVQ2M(mask, holds)
		KMOVB(holds, r)
		CMPL(r, U32(0xff))
	} else {
		VMOVMSKPD(mask, r)
		CMPL(r, U32(0xf))
	}
	JNE(LabelRef(target))
}

// doubles reads floats; those that are not read are 0.
func doubles(m Mem, lanes int) VecVirtual {
	d := vector()
	switch {
	case remaining != nil:
		VCVTPS2PD_Z(m, remaining, d)
	case lanes > 1:
		VCVTPS2PD(m, d)
	default:
		VCVTPS2PD(load(m, 4).AsX(), d)
	}
	return d
}

// singles writes floats.
func singles(v VecVirtual, m Mem, lanes int) {
	if *wide {
		f := YMM()
		VCVTPD2PS(v, f)
		if remaining != nil {
			VMOVUPS(f, remaining, m)
		} else {
			VMOVUPS(f, m)
		}
		return
	}
	f := YMM()
	VCVTPD2PSY(v, f.AsX())
	store(f, m, 4*lanes)
}
