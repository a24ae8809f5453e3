package oracles

import "math"

// stateMoments is the moments of the error of row i after the chunk, given (Σ s_j⁴)^½ after
// it. An element s_j is the sum of n+1 terms x, each of two products or one, in any order:
//
//	σ_j² ≤ u²/3·(2Σx² + (n+1)·(s_j² + Σx²))
//
// of which all elements together have no more than the sum of the terms' (Σ x_j⁴)^½.
func (p *chunkPanel) stateMoments(i int, after float64) moments {
	r, n := &p.rows[i], p.chunkBudget.n
	lead, local := p.lead[n-1], &p.local
	squares, magnitude := float64(lead.v*lead.v*r.fourth), float64(math.Abs(lead.v)*r.length)
	s := p.moments[p.at+i].scaled(p.gains[n-1])
	for l, g := range p.tail {
		token := &p.tokens[l]
		t, u, residual := p.first+l, token.Solution[i], moments{token.Variance[i], token.Systematic[i]}
		size := math.Abs(g.v * u)
		along, solved := moments{systematic: g.likely() * math.Abs(u)}, residual.scaled(p.columns[l])
		local.solved.square(origin{moments: residual})
		local.along.square(origin{moments: along})
		s.variance += solved.variance
		s.systematic += float64(p.norms[t]*along.systematic) + solved.systematic
		squares += float64(size * size * p.keyFourths[t] * p.keyFourths[t])
		magnitude += float64(size * p.norms[t])
	}
	terms := float64(n + 1)
	spread := moments{
		float64(p.scatter * (float64((terms+2)*squares) + float64(terms*after))),
		float64(lead.likely()*r.length) + float64(p.underflow(n, magnitude)*math.Sqrt(float64(p.Dk))),
	}
	local.spread.square(origin{moments: spread})
	s.variance += spread.variance
	s.systematic += spread.systematic
	return s
}

// termSum is a sum of products of a coefficient and up to two more factors.
type termSum struct {
	terms, magnitude, squares, systematic float64
}

// take adds the term x with a systematic error of e. The conversions stop
// products from being fused into its additions.
func (s *termSum) take(x, e float64) {
	s.terms++
	s.magnitude += math.Abs(x)
	s.squares += float64(x * x)
	s.systematic += float64(e)
}

// scatter is the sum of the squares of all that is rounded: two products to a
// term, and additions in any order with the result y, as in [arithmetic.open].
func (s *termSum) scatter(y float64) float64 {
	return float64(2*s.squares) + float64(s.terms*(float64(y*y)+s.squares))
}
