package main

import "fmt"

// An element is what a gather reads or a scatter writes: 1<<shift bytes.
type element struct {
	name   string
	shift  int
	lane   func(s *assembly) // stores R9 as a lane at R0, which it advances
	vector func(s *assembly) // makes four lanes in V0 of the elements there
}

func elements() []element {
	integer := func(s *assembly) { s.line("MOVW.P R9, 4(R0)") }
	return []element{
		{"32", 2, integer, func(*assembly) {}},
		{"16", 1, integer, func(s *assembly) { s.op("uxtl.4s.4h", 0, 0) }},
		{"8", 0, integer, func(s *assembly) {
			s.op("uxtl.8h.8b", 0, 0)
			s.op("uxtl.4s.4h", 0, 0)
		}},
		{"Half", 1, func(s *assembly) {
			s.line("FMOVS R9, F0")
			s.op("fcvtl.4s.4h", 0, 0)
			s.line("FMOVS.P F0, 4(R0)")
		}, func(s *assembly) { s.op("fcvtl.4s.4h", 0, 0) }},
		{"Bfloat", 1, func(s *assembly) {
			s.line("LSLW $16, R9")
			s.line("MOVW.P R9, 4(R0)")
		}, func(s *assembly) { s.op("shll.4s.4h", 0, 0) }},
	}
}

func memoryFunctions() []function {
	var list []function
	for i, e := range elements() {
		list = append(list, function{
			name: "neonGather" + e.name, result: "int", body: e.gather,
			parameters: []parameter{{"d", "[]uint32"}, {"words", "[]uint32"}, {"idx", "[]uint32"}, {"mask", "[]uint32"},
				{"at", "Index"}},
		})
		if e.shift < 2 {
			list = append(list, function{
				name: "neonWiden" + e.name, body: e.widen,
				parameters: []parameter{{"d", "[]uint32"}, {"words", "[]uint32"}, {"first", "uint32"}},
			})
		}
		if i < 3 {
			list = append(list, function{
				name: "neonScatter" + e.name, result: "int", body: e.scatter,
				parameters: []parameter{{"words", "[]uint32"}, {"idx", "[]uint32"}, {"mask", "[]uint32"},
					{"v", "[]uint32"}, {"at", "Index"}},
			})
		}
	}
	return list
}

// widen reads elements that adjoin, four at once. R0 and R1 point to d and to the next element; R8 counts the lanes
// that are left.
func (e element) widen(s *assembly, at frame) {
	s.line("MOVD %s, R0", at.word("d", "base", 0))
	s.line("MOVD %s, R1", at.word("words", "base", 0))
	s.line("MOVD %s, R8", at.word("d", "len", 8))
	s.line("MOVWU %s, R9", at.word("first", "", 0))
	s.line("ADD R9<<%d, R1, R1", e.shift)
	s.label("four")
	s.line("CMP $4, R8")
	s.line("BLT lane")
	s.line("%s.P %d(R1), F0", []string{"FMOVS", "FMOVD"}[e.shift], 4<<e.shift)
	e.vector(s)
	s.line("VST1.P [V0.S4], 16(R0)")
	s.line("SUB $4, R8")
	s.line("B four")
	s.label("lane")
	s.line("CBZ R8, end")
	s.line("%sU.P %d(R1), R9", e.move(), 1<<e.shift)
	e.lane(s)
	s.line("SUB $1, R8")
	s.line("B lane")
	s.label("end")
}

// loadIndex puts the fields of the Index into R4 to R7, in their order.
func loadIndex(s *assembly, at frame) {
	for i, field := range []string{"Lo", "Count", "Mult", "First"} {
		s.line("MOVWU %s, R%d", at.word("at", field, 4*i), 4+i)
	}
}

// gather reads four elements at once where all are in range and adjoin, and one
// by one elsewhere. R0 to R3 point to d, words, idx and mask; R8 counts the lanes
// that are left and R10 those of them to be done one by one. V3 holds 0 to 3, and
// V4 to V7 the fields of the Index as R4 to R7 do.
func (e element) gather(s *assembly, at frame) {
	for i, name := range []string{"d", "words", "idx", "mask"} {
		s.line("MOVD %s, R%d", at.word(name, "base", 0), i)
	}
	s.line("MOVD %s, R8", at.word("d", "len", 8))
	loadIndex(s, at)
	for r := 4; r < 8; r++ {
		s.line("VDUP R%d, V%d.S4", r, r)
	}
	s.line("VMOVQ $0x0000000100000000, $0x0000000300000002, V3")
	s.label("four")
	s.line("MOVD R8, R10")
	s.line("CMP $4, R8")
	s.line("BLT lane")
	s.line("MOVD $4, R10")
	adjoining(s)
	s.line("CBZW R9, lane")
	s.line("FMOVS F2, R9")
	s.line("ADD R9<<%d, R1, R9", e.shift)
	s.line("%s (R9), F0", []string{"FMOVS", "FMOVD", "FMOVQ"}[e.shift])
	e.vector(s)
	s.line("VST1.P [V0.S4], 16(R0)")
	s.line("ADD $16, R2")
	s.line("ADD $16, R3")
	s.line("SUB $4, R8")
	s.line("B four")
	e.gatherLanes(s, at)
}

