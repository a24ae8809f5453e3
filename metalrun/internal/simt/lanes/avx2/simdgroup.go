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
