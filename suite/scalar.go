package suite

import (
	"encoding/binary"
	"fmt"
	"math"

	"metalconform/oracles"
)

// Scalars are the scalars that an argument passes by setBytes.
func (a Arg) Scalars() []Field {
	switch a.Role {
	case RoleConst:
		return []Field{{Name: a.Name, Type: a.Type, Value: a.Value}}
	case RoleParams:
		return a.Fields
	}
	return nil
}

// ValueIn is the value of the scalar in launch l of a run at shape s, not yet
// rounded to its type.
func (f Field) ValueIn(s Shape, l Launch) float64 {
	x, ok := l.Set[f.Name]
	switch {
	case ok:
	case f.Value == nil:
		panic(fmt.Sprintf("suite: scalar %q has no value and the launch sets none", f.Name))
	default:
		x = f.Value.Value(s.With(l.Shape))
	}
	if _, float := f.Type.Format(); !float && !f.Type.Holds(math.RoundToEven(x)) {
		panic(f.outside(x))
	}
	return x
}

// outside is the mistake of a value that the scalar's type does not have, or that is no number of float64 for sure.
func (f Field) outside(x float64) Mistake {
	text := fmt.Sprintf("scalar %s is %.0f, which does not fit %s", f.Name, x, f.Type)
	if f.Type.Bytes() == 8 && math.Abs(x) > 1<<53 {
		text = fmt.Sprintf("scalar %s is about %.0f, and values beyond 2⁵³ are not exact: give its words as two "+
			"scalars of u32 in a struct, the low one first", f.Name, x)
	}
	return Mistake(text)
}

// inline is the argument's bytes in launch l, fields aligned to their size
// and the whole padded to the widest.
func (a Arg) inline(s Shape, l Launch) []byte {
	var b []byte
	widest := 1
	for _, f := range a.Scalars() {
		b = append(b, make([]byte, max(0, f.Offset-len(b)))...)
		b = pad(b, f.Type.Bytes())
		b = f.Type.append(b, f.ValueIn(s, l))
		widest = max(widest, f.Type.Bytes())
	}
	b = append(b, make([]byte, max(0, a.Bytes-len(b)))...)
	return pad(b, widest)
}

// size is the number of bytes of what setBytes passes.
func (a Arg) size() int {
	n, widest := 0, 1
	for _, f := range a.Scalars() {
		size := f.Type.Bytes()
		n = (max(n, f.Offset)+size-1)/size*size + size
		widest = max(widest, size)
	}
	return (max(n, a.Bytes) + widest - 1) / widest * widest
}

// pad extends b with zeros to a multiple of n.
func pad(b []byte, n int) []byte {
	for len(b)%n != 0 {
		b = append(b, 0)
	}
	return b
}

// Round is x as the type holds it. An integer outside the range of its type is
// a mistake in the specification.
func (t Type) Round(x float64) float64 {
	if f, ok := t.Format(); ok {
		return f.Round(x)
	}
	lo, hi := t.limits()
	if x = math.RoundToEven(x); !(lo <= x && x <= hi) {
		panic(fmt.Sprintf("suite: %v does not fit %s", x, t))
	}
	return x
}

// Holds reports whether an integer type has a number, and float64 has all integers up to it.
func (t Type) Holds(x float64) bool { return t.Fits(x) && math.Abs(x) < 1<<float64Width }

// Fits reports whether an integer type has a number.
func (t Type) Fits(x float64) bool {
	lo, hi := t.limits()
	return lo <= x && x <= hi && x == math.Trunc(x)
}

// limits are the smallest and the largest value of an integer type, as far as float64 has them.
func (t Type) limits() (lo, hi float64) {
	switch t {
	case Bool:
		return 0, 1
	case I8, I16, I32:
		half := float64(uint64(1) << (8*t.Bytes() - 1))
		return -half, half - 1
	case I64:
		return -0x1p63, 0x1p63 - 0x1p10
	case U64:
		return 0, 0x1p64 - 0x1p11
	}
	return 0, float64(uint64(1)<<(8*t.Bytes())) - 1
}

// encoded is the word of x, rounded to the type.
func (t Type) encoded(x float64) uint64 {
	switch f, ok := t.Format(); {
	case t == F32:
		return uint64(math.Float32bits(float32(x)))
	case ok:
		return uint64(f.Bits(x))
	}
	return integerWord(t.Round(x)) & (1<<(8*t.Bytes()) - 1)
}

// integerWord is an integer of 64 bits in two's complement.
func integerWord(x float64) uint64 {
	if x >= 0x1p63 {
		return uint64(x)
	}
	return uint64(int64(x))
}

// append encodes x, rounded to the type, in little-endian order.
func (t Type) append(b []byte, x float64) []byte {
	w := t.encoded(x)
	switch t.Bytes() {
	case 1:
		return append(b, byte(w))
	case 2:
		return binary.LittleEndian.AppendUint16(b, uint16(w))
	case 4:
		return binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return binary.LittleEndian.AppendUint64(b, w)
}

// word is element i of b, zero-extended.
func (t Type) word(b []byte, i int) uint64 {
	switch t.Bytes() {
	case 1:
		return uint64(b[i])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b[2*i:]))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return binary.LittleEndian.Uint64(b[8*i:])
}

// value is the number that a word of the type stands for.
func (t Type) value(w uint64) float64 {
	switch f, ok := t.Format(); {
	case t == F32:
		return float64(math.Float32frombits(uint32(w)))
	case ok:
		return oracles.Format.FromBits(f, uint32(w))
	case t == I8:
		return float64(int8(w))
	case t == I16:
		return float64(int16(w))
	case t == I32:
		return float64(int32(w))
	case t == I64:
		return float64(int64(w))
	}
	return float64(w)
}
