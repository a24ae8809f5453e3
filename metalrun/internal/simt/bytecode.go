package simt

import "metalconform/metalrun/internal/ir"

// What all threads of a threadgroup have in common takes one operation, and what the threads of a simdgroup have in
// common takes a few. Calling a function would take longer than that. So such operations are a bytecode, and one loop
// runs all that follow each other (superinstruction).

// uniformOp is an operation of the bytecode. Those whose codes begin with scalar work on uniform registers, of 64 bits
// if the name ends with Q. Those whose codes begin with head work on 64-bit slots with one value for each simdgroup.
type uniformOp struct {
	code      uniformCode
	withB     bool       // of a head operation: b is a uniform register
	d, a, b   int32      // uniform registers or slots
	numbering *numbering // of headNumber
}

type uniformCode uint8

const (
	noUniformOp uniformCode = iota
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
	scalarNot
	scalarCopy
	scalarExtendU // to 64 bits
	scalarExtendS
	scalarAddQ
	scalarSubQ
	scalarMulQ
	scalarShlQ
	scalarAddF // of f32
	scalarSubF
	scalarMulF
	scalarDivF
	headAdd
	headSub
	headMul
	headShl
	headExtendU // 32-bit lanes, of the first active one
	headExtendS
	headTake   // 64-bit lanes, of the first active one
	headNumber // of the elements that pointers point to
)

// scalarCodes are the operations of two registers that kernels have most, and their results are such as well.
var scalarCodes = map[ir.Op]uniformCode{
	ir.Add: scalarAdd, ir.Sub: scalarSub, ir.Mul: scalarMul, ir.And: scalarAnd, ir.Or: scalarOr, ir.Xor: scalarXor,
	ir.Shl: scalarShl, ir.LShr: scalarLShr,
}

// scalarCodesF are those of floats.
var scalarCodesF = map[ir.Op]uniformCode{ir.Add: scalarAddF, ir.Sub: scalarSubF, ir.Mul: scalarMulF, ir.Div: scalarDivF}

// scalarComparisons are those of integers.
var scalarComparisons = map[ir.Op]uniformCode{
	ir.Eq: scalarEq, ir.Ne: scalarNe, ir.ULt: scalarULt, ir.ULe: scalarULe, ir.SLt: scalarSLt, ir.SLe: scalarSLe,
}

// scalarCodesQ are those of 64 bits.
var scalarCodesQ = map[ir.Op]uniformCode{
	ir.Add: scalarAddQ, ir.PtrAdd: scalarAddQ, ir.Sub: scalarSubQ, ir.PtrSub: scalarSubQ, ir.Mul: scalarMulQ,
	ir.Shl: scalarShlQ,
}

// scalar emits an operation that sets uniform register d, which has as many arguments as there are: one or two.
func (c *compiler) scalar(code uniformCode, d ir.Reg, args ...ir.Reg) {
	c.protect(d)
	op := uniformOp{code: code, d: int32(c.define(d).index)}
	op.a = int32(c.read(args[0]).index)
	if len(args) > 1 {
		op.b = int32(c.read(args[1]).index)
	}
	c.emit(instr{uniform: op, do: bytecode{op}.run})
}

// bytecode is operations one after the other.
type bytecode []uniformOp

func (s bytecode) run(m *machine) {
	r, q := m.uni32, m.uni64
	for i := range s {
		switch o := &s[i]; o.code {
		case scalarAdd:
			r[o.d] = r[o.a] + r[o.b]
		case scalarSub:
			r[o.d] = r[o.a] - r[o.b]
		case scalarMul:
			r[o.d] = r[o.a] * r[o.b]
		case scalarAnd:
			r[o.d] = r[o.a] & r[o.b]
		case scalarOr:
			r[o.d] = r[o.a] | r[o.b]
		case scalarXor:
			r[o.d] = r[o.a] ^ r[o.b]
		case scalarShl:
			r[o.d] = r[o.a] << (r[o.b] & 31)
		case scalarLShr:
			r[o.d] = r[o.a] >> (r[o.b] & 31)
		case scalarEq:
			r[o.d] = lane(r[o.a] == r[o.b])
		case scalarNe:
			r[o.d] = lane(r[o.a] != r[o.b])
		case scalarULt:
			r[o.d] = lane(r[o.a] < r[o.b])
		case scalarULe:
			r[o.d] = lane(r[o.a] <= r[o.b])
		case scalarSLt:
			r[o.d] = lane(int32(r[o.a]) < int32(r[o.b]))
		case scalarSLe:
			r[o.d] = lane(int32(r[o.a]) <= int32(r[o.b]))
		case scalarNot:
			r[o.d] = ^r[o.a]
		case scalarCopy:
			r[o.d] = r[o.a]
		case scalarExtendU:
			q[o.d] = uint64(r[o.a])
		case scalarExtendS:
			q[o.d] = uint64(int32(r[o.a]))
		case scalarAddQ:
			q[o.d] = q[o.a] + q[o.b]
		case scalarSubQ:
			q[o.d] = q[o.a] - q[o.b]
		case scalarMulQ:
			q[o.d] = q[o.a] * q[o.b]
		case scalarShlQ:
			q[o.d] = q[o.a] << (q[o.b] & 63)
		case scalarAddF:
			r[o.d] = f32bits(f32frombits(r[o.a]) + f32frombits(r[o.b]))
		case scalarSubF:
			r[o.d] = f32bits(f32frombits(r[o.a]) - f32frombits(r[o.b]))
		case scalarMulF:
			r[o.d] = f32bits(f32frombits(r[o.a]) * f32frombits(r[o.b]))
		case scalarDivF:
			r[o.d] = f32bits(f32frombits(r[o.a]) / f32frombits(r[o.b]))
		case headNumber:
			o.number(m)
		case headExtendU, headExtendS, headTake:
			o.take(m)
		default:
			o.compute(m)
		}
	}
}
