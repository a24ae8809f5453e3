package main

// Loops over weighted rows run down all rows for a few lanes at a
// time, so that the sums of these stay in registers: a row is loaded once and, if
// it changes, stored once. 32 lanes are eight sums, enough to keep four pipelines
// busy with additions that wait for each other.

// Registers of a loop over rows. R0, R1 and R3 point to the next lanes of d, the
// first row and a, R2 and R4 to the factors of the first row, R10, R12 and R14 to
// the row and its factors. R5 is the number of rows, R6 counts those that are
// left, R7 is the distance of rows in bytes, R8 counts the lanes that are left.
const (
	rowSums    = 0  // and up to 7
	rowAddends = 8  // and up to 15: the lanes of a
	rowLanes   = 16 // and up to 23
	rowProduct = 24
	rowScalar  = 25 // s
	rowWeight  = 26 // the factor of the row in the sum
	rowFactor  = 27 // the factor of a
)

// A rowLoop adds the weighted rows to d. Before that a row is multiplied by s if
// scaled, and a·t[k] added to row k if updated. Rows are stride lanes apart if
// strided, and len(d) otherwise.
type rowLoop struct {
	name                     string
	parameters               []parameter
	weights                  string
	strided, scaled, updated bool
}

func rowFunctions() []function {
	const lanes = "[]uint32"
	d, rows, a, s := parameter{"d", lanes}, parameter{"rows", lanes}, parameter{"a", lanes}, parameter{"s", "uint32"}
	t, u, stride := parameter{"t", lanes}, parameter{"u", lanes}, parameter{"stride", "int"}
	var list []function
	for _, l := range []rowLoop{
		{name: "neonDotRows", parameters: []parameter{d, rows, stride, t}, weights: "t", strided: true},
		{name: "neonScaleRows", parameters: []parameter{d, rows, s, t}, weights: "t", scaled: true},
		{name: "neonUpdateRows", parameters: []parameter{d, rows, a, t, u}, weights: "u", updated: true},
	} {
		list = append(list, function{name: l.name, parameters: l.parameters, body: l.write})
	}
	pairs := []parameter{d, a, {"b", lanes}, stride, {"rows", "int"}}
	return append(list, function{name: "neonDotPairs", parameters: pairs, body: dotPairs})
}

func (l rowLoop) write(s *assembly, at frame) {
	s.line("MOVD %s, R0", at.word("d", "base", 0))
	s.line("MOVD %s, R1", at.word("rows", "base", 0))
	s.line("MOVD %s, R2", at.word(l.weights, "base", 0))
	s.line("MOVD %s, R5", at.word(l.weights, "len", 8))
	if l.scaled {
		s.line("MOVWU %s, R9", at.word("s", "", 0))
		s.line("VDUP R9, V%d.S4", rowScalar)
	}
	if l.updated {
		s.line("MOVD %s, R3", at.word("a", "base", 0))
		s.line("MOVD %s, R4", at.word("t", "base", 0))
	}
	s.line("MOVD %s, R8", at.word("d", "len", 8))
	if l.strided {
		s.line("MOVD %s, R7", at.word("stride", "", 0))
		s.line("LSL $2, R7")
	} else {
		s.line("LSL $2, R8, R7")
	}
	l.level(s, "block", "register", 32)
	l.level(s, "register", "lane", 4)
	l.level(s, "lane", "end", 1)
	s.label("end")
}

// level writes the loop over steps of some lanes.
func (l rowLoop) level(s *assembly, name, next string, lanes int) {
	s.label(name)
	s.line("CMP $%d, R8", lanes)
	s.line("BLT %s", next)
	load(s, 0, rowSums, lanes)
	s.line("MOVD R1, R10")
	s.line("ADD $%d, R1", 4*lanes)
	s.line("MOVD R2, R12")
	if l.updated {
		load(s, 3, rowAddends, lanes)
		s.line("ADD $%d, R3", 4*lanes)
		s.line("MOVD R4, R14")
	}
	s.line("MOVD R5, R6")
	s.label(name + "Row")
	s.line("CBZ R6, %sSum", name)
	l.row(s, lanes)
	s.line("ADD R7, R10")
	s.line("SUB $1, R6")
	s.line("B %sRow", name)
	s.label(name + "Sum")
	store(s, 0, rowSums, lanes)
	s.line("ADD $%d, R0", 4*lanes)
	s.line("SUB $%d, R8", lanes)
	s.line("B %s", name)
}

