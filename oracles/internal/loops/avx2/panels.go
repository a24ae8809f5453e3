package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rowBytes is how long a row of a panel is.
const rowBytes = 64

// eachRow emits a loop over the n rows of a panel: body gets where its half of a row is, and which
// row of a pair that is.
func eachRow(panel, n Register, half int, body func(row Mem, odd int)) {
	left, at := GP64(), GP64()
	MOVQ(n, left)
	MOVQ(panel, at)
	pairs, tail, done := fmt.Sprintf("pairs%d", half), fmt.Sprintf("tail%d", half), fmt.Sprintf("done%d", half)
	Label(pairs)
	CMPQ(left, Imm(2))
	JLT(LabelRef(tail))
	for odd := range 2 {
		body(Mem{Base: at, Disp: odd*rowBytes + half*bytes}, odd)
	}
	ADDQ(Imm(2*rowBytes), at)
	SUBQ(Imm(2), left)
	JMP(LabelRef(pairs))
	Label(tail)
	TESTQ(left, left)
	JZ(LabelRef(done))
	body(Mem{Base: at, Disp: half * bytes}, 0)
	Label(done)
}

// binades write the loops over the sizes of a panel's elements, cut to powers of two.
func binades(name string, scaled bool) {
	if scaled {
		text(name, "func(d, panel, more *float64, by float64, n int)")
	} else {
		text(name, "func(d, panel, more *float64, n int)")
	}
	d, panel, more, n := pointer("d"), pointer("panel"), pointer("more"), Load(Param("n"), GP64())
	mask, exponent := signless(), repeatedBits(0x7ff<<52|1<<63)
	var by vector
	if scaled {
		by = parameter("by")
	}
	for half := range halves {
		offset := load(Mem{Base: more, Disp: half * bytes})
		squares, fourths := [2]vector{zeros(), zeros()}, [2]vector{zeros(), zeros()}
		eachRow(panel, n, half, func(row Mem, odd int) {
			x := load(row)
			if scaled {
				x = mul(x, by)
				VMOVUPD(x, row)
			}
			power := abs(add(abs(x, mask), offset), exponent)
			square := mul(power, power)
			accumulate(squares[odd], square)
			accumulate(fourths[odd], mul(square, square))
		})
		for odd := range 2 {
			VMOVUPD(squares[odd], Mem{Base: d, Disp: odd*rowBytes + half*bytes})
			VMOVUPD(fourths[odd], Mem{Base: d, Disp: (2+odd)*rowBytes + half*bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// updates write the loop that adds a column's multiples to a panel.
func updates() {
	text("Update", "func(d, panel, column, by *float64, n int)")
	d, panel, first, by, n := pointer("d"), pointer("panel"), pointer("column"), pointer("by"), Load(Param("n"), GP64())
	mask, column := signless(), GP64()
	for half := range halves {
		factor := load(Mem{Base: by, Disp: half * bytes})
		squares, totals, peak := [2]vector{zeros(), zeros()}, [2]vector{zeros(), zeros()}, zeros()
		MOVQ(first, column)
		eachRow(panel, n, half, func(row Mem, odd int) {
			x := add(load(row), mul(factor, repeated(Mem{Base: column})))
			ADDQ(Imm(8), column)
			VMOVUPD(x, row)
			size := abs(x, mask)
			accumulate(squares[odd], mul(size, size))
			accumulate(totals[odd], size)
			VMAXPD(peak, size, peak)
		})
		for odd := range 2 {
			VMOVUPD(squares[odd], Mem{Base: d, Disp: odd*rowBytes + half*bytes})
			VMOVUPD(totals[odd], Mem{Base: d, Disp: (2+odd)*rowBytes + half*bytes})
		}
		VMOVUPD(peak, Mem{Base: d, Disp: 4*rowBytes + half*bytes})
	}
	VZEROUPPER()
	RET()
}

// gather writes the loop that adds up the columns of a panel and of its errors.
func gather() {
	text("Gather", "func(d, values, errors *float64, n int)")
	d, values, errors, n := pointer("d"), pointer("values"), pointer("errors"), Load(Param("n"), GP64())
	mask, x, e, left := signless(), GP64(), GP64(), GP64()
	for half := range halves {
		sum, correction, magnitude, squares, total := zeros(), zeros(), zeros(), zeros(), zeros()
		least := repeatedBits(0x7ff << 52)
		MOVQ(values, x)
		MOVQ(errors, e)
		MOVQ(n, left)
		loop := fmt.Sprintf("rows%d", half)
		Label(loop)
		v, off := load(Mem{Base: x, Disp: half * bytes}), load(Mem{Base: e, Disp: half * bytes})
		compensate(sum, correction, v)
		size := abs(v, mask)
		accumulate(magnitude, size)
		accumulate(squares, mul(v, v))
		accumulate(total, off)
		VMINPD(least, sub(size, off), least)
		ADDQ(Imm(rowBytes), x)
		ADDQ(Imm(rowBytes), e)
		DECQ(left)
		JNZ(LabelRef(loop))
		for i, v := range []vector{sum, correction, magnitude, squares, total, least} {
			VMOVUPD(v, Mem{Base: d, Disp: i*rowBytes + half*bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// compensate adds x to a sum with Neumaier's correction.
func compensate(sum, correction, x vector) {
	t := add(sum, x)
	part := sub(t, sum)
	accumulate(correction, add(sub(sum, sub(t, part)), sub(x, part)))
	VMOVAPD(t, sum)
}
