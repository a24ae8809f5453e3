package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// AttentionScores is, for the first Len columns of each row,
//
//	scores[h, p] = scale·Σ_d q[h, d]·k[p, kv(h), d]
//
// q is [H, D], keys is [rows, Hg, D], scores is [H, Stride]. Columns from Len
// on are not written: their wants are prior's. The sum is the contract's
// "score".
func AttentionScores(q, keys, prior []float64, p Cached, scale float64, c Contract) Answer {
	a := newAnswer(p.H*p.Stride, "q·k, scale").ofSums()
	copy(a.Want, prior)
	m := c.arithmetic()
	score := m.dotter(c.order("score"))
	var parts panel
	var rows [loops.Panel][]float64
	for h := range p.H {
		query := q[h*p.D : (h+1)*p.D]
		parts.splitFor(score, query)
		for from := 0; from < p.Len; from += len(rows) {
			keys := p.rows(rows[:min(len(rows), p.Len-from)], keys, h, from)
			score.productsWith(&parts, keys, func(i int, y approx, size float64) {
				s := m.scaledProduct(scale, y, func() (magnitude, squares float64) {
					_, magnitude, squares = products(query, keys[i])
					return magnitude, squares
				})
				at := h*p.Stride + from + i
				a.set(at, s.v, known(s.v, s.e))
				a.setMoments(at, s.moments)
				a.Scale[at] = math.Abs(scale) * size
			})
		}
	}
	return a
}

// rows sets list to those of the cache that a head sees from one position on.
func (p *Cached) rows(list [][]float64, cache []float64, h, from int) [][]float64 {
	for i := range list {
		first := ((from+i)*p.Hg + p.Mapping.Head(h, p.H, p.Hg)) * p.D
		list[i] = cache[first : first+p.D]
	}
	return list
}

// RepeatTiled broadcasts each of hg heads to h heads:
//
//	dst[t, i, d] = src[t, i mod hg, d]
//
// src is src[seq, hg, k] and dst is dst[seq, h, k]. The result is exact: every
// bit is copied.
func RepeatTiled(src []float64, seq, hg, h, k int) Answer {
	return repeat(src, seq, hg, h, k, TiledHeads)
}

func repeat(src []float64, seq, hg, h, k int, m Mapping) Answer {
	a := Answer{Want: make([]float64, 0, seq*h*k), Exact: true}
	for t := range seq {
		for i := range h {
			first := (t*hg + m.Head(i, h, hg)) * k
			a.Want = append(a.Want, src[first:first+k]...)
		}
	}
	return a
}

// RepeatBlock is RepeatTiled with the block mapping:
//
//	dst[t, i, d] = src[t, i / (h/hg), d]
func RepeatBlock(src []float64, seq, hg, h, k int) Answer {
	return repeat(src, seq, hg, h, k, BlockHeads)
}

// Cached is attention of one token against a cache of Hg key heads. Only the first
// Len rows of the cache count.
type Cached struct {
	H, Hg, D    int
	Len, Stride int // positions that count; columns of a row of scores
	Mapping     Mapping
}

// SoftmaxRows is the softmax of the first n columns of each row of x, which
// has stride columns; the others stay. The sum is the contract's "denominator".
//
// Special cases: a row with a NaN or +∞ becomes NaN, and so does one of −∞
// alone; −∞ next to a number becomes 0.
func SoftmaxRows(x []float64, stride, n int, c Contract) Answer {
	a := newAnswer(len(x), "exp, sum, division")
	copy(a.Want, x)
	m := c.arithmetic()
	for first := 0; first+stride <= len(x); first += stride {
		for i, p := range m.softmax(x[first:first+n], c.order("denominator")) {
			a.set(first+i, p.v, known(p.v, p.e))
			a.setMoments(first+i, p.moments)
		}
	}
	return a
}

// AttentionValues is
//
//	out[h, d] = Σ_{p<Len} weights[h, p]·v[p, kv(h), d]
//
// weights is [H, Stride], values is [rows, Hg, D]. The sum is the contract's
// "values".
func AttentionValues(weights, values []float64, p Cached, c Contract) Answer {
	a := newAnswer(p.H*p.D, "Σ w·v").ofSums()
	sum := c.arithmetic().dotter(c.order("values"))
	var parts panel
	var columns [loops.Panel][]float64 // of channels, as many as come from memory together
	for i := range columns {
		columns[i] = make([]float64, p.Len)
	}
	for h := range p.H {
		parts.splitFor(sum, weights[h*p.Stride:h*p.Stride+p.Len])
		for first := 0; first < p.D; first += len(columns) {
			list := columns[:min(len(columns), p.D-first)]
			for pos := range p.Len {
				row := values[(pos*p.Hg+p.Mapping.Head(h, p.H, p.Hg))*p.D+first:]
				for i := range list {
					list[i][pos] = row[i]
				}
			}
			sum.productsWith(&parts, list, func(i int, y approx, size float64) {
				d := h*p.D + first + i
				a.set(d, y.v, known(y.v, y.e))
				a.setMoments(d, y.moments)
				a.Scale[d] = size
			})
		}
	}
	return a
}

// SplitQGate splits each head of a projection into its first half, the query,
// and its second, the gate. proj is [rows, 2·d]; the results are [rows, d] and
// exact.
func SplitQGate(proj []float64, d int) (q, gate Answer) {
	q.Exact, gate.Exact = true, true
	for ; len(proj) > 0; proj = proj[2*d:] {
		q.Want = append(q.Want, proj[:d]...)
		gate.Want = append(gate.Want, proj[d:2*d]...)
	}
	return q, gate
}

// CacheAppend is cache with the elements of src from element at on. It is exact.
func CacheAppend(cache, src []float64, at int) Answer {
	a := Answer{Want: append([]float64(nil), cache...), Exact: true}
	copy(a.Want[at:], src)
	return a
}
