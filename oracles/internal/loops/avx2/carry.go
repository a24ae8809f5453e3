package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Offsets in loops.CarryConstants.
const (
	factor, factorError, factorVariance, factorSystematic = 0, 8, 16, 24

	factorSquare, roundoff, scatter, merged, mergedFactor, underflow, added, addedScatter, again = 32, 40, 48, 56, 64,
		72, 80, 88, 96
)

// carries write the loops that take carried sums on to a tile's.
func carries() {
	carry("avxCarry", false)
	carry("avxKeep", true)
}

// carry writes one of them; kept is that for a factor of 1.
func carry(name string, kept bool) {
	TEXT(name, NOSPLIT, "func(next, sums, tile, c, limits *float64, n int)")
	n := Load(Param("n"), GP64())
	steps := stepsOf(n)
	next, sums, tile := planes{pointer("next"), steps}, planes{pointer("sums"), steps}, planes{pointer("tile"), steps}
	c := pointer("c")
	of := func(offset int) vector { return repeated(Mem{Base: c, Disp: offset}) }
	mask, least, most := signless(), repeatedBits(math.Float64bits(math.Inf(1))), zeros()
	SHRQ(Imm(2), n)
	Label("columns")

	v, e := load(sums.at(0)), load(sums.at(1))
	size := abs(v, mask)
	VMOVAPD(lesser(load(tile.at(1)), lesser(e, least)), least)
	VMOVAPD(greater(size, greater(e, most)), most)

	// The product with the factor.
	p, pe, absolute := v, e, size
	var variance, systematic vector
	if kept {
		variance, systematic = load(sums.at(2)), load(sums.at(3))
	} else {
		by := of(factorError)
		p, pe = mul(v, of(factor)), add(add(mul(size, by), mul(of(factor), e)), mul(e, by))
		x := add(size, sums.at(3))
		a, b := mul(mul(x, x), of(factorVariance)), mul(of(factorSquare), sums.at(2))
		geometric := root(mul(a, b))
		variance = add(add(a, b), add(geometric, geometric))
		systematic = add(mul(x, of(factorSystematic)), mul(of(factor), sums.at(3)))
		absolute = abs(p, mask)
		accumulate(pe, mul(of(roundoff), add(absolute, pe)))
		variance = scattered(absolute, variance, systematic, of)
	}
	carried := func(i int) vector {
		if kept {
			return load(sums.at(i))
		}
		return mul(of(factor), sums.at(i))
	}

	// The tile's own sum, merged.
	own := abs(load(tile.at(0)), mask)
	accumulate(systematic, add(load(tile.at(3)), mul(of(merged), add(own, tile.at(3)))))
	oe := add(load(tile.at(1)), mul(of(merged), add(own, tile.at(1))))

	// Both.
	y, ye := add(p, tile.at(0)), add(pe, oe)
	bySize := abs(y, mask)
	variance = add(scattered(bySize, variance, systematic, of),
		mul(mul(load(tile.at(2)), of(mergedFactor)), of(mergedFactor)))
	accumulate(ye, add(mul(of(roundoff), add(bySize, ye)), of(underflow)))
	accumulate(ye, mul(of(added), add(absolute, pe)))
	accumulate(variance, mul(mul(of(addedScatter), p), p))
	more := mul(of(again), add(add(add(absolute, pe), tile.at(6)), oe))
	accumulate(ye, more)
	VMOVUPD(y, next.at(0))
	VMOVUPD(ye, next.at(1))
	VMOVUPD(variance, next.at(2))
	VMOVUPD(add(systematic, more), next.at(3))
	VMOVUPD(add(carried(4), tile.at(4)), next.at(4))
	VMOVUPD(add(carried(5), tile.at(5)), next.at(5))
	made := greater(sub(sub(ye, carried(1)), tile.at(1)), zeros())
	VMOVUPD(add(carried(6), made), next.at(6))

	for _, x := range []planes{next, sums, tile} {
		x.next()
	}
	DECQ(n)
	JNZ(LabelRef("columns"))
	limits := pointer("limits")
	VMOVUPD(least, Mem{Base: limits})
	VMOVUPD(most, Mem{Base: limits, Disp: bytes})
	VZEROUPPER()
	RET()
}

// scattered is a variance after one more rounding, of a number of a size.
func scattered(size, variance, systematic vector, of func(int) vector) vector {
	largest := add(size, systematic)
	return add(variance, mul(of(scatter), add(mul(largest, largest), variance)))
}
