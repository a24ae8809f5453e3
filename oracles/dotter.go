package oracles

import "math"

// dotter evaluates dot products of exact vectors as a kernel computes them in
// one schedule.
type dotter struct {
	*arithmetic
	order
	terms  []approx
	sums   []approx
	extent extent // of the last vectors

	n        int     // their length
	rowGamma float64 // (n+1)·u·(1+u)^{n+1}
}

func (m *arithmetic) dotter(o order) *dotter { return &dotter{arithmetic: m.sums, order: o} }

// dot is Σ aᵢ·bᵢ with its running error. Unlike [arithmetic.sum] it never finds
// a sum to be exact: it is the oracles' innermost loop.
func (d *dotter) dot(a, b []float64) approx {
	y := d.evaluate(a, b)
	if d.tracer != nil {
		y = d.tracer.formed(d.order, y, 0, func() []float64 { return termwise(a, b) })
	}
	return y
}

// evaluate is [dotter.dot] untraced.
func (d *dotter) evaluate(a, b []float64) approx {
	lanes, tile := max(d.Lanes, 1), max(d.Tile, 1)
	var y approx
	switch {
	case d.narrow():
		return d.apart(a, b)
	case lanes == 1:
		y = d.oneLane(a, b, tile)
	case tile == 1:
		y = d.combine(d.strided(a, b, lanes), d.Schedule)
	default:
		return d.apart(a, b)
	}
	return d.ranged(y, len(a))
}

// apart makes the products first, and then their sum.
func (d *dotter) apart(a, b []float64) approx {
	d.terms = d.terms[:0]
	for i, x := range a {
		d.terms = append(d.terms, d.mul(exactly(x), exactly(b[i])))
	}
	return d.independent(d.Schedule, d.terms)
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

// oneLane is one running sum that takes tile products at a time. Its scatter is in
// the extent.
func (d *dotter) oneLane(a, b []float64, tile int) approx {
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
		d.n, d.rowGamma = n, d.gamma(n)
	}
	if d.extent.magnitude*(1+d.rowGamma) > d.largest {
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

// norm2 is Σ x², exact where all partial sums are numbers of the format: where
// the sum is at most 1/u times the largest power of two that divides all squares.
func (d *dotter) norm2(x []float64) approx {
	y := d.dot(x, x)
	unit := math.Inf(1)
	for _, v := range x {
		unit = min(unit, lowestBit(v))
	}
	if d.exactSum(unit*unit, y.v) {
		return exactly(y.v)
	}
	return y
}
