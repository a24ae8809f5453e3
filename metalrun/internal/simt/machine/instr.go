package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// instr is one compiled instruction: a loop and where its operands are, or a
// function of its own.
type Instr struct {
	Shape   shape
	partial bool // lanes of d that are not active must keep their values
	settled bool // sets what is the same all through a launch

	d, a, b, e Operand

	do      Op
	uniform uniformOp // what do does, if it is that
	load    *WordLoad // what do does, if it is that
	unary   lanes.Unary
	Binary  *lanes.Binary
	triple  *lanes.Ternary
	fill    func(d []uint32, s uint32)
	Field   func(d, a []uint32, s, t uint32)
	term    *affineTerm
}

// op is an instruction that is a function of its own.
type Op func(m *Machine)

// shape says which loop an instruction runs, and on which operands; a scalar
// operand is uniform.
type shape uint8

const (
	function   shape = iota
	scalarFill       // d = scalar a
	vector           // unary
	vectorVector
	vectorScalar
	scalarVector
	vectorVectorVector
	vectorScalarVector
	vectorScalarScalar
	AffineSum
)

// run executes an instruction that has a loop.
func (in *Instr) Run(m *Machine) {
	d := m.Operand(&in.d)
	masked := in.partial && !m.Full
	if masked {
		d = m.Scratch
	}
	switch in.Shape {
	case scalarFill:
		in.fill(d, m.Uni32[in.a.At])
	case vector:
		in.unary(d, m.Operand(&in.a))
	case vectorVector:
		in.Binary.VV(d, m.Operand(&in.a), m.Operand(&in.b))
	case vectorScalar:
		in.Binary.VS(d, m.Operand(&in.a), m.Uni32[in.b.At])
	case scalarVector:
		in.Binary.SV(d, m.Uni32[in.a.At], m.Operand(&in.b))
	case vectorVectorVector:
		in.triple.VVV(d, m.Operand(&in.a), m.Operand(&in.b), m.Operand(&in.e))
	case vectorScalarVector:
		in.triple.VSV(d, m.Operand(&in.a), m.Uni32[in.b.At], m.Operand(&in.e))
	case vectorScalarScalar:
		in.Field(d, m.Operand(&in.a), m.Uni32[in.b.At], m.Uni32[in.e.At])
	case AffineSum:
		t := in.term
		m.P.Table.Affine(d, m.Lanes(t.q), m.Lanes(t.s), m.Lanes(t.c), m.Lanes(t.x), m.Lanes(t.e))
	}
	if masked {
		m.P.Table.CopyMasked(m.Operand(&in.d), m.Mask, d)
	}
}

// into is the instruction with a destination.
func (in Instr) into(d Operand) Instr {
	in.d = d
	return in
}

// mapped applies a loop to an operand that is as uniform as the result.
func mapped(loop lanes.Unary, a Operand) Instr { return Instr{Shape: vector, unary: loop, a: a} }

// affineTerm is the slots of a sum with such a term: e + fma(q, s·x, c·x).
type affineTerm struct{ q, s, c, x, e int }
