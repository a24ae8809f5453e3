package machine

import "metalconform/metalrun/internal/ir"

// What all threads of a threadgroup have in common takes one operation, and what the threads of a simdgroup have in
// common takes a few. Calling a function would take longer than that. So such operations are a bytecode, and one loop
// runs all that follow each other (superinstruction).

// UniformOp is an operation of the bytecode. Those whose codes begin with scalar work on uniform registers, of 64 bits
// if the name ends with Q. Those whose codes begin with head work on 64-bit slots with one value for each simdgroup.
type UniformOp struct {
	Code      UniformCode
	WithB     bool       // of a head operation: b is a uniform register
	D, A, B   int32      // uniform registers or slots
	Numbering *Numbering // of headNumber
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
	SimdgroupExtendU // 32-bit lanes, of the first active one
	SimdgroupExtendS
	SimdgroupTake   // 64-bit lanes, of the first active one
	SimdgroupNumber // of the elements that pointers point to
)

// ScalarCodes are the operations of two registers that kernels have most, and their results are such as well.
var ScalarCodes = map[ir.Op]UniformCode{
	ir.Add: scalarAdd, ir.Sub: scalarSub, ir.Mul: scalarMul, ir.And: scalarAnd, ir.Or: scalarOr, ir.Xor: scalarXor,
	ir.Shl: scalarShl, ir.LShr: scalarLShr,
}

// ScalarCodesF are those of floats.
var ScalarCodesF = map[ir.Op]UniformCode{ir.Add: scalarAddF, ir.Sub: scalarSubF, ir.Mul: scalarMulF, ir.Div: scalarDivF}

// ScalarComparisons are those of integers.
var ScalarComparisons = map[ir.Op]UniformCode{
	ir.Eq: scalarEq, ir.Ne: scalarNe, ir.ULt: scalarULt, ir.ULe: scalarULe, ir.SLt: scalarSLt, ir.SLe: scalarSLe,
}

// ScalarCodesQ are those of 64 bits.
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
