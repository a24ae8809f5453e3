package oracles

import "math"

// runningState is one head's state as the kernel carries it from tile to tile.
type runningState struct {
	max, denom approx
	values     []approx
}

// startState is the state before the first of the tiles.
func startState(prior *MLAState, h, rank int) runningState {
	s := runningState{max: exactly(math.Inf(-1)), values: make([]approx, rank)}
	if prior != nil {
		s.max, s.denom = exactly(prior.Max[h]), exactly(prior.Denom[h])
		for i := range s.values {
			s.values[i] = exactly(prior.Values[h*rank+i])
		}
	}
	return s
}

// reference is the kernel's own maximum. Sums are relative to it, so that its
// spread is none of theirs: a maximum off by δ multiplies numerator and
// denominator by e^{−δ}, and their quotient by 1. The rigorous error stays.
func reference(maximum approx) approx {
	maximum.spread = spread{}
	return maximum
}

// against is the spread of a sum relative to the exact maximum, given that of
// the kernel's.
func (a approx) against(maximum approx) spread {
	factor := maximum.through(maximum.e, math.Expm1(maximum.e))
	return a.plus(factor.scaled(a.v))
}

// open gives up what is known of the sums.
func (s *runningState) open() {
	s.denom.e = math.Inf(1)
	for i := range s.values {
		s.values[i].e = math.Inf(1)
	}
}

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
		before, here := reference(s.max), reference(largest)
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
		k.weights[i] = k.exp(k.sub(s, reference(largest)))
	}
	return largest
}

// larger is max(a, b): it moves by no more than either operand does, so that
// its squared error is at most the sum of theirs.
func (k *arithmetic) larger(a, b approx) approx {
	v := math.Max(a.v, b.v)
	if !finite(v) {
		return exactly(v)
	}
	switch { // an operand that cannot be the larger does not count
	case a.v+a.e < b.v-b.e:
		return b
	case b.v+b.e < a.v-a.e:
		return a
	}
	return approx{v, max(a.e, b.e), spread{a.variance + b.variance, max(a.systematic, b.systematic)}}
}

// negativePart is a − max(a, b) = min(0, a − b), which moves by no more than
// a − b does, and is exactly 0 where a is certainly the larger.
func (k *arithmetic) negativePart(a, b approx) approx {
	d := k.sub(a, b)
	if d.v-d.e >= 0 {
		return exactly(0)
	}
	d.v = min(0, d.v)
	return d
}
