package scalar

import (
	"math"
	"math/big"
)

// Atan returns the angle in [-π/2, π/2] whose tangent is x.
func Atan(x float32) float32 {
	y := atan64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.atan)
}

// Asin returns the angle in [-π/2, π/2] whose sine is x; NaN for |x| > 1.
func Asin(x float32) float32 {
	y := asin64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.asin)
}

// Acos returns the angle in [0, π] whose cosine is x; NaN for |x| > 1.
func Acos(x float32) float32 {
	y := acos64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.acos)
}

// atan2 returns the angle of the point (x, y) in [-π, π], with the zeros and
// infinities of IEEE 754: atan2(±0, x) is ±0 for x ≥ +0 and ±π for x ≤ -0,
// atan2(±Inf, ±Inf) is an odd multiple of π/4.
func (f Format) atan2(y, x float32) float32 {
	a := atan2of64(float64(y), float64(x))
	if f == F32 && roundable(a) {
		return float32(a)
	}
	if r, ok := f.decide(a, slack); ok {
		return r
	}
	return f.converge(func(w wide) *big.Float {
		return w.atan2(w.from(float64(y)), w.from(float64(x)))
	})
}

func atan64(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0):
		return math.Copysign(halfPi, x)
	}
	return math.Copysign(angle(math.Abs(x), 1), x)
}

// asin64 is atan(|x|/√(1-x²)); x² is exact and so, for |x| ≥ 1/4, is the
// difference: below 8 units.
func asin64(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	return math.Copysign(angle(math.Abs(x), math.Sqrt(1-float64(x*x))), x)
}

// acos64 is the angle of (x, √(1-x²)): below 8 units.
func acos64(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	a := angle(math.Sqrt(1-float64(x*x)), math.Abs(x))
	if x < 0 {
		return pi - a
	}
	return a
}

func atan2of64(y, x float64) float64 {
	ay, ax := math.Abs(y), math.Abs(x)
	var a float64
	switch {
	case x != x || y != y:
		return math.NaN()
	case ay == 0 && ax == 0:
	case math.IsInf(ax, 1) && math.IsInf(ay, 1):
		a = halfPi / 2
	case math.IsInf(ax, 1):
	case math.IsInf(ay, 1):
		a = halfPi
	default:
		a = angle(ay, ax)
	}
	if math.Signbit(x) {
		a = pi - a
	}
	return math.Copysign(a, y)
}

// angle is atan(y/x) for finite y, x ≥ 0, not both zero. The smaller over the
// larger gives a quotient v in [0, 1]; with c = i/16 next to v,
// atan v = atan c + atan((v-c)/(1+cv)), the first from a table, the second a
// polynomial. Numerator and denominator are formed from y and x themselves, so
// that for operands of 24 bits only the denominator is rounded: below 4 units,
// because for i > 0 the table's term dominates and for i = 0 it is zero.
func angle(y, x float64) float64 {
	swap := y > x
	if swap {
		y, x = x, y
	}
	i := int(mulAdd(y/x, 16, 0.5))
	c := float64(i) * (1.0 / 16)
	a := atanTable[i] + atanPoly((y-float64(c*x))/(x+float64(c*y)))
	if swap {
		return halfPi - a
	}
	return a
}
