package oracles

import "math"

// MLAProjection is the key and value up-projection of latent attention,
// quantised: of the PerHead rows of each head the first NoPE make its keys and
// the next Value its values.
type MLAProjection struct {
	Affine
	Packed         []uint32  // W[heads·PerHead, Rank·Bits/32]
	Scales, Biases []float64 // [heads·PerHead, Rank/Group]

	Heads, NoPE, Value, Rank, PerHead int
}

// MLAQuery folds the key projection into the query:
//
//	q'[h, c] = Σᵢ q_nope[h, i] · (q[r, c]·scales[r, c/G] + biases[r, c/G]),  r = h·PerHead + i
//
// Special cases: a NaN in q_nope, or in a scale or bias, makes every element
// that reads it NaN. An infinite one makes it non-finite, but whether NaN or
// ±Inf depends on the association.
//
// The contract's sum "query" adds its terms by ascending i. A term may be taken
// as (q·s + b)·x or as its leaves q·s·x and b·x, each of which passes at most
// two multiplications, and which may be added to the running sum one by one.
// Both ways are charged.
//
// Source: DeepSeek-AI, DeepSeek-V2, 2024, section 2.1.2.
func MLAQuery(p MLAProjection, qNope []float64, c Contract) Answer {
	a := newAnswer(p.Heads*p.Rank, "column sum").ofSums()
	m := c.arithmetic()
	o := c.order("query")
	o.Block = 2 * max(o.Block, 1) // two leaves to a term
	leaves := make([]approx, 2*p.NoPE)
	for h := range p.Heads {
		for col := range p.Rank {
			var want accumulator
			nan := false
			for i, x := range qNope[h*p.NoPE : (h+1)*p.NoPE] {
				q, scale, bias := p.at(h*p.PerHead+i, col)
				term := (float64(q*scale) + bias) * x
				want = want.plus(term)
				a.Scale[h*p.Rank+col] += math.Abs(term)
				nan = nan || math.IsNaN(x) || math.IsNaN(scale) || math.IsNaN(bias)
				leaves[2*i], leaves[2*i+1] = m.leaves(q, scale, bias, x)
			}
			switch y := want.value(); {
			case finite(y):
				sum := m.independentSum(o, leaves)
				a.set(h*p.Rank+col, y, sum.e)
				a.setMoments(h*p.Rank+col, sum.moments)
			case nan:
				a.set(h*p.Rank+col, y, 0)
			default:
				a.set(h*p.Rank+col, y, math.NaN())
			}
		}
	}
	return a
}

// at is the integer at a row and a column with its scale and bias.
func (p *MLAProjection) at(row, col int) (q, scale, bias float64) {
	words, groups := p.Rank/p.PerWord(), p.Rank/p.Group
	q = p.Affine.Value(p.Packed[row*words+col/p.PerWord()], col%p.PerWord())
	g := row*groups + col/p.Group
	return q, p.Scales[g], p.Biases[g]
}

// leaves are q·s·x and b·x, the first with the most that its two associations
// may lose, the second with what (q·s + b)·x may lose on top.
func (m *arithmetic) leaves(q, s, b, x float64) (product, offset approx) {
	scaled := m.mul(exactly(q), exactly(s))
	product, offset = m.mul(scaled, exactly(x)), m.mul(exactly(b), exactly(x))
	product = widest(product, m.mul(exactly(q), m.mul(exactly(s), exactly(x))))
	whole := m.mul(m.add(scaled, exactly(b)), exactly(x))
	offset.e += whole.e
	offset.moments = offset.plus(whole.moments)
	return product, offset
}

// MLAOutput applies the value projection to the attended latent rows:
//
//	out[h, f] = Σ_c v_combine[h, c] · (q[r, c]·scales[r, c/G] + biases[r, c/G]),  r = h·PerHead + NoPE + f
//
// It is [DequantMatvec] of each head's value rows, with its special cases and
// its contract.
func MLAOutput(p MLAProjection, vCombine []float64, c Contract) Answer {
	out := newAnswer(0, "row sum")
	words, groups := p.Rank/p.PerWord(), p.Rank/p.Group
	for h := range p.Heads {
		first := h*p.PerHead + p.NoPE
		end := first + p.Value
		head := DequantMatvec(p.Affine, p.Packed[first*words:end*words], p.Scales[first*groups:end*groups],
			p.Biases[first*groups:end*groups],
			vCombine[h*p.Rank:(h+1)*p.Rank], p.Rank, p.Value, c)
		out.Want = append(out.Want, head.Want...)
		out.Budget[0].Error = append(out.Budget[0].Error, head.Budget[0].Error...)
		out.Scale = append(out.Scale, head.Scale...)
		out.Sigma = append(out.Sigma, head.Sigma...)
		out.Systematic = append(out.Systematic, head.Systematic...)
	}
	return out
}

// MLASplit splits each head's query, and the compressed row of keys and values,
// into the part that is not rotated and the part that is:
//
//	q_full[h] = (q_nope[h], q_pe[h]),   kv_pre = (kv_lat, k_pe)
//
// q_full is [heads, nope+rope], kv_pre is [rank+rope]. The results are copies.
func MLASplit(qFull, kvPre []float64, nope, rope, rank int) (qNope, qPe, kvLat, kPe Answer) {
	for first := 0; first < len(qFull); first += nope + rope {
		qNope.Want = append(qNope.Want, qFull[first:first+nope]...)
		qPe.Want = append(qPe.Want, qFull[first+nope:first+nope+rope]...)
	}
	kvLat.Want, kPe.Want = kvPre[:rank], kvPre[rank:rank+rope]
	for _, a := range []*Answer{&qNope, &qPe, &kvLat, &kPe} {
		a.Exact = true
	}
	return qNope, qPe, kvLat, kPe
}
