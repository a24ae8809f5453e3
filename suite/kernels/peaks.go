package kernels

import (
	"math/rand/v2"

	"metalconform/suite"
)

// Scores of which one is far above the others. The peaks of several rows lie all over
// them, the last one at the end of its row: where a maximum misses a part of a row, an
// exponential overflows.

// peak is above what a row has else by more than an exponential in f32 bears.
const peak = 200

// peakOf is the place of the peak in one of so many rows of n.
func peakOf(row, rows, n int) int { return (row+1)*n/rows - 1 }

// peaks draws rows of normal scores with their peaks. Of the stride from row to row the
// first n elements count.
func peaks(rows, n, stride suite.Extent) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.Normal(r, s, x)
		for row := range rows.Size(s) {
			x[row*stride.Size(s)+peakOf(row, rows.Size(s), n.Size(s))] = peak
		}
	}
}

// peakKeys have such scores in each key head, for queries of the first channel.
func peakKeys(r *rand.Rand, s suite.Shape, x []float64) {
	suite.Normal(r, s, x)
	for head := range s[keyHeads] {
		x[(peakOf(head, s[keyHeads], s[positions])*s[keyHeads]+head)*s[channels]] = peak / headScale(s)
	}
}

// latentPeaks is a latent attention in which the RoPE channels have such scores, one for
// each head.
func latentPeaks(s suite.Shape, scale float64) suite.Setting {
	return decisive("peaks", s, suite.Fills{
		"q_prime": suite.Every(0),
		"q_pe": func(_ *rand.Rand, s suite.Shape, x []float64) {
			clear(x)
			for head := range s[numHeads] {
				x[head*s[qkRope]+head%s[qkRope]] = 1
			}
		},
		"rope_k_cache": func(r *rand.Rand, s suite.Shape, x []float64) {
			suite.Normal(r, s, x)
			for c := range s[qkRope] {
				x[peakOf(c, s[qkRope], s[cacheLen])*s[qkRope]+c] = peak / scale
			}
		},
	})
}
