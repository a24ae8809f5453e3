package oracles

import "math"

// GroupedQuery is softmax attention:
//
//	s_p = scale·q[t, h]·k[p, kv(h)],   out[t, h] = Σ_p e^{s_p − M}·v[p, kv(h)] / Σ_p e^{s_p − M},   M = max s_p
//
// over the keys that query t sees.
//
// Special cases: a score of −∞ contributes nothing. Where all scores are −∞,
// or no key is seen, nothing is specified. A score that is NaN or +∞ makes the
// output of its query and head NaN.
//
// The budget follows a kernel with online softmax. The contract's sum "values"
// says how: its Lanes are the simdgroups, each of which takes blocks of Block
// keys in turn. A block is scored, each product being the sum "score", and its
// weights are added up, the sum "denominator"; then the state is rescaled to the
// new maximum and the block is added to it, the values key by key. At the end the
// simdgroups' states are merged one after the other. Each exponent is charged with
// the distance of the kernel's maximum from the exact one.
//
// Source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018.
func GroupedQuery(p Attention, c Contract) Answer {
	a := newAnswer(p.T*p.H*p.D, "exponents and sums", "division")
	k := &onlineKernel{Attention: p, arithmetic: c.arithmetic(), denominator: c.order("denominator"), values: c.order("values")}
	k.score = k.dotter(c.order("score"))
	for t := range p.T {
		for h := range p.H {
			want := p.exact(t, h)
			state := k.run(t, h)
			for d, w := range want {
				i := (t*p.H+h)*p.D + d
				if math.IsInf(state.max.v, -1) {
					a.set(i, w, math.Inf(1), 0)
					continue
				}
				y := k.div(state.values[d], state.denom)
				own := k.div(exactly(state.values[d].v), exactly(state.denom.v)).e
				e := known(w, y.e)
				a.set(i, w, max(0, e-min(own, e)), min(own, e))
				a.setMoments(i, y.moments)
			}
		}
	}
	return a
}

// Attention is grouped-query attention of T queries over S keys.
type Attention struct {
	Q    []float64 // [T, H, D]
	K, V []float64 // [S, Hg, D]

	T, S, H, Hg, D int
	Mapping        Mapping
	Causal         bool // query t sees the keys up to Start + t
	Start          int
	Scale          float64
}

// visible is the number of keys that query t sees.
func (p Attention) visible(t int) int {
	if p.Causal {
		return min(p.S, p.Start+t+1)
	}
	return p.S
}

// query and row are q[t, h], and k or v at position pos for head h.
func (p Attention) query(t, h int) []float64 {
	first := (t*p.H + h) * p.D
	return p.Q[first : first+p.D]
}

func (p Attention) row(x []float64, pos, h int) []float64 {
	first := (pos*p.Hg + p.Mapping.Head(h, p.H, p.Hg)) * p.D
	return x[first : first+p.D]
}

// exact is the definition for one query and head.
func (p Attention) exact(t, h int) []float64 {
	// 1. Scores and their maximum.
	scores := make([]float64, p.visible(t))
	largest := math.Inf(-1)
	for pos := range scores {
		scores[pos] = p.Scale * dot(p.query(t, h), p.row(p.K, pos, h))
		largest = math.Max(largest, scores[pos])
	}

	// 2. Exponents and their sum.
	var denom accumulator
	for pos, s := range scores {
		scores[pos] = math.Exp(s - largest)
		denom = denom.plus(scores[pos])
	}

	// 3. Weighted values.
	sums := make([]accumulator, p.D)
	for pos, w := range scores {
		if w == 0 {
			continue
		}
		for d, v := range p.row(p.V, pos, h) {
			sums[d] = sums[d].plus(w * v)
		}
	}
	out := make([]float64, p.D)
	for d := range out {
		out[d] = sums[d].value() / denom.value()
	}
	return out
}

// onlineKernel follows the arithmetic of online softmax.
type onlineKernel struct {
	Attention
	*arithmetic
	denominator, values order
	score               *dotter
	weights             []approx
	terms               []approx
}

// run is the merged state of one query and head.
func (k *onlineKernel) run(t, h int) runningState {
	merged := startState(nil, 0, k.D)
	lanes, block := max(k.values.Lanes, 1), max(k.values.Block, 1)
	for lane := range lanes {
		state := startState(nil, 0, k.D)
		for first := lane * block; first < k.visible(t); first += lanes * block {
			k.block(t, h, first, min(first+block, k.visible(t)), &state)
		}
		k.merge(&merged, state)
	}
	return merged
}

// block adds the keys of one block to a state.
func (k *onlineKernel) block(t, h, first, end int, s *runningState) {
	// 1. Scores and the new maximum.
	largest := s.max
	k.weights = k.weights[:0]
	for pos := first; pos < end; pos++ {
		x := k.mul(exactly(k.Scale), k.score.dot(k.query(t, h), k.row(k.K, pos, h)))
		k.weights = append(k.weights, x)
		largest = k.larger(largest, x)
	}
	if math.IsInf(largest.v, -1) {
		return
	}
	largest = ownMaximum(largest)

	// 2. The state and the block's weights under it.
	carried := exactly(0)
	if !math.IsInf(s.max.v, -1) {
		carried = k.exp(k.negativePart(s.max, largest))
	}
	for i, x := range k.weights {
		k.weights[i] = k.exp(k.sub(x, largest))
	}
	s.denom = k.addIndependent(k.mul(s.denom, carried), k.independentSum(k.denominator, k.weights))

	// 3. The weighted values, key by key.
	for d, v := range s.values {
		k.terms = append(k.terms[:0], k.mul(v, carried))
		y := k.terms[0]
		for j, w := range k.weights {
			k.terms = append(k.terms, k.mul(w, exactly(k.row(k.V, first+j, h)[d])))
			y = k.addIndependent(y, k.terms[j+1])
		}
		s.values[d] = k.formed(order{k.values.name, Sequential()}, y, k.terms)
	}
	s.max = largest
}

// merge adds the state of a simdgroup to the merged one.
func (k *onlineKernel) merge(into *runningState, s runningState) {
	largest := k.larger(into.max, s.max)
	if math.IsInf(largest.v, -1) {
		return
	}
	keep, take := exactly(0), exactly(0)
	if !math.IsInf(into.max.v, -1) {
		keep = k.exp(k.negativePart(into.max, s.max))
	}
	if !math.IsInf(s.max.v, -1) {
		take = k.exp(k.negativePart(s.max, into.max))
	}
	into.denom = k.addIndependent(k.mul(into.denom, keep), k.mul(s.denom, take))
	for d := range into.values {
		into.values[d] = k.addIndependent(k.mul(into.values[d], keep), k.mul(s.values[d], take))
	}
	into.max = largest
}
