package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// Instr is one compiled instruction: a loop and its operands, or a function.
type Instr struct {
	Shape           shape
	Partial         bool // inactive lanes of D must keep their values
	LaunchInvariant bool // its results are launch-invariant

	D, A, B, E Operand

	Do      Op
	Uniform UniformOp // the operation of Do, if the bytecode has it
	Load    *WordLoad // the load of Do, if it is one
	unary   lanes.Unary
	Binary  *lanes.Binary
	Triple  *lanes.Ternary
	Fill    func(d []uint32, s uint32)
	Field   func(d, a []uint32, s, t uint32)
	Term    *AffineTerm
}

// Op is an instruction that is a function.
type Op func(m *Machine)

// shape says which loop an instruction runs, and on which operands; a scalar
// operand is uniform.
type shape uint8

const (
	function   shape = iota
	ScalarFill       // d = scalar a
	vector           // unary
	VectorVector
	VectorScalar
	ScalarVector
	VectorVectorVector
	VectorScalarVector
	VectorScalarScalar
	AffineSum
)

// Run executes an instruction that has a loop.
func (in *Instr) Run(m *Machine) {
	d := m.Operand(&in.D)
	masked := in.Partial && !m.Full
	if masked {
		d = m.Scratch
	}
	switch in.Shape {
	case ScalarFill:
		in.Fill(d, m.Uni32[in.A.At])
	case vector:
		in.unary(d, m.Operand(&in.A))
	case VectorVector:
		in.Binary.VV(d, m.Operand(&in.A), m.Operand(&in.B))
	case VectorScalar:
		in.Binary.VS(d, m.Operand(&in.A), m.Uni32[in.B.At])
	case ScalarVector:
		in.Binary.SV(d, m.Uni32[in.A.At], m.Operand(&in.B))
	case VectorVectorVector:
		in.Triple.VVV(d, m.Operand(&in.A), m.Operand(&in.B), m.Operand(&in.E))
	case VectorScalarVector:
		in.Triple.VSV(d, m.Operand(&in.A), m.Uni32[in.B.At], m.Operand(&in.E))
	case VectorScalarScalar:
		in.Field(d, m.Operand(&in.A), m.Uni32[in.B.At], m.Uni32[in.E.At])
	case AffineSum:
		t := in.Term
		m.P.Table.Affine(d, m.Lanes(t.Q), m.Lanes(t.S), m.Lanes(t.C), m.Lanes(t.X), m.Lanes(t.E))
	}
	if masked {
		m.P.Table.CopyMasked(m.Operand(&in.D), m.Mask, d)
	}
}

// Into is the instruction with a destination.
func (in Instr) Into(d Operand) Instr {
	in.D = d
	return in
}

// Mapped applies a loop to an operand that is uniform exactly if the result is.
func Mapped(loop lanes.Unary, a Operand) Instr { return Instr{Shape: vector, unary: loop, A: a} }

// AffineTerm is the slots of a sum with such a term: e + fma(q, s·x, c·x).
type AffineTerm struct{ Q, S, C, X, E int }
