package main

import "slices"

func floatLoops() []loop {
	return slices.Concat(
		commutative("neonAddF", 32, one("fadd.4s")),
		binary("neonSubF", 32, one("fsub.4s")),
		commutative("neonMulF", 32, one("fmul.4s")),
		binary("neonDivF", 32, one("fdiv.4s")),
		binary("neonMinF", 32, choice(one("fcmgt.4s"))),
		binary("neonMaxF", 32, choice(reversed("fcmgt.4s"))),
		commutative("neonEqF", 32, one("fcmeq.4s")),
		commutative("neonNeF", 32, negated(one("fcmeq.4s"))),
		binary("neonLtF", 32, reversed("fcmgt.4s")),
		binary("neonLeF", 32, reversed("fcmge.4s")),
		ternary("neonMulMul", func(s *assembly, d int, x []int) {
			s.op("fmul.4s", temporary, x[0], x[1])
			s.op("fmul.4s", d, temporary, x[2])
		}),
		ternary("neonMulAdd", func(s *assembly, d int, x []int) {
			s.op("fmul.4s", temporary, x[0], x[1])
			s.op("fadd.4s", d, temporary, x[2])
		}),
		ternary("neonFMA", func(s *assembly, d int, x []int) {
			s.op("orr.16b", d, x[2], x[2])
			s.op("fmla.4s", d, x[0], x[1])
		}),
		[]loop{
			unary("neonNegF", one("fneg.4s")),
			unary("neonAbsF", one("fabs.4s")),
			unary("neonSqrtF", one("fsqrt.4s")),
			unary("neonFloorF", one("frintm.4s")),
			unary("neonCeilF", one("frintp.4s")),
			unary("neonTruncF", one("frintz.4s")),
			unary("neonRintF", one("frintn.4s")),
			unary("neonFromU32", one("ucvtf.4s")),
			unary("neonFromI32", one("scvtf.4s")),
			unary("neonToU32", one("fcvtzu.4s")),
			unary("neonToI32", one("fcvtzs.4s")),
		},
		formatLoops(),
	)
}

// choice is the body that gives b where the comparison holds or a is a NaN, and
// a elsewhere. FMIN and FMAX order zeros and treat a NaN otherwise.
func choice(compare body) body {
	return func(s *assembly, d int, x []int) {
		a, b := x[0], x[1]
		compare(s, d, x)
		s.op("fcmeq.4s", temporary, a, a)
		s.op("orn.16b", d, d, temporary)
		s.op("bsl.16b", d, b, a)
	}
}

func ternary(name string, b body) []loop {
	return []loop{
		{name: name + "VVV", bits: 32, operands: []operand{vector("a", 32), vector("b", 32), vector("c", 32)}, body: b},
		{name: name + "VSV", bits: 32, operands: []operand{vector("a", 32), single("s", 32), vector("c", 32)}, body: b},
	}
}

// formatLoops are those that look into the bits of floats.
func formatLoops() []loop {
	const (
		sign     = 1 << 31
		exponent = 0x7f800000
		quiet    = 1 << 22 // of a NaN
		upper    = 0xffff << 16
	)
	return []loop{
		unary("neonRoundHalf", func(s *assembly, d int, x []int) {
			s.op("fcvtn.4h.4s", d, x[0])
			s.op("fcvtl.4s.4h", d, d)
		}),
		unary("neonHalfBits", func(s *assembly, d int, x []int) {
			s.op("fcvtn.4h.4s", d, x[0])
			s.op("uxtl.4s.4h", d, d)
		}),
		unary("neonFromHalfBits", func(s *assembly, d int, x []int) {
			s.op("xtn.4h.4s", d, x[0])
			s.op("fcvtl.4s.4h", d, d)
		}),
		unary("neonRoundBfloat", func(s *assembly, d int, x []int) {
			roundBfloat(s, d, x)
			s.op("and.16b", d, d, x[4])
		}, 1, 0x7fff, quiet, upper),
		unary("neonBfloatBits", func(s *assembly, d int, x []int) {
			roundBfloat(s, d, x)
			s.op("ushr.4s", d, d)
		}, 1, 0x7fff, quiet),
		unary("neonFlush", func(s *assembly, d int, x []int) {
			s.op("cmtst.4s", d, x[0], x[1]) // normal, infinite or a NaN
			s.op("orr.16b", d, d, x[2])
			s.op("and.16b", d, d, x[0])
		}, exponent, sign),
		unary("neonQuietNaN", func(s *assembly, d int, x []int) {
			s.op("fcmeq.4s", d, x[0], x[0])
			s.op("bsl.16b", d, x[0], x[1])
		}, exponent|quiet),
	}
}

// roundBfloat sets the upper half of d's lanes to a rounded to bfloat. It adds
// one less than half of the last place, and one more if that is odd; a NaN
// becomes quiet instead.
func roundBfloat(s *assembly, d int, x []int) {
	a, one, half, quiet := x[0], x[1], x[2], x[3]
	const sum, nan = temporary, temporary + 1
	s.op("ushr.4s", sum, a)
	s.op("and.16b", sum, sum, one)
	s.op("add.4s", sum, sum, half)
	s.op("add.4s", sum, sum, a)
	s.op("orr.16b", nan, a, quiet)
	s.op("fcmeq.4s", d, a, a)
	s.op("bsl.16b", d, sum, nan)
}
