package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// An element says how elements of 1<<log bytes become lanes.
type element struct {
	name   string
	log    int
	decode kernel                 // of zero-extended bits
	run    func(m Mem) VecVirtual // as many elements that follow each other as a register has lanes
}

func gathers() {
	same := always(func(x []VecVirtual) VecVirtual { return x[0] })
	words := extended(VPMOVZXWD, VPMOVZXWD_Z)
	upper := func(v VecVirtual) VecVirtual { return calc(VPSLLD, Imm(16), v) }
	for _, e := range []element{
		{"32", 2, same, func(m Mem) VecVirtual { return load(m, 32) }},
		{"16", 1, same, words},
		{"8", 0, same, extended(VPMOVZXBD, VPMOVZXBD_Z)},
		{"Half", 1, fromHalfBits, extended(VCVTPH2PS, VCVTPH2PS_Z)},
		{"Bfloat", 1, always(func(x []VecVirtual) VecVirtual { return upper(x[0]) }),
			func(m Mem) VecVirtual { return upper(words(m)) }},
	} {
		if !*wide {
			e.gather()
		}
		if e.log < 2 {
			e.widen()
		}
	}
	if !*wide {
		lookup()
	}
}

// lookup writes the function that takes words out of a table: of 16 or 32 out of registers.
func lookup() {
	TEXT("avxLookup", NOSPLIT, "func(d, a, words []uint32, mask uint32)")
	d, a, words := base("d"), base("a"), base("words")
	n := Load(Param("d").Len(), GP64())
	i, table := GP64(), table{YMM(), YMM(), YMM(), YMM()}
	XORQ(i, i)
	table.choose("mask", 1, words)
	while(i, n, 16, "blocks", func() {
		for k := range 2 {
			store(table.at(load(lanesAt(a, i, 4).Offset(32*k), 32)), lanesAt(d, i, 4).Offset(32*k), 32)
		}
	})
	while(i, n, 8, "block", func() { store(table.at(load(lanesAt(a, i, 4), 32)), lanesAt(d, i, 4), 32) })
	Label("large")
	bits := repeat("mask", 4)
	while(i, n, 8, "words", func() {
		at := calc(VPAND, lanesAt(a, i, 4), bits)
		upper := XMM()
		VEXTRACTI128(Imm(1), at, upper)
		x := indices{words: words}
		store(calc(VINSERTI128, Imm(1), x.four(upper).AsX(), x.four(at).AsY()), lanesAt(d, i, 4), 32)
	})
	while(i, n, 1, "lane", func() {
		at, word := GP64(), GP32()
		MOVL(lanesAt(a, i, 4), at.As32())
		ANDL(address("mask"), at.As32())
		MOVL(lanesAt(words, at, 4), word)
		MOVL(word, lanesAt(d, i, 4))
	})
	VZEROUPPER()
	RET()
}

// table is 32 words, or 16 twice.
type table [4]VecVirtual

// load reads 16 words or 32.
func (t table) load(first Mem, words int) {
	for j, register := range t {
		VMOVDQU(first.Offset(32*j%(4*words)), register)
	}
}

// at gives the words whose numbers are the last five bits of lanes.
func (t table) at(number VecVirtual) VecVirtual {
	within := calc(VPSLLD, Imm(28), number) // bit 3 is the sign
	low := blend(within, calc(VPERMD, t[1], number), calc(VPERMD, t[0], number))
	high := blend(within, calc(VPERMD, t[3], number), calc(VPERMD, t[2], number))
	return blend(calc(VPSLLD, Imm(27), number), high, low)
}

// indices are the parameters that say which elements the lanes mean.
type indices struct {
	words, idx, mask             Register
	lo, count, mult, first, iota VecVirtual
	eight                        VecVirtual
}

const indexParameters = "lo, count, mult, first uint32"

func loadIndices() indices {
	return indices{
		base("words"), base("idx"), base("mask"),
		repeat("lo", 4), repeat("count", 4), repeat("mult", 4), repeat("first", 4), ascending(), all(8),
	}
}

// block loads eight lanes: the indices relative to lo and the mask.
func (x indices) block(i Register) (relative, active VecVirtual) {
	return calc(VPSUBD, x.lo, load(lanesAt(x.idx, i, 4), 32)), load(lanesAt(x.mask, i, 4), 32)
}

// check jumps if an active lane of a block is out of range, and leaves these in bad.
func (x indices) check(relative, active VecVirtual, bad Register, target string) {
	beyond := calc(VPCMPEQD, relative, calc(VPMAXUD, x.count, relative))
	VMOVMSKPS(calc(VPAND, active, beyond), bad)
	TESTL(bad, bad)
	JNZ(LabelRef(target))
}

