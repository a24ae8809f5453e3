package oracles

import "math"

// chunkRow is the statistical side of [chunkBudget] for one row of the state in
// one chunk. It follows the same derivation, to first order in u:
//
//   - what is carried goes by the recurrence's norms, the largest variance of the
//     row's error by their squares, as in [stepBudget], or by the adjoint;
//   - many coefficients share the error of a decay, so that its scatter does not average
//     out: it counts as systematic, all deviations of it;
//   - the roundings of the products k_i·k_l and k_i·q_l, and those of a sum, are its own:
//     residuals of different tokens are independent, and so are their effects on an
//     element, by the squares of what they reach.
type chunkRow struct {
	*chunkBudget
	u         []float64 // U_l
	residuals []moments // of r_l
}

func (b *chunkBudget) newRow() *chunkRow {
	return &chunkRow{chunkBudget: b, u: make([]float64, b.n), residuals: make([]moments, b.n)}
}

// solved takes Û_l, given U_l, v_l and the product y of the start state with
// k_l.
func (r *chunkRow) solved(l int, u, v float64, y approx) {
	r.u[l] = u
	beta, lead := r.beta[r.first+l], r.lead[l]
	sum := termSum{}
	sum.take(beta*v, 0)
	sum.take(beta*lead.v*y.v, math.Abs(beta)*(float64(lead.likely()*math.Abs(y.v))+float64(lead.v*y.systematic)))
	variance := float64(beta * beta * lead.v * lead.v * y.variance)
	for i, a := range r.a[l] {
		sum.take(a.v*r.u[i], a.systematic*math.Abs(r.u[i]))
		variance += float64(a.variance * r.u[i] * r.u[i])
	}
	r.residuals[l] = moments{variance + float64(r.scatter*sum.scatter(u)), sum.systematic + r.underflow(l, sum.magnitude)}
}

// output is the moments of what the chunk adds to the error of o_l, given the product z of
// the start state with q_l.
func (r *chunkRow) output(l int, o float64, z approx) moments {
	lead := r.lead[l]
	sum := termSum{}
	sum.take(lead.v*z.v, float64(lead.likely()*math.Abs(z.v))+float64(lead.v*z.systematic))
	variance := float64(lead.v * lead.v * z.variance)
	for i, p := range r.p[l] {
		x := r.residuals[i].scaled(r.reach[l][i])
		sum.take(p.v*r.u[i], float64(p.systematic*math.Abs(r.u[i]))+x.systematic)
		variance += float64(p.variance*r.u[i]*r.u[i]) + x.variance
	}
	return moments{variance + float64(r.scatter*sum.scatter(o)), sum.systematic + r.underflow(l, sum.magnitude)}
}

// state is the moments of the error of row i after the chunk, given (Σ s_j⁴)^½ before and
// after it. An element s_j is the sum of n+1 terms x, each of two products or one, in any
// order:
//
//	σ_j² ≤ u²/3·(2Σx² + (n+1)·(s_j² + Σx²))
//
// of which all elements together have no more than the sum of the terms' (Σ x_j⁴)^½.
func (r *chunkRow) state(carried moments, length, before, after float64, i int) moments {
	lead, local := r.lead[r.n-1], &r.block.squares[i]
	squares, magnitude := float64(lead.v*lead.v*before), math.Abs(lead.v)*length
	s := carried.scaled(r.gains[r.n-1])
	for l, g := range r.tail {
		t, size := r.first+l, math.Abs(g.v*r.u[l])
		along, solved := moments{systematic: g.likely() * math.Abs(r.u[l])}, r.residuals[l].scaled(r.columns[l])
		local.solved.square(origin{moments: r.residuals[l]})
		local.along.square(origin{moments: along})
		s.variance += solved.variance
		s.systematic += float64(r.norms[t]*along.systematic) + solved.systematic
		squares += float64(size * size * r.keyFourths[t] * r.keyFourths[t])
		magnitude += float64(size * r.norms[t])
	}
	terms := float64(r.n + 1)
	spread := moments{
		float64(r.scatter * (float64((terms+2)*squares) + float64(terms*after))),
		float64(lead.likely()*length) + float64(r.underflow(r.n, magnitude)*math.Sqrt(float64(r.Dk))),
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
