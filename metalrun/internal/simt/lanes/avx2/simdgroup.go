package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const simdgroup = 32 // lanes

// simdgroups emits the sums. The additions of one simdgroup wait for each other,
// so four simdgroups are done at a time.
func simdgroups() {
	TEXT("avxSumF", NOSPLIT, "func(d, a []uint32)")
	d, a := base("d"), base("a")
	n := Load(Param("d").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	for _, groups := range []int{4, 1} {
		while(i, n, groups*simdgroup, fmt.Sprintf("groups%d", groups), func() { sums(d, a, i, groups) })
	}
	VZEROUPPER()
	RET()
	simdgroupRows()
	ascend()
}

// simdgroupRows emits what works on whole rows of simdgroups.
func simdgroupRows() {
	spread()
	addRuns()
}

// spread emits the function that gives the lanes of each simdgroup its value.
func spread() {
	text("Spread", "func(d, a []uint32)")
	d, a := base("d"), base("a")
	n := Load(Param("d").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	while(i, n, simdgroup, "group", func() {
		everywhere := calc(VBROADCASTSS, Mem{Base: a})
		ADDQ(Imm(4), a)
		for at := 0; at < 4*simdgroup; at += bytes() {
			store(everywhere, lanesAt(d, i, 4).Offset(at), bytes())
		}
	})
	VZEROUPPER()
	RET()
}

// addRuns emits the function that adds weighted runs to rows: one simdgroup after the other, whose weights stay in
// registers.
func addRuns() {
	text("AddRuns", "func(d, w, words, first []uint32, step, rows int)")
	d, w, words, first := base("d"), base("w"), base("words"), base("first")
	n, step, rows := Load(Param("w").Len(), GP64()), Load(Param("step"), GP64()), Load(Param("rows"), GP64())
	i, row, from, k := GP64(), GP64(), GP64(), GP64()
	XORQ(i, i)
	while(i, n, simdgroup, "group", func() {
		weights := loadAll(lanesAt(w, i, 4), 4*simdgroup/bytes(), bytes())
		MOVL(Mem{Base: first}, from.As32())
		ADDQ(Imm(4), first)
		LEAQ(lanesAt(words, from, 4), from)
		LEAQ(lanesAt(d, i, 4), row)
		XORQ(k, k)
		while(k, rows, 1, "row", func() {
			for j, weight := range weights {
				at := Mem{Base: row, Disp: bytes() * j}
				product := calc(VMULPS, Mem{Base: from, Disp: bytes() * j}, weight)
				store(calc(VADDPS, at, product), at, bytes())
			}
			LEAQ(Mem{Base: row, Index: n, Scale: 4}, row)
			LEAQ(Mem{Base: from, Index: step, Scale: 4}, from)
		})
	})
	VZEROUPPER()
	RET()
}

// ascend emits the function that compares each simdgroup with what its first lane makes expect.
func ascend() {
	TEXT("avxAscend", NOSPLIT, "func(a []uint32) bool")
	a := base("a")
	n := Load(Param("a").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	holds, iota, eight := ones(), ascending(), all(8)
	while(i, n, simdgroup, "group", func() {
		expected := calc(VPADDD, iota, calc(VPBROADCASTD, lanesAt(a, i, 4)))
		for l := 0; l < simdgroup; l += 8 {
			VPAND(calc(VPCMPEQD, lanesAt(a, i, 4).Offset(4*l), expected), holds, holds)
			VPADDD(eight, expected, expected)
		}
	})
	r, answer := GP32(), GP8()
	VMOVMSKPS(holds, r)
	CMPL(r, U32(0xff))
	SETEQ(answer)
	Store(answer, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// sums adds up simdgroups from lane i on.
func sums(d, a, i Register, groups int) {
	lane := func(slice Register, group, lane int) Mem {
		return lanesAt(slice, i, 4).Offset(4 * (group*simdgroup + lane))
	}
	totals := make([]VecVirtual, groups)
	for g := range totals {
		totals[g] = XMM()
		VMOVSS(lane(a, g, 0), totals[g])
	}
	for l := 1; l < simdgroup; l++ {
		for g, total := range totals {
			VADDSS(lane(a, g, l), total, total)
		}
	}
	for g, total := range totals {
		everywhere := calc(VBROADCASTSS, total)
		for l := 0; l < simdgroup; l += 8 {
			store(everywhere, lane(d, g, l), 32)
		}
	}
}
