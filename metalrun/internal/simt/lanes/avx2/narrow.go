package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func narrow() {
	TEXT("avxNarrow", NOSPLIT, "func(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int")
	d, a, mask := base("d"), base("a"), base("mask")
	n := Load(Param("d").Len(), GP64())
	sign, zero := allQ(1<<63), zeros() // unsigned order is signed order with the sign bits inverted
	origin, limit := repeat("origin", 8), calc(VPXOR, sign, repeat("limit", 8))
	shift := XMM()
	VMOVQ(address("shift"), shift)
	quotient := calc(VPSLLQ, shift, ones())
	i, bad := GP64(), GP32()
	XORQ(i, i)
	block := func(lanes int) {
		x := load(lanesAt(a, i, 8), 8*lanes)
		active := calc(VPMOVSXDQ, load(lanesAt(mask, i, 4), 4*lanes).AsX())
		offset := calc(VPSUBQ, origin, x)
		inside := calc(VPCMPGTQ, calc(VPXOR, sign, offset), limit)
		aligned := calc(VPCMPEQQ, zero, calc(VPANDN, offset, quotient))
		VMOVMSKPD(calc(VPANDN, active, calc(VPAND, aligned, inside)), bad)
		TESTL(bad, bad)
		JNZ(LabelRef("bad"))
		store(halves(calc(VPSRLQ, shift, offset), uint64(evenFloats)), lanesAt(d, i, 4), 4*lanes)
	}
	while(i, n, 4, "block", func() { block(4) })
	while(i, n, 1, "lane", func() { block(1) })
	answer(n)
	Label("bad")
	answerBad(i, bad)
}

// answer ends a function with the number of a lane.
func answer(lane Register) {
	Store(lane, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// answerBad ends a function with the first lane set in a mask of a block.
func answerBad(block, mask Register) {
	first := GP64()
	BSFL(mask, first.As32())
	ADDQ(block, first)
	answer(first)
}
