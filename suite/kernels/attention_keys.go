package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// Keys that try online softmax.

// risingKeys makes every key's score larger than the one before, so that
// online softmax rescales at every block.
func risingKeys(r *rand.Rand, s suite.Shape, x []float64) {
	width := s[keyHeads] * s[channels]
	for i := range x {
		x[i] = float64(float64(i/width)/8) + float64(float64(r.IntN(3))/16)
	}
}

// hiddenKeys hides every key of the blocks of the first simdgroup, which thus
// has no score to take a maximum of: for a positive query they are all -∞.
func hiddenKeys(r *rand.Rand, s suite.Shape, x []float64) {
	suite.Normal(r, s, x)
	for row := 0; row < len(x); row += s[channels] {
		if position := row / (s[keyHeads] * s[channels]); position/32%onlineSimdgroups == 0 {
			x[row] = math.Inf(-1)
		}
	}
}
