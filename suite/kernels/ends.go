package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// Sizes where a narrower count wraps. Whole buffers of a few times 2¹⁶ elements are
// cheap; beyond that a case is the end of a launch (suite.End). A size at the end of a
// launch is chosen so that what is before it begins with a threadgroup and, in
// bytes, at a multiple of 16.
const (
	past16Bits  = 1<<16 + 65 // where a count in 16 bits has wrapped
	word16Bits  = 1<<16 + 64 // the same, in whole words and groups of quantised values
	aroundSign  = 1<<31 + 256
	lastInWord  = 1<<32 - 256
	positionEnd = 1<<31 - 128 // the last position that i32 and f32 have, both exactly
)

// endOf is the end, at shape s, of a launch with other sizes.
//
//go:noinline
func endOf(s suite.Shape, of suite.Shape) suite.End { return suite.End{Shape: s, Of: of} }

// flatEnds are the elements around 2³¹, and the last ones that 32 bits can count, of
// a vector with a thread for each. The other axes are at s.
func flatEnds(s suite.Shape, a suite.Axis) []suite.End {
	return []suite.End{
		endOf(s.With(suite.Shape{a: 512}), suite.Shape{a: aroundSign}),
		endOf(s.With(suite.Shape{a: 512}), suite.Shape{a: lastInWord}),
	}
}

// rowEnds are the same of rows that have a threadgroup, or a simdgroup, each. The
// number of the last one is 2³² − 2.
func rowEnds(s suite.Shape, a suite.Axis) []suite.End {
	return []suite.End{
		endOf(s.With(suite.Shape{a: 13}), suite.Shape{a: 1<<31 + 5}),
		endOf(s.With(suite.Shape{a: 15}), suite.Shape{a: math.MaxUint32}),
	}
}

// shifted is fill with something added to every element.
func shifted(fill suite.Fill, by float64) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			x[i] += by
		}
	}
}
