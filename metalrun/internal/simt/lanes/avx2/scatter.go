package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func scatters() {
	for log, name := range []string{"Scatter8", "Scatter16", "Scatter32"} {
		scatter(name, log)
	}
}

// scatter checks all lanes and then writes blocks of eight, at once where they
// are a run of elements and lane by lane in ascending order elsewhere.
func scatter(name string, log int) {
	TEXT("avx"+name, NOSPLIT, "func(words, idx, mask, v []uint32, "+indexParameters+") int")
	v, x := base("v"), loadIndices()
	n := Load(Param("v").Len(), GP64())
	i, bad := GP64(), GP32()
	XORQ(i, i)
	while(i, n, 8, "check", func() {
		relative, active := x.block(i)
		x.check(relative, active, bad, "bad_block")
	})
	while(i, n, 1, "check_lane", func() {
		checkLane(x.lane(i, "checked"), "bad_lane")
		Label("checked")
	})
	pack := packer(log)
	XORQ(i, i)
	while(i, n, 8, "block", func() {
		relative, active := x.block(i)
		run := x.run(relative, active, log, "apart")
		store(pack(load(lanesAt(v, i, 4), 32)), run, 8<<log)
		JMP(LabelRef("next"))
		Label("apart")
		eachActive(active, func(lane Register) {
			ADDQ(i, lane)
			x.write(v, lane, log, "")
		})
		Label("next")
	})
	while(i, n, 1, "lane", func() {
		x.write(v, i, log, "skip")
		Label("skip")
	})
	answer(n)
	Label("bad_block")
	answerBad(i, bad)
	Label("bad_lane")
	answer(i)
}

// eachActive does something with the number of each active lane of a block.
func eachActive(active VecVirtual, do func(lane Register)) {
	left, lane, others := GP32(), GP64(), GP32()
	VMOVMSKPS(active, left)
	TESTL(left, left)
	JZ(LabelRef("next"))
	Label("active")
	BSFL(left, lane.As32())
	LEAL(Mem{Base: left.As64(), Disp: -1}, others)
	do(lane)
	ANDL(others, left)
	JNZ(LabelRef("active"))
}

// write moves the low bits of lane i to its element. It jumps to skip, if there is one, if the lane is not
// active.
func (x indices) write(v, i Register, log int, skip string) {
	m, r := x.address(x.lane(i, skip), log), GP64()
	MOVL(lanesAt(v, i, 4), r.As32())
	switch log {
	case 0:
		MOVB(r.As8(), m)
	case 1:
		MOVW(r.As16(), m)
	default:
		MOVL(r.As32(), m)
	}
}

// packer prepares to move the low bits of eight lanes together.
func packer(log int) func(v VecVirtual) VecVirtual {
	if log == 2 {
		return func(v VecVirtual) VecVirtual { return v }
	}
	low := all(1<<(8<<log) - 1)
	return func(v VecVirtual) VecVirtual {
		p := packWords(calc(VPAND, low, v))
		if log == 0 {
			VPACKUSWB(p.AsX(), p.AsX(), p.AsX())
		}
		return p
	}
}
