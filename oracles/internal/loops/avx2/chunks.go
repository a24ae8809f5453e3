package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// tiles write the loop over running sums that take some products at a time.
func tiles() {
	text("Tiles", "func(d, a, panel, c *float64, tile, tiles int)")
	d, a, panel, c := pointer("d"), pointer("a"), pointer("panel"), pointer("c")
	tile, n := Load(Param("tile"), GP64()), Load(Param("tiles"), GP64())
	x, row, left, terms, mask := GP64(), GP64(), GP64(), GP64(), signless()
	for half := range halves {
		at := func(i int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
		v, e, total, scattered, products := load(at(0)), load(at(1)), load(at(2)), load(at(3)), load(at(4))
		tilesLabel, termsLabel := fmt.Sprintf("tiles%d", half), fmt.Sprintf("terms%d", half)
		MOVQ(a, x)
		MOVQ(panel, row)
		MOVQ(n, left)
		Label(tilesLabel)
		before, magnitude, squares := register(), zeros(), zeros()
		VMOVAPD(v, before)
		MOVQ(tile, terms)
		Label(termsLabel)
		p := mul(repeated(Mem{Base: x}), Mem{Base: row, Disp: half * bytes})
		accumulate(v, p)
		accumulate(magnitude, abs(p, mask))
		square := mul(p, p)
		accumulate(squares, square)
		accumulate(products, square)
		ADDQ(Imm(8), x)
		ADDQ(Imm(rowBytes), row)
		DECQ(terms)
		JNZ(LabelRef(termsLabel))
		most := add(abs(before, mask), magnitude)
		mean := lesser(mul(most, most), add(add(mul(v, v), mul(before, before)), squares))
		accumulate(total, magnitude)
		accumulate(scattered, add(squares, mul(mean, repeated(Mem{Base: c}))))
		accumulate(e, mul(most, repeated(Mem{Base: c, Disp: 8})))
		VMULPD(repeated(Mem{Base: c, Disp: 16}), e, e)
		DECQ(left)
		JNZ(LabelRef(tilesLabel))
		for i, x := range []vector{v, e, total, scattered, products} {
			VMOVUPD(x, at(i))
		}
	}
	VZEROUPPER()
	RET()
}

// recurrence writes the loop of one half of a token: a panel decays, or learns, and is multiplied.
func recurrence(name string, learns bool) {
	var by [mostHalves]vector
	if learns {
		text(name, "func(d, panel, column, other, by *float64, n int)")
	} else {
		text(name, "func(d, panel, column *float64, by float64, n int)")
	}
	d, row, column, n := pointer("d"), pointer("panel"), pointer("column"), Load(Param("n"), GP64())
	other := column
	if learns {
		other = pointer("other")
		from := pointer("by")
		for half := range halves {
			by[half] = load(Mem{Base: from, Disp: half * bytes})
		}
	} else {
		by[0] = parameter("by")
		by[1] = by[0]
	}
	i, mask := GP64(), signless()
	XORQ(i, i)
	sums := make([][3]vector, halves)
	for half := range sums {
		sums[half] = [3]vector{zeros(), zeros(), zeros()}
	}
	Label("rows")
	for half, s := range sums {
		at := Mem{Base: row, Disp: half * bytes}
		var x vector
		if learns {
			x = add(load(at), mul(by[half], repeated(Mem{Base: column, Index: i, Scale: 8})))
		} else {
			x = mul(by[half], at)
		}
		VMOVUPD(x, at)
		p := mul(x, repeated(Mem{Base: other, Index: i, Scale: 8}))
		compensate(s[0], s[1], p)
		accumulate(s[2], abs(p, mask))
	}
	ADDQ(Imm(rowBytes), row)
	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("rows"))
	for half, s := range sums {
		for i, x := range s {
			VMOVUPD(x, Mem{Base: d, Disp: (halves*i + half) * bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// chunkSums write the loops over the tokens of a chunk.
func chunkSums(name string, reaches bool) {
	text(name, "func(d, c, tokens *float64, n int)")
	d, c, tokens, n := pointer("d"), pointer("c"), pointer("tokens"), Load(Param("n"), GP64())
	mask, coefficient, token, left := signless(), GP64(), GP64(), GP64()
	const coefficientBytes, tokenBytes = 7 * 8, 5 * rowBytes
	for half := range halves {
		at := func(i int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
		of := func(i int) vector { return repeated(Mem{Base: coefficient, Disp: 8 * i}) }
		row := func(i int) Mem { return Mem{Base: token, Disp: (halves*i + half) * bytes} }
		var s [7]vector
		for i := range s {
			s[i] = load(at(i))
		}
		label := fmt.Sprintf("tokens%d", half)
		MOVQ(c, coefficient)
		MOVQ(tokens, token)
		MOVQ(n, left)
		Label(label)
		top := load(row(1))
		e, reached := mul(top, of(1)), mul(of(5), row(2))
		if reaches {
			e = add(e, reached)
		} else {
			accumulate(s[2], reached)
		}
		accumulate(s[0], e)
		accumulate(s[1], mul(top, of(2)))
		u := load(row(0))
		x := mul(u, of(0))
		accumulate(s[3], abs(x, mask))
		accumulate(s[4], mul(x, x))
		systematic, variance := mul(abs(u, mask), of(3)), mul(mul(u, of(4)), u)
		if reaches {
			systematic = add(systematic, mul(of(5), row(4)))
			variance = add(variance, mul(of(6), row(3)))
		}
		accumulate(s[5], systematic)
		accumulate(s[6], variance)
		ADDQ(Imm(coefficientBytes), coefficient)
		ADDQ(U32(tokenBytes), token)
		DECQ(left)
		JNZ(LabelRef(label))
		for i, x := range s {
			VMOVUPD(x, at(i))
		}
	}
	VZEROUPPER()
	RET()
}
