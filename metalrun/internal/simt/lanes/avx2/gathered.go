package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// square is how many turns dotGathered takes at once.
const square = 8

// dotGathered writes the function that adds products with rows of the lanes' own
// to d. It takes eight turns of 32 lanes at a time, loaded by rows, and turns
// that are left over by gathers.
func dotGathered() {
	text("DotGathered", "func(d, words, first, t []uint32)")
	d, words, first, t := base("d"), base("words"), base("first"), base("t")
	n, count := Load(Param("d").Len(), GP64()), Load(Param("t").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	block := func(label string, registers int) {
		while(i, n, bytes()/4*registers, label, func() {
			sums := loadAll(lanesAt(d, i, 4), registers, bytes())
			from, k := GP64(), GP64()
			MOVQ(words, from)
			XORQ(k, k)
			while(k, count, square, label+"_square", func() {
				for j, sum := range sums {
					for turn, x := range columns(from, lanesAt(first, i, 4).Offset(bytes()*j)) {
						weight := calc(VBROADCASTSS, lanesAt(t, k, 4).Offset(4*turn))
						VADDPS(calc(VMULPS, weight, x), sum, sum)
					}
				}
				ADDQ(Imm(4*square), from)
			})
			while(k, count, 1, label+"_column", func() {
				weight := calc(VBROADCASTSS, lanesAt(t, k, 4))
				for j, sum := range sums {
					x := gathered(from, load(lanesAt(first, i, 4).Offset(bytes()*j), bytes()))
					VADDPS(calc(VMULPS, weight, x), sum, sum)
				}
				ADDQ(Imm(4), from)
			})
			for j, sum := range sums {
				store(sum, lanesAt(d, i, 4).Offset(bytes()*j), bytes())
			}
		})
	}
	block("block", 4*simdgroup/bytes())
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

// gathered reads a word for each lane.
func gathered(from Register, at VecVirtual) VecVirtual {
	x, words := zeros(), Mem{Base: from, Index: at, Scale: 4}
	if *wide {
		all := K()
		KXNORW(all, all, all)
		VPGATHERDD(words, all, x)
	} else {
		VPGATHERDD(ones(), words, x)
	}
	return x
}

// columns transposes the first eight words of as many rows as a register has lanes, which begin first words
// behind from each.
func columns(from Register, first Mem) []VecVirtual {
	if *wide {
		return wideColumns(from, first)
	}
	var halves [2][4]VecVirtual // words 0 to 3, 4 to 7 of rows j and j+4
	for j := range 4 {
		low, high := row(from, first, j), row(from, first, j+4)
		for half := range halves {
			x := load(low.Offset(16*half), 16)
			halves[half][j] = calc(VINSERTF128, Imm(1), high.Offset(16*half), x)
		}
	}
	return append(quarters(halves[0]), quarters(halves[1])...)
}

// wideColumns is columns for 16 rows.
func wideColumns(from Register, first Mem) []VecVirtual {
	var low, high []VecVirtual // word c of four rows, word c+4 of these, and of the next four rows
	for part := range 2 {
		var rows [4]VecVirtual
		for j := range rows {
			x := ZMM()
			VMOVUPS(row(from, first, 8*part+j), x.AsY())
			rows[j] = calc(VINSERTF64X4, Imm(1), row(from, first, 8*part+j+4), x)
		}
		low, high = high, quarters(rows)
	}
	list := make([]VecVirtual, square)
	for c := range low {
		const even, odd = U8(0b10_00_10_00), U8(0b11_01_11_01)
		list[c], list[c+4] = calc(VSHUFF32X4, even, high[c], low[c]), calc(VSHUFF32X4, odd, high[c], low[c])
	}
	return list
}

// row is where row j begins.
func row(from Register, first Mem, j int) Mem {
	at := GP64()
	MOVL(first.Offset(4*j), at.As32())
	return lanesAt(from, at, 4)
}

// quarters transposes squares of four words within each 16 bytes.
func quarters(rows [4]VecVirtual) (columns []VecVirtual) {
	for _, unpack := range []any{VUNPCKLPS, VUNPCKHPS} {
		a, b := calc(unpack, rows[1], rows[0]), calc(unpack, rows[3], rows[2])
		columns = append(columns, calc(VSHUFPS, lowPairs, b, a), calc(VSHUFPS, highPairs, b, a))
	}
	return columns
}
