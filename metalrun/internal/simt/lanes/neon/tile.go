package main

// Products of 8×8 matrices. A lane holds two neighbours of a row; four lanes in
// memory order hold the same four columns of two rows, so that zipping the lanes
// of x0 and x1 gives a half row in each of two registers.

func tileFunctions() []function {
	parameters := []parameter{}
	for _, name := range []string{"d0", "d1", "a0", "a1", "b0", "b1", "c0", "c1"} {
		parameters = append(parameters, parameter{name, "[]uint32"})
	}
	return []function{
		{name: "neonFMATile", parameters: parameters, body: func(s *assembly, at frame) {
			tile(s, at, func(d, b, a, k int) { s.op("fmla.4s.s", d, b, a, k) })
		}},
		{name: "neonMulAddTile", parameters: parameters, body: func(s *assembly, at frame) {
			tile(s, at, func(d, b, a, k int) {
				s.op("fmul.4s.s", 30, b, a, k)
				s.op("fadd.4s", d, d, 30)
			})
		}},
	}
}

// tile writes the loop over simdgroups. R0 to R7 point to the operands in the
// order of the parameters, R8 counts lanes. The rows of b are in V0 to V15, two
// registers each; step adds to d the half row b times element k of a.
func tile(s *assembly, at frame, step func(d, b, a, k int)) {
	for i, name := range []string{"d0", "d1", "a0", "a1", "b0", "b1", "c0", "c1"} {
		s.line("MOVD %s, R%d", at.word(name, "base", 0), i)
	}
	s.line("MOVD %s, R8", at.word("d0", "len", 8))
	s.label("simdgroup")
	s.line("CBZ R8, end")
	for quad := range 8 {
		s.line("FMOVQ %d(R4), F16", 16*quad)
		s.line("FMOVQ %d(R5), F17", 16*quad)
		// Bits 2 and 0 of the quad are those of the row above its lowest, bit 1
		// is the half.
		register := 2*(quad&4+quad&1*2) + quad>>1&1
		s.op("zip1.4s", register, 16, 17)
		s.op("zip2.4s", register+2, 16, 17)
	}
	s.line("MOVD ZR, R9")
	s.label("rows")
	rows(s, step)
	// The next two rows: bit 5 of the offset is the half.
	s.line("ADD $48, R9")
	s.line("AND $~32, R9")
	s.line("CMP $128, R9")
	s.line("BNE rows")
	for r := range 8 {
		s.line("ADD $128, R%d", r)
	}
	s.line("SUB $32, R8")
	s.line("B simdgroup")
	s.label("end")
}

// rows does two rows of d, of which R9 is the offset of the lanes.
func rows(s *assembly, step func(d, b, a, k int)) {
	const a, d = 16, 20 // row and half: upper left, upper right, lower left, lower right
	for _, x := range []struct{ pointer, to int }{{2, a}, {6, d}} {
		s.line("ADD R9, R%d, R10", x.pointer)
		s.line("ADD R9, R%d, R11", x.pointer+1)
		for half := range 2 {
			s.line("FMOVQ %d(R10), F24", 32*half)
			s.line("FMOVQ %d(R11), F25", 32*half)
			s.op("zip1.4s", x.to+half, 24, 25)
			s.op("zip2.4s", x.to+2+half, 24, 25)
		}
	}
	for k := range 8 {
		for i := range 4 {
			step(d+i, 2*k+i&1, a+i&2+k/4, k%4)
		}
	}
	s.line("ADD R9, R0, R10")
	s.line("ADD R9, R1, R11")
	for half := range 2 {
		s.op("uzp1.4s", 24, d+half, d+2+half)
		s.op("uzp2.4s", 25, d+half, d+2+half)
		s.line("FMOVQ F24, %d(R10)", 32*half)
		s.line("FMOVQ F25, %d(R11)", 32*half)
	}
}
