package main

import "slices"

func integerLoops() []loop {
	return slices.Concat(
		commutative("neonAddI", 32, one("add.4s")),
		binary("neonSubI", 32, one("sub.4s")),
		commutative("neonMulI", 32, one("mul.4s")),
		commutative("neonMinS", 32, one("smin.4s")),
		commutative("neonMaxS", 32, one("smax.4s")),
		commutative("neonMinU", 32, one("umin.4s")),
		commutative("neonMaxU", 32, one("umax.4s")),
		commutative("neonAnd", 32, one("and.16b")),
		commutative("neonOr", 32, one("orr.16b")),
		commutative("neonXor", 32, one("eor.16b")),
		shift("neonShl", 32, "ushl.4s", ""),
		shift("neonLShr", 32, "ushl.4s", "neg.4s"),
		shift("neonAShr", 32, "sshl.4s", "neg.4s"),
		commutative("neonEqI", 32, one("cmeq.4s")),
		commutative("neonNeI", 32, negated(one("cmeq.4s"))),
		binary("neonLtS", 32, reversed("cmgt.4s")),
		binary("neonLeS", 32, reversed("cmge.4s")),
		binary("neonLtU", 32, reversed("cmhi.4s")),
		binary("neonLeU", 32, reversed("cmhs.4s")),
		[]loop{unary("neonNegI", one("neg.4s")), unary("neonNot", one("mvn.16b")), addIndex()},

		commutative("neonAddQ", 64, one("add.2d")),
		binary("neonSubQ", 64, one("sub.2d")),
		commutative("neonAndQ", 64, one("and.16b")),
		commutative("neonOrQ", 64, one("orr.16b")),
		commutative("neonXorQ", 64, one("eor.16b")),
		shift("neonShlQ", 64, "ushl.2d", ""),
		shift("neonLShrQ", 64, "ushl.2d", "neg.2d"),
		shift("neonAShrQ", 64, "sshl.2d", "neg.2d"),
		widthLoops(),
	)
}

// addIndex keeps the top bit of b.
func addIndex() loop {
	return loop{
		name: "neonAddIndex", bits: 32, operands: []operand{vector("a", 32), vector("b", 32)},
		constants: []uint64{1 << 31},
		body: func(s *assembly, d int, x []int) {
			s.op("and.16b", temporary, x[1], x[2])
			s.op("add.4s", d, x[0], x[1])
			s.op("orr.16b", d, d, temporary)
		},
	}
}

// shift gives the loops of a shift by counts modulo the width. NEON shifts to the
// left by signed counts: neg, if there is one, turns the direction.
func shift(name string, bits int, instruction, neg string) []loop {
	counts := func(s *assembly, d int, x []int) {
		s.op("and.16b", temporary, x[1], x[2])
		if neg != "" {
			s.op(neg, temporary, temporary)
		}
		s.op(instruction, d, x[0], temporary)
	}
	loops := binary(name, bits, counts)
	for i := range loops {
		loops[i].constants = []uint64{uint64(bits - 1)}
	}
	vs := &loops[1]
	vs.constants, vs.body = nil, one(instruction)
	count := &vs.operands[1]
	count.prepare = []string{map[int]string{32: "AND $31, R9", 64: "AND $63, R9"}[bits]}
	if neg != "" {
		count.prepare = append(count.prepare, "NEG R9, R9")
	}
	return loops
}

// widthLoops are those between 32 and 64 bits.
func widthLoops() []loop {
	return []loop{
		{name: "neonExtendU", bits: 64, operands: []operand{vector("a", 32)}, body: one("uxtl.2d.2s")},
		{name: "neonExtendS", bits: 64, operands: []operand{vector("a", 32)}, body: one("sxtl.2d.2s")},
		{name: "neonLow", bits: 32, operands: []operand{vector("a", 64)}, body: one("xtn.2s.2d")},
		{name: "neonHigh", bits: 32, operands: []operand{vector("a", 64)}, body: one("shrn.2s.2d")},
		{
			name: "neonNarrow", bits: 32, outcome: done,
			operands: []operand{
				vector("a", 64), vector("mask", 32),
				single("origin", 64), single("limit", 64), single("low", 64),
				{name: "shift", bits: 64, scalar: true, prepare: []string{"NEG R9, R9"}},
			},
			body: narrow,
		},
	}
}

// narrow is the body of Narrow; low is the mask of the bits that have to be zero.
func narrow(s *assembly, d int, x []int) {
	a, mask, origin, limit, low, shift := x[0], x[1], x[2], x[3], x[4], x[5]
	const offset, bad, odd = temporary, temporary + 1, temporary + 2
	s.op("sub.2d", offset, a, origin)
	s.op("cmhs.2d", bad, offset, limit)
	s.op("cmtst.2d", odd, offset, low)
	s.op("orr.16b", bad, bad, odd)
	s.op("sxtl.2d.2s", odd, mask)
	s.op("and.16b", bad, bad, odd)
	s.op("orr.16b", accumulator, accumulator, bad)
	s.op("ushl.2d", offset, offset, shift)
	s.op("xtn.2s.2d", d, offset)
}
