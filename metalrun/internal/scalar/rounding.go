package scalar

import "math"

// Rounding to integers. Values of 2²³ and above, infinities and NaN are their
// own integer; a zero keeps the sign of the argument. The results are exact in
// every format that holds the argument.

// Floor returns the largest integer not above x.
func Floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// Ceil returns the smallest integer not below x.
func Ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// Trunc returns x rounded towards zero.
func Trunc(x float32) float32 { return float32(math.Trunc(float64(x))) }

// Rint returns the integer nearest to x, ties to even.
func Rint(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// RoundAway returns the integer nearest to x, ties away from zero: MSL's round.
func RoundAway(x float32) float32 {
	t := math.Trunc(float64(x))
	if math.Abs(float64(x)-t) >= 0.5 {
		t += math.Copysign(1, float64(x))
	}
	return float32(t)
}

// fract returns min(x - floor(x), the largest number below 1); NaN for the
// infinities, for which the specification says nothing.
func (f Format) fract(x float32) float32 {
	r := f.Round(float64(x) - math.Floor(float64(x)))
	if r > f.belowOne() {
		return f.belowOne()
	}
	return r
}

// Modf returns the fraction and the integer part of x, both with its sign.
func Modf(x float32) (fraction, integer float32) {
	integer = Trunc(x)
	if math.IsInf(float64(x), 0) {
		return float32(math.Copysign(0, float64(x))), integer
	}
	return float32(math.Copysign(float64(x)-float64(integer), float64(x))), integer
}
