package oracles

import (
	"math"
	"math/bits"
)

// regrouped is the product y of factors if a kernel may multiply them in any order
// ([Products]), and y itself otherwise.
//
// Every order has n − 1 roundings for n factors fᵢ with errors eᵢ that are no powers of two:
//
//	E  = Π(|fᵢ| + eᵢ)·(1+u)^{n−1} − Π|fᵢ|
//	σ² = y²·(Σσᵢ²/fᵢ² + (n−1)·u²/3)
//
// But an intermediate product may be subnormal, and then off by η times the factors that
// are left; or beyond the largest number, and then nothing is promised.
func (m *arithmetic) regrouped(y approx, factors ...approx) approx {
	if !m.may(Products) || !finite(y.v) {
		return y
	}
	var room [4]span // most products have no more factors
	magnitudes, powers := room[:0], 0
	by := m.spread(len(factors))
	low, high := 1/by, by // ends of all partial products
	exact, most, relative := 1.0, 1.0, 0.0
	for _, f := range factors {
		x := math.Abs(f.v) + f.e
		if !finite(x) {
			return bounded(y.v, math.Inf(1))
		}
		if f.e == 0 && lowestBit(f.v) == math.Abs(f.v) {
			powers++
		}
		least := max(math.Abs(f.v)-f.e, 0)
		magnitudes = append(magnitudes, span{least, x})
		low, high = low*min(least, 1), high*max(x, 1)
		exact, most = float64(exact*math.Abs(f.v)), float64(most*x)
		if f.v != 0 {
			relative += float64(f.variance / (f.v * f.v))
		}
	}
	if n := float64(len(factors) - powers - 1); n > 0 {
		y.e = max(y.e, float64((most-exact+float64(most*(m.grown(n)-1)))*slack))
		y.variance = max(y.variance, float64((relative+float64(n*m.scatter))*y.v*y.v))
	}
	if low >= m.tiny && high <= m.largest {
		return y
	}
	lost := m.lostBetween(magnitudes)
	if math.IsInf(lost, 1) {
		return bounded(y.v, lost)
	}
	y.e += lost
	y.systematic += lost
	return y
}

// span is how large a factor is.
type span struct{ least, most float64 }

// spread is how much greater or less roundings may make a product of so many factors before its own:
// that of two is only rounded once, and nothing rounds to a subnormal that is none.
func (m *arithmetic) spread(factors int) float64 { return m.grown(float64(max(factors-2, 0))) }

// lostBetween is what a product of so large factors may lose in some order because an intermediate
// one is subnormal; or +Inf if one may overflow.
func (m *arithmetic) lostBetween(magnitudes []span) float64 {
	var lost float64
	for set := 1; set < 1<<len(magnitudes); set++ {
		n := bits.OnesCount(uint(set))
		if n < 2 {
			continue
		}
		by := m.spread(n)
		least, most, rest := 1/by, by, 1.0
		for i, x := range magnitudes {
			if set>>i&1 != 0 {
				least, most = least*x.least, most*x.most
			} else {
				rest *= x.most
			}
		}
		switch {
		case most > m.largest:
			return math.Inf(1)
		case most > 0 && least < m.tiny:
			lost += float64(m.eta * rest)
		}
	}
	return lost
}
