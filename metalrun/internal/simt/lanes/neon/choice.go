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
		keep("neonKeepLtU", "cmhi.4s"),
		keep("neonKeepLtS", "cmgt.4s"),
	}
}

// maskCount combines masks and counts the lanes that are set.
func maskCount(name, instruction string) loop {
	return counted(name, []operand{vector("a", 32), vector("b", 32)}, one(instruction))
}

// keep leaves set in a mask m the lanes for which s is greater than a.
func keep(name, greater string) loop {
	return counted(name, []operand{vector("m", 32), vector("a", 32), single("s", 32)},
		func(s *assembly, d int, x []int) {
			s.op(greater, d, x[2], x[1])
			s.op("and.16b", d, d, x[0])
		})
}

// counted is a loop that makes a mask and counts the lanes that are set: each of
// them is -1.
func counted(name string, operands []operand, b body) loop {
	return loop{
		name: name, bits: 32, outcome: count, operands: operands,
		body: func(s *assembly, d int, x []int) {
			b(s, d, x)
			s.op("add.4s", accumulator, accumulator, d)
		},
	}
}
