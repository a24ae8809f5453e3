package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// Weights that are usually negligible decide where what they weigh is as much larger:
// every eight rows the weights fall from 1 to 2⁻¹¹², or e⁻⁷⁷, and the values rise to 2¹¹².

// lightExponent is minus the binary logarithm of the weight of a row.
func lightExponent(row int) int { return 16 * (row % 8) }

// lightScore is the natural logarithm of the weight of a row, nearly.
func lightScore(row int) float64 { return float64(-11 * (row % 8)) }

// lightWeights are rows of weights, a row as long as length says.
func lightWeights(length suite.Extent) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Ldexp(1, -lightExponent(i%length.Size(s)))
		}
	}
}

// heavyRows are the positive values that such weights weigh, in rows of a width.
func heavyRows(width suite.Extent) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Ldexp(1+float64(r.Float64()), lightExponent(i/width.Size(s)))
		}
	}
}

// firstOf is a value in the first element of each row of a width, and 0 elsewhere.
func firstOf(width suite.Extent, value float64) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			if x[i] = 0; i%width.Size(s) == 0 {
				x[i] = value
			}
		}
	}
}

// lightKeys have the scores of light weights in their first channel, for queries of
// [firstOf] under the usual scale.
func lightKeys(_ *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		x[i] = 0
		if i%s[channels] == 0 {
			x[i] = lightScore(i/(s[keyHeads]*s[channels])) * math.Sqrt(float64(s[channels]))
		}
	}
}

// octaves draws numbers of either sign and of all magnitudes from 2^from up to 2^to.
func octaves(from, to int) suite.Fill {
	return func(r *rand.Rand, _ suite.Shape, x []float64) {
		for i := range x {
			x[i] = math.Copysign(math.Ldexp(1+float64(r.Float64()), from+r.IntN(to-from)), float64(r.IntN(2))-0.5)
		}
	}
}
