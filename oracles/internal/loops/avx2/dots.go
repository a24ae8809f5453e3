package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// running are running sums of products in four columns, and what is known of them.
type running struct{ s, e, magnitude, squares, products vector }

// dots write the loop over the products of a vector with the columns of a panel.
func dots() {
	text("Dots", "func(d, a, grown, panel *float64, at *int, n int)")
	d, a, grown, panel, at := pointer("d"), pointer("a"), pointer("grown"), pointer("panel"), pointer("at")
	n, i := Load(Param("n"), GP64()), GP64()
	mask := signless()
	of := func(base Register) vector { return repeated(Mem{Base: base, Index: i, Scale: 8}) }
	row := GP64()
	values := func(half int) Mem { return Mem{Base: panel, Index: row, Scale: 8, Disp: half * bytes} }
	XORQ(i, i)
	MOVQ(Mem{Base: at, Index: i, Scale: 8}, row)
	x, before := of(a), of(grown)
	r := make([]running, halves)
	for half := range r {
		s := mul(x, values(half))
		size, square := abs(s, mask), mul(s, s)
		old := func(i int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
		r[half] = running{s, mul(size, before), add(size, old(2)), add(square, old(3)), add(square, old(4))}
	}
	INCQ(i)
	CMPQ(i, n)
	JGE(LabelRef("done"))
	Label("terms")
	MOVQ(Mem{Base: at, Index: i, Scale: 8}, row)
	now := of(grown)
	for half := range r {
		r[half].take(mul(of(a), values(half)), before, now, mask) // a stays in no register: there may be sixteen
	}
	VMOVAPD(now, before)
	INCQ(i)
	CMPQ(i, n)
	JLT(LabelRef("terms"))
	Label("done")
	for half, x := range r {
		for i, v := range []vector{x.s, x.e, x.magnitude, x.squares, x.products} {
			VMOVUPD(v, Mem{Base: d, Disp: (halves*i + half) * bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// blocks write the loop over lanes that take consecutive rows of a panel.
func blocks() {
	text("Blocks", "func(d, values, errors, a, grown, panel *float64, block, lanes int)")
	d, values, errors, a, grown, row := pointer("d"), pointer("values"), pointer("errors"), pointer("a"),
		pointer("grown"), pointer("panel")
	block, lanes, i := Load(Param("block"), GP64()), Load(Param("lanes"), GP64()), GP64()
	mask, before := signless(), register()
	r := make([]running, halves)
	old := func(i, half int) Mem { return Mem{Base: d, Disp: (halves*i + half) * bytes} }
	for half := range r {
		r[half] = running{register(), register(), load(old(2, half)), load(old(3, half)), load(old(4, half))}
	}
	Label("lanes")
	XORQ(i, i)
	x := repeated(Mem{Base: a})
	VBROADCASTSD(Mem{Base: grown}, before)
	for half := range r {
		VMULPD(Mem{Base: row, Disp: half * bytes}, x, r[half].s)
		size, square := abs(r[half].s, mask), mul(r[half].s, r[half].s)
		VMULPD(before, size, r[half].e)
		accumulate(r[half].magnitude, size)
		accumulate(r[half].squares, square)
		accumulate(r[half].products, square)
	}
	Label("elements")
	ADDQ(Imm(8), a)
	ADDQ(Imm(rowBytes), row)
	INCQ(i)
	CMPQ(i, block)
	JGE(LabelRef("lane"))
	now := repeated(Mem{Base: grown, Index: i, Scale: 8})
	for half := range r {
		r[half].take(mul(repeated(Mem{Base: a}), Mem{Base: row, Disp: half * bytes}), before, now, mask)
	}
	VMOVAPD(now, before)
	JMP(LabelRef("elements"))
	Label("lane")
	for half, x := range r {
		VMOVUPD(x.s, Mem{Base: values, Disp: half * bytes})
		VMOVUPD(x.e, Mem{Base: errors, Disp: half * bytes})
	}
	ADDQ(Imm(rowBytes), values)
	ADDQ(Imm(rowBytes), errors)
	DECQ(lanes)
	JNZ(LabelRef("lanes"))
	for half, x := range r {
		for i, v := range []vector{x.s, x.e, x.magnitude, x.squares, x.products} {
			VMOVUPD(v, old(i, half))
		}
	}
	VZEROUPPER()
	RET()
}

// inner writes the loop over the products of a vector with the columns of a panel, added in turn.
func inner() {
	text("Inner", "func(d, a, panel *float64, n int)")
	d, a, row, n := pointer("d"), pointer("a"), pointer("panel"), Load(Param("n"), GP64())
	mask := signless()
	sums := make([][3]vector, halves)
	for half := range sums {
		sums[half] = [3]vector{zeros(), zeros(), zeros()}
	}
	Label("terms")
	x := repeated(Mem{Base: a})
	for half, s := range sums {
		p := mul(x, Mem{Base: row, Disp: half * bytes})
		accumulate(s[0], p)
		accumulate(s[1], abs(p, mask))
		accumulate(s[2], mul(p, p))
	}
	ADDQ(Imm(8), a)
	ADDQ(Imm(rowBytes), row)
	DECQ(n)
	JNZ(LabelRef("terms"))
	for half, s := range sums {
		for i, x := range s {
			VMOVUPD(x, Mem{Base: d, Disp: (halves*i + half) * bytes})
		}
	}
	VZEROUPPER()
	RET()
}

// take adds products.
func (r *running) take(p, before, now, mask vector) {
	accumulate(r.s, p)
	size := abs(p, mask)
	accumulate(r.magnitude, size)
	accumulate(r.e, add(mul(size, before), mul(abs(r.s, mask), now)))
	square := mul(size, size)
	accumulate(r.products, square)
	accumulate(r.squares, add(square, mul(r.s, r.s)))
}
