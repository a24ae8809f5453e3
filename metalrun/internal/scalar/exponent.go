package scalar

import "math"

// Functions of the exponent, the significand or the neighbours of a number.

// Exponents that Ilogb returns where there is none.
const (
	IlogbZero     = math.MinInt32 // of zero
	IlogbInfinite = math.MaxInt32 // of the infinities and NaN
)

// Ilogb returns ⌊log2 |x|⌋, of subnormal numbers too.
func Ilogb(x float32) int32 {
	switch a := math.Abs(float64(x)); {
	case a == 0:
		return IlogbZero
	case !(a <= math.MaxFloat32):
		return IlogbInfinite
	default: // no float32 is subnormal in float64
		return int32(math.Float64bits(a)>>52) - 1023
	}
}

// Frexp returns m in [1/2, 1) with the sign of x, and e, so that x = m·2^e.
// Zero, the infinities and NaN are returned with e = 0.
func Frexp(x float32) (m float32, e int32) {
	if a := math.Abs(float64(x)); a == 0 || !(a <= math.MaxFloat32) {
		return x, 0
	}
	e = Ilogb(x) + 1
	return float32(float64(x) * power(-e)), e
}

// Ldexp returns x·2ⁿ rounded once to the format. Beyond ±300 every finite x has
// gone to zero or infinity, and up to there float64 holds the product exactly.
func (f Format) Ldexp(x float32, n int32) float32 {
	return f.Round(float64(x) * power(min(max(n, -300), 300)))
}

// power is 2ⁿ for |n| ≤ 1022.
func power(n int32) float64 { return math.Float64frombits(uint64(1023+n) << 52) }

// nextafter returns the neighbour of x on the side of y, or y if they are equal.
func (f Format) nextafter(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return quietNaN
	case x == y:
		return y
	case x == 0:
		return f.FromBits(uint32(math.Float32bits(y)>>31)<<(8*f.Size()-1) | 1)
	}
	b := f.Bits(x)
	if (x < y) == (x > 0) {
		return f.FromBits(b + 1)
	}
	return f.FromBits(b - 1)
}

// Fmod returns x - y·trunc(x/y), exactly, with the sign of x: NaN for infinite x
// or zero y.
func Fmod(x, y float32) float32 {
	a, b := math.Abs(float64(x)), math.Abs(float64(y))
	switch {
	case !(a <= math.MaxFloat32) || b == 0 || b != b:
		return quietNaN
	case a < b:
		return x
	}
	m, e := significand(a)
	n, g := significand(b)
	m %= n
	for k := e - g; k > 0 && m != 0; k -= 39 { // m < 2²⁴ may grow by 39 bits
		m = m << min(k, 39) % n
	}
	return float32(math.Copysign(float64(m)*power(g), float64(x)))
}

// significand splits a positive finite float32 into an integer of 24 bits, its
// first bit set, and an exponent.
func significand(a float64) (m uint64, e int32) {
	u := math.Float64bits(a)
	return u<<12>>41 | 1<<23, int32(u>>52) - 1023 - 23
}
