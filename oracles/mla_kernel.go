package oracles

import "math"

// mlaKernel follows the kernel's arithmetic through the tiles.
type mlaKernel struct {
	folded
	*arithmetic
	score               *dotter
	denominator, values order
	weights, terms      []approx
}

func newMLAKernel(f folded, c Contract) *mlaKernel {
	m := c.arithmetic()
	return &mlaKernel{
		folded: f, arithmetic: m,
		score:       m.dotter(c.order("score")),
		denominator: c.order("denominator"), values: c.order("values"),
	}
}

// tile merges one tile into the state of head h. A tile of scores that are all
// −∞ contributes nothing, like an empty one.
func (k *mlaKernel) tile(h int, t [2]int, s *runningState) {
	largest := k.exponents(h, t)
	if math.IsInf(largest.v, -1) {
		return
	}
	carried, added := exactly(0), exactly(1)
	if !math.IsInf(s.max.v, -1) {
		before, here := ownMaximum(s.max), ownMaximum(largest)
		carried = k.exp(k.negativePart(before, here))
		added = k.exp(k.negativePart(here, before))
	}
	merge := func(prior, sum approx) approx {
		if math.IsInf(s.max.v, -1) {
			return k.mul(sum, added) // the prior is absent, whatever its buffers hold
		}
		return k.addIndependent(k.mul(prior, carried), k.mul(sum, added))
	}
	s.denom = merge(s.denom, k.independentSum(k.denominator, k.weights))
	for i := range s.values {
		k.terms = k.terms[:0]
		for j, w := range k.weights {
			k.terms = append(k.terms, k.mul(w, exactly(k.Latent[(t[0]+j)*k.Rank+i])))
		}
		s.values[i] = merge(s.values[i], k.independentSum(k.values, k.terms))
	}
	s.max = k.larger(s.max, largest)
}

// exponents sets weights to e^{s_t − m'} over the tile and returns m'.
func (k *mlaKernel) exponents(h int, t [2]int) approx {
	largest := exactly(math.Inf(-1))
	k.weights = k.weights[:0]
	for pos := t[0]; pos < t[1]; pos++ {
		s := k.mul(exactly(k.Scale), k.score.dot(k.query(h), k.key(pos)))
		k.weights = append(k.weights, s)
		largest = k.larger(largest, s)
	}
	for i, s := range k.weights {
		k.weights[i] = k.exp(k.sub(s, ownMaximum(largest)))
	}
	return largest
}
