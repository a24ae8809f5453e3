package oracles

import (
	"math"
	"math/big"
)

// ExactMLATile are the exact twins of [MLATile].
func ExactMLATile(p MLA, prior MLAState, tiles [][2]int, first bool) (maximum, denom, values Exact) {
	softmax := func(h int) latentSoftmax {
		if first {
			return p.softmaxOf(h, nil, tiles)
		}
		return p.softmaxOf(h, &prior, tiles)
	}
	maximum = func(h int) *big.Float { return softmax(h).max.Float }
	denom = func(h int) *big.Float { return softmax(h).denom.Float }
	values = func(i int) *big.Float { return softmax(i / p.Rank).value(i % p.Rank).Float }
	return maximum, denom, values
}

// ExactMLAFolded is the exact twin of [MLAFolded].
func ExactMLAFolded(p MLA) Exact {
	all := [][2]int{{0, len(p.RopeK) / p.Rope}}
	return func(i int) *big.Float {
		s := p.softmaxOf(i/p.Rank, nil, all)
		return s.value(i % p.Rank).over(s.denom).Float
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
	max, denom number
	prior      []float64 // weighted sum of values, nil for none
	carried    number    // its factor
	positions  []int
	weights    []number
}

func (p MLA) softmaxOf(h int, prior *MLAState, tiles [][2]int) latentSoftmax {
	s := latentSoftmax{MLA: p, max: num(math.Inf(-1)), denom: num(0), carried: num(1)}
	own := s.denom
	if prior != nil {
		s.max, own = num(prior.Max[h]), num(prior.Denom[h])
		s.prior = prior.Values[h*p.Rank : (h+1)*p.Rank]
	}
	var scores []number
	for _, t := range tiles {
		for pos := t[0]; pos < t[1]; pos++ {
			s.positions = append(s.positions, pos)
			scores = append(scores, p.score(h, pos))
		}
	}
	if len(scores) == 0 {
		s.denom = own
		return s
	}
	largest := s.max.larger(largestOf(scores))
	if largest.IsInf() {
		s.max = largest // and the rest is not specified
		return s
	}
	if s.max.IsInf() {
		s.prior = nil // it counts for nothing, whatever its buffers hold
	} else {
		s.carried = s.max.minus(largest).exp()
		s.denom = own.times(s.carried)
	}
	for _, x := range scores {
		w := x.minus(largest).exp()
		s.weights, s.denom = append(s.weights, w), s.denom.plus(w)
	}
	s.max = largest
	return s
}

// score is that of a position.
func (p MLA) score(h, pos int) number {
	latent := innerOf(p.QPrime[h*p.Rank:(h+1)*p.Rank], p.Latent[pos*p.Rank:(pos+1)*p.Rank])
	rope := innerOf(p.QPe[h*p.Rope:(h+1)*p.Rope], p.RopeK[pos*p.Rope:(pos+1)*p.Rope])
	return num(p.Scale).times(latent.plus(rope))
}

// value is channel c of the weighted sum of values.
func (s latentSoftmax) value(c int) number {
	y := sumOf(len(s.weights), func(j int) number { return s.weights[j].times(num(s.Latent[s.positions[j]*s.Rank+c])) })
	if s.prior == nil {
		return y
	}
	return y.plus(num(s.prior[c]).times(s.carried))
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
