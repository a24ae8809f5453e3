package exact

import (
	"math/big"

	"metalconform/oracles"
)

// GatedDelta are the high-precision references of [oracles.GatedDelta].
func GatedDelta(problem oracles.DeltaNet) (output, state oracles.Reference) {
	p := deltaNet{problem}
	output = func(i int) *big.Float {
		token, h, row := i/(p.Hv*p.Dv), i/p.Dv%p.Hv, i%p.Dv
		s := p.rowAfter(token/p.T, h, row, token%p.T+1)
		return innerNumbers(s, p.Q[p.keyAt(token, h):]).Float
	}
	state = func(i int) *big.Float {
		row := i / p.Dk
		return p.rowAfter(row/(p.Hv*p.Dv), row/p.Dv%p.Hv, row%p.Dv, p.T)[i%p.Dk].Float
	}
	return output, state
}

// deltaNet is the recurrence for one row of the state at a time.
type deltaNet struct{ oracles.DeltaNet }

// rowAfter is a row of the state after so many tokens of a sequence.
func (p deltaNet) rowAfter(seq, h, row, tokens int) []number {
	first := ((seq*p.Hv+h)*p.Dv + row) * p.Dk
	s := nums(p.State[first : first+p.Dk])
	for token := seq * p.T; token < seq*p.T+tokens; token++ {
		gate := token*p.Hv + h
		k := p.K[p.keyAt(token, h) : p.keyAt(token, h)+p.Dk]
		multiply(s, p.decayOf(gate))
		u := num(p.V[gate*p.Dv+row]).minus(innerNumbers(s, k)).times(num(p.Beta[gate]))
		addProducts(s, u, reading(k))
	}
	return s
}

// keyAt is the index of the token's key, and of its query, for a value head.
func (p deltaNet) keyAt(token, h int) int {
	return (token*p.Hk + keyHead(p.Mapping, h, p.Hv, p.Hk)) * p.Dk
}

// decayOf is α of a token and value head.
func (p deltaNet) decayOf(gate int) number {
	if p.Rate != nil {
		return num(-p.Rate[gate]).exp()
	}
	return num(p.Decay[gate])
}

// DecayBeta are the high-precision references of [oracles.DecayBeta].
func DecayBeta(alpha, beta, aLog, dtBias []float64) (decay, gate oracles.Reference) {
	decay = func(i int) *big.Float {
		h := i % len(aLog)
		rate := num(aLog[h]).exp().times(num(alpha[i]).plus(num(dtBias[h])).softplus())
		return rate.negated().exp().Float
	}
	return decay, func(i int) *big.Float { return num(beta[i]).sigmoid().Float }
}

// taps is the width of the causal convolution.
const taps = 4

// Conv1D is the high-precision reference of [oracles.Conv1D].
func Conv1D(state, input, weights []float64, channels int) oracles.Reference {
	sequence := append(append([]float64(nil), state...), input...)
	return func(i int) *big.Float {
		return sumOf(taps, func(j int) number {
			return num(sequence[i+j*channels]).times(num(weights[i%channels*taps+j]))
		}).silu().Float
	}
}
