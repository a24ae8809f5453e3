package oracles

import "math"

// DequantMatvec is the product of a quantised matrix with each row of x:
//
//	out[t, r] = Σᵢ (q[r, i]·scales[r, i/G] + biases[r, i/G]) · x[t, i]
//
// packed is packed[out, in·b/32], scales and biases are [out, in/G], x is
// x[tokens, in], and the result is out[tokens, out].
//
// Special cases: a NaN in x, or in a group's scale or bias, makes every
// element that reads it NaN. An infinite one makes it non-finite, but whether
// NaN or ±Inf depends on the association.
//
// The terms of the contract's sum are blocks of m values with one scale and one
// bias: words of the sum "row", or whole groups of the sum "groups" where the
// contract has it. A lane takes the (q·s + b)·x of a block in any association:
// it may add them one by one to its running sum, or first make s·Σqx + b·Σx of
// them. A leaf q·s·x or b·x passes at most 3 multiplications; of the at most 2m
// additions of a block, at most m add to the running sum A. With
// W = Σ(|q·s·x| + |b·x|) no result is above |A| + W, or above W without A, so
// that
//
//	E_A ← (E_A + u·(m·|A| + (2m+3)·W))·(1+u)^{2m+3}
//
// and unchanged where every intermediate of all associations fits the format
// on a common grid.
//
// The statistical bound covers every association too. With P = Σqsx and Q = Σbx
// of the block, L² = Σ(qsx)² + (bx)², and A, A' the running sum before and after
// it, the roundings of single leaves and of their q·s + b come to at most 5L² in
// squares; m additions inside the block to (P² + Q² + L²) each as in
// [arithmetic.open]; s·Σqx, b·Σx and their sum to 2(P² + Q²) more; and m
// additions to A to max(A², A'²) and what is inside the block each:
//
//	σ² ← σ² + u²/3·(m·max(A², A'²) + (2m+5)·(P² + Q² + L²))
func DequantMatvec(f Affine, packed []uint32, scales, biases, x []float64, in, out int, c Contract) Answer {
	tokens := 0
	if in > 0 {
		tokens = len(x) / in
	}
	a := newAnswer(tokens*out, "row sum").ofSums()
	p := newAffineProduct(f, Weights{packed, scales, biases}, in, c)
	for t := range tokens {
		p.load(x[t*in : (t+1)*in])
		for r := range out {
			want, bound, s := p.row(r)
			a.set(t*out+r, want, bound)
			a.setMoments(t*out+r, s)
			a.Scale[t*out+r] = p.lanes.magnitude
		}
	}
	return a
}

// DequantExperts is the product of each expert's matrix with its own input,
// out[expert, out], as [DequantMatvec] has it.
func DequantExperts(f Affine, experts []Expert, in, out int, c Contract) Answer {
	a := newAnswer(len(experts)*out, "row sum").ofSums()
	for k, e := range experts {
		p := newAffineProduct(f, e.Weights, in, c)
		p.load(e.X)
		for r := range out {
			want, bound, s := p.row(r)
			a.set(k*out+r, want, bound)
			a.setMoments(k*out+r, s)
			a.Scale[k*out+r] = p.lanes.magnitude
		}
	}
	return a
}

// GatherRows are rows of a quantised table:
//
//	out[t, d] = q[row, d]·scales[row, d/G] + biases[row, d/G],   row = tokens[t]
//
// The table has rows of dim values; the result is out[tokens, dim].
func GatherRows(f Affine, w Weights, tokens []uint32, dim int, c Contract) Answer {
	a := newAnswer(len(tokens)*dim, "product, sum").ofSums()
	m := c.arithmetic()
	for t, token := range tokens {
		for d := range dim {
			at := int(token)*dim + d
			q := f.Value(w.Packed[at/f.PerWord()], at%f.PerWord())
			terms := []approx{m.mul(exactly(q), exactly(w.Scales[at/f.Group])), exactly(w.Biases[at/f.Group])}
			a.give(t*dim+d, m.add(terms[0], terms[1]))
			a.Scale[t*dim+d] = magnitude(terms)
		}
	}
	return a
}

// MatVec is the product of a matrix with each row of x:
//
//	out[t, r] = Σᵢ w[r, i] · x[t, i]
//
// w is w[out, in], x is x[tokens, in], and the result is out[tokens, out]. The
// products are the terms of the contract's sum "row"; they may be fused with
// the additions.
func MatVec(w, x []float64, in, out int, c Contract) Answer {
	tokens := 0
	if in > 0 {
		tokens = len(x) / in
	}
	a := newAnswer(tokens*out, "row sum").ofSums()
	m := c.arithmetic()
	terms := make([]approx, in)
	for t := range tokens {
		for r := range out {
			var want accumulator
			for i := range terms {
				terms[i] = m.mul(exactly(w[r*in+i]), exactly(x[t*in+i]))
				want = want.plus(w[r*in+i] * x[t*in+i])
			}
			y := m.independentSum(c.order("row"), terms)
			a.set(t*out+r, want.value(), y.e)
			a.setMoments(t*out+r, y.moments)
			a.Scale[t*out+r] = absoluteDot(w[r*in:(r+1)*in], x[t*in:(t+1)*in])
		}
	}
	return a
}

// GateUpSwiGLU is the first half of a SwiGLU layer with quantised matrices:
//
//	out[r] = silu(gate_r·x) · (up_r·x),   silu(z) = z/(1 + e^{−z})
//
// x is x[in], both matrices are [out, in]; the products are those of
// [DequantMatvec], with its contract.
//
// Special cases: where a product is not finite, neither is the result, but
// whether NaN or ±Inf depends on the association.
//
// The gate row's part is what the error of its product does to silu: see
// [arithmetic.silu].
func GateUpSwiGLU(f Affine, gate, up Weights, x []float64, in, out int, c Contract) Answer {
	a := newAnswer(out, "gate row", "silu", "up row", "product")
	m := c.arithmetic()
	gates, ups := newAffineProduct(f, gate, in, c), newAffineProduct(f, up, in, c)
	gates.load(x)
	ups.load(x)
	for r := range out {
		g, gateError, gateMoments := gates.row(r)
		u, upError, upMoments := ups.row(r)
		if !finite(g) || !finite(u) {
			v := g / (1 + math.Exp(-g)) * u
			a.set(r, v, gateError+upError, 0, 0, 0)
			continue
		}
		s := m.silu(approx{g, gateError, gateMoments})
		y := m.mul(s, approx{u, upError, upMoments})
		own := min(m.silu(exactly(g)).e, s.e)
		a.setParts(r, s.v*u, y.e, float64((s.e-own)*math.Abs(u)), float64(own*math.Abs(u)), math.Abs(s.v)*upError)
		a.setMoments(r, y.moments)
	}
	return a
}
