package scalar

import "math"

// Functions that choose among their arguments return one of them bit for bit and
// hold for every format.

// Fmax returns y if x < y and x otherwise; if one argument is NaN, the other.
func Fmax(x, y float32) float32 {
	if x < y || x != x {
		return y
	}
	return x
}

// Fmin returns y if y < x and x otherwise; if one argument is NaN, the other.
func Fmin(x, y float32) float32 {
	if y < x || x != x {
		return y
	}
	return x
}

// Fabs returns x without its sign.
func Fabs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Copysign returns |x| with the sign of y.
func Copysign(x, y float32) float32 {
	const sign = 1 << 31
	return math.Float32frombits(math.Float32bits(x)&^sign | math.Float32bits(y)&sign)
}

// Sign returns 1 above zero, -1 below, a zero itself, and 0 for NaN.
func Sign(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x == 0:
		return x
	}
	return 0
}

// fdim returns x - y rounded once if x > y, +0 if not, NaN if one is NaN.
func (f Format) fdim(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return quietNaN
	case x > y:
		return f.Narrow(x - y)
	}
	return 0
}