// row changes some lanes of a row and adds them to the sums.
func (l rowLoop) row(s *assembly, lanes int) {
	s.line("VLD1R.P 4(R12), [V%d.S4]", rowWeight)
	if l.updated {
		s.line("VLD1R.P 4(R14), [V%d.S4]", rowFactor)
	}
	load(s, 10, rowLanes, lanes)
	for j := range max(1, lanes/4) {
		x := rowLanes + j
		switch {
		case l.scaled:
			s.op("fmul.4s", x, x, rowScalar)
		case l.updated:
			s.op("fmul.4s", rowProduct, rowAddends+j, rowFactor)
			s.op("fadd.4s", x, x, rowProduct)
		}
		s.op("fmul.4s", rowProduct, x, rowWeight)
		s.op("fadd.4s", rowSums+j, rowSums+j, rowProduct)
	}
	if l.scaled || l.updated {
		store(s, 10, rowLanes, lanes)
	}
}

// dotPairs adds the products of rows of a and b to d. R0, R1 and R3 point to the
// next lanes of d and of the first rows, R10 and R14 to the rows; R5 to R8 are as
// above.
func dotPairs(s *assembly, at frame) {
	s.line("MOVD %s, R0", at.word("d", "base", 0))
	s.line("MOVD %s, R1", at.word("a", "base", 0))
	s.line("MOVD %s, R3", at.word("b", "base", 0))
	s.line("MOVD %s, R5", at.word("rows", "", 0))
	s.line("MOVD %s, R7", at.word("stride", "", 0))
	s.line("LSL $2, R7")
	s.line("MOVD %s, R8", at.word("d", "len", 8))
	pairLevel(s, "block", "register", 32)
	pairLevel(s, "register", "lane", 4)
	pairLevel(s, "lane", "end", 1)
	s.label("end")
}

// pairLevel writes the loop over steps of some lanes.
func pairLevel(s *assembly, name, next string, lanes int) {
	s.label(name)
	s.line("CMP $%d, R8", lanes)
	s.line("BLT %s", next)
	load(s, 0, rowSums, lanes)
	s.line("MOVD R1, R10")
	s.line("MOVD R3, R14")
	s.line("MOVD R5, R6")
	s.label(name + "Row")
	s.line("CBZ R6, %sSum", name)
	load(s, 10, rowLanes, lanes)
	load(s, 14, rowAddends, lanes)
	for j := range max(1, lanes/4) {
		s.op("fmul.4s", rowProduct, rowLanes+j, rowAddends+j)
		s.op("fadd.4s", rowSums+j, rowSums+j, rowProduct)
	}
	s.line("ADD R7, R10")
	s.line("ADD R7, R14")
	s.line("SUB $1, R6")
	s.line("B %sRow", name)
	s.label(name + "Sum")
	store(s, 0, rowSums, lanes)
	s.line("ADD $%d, R0", 4*lanes)
	s.line("ADD $%d, R1", 4*lanes)
	s.line("ADD $%d, R3", 4*lanes)
	s.line("SUB $%d, R8", lanes)
	s.line("B %s", name)
}

// load fills registers from the first on with lanes at a pointer, which stays.
func load(s *assembly, pointer, first, lanes int) {
	switch lanes {
	case 1:
		s.line("FMOVS (R%d), F%d", pointer, first)
	case 4:
		s.line("VLD1 (R%d), %s", pointer, registers(first, 1, 4, 32))
	default:
		s.line("MOVD R%d, R11", pointer)
		s.line("VLD1.P 64(R11), %s", registers(first, 4, 4, 32))
		s.line("VLD1 (R11), %s", registers(first+4, 4, 4, 32))
	}
}

// store is the inverse of load.
func store(s *assembly, pointer, first, lanes int) {
	switch lanes {
	case 1:
		s.line("FMOVS F%d, (R%d)", first, pointer)
	case 4:
		s.line("VST1 %s, (R%d)", registers(first, 1, 4, 32), pointer)
	default:
		s.line("MOVD R%d, R11", pointer)
		s.line("VST1.P %s, 64(R11)", registers(first, 4, 4, 32))
		s.line("VST1 %s, (R11)", registers(first+4, 4, 4, 32))
	}
}
