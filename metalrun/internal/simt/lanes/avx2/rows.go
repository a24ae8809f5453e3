package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A rowLoop is a function that adds weighted rows to d. It runs down all rows for a few registers of lanes at a time, whose sums stay where
// they are: a row is loaded once and, if it changes, stored once.
type rowLoop struct {
	name, signature string
	weights         string // the slice with a weight for each row
	strided         bool   // rows are stride lanes apart and not len(d)
	scaled          bool   // a row is multiplied by s first
	updated         bool   // a·t[k] is added to row k first
}

func rowLoops() {
	for _, l := range []rowLoop{
		{name: "DotRows", signature: "func(d, rows []uint32, stride int, t []uint32)", weights: "t", strided: true},
		{name: "ScaleRows", signature: "func(d, rows []uint32, s uint32, t []uint32)", weights: "t", scaled: true},
		{name: "UpdateRows", signature: "func(d, rows, a, t, u []uint32)", weights: "u", updated: true},
	} {
		l.emit()
	}
	dotPairs()
	if !*wide {
		dotGathered()
		fetch()
	}
}

// emit writes the function: a loop over four registers of lanes, one over single
// registers, and one over single lanes.
func (l rowLoop) emit() {
	text(l.name, l.signature)
	d, rows, weights := base("d"), base("rows"), base(l.weights)
	n, count := Load(Param("d").Len(), GP64()), Load(Param(l.weights).Len(), GP64())
	stride := n
	if l.strided {
		stride = Load(Param("stride"), GP64())
	}
	var s VecVirtual
	var a, t Register
	if l.scaled {
		s = repeat("s", 4)
	}
	if l.updated {
		a, t = base("a"), base("t")
	}
	i := GP64()
	XORQ(i, i)
	block := func(label string, registers, lanes int) {
		bytes := 4 * lanes
		lanesFrom(i, n, registers*lanes, label, func() {
			sums := loadAll(lanesAt(d, i, 4), registers, bytes)
			var addends []VecVirtual
			if l.updated {
				addends = loadAll(lanesAt(a, i, 4), registers, bytes)
			}
			row, k := GP64(), GP64()
			LEAQ(lanesAt(rows, i, 4), row)
			XORQ(k, k)
			while(k, count, 1, label+"_row", func() {
				weight := calc(VBROADCASTSS, lanesAt(weights, k, 4))
				var factor VecVirtual
				if l.updated {
					factor = calc(VBROADCASTSS, lanesAt(t, k, 4))
				}
				for j, sum := range sums {
					at := Mem{Base: row, Disp: bytes * j}
					x := load(at, bytes)
					switch {
					case l.scaled:
						x = calc(VMULPS, s, x)
					case l.updated:
						x = calc(VADDPS, calc(VMULPS, factor, addends[j]), x)
					}
					if l.scaled || l.updated {
						store(x, at, bytes)
					}
					VADDPS(calc(VMULPS, weight, x), sum, sum)
				}
				LEAQ(Mem{Base: row, Index: stride, Scale: 4}, row)
			})
			for j, sum := range sums {
				store(sum, lanesAt(d, i, 4).Offset(bytes*j), bytes)
			}
		})
	}
	blocks(block, 4, 1)
	VZEROUPPER()
	RET()
}

// dotPairs writes the function that adds the products of rows of a and b to d. It
// runs down the rows likewise.
func dotPairs() {
	text("DotPairs", "func(d, a, b []uint32, stride, rows int)")
	d, a, b := base("d"), base("a"), base("b")
	n, stride, rows := Load(Param("d").Len(), GP64()), Load(Param("stride"), GP64()), Load(Param("rows"), GP64())
	i := GP64()
	XORQ(i, i)
	block := func(label string, registers, lanes int) {
		bytes := 4 * lanes
		lanesFrom(i, n, registers*lanes, label, func() {
			sums := loadAll(lanesAt(d, i, 4), registers, bytes)
			row, k := GP64(), GP64()
			MOVQ(i, row)
			XORQ(k, k)
			while(k, rows, 1, label+"_row", func() {
				for j, sum := range sums {
					x := load(lanesAt(a, row, 4).Offset(bytes*j), bytes)
					y := load(lanesAt(b, row, 4).Offset(bytes*j), bytes)
					VADDPS(calc(VMULPS, y, x), sum, sum)
				}
				ADDQ(stride, row)
			})
			for j, sum := range sums {
				store(sum, lanesAt(d, i, 4).Offset(bytes*j), bytes)
			}
		})
	}
	blocks(block, 4, 1)
	VZEROUPPER()
	RET()
}

