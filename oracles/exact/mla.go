package exact

import (
	"math"
	"math/big"

	"metalconform/oracles"
)

// MLATile are the high-precision references of [oracles.MLATile].
func MLATile(p oracles.MLA, prior oracles.MLAState, tiles [][2]int,
	first bool) (maximum, denom, values oracles.Reference) {
	carried := &prior
	if first {
		carried = nil
	}
	head := latentHeads(p, carried, tiles)
	maximum = func(h int) *big.Float { return head(h).maximum().Float }
	denom = func(h int) *big.Float { return head(h).denom().Float }
	values = func(i int) *big.Float { return head(i / p.Rank).value(i % p.Rank).Float }
	return maximum, denom, values
}

// MLAFolded is the high-precision reference of [oracles.MLAFolded].
func MLAFolded(p oracles.MLA) oracles.Reference {
	head := latentHeads(p, nil, [][2]int{{0, len(p.RopeK) / p.Rope}})
	return func(i int) *big.Float {
		s := head(i / p.Rank)
		return s.value(i % p.Rank).over(s.denom()).Float
	}
}

// MLAFinalize is the high-precision reference of [oracles.MLAFinalize].
func MLAFinalize(values, denom []float64, rank int) oracles.Reference {
	return func(i int) *big.Float {
		if denom[i/rank] == 0 {
			return num(0).Float
		}
		return num(values[i]).over(num(denom[i/rank])).Float
	}
}

// latentSoftmax is the softmax of one head over a prior state and positions.
type latentSoftmax struct {
	oracles.MLA
	head      int
	prior     *oracles.MLAState // nil if there is none
	max       number            // of all scores and the prior's, if there are scores
	positions []int
	scores    []number
	weighed   []number // weights, once they have been asked for
}

// latentHeads are the heads that are asked for, each computed once.
func latentHeads(p oracles.MLA, prior *oracles.MLAState, tiles [][2]int) func(h int) *latentSoftmax {
	heads := map[int]*latentSoftmax{}
	return func(h int) *latentSoftmax {
		if heads[h] == nil {
			heads[h] = newLatentSoftmax(p, h, prior, tiles)
		}
		return heads[h]
	}
}

func newLatentSoftmax(p oracles.MLA, h int, prior *oracles.MLAState, tiles [][2]int) *latentSoftmax {
	s := &latentSoftmax{MLA: p, head: h, prior: prior, max: num(math.Inf(-1))}
	for _, t := range tiles {
		for pos := t[0]; pos < t[1]; pos++ {
			s.positions, s.scores = append(s.positions, pos), append(s.scores, s.score(pos))
		}
	}
	if prior != nil && len(s.scores) > 0 {
		s.max = num(prior.Max[h])
	}
	s.max = s.max.larger(largestOf(s.scores))
	return s
}

// maximum is that of the state: the prior's, whatever it is, without positions.
func (s *latentSoftmax) maximum() number {
	if s.prior != nil && len(s.scores) == 0 {
		return num(s.prior.Max[s.head])
	}
	return s.max
}

// weights are e^{s_j − M} of all positions.
func (s *latentSoftmax) weights() []number {
	if s.weighed == nil {
		weighed := make([]number, len(s.scores))
		for j, score := range s.scores {
			weighed[j] = score.minus(s.max).exp()
		}
		s.weighed = weighed
	}
	return s.weighed
}

// carried is what a number of the prior state comes to: x·e^{m − M}, x itself
// without positions, and nothing, whatever it is, where m is −∞.
func (s *latentSoftmax) carried(x float64) number {
	switch {
	case len(s.scores) == 0:
		return num(x)
	case math.IsInf(s.prior.Max[s.head], -1):
		return num(0)
	}
	return num(x).times(num(s.prior.Max[s.head]).minus(s.max).exp())
}

// denom is the denominator.
func (s *latentSoftmax) denom() number {
	y := sumOf(len(s.scores), func(j int) number { return s.weights()[j] })
	if s.prior == nil {
		return y
	}
	return y.plus(s.carried(s.prior.Denom[s.head]))
}

// value is channel c of the weighted sum of values.
func (s *latentSoftmax) value(c int) number {
	y := sumOfProducts(len(s.scores), held(s.weights()),
		func(j int) *big.Float { return num(s.Latent[s.positions[j]*s.Rank+c]).Float })
	if s.prior == nil {
		return y
	}
	return y.plus(s.carried(s.prior.Values[s.head*s.Rank+c]))
}

// score is that of a position.
func (s *latentSoftmax) score(pos int) number {
	latent := innerOf(s.QPrime[s.head*s.Rank:(s.head+1)*s.Rank], s.Latent[pos*s.Rank:(pos+1)*s.Rank])
	rope := innerOf(s.QPe[s.head*s.Rope:(s.head+1)*s.Rope], s.RopeK[pos*s.Rope:(pos+1)*s.Rope])
	return num(s.Scale).times(latent.plus(rope))
}

// MLAQuery is the high-precision reference of [oracles.MLAQuery].
func MLAQuery(p oracles.MLAProjection, qNope []float64) oracles.Reference {
	return func(i int) *big.Float {
		h, column := i/p.Rank, i%p.Rank
		return sumOf(p.NoPE, func(j int) number {
			return decoded(p, h*p.PerHead+j, column).times(num(qNope[h*p.NoPE+j]))
		}).Float
	}
}

// MLAOutput is the high-precision reference of [oracles.MLAOutput].
func MLAOutput(p oracles.MLAProjection, vCombine []float64) oracles.Reference {
	return func(i int) *big.Float {
		h, f := i/p.Value, i%p.Value
		return sumOf(p.Rank, func(c int) number {
			return decoded(p, h*p.PerHead+p.NoPE+f, c).times(num(vCombine[h*p.Rank+c]))
		}).Float
	}
}

// decoded is the weight at a row and a column.
func decoded(p oracles.MLAProjection, row, column int) number {
	return weight(p.Affine, oracles.Weights{Packed: p.Packed, Scales: p.Scales, Biases: p.Biases}, row, column, p.Rank)
}