// adjoining sets V2 to the numbers of the elements of four lanes and R9 to zero
// unless each is in range and one more than that of the lane before.
func adjoining(s *assembly) {
	const offset, inRange, number, first, equal = 0, 1, 2, 16, 17
	s.line("VLD1 (R2), [V%d.S4]", offset)
	s.op("sub.4s", offset, offset, 4)
	s.op("cmhi.4s", inRange, 5, offset)
	s.op("orr.16b", number, 7, 7)
	s.op("mla.4s", number, offset, 6)
	s.op("sub.4s", first, number, 3)
	s.line("VDUP V%d.S[0], V%d.S4", first, equal)
	s.op("cmeq.4s", equal, equal, first)
	s.op("and.16b", inRange, inRange, equal)
	s.op("uminv.s.4s", inRange, inRange)
	s.line("FMOVS F%d, R9", inRange)
}

// gatherLanes reads R10 elements one by one and ends the function.
func (e element) gatherLanes(s *assembly, at frame) {
	s.label("lane")
	s.line("CBZ R10, done")
	s.line("MOVWU.P 4(R2), R9")
	s.line("SUBW R4, R9, R9")
	s.line("CMPW R5, R9")
	s.line("BHS outside")
	s.line("MADDW R6, R7, R9, R9")
	s.line("%sU %s, R9", e.move(), e.address())
	e.lane(s)
	s.label("next")
	s.line("ADD $4, R3")
	s.line("SUB $1, R8")
	s.line("SUB $1, R10")
	s.line("B lane")
	s.label("outside")
	s.line("MOVWU (R3), R9")
	s.line("CBNZW R9, end")
	s.line("ADD $4, R0")
	s.line("B next")
	s.label("done")
	s.line("CBNZ R8, four")
	s.label("end")
	s.line("MOVD %s, R9", at.word("d", "len", 8))
	s.line("SUB R8, R9, R9")
	s.line("MOVD R9, %s", at.word("ret", "", 0))
}

// address is where element R9 of the words at R1 lies.
func (e element) address() string {
	if e.shift == 0 {
		return "(R1)(R9)"
	}
	return fmt.Sprintf("(R1)(R9<<%d)", e.shift)
}

// move is the instruction that stores an element.
func (e element) move() string { return []string{"MOVB", "MOVH", "MOVW"}[e.shift] }

// scatter looks for a lane out of range first, then writes. R0 to R3 point to v,
// words, idx and mask.
func (e element) scatter(s *assembly, at frame) {
	loadIndex(s, at)
	s.line("VDUP R4, V4.S4")
	s.line("VDUP R5, V5.S4")
	s.line("MOVD %s, R2", at.word("idx", "base", 0))
	s.line("MOVD %s, R3", at.word("mask", "base", 0))
	s.line("MOVD %s, R8", at.word("v", "len", 8))
	inRange(s)
	s.line("CBNZ R8, end")

	s.line("MOVD %s, R0", at.word("v", "base", 0))
	s.line("MOVD %s, R1", at.word("words", "base", 0))
	s.line("MOVD %s, R2", at.word("idx", "base", 0))
	s.line("MOVD %s, R3", at.word("mask", "base", 0))
	s.line("MOVD %s, R8", at.word("v", "len", 8))
	s.label("write")
	s.line("CBZ R8, end")
	s.line("SUB $1, R8")
	s.line("MOVWU.P 4(R0), R10")
	s.line("MOVWU.P 4(R2), R9")
	s.line("MOVWU.P 4(R3), R11")
	s.line("CBZW R11, write")
	s.line("SUBW R4, R9, R9")
	s.line("MADDW R6, R7, R9, R9")
	s.line("%s R10, %s", e.move(), e.address())
	s.line("B write")

	s.label("end")
	s.line("MOVD %s, R9", at.word("v", "len", 8))
	s.line("SUB R8, R9, R9")
	s.line("MOVD R9, %s", at.word("ret", "", 0))
}

// inRange counts R8 down to zero, or to the number of lanes from the first one on
// that is set in the mask and out of range.
func inRange(s *assembly) {
	s.label("four")
	s.line("CMP $4, R8")
	s.line("BLT one")
	s.line("VLD1 (R2), [V0.S4]")
	s.line("VLD1 (R3), [V1.S4]")
	s.op("sub.4s", 0, 0, 4)
	s.op("cmhs.4s", 0, 0, 5)
	s.op("and.16b", 0, 0, 1)
	s.op("umaxv.s.4s", 0, 0)
	s.line("FMOVS F0, R9")
	s.line("CBNZW R9, one")
	s.line("ADD $16, R2")
	s.line("ADD $16, R3")
	s.line("SUB $4, R8")
	s.line("B four")
	s.label("one")
	s.line("CBZ R8, checked")
	s.line("MOVWU.P 4(R2), R9")
	s.line("MOVWU.P 4(R3), R11")
	s.line("SUBW R4, R9, R9")
	s.line("CMPW R5, R9")
	s.line("BLO pass")
	s.line("CBNZW R11, checked")
	s.label("pass")
	s.line("SUB $1, R8")
	s.line("B one")
	s.label("checked")
}
