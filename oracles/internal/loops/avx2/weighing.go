package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in loops.Weight and loops.TileConstants.
const (
	weightW, weightScores, weightError, weightSystematic, weightVariance, weightRounded = 0, 8, 16, 24, 32, 40
	weightSize                                                                          = 48

	tileU, tileUnderflow, tileSumU, tileSumScatter = 0, 8, 16, 24
)

// weighing is what a loop over the keys of a tile sums up for four columns.
type weighing struct {
	s, rounded, squares                            vector
	magnitude, scores, terms, systematic, variance vector
}

// weighings write both loops over weighted values.
func weighings() {
	for _, inTurn := range []bool{true, false} {
		if inTurn {
			TEXT("avxWeighInTurn", NOSPLIT, "func(d, values, weights, c *float64, n, keys int)")
		} else {
			TEXT("avxWeighInAnyOrder", NOSPLIT, "func(d, values, weights, c, depth *float64, n, keys int)")
		}
		weights, c, n := pointer("weights"), pointer("c"), Load(Param("n"), GP64())
		steps := stepsOf(n)
		d, column := planes{pointer("d"), steps}, pointer("values")
		depth := planes{steps: steps}
		if !inTurn {
			depth.base = pointer("depth")
		}
		mask := signless()
		SHRQ(Imm(2), n)

		Label("columns")
		var w weighing
		for _, x := range []*vector{&w.s, &w.rounded, &w.squares, &w.magnitude, &w.scores, &w.terms, &w.systematic,
			&w.variance} {
			*x = zeros()
		}
		key, row, left := GP64(), GP64(), GP64()
		MOVQ(weights, key)
		MOVQ(column, row)
		Load(Param("keys"), left)
		step := func() {
			ADDQ(Imm(weightSize), key)
			ADDQ(steps.one, row)
			DECQ(left)
		}
		if inTurn {
			w.take(key, row, mask, false, true)
			step()
			JZ(LabelRef("done"))
		}
		Label("keys")
		w.take(key, row, mask, inTurn, inTurn)
		step()
		JNZ(LabelRef("keys"))
		Label("done")
		w.finish(d, c, depth, mask, inTurn)
		d.next()
		if !inTurn {
			depth.next()
		}
		ADDQ(U32(uint32(bytes)), column)
		DECQ(n)
		JNZ(LabelRef("columns"))
		VZEROUPPER()
		RET()
	}
}

// take adds a row of values, weighted. In turn, all partial sums but the first are rounded.
func (w *weighing) take(key, row Register, mask vector, rounded, inTurn bool) {
	of := func(offset int) vector { return repeated(Mem{Base: key, Disp: offset}) }
	v := load(Mem{Base: row})
	p := mul(of(weightW), v)
	accumulate(w.s, p)
	switch {
	case rounded:
		accumulate(w.rounded, mul(abs(w.s, mask), of(weightRounded)))
		accumulate(w.squares, mul(w.s, w.s))
	case !inTurn:
		accumulate(w.squares, mul(p, p))
	}
	accumulate(w.magnitude, abs(p, mask))
	size := abs(v, mask)
	accumulate(w.scores, mul(of(weightScores), size))
	accumulate(w.terms, mul(of(weightError), size))
	accumulate(w.systematic, mul(of(weightSystematic), size))
	accumulate(w.variance, mul(of(weightVariance), mul(size, size)))
}

// finish stores the sum with what is known of its error.
func (w *weighing) finish(d planes, c Register, depth planes, mask vector, inTurn bool) {
	of := func(offset int) vector { return repeated(Mem{Base: c, Disp: offset}) }
	VMOVUPD(w.s, d.at(0))
	VMOVUPD(w.systematic, d.at(3))
	VMOVUPD(w.scores, d.at(4))
	VMOVUPD(w.magnitude, d.at(6))
	rest := sub(sub(w.terms, w.scores), mul(of(tileU), w.magnitude))
	VMOVUPD(greater(rest, zeros()), d.at(5))
	e := YMM()
	if inTurn {
		VADDPD(w.rounded, w.terms, e)
		accumulate(w.variance, mul(of(tileSumScatter), w.squares))
	} else {
		passed := load(depth.at(0))
		VMOVAPD(mul(add(w.terms, mul(mul(passed, of(tileSumU)), w.magnitude)), depth.at(1)), e)
		most := add(lesser(mul(w.magnitude, w.magnitude), add(mul(w.s, w.s), w.squares)),
			mul(w.systematic, w.systematic))
		accumulate(w.variance, mul(mul(passed, of(tileSumScatter)), most))
	}
	VMOVUPD(w.variance, d.at(2))
	VMOVUPD(add(e, of(tileUnderflow)), d.at(1))
}
