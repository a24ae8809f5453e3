package scalar

import "math"

// Fused multiply-add in float64. The product of two float32 values has at most
// 48 bits and is exact; the sum s of product and addend is rounded to 53 bits.
// Rounding s again, to 24 bits, goes wrong only if s is the midpoint of two
// float32 values and inexact (a second tie hides which side the exact sum is
// on), or if the result is subnormal, where midpoints have other patterns. Then
// the rounding error e of the sum, which is exact by Knuth's TwoSum, replaces
// rounding to nearest by rounding to odd: s takes, of its two neighbours around
// the exact sum, the one with an odd last bit, which no later rounding to
// 53 - 2 bits or fewer can mistake for a tie (Boldo and Melquiond, "Emulation
// of a FMA and correctly rounded sums").

// Doubtful reports whether s, the bits of a sum in float64, may not be rounded
// to float32 as it stands: a midpoint, or outside float32's normal range. The
// second comparison holds for exponents below 2⁻¹²⁶, for infinities and NaN.
func Doubtful(s uint64) bool {
	return s<<35 == 1<<63 || s<<1-897<<53 >= (2047-897)<<53
}

// FMA32 returns a·b + c rounded once to float32.
func FMA32(a, b, c float32) float32 {
	p := float64(float64(a) * float64(b))
	s := p + float64(c)
	if Doubtful(math.Float64bits(s)) {
		s = oddSum(p, float64(c), s)
	}
	return float32(s)
}

// FMA returns a·b + c rounded once to the format.
func (f Format) FMA(a, b, c float32) float32 {
	if f == F32 {
		return FMA32(a, b, c)
	}
	p := float64(float64(a) * float64(b))
	return f.Round(oddSum(p, float64(c), p+float64(c)))
}

// Doubts tells which a·b + c in float32 may not be rounded to a narrower format as it stands.
type Doubts struct{ shift, least uint32 }

// Doubts are those of a narrow format.
func (f Format) Doubts() Doubts {
	if f == Half {
		// 13 bits are rounded away, and 113 is the exponent of the least normal number
		return Doubts{32 - 13, 113<<24 - 1}
	}
	return Doubts{32 - 16, 1<<24 - 1}
}

// Has reports whether s, the bits of a sum, is a midpoint, subnormal in the format, or a NaN. 0 and infinities are in
// no doubt.
func (d Doubts) Has(s uint32) bool {
	return s<<(d.shift&31) == 1<<31 || s<<1-1 < d.least || s<<1 > 255<<24
}

// oddSum returns p + q rounded to odd, where s is p + q rounded to nearest. The
// range of float64 is wide enough that neither sum nor error overflows or
// underflows.
func oddSum(p, q, s float64) float64 {
	v := s - p
	if e := float64(p-float64(s-v)) + float64(q-v); e != 0 {
		return NextOdd(math.Float64bits(s), e)
	}
	return s
}

// NextOdd returns, of the two neighbours in float64 of a sum with bits s and
// rounding error e ≠ 0, the one whose last bit is set: one step towards the exact
// sum if e and s disagree in sign, then the bit. For sums that are infinite or
// NaN, e is NaN: then it is the infinity or the canonical NaN.
func NextOdd(s uint64, e float64) float64 {
	if e != e {
		return infiniteOrNaN(s)
	}
	s += uint64(int64(math.Float64bits(e)^s) >> 63)
	return math.Float64frombits(s | 1)
}

func infiniteOrNaN(s uint64) float64 {
	if s<<12 != 0 {
		return float64(quietNaN)
	}
	return math.Float64frombits(s)
}
