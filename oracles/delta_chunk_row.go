package oracles

import "math"

// chunkRow is the statistical side of [chunkBudget] for one row of the state in
// one chunk. It follows the same derivation, to first order in u:
//
//   - what is carried goes by the recurrence's norms, the largest variance of the
//     row's error by their squares, as in [stepBudget];
//   - the coefficients are shared by all rows and by all that a chunk sums, so
//     their scatter does not average out: it counts as systematic, all deviations
//     of it;
//   - the roundings of a sum are its own: residuals of different tokens are
//     independent, and their variances take the squares of the inverse;
//   - the Û_l share residuals, so that sums over them take standard deviations.
type chunkRow struct {
	*chunkBudget
	u          []float64 // U_l
	systematic []float64 // of Û_l
	sigma      []float64 // of Û_l, without what is systematic

	residuals []moments
}

func (b *chunkBudget) newRow() *chunkRow {
	x := make([]float64, 3*b.n)
	return &chunkRow{chunkBudget: b, u: x[:b.n], systematic: x[b.n : 2*b.n], sigma: x[2*b.n:], residuals: make([]moments, b.n)}
}

// solved takes Û_l, given U_l, v_l and the product y of the start state with
// k_l.
func (r *chunkRow) solved(l int, u, v float64, y approx) {
	r.u[l] = u
	beta, lead := r.beta[r.first+l], r.lead[l]
	sum := termSum{}
	sum.take(beta*v, 0)
	sum.take(beta*lead.v*y.v, math.Abs(beta)*(float64(lead.likely()*math.Abs(y.v))+float64(lead.v*y.systematic)))
	for i, a := range r.a[l] {
		sum.take(a.v*r.u[i], r.likelyA[l][i]*math.Abs(r.u[i]))
	}
	r.residuals[l] = moments{
		float64(beta*beta*lead.v*lead.v*y.variance) + float64(r.scatter*sum.scatter(u)),
		sum.systematic + r.underflow(l, sum.magnitude),
	}
	var variance float64
	r.systematic[l] = 0
	for j, x := range r.inverse[l][:l+1] {
		s := r.residuals[j].scaled(x)
		variance += s.variance
		r.systematic[l] += s.systematic
	}
	r.sigma[l] = math.Sqrt(variance)
}

// output is the moments of the error of o_l, given those of the row at the chunk's
// start and the product z of the start state with q_l.
func (r *chunkRow) output(l int, o float64, carried moments, z approx) moments {
	lead := r.lead[l]
	sum := termSum{}
	sum.take(lead.v*z.v, float64(lead.likely()*math.Abs(z.v))+float64(lead.v*z.systematic))
	var sigma float64
	for i, p := range r.p[l] {
		size := math.Abs(p.v)
		sum.take(p.v*r.u[i], float64(r.likelyP[l][i]*math.Abs(r.u[i]))+float64(size*r.systematic[i]))
		sigma += float64(size * r.sigma[i])
	}
	s := carried.scaled(r.queryNorms[r.first+l] * r.gains[l])
	s.variance += float64(sigma*sigma) + float64(lead.v*lead.v*z.variance) + float64(r.scatter*sum.scatter(o))
	s.systematic += sum.systematic + r.underflow(l, sum.magnitude)
	return s
}

// state is the moments of the error of the row after the chunk. peak is its largest
// element then; length and start are its norm and its largest element before.
func (r *chunkRow) state(carried moments, length, start, peak float64) moments {
	lead := r.lead[r.n-1]
	sum := termSum{}
	sum.take(lead.v*start, lead.likely()*length)
	var sigma float64
	for i, g := range r.tail {
		kappa, size := r.norms[r.first+i], math.Abs(g.v)
		sum.take(g.v*r.u[i]*r.keyPeaks[r.first+i], kappa*(float64(g.likely()*math.Abs(r.u[i]))+float64(size*r.systematic[i])))
		sigma += float64(kappa * size * r.sigma[i])
	}
	s := carried.scaled(r.gains[r.n-1])
	s.variance += float64(sigma*sigma) + float64(r.scatter*sum.scatter(peak))
	s.systematic += sum.systematic + float64(r.underflow(r.n, sum.magnitude)*math.Sqrt(float64(r.Dk)))
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
