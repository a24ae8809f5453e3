package main

func choiceLoops() []loop {
	fill := func(s *assembly, d int, x []int) { s.op("orr.16b", d, x[0], x[0]) }
	return []loop{
		{name: "neonFill", bits: 32, operands: []operand{single("s", 32)}, body: fill},
		{name: "neonFillQ", bits: 64, operands: []operand{single("s", 64)}, body: fill},
		{
			name: "neonSelect", bits: 32, operands: []operand{vector("m", 32), vector("a", 32), vector("b", 32)},
			body: func(s *assembly, d int, x []int) {
				s.op("orr.16b", d, x[0], x[0])
				s.op("bsl.16b", d, x[1], x[2])
			},
		},
		{
			name: "neonSelectQ", bits: 64, operands: []operand{vector("m", 32), vector("a", 64), vector("b", 64)},
			body: func(s *assembly, d int, x []int) {
				s.op("sxtl.2d.2s", d, x[0])
				s.op("bsl.16b", d, x[1], x[2])
			},
		},
		maskCount("neonAndMask", "and.16b"),
		maskCount("neonAndNotMask", "bic.16b"),
	}
}

// maskCount combines masks and counts the lanes that are set: each of them is -1.
func maskCount(name, instruction string) loop {
	return loop{
		name: name, bits: 32, outcome: count, operands: []operand{vector("a", 32), vector("b", 32)},
		body: func(s *assembly, d int, x []int) {
			s.op(instruction, d, x[0], x[1])
			s.op("add.4s", accumulator, accumulator, d)
		},
	}
}
