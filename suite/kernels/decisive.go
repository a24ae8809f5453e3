package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// Inputs in which what is usually negligible decides: small weights on large values, far
// levels, gates that are nearly closed before something large. A kernel that leaves out
// what it takes for nothing, or that begins at a number which it takes for −∞, is then
// off by more than any rounding. Each is judged at one point of a sweep.

// decisive is a point with fills of its own.
func decisive(name string, s suite.Shape, fills suite.Fills) suite.Setting {
	return suite.Setting{Name: name, Shape: s, Fills: fills}
}

// steps draws numbers of either sign of about 2^of(i). Those that meet 2^−of(i) as
// weights come to about 1 each.
func steps(of func(s suite.Shape, i int) int) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Copysign(math.Ldexp(0.5+float64(r.Float64()/2), of(s, i)), float64(r.IntN(2))-0.5)
		}
	}
}

// powers are 2^of(i).
func powers(of func(s suite.Shape, i int) int) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Ldexp(1, of(s, i))
		}
	}
}

// farLevels are numbers below and above which a kernel may think that there are none: at
// which running maxima begin (−10⁴, the least number of half, −10⁹, −10³⁰), and the
// largest.
var farLevels = []float64{-2e4, -1e5, -3e9, -3e30, -3e38, 3e38, 0}

// levelled gives each row of so many elements one of the far levels, all the same but
// for every third, which is twice as low or −∞.
func levelled(width suite.Extent) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = farLevels[i/width.Size(s)%len(farLevels)]
			if i%width.Size(s)%3 == 1 {
				if x[i] -= math.Abs(x[i]); x[i] < -math.MaxFloat32 {
					x[i] = math.Inf(-1)
				}
			}
		}
	}
}

// nearlyClosed is a gate whose sigmoid is about 2⁻¹²⁶, just above the smallest normal
// number.
const nearlyClosed = -87.2

// behindClosedGate draws numbers that count in spite of it.
func behindClosedGate(r *rand.Rand, s suite.Shape, x []float64) { steps(exponent(124))(r, s, x) }

// exponent is the same for all elements.
func exponent(e int) func(suite.Shape, int) int { return func(suite.Shape, int) int { return e } }

// ties draws numbers that lie just between two of bfloat, next to an even one and to an
// odd one in turns, of either sign: 1, and an odd number of units of 2⁻⁸.
func ties(r *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = math.Copysign(1+float64(float64(2*(i+r.IntN(2)*32)%128+1)/256), float64(r.IntN(2))-0.5)
	}
}
