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

// leaningScore is the score of a key: it falls from key to key for the first head, and
// rises for the second, in all by 75.
func leaningScore(s suite.Shape, position, head int) float64 {
	if head%2 == 1 {
		position = s[positions] - 1 - position
	}
	return -float64(position) * 75 / float64(s[positions])
}

// firstChannel are queries that see nothing else.
func firstChannel(_ *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		x[i] = 0
		if i%s[channels] == 0 {
			x[i] = 1
		}
	}
}

// leaningKeys have such scores, for queries of the first channel.
func leaningKeys(_ *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		row := i / s[channels]
		x[i] = leaningScore(s, row/s[keyHeads], row%s[keyHeads]) / headScale(s)
	}
}

// leaningValues are so large where weights are small that every key counts alike.
func leaningValues(r *rand.Rand, s suite.Shape, x []float64) {
	steps(func(s suite.Shape, i int) int {
		row := i / s[channels]
		return int(-leaningScore(s, row/s[keyHeads], row%s[keyHeads]) / math.Ln2)
	})(r, s, x)
}
