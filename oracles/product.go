package oracles

import "math"

// regrouped is the product y of factors if a kernel may multiply them in any order
// ([Products]), and y itself otherwise.
//
// Every order has n − 1 roundings for n factors. But an intermediate product may be
// subnormal, and then off by η times the factors that are left; or beyond the largest
// number, and then nothing is promised. None rounds where all factors but one are powers
// of two.
func (m *arithmetic) regrouped(y approx, factors ...approx) approx {
	if !m.may(Products) || !finite(y.v) || y.v == 0 && y.e == 0 {
		return y
	}
	magnitudes, powers := make([]float64, len(factors)), 0
	for i, f := range factors {
		if magnitudes[i] = math.Abs(f.v) + f.e; !finite(magnitudes[i]) {
			return bounded(y.v, math.Inf(1))
		}
		if f.e == 0 && lowestBit(f.v) == math.Abs(f.v) {
			powers++
		}
	}
	lost := 0.0
	for set := 1; set < 1<<len(factors); set++ {
		product, rest, n := 1.0, 1.0, 0
		for i, x := range magnitudes {
			if set>>i&1 != 0 {
				product *= x
				n++
			} else {
				rest *= x
			}
		}
		switch {
		case n < 2:
		case product > m.largest:
			return bounded(y.v, math.Inf(1))
		case product < m.tiny:
			lost += float64(m.eta * rest)
		}
	}
	z := y
	if powers+1 < len(factors) {
		n := float64(len(factors) - 1)
		z.e += float64(n * m.u * m.grown(n) * (math.Abs(y.v) + y.e))
		z.variance += float64(n * m.scatter * y.v * y.v)
	}
	z.e += lost
	z.systematic += lost
	return z
}

// multipliedOut is the product y of a factor and a sum if a kernel may multiply the terms
// of the sum instead, whose magnitudes add up to so much: each passes a product of its
// own, and the sum's additions again.
func (m *arithmetic) multipliedOut(y approx, factor approx, magnitude float64, additions int) approx {
	if !m.may(Products) || !finite(y.v) || !finite(y.e) {
		return y
	}
	most := (math.Abs(factor.v) + factor.e) * magnitude
	if most > m.largest {
		return bounded(y.v, math.Inf(1))
	}
	n := float64(additions + 1)
	y.e += float64(n*m.u*m.grown(n)*most) + float64(n*m.eta)
	y.variance += float64(n * m.scatter * most * most)
	y.systematic += float64(n * m.eta)
	return y
}
