package scalar

import "math"

// Functions that choose among their arguments or interpolate between them.
// Those that only choose return one of their arguments bit for bit and hold for
// every format.

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

// Fmax3 returns fmax(x, fmax(y, z)).
func Fmax3(x, y, z float32) float32 { return Fmax(x, Fmax(y, z)) }

// Fmin3 returns fmin(x, fmin(y, z)).
func Fmin3(x, y, z float32) float32 { return Fmin(x, Fmin(y, z)) }

// Fmedian3 returns the middle value; of two numbers and a NaN the smaller.
func Fmedian3(x, y, z float32) float32 {
	switch {
	case x != x:
		return Fmin(y, z)
	case y != y:
		return Fmin(x, z)
	case z != z:
		return Fmin(x, y)
	}
	return Fmax(Fmin(x, y), Fmin(Fmax(x, y), z))
}

// Clamp returns fmin(fmax(x, low), high); the result is unspecified by MSL if
// low > high, and high here.
func Clamp(x, low, high float32) float32 { return Fmin(Fmax(x, low), high) }

// Saturate returns clamp(x, 0, 1); 0 for NaN.
func Saturate(x float32) float32 { return Clamp(x, 0, 1) }

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

// Step returns 0 if x < edge and 1 otherwise.
func Step(edge, x float32) float32 {
	if x < edge {
		return 0
	}
	return 1
}

// Fdim returns x - y rounded once if x > y, +0 if not, NaN if one is NaN.
func Fdim(x, y float32) float32 { return F32.fdim(x, y) }

func (f Format) fdim(x, y float32) float32 {
	switch {
	case x != x || y != y:
		return quietNaN
	case x > y:
		return f.Narrow(x - y)
	}
	return 0
}

// Mix returns x + (y-x)·a, each operation rounded.
func Mix(x, y, a float32) float32 { return F32.mix(x, y, a) }

func (f Format) mix(x, y, a float32) float32 {
	d := f.Narrow(float32(y - x))
	return f.Round(float64(f.Narrow(x + f.Narrow(float32(d*a)))))
}

// Smoothstep returns t·t·(3 - 2t) for t = saturate((x-low)/(high-low)), each
// operation rounded. MSL leaves low ≥ high unspecified.
func Smoothstep(low, high, x float32) float32 { return F32.smoothstep(low, high, x) }

func (f Format) smoothstep(low, high, x float32) float32 {
	t := f.Narrow(f.Narrow(float32(x-low)) / f.Narrow(float32(high-low)))
	t = Saturate(t)
	s := f.Narrow(3 - float32(2*t))
	return f.Narrow(float32(f.Narrow(float32(t*t)) * s))
}
