package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A rowLoop is a function that adds weighted rows to d. It runs down all rows for a few registers of lanes at a time,
// whose sums stay where they are: a row is loaded once and, if it changes, stored once.
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
	dotRuns()
	dotGathered()
	if !*wide {
		fetch()
		stream()
	}
}

// emit writes the function: loops over eight registers of lanes and less, and one over what is left.
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
	if l.updated && !*wide { // whose addends take as many registers
		blocks(4, block)
	} else {
		blocks(8, block)
	}
	VZEROUPPER()
	RET()
}

// dotRuns writes the function that adds the products of runs of a and b to each simdgroup of d. It does all turns of a
// few registers of lanes likewise.
func dotRuns() {
	text("DotRuns", "func(d, a, b []uint32, firstA, firstB []uint32, step, turns int)")
	d, firstA, firstB := base("d"), base("firstA"), base("firstB")
	step := Load(Param("step"), GP64())
	i, end, n := GP64(), GP64(), place(Param("d").Len())
	XORQ(i, i)
	Label("group")
	CMPQ(i, n)
	JGE(LabelRef("end"))
	LEAQ(Mem{Base: i, Disp: simdgroup}, end)
	CMPQ(end, n)
	CMOVQGT(n, end)
	a, b := run("a", firstA), run("b", firstB)
	blocks(4*simdgroup/bytes(), func(label string, registers, lanes int) {
		bytes := 4 * lanes
		lanesFrom(i, end, registers*lanes, label, func() {
			sums := loadAll(lanesAt(d, i, 4), registers, bytes)
			at, k := GP64(), GP64()
			XORQ(at, at)
			MOVQ(address("turns"), k)
			TESTQ(k, k)
			JLE(LabelRef(label + "_sum"))
			Label(label + "_turn")
			for j, sum := range sums {
				x := load(lanesAt(a, at, 4).Offset(bytes*j), bytes)
				y := load(lanesAt(b, at, 4).Offset(bytes*j), bytes)
				VADDPS(calc(VMULPS, y, x), sum, sum)
			}
			ADDQ(step, at)
			DECQ(k)
			JNZ(LabelRef(label + "_turn"))
			Label(label + "_sum")
			for j, sum := range sums {
				store(sum, lanesAt(d, i, 4).Offset(bytes*j), bytes)
			}
			ADDQ(Imm(uint64(registers*bytes)), a)
			ADDQ(Imm(uint64(registers*bytes)), b)
		})
	})
	if *wide {
		MOVQ(end, i)
	}
	JMP(LabelRef("group"))
	Label("end")
	VZEROUPPER()
	RET()
}

// run is where the next run of a slice begins.
func run(slice string, first Register) Register {
	at, words := GP64(), GP64()
	MOVL(Mem{Base: first}, at.As32())
	ADDQ(Imm(4), first)
	MOVQ(place(Param(slice).Base()), words)
	LEAQ(lanesAt(words, at, 4), at)
	return at
}

// blocks emits a function's loops over several registers, over half as many each time, and over what is left of lanes.
func blocks(registers int, block func(label string, registers, lanes int)) {
	lanes := bytes() / 4
	for ; registers > 1; registers /= 2 {
		block(fmt.Sprintf("block%d", registers), registers, lanes)
	}
	block("register", 1, lanes)
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

// stream emits the copy past the caches, of words that begin where a register of memory does. Such stores are not
// ordered, but a locked instruction completes them: no other thread of the processor learns without one that they were
// made.
func stream() {
	text("Stream", "func(d, a []uint32)")
	d, a, n, i := Load(Param("d").Base(), GP64()), Load(Param("a").Base(), GP64()), Load(Param("d").Len(), GP64()),
		GP64()
	XORQ(i, i)
	TESTQ(U32(31), d)
	JNZ(LabelRef("lanes"))
	while(i, n, 8, "register", func() {
		v := YMM()
		VMOVDQU(Mem{Base: a, Index: i, Scale: 4}, v)
		VMOVNTDQ(v, Mem{Base: d, Index: i, Scale: 4})
	})
	Label("lanes")
	while(i, n, 1, "lane", func() {
		v := GP32()
		MOVL(Mem{Base: a, Index: i, Scale: 4}, v)
		MOVL(v, Mem{Base: d, Index: i, Scale: 4})
	})
	VZEROUPPER()
	RET()
}
