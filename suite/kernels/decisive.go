package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// Inputs in which what is usually negligible decides, in addition to light weights: sums and
// scores far from 1, gates that are nearly closed before something large, ties. A kernel
// that leaves out what it takes for nothing is then off by more than any rounding. Each
// is judged at one point of a sweep.

// decisive is a point with fills of its own.
//
//go:noinline
func decisive(name string, s suite.Shape, fills suite.Fills) suite.Setting {
	return suite.Setting{Name: name, Shape: s, Fills: fills}
}

// steps draws numbers of either sign of about 2^of(i).
func steps(of func(s suite.Shape, i int) int) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Copysign(math.Ldexp(0.5+float64(r.Float64()/2), of(s, i)), float64(r.IntN(2))-0.5)
		}
	}
}

// along is a power of two that grows, or falls, with the place of an element along an
// extent: step · (0, 1, 2, 3, 0, …). The elements of one place follow each other, and
// other extents lie outside of it.
func along(extent, inner suite.Extent, step int) func(suite.Shape, int) int {
	return func(s suite.Shape, i int) int { return step * (i / inner.Size(s) % extent.Size(s) % 4) }
}

// both adds two such exponents.
func both(a, b func(suite.Shape, int) int) func(suite.Shape, int) int {
	return func(s suite.Shape, i int) int { return a(s, i) + b(s, i) }
}

// single is the extent of elements that have nothing inside them.
var single = suite.Fixed(1)

// farApart is the step from one term of a sum to the next, of which the third is less
// than 2⁻⁴⁰ of the first.
const farApart = 21

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
