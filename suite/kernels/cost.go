package kernels

import "metalconform/suite"

// What the work of kernels is made of: the operations of the definitions in
// package oracles, as suite.Work counts them.

// Operations of one element.
const (
	multiplyAdd = 2
	sigmoidOps  = 3 // 1/(1 + exp(−x)); silu, x/(1 + exp(−x)), as many
	softmaxOps  = 3 // exp, its part of the sum, the quotient
	rmsOps      = 3 // of a row: mean, ε, rsqrt
	affineOps   = 2 // q·s + c
	angleOps    = 3 // product, cos, sin
	rotationOps = 6 // of a pair: four products, two sums
	decayOps    = 3 // e^(G_i − G_j) and its product
)

// none counts nothing: copies and conversions have no arithmetic, and what is
// only written is not read.
const none = suite.Fixed(0)

// elements are counts of elements by argument.
type elements = map[string]suite.Extent

// times is n times the product of extents.
//
//go:noinline
func times(n int, es ...suite.Extent) suite.Func {
	product := suite.Product(es...)
	return func(s suite.Shape) int { return n * product(s) }
}

// each is n operations for each of so many elements.
func each(n int, es ...suite.Extent) suite.Work { return suite.Work{Operations: times(n, es...)} }

// rowWork is n operations for each element of rows of a width, and some once
// for each row.
func rowWork(n int, width suite.Extent, once int, rows ...suite.Extent) suite.Work {
	all := suite.Product(rows...)
	return suite.Work{Operations: total(times(n, all, width), times(once, all))}
}

// triangular is 1 + 2 + … + n.
func triangular(n int) int { return n * (n + 1) / 2 }
