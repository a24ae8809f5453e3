package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sums are how many running sums a stride has.
const sums = 4

// strides write the loop over the products of a panel with a column, before which it may forget
// another.
func strides(name string, forgets bool) {
	if forgets {
		text(name, "func(d, panel, column, before, by *float64, n int)")
	} else {
		text(name, "func(d, panel, before *float64, n int)")
	}
	d, panel, before, n := pointer("d"), pointer("panel"), pointer("before"), Load(Param("n"), GP64())
	var column, by Register
	if forgets {
		column, by = pointer("column"), pointer("by")
	}
	row, i, left := GP64(), GP64(), GP64()
	for half := range halves {
		var factor vector
		if forgets {
			factor = load(Mem{Base: by, Disp: half * bytes})
		}
		var s [sums]vector
		for k := range s {
			s[k] = zeros()
		}
		term := func(k int) {
			at := Mem{Base: row, Disp: k*rowBytes + half*bytes}
			of := func(base Register) vector { return repeated(Mem{Base: base, Index: i, Scale: 8, Disp: 8 * k}) }
			var x vector
			if forgets {
				x = sub(load(at), mul(factor, of(column)))
				VMOVUPD(x, at)
				x = mul(x, of(before))
			} else {
				x = mul(of(before), at)
			}
			accumulate(s[k], x)
		}
		whole, tail, done := fmt.Sprintf("whole%d", half), fmt.Sprintf("tail%d", half), fmt.Sprintf("done%d", half)
		MOVQ(panel, row)
		MOVQ(n, left)
		XORQ(i, i)
		next := func(rows uint32) {
			ADDQ(U32(rows*rowBytes), row)
			ADDQ(U32(rows), i)
			SUBQ(U32(rows), left)
		}
		Label(whole)
		CMPQ(left, Imm(sums))
		JLT(LabelRef(tail))
		for k := range sums {
			term(k)
		}
		next(sums)
		JMP(LabelRef(whole))
		Label(tail)
		TESTQ(left, left)
		JZ(LabelRef(done))
		term(0)
		next(1)
		JMP(LabelRef(tail))
		Label(done)
		VMOVUPD(add(add(s[0], s[1]), add(s[2], s[3])), Mem{Base: d, Disp: half * bytes})
	}
	VZEROUPPER()
	RET()
}

// takes write the loop that adds weighted errors of three kinds.
func takes() {
	TEXT("avxTake", NOSPLIT, "func(d, errors, weights *float64, n int)")
	d, errors, weights, n := pointer("d"), pointer("errors"), pointer("weights"), Load(Param("n"), GP64())
	const kinds, numbers = 3, 3
	var w [2 * kinds]vector
	for i := range w {
		w[i] = repeated(Mem{Base: weights, Disp: 8 * i})
	}
	Label("strips")
	for number := range numbers {
		at := Mem{Base: d, Disp: number * bytes}
		x := load(at)
		for kind := range kinds {
			by := w[2*kind]
			if number == numbers-1 {
				by = w[2*kind+1]
			}
			accumulate(x, mul(by, Mem{Base: errors, Disp: (kind*numbers + number) * bytes}))
		}
		VMOVUPD(x, at)
	}
	ADDQ(U32(uint32(numbers*bytes)), d)
	ADDQ(U32(uint32(kinds*numbers*bytes)), errors)
	DECQ(n)
	JNZ(LabelRef("strips"))
	VZEROUPPER()
	RET()
}
