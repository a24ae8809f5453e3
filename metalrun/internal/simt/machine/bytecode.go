package machine

import "metalconform/metalrun/internal/ir"

// A uniform operation computes one value, and a simdgroup-uniform operation a few. A call of a function would take
// longer than that. Such operations are therefore a bytecode: one loop runs adjacent operations (a superinstruction).

// UniformOp is an operation of the bytecode. Codes that begin with scalar work on uniform registers, of 64 bits if the
// name ends with Q. Codes that begin with simdgroup work on 64-bit simdgroup-uniform slots.
type UniformOp struct {
	Code      UniformCode
	WithB     bool       // of a simdgroup operation: B is a uniform register
	D, A, B   int32      // uniform registers or slots
	Numbering *Numbering // of SimdgroupNumber
}

// UniformCode says what an operation of the bytecode does.
type UniformCode uint8

const (
	NoUniformOp UniformCode = iota
	scalarAdd
	scalarSub
	scalarMul
	scalarAnd
	scalarOr
	scalarXor
	scalarShl
	scalarLShr
	scalarEq
	scalarNe
	scalarULt
	scalarULe
	scalarSLt
	scalarSLe
	ScalarNot
	ScalarCopy
	ScalarExtendU // to 64 bits
	ScalarExtendS
	scalarAddQ
	scalarSubQ
	scalarMulQ
	scalarShlQ
	scalarAddF // of f32
	scalarSubF
	scalarMulF
	scalarDivF
	SimdgroupAdd
	simdgroupSub
	SimdgroupMul
	simdgroupShl
	SimdgroupExtendU // extends the 32-bit lane of the leader
	SimdgroupExtendS
	SimdgroupTake   // takes the 64-bit lane of the leader
	SimdgroupNumber // computes element numbers of pointers
)

// ScalarCodes are the most common operations of two 32-bit registers with a 32-bit result.
var ScalarCodes = map[ir.Op]UniformCode{
	ir.Add: scalarAdd, ir.Sub: scalarSub, ir.Mul: scalarMul, ir.And: scalarAnd, ir.Or: scalarOr, ir.Xor: scalarXor,
	ir.Shl: scalarShl, ir.LShr: scalarLShr,
}

// ScalarCodesF are the operations on floats.
var ScalarCodesF = map[ir.Op]UniformCode{ir.Add: scalarAddF, ir.Sub: scalarSubF, ir.Mul: scalarMulF, ir.Div: scalarDivF}

// ScalarComparisons are the comparisons of integers.
var ScalarComparisons = map[ir.Op]UniformCode{
	ir.Eq: scalarEq, ir.Ne: scalarNe, ir.ULt: scalarULt, ir.ULe: scalarULe, ir.SLt: scalarSLt, ir.SLe: scalarSLe,
}

// ScalarCodesQ are the operations on 64-bit registers.
var ScalarCodesQ = map[ir.Op]UniformCode{
	ir.Add: scalarAddQ, ir.PtrAdd: scalarAddQ, ir.Sub: scalarSubQ, ir.PtrSub: scalarSubQ, ir.Mul: scalarMulQ,
	ir.Shl: scalarShlQ,
}

// Bytecode is operations one after the other.
type Bytecode []UniformOp

// Run executes the operations.
func (s Bytecode) Run(m *Machine) {
	r, q := m.Uni32, m.Uni64
	for i := range s {
		switch o := &s[i]; o.Code {
		case scalarAdd:
			r[o.D] = r[o.A] + r[o.B]
		case scalarSub:
			r[o.D] = r[o.A] - r[o.B]
		case scalarMul:
			r[o.D] = r[o.A] * r[o.B]
		case scalarAnd:
			r[o.D] = r[o.A] & r[o.B]
		case scalarOr:
			r[o.D] = r[o.A] | r[o.B]
		case scalarXor:
			r[o.D] = r[o.A] ^ r[o.B]
		case scalarShl:
			r[o.D] = r[o.A] << (r[o.B] & 31)
		case scalarLShr:
			r[o.D] = r[o.A] >> (r[o.B] & 31)
		case scalarEq:
			r[o.D] = Lane(r[o.A] == r[o.B])
		case scalarNe:
			r[o.D] = Lane(r[o.A] != r[o.B])
		case scalarULt:
			r[o.D] = Lane(r[o.A] < r[o.B])
		case scalarULe:
			r[o.D] = Lane(r[o.A] <= r[o.B])
		case scalarSLt:
			r[o.D] = Lane(int32(r[o.A]) < int32(r[o.B]))
		case scalarSLe:
			r[o.D] = Lane(int32(r[o.A]) <= int32(r[o.B]))
		case ScalarNot:
			r[o.D] = ^r[o.A]
		case ScalarCopy:
			r[o.D] = r[o.A]
		case ScalarExtendU:
			q[o.D] = uint64(r[o.A])
		case ScalarExtendS:
			q[o.D] = uint64(int32(r[o.A]))
		case scalarAddQ:
			q[o.D] = q[o.A] + q[o.B]
		case scalarSubQ:
			q[o.D] = q[o.A] - q[o.B]
		case scalarMulQ:
			q[o.D] = q[o.A] * q[o.B]
		case scalarShlQ:
			q[o.D] = q[o.A] << (q[o.B] & 63)
		case scalarAddF:
			r[o.D] = F32bits(F32frombits(r[o.A]) + F32frombits(r[o.B]))
		case scalarSubF:
			r[o.D] = F32bits(F32frombits(r[o.A]) - F32frombits(r[o.B]))
		case scalarMulF:
			r[o.D] = F32bits(F32frombits(r[o.A]) * F32frombits(r[o.B]))
		case scalarDivF:
			r[o.D] = F32bits(F32frombits(r[o.A]) / F32frombits(r[o.B]))
		case SimdgroupNumber:
			o.number(m)
		case SimdgroupExtendU, SimdgroupExtendS, SimdgroupTake:
			o.take(m)
		default:
			o.compute(m)
		}
	}
}
