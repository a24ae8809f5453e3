package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// IntegerLoop is the table's loop for an operation, or nil.
func IntegerLoop(t *lanes.Table, o ir.Op) *lanes.Binary {
	switch o {
	case ir.Add:
		return &t.AddI
	case ir.Sub:
		return &t.SubI
	case ir.Mul:
		return &t.MulI
	case ir.And:
		return &t.And
	case ir.Or:
		return &t.Or
	case ir.Xor:
		return &t.Xor
	case ir.Shl:
		return &t.Shl
	case ir.LShr:
		return &t.LShr
	case ir.AShr:
		return &t.AShr
	}
	return nil
}

// Division is the loop of a division of 32-bit integers.
func Division(in *ir.Instr) func(d, a, b []uint32) {
	switch in.Op {
	case ir.SDiv:
		return eachI(scalar.Quotient[int32])
	case ir.SRem:
		return eachI(scalar.Remainder[int32])
	case ir.UDiv:
		return eachI(scalar.Quotient[uint32])
	case ir.URem:
		return eachI(scalar.Remainder[uint32])
	}
	panic(Unknown(in))
}

func eachI[T int32 | uint32](f func(a, b T) T) func(d, a, b []uint32) {
	return func(d, a, b []uint32) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = uint32(f(T(a[i]), T(b[i])))
		}
	}
}

// Integer64Loop is the table's loop for an operation, or nil.
func Integer64Loop(t *lanes.Table, o ir.Op) *lanes.BinaryQ {
	switch o {
	case ir.Add, ir.PtrAdd:
		return &t.AddQ
	case ir.Sub, ir.PtrSub:
		return &t.SubQ
	case ir.Mul:
		return &t.MulQ
	case ir.And:
		return &t.AndQ
	case ir.Or:
		return &t.OrQ
	case ir.Xor:
		return &t.XorQ
	case ir.Shl:
		return &t.ShlQ
	case ir.LShr:
		return &t.LShrQ
	case ir.AShr:
		return &t.AShrQ
	}
	return nil
}

// Integer64Func is an operation that no table has.
func Integer64Func(in *ir.Instr) func(a, b uint64) uint64 {
	switch in.Op {
	case ir.Neg:
		return func(a, _ uint64) uint64 { return -a }
	case ir.Not:
		return func(a, _ uint64) uint64 { return ^a }
	}
	return Quotient64(in)
}

// Quotient64 is a division or remainder.
func Quotient64(in *ir.Instr) func(a, b uint64) uint64 {
	switch in.Op {
	case ir.SDiv:
		return func(a, b uint64) uint64 { return uint64(scalar.Quotient(int64(a), int64(b))) }
	case ir.SRem:
		return func(a, b uint64) uint64 { return uint64(scalar.Remainder(int64(a), int64(b))) }
	case ir.UDiv:
		return scalar.Quotient[uint64]
	case ir.URem:
		return scalar.Remainder[uint64]
	}
	panic(Unknown(in))
}

// Comparison is the table's loop for a comparison of floats or of integers.
func Comparison(t *lanes.Table, in *ir.Instr, float bool) *lanes.Binary {
	switch {
	case in.Op == ir.Eq && float:
		return &t.EqF
	case in.Op == ir.Ne && float:
		return &t.NeF
	case in.Op == ir.FLt:
		return &t.LtF
	case in.Op == ir.FLe:
		return &t.LeF
	case in.Op == ir.Eq:
		return &t.EqI
	case in.Op == ir.Ne:
		return &t.NeI
	case in.Op == ir.SLt:
		return &t.LtS
	case in.Op == ir.SLe:
		return &t.LeS
	case in.Op == ir.ULt:
		return &t.LtU
	case in.Op == ir.ULe:
		return &t.LeU
	}
	panic(Unknown(in))
}

// Compare64 is a comparison of 64-bit integers.
func Compare64(in *ir.Instr) func(a, b uint64) bool {
	switch in.Op {
	case ir.Eq:
		return func(a, b uint64) bool { return a == b }
	case ir.Ne:
		return func(a, b uint64) bool { return a != b }
	case ir.SLt:
		return func(a, b uint64) bool { return int64(a) < int64(b) }
	case ir.SLe:
		return func(a, b uint64) bool { return int64(a) <= int64(b) }
	case ir.ULt:
		return func(a, b uint64) bool { return a < b }
	case ir.ULe:
		return func(a, b uint64) bool { return a <= b }
	}
	panic(Unknown(in))
}
