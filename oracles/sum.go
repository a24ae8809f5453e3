package oracles

import (
	"math"
	"math/bits"
)

// sum is the sum of terms in the order of o.
//
// A lane's running sum is charged step by step:
//
//	E_k = (E_{k−1} + e_k)(1+u) + u|s_k|
//
// and n numbers p_j added in an order left open by the worst order: each of
// the n−1 additions has an exact result of at most A = Σ|p_j|, so
//
//	E = (Σ e_j + (n−1)·u·A)·(1+u)^{n−1}.
//
// In a balanced tree a number passes d = ⌈log₂ n⌉ additions instead of n−1.
//
// The additions scatter independently of each other: see [arithmetic.open] for
// those in an order left open. The errors of the terms may be correlated, so
// their standard deviations are added.
func (m *arithmetic) sum(o order, terms []approx) approx {
	m = m.sums
	terms = m.terms(terms)
	var inherited float64
	for _, t := range terms {
		inherited = minkowski(inherited, t.variance)
	}
	y := m.scheduled(o.Schedule, terms)
	y.inherit(inherited)
	return m.formed(o, y, terms)
}

// independentSum is the sum of terms that were rounded each on its own, such as
// products of exact numbers: their variances add.
func (m *arithmetic) independentSum(o order, terms []approx) approx {
	return m.formed(o, m.independent(o.Schedule, terms), terms)
}

// independent is [arithmetic.independentSum] as part of another sum.
func (m *arithmetic) independent(s Schedule, terms []approx) approx {
	m = m.sums
	terms = m.terms(terms)
	var inherited float64
	for _, t := range terms {
		inherited += t.variance
	}
	y := m.scheduled(s, terms)
	y.inherit(inherited)
	return y
}

// inherit adds a variance unless the number is exact or open.
func (a *approx) inherit(variance float64) {
	if a.e != 0 && !math.IsInf(a.e, 1) {
		a.variance += variance
	}
}

// scheduled is the sum of terms with the variance of its additions only.
func (m *arithmetic) scheduled(s Schedule, terms []approx) approx {
	lanes, block, tile := max(s.Lanes, 1), max(s.Block, 1), max(s.Tile, 1)
	if lanes == 1 {
		return m.lane(terms, tile)
	}
	sums := make([]approx, 0, lanes)
	var own []approx
	for l := range lanes {
		own = own[:0]
		for first := l * block; first < len(terms); first += lanes * block {
			own = append(own, terms[first:min(first+block, len(terms))]...)
		}
		sums = append(sums, m.lane(own, tile))
	}
	return m.combine(sums, s)
}

// lane is a running sum that takes tile terms at a time, with the variance of
// its additions only.
func (m *arithmetic) lane(terms []approx, tile int) approx {
	if tile == 1 && len(terms) > 0 {
		acc := m.first(terms[0])
		for _, t := range terms[1:] {
			t.variance = 0
			before := acc
			acc = m.add(acc, t)
			acc = m.stagnant(acc, before, t)
		}
		return acc
	}
	acc := exactly(0)
	var room [9]approx // a sum and as many terms as tiles have
	open := room[:0]
	for len(terms) > 0 {
		n := min(tile, len(terms))
		open = append(append(open[:0], acc), terms[:n]...)
		for i := range open[1:] {
			open[1+i].variance = 0
		}
		acc, terms = m.anyOrder(open), terms[n:]
	}
	return acc
}

// first is a running sum that has taken one term: to add it to 0 is exact, but for what is
// flushed.
func (m *arithmetic) first(t approx) approx {
	t.variance = 0
	if m.flush && finite(t.v) && m.below(t) {
		return m.round(t.v, t.e+m.eta, moments{systematic: t.systematic + m.eta}, 0)
	}
	return t
}

// stagnant is a running sum in a narrow format, given what it was before it took a term.
// Roundings average out only while terms are long compared with the spacing 2h of the
// numbers that the sum can be, h = u|s|. A term of less than h may be lost whole, and a
// sum of such terms stands still. Of longer ones, whose size is random with a density of
// width |t|, the rounding errors average over a whole number of spacings and a rest; the
// mean over the rest is at most (2h)²/8 of its density, 1/|t|:
//
//	|E[δ]| ≤ min(|t|, h)·min(1, h/|t|)
//
// For f32 this is below a standard deviation of n positive terms until n³ reaches 1/u².
func (m *arithmetic) stagnant(sum, before, t approx) approx {
	if !m.narrow() || sum.e == 0 || !finite(sum.e) || !finite(sum.v) {
		return sum
	}
	half, size := float64(m.u*(math.Abs(before.v)+before.e+math.Abs(t.v)+t.e)), math.Abs(t.v)+t.e
	if size == 0 {
		return sum
	}
	sum.systematic += float64(min(size, half) * min(1, half/size))
	return sum
}

// combine adds the lanes' sums: in a tree, or within each group of simd and
// then the groups.
func (m *arithmetic) combine(sums []approx, s Schedule) approx {
	if s.Tree {
		return m.open(sums, s.depth(len(sums)))
	}
	if simd := s.Simd; simd > 1 {
		var groups []approx
		for len(sums) > 0 {
			n := min(simd, len(sums))
			groups, sums = append(groups, m.anyOrder(sums[:n])), sums[n:]
		}
		sums = groups
	}
	return m.anyOrder(sums)
}

