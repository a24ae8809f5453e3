package tensorfile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Type is an element type by its name in safetensors.
type Type string

// Element types. Raw8 to Raw64 are elements of which a file says no more than their size, as
// NumPy saves bfloat16 and most formats of 8 bits: [Array.As] says what they are.
const (
	Bool  Type = "BOOL"
	U8    Type = "U8"
	I8    Type = "I8"
	E5M2  Type = "F8_E5M2"
	E4M3  Type = "F8_E4M3" // without infinities, as most call e4m3fn
	E8M0  Type = "F8_E8M0" // powers of two
	U16   Type = "U16"
	I16   Type = "I16"
	F16   Type = "F16"
	BF16  Type = "BF16"
	U32   Type = "U32"
	I32   Type = "I32"
	F32   Type = "F32"
	U64   Type = "U64"
	I64   Type = "I64"
	F64   Type = "F64"
	Raw8  Type = "V1"
	Raw16 Type = "V2"
	Raw32 Type = "V4"
	Raw64 Type = "V8"
)

// elements are the sizes of elements in bytes, and the numbers that their bits stand for; nil
// where nobody knows.
var elements = map[Type]struct {
	size  int
	value func(bits uint64) float64
}{
	Bool: {1, func(b uint64) float64 { return float64(min(b, 1)) }},
	U8:   {1, unsigned}, U16: {2, unsigned}, U32: {4, unsigned}, U64: {8, unsigned},
	I8:  {1, func(b uint64) float64 { return float64(int8(b)) }},
	I16: {2, func(b uint64) float64 { return float64(int16(b)) }},
	I32: {4, func(b uint64) float64 { return float64(int32(b)) }},
	I64: {8, func(b uint64) float64 { return float64(int64(b)) }},

	E5M2: {1, func(b uint64) float64 { return small(b, 5, 2, true) }},
	E4M3: {1, func(b uint64) float64 { return small(b, 4, 3, false) }},
	E8M0: {1, func(b uint64) float64 {
		if b == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(b)-127)
	}},
	F16:  {2, func(b uint64) float64 { return small(b, 5, 10, true) }},
	BF16: {2, func(b uint64) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }},
	F32:  {4, func(b uint64) float64 { return float64(math.Float32frombits(uint32(b))) }},
	F64:  {8, math.Float64frombits},
	Raw8: {1, nil}, Raw16: {2, nil}, Raw32: {4, nil}, Raw64: {8, nil},
}

func unsigned(b uint64) float64 { return float64(b) }

// small is a number with an exponent and a fraction of so many bits after its sign. Where there
// are infinities, the largest exponent is theirs and NaN's; else only all ones are NaN.
func small(bits uint64, exponent, fraction int, infinities bool) float64 {
	last := 1<<exponent - 1
	bias := last >> 1
	e, f := int(bits>>fraction)&last, bits&(1<<fraction-1)
	var x float64
	switch {
	case e == last && infinities && f == 0:
		x = math.Inf(1)
	case e == last && (infinities || f == 1<<fraction-1):
		x = math.NaN()
	case e == 0:
		x = math.Ldexp(float64(f), 1-bias-fraction)
	default:
		x = math.Ldexp(float64(f|1<<fraction), e-bias-fraction)
	}
	if bits>>(exponent+fraction)&1 == 1 {
		return -x
	}
	return x
}

// Size is the size of an element in bytes; 0 of a type that is not known.
func (t Type) Size() int { return elements[t].size }

// Array is one array.
type Array struct {
	Type  Type
	Shape []int  // outermost first; none of a number
	Data  []byte // elements in row-major order, in little-endian
}

// Len is the number of elements.
func (a Array) Len() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// As is the array with its bits taken for another type of the same size.
func (a Array) As(t Type) (Array, error) {
	if t.Size() != a.Type.Size() || t.Size() == 0 {
		return a, fmt.Errorf("elements of %s have %d bytes, and of %s %d", a.Type, a.Type.Size(), t, t.Size())
	}
	a.Type = t
	return a, nil
}

// Bits are those of element i.
func (a Array) Bits(i int) uint64 {
	switch a.Type.Size() {
	case 1:
		return uint64(a.Data[i])
	case 2:
		return uint64(binary.LittleEndian.Uint16(a.Data[2*i:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(a.Data[4*i:]))
	}
	return binary.LittleEndian.Uint64(a.Data[8*i:])
}

// Values are the elements as numbers. Integers that float64 does not hold, and elements of which
// the file does not say what they are, are an error.
func (a Array) Values() ([]float64, error) {
	value := elements[a.Type].value
	if value == nil {
		return nil,
			fmt.Errorf("elements of %d bytes of which the file does not say what they are (NumPy saves bfloat16 so): "+
				"say the type", a.Type.Size())
	}
	values := make([]float64, a.Len())
	for i := range values {
		bits := a.Bits(i)
		values[i] = value(bits)
		if (a.Type == I64 || a.Type == U64) && math.Abs(values[i]) > 1<<53 {
			return nil, fmt.Errorf("element %d is %s, more than float64 holds exactly", i, whole(a.Type, bits))
		}
	}
	return values, nil
}

func whole(t Type, bits uint64) string {
	if t == I64 {
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}
