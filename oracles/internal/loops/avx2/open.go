package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Comparisons of VCMPPD: whether a is above b, no less, or no more, none of which holds of what is no number;
// whether one is no number; and whether a is not above b, which holds then.
const above, noLess, noMore, unordered, notAbove = 0x1e, 0x1d, 0x12, 0x03, 0x1a

// compare is all bits of the columns where a comparison holds.
func compare(a vector, b Op, how uint64) vector {
	d := YMM()
	VCMPPD(Imm(how), b, a, d)
	return d
}

// both is all bits of the columns where a and b have them.
func both(a, b vector) vector { return binary(VANDPD, a, b) }

// others adds the columns of one half without the bits of good to a list of bits.
func others(list GPVirtual, good vector, half int) {
	bits := GP64()
	VMOVMSKPD(good, bits.As32())
	XORQ(U32(uint32(1<<columns-1)), bits)
	SHLQ(Imm(uint64(columns*half)), bits)
	ORQ(bits, list)
}

// opened writes the loop over what sums in an order left open have gathered.
func opened() {
	TEXT("avxOpen", NOSPLIT, "func(d, gathered, c *float64) int")
	d, g, c, list := pointer("d"), pointer("gathered"), pointer("c"), GP64()
	of := func(i int) vector { return repeated(Mem{Base: c, Disp: 8 * i}) }
	const rounding, grown, scatter, largest, tiny, u, limit = 0, 1, 2, 3, 4, 5, 6
	XORQ(list, list)
	mask, zero, middle := signless(), zeros(), repeatedBits(math.Float64bits(0.5))
	for half := range halves {
		at := func(i int) Mem { return Mem{Base: g, Disp: (halves*i + half) * bytes} }
		to := func(i int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
		const sum, correction, magnitude, squares, errors, least = 0, 1, 2, 3, 4, 5
		v, size, e := add(load(at(sum)), at(correction)), load(at(magnitude)), load(at(errors))
		far := abs(v, mask)
		good := both(compare(e, zero, above), compare(add(mul(add(size, far), middle), e), of(largest), noMore))
		off := mul(add(e, mul(of(rounding), size)), of(grown))
		VMOVUPD(v, to(0))
		VMOVUPD(off, to(1))
		VMOVUPD(mul(of(scatter), lesser(mul(size, size), add(mul(v, v), at(squares)))), to(2))
		VMOVUPD(zero, to(3))
		short := load(at(least))
		good = both(good, both(compare(short, zero, above), compare(mul(of(u), short), of(limit), noLess)))
		good = both(good, both(compare(sub(far, off), of(tiny), noLess), compare(add(far, off), of(largest), noMore)))
		others(list, good, half)
	}
	Store(list, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// ranged writes the loop over sums of products that may leave the range of a format.
func ranged() {
	TEXT("avxRange", NOSPLIT, "func(d, products, sizes, c *float64) int")
	d, products, sizes, c, list := pointer("d"), pointer("products"), pointer("sizes"), pointer("c"), GP64()
	of := func(i int) vector { return repeated(Mem{Base: c, Disp: 8 * i}) }
	const underflow, terms, factors, grown, largest, scatter = 0, 1, 2, 3, 4, 5
	XORQ(list, list)
	for half := range halves {
		at := func(i int) Mem { return Mem{Base: products, Disp: (halves*i + half) * bytes} }
		to := func(i int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
		const magnitude, squares = 2, 3
		good := compare(mul(load(at(magnitude)), of(grown)), of(largest), noMore)
		size := load(Mem{Base: sizes, Disp: half * bytes})
		own := mul(of(underflow), add(mul(size, of(factors)), of(terms)))
		for i, x := range []vector{1: own, 2: mul(of(scatter), at(squares)), 3: own} {
			if x != nil {
				old := load(to(i))
				VBLENDVPD(good, add(old, x), old, old)
				VMOVUPD(old, to(i))
			}
		}
		others(list, good, half)
	}
	Store(list, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
