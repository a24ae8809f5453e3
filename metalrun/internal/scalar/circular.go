package scalar

import (
	"math"
	"math/bits"
)

// Reduction for sin, cos and tan: x = q·π/2 + r with |r| ≤ π/4 (a hair more).
//
// Below 2²⁰ q is an integer of 20 bits, and π/2 is three parts of 33, 33 and 53
// bits (Cody and Waite): the first product is exact, the first difference is
// exact by cancellation, the second is exact or rounded in its own size, and
// the third part is known to 2⁻¹²⁰. No float32 but zero lies closer to a multiple of π/2
// than 2⁻³⁰ or so, hence r is good to 2⁻⁵² relative to itself. Above 2²⁰ the fraction of
// x·2/π is computed in integers (Payne and Hanek).
//
// Error: 1 unit from r, 2 from the polynomial: below 4 units for sin and cos,
// 8 for tan.
const (
	twoOverPi64 = 0x1.45f306dc9c883p-1  // 2/π
	halfPiHigh  = 0x1.921fb544p0        // π/2, first 33 bits
	halfPiMid   = 0x1.0b4611a6p-34      // the next 33
	halfPiLow   = 0x1.3198a2e037073p-69 // the rest
	halfPi      = 0x1.921fb54442d18p0   // π/2
	pi          = 0x1.921fb54442d18p1   // π
	codyWaite   = 1 << 20
)

// Sin returns the sine of x; NaN at the infinities.
func Sin(x float32) float32 {
	y := sin64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.sin)
}

// Cos returns the cosine of x; NaN at the infinities.
func Cos(x float32) float32 {
	y := cos64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.cos)
}

// Tan returns the tangent of x; NaN at the infinities.
func Tan(x float32) float32 {
	y := tan64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.tan)
}

// Sinpi returns sin πx: ±0 with the sign of x at the integers.
func Sinpi(x float32) float32 {
	y := sinpi64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.sinpi)
}

// Cospi returns cos πx: +0 at odd multiples of 1/2.
func Cospi(x float32) float32 {
	y := cospi64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.cospi)
}

// Tanpi returns tan πx. As in C23, n+1/2 gives +Inf for even n and -Inf for odd
// n; at integers the zero has the sign of x if x is even and the other if odd.
func Tanpi(x float32) float32 {
	y := tanpi64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.tanpi)
}

func sin64(x float64) float64 {
	r, q := reduce(x)
	switch {
	case x == 0:
		return x
	case q&1 != 0:
		r = cosPoly(r)
	default:
		r = sinPoly(r)
	}
	return negateIf(q&2 != 0, r)
}

func cos64(x float64) float64 {
	r, q := reduce(x)
	if q&1 != 0 {
		r = sinPoly(r)
	} else {
		r = cosPoly(r)
	}
	return negateIf((q+1)&2 != 0, r)
}

func tan64(x float64) float64 {
	r, q := reduce(x)
	switch {
	case x == 0:
		return x
	case q&1 != 0:
		return -cosPoly(r) / sinPoly(r)
	}
	return sinPoly(r) / cosPoly(r)
}

func sinpi64(x float64) float64 {
	r, q := reducePi(x)
	switch {
	case r == 0 && q&1 == 0:
		return math.Copysign(0, x)
	case q&1 != 0:
		r = cosPoly(r)
	default:
		r = sinPoly(r)
	}
	return negateIf(q&2 != 0, r)
}

func cospi64(x float64) float64 {
	r, q := reducePi(x)
	switch {
	case r == 0 && q&1 != 0:
		return 0
	case q&1 != 0:
		r = sinPoly(r)
	default:
		r = cosPoly(r)
	}
	return negateIf((q+1)&2 != 0, r)
}

func tanpi64(x float64) float64 {
	r, q := reducePi(x)
	switch {
	case r != 0 && q&1 != 0:
		return -cosPoly(r) / sinPoly(r)
	case r != 0:
		return sinPoly(r) / cosPoly(r)
	case q&1 != 0:
		return negateIf(q&2 != 0, math.Inf(1))
	}
	return negateIf(q&2 != 0, math.Copysign(0, x))
}

func negateIf(c bool, x float64) float64 {
	if c {
		return -x
	}
	return x
}

// reduce returns r and q, modulo 4, with x = q·π/2 + r; r is NaN unless x is
// finite.
func reduce(x float64) (r float64, q uint64) {
	a := math.Abs(x)
	switch {
	case a < 0.78:
		return x, 0
	case a < codyWaite:
		t := mulAdd(x, twoOverPi64, toInteger)
		k := t - toInteger
		r = x - float64(k*halfPiHigh) - float64(k*halfPiMid) - float64(k*halfPiLow)
		return r, math.Float64bits(t)
	case a <= math.MaxFloat32:
		return reduceLarge(x)
	}
	return math.NaN(), 0
}

// reduceLarge is reduce for codyWaite ≤ |x| < 2¹²⁸, x of at most 24 bits. With
// |x| = m·2^e, m < 2²⁴, and the bits b of 2/(256π), bit j of which counts
// m·2^(e+8-j), the bits up to j = e+6 contribute multiples of 4 to x·2/π and are
// skipped. The following 192 bits times m, modulo 1, are x·2/π modulo 4 as a
// fraction of 4; what is cut off counts less than 2⁻¹⁶⁶. Of the product the upper 128
// bits are kept: two for q, the rest for r, of which 30 or so may cancel.
func reduceLarge(x float64) (r float64, q uint64) {
	u := math.Float64bits(x)
	m := u<<12>>12>>29 | 1<<23
	e := int(u>>52&0x7ff) - 1023 - 23
	at, by := (e+6)/64, uint(e+6)%64
	word := func(i int) uint64 { return twoOverPi[at+i]<<by | twoOverPi[at+i+1]>>(64-by) }
	carry, _ := bits.Mul64(m, word(2))
	mid, low := bits.Mul64(m, word(1))
	low, c := bits.Add64(low, carry, 0)
	high := m*word(0) + mid + c

	q = high >> 62
	high, low = high<<2|low>>62, low<<2
	negative := high>>63 != 0 // past the half: nearer to the next multiple
	if negative {
		q++
		low, c = bits.Sub64(0, low, 0)
		high, _ = bits.Sub64(0, high, c)
	}
	zeros := bits.LeadingZeros64(high)
	high = high<<zeros | low>>(64-zeros)
	scale := math.Float64frombits(uint64(1023-53-zeros) << 52)
	r = float64(high>>11) * scale * halfPi
	if x < 0 {
		return negateIf(!negative, r), -q
	}
	return negateIf(negative, r), q
}

// reducePi returns π·f and q, modulo 4, with x = q/2 + f and |f| ≤ 1/4, both
// exact except for the product with π. It is NaN unless x is finite.
func reducePi(x float64) (r float64, q uint64) {
	if !(math.Abs(x) <= math.MaxFloat32) {
		return math.NaN(), 0
	}
	if math.Abs(x) >= 1<<24 {
		return 0, 0 // an even integer
	}
	t := mulAdd(x, 2, toInteger)
	return float64(pi * (x - float64(0.5*(t-toInteger)))), math.Float64bits(t)
}
