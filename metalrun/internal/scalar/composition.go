package scalar

import "math"

// Composition is a function that table 8.2 has "implemented as" others: the fast
// function of that formula, on a device with these others.
type Composition func(d FastDevice, x, y float32) float32

// FastDevice has the functions that compositions are made of.
type FastDevice struct {
	Of     func(name string, x float32) float32
	Divide func(x, y float32) float32
}

// The compositions of table 8.2, of the same names.

func composedAcosh(d FastDevice, x, _ float32) float32 {
	return d.Of("log", x+d.Of("sqrt", float32(x*x)-1))
}

func composedAsinh(d FastDevice, x, _ float32) float32 {
	return d.Of("log", x+d.Of("sqrt", float32(x*x)+1))
}

func composedAtanh(d FastDevice, x, _ float32) float32 {
	return 0.5 * d.Of("log", d.Divide(1+x, 1-x))
}

// composedAtan2 has the ordinate first, as the language does. It is undefined where
// either is 0.
func composedAtan2(d FastDevice, y, x float32) float32 {
	angle := d.Of("atan", d.Divide(y, x))
	switch {
	case x < 0 && y > 0:
		return angle + math.Pi
	case x < 0 && y < 0:
		return angle - math.Pi
	}
	return angle
}

func composedCosh(d FastDevice, x, _ float32) float32 {
	return 0.5 * (d.Of("exp", x) + d.Of("exp", -x))
}

func composedSinh(d FastDevice, x, _ float32) float32 {
	return 0.5 * (d.Of("exp", x) - d.Of("exp", -x))
}

func composedExp10(d FastDevice, x, _ float32) float32 {
	return d.Of("exp2", x*float32(math.Ln10/math.Ln2))
}
func composedLog10(d FastDevice, x, _ float32) float32 {
	return d.Of("log2", x) * float32(math.Ln2/math.Ln10)
}
func composedPow(d FastDevice, x, y float32) float32 { return d.Of("exp2", y*d.Of("log2", x)) }

// composedSqrt handles the special cases correctly.
func composedSqrt(d FastDevice, x, _ float32) float32 {
	if x == 0 || math.IsInf(float64(x), 1) {
		return x
	}
	return x * d.Of("rsqrt", x)
}

func composedTan(d FastDevice, x, _ float32) float32 {
	return d.Of("sin", x) * d.Divide(1, d.Of("cos", x))
}

// composedTanh is NaN where e²ˣ is infinite: from 44.4 on.
func composedTanh(d FastDevice, x, _ float32) float32 {
	t := d.Of("exp", 2*x)
	return d.Divide(t-1, t+1)
}

func composedTanpi(d FastDevice, x, _ float32) float32 { return d.Of("tan", x*math.Pi) }

// composedFmod is what everybody makes of it: the table has "undefined".
func composedFmod(d FastDevice, x, y float32) float32 {
	return x - float32(y*Trunc(d.Divide(x, y)))
}

// notPositive are the arguments of which fast logarithms are undefined. NaN stays.
func notPositive(x, _ float32) bool { return x <= 0 }

func bothZero(x, y float32) bool   { return x == 0 && y == 0 }
func eitherZero(x, y float32) bool { return x == 0 || y == 0 }
