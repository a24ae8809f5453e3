package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// dotter evaluates dot products of exact vectors as a kernel computes them in
// one schedule.
type dotter struct {
	*arithmetic
	order
	terms  []approx
	sums   []approx
	a, b   []float64 // what a lane takes
	extent extent    // of the last vectors
	rows   panelSums

	n        int     // their length
	rowGamma float64 // (n+1)·u·(1+u)^{n+1}
}

func (m *arithmetic) dotter(o order) *dotter { return &dotter{arithmetic: m.sums, order: o} }

// dot is Σ aᵢ·bᵢ with its running error. Unlike [arithmetic.sum] it never finds
// a sum to be exact: it is the oracles' innermost loop.
func (d *dotter) dot(a, b []float64) approx { return d.dotOf(a, b, d.factors(a, b)) }

// factors is Σ|aᵢ| + |bᵢ|, of which flushing makes something.
func (d *dotter) factors(a, b []float64) float64 {
	if !d.flush {
		return 0
	}
	return absoluteSum(a) + absoluteSum(b)
}

// dotOf is [dotter.dot] for callers that have Σ|aᵢ| + |bᵢ|.
func (d *dotter) dotOf(a, b []float64, factors float64) approx {
	return d.traced(d.evaluate(a, b, factors), a, b)
}

// traced is a·b as a tracer has it.
func (d *dotter) traced(y approx, a, b []float64) approx {
	if d.tracer != nil {
		y = d.tracer.formed(d.order, y, 0, func() []float64 { return termwise(a, b) })
	}
	return y
}

// evaluate is [dotter.dotOf] untraced.
func (d *dotter) evaluate(a, b []float64, factors float64) approx {
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
	return d.ranged(y, len(a), factors)
}

// apart makes the products first, and then their sum.
func (d *dotter) apart(a, b []float64) approx {
	d.terms, d.extent = d.terms[:0], extent{}
	for i, x := range a {
		d.terms = append(d.terms, d.mul(exactly(x), exactly(b[i])))
		d.extent.magnitude += math.Abs(x * b[i])
	}
	return d.independent(d.Schedule, d.terms)
}

// extent is what bounds the range of a dot product, Σ|aᵢ·bᵢ|, and its scatter: the
// squares of all that was rounded before the lanes are combined, products and partial
// sums.
type extent struct{ magnitude, squares float64 }

// oneLane is one running sum that takes tile products at a time. Its scatter is in
// the extent.
func (d *dotter) oneLane(a, b []float64, tile int) approx {
	b = b[:len(a)]
	d.extent = extent{}
	if tile == 1 {
		return d.lane(a, b)
	}
	var v, e float64
	for len(a) > 0 {
		n := min(tile, len(a))
		magnitude, before, r := math.Abs(v), v, extent{}
		for i, x := range a[:n] {
			p := float64(x * b[i])
			v += p
			r.magnitude += math.Abs(p)
			r.squares += float64(p * p)
		}
		magnitude += r.magnitude
		meanSquare := min(magnitude*magnitude, float64(v*v)+float64(before*before)+r.squares)
		d.extent.magnitude += r.magnitude
		d.extent.squares += r.squares + float64(float64(n)*meanSquare)
		c := d.tile(n)
		e = (e + float64(c.Rounding*magnitude)) * c.Grown
		a, b = a[n:], b[n:]
	}
	return approx{v: v, e: e}
}

// tile is what tiles of n products share.
func (d *dotter) tile(n int) loops.DotTile {
	terms := float64(n)
	grown := 1 + float64(2*terms*d.u) // at least (1+u)ⁿ while n·u < 1
	if terms*d.u >= 0.5 {
		grown = math.Exp(terms * d.u)
	}
	return loops.DotTile{Terms: terms, Rounding: (terms + 1) * d.u, Grown: grown}
}

// lane is a running sum that takes product after product. With partial sums s_k of n
// products, of which the first is added to 0, exactly, the recurrence of [arithmetic.sum]
// comes to
//
//	E = u·Σ|p_k|·(1+u)^{n−max(k, 1)} + u·Σ_{k≥1}|s_k|·(1+u)^{n−1−k}
func (d *dotter) lane(a, b []float64) approx {
	if len(a) == 0 {
		return approx{}
	}
	b, grown := b[:len(a)], d.roundings(len(a))
	s := float64(a[0] * b[0])
	magnitude, squares, before := math.Abs(s), float64(s*s), grown[0]
	e := float64(magnitude * before)
	for i := 1; i < len(a); i++ {
		p := float64(a[i] * b[i])
		s += p
		size := math.Abs(p)
		magnitude += size
		e += float64(size*before) + float64(math.Abs(s)*grown[i])
		squares += float64(p*p) + float64(s*s)
		before = grown[i]
	}
	d.extent.magnitude += magnitude
	d.extent.squares += squares
	return approx{v: s, e: e}
}

// strided are the lanes' running sums. Their scatter is in the extent.
func (d *dotter) strided(a, b []float64, lanes int) []approx {
	block := max(d.Block, 1)
	d.extent, d.sums = extent{}, d.sums[:0]
	if len(a) == lanes*block {
		return d.blocks(a, b, block)
	}
	for first := 0; first < lanes*block; first += block {
		d.a, d.b = d.a[:0], d.b[:0]
		for at := first; at < len(a); at += lanes * block {
			end := min(at+block, len(a))
			d.a, d.b = append(d.a, a[at:end]...), append(d.b, b[at:end]...)
		}
		d.sums = append(d.sums, d.lane(d.a, d.b))
	}
	return d.sums
}

// blocks are the running sums of lanes that take one block each: [dotter.lane] of all.
func (d *dotter) blocks(a, b []float64, block int) []approx {
	grown := d.roundings(block)
	var magnitude, squares float64
	for b = b[:len(a)]; len(a) > 0; a, b = a[block:], b[block:] {
		s := float64(a[0] * b[0])
		size, before := math.Abs(s), grown[0]
		e := float64(size * before)
		magnitude += size
		squares += float64(s * s)
		for i := 1; i < len(grown); i++ {
			p := float64(a[i] * b[i])
			s += p
			size = math.Abs(p)
			magnitude += size
			e += float64(size*before) + float64(math.Abs(s)*grown[i])
			squares += float64(p*p) + float64(s*s)
			before = grown[i]
		}
		d.sums = append(d.sums, approx{v: s, e: e})
	}
	d.extent = extent{magnitude, squares}
	return d.sums
}

// ranged adds what underflow may do to y, a sum of n products, and what the lanes scatter,
// and gives up where an intermediate may overflow.
func (d *dotter) ranged(y approx, n int, factors float64) approx {
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
		underflow = d.eta * (factors + float64(4*float64(n)))
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