// dotGathered writes the function that adds products with rows of the lanes' own
// to d. It takes eight turns of eight lanes at a time, loaded by rows, and turns
// that are left over by gathers.
func dotGathered() {
	TEXT("avxDotGathered", NOSPLIT, "func(d, words, first, t []uint32)")
	d, words, first, t := base("d"), base("words"), base("first"), base("t")
	n, count := Load(Param("d").Len(), GP64()), Load(Param("t").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	block := func(label string, registers int) {
		while(i, n, 8*registers, label, func() {
			sums := loadAll(lanesAt(d, i, 4), registers, 32)
			from, k := GP64(), GP64()
			MOVQ(words, from)
			XORQ(k, k)
			while(k, count, 8, label+"_square", func() {
				for j, sum := range sums {
					for turn, x := range columns(from, lanesAt(first, i, 4).Offset(32*j)) {
						weight := calc(VBROADCASTSS, lanesAt(t, k, 4).Offset(4*turn))
						VADDPS(calc(VMULPS, weight, x), sum, sum)
					}
				}
				ADDQ(Imm(32), from)
			})
			while(k, count, 1, label+"_column", func() {
				weight := calc(VBROADCASTSS, lanesAt(t, k, 4))
				for j, sum := range sums {
					x, at := zeros(), load(lanesAt(first, i, 4).Offset(32*j), 32)
					VPGATHERDD(ones(), Mem{Base: from, Index: at, Scale: 4}, x)
					VADDPS(calc(VMULPS, weight, x), sum, sum)
				}
				ADDQ(Imm(4), from)
			})
			for j, sum := range sums {
				store(sum, lanesAt(d, i, 4).Offset(32*j), 32)
			}
		})
	}
	block("block", 4)
	block("register", 1)
	while(i, n, 1, "lane", func() {
		sum, x, row, k := XMM(), XMM(), GP64(), GP64()
		VMOVSS(lanesAt(d, i, 4), sum)
		MOVL(lanesAt(first, i, 4), row.As32())
		LEAQ(lanesAt(words, row, 4), row)
		XORQ(k, k)
		while(k, count, 1, "lane_column", func() {
			VMOVSS(lanesAt(row, k, 4), x)
			VMULSS(lanesAt(t, k, 4), x, x)
			VADDSS(x, sum, sum)
		})
		VMOVSS(sum, lanesAt(d, i, 4))
	})
	VZEROUPPER()
	RET()
}

// columns transposes the first eight words of eight rows, which begin first words
// behind from each.
func columns(from Register, first Mem) []VecVirtual {
	var halves [2][4]VecVirtual // words 0 to 3, 4 to 7 of rows j and j+4
	for j := range 4 {
		low, high := GP64(), GP64()
		MOVL(first.Offset(4*j), low.As32())
		MOVL(first.Offset(4*j+16), high.As32())
		for half := range halves {
			x := load(lanesAt(from, low, 4).Offset(16*half), 16)
			halves[half][j] = calc(VINSERTF128, Imm(1), lanesAt(from, high, 4).Offset(16*half), x)
		}
	}
	var list []VecVirtual
	for _, x := range halves {
		for _, unpack := range []any{VUNPCKLPS, VUNPCKHPS} {
			a, b := calc(unpack, x[1], x[0]), calc(unpack, x[3], x[2])
			list = append(list, calc(VSHUFPS, lowPairs, b, a), calc(VSHUFPS, highPairs, b, a))
		}
	}
	return list
}

// blocks emits a function's loops over so many registers at a time, and over what is left of lanes.
func blocks(block func(label string, registers, lanes int), registers ...int) {
	lanes := bytes() / 4
	for _, n := range registers {
		block(fmt.Sprintf("registers%d", n), n, lanes)
	}
	if *wide {
		block("", 1, lanes)
	} else {
		block("lane", 1, 1)
	}
}

// lanesFrom is while, or rest if there is no label.
func lanesFrom(i, n Register, step int, label string, body func()) {
	if label == "" {
		rest(i, n, body)
	} else {
		while(i, n, step, label, body)
	}
}

// fetch emits the function that brings lines of memory near, one after the other: more at once are dropped.
func fetch() {
	text("Fetch", "func(at uintptr, bytes int)")
	at, n, i := Load(Param("at"), GP64()), Load(Param("bytes"), GP64()), GP64()
	XORQ(i, i)
	while(i, n, 64, "line", func() { PREFETCHT0(Mem{Base: at, Index: i, Scale: 1}) })
	RET()
}

// loadAll reads registers of some bytes each that follow one another.
func loadAll(first Mem, registers, bytes int) []VecVirtual {
	list := make([]VecVirtual, registers)
	for j := range list {
		list[j] = load(first.Offset(bytes*j), bytes)
	}
	return list
}
