package machine

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// F32bits is the bits of a float.
func F32bits(x float32) uint32 { return math.Float32bits(x) }

// F32frombits is the float with some bits.
func F32frombits(u uint32) float32 { return math.Float32frombits(u) }

// IntOf is the integer type of a scalar, and whether it is one.
func IntOf(s ir.Scalar) (t scalar.Int, ok bool) {
	switch s {
	case ir.S8, ir.S16, ir.S32, ir.S64:
		return scalar.Int{Bits: uint8(8 * s.Size()), Signed: true}, true
	case ir.U8, ir.U16, ir.U32, ir.U64, ir.P64:
		return scalar.Int{Bits: uint8(8 * s.Size())}, true
	}
	return scalar.Int{}, false
}

// Element is a lane value of either width: integers canonical in 64 bits
// or in the low 32, floats as f32 bits, a bool 0 or ^0 in the low 32.
type Element = uint64

// Conversion converts one element.
func Conversion(from, to ir.Scalar) func(v Element) Element {
	in, fromInt := IntOf(from)
	out, toInt := IntOf(to)
	format := to.Type().Format()
	switch {
	case to == ir.B8 && from == ir.B8:
		return func(v Element) Element { return v }
	case to == ir.B8 && fromInt:
		return func(v Element) Element { return Element(Lane(in.Canonical(v) != 0)) }
	case to == ir.B8:
		return func(v Element) Element { return Element(Lane(F32frombits(uint32(v)) != 0)) }
	case from == ir.B8 && toInt:
		return func(v Element) Element { return v & 1 }
	case from == ir.B8:
		return func(v Element) Element { return Element(F32bits(float32(v & 1))) }
	case fromInt && toInt:
		return func(v Element) Element { return out.Canonical(in.Canonical(v)) }
	case fromInt:
		return func(v Element) Element { return Element(F32bits(format.FromInteger(in, in.Canonical(v)))) }
	case toInt:
		return func(v Element) Element { return out.Truncate(F32frombits(uint32(v))) }
	}
	return func(v Element) Element { return Element(F32bits(format.Narrow(F32frombits(uint32(v))))) }
}

// SameLanes reports whether a conversion leaves 32-bit lanes as they are.
func SameLanes(from, to ir.Scalar) bool {
	return to == ir.R32 && from.Type().IsFloat() && from != ir.R32 ||
		to == from && to.Type() != ir.I64 && to.Type() != ir.Ptr ||
		from.Type() == ir.I32 && (to == ir.S32 || to == ir.U32)
}

// HotConversion is the table's loop for a conversion of inner loops, or nil.
func HotConversion(t *lanes.Table, from, to ir.Scalar) lanes.Unary {
	switch {
	case to == ir.R32 && from == ir.U32:
		return t.FromU32
	case to == ir.R32 && from.Type() == ir.I32:
		return t.FromI32
	case from.Type().IsFloat() && to == ir.H16:
		return t.RoundHalf
	case from.Type().IsFloat() && to == ir.T16:
		return t.RoundBfloat
	case from.Type().IsFloat() && to == ir.S32:
		return t.ToI32
	case from.Type().IsFloat() && to == ir.U32:
		return t.ToU32
	case from.Type() == ir.I32 && (to == ir.U8 || to == ir.U16):
		return func(d, a []uint32) { t.And.VS(d, a, 1<<(8*to.Size())-1) }
	case from.Type() == ir.I32 && (to == ir.S8 || to == ir.S16):
		return func(d, a []uint32) {
			t.Shl.VS(d, a, uint32(32-8*to.Size()))
			t.AShr.VS(d, d, uint32(32-8*to.Size()))
		}
	}
	return nil
}

// Canonical is a loop that gives 16 bits, extended as the integer type to asks for.
func Canonical(t *lanes.Table, to ir.Scalar, loop lanes.Unary) lanes.Unary {
	if to != ir.S16 {
		return loop
	}
	return func(d, a []uint32) {
		loop(d, a)
		t.Shl.VS(d, d, 16)
		t.AShr.VS(d, d, 16)
	}
}
