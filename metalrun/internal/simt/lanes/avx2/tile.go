package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Immediates that choose two of the four 128-bit halves and two of the four
// floats of each operand.
const (
	lowHalves  = U8(0x20)
	highHalves = U8(0x31)
	evenFloats = U8(0b10_00_10_00)
	oddFloats  = U8(0b11_01_11_01)
	lowPairs   = U8(0b01_00_01_00)
	highPairs  = U8(0b11_10_11_10)
)

// tiles emits the products of 8×8 matrices, four columns of which lie in 16
// lanes: x0 has the even columns and x1 the odd ones, and a register of eight
// lanes holds columns 0, 2 or 4, 6 of rows r, r+1 | r+2, r+3.
func tiles() {
	tile("MulAddTile", func(x, row, d VecVirtual) { VADDPS(calc(VMULPS, row, x), d, d) })
	tile("FMATile", func(x, row, d VecVirtual) { VFMADD231PS(row, x, d) })
}

func tile(name string, multiplyAdd func(x, row, d VecVirtual)) {
	TEXT("avx"+name, NOSPLIT, "func(d0, d1, a0, a1, b0, b1, c0, c1 []uint32)")
	pair := func(name string) [2]Register { return [2]Register{base(name + "0"), base(name + "1")} }
	d, a, b, c := pair("d"), pair("a"), pair("b"), pair("c")
	n := Load(Param("d0").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	while(i, n, simdgroup, "tile", func() {
		sums := append(rows(c, i, 0), rows(c, i, 4)...)
		for k := 0; k < 8; k += 4 {
			for r, row := range rows(b, i, k) {
				for m, sum := range sums {
					multiplyAdd(calc(VBROADCASTSS, matrixElement(a, i, m, k+r)), row, sum)
				}
			}
		}
		storeRows(d, i, 0, sums[:4])
		storeRows(d, i, 4, sums[4:])
	})
	VZEROUPPER()
	RET()
}

// matrixElement is where a matrix element lies: lanes of four rows follow each
// other by pairs of columns, those of columns 4 to 7 and of rows 4 to 7 by 8 and 16.
func matrixElement(x [2]Register, i Register, row, column int) Mem {
	lane := row/4*16 + column/4*8 + row%4*2 + column%4/2
	return lanesAt(x[column%2], i, 4).Offset(4 * lane)
}

// rows loads four rows from a multiple of four on.
func rows(x [2]Register, i Register, first int) []VecVirtual {
	var even, odd [2]VecVirtual // rows first, first+2 and first+1, first+3; columns 0 to 3, 4 to 7
	for half := range even {
		x0 := load(matrixElement(x, i, first, 4*half), 32)
		x1 := load(matrixElement(x, i, first, 4*half+1), 32)
		even[half] = calc(VUNPCKLPS, x1, x0)
		odd[half] = calc(VUNPCKHPS, x1, x0)
	}
	return []VecVirtual{
		calc(VPERM2F128, lowHalves, even[1], even[0]),
		calc(VPERM2F128, lowHalves, odd[1], odd[0]),
		calc(VPERM2F128, highHalves, even[1], even[0]),
		calc(VPERM2F128, highHalves, odd[1], odd[0]),
	}
}

// storeRows is the inverse of rows.
func storeRows(x [2]Register, i Register, first int, r []VecVirtual) {
	for half, halves := range []U8{lowHalves, highHalves} {
		even := calc(VPERM2F128, halves, r[2], r[0])
		odd := calc(VPERM2F128, halves, r[3], r[1])
		store(calc(VSHUFPS, evenFloats, odd, even), matrixElement(x, i, first, 4*half), 32)
		store(calc(VSHUFPS, oddFloats, odd, even), matrixElement(x, i, first, 4*half+1), 32)
	}
}
