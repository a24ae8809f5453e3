package main

// Bodies and operands that several families of loops have.

type body = func(s *assembly, d int, x []int)

// one is the body of a single instruction.
func one(name string) body {
	return func(s *assembly, d int, x []int) {
		s.op(name, append([]int{d}, x...)...)
	}
}

// reversed is the body of one instruction with its two sources exchanged.
func reversed(name string) body {
	return func(s *assembly, d int, x []int) { s.op(name, d, x[1], x[0]) }
}

// negated is the complement of a body.
func negated(b body) body {
	return func(s *assembly, d int, x []int) {
		b(s, d, x)
		s.op("mvn.16b", d, d)
	}
}

func vector(name string, bits int) operand { return operand{name: name, bits: bits} }

func single(name string, bits int) operand { return operand{name: name, bits: bits, scalar: true} }

func unary(name string, b body, constants ...uint64) loop {
	return loop{name: name, bits: 32, operands: []operand{vector("a", 32)}, constants: constants, body: b}
}

// commutative is a binary operation for which a scalar may stand on either side.
func commutative(name string, bits int, b body) []loop {
	return []loop{
		{name: name + "VV", bits: bits, operands: []operand{vector("a", bits), vector("b", bits)}, body: b},
		{name: name + "VS", bits: bits, operands: []operand{vector("a", bits), single("s", bits)}, body: b},
	}
}

// binary is an operation of which each form is a loop.
func binary(name string, bits int, b body) []loop {
	return append(commutative(name, bits, b),
		loop{name: name + "SV", bits: bits, operands: []operand{single("s", bits), vector("b", bits)}, body: b})
}
