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
// In a balanced tree a number passes d = ⌈log₂ n⌉ additions, which takes the
// place of n−1.
//
// The additions scatter independently of each other: see [arithmetic.open] for
// those in an order left open. The errors of the terms may be correlated, so
// their standard deviations are added.
func (m *arithmetic) sum(o order, terms []approx) approx {
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
	acc := exactly(0)
	if tile == 1 {
		for _, t := range terms {
			t.variance = 0
			acc = m.add(acc, t)
		}
		return acc
	}
	var open []approx
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

// combine adds the lanes' sums: in a tree, or within each group of simd and
// then the groups.
func (m *arithmetic) combine(sums []approx, s Schedule) approx {
	if s.Tree {
		return m.open(sums, float64(bits.Len(uint(max(len(sums)-1, 0)))))
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
// square is at most (k/n)²s² + k/n·Σp². A kernel's order does not know the
// values, so it is as good as drawn at random where they are.
func (m *arithmetic) open(terms []approx, depth float64) approx {
	if len(terms) == 0 {
		return exactly(0)
	}
	var total accumulator
	var magnitude, squares, e float64
	var inherited spread
	additions := -1.0
	for _, t := range terms {
		if t.v == 0 && t.e == 0 {
			continue // adding zero is exact
		}
		total = total.plus(t.v)
		magnitude += math.Abs(t.v)
		squares += float64(t.v * t.v)
		e += t.e
		inherited.variance += t.variance
		inherited.systematic += t.systematic
		additions++
	}
	v := total.value()
	switch {
	case additions <= 0 && e == 0:
		return exactly(v)
	case !finite(v):
		if math.IsInf(e, 1) || !math.IsInf(magnitude, 1) && !math.IsNaN(magnitude) {
			return bounded(v, math.Inf(1))
		}
		return exactly(v) // infinite terms decide the sum, whatever the errors of finite ones
	case additions > 0 && float64((magnitude+math.Abs(v))/2)+e > m.largest:
		return bounded(v, math.Inf(1)) // all terms of one sign, added first, may overflow
	case e == 0 && m.exactSum(grid(terms), magnitude):
		return exactly(v)
	}
	additions = max(additions, 0)
	depth = min(additions, depth)
	e = float64((e + float64(depth*m.u*magnitude)) * m.grown(depth))
	s := inherited.summed(m, depth, min(magnitude*magnitude, float64(v*v)+squares))
	if m.flush && m.mayReachSubnormal(terms) {
		e += float64(3 * additions * m.eta)
		s.systematic += float64(3 * additions * m.eta)
	}
	return m.round(v, e, s, 0)
}

// summed is s after n additions, or n levels of a tree, whose results have the
// mean square at most.
func (s spread) summed(m *arithmetic, n, meanSquare float64) spread {
	most := meanSquare + float64(s.systematic*s.systematic) + s.variance
	return spread{s.variance + float64(n*m.scatter*most), s.systematic}
}

// mayReachSubnormal reports whether a partial sum of terms can be subnormal.
func (m *arithmetic) mayReachSubnormal(terms []approx) bool {
	for _, t := range terms {
		if t.e == 0 && t.v == 0 {
			continue
		}
		// A number x of the format is a multiple of a power of two of at least
		// u|x|, and a sum of such multiples is 0 or at least the smallest.
		if m.u*(math.Abs(t.v)-t.e) < m.tiny {
			return true
		}
	}
	return false
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

// dotter evaluates dot products of exact vectors as a kernel computes them in
// one schedule.
type dotter struct {
	*arithmetic
	order
	terms  []approx
	sums   []approx
	extent extent // of the last vectors

	n            int     // their length
	perturbation float64 // (n+1)·u·(1+u)^{n+1}
}

func (m *arithmetic) dotter(o order) *dotter { return &dotter{arithmetic: m, order: o} }

// dot is Σ aᵢ·bᵢ with its running error. Unlike [arithmetic.sum] it never finds
// a sum to be exact: it is the oracles' innermost loop.
func (d *dotter) dot(a, b []float64) approx {
	y := d.evaluate(a, b)
	if d.watch != nil {
		y = d.watch.formed(d.order, y, 0, func() []float64 { return termwise(a, b) })
	}
	return y
}

// evaluate is [dotter.dot] unwatched.
func (d *dotter) evaluate(a, b []float64) approx {
	lanes, tile := max(d.Lanes, 1), max(d.Tile, 1)
	var y approx
	switch {
	case lanes == 1:
		y = d.chain(a, b, tile)
	case tile == 1:
		y = d.combine(d.strided(a, b, lanes), d.Schedule)
	default:
		d.terms = d.terms[:0]
		for i, x := range a {
			d.terms = append(d.terms, d.mul(exactly(x), exactly(b[i])))
		}
		return d.independent(d.Schedule, d.terms)
	}
	return d.ranged(y, len(a))
}

// extent is what bounds the range of a dot product, Σ|aᵢ·bᵢ| and Σ|aᵢ| + |bᵢ|,
// and its scatter: the squares of all that was rounded before the lanes are
// combined, products and partial sums.
type extent struct{ magnitude, factors, squares float64 }

// plus takes the product a·b, which makes a partial sum s.
func (r extent) plus(a, b, s float64) extent {
	a, b = math.Abs(a), math.Abs(b)
	p := float64(a * b)
	return extent{r.magnitude + p, r.factors + (a + b), r.squares + (float64(p*p) + float64(s*s))}
}

// chain is one running sum that takes tile products at a time. Its scatter is in
// the extent.
func (d *dotter) chain(a, b []float64, tile int) approx {
	b = b[:len(a)]
	u := d.u
	var r extent
	if tile == 1 {
		var s running
		for i, x := range a {
			s = s.plus(x*b[i], u)
			r = r.plus(x, b[i], s.v)
		}
		d.extent = r
		return approx{v: s.v, e: s.e}
	}
	var v, e float64
	for len(a) > 0 {
		n := min(tile, len(a))
		magnitude, before, squares := math.Abs(v), v, r.squares
		for i, x := range a[:n] {
			p := float64(x * b[i])
			v += p
			magnitude += math.Abs(p)
			r = r.plus(x, b[i], 0)
		}
		meanSquare := min(magnitude*magnitude, float64(v*v)+float64(before*before)+(r.squares-squares))
		r.squares += float64(float64(n) * meanSquare)
		grow := 1 + float64(2*float64(n)*u) // at least (1+u)ⁿ while n·u < 1
		if float64(n)*u >= 0.5 {
			grow = math.Exp(float64(n) * u)
		}
		e = (e + float64(float64(n+1)*u*magnitude)) * grow
		a, b = a[n:], b[n:]
	}
	d.extent = r
	return approx{v: v, e: e}
}

// strided are the lanes' running sums. Their scatter is in the extent.
func (d *dotter) strided(a, b []float64, lanes int) []approx {
	u, block := d.u, max(d.Block, 1)
	b = b[:len(a)]
	d.sums = append(d.sums[:0], make([]approx, lanes)...)
	var r extent
	for i := 0; i < len(a); {
		for l := 0; l < lanes && i < len(a); l++ {
			sum := &d.sums[l]
			s := running{sum.v, sum.e}
			for end := min(i+block, len(a)); i < end; i++ {
				s = s.plus(a[i]*b[i], u)
				r = r.plus(a[i], b[i], s.v)
			}
			sum.v, sum.e = s.v, s.e
		}
	}
	d.extent = r
	return d.sums
}

// running is a running sum of products: its exact value and its error.
type running struct{ v, e float64 }

// plus is the running sum s once it has taken the product p, with both
// roundings.
func (s running) plus(p, u float64) running {
	p = float64(p)
	v := s.v + p
	return running{
		v,
		float64((s.e+float64(u*math.Abs(p)))*(1+u)) + float64(u*math.Abs(v)),
	}
}

// ranged adds what underflow may do to y = a·b and what the lanes scatter, and
// gives up where an intermediate may overflow.
func (d *dotter) ranged(y approx, n int) approx {
	if !finite(y.v) {
		return exactly(y.v)
	}
	if d.n != n {
		d.n, d.perturbation = n, d.perturbed(n)
	}
	if d.extent.magnitude*(1+d.perturbation) > d.largest {
		return bounded(y.v, math.Inf(1))
	}
	underflow := d.eta * float64(n)
	if d.flush {
		underflow = d.eta * (d.extent.factors + float64(4*float64(n)))
	}
	y.e += underflow
	y.systematic += underflow
	y.variance += float64(d.scatter * d.extent.squares)
	return y
}
