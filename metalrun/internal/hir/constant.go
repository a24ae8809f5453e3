package hir

import "metalconform/metalrun/internal/scalar"

// BytesOf is a scalar or pointer in memory.
func BytesOf(bits uint64, t Type) []byte {
	data := make([]byte, t.Size())
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return data
}

// BitsOf reads a scalar of type t from memory into the form of [Const].
func BitsOf(data []byte, t Type) uint64 {
	var bits uint64
	for i := t.Size() - 1; i >= 0; i-- {
		bits = bits<<8 | uint64(data[i])
	}
	k := ScalarKind(t)
	if k.IsSigned() {
		shift := 64 - 8*uint(t.Size())
		bits = uint64(int64(bits<<shift) >> shift)
	}
	return bits
}

// BoolBits is a bool in the form of [Const].
func BoolBits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// FormatOf is the format of a floating kind.
func FormatOf(k Kind) scalar.Format {
	switch k {
	case Half:
		return scalar.Half
	case BFloat:
		return scalar.Bfloat
	}
	return scalar.F32
}

// RoundBits rounds x once to the floating kind k.
func RoundBits(k Kind, x float64) uint64 {
	f := FormatOf(k)
	return uint64(f.Bits(f.Round(x)))
}

// FloatValue is the value of a floating kind.
func FloatValue(k Kind, bits uint64) float64 { return float64(FormatOf(k).FromBits(uint32(bits))) }
