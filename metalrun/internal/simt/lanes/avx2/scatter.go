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
	i, bad, end := GP64(), GP32(), GP64()
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
	Label("block")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	LEAQ(Mem{Base: i, Disp: 8}, end)
	CMPQ(end, n)
	JG(LabelRef("rest"))
	relative, active := x.block(i)
	run := x.run(relative, active, log, "lanes")
	store(pack(load(lanesAt(v, i, 4), 32)), run, 8<<log)
	MOVQ(end, i)
	JMP(LabelRef("block"))
	Label("rest")
	MOVQ(n, end)
	Label("lanes")
	m, r := x.address(x.lane(i, "skip"), log), GP64()
	MOVL(lanesAt(v, i, 4), r.As32())
	switch log {
	case 0:
		MOVB(r.As8(), m)
	case 1:
		MOVW(r.As16(), m)
	default:
		MOVL(r.As32(), m)
	}
	Label("skip")
	INCQ(i)
	CMPQ(i, end)
	JL(LabelRef("lanes"))
	JMP(LabelRef("block"))
	Label("done")
	answer(n)
	Label("bad_block")
	answerBad(i, bad)
	Label("bad_lane")
	answer(i)
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