// unlessAll jumps unless all eight lanes are active and hold.
func unlessAll(active, holds VecVirtual, target string) {
	r := GP32()
	VMOVMSKPS(calc(VPAND, active, holds), r)
	CMPL(r, U32(0xff))
	JNE(LabelRef(target))
}

// run jumps unless the eight lanes mean elements that follow each other, and
// gives the index of the first.
func (x indices) run(relative, active VecVirtual, log int, otherwise string) Mem {
	CMPL(address("mult"), Imm(1))
	JNE(LabelRef(otherwise))
	expected := calc(VPADDD, x.iota, calc(VPBROADCASTD, relative.AsX()))
	unlessAll(active, calc(VPCMPEQD, expected, relative), otherwise)
	e := GP64()
	VMOVD(relative.AsX(), e.As32())
	ADDL(address("first"), e.As32())
	return lanesAt(x.words, e, 1<<log)
}

// lane gives the index of lane i relative to lo. It jumps to skip, if there is one, if the lane
// is not active.
func (x indices) lane(i Register, skip string) GPVirtual {
	e := GP64()
	if skip != "" {
		CMPL(lanesAt(x.mask, i, 4), Imm(0))
		JE(LabelRef(skip))
	}
	MOVL(lanesAt(x.idx, i, 4), e.As32())
	SUBL(address("lo"), e.As32())
	return e
}

// checkLane jumps if a relative index is out of range.
func checkLane(relative GPVirtual, target string) {
	CMPL(relative.As32(), address("count"))
	JAE(LabelRef(target))
}

// address turns a relative index into the address of its element.
func (x indices) address(relative GPVirtual, log int) Mem {
	IMULL(address("mult"), relative.As32())
	ADDL(address("first"), relative.As32())
	return lanesAt(x.words, relative, 1<<log)
}

func (e element) gather() {
	TEXT("avxGather"+e.name, NOSPLIT, "func(d, words, idx, mask []uint32, "+indexParameters+") int")
	d, x := base("d"), loadIndices()
	n := Load(Param("d").Len(), GP64())
	i, bad := GP64(), GP32()
	XORQ(i, i)
	decode := e.decode()
	extract := e.extract()
	if e.log == 2 {
		x.lookup(d, i, n, bad)
	}
	while(i, n, 8, "block", func() {
		e.longRun(d, i, n, x)
		Label("short")
		relative, active := x.block(i)
		x.check(relative, active, bad, "bad_block")
		extent := x.extent(i, 8)
		CMPL(extent, Imm(7))
		JNE(LabelRef("scattered"))
		store(e.run(x.run(relative, active, e.log, "scattered")), lanesAt(d, i, 4), 32)
		JMP(LabelRef("next"))
		Label("scattered")
		number := calc(VPADDD, x.first, calc(VPMULLD, x.mult, relative))
		found := extract(x.words32(number, active, extent, e.log), number)
		store(decode([]VecVirtual{found}), lanesAt(d, i, 4), 32)
		Label("next")
	})
	while(i, n, 1, "lane", func() {
		index, r, v := x.lane(i, "skip"), GP32(), YMM()
		checkLane(index, "bad_lane")
		[]func(a, b Op){MOVBLZX, MOVWLZX, MOVL}[e.log](x.address(index, e.log), r)
		VMOVD(r, v.AsX())
		store(decode([]VecVirtual{v}), lanesAt(d, i, 4), 4)
		Label("skip")
	})
	answer(n)
	Label("bad_block")
	answerBad(i, bad)
	Label("bad_lane")
	answer(i)
}

// widen emits the function that loads elements which follow each other.
func (e element) widen() {
	text("Widen"+e.name, "func(d, words []uint32, first uint32)")
	d, from := base("d"), base("words")
	n := Load(Param("d").Len(), GP64())
	i := GP64()
	MOVL(address("first"), i.As32())
	LEAQ(lanesAt(from, i, 1<<e.log), from)
	XORQ(i, i)
	decode := e.decode()
	lanes := bytes() / 4
	register := func(k int) {
		store(e.run(lanesAt(from, i, 1<<e.log).Offset(lanes*k<<e.log)), lanesAt(d, i, 4).Offset(4*lanes*k), 4*lanes)
	}
	while(i, n, 4*lanes, "blocks", func() {
		for k := range 4 {
			register(k)
		}
	})
	while(i, n, lanes, "block", func() { register(0) })
	if *wide {
		rest(i, n, func() { register(0) })
	} else {
		while(i, n, 1, "lane", func() {
			r, v := GP32(), YMM()
			[]func(a, b Op){MOVBLZX, MOVWLZX}[e.log](lanesAt(from, i, 1<<e.log), r)
			VMOVD(r, v.AsX())
			store(decode([]VecVirtual{v}), lanesAt(d, i, 4), 4)
		})
	}
	VZEROUPPER()
	RET()
}

