package oracles

import "math"

// sigmoid is 1/(1 + e^{−a}), evaluated as it is written.
//
// Where 1 + e^{−a} may be more than [Functions.Divisors] d the kernel's result is
// anything from 0 to 1/d, so that the error is at most the value itself and 2/d.
func (m *arithmetic) sigmoid(a approx) approx { return m.overOnePlusExp(exactly(1), a) }

// silu is a/(1 + e^{−a}), evaluated as it is written. It is NaN at −∞.
func (m *arithmetic) silu(a approx) approx { return m.overOnePlusExp(a, a) }

// overOnePlusExp is n/(1 + e^{−a}) with e^{−a} and the sum rounded.
//
// Where e^{−a} is below u the sum rounds to 1, and a precise quotient is n:
//
//	|n − n/(1 + e^{−a})| ≤ |n|·e^{−a}
//
// which may be so little that the oracle's own rounding counts: see [slack].
func (m *arithmetic) overOnePlusExp(n, a approx) approx {
	small := m.exp(a.negated())
	d := m.add(exactly(1), small)
	v := n.v / (1 + math.Exp(-a.v))
	if lost := small.v + small.e; m.functions == Precise && finite(n.v) && lost < m.u {
		rest := float64(math.Abs(n.v) * (lost + float64((slack-1)*m.u)))
		return approx{v, n.e + rest, moments{n.variance, n.systematic + rest}}
	}
	if _, widest := m.functions.Divisors(); finite(v) && finite(n.v) && d.v+d.e > widest {
		return bounded(v, math.Abs(v)+(math.Abs(n.v)+n.e)*2/widest+m.eta)
	}
	r := m.div(n, d)
	r.v = v
	return r
}

// SigmoidGate is
//
//	out[i] = x[i]·σ(gate[i]),   σ(z) = 1/(1 + e^{−z})
//
// Special cases: σ(−∞) = 0, σ(+∞) = 1; an infinite x times a zero gate is NaN.
func SigmoidGate(x, gate []float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(x), "sigmoid, product")
	for i := range x {
		a.give(i, m.mul(exactly(x[i]), m.sigmoid(exactly(gate[i]))))
	}
	return a
}

// SwiGLU is
//
//	out[i] = silu(gate[i])·up[i],   silu(z) = z/(1 + e^{−z})
//
// Special cases: silu(−∞) is NaN, silu(+∞) is +∞.
func SwiGLU(gate, up []float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(gate), "silu, product")
	for i := range gate {
		a.give(i, m.mul(m.silu(exactly(gate[i])), exactly(up[i])))
	}
	return a
}
