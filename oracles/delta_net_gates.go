package oracles

import "math"

// DecayBeta makes the decay and the gate of each token and value head from the
// outputs of their projections:
//
//	decay[t, h] = exp(−e^{A[h]}·softplus(α[t, h] + b[h])),   softplus(x) = ln(1 + eˣ)
//	gate[t, h]  = 1/(1 + e^{−β[t, h]})
//
// alpha and beta are [tokens, heads] with heads = len(aLog); aLog is A, dtBias
// is b.
//
// The budget is that of softplus(x) = max(x, 0) + ln(1 + e^{−|x|}), which never
// overflows and keeps its tail: see [arithmetic.log1p]. Its error counts e^A
// times in the exponent of the decay, so that a softplus that loses the tail
// shows where A is large.
//
// Special cases: x = −∞ gives a decay of 1, +∞ one of 0; NaN stays NaN.
//
// Source: Gu and Dao, Mamba, 2023, section 3.6, for the decay; Yang, Kautz and
// Hatamizadeh, Gated Delta Networks, 2024, section 3.4.
func DecayBeta(alpha, beta, aLog, dtBias []float64, c Contract) (decay, gate Answer) {
	m := c.arithmetic()
	decay, gate = newAnswer(len(alpha), "softplus, e^A, exp"), newAnswer(len(beta), "sigmoid")
	for i := range alpha {
		h := i % len(aLog)
		x := m.add(exactly(alpha[i]), exactly(dtBias[h]))
		rate := m.mul(m.exp(exactly(aLog[h])), m.softplus(x))
		decay.give(i, m.exp(rate.negated()))
		gate.give(i, m.sigmoid(exactly(beta[i])))
	}
	return decay, gate
}

// softplus is ln(1 + e^a).
//
// A kernel may take the e^a of its definition, and has to do something else before that
// overflows. The two that are common are within the roundings of it: a itself from 16 on
// (e^{−16} is less than 2u), and e^a up to −16, which is off by e^a/2 of itself.
//
// One that takes the logarithm of fl(1 + e^a) itself leaves the tail to the rounding of
// that sum ([Softplus]).
func (m *arithmetic) softplus(a approx) approx {
	y := m.splitSoftplus(a)
	if a.v+a.e >= 80 {
		return y
	}
	power := m.exp(a)
	y = widest(y, m.log1p(power))
	if m.may(Softplus) {
		y = widest(y, m.log(m.add(exactly(1), power)))
	}
	return y
}

// splitSoftplus is max(a, 0) + ln(1 + e^{−|a|}).
func (m *arithmetic) splitSoftplus(a approx) approx {
	positive := approx{max(a.v, 0), a.e, a.moments}
	if a.v+a.e <= 0 {
		positive.e, positive.moments = 0, moments{}
	}
	return m.add(positive, m.log1p(m.exp(approx{-math.Abs(a.v), a.e, a.moments})))
}

// log1p is ln(1 + a) for a ≥ 0 without the loss of a small a: with w = fl(1+a)
//
//	ln(w)·(a/(w − 1)),   or a itself where w = 1
//
// w − 1 is exact and differs from a by at most u(1+a). Because ln(1+t)/t falls by
// at most half of t's relative change for t ≤ 1, and by less than t/(1+t) of it beyond,
// that costs no more than u; the logarithm's own error counts a/(w − 1) ≤ 3/2 times; a
// division and a product follow, and beyond 2²⁴ a rounding of w − 1.
//
// Source: Goldberg, What Every Computer Scientist Should Know About
// Floating-Point Arithmetic, 1991, theorem 4.
func (m *arithmetic) log1p(a approx) approx {
	v := math.Log1p(a.v)
	if !finite(v) {
		return m.round(v, a.e, moments{}, 0)
	}
	inherited := a.e / (1 + max(a.v-a.e, 0))
	own := float64(1.5 * m.library.log(1, 1+a.v+a.e, v+inherited))
	s := a.through(a.e, inherited).plus(moments{systematic: own})
	return m.round(v, inherited+own, s, m.divide()+float64(3*m.u))
}

// convWidth is the number of taps of the causal convolution.
const convWidth = 4

// Conv1D is a causal depthwise convolution of width 4 with SiLU:
//
//	out[t, c] = silu(Σ_{j<4} x[t+j, c]·weights[c, j]),   silu(z) = z/(1 + e^{−z})
//
// where x is the sequence that has the three rows of state before those of
// input. state is [3, channels], input and out are [tokens, channels], weights
// is [channels, 4]. The sum is the contract's "taps".
//
// Special cases: silu(−∞) is NaN, silu(+∞) is +∞.
func Conv1D(state, input, weights []float64, channels int, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(input), "taps, silu")
	var terms [convWidth]approx
	for i := range input {
		t, ch := i/channels, i%channels
		for j := range terms {
			x := virtualRow(state, input, t+j, channels)[ch]
			terms[j] = m.mul(exactly(x), exactly(weights[ch*convWidth+j]))
		}
		a.give(i, m.silu(m.independentSum(c.order("taps"), terms[:])))
	}
	return a
}

// ConvState is the state of the convolution after the input: the last three
// rows of the sequence that has those of state in front. It is a copy, bit for
// bit.
func ConvState(state, input []float64, channels int) Answer {
	tokens := len(input) / channels
	a := Answer{Exact: true}
	for r := range convWidth - 1 {
		a.Want = append(a.Want, virtualRow(state, input, tokens+r, channels)...)
	}
	return a
}

// virtualRow is row t of state followed by input.
func virtualRow(state, input []float64, t, channels int) []float64 {
	if past := convWidth - 1; t >= past {
		return input[(t-past)*channels : (t-past+1)*channels]
	}
	return state[t*channels : (t+1)*channels]
}
