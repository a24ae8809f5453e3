package scalar

import (
	"math/bits"
	"unsafe"
)

// Integer is any integer type of MSL.
type Integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// width is the number of bits of T.
func width[T Integer]() uint { return uint(unsafe.Sizeof(T(0))) * 8 }

func isSigned[T Integer]() bool { return ^T(0) < 0 }

// limits returns the smallest and the largest value of T.
func limits[T Integer]() (low, high T) {
	if isSigned[T]() {
		low = T(1) << (width[T]() - 1)
	}
	return low, ^low
}

// zeroExtended returns the bits of x below zeros.
func zeroExtended[T Integer](x T) uint64 { return uint64(x) & (1<<width[T]() - 1) }

// Quotient returns x/y truncated. MSL leaves x/0 and the smallest number
// divided by -1 unspecified; here x/0 is 0 and the other wraps.
func Quotient[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x / y
}

// Remainder returns x - y·(x/y), with the sign of x. MSL leaves x%0 and negative
// operands undefined; here x%0 is 0.
func Remainder[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x % y
}

// Abs returns |x|; the smallest number wraps to itself.
func Abs[T Integer](x T) T {
	if x < 0 {
		return -x
	}
	return x
}

// AbsDiff returns |x - y| modulo 2^width: as an unsigned number it never
// overflows.
func AbsDiff[T Integer](x, y T) T { return max(x, y) - min(x, y) }

// AddSat returns x + y, or the limit of T that it passes.
func AddSat[T Integer](x, y T) T {
	low, high := limits[T]()
	switch s := x + y; {
	case y >= 0 && s < x:
		return high
	case y < 0 && s > x:
		return low
	default:
		return s
	}
}

// SubSat returns x - y, or the limit of T that it passes.
func SubSat[T Integer](x, y T) T {
	low, high := limits[T]()
	switch d := x - y; {
	case y >= 0 && d > x:
		return low
	case y < 0 && d < x:
		return high
	default:
		return d
	}
}

// HAdd returns (x + y) >> 1 without overflow of the sum.
func HAdd[T Integer](x, y T) T { return x&y + (x^y)>>1 }

// RHAdd returns (x + y + 1) >> 1 without overflow of the sum.
func RHAdd[T Integer](x, y T) T { return x | y - (x^y)>>1 }

// MulHi returns the upper half of the product of twice the width.
func MulHi[T Integer](x, y T) T {
	n := width[T]()
	if n < 64 {
		return T(int64(x) * int64(y) >> n) // |x·y| < 2⁶⁴, and ≥ 2⁶³ only unsigned: the bits are right
	}
	high, _ := bits.Mul64(uint64(x), uint64(y))
	if isSigned[T]() {
		if x < 0 {
			high -= uint64(y)
		}
		if y < 0 {
			high -= uint64(x)
		}
	}
	return T(high)
}

// MadHi returns mulhi(x, y) + z.
func MadHi[T Integer](x, y, z T) T { return MulHi(x, y) + z }

// MadSat returns x·y + z, or the limit of T that it passes.
func MadSat[T Integer](x, y, z T) T {
	if isSigned[T]() {
		return madSatSigned(x, y, z)
	}
	_, top := limits[T]()
	high, low := bits.Mul64(uint64(x), uint64(y))
	low, carry := bits.Add64(low, uint64(z), 0)
	if high+carry != 0 || low > uint64(top) {
		return top
	}
	return T(low)
}

// madSatSigned forms x·y + z in 128 bits of two's complement.
func madSatSigned[T Integer](x, y, z T) T {
	bottom, top := limits[T]()
	a, b, c := int64(x), int64(y), int64(z)
	high, low := uint64(MulHi(a, b)), uint64(a)*uint64(b)
	low, carry := bits.Add64(low, uint64(c), 0)
	high += uint64(c>>63) + carry
	switch {
	case int64(high) < 0 && (int64(high) < -1 || int64(low) >= 0 || int64(low) < int64(bottom)):
		return bottom
	case int64(high) >= 0 && (high > 0 || low > uint64(top)):
		return top
	}
	return T(low)
}

// Mul24 returns the low 32 bits of the product of the low 24 bits of x and y. MSL
// has it for 32 bits and leaves numbers undefined that do not fit in 24.
func Mul24[T Integer](x, y T) T {
	n := width[T]() - 24
	return (x << n >> n) * (y << n >> n)
}

// Mad24 returns mul24(x, y) + z.
func Mad24[T Integer](x, y, z T) T { return Mul24(x, y) + z }

// Clz returns the number of leading zero bits, the width for zero.
func Clz[T Integer](x T) T {
	return T(uint(bits.LeadingZeros64(zeroExtended(x))) - (64 - width[T]()))
}

// Ctz returns the number of trailing zero bits, the width for zero.
func Ctz[T Integer](x T) T {
	return T(min(uint(bits.TrailingZeros64(zeroExtended(x))), width[T]()))
}

// Popcount returns the number of bits set.
func Popcount[T Integer](x T) T { return T(bits.OnesCount64(zeroExtended(x))) }

// ReverseBits returns x with its bits in reverse order.
func ReverseBits[T Integer](x T) T {
	return T(bits.Reverse64(zeroExtended(x)) >> (64 - width[T]()))
}

// Rotate returns x with its bits rotated left by n modulo the width.
func Rotate[T Integer](x, n T) T {
	u, w := zeroExtended(x), uint64(width[T]())
	k := uint64(n) % w
	return T(u<<k | u>>(w-k))
}

// ExtractBits returns the count bits of x from offset on, extended by the last of
// them if T is signed and by zeros if not; 0 for count = 0. MSL leaves
// offset + count > width undefined: here the bits past the end of x are missing
// and the field ends there.
func ExtractBits[T Integer](x T, offset, count uint32) T {
	w := uint32(width[T]())
	offset = min(offset, w)
	count = min(count, w-offset)
	if count == 0 {
		return 0
	}
	return x << (w - offset - count) >> (w - count)
}

// InsertBits returns base with its count bits from offset on replaced by the low
// bits of insert. MSL leaves offset + count > width undefined: here the field
// ends with base.
func InsertBits[T Integer](base, insert T, offset, count uint32) T {
	w := uint32(width[T]())
	offset = min(offset, w)
	count = min(count, w-offset)
	mask := T((uint64(1)<<count - 1) << offset)
	return base&^mask | insert<<offset&mask
}