// depth is how many additions a number passes at most where n lanes' sums are added.
func (s Schedule) depth(n int) float64 {
	if s.Tree {
		return float64(bits.Len(uint(max(n-1, 0))))
	}
	return math.Inf(1)
}

// anyOrder is the sum of terms in the worst order.
func (m *arithmetic) anyOrder(terms []approx) approx { return m.open(terms, math.Inf(1)) }

// open is the sum of terms in the worst order of those in which no term passes
// more than depth additions. The terms' errors are independent of each other.
//
// The variance is that of n−1 additions in turn, or of depth levels of a tree,
// each level of disjoint sums, with E[s²] ≤ M of each addition or each level:
//
//	σ² = Σσ_j² + min(n−1, depth)·u²/3·M,   M = min(A², s² + Σp_j²)
//
// s² + Σp² is an average over orders: of all sums of k of the n terms the mean
// square is at most (k/n)²s² + k/n·Σp². A kernel's order does not depend on
// the values. For random values it is therefore equivalent to a random order.
func (m *arithmetic) open(terms []approx, depth float64) approx {
	if len(terms) == 0 {
		return exactly(0)
	}
	g := gathered{least: math.Inf(1), additions: -1}
	for _, t := range terms {
		g.take(t)
	}
	return m.opened(&g, depth, func() float64 { return grid(terms) })
}

// gathered is what a sum in an order left open makes of its terms, but for those that are 0
// for certain: adding 0 is exact, but for what is flushed.
type gathered struct {
	total                           accumulator
	magnitude, squares, e, inherits float64
	systematic                      float64
	additions                       float64
	least                           float64 // |v| − e
}

func (g *gathered) take(t approx) {
	if t.v == 0 && t.e == 0 {
		return
	}
	size := math.Abs(t.v)
	g.total = g.total.plus(t.v)
	g.magnitude += size
	g.squares += float64(t.v * t.v)
	g.e += t.e
	g.inherits += t.variance
	g.systematic += t.systematic
	g.additions++
	if size-t.e < g.least {
		g.least = size - t.e
	}
}

// opened is [arithmetic.open] of terms that have been gathered, given how to find their grid.
func (m *arithmetic) opened(g *gathered, depth float64, grid func() float64) approx {
	v, e, additions := g.total.value(), g.e, g.additions
	switch {
	case additions <= 0 && e == 0:
		return m.startedFromZero(v)
	case !finite(v):
		if math.IsInf(e, 1) || !math.IsInf(g.magnitude, 1) && !math.IsNaN(g.magnitude) {
			return bounded(v, math.Inf(1))
		}
		return exactly(v) // infinite terms decide the sum, whatever the errors of finite ones
	case additions > 0 && float64((g.magnitude+math.Abs(v))/2)+e > m.largest:
		return bounded(v, math.Inf(1)) // all terms of one sign, added first, may overflow
	case e == 0 && m.exactSum(grid(), g.magnitude):
		return exactly(v)
	}
	additions = max(additions, 0)
	depth = min(additions, depth)
	e = float64((e + float64(depth*m.u*g.magnitude)) * m.grown(depth))
	s := moments{g.inherits, g.systematic}.summed(m, depth, min(g.magnitude*g.magnitude, float64(v*v)+g.squares))
	if m.narrow() {
		s.systematic = max(s.systematic, e)
	}
	// A number x of the format is a multiple of a power of two of at least u|x|, and a sum
	// of such multiples is 0 or at least the smallest.
	if m.flush && m.u*g.least < m.tiny {
		e += float64(3 * additions * m.eta)
		s.systematic += float64(3 * additions * m.eta)
	}
	return m.round(v, e, s, 0)
}

// startedFromZero is the sum of one number v: an accumulator of 0 that takes a
// subnormal number may flush it.
func (m *arithmetic) startedFromZero(v float64) approx {
	if y := exactly(v); !m.flush || !m.below(y) {
		return y
	}
	return bounded(v, m.eta)
}

// summed is s after n additions, or n levels of a tree, whose results have the
// mean square at most.
func (s moments) summed(m *arithmetic, n, meanSquare float64) moments {
	most := meanSquare + float64(s.systematic*s.systematic) + s.variance
	return moments{s.variance + float64(n*m.scatter*most), s.systematic}
}

// grid is the largest power of two of which all terms are multiples, +Inf if
// all are 0.
func grid(terms []approx) float64 {
	g := math.Inf(1)
	for _, t := range terms {
		g = min(g, lowestBit(t.v))
	}
	return g
}

// lowestBit is the value of the last set bit of x, +Inf for 0.
func lowestBit(x float64) float64 {
	b := math.Float64bits(x)
	switch {
	case x == 0:
		return math.Inf(1)
	case !finite(x):
		return 0
	case b<<12 == 0:
		return math.Abs(x) // a power of two
	}
	return math.Abs(x - math.Float64frombits(b&(b-1)))
}