// extended is an instruction that makes lanes of narrow elements.
func extended(instruction func(...Op), remainder func(m, k, d Op)) func(m Mem) VecVirtual {
	return func(m Mem) VecVirtual {
		d := vector()
		if remaining != nil {
			remainder(m, remaining, d)
		} else {
			instruction(m, d)
		}
		return d
	}
}

// longRun loads 32 lanes that are all active and mean elements in range that
// follow each other, and goes on to the next lanes; it jumps to short for
// others. The outermost of the 32 indices tell most others apart.
func (e element) longRun(d, i, n Register, x indices) {
	last, first, t := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: n, Disp: -32}, last)
	CMPQ(i, last)
	JG(LabelRef("short"))
	extent, otherwise := x.extent(i, 32), "short"
	if e.log == 2 {
		otherwise = "strided"
	}
	CMPL(extent, Imm(31))
	JNE(LabelRef(otherwise))
	MOVL(lanesAt(x.idx, i, 4), first.As32())
	CMPL(address("mult"), Imm(1))
	JNE(LabelRef("short"))
	expected := calc(VPADDD, x.iota, calc(VPBROADCASTD, lanesAt(x.idx, i, 4)))
	holds := ones()
	for k := range 4 {
		VPAND(calc(VPCMPEQD, lanesAt(x.idx, i, 4).Offset(32*k), expected), holds, holds)
		VPAND(lanesAt(x.mask, i, 4).Offset(32*k), holds, holds)
		VPADDD(x.eight, expected, expected)
	}
	unlessAll(holds, holds, "short")
	SUBL(address("lo"), first.As32())
	checkLane(first, "short")
	LEAL(Mem{Base: first, Disp: 31}, t.As32())
	checkLane(t, "short")
	ADDL(address("first"), first.As32())
	for k := range 4 {
		store(e.run(lanesAt(x.words, first, 1<<e.log).Offset(8*k<<e.log)), lanesAt(d, i, 4).Offset(32*k), 32)
	}
	ADDQ(Imm(24), i)
	JMP(LabelRef("next"))
	if e.log == 2 {
		strided(extent, d, i, x)
	}
}

// choose loads 32 or 16 words, of which the parameter is so much less, or goes to large.
func (t table) choose(param string, less uint64, words Register) {
	CMPL(address(param), Imm(32-less))
	JE(LabelRef("table32"))
	CMPL(address(param), Imm(16-less))
	JNE(LabelRef("large"))
	t.load(Mem{Base: words}, 16)
	JMP(LabelRef("table"))
	Label("table32")
	t.load(Mem{Base: words}, 32)
	Label("table")
}

// lookup takes blocks of eight words out of a table of 16 or 32 that fits into registers.
func (x indices) lookup(d, i, n, bad Register) {
	table, first := table{YMM(), YMM(), YMM(), YMM()}, GP64()
	CMPL(address("mult"), Imm(1))
	JNE(LabelRef("large"))
	MOVL(address("first"), first.As32())
	LEAQ(lanesAt(x.words, first, 4), first)
	table.choose("count", 0, first)
	while(i, n, 8, "lookup", func() {
		relative, active := x.block(i)
		x.check(relative, active, bad, "bad_block")
		store(table.at(relative), lanesAt(d, i, 4), 32)
	})
	Label("large")
}

