package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pairs write the loop over two rows of weighted values.
func pairs() {
	TEXT("avxWeigh", NOSPLIT, "func(sums, magnitudes, a, b *float64, x, y float64, n int)")
	sums, magnitudes, a, b := pointer("sums"), pointer("magnitudes"), pointer("a"), pointer("b")
	x, y := parameter("x"), parameter("y")
	n, i := Load(Param("n"), GP64()), GP64()
	mask := signless()
	XORQ(i, i)
	at := func(base Register) Mem { return Mem{Base: base, Index: i, Scale: 8} }
	Label("columns")
	p, q := mul(x, at(a)), mul(y, at(b))
	VMOVUPD(add(load(at(sums)), add(p, q)), at(sums))
	VMOVUPD(add(load(at(magnitudes)), add(abs(p, mask), abs(q, mask))), at(magnitudes))
	ADDQ(U32(uint32(columns)), i)
	CMPQ(i, n)
	JLT(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// compensated writes the loop over a row of weighted values with corrections.
func compensated() {
	TEXT("avxCompensated", NOSPLIT, "func(sums, corrections, magnitudes, a *float64, x float64, n int)")
	sums, corrections, magnitudes, a := pointer("sums"), pointer("corrections"), pointer("magnitudes"), pointer("a")
	x := parameter("x")
	n, i := Load(Param("n"), GP64()), GP64()
	mask := signless()
	XORQ(i, i)
	at := func(base Register) Mem { return Mem{Base: base, Index: i, Scale: 8} }
	Label("columns")
	p, s := mul(x, at(a)), load(at(sums))
	t := add(s, p)
	part := sub(t, s)
	VMOVUPD(t, at(sums))
	VMOVUPD(add(load(at(corrections)), add(sub(s, sub(t, part)), sub(p, part))), at(corrections))
	VMOVUPD(add(load(at(magnitudes)), abs(p, mask)), at(magnitudes))
	ADDQ(U32(uint32(columns)), i)
	CMPQ(i, n)
	JLT(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// parameter is a vector of one number that the function is given.
func parameter(name string) vector {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return repeated(p.Addr)
}
