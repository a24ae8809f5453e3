package oracles

import "math"

// DequantizeCache is positions start … start+n−1 of every head, out[heads, n,
// dim]:
//
//	Dim ≤ 256:  out[h, t, d] = C[i]·norms[h, p, 0]·Dim^−½,                                  p = start + t
//	otherwise:  out[h, t, d] = C[i]·norms[h, p, min(⌊d/256⌋, NormsPerPos − 1)]/Scale,   i = index[h, p, d]
//
// The result is the vector that was rotated, not the one before.
//
// Special cases: a norm that is not finite reaches the coordinates of its block
// and no other. A level of 0 times an infinite norm is NaN.
//
// The products may be associated in any way, and the division may be a product with
// the reciprocal: three roundings, or none where Dim is a power of four, or Scale
// one of two, and the products fit the format. Where an intermediate product may
// overflow, nothing is promised.
func DequantizeCache(p Cache, start, n int, c Contract) Answer {
	a := newAnswer(p.Heads*n*p.Dim, "level, norm and scale")
	m := c.arithmetic()
	products, known := make([]approx, len(p.Levels)), make([]bool, len(p.Levels)) // of the levels with one norm
	for h := range p.Heads {
		for t := range n {
			position := h*p.Capacity + start + t
			for d := range p.Dim {
				if d%normBlock == 0 {
					clear(known)
				}
				i := p.index(position, d)
				if !known[i] {
					norm := p.Norms[position*p.NormsPerPos+min(d/normBlock, p.NormsPerPos-1)]
					products[i], known[i] = p.scaled(m, p.Levels[i], norm), true
				}
				a.give((h*n+t)*p.Dim+d, products[i])
			}
		}
	}
	return a.ofProducts()
}

// Cache is a cache of vectors of Dim coordinates, a power of two, each kept as
// an index into a codebook: Packed[Heads, Capacity, …] has two coordinates of 4
// bits to a byte, the even one in the low half, or one coordinate to a byte,
// whose bits above Bits do not count.
type Cache struct {
	Packed      []uint32  // bytes
	Norms       []float64 // norms[Heads, Capacity, NormsPerPos]
	Levels      []float64 // of the codebook, 2^Bits
	Bits        int
	Heads       int
	Dim         int
	Capacity    int
	NormsPerPos int
	Scale       float64 // of vectors of more than 256 coordinates
}

// normBlock is the number of coordinates that share a norm.
const normBlock = 256

// index is that of coordinate d of a position.
func (p *Cache) index(position, d int) uint32 {
	if p.Bits == 4 {
		return p.Packed[position*(p.Dim/2)+d/2] >> (d % 2 * 4) & 15
	}
	return p.Packed[position*p.Dim+d] & (1<<p.Bits - 1)
}

// scaled is a level times its norm, scaled, with the largest error of every
// association.
func (p *Cache) scaled(m *arithmetic, level, norm float64) approx {
	x, y := exactly(level), exactly(norm)
	if p.Dim <= normBlock {
		r := m.inverseRoot(p.Dim)
		return widest(m.mul(m.mul(x, y), r), m.mul(x, m.mul(y, r)), m.mul(m.mul(x, r), y))
	}
	s := exactly(p.Scale)
	r := m.quotient(exactly(1), s)
	return widest(
		m.quotient(m.mul(x, y), s), m.mul(x, m.quotient(y, s)), m.mul(m.quotient(x, s), y),
		m.mul(m.mul(x, y), r), m.mul(x, m.mul(y, r)), m.mul(m.mul(x, r), y))
}

// quotient is a/b, exact where the format holds the quotient of exact operands
// and division is correctly rounded.
func (m *arithmetic) quotient(a, b approx) approx {
	a, b = m.operand(a), m.operand(b)
	v := a.v / b.v
	exact := m.rounds("divide") && a.e == 0 && b.e == 0 && finite(v) && m.format.holds(v) && v*b.v == a.v
	if exact && !m.below(a) && !m.below(b) && !m.below(exactly(v)) {
		return exactly(v)
	}
	return m.div(a, b)
}

// inverseRoot is n^−½ for a power of two n, exact in correctly rounded
// functions where n is a power of four.
func (m *arithmetic) inverseRoot(n int) approx {
	v := 1 / math.Sqrt(float64(n))
	if m.rounds("rsqrt") && m.rounds("sqrt") && m.rounds("divide") && v*v*float64(n) == 1 && m.format.holds(v) {
		return exactly(v)
	}
	return m.rsqrt(exactly(float64(n)))
}

// widest is the first of several evaluations of one number with the largest
// error and the largest moments of all.
func widest(of ...approx) approx {
	y := of[0]
	for _, x := range of[1:] {
		y.e = max(y.e, x.e)
		y.variance, y.systematic = max(y.variance, x.variance), max(y.systematic, x.systematic)
	}
	return y
}
