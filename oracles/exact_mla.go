package oracles

import (
	"math"
	"math/big"
)

// ExactMLATile are the exact twins of [MLATile].
func ExactMLATile(p MLA, prior MLAState, tiles [][2]int, first bool) (maximum, denom, values Exact) {
	carried := &prior
	if first {
		carried = nil
	}
	maximum = func(h int) *big.Float { return p.softmaxOf(h, carried, tiles).maximum().Float }
	denom = func(h int) *big.Float { return p.softmaxOf(h, carried, tiles).denom().Float }
	values = func(i int) *big.Float { return p.softmaxOf(i/p.Rank, carried, tiles).value(i % p.Rank).Float }
	return maximum, denom, values
}

// ExactMLAFolded is the exact twin of [MLAFolded].
func ExactMLAFolded(p MLA) Exact {
	all := [][2]int{{0, len(p.RopeK) / p.Rope}}
	return func(i int) *big.Float {
		s := p.softmaxOf(i/p.Rank, nil, all)
		return s.value(i % p.Rank).over(s.denom()).Float
	}
}

// ExactMLAFinalize is the exact twin of [MLAFinalize].
func ExactMLAFinalize(values, denom []float64, rank int) Exact {
	return func(i int) *big.Float {
		if denom[i/rank] == 0 {
			return num(0).Float
		}
		return num(values[i]).over(num(denom[i/rank])).Float
	}
}

// latentSoftmax is the softmax of one head over a prior state and positions.
type latentSoftmax struct {
	MLA
	head      int
	prior     *MLAState // nil if there is none
	max       number    // of all scores and the prior's, if there are scores
	positions []int
	scores    []number
}

func (p MLA) softmaxOf(h int, prior *MLAState, tiles [][2]int) latentSoftmax {
	s := latentSoftmax{MLA: p, head: h, prior: prior, max: num(math.Inf(-1))}
	for _, t := range tiles {
		for pos := t[0]; pos < t[1]; pos++ {
			s.positions, s.scores = append(s.positions, pos), append(s.scores, p.score(h, pos))
		}
	}
	if prior != nil && len(s.scores) > 0 {
		s.max = num(prior.Max[h])
	}
	s.max = s.max.larger(largestOf(s.scores))
	return s
}

// maximum is that of the state: the prior's, whatever it is, without positions.
func (s latentSoftmax) maximum() number {
	if s.prior != nil && len(s.scores) == 0 {
		return num(s.prior.Max[s.head])
	}
	return s.max
}

// weight is e^{s_j − M} of the j-th position.
func (s latentSoftmax) weight(j int) number { return s.scores[j].minus(s.max).exp() }

// carried is what a number of the prior state comes to: x·e^{m − M}, x itself
// without positions, and nothing, whatever it is, where m is −∞.
func (s latentSoftmax) carried(x float64) number {
	switch {
	case len(s.scores) == 0:
		return num(x)
	case math.IsInf(s.prior.Max[s.head], -1):
		return num(0)
	}
	return num(x).times(num(s.prior.Max[s.head]).minus(s.max).exp())
}

// denom is the denominator.
func (s latentSoftmax) denom() number {
	y := sumOf(len(s.scores), s.weight)
	if s.prior == nil {
		return y
	}
	return y.plus(s.carried(s.prior.Denom[s.head]))
}

// value is channel c of the weighted sum of values.
func (s latentSoftmax) value(c int) number {
	y := sumOf(len(s.scores), func(j int) number { return s.weight(j).times(num(s.Latent[s.positions[j]*s.Rank+c])) })
	if s.prior == nil {
		return y
	}
	return y.plus(s.carried(s.prior.Values[s.head*s.Rank+c]))
}

// score is that of a position.
func (p MLA) score(h, pos int) number {
	latent := innerOf(p.QPrime[h*p.Rank:(h+1)*p.Rank], p.Latent[pos*p.Rank:(pos+1)*p.Rank])
	rope := innerOf(p.QPe[h*p.Rope:(h+1)*p.Rope], p.RopeK[pos*p.Rope:(pos+1)*p.Rope])
	return num(p.Scale).times(latent.plus(rope))
}

// ExactMLAQuery is the exact twin of [MLAQuery].
func ExactMLAQuery(p MLAProjection, qNope []float64) Exact {
	return func(i int) *big.Float {
		h, column := i/p.Rank, i%p.Rank
		return sumOf(p.NoPE, func(j int) number {
			return p.decoded(h*p.PerHead+j, column).times(num(qNope[h*p.NoPE+j]))
		}).Float
	}
}

// ExactMLAOutput is the exact twin of [MLAOutput].
func ExactMLAOutput(p MLAProjection, vCombine []float64) Exact {
	return func(i int) *big.Float {
		h, f := i/p.Value, i%p.Value
		return sumOf(p.Rank, func(c int) number {
			return p.decoded(h*p.PerHead+p.NoPE+f, c).times(num(vCombine[h*p.Rank+c]))
		}).Float
	}
}

// decoded is the weight at a row and a column.
func (p MLAProjection) decoded(row, column int) number {
	return p.weight(Weights{p.Packed, p.Scales, p.Biases}, row, column, p.Rank)
}
