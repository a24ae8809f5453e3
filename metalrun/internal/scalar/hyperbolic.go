package scalar

import "math"

// Sinh returns the hyperbolic sine of x.
func Sinh(x float32) float32 {
	y := sinh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.sinh)
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x float32) float32 {
	y := cosh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.cosh)
}

// Tanh returns the hyperbolic tangent of x; ±1 at the infinities.
func Tanh(x float32) float32 {
	y := tanh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.tanh)
}

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x float32) float32 {
	y := asinh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.asinh)
}

// Acosh returns the inverse hyperbolic cosine of x; NaN for x < 1.
func Acosh(x float32) float32 {
	y := acosh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.acosh)
}

// Atanh returns the inverse hyperbolic tangent of x; ±Inf at ±1, NaN beyond.
func Atanh(x float32) float32 {
	y := atanh64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.atanh)
}

// sinh64 is (e^x - e^-x)/2 where that loses less than a bit, for |x| ≥ 1, to 4
// units, and a polynomial elsewhere, to 3.
func sinh64(x float64) float64 {
	if math.Abs(x) < 1 {
		return sinhPoly(x)
	}
	e := exp64(math.Abs(x))
	return math.Copysign(float64(0.5*e)-0.5/e, x)
}

// cosh64 is (e^x + e^-x)/2, to 3 units.
func cosh64(x float64) float64 {
	e := exp64(math.Abs(x))
	return float64(0.5*e) + 0.5/e
}

// tanh64 is the quotient of two polynomials for |x| < 1/2, to 6 units, and
// 1 - 2/(e^2x + 1) elsewhere, to 4. From 22 on that is 1, and from 9.1 on all
// formats round to 1.
func tanh64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.5:
		return sinhPoly(x) / coshPoly(x)
	case a > 22:
		return math.Copysign(1, x)
	}
	return math.Copysign(1-2/(exp64(2*a)+1), x)
}

// asinh64 is log1p(|x| + x²/(1+√(1+x²))): positive terms only, to 6 units.
func asinh64(x float64) float64 {
	a := math.Abs(x)
	if a > math.MaxFloat32 {
		return x
	}
	x2 := float64(x * x)
	return math.Copysign(log1p64(a+float64(x2/(1+math.Sqrt(1+x2)))), x)
}

// acosh64 is log1p(t + √(t(t+2))) with t = x-1, exact near 1: to 6 units.
func acosh64(x float64) float64 {
	t := x - 1
	switch {
	case !(t >= 0):
		return math.NaN()
	case x > math.MaxFloat32:
		return x
	}
	return log1p64(t + math.Sqrt(mulAdd(t, t, float64(2*t))))
}

// atanh64 is log1p(2|x|/(1-|x|))/2, where 1-|x| is exact near 1: to 6 units.
func atanh64(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a <= 1):
		return math.NaN()
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	}
	return math.Copysign(0.5*log1p64(2*a/(1-a)), x)
}
