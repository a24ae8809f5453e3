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
// The budget follows a kernel with online softmax: see [onlineSoftmax]. The contract's sum
// "values" says how: its Lanes are the simdgroups, each of which takes blocks of Block
// keys in turn, adding values key by key; each score is the sum "score", and the weights
// of a block are added up in the sum "denominator". At the end the simdgroups' states are
// merged one after the other. With "values" in any order, all keys are one block.
func GroupedQuery(p Attention, c Contract) Answer {
	a := newAnswer(p.T*p.H*p.D, attendedLabels()...).ofSums()
	k := newOnlineSoftmax(p.Scale, c)
	simdgroups := k.values.Schedule
	if k.anyTiles = simdgroups == AnyOrder(); !k.anyTiles {
		k.values.Schedule = Sequential()
	}
	values := newChannels(p.S, p.D)
	for head := range p.Hg {
		keys := newFactors(p.S, func(pos int) []float64 { return p.K[(pos*p.Hg+head)*p.D:][:p.D] })
		values.take(func(pos int) []float64 { return p.V[(pos*p.Hg+head)*p.D:][:p.D] })
		for h := range p.H {
			if p.Mapping.Head(h, p.H, p.Hg) != head {
				continue
			}
			for t := range p.T {
				p.answer(a, k, simdgroups, keys, values, t, h)
			}
		}
	}
	return a
}

// answer sets the elements of one query and head, given the keys and values of its key head.
func (p Attention) answer(a Answer, k *onlineSoftmax, simdgroups Schedule, keys factors, values *channels, t, h int) {
	scores := k.scored(0, p.visible(t), p.query(t, h), keys)
	want, scale := p.exact(scores, values)
	state := p.run(k, simdgroups, scores, values)
	for d, w := range want[:p.D] {
		i := (t*p.H+h)*p.D + d
		a.Scale[i] = scale[d]
		if math.IsInf(state.max.v, -1) {
			a.set(i, w, math.Inf(1))
			continue
		}
		k.attended(a, i, w, state.values.at(d), state.denom)
	}
}

// attendedLabels are the terms of the budget of a sum of values over its denominator.
func attendedLabels() []string {
	return []string{"scores", "exponentials", "denominator", "carried state", "division", "values"}
}

// attended sets element i to v/l, with the parts of its error: those of v and of l, and
// the division. What v's own sum rounds is left.
func (m *arithmetic) attended(a Answer, i int, want float64, v, l runningSum) {
	y := m.div(v.approx, l.approx)
	least, ratio := math.Abs(l.v)-l.e, math.Abs(v.v/l.v)
	part := func(ofValues, ofDenominator float64) float64 {
		return max(0, float64(ofValues+float64(ratio*ofDenominator))/least)
	}
	a.setParts(i, want, known(want, y.e), part(v.scores, l.scores), part(v.exponentials, l.exponentials),
		part(0, l.e-l.scores-l.exponentials-l.carried), part(v.carried, l.carried), m.div(exactly(v.v), exactly(l.v)).e)
	a.setMoments(i, y.moments)
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

// query is q[t, h].
func (p Attention) query(t, h int) []float64 {
	first := (t*p.H + h) * p.D
	return p.Q[first : first+p.D]
}

// exact is the definition for one query, given the scores, and Σ|wᵢvᵢ|/Σwᵢ in addition to it.
func (p Attention) exact(scores []approx, values *channels) (out, scale []float64) {
	// 1. The maximum.
	largest := math.Inf(-1)
	for _, s := range scores {
		largest = math.Max(largest, s.v)
	}

	// 2. Exponents and their sum.
	var denom accumulator
	weights := make([]float64, len(scores))
	for pos, s := range scores {
		weights[pos] = math.Exp(s.v - largest)
		denom = denom.plus(weights[pos])
	}

	// 3. Weighted values, by some keys at a time.
	sums, some := make([]accumulator, values.stride), make([]float64, values.stride)
	out, scale = make([]float64, values.stride), make([]float64, values.stride)
	for first := 0; first < len(weights); first += keysAtOnce {
		clear(some)
		for pos := first; pos < min(first+keysAtOnce, len(weights)); pos += 2 {
			values.weigh(some, scale, weights[pos:min(pos+2, len(weights))], pos)
		}
		for d, x := range some {
			sums[d] = sums[d].plus(x)
		}
	}
	for d := range out {
		out[d] = sums[d].value() / denom.value()
		scale[d] /= denom.value()
	}
	return out, scale
}

// keysAtOnce is the number of terms whose float64 sum needs no correction.
const keysAtOnce = 64

// run is the merged state of one query and head.
func (p Attention) run(k *onlineSoftmax, s Schedule, scores []approx, values *channels) runningState {
	n := len(scores)
	lanes, block := max(s.Lanes, 1), max(s.Block, 1)
	if s == AnyOrder() {
		block = max(n, 1)
	}
	merged := startState(nil, 0, p.D)
	for lane := range lanes {
		state := startState(nil, 0, p.D)
		for first := lane * block; first < n; first += lanes * block {
			k.tile(&state, scores[first:min(first+block, n)], values, first)
		}
		k.merge(&merged, state)
	}
	return merged
}
