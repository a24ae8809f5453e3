package scalar

import "math"

// Format is a floating-point format of the language. Values of every format
// are held as float32.
type Format uint8

const (
	F32    Format = iota // float: 24 significant bits
	Half                 // half: 11 significant bits, largest 65504, smallest 2⁻²⁴
	Bfloat               // bfloat: 8 significant bits, the exponents of float
)

// quietNaN is the NaN that functions of this package make.
var quietNaN = math.Float32frombits(0x7fc00000)

// Round returns x rounded once to the format, ties to even, with gradual
// underflow and overflow to infinity. A NaN becomes the canonical one.
func (f Format) Round(x float64) float32 {
	switch {
	case x != x:
		return quietNaN
	case f == Half:
		return roundHalf64(x)
	case f == Bfloat:
		return roundBfloat64(x)
	}
	return float32(x)
}

// Truncate returns x, normal in the format, rounded toward zero.
func (f Format) Truncate(x float64) float32 {
	y := f.Round(x)
	if math.Abs(float64(y)) > math.Abs(x) {
		return math.Float32frombits(math.Float32bits(y) - f.step())
	}
	return y
}

// Narrow returns x rounded to the format; in F32 that is x itself.
func (f Format) Narrow(x float32) float32 {
	switch f {
	case Half:
		return RoundHalf(x)
	case Bfloat:
		return RoundBfloat(x)
	}
	return x
}

// Size is the number of bytes of a value in memory.
func (f Format) Size() int {
	if f == F32 {
		return 4
	}
	return 2
}

// Bits returns the representation of x, rounded to the format, in the low bits.
func (f Format) Bits(x float32) uint32 {
	switch f {
	case Half:
		return uint32(HalfBits(x))
	case Bfloat:
		return uint32(BfloatBits(x))
	}
	return math.Float32bits(x)
}

// FromBits returns the value whose representation is in the low bits of b.
func (f Format) FromBits(b uint32) float32 {
	switch f {
	case Half:
		return FromHalfBits(uint16(b))
	case Bfloat:
		return FromBfloatBits(uint16(b))
	}
	return math.Float32frombits(b)
}

// step is the distance from x to the next value of the format in units of
// float32 bits, for values that are normal in the format.
func (f Format) step() uint32 {
	switch f {
	case Half:
		return 1 << 13
	case Bfloat:
		return 1 << 16
	}
	return 1
}

// belowOne is the largest value of the format that is less than 1.
func (f Format) belowOne() float32 {
	return math.Float32frombits(0x3f800000 - f.step())
}

// Flush returns x, or a zero of the same sign when x is subnormal in the format.
func (f Format) Flush(x float32) float32 {
	if f == Half && x < 0x1p-14 && x > -0x1p-14 {
		return math.Float32frombits(math.Float32bits(x) & 0x80000000)
	}
	return FlushF32(x)
}

// FlushF32 returns x, or a zero of the same sign when x is subnormal. It serves
// F32 and Bfloat, which share their smallest normal value.
func FlushF32(x float32) float32 {
	if u := math.Float32bits(x); u&0x7f800000 == 0 {
		return math.Float32frombits(u & 0x80000000)
	}
	return x
}