// strided is longRun for words that lie some words apart, the same number for all 32 lanes.
func strided(extent, d, i Register, x indices) {
	const most = 64 // words apart: sums of indices do not wrap
	Label("strided")
	apart, first, last := GP64(), GP64(), GP64()
	MOVL(lanesAt(x.idx, i, 4).Offset(4), apart.As32())
	SUBL(lanesAt(x.idx, i, 4), apart.As32())
	CMPL(apart.As32(), Imm(most))
	JA(LabelRef("short"))
	IMUL3L(Imm(31), apart.As32(), last.As32())
	CMPL(last.As32(), extent)
	JNE(LabelRef("short"))
	TESTL(extent, extent)
	JZ(LabelRef("short"))
	CMPL(address("mult"), Imm(1))
	JNE(LabelRef("short"))
	step := YMM()
	VMOVD(apart.As32(), step.AsX())
	VPBROADCASTD(step.AsX(), step)
	expected := calc(VPADDD, calc(VPMULLD, x.iota, step), calc(VPBROADCASTD, lanesAt(x.idx, i, 4)))
	VPSLLD(Imm(3), step, step)
	holds := ones()
	for k := range 4 {
		VPAND(calc(VPCMPEQD, lanesAt(x.idx, i, 4).Offset(32*k), expected), holds, holds)
		VPAND(lanesAt(x.mask, i, 4).Offset(32*k), holds, holds)
		VPADDD(step, expected, expected)
	}
	unlessAll(holds, holds, "short")
	MOVL(lanesAt(x.idx, i, 4), first.As32())
	SUBL(address("lo"), first.As32())
	checkLane(first, "short")
	ADDL(first.As32(), last.As32())
	checkLane(last, "short")
	ADDL(address("first"), first.As32())
	LEAQ(lanesAt(x.words, first, 4), first)
	thrice := GP64()
	LEAQ(Mem{Base: apart, Index: apart, Scale: 2}, thrice)
	for k := range 4 {
		low := fourApart(first, apart, thrice)
		high := fourApart(first, apart, thrice)
		store(calc(VINSERTI128, Imm(1), high, low.AsY()), lanesAt(d, i, 4).Offset(32*k), 32)
	}
	ADDQ(Imm(24), i)
	JMP(LabelRef("next"))
}

// fourApart reads four words and moves first on after them.
func fourApart(first, apart, thrice Register) VecVirtual {
	v := XMM()
	VMOVD(Mem{Base: first}, v)
	VPINSRD(Imm(1), Mem{Base: first, Index: apart, Scale: 4}, v, v)
	VPINSRD(Imm(2), Mem{Base: first, Index: apart, Scale: 8}, v, v)
	VPINSRD(Imm(3), Mem{Base: first, Index: thrice, Scale: 4}, v, v)
	LEAQ(Mem{Base: first, Index: apart, Scale: 8}, first)
	LEAQ(Mem{Base: first, Index: apart, Scale: 8}, first)
	return v
}

// extent is how far the last of some indices is from the first. It tells most
// lanes apart from those that follow each other or are the same.
func (x indices) extent(i Register, lanes int) Register {
	t := GP32()
	MOVL(lanesAt(x.idx, i, 4).Offset(4*(lanes-1)), t)
	SUBL(lanesAt(x.idx, i, 4), t)
	return t
}

// words32 reads the words of 32 bits that hold the elements: one word if it is
// the same for all.
func (x indices) words32(number, active VecVirtual, extent Register, log int) VecVirtual {
	word := number
	if log < 2 {
		word = calc(VPSRLD, Imm(uint64(2-log)), number)
	}
	found := YMM()
	TESTL(extent, extent)
	JNE(LabelRef("distinct"))
	unlessAll(active, calc(VPCMPEQD, word, calc(VPBROADCASTD, word.AsX())), "distinct")
	r := GP64()
	VMOVD(word.AsX(), r.As32())
	VPBROADCASTD(lanesAt(x.words, r, 4), found)
	JMP(LabelRef("found"))
	Label("distinct")
	VPTEST(active, active)
	JZ(LabelRef("next"))
	there := calc(VPAND, active, word) // word 0 exists if any lane is active
	upper := XMM()
	VEXTRACTI128(Imm(1), there, upper)
	VINSERTI128(Imm(1), x.four(upper).AsX(), x.four(there).AsY(), found)
	Label("found")
	return found
}

// four reads four words, one by one: an instruction that gathers takes longer, and several times as
// long on processors that are protected against what it once leaked.
func (x indices) four(at VecVirtual) VecVirtual {
	found := XMM()
	for half := range 2 {
		low, high := GP64(), GP64()
		if half == 0 {
			VMOVQ(at.AsX(), low)
		} else {
			VPEXTRQ(Imm(1), at.AsX(), low)
		}
		MOVQ(low, high)
		SHRQ(Imm(32), high)
		ORL(low.As32(), low.As32()) // the upper half becomes zero
		if half == 0 {
			VMOVD(lanesAt(x.words, low, 4), found)
		} else {
			VPINSRD(Imm(2), lanesAt(x.words, low, 4), found, found)
		}
		VPINSRD(Imm(uint64(2*half+1)), lanesAt(x.words, high, 4), found, found)
	}
	return found
}

// extract prepares to take elements out of their words.
func (e element) extract() func(words, number VecVirtual) VecVirtual {
	if e.log == 2 {
		return func(words, _ VecVirtual) VecVirtual { return words }
	}
	within, bits := all(3>>e.log), all(1<<(8<<e.log)-1)
	return func(words, number VecVirtual) VecVirtual {
		shift := calc(VPSLLD, Imm(uint64(3+e.log)), calc(VPAND, within, number))
		return calc(VPAND, bits, calc(VPSRLVD, shift, words))
	}
}
