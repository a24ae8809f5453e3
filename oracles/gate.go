package oracles

import "math"

// sigmoid is 1/(1 + e^{−a}).
func (m *arithmetic) sigmoid(a approx) approx { return m.gated(exactly(1), a) }

// silu is a/(1 + e^{−a}), NaN at −∞.
//
// Of a number that is known to within e, with the relative error R of the evaluation
// at a − e, where it is largest,
//
//	|fl(silu(â)) − silu(a)| ≤ slope·e + R·(|silu(a)| + slope·e) + underflow
//
// The slope is that of silu, |σ(x) + x·σ(x)(1 − σ(x))|, at most σ(a+e)·(1 + |a| + e) and
// 1.0998… in all. Where 1 + e^{−â} is more than the [library.divisors] d the result is 0
// or beyond it, and silu(â) itself at most 2|â|/d.
func (m *arithmetic) silu(a approx) approx {
	if a.e == 0 {
		return m.gated(a, a)
	}
	v := a.v / (1 + math.Exp(-a.v))
	if !finite(a.v) || !finite(a.e) {
		return m.round(v, a.e, moments{}, 0)
	}
	own := m.sigmoid(exactly(a.v - a.e))
	relative := compound(own.e/own.v, m.u)
	if !finite(relative) {
		relative = 1
	}
	farthest := math.Abs(a.v) + a.e
	slope := min(1.1, float64((1+farthest)/(1+math.Exp(-a.v-a.e))))
	inherited := float64(slope * a.e)
	e := inherited + float64(relative*(math.Abs(v)+inherited))
	s := a.scaled(slope).limited(v, relative)
	rest := 2 * m.eta
	if farthest > 80 {
		_, widest := m.divisors()
		rest += 2 * farthest / widest
	}
	s.systematic += rest
	return m.round(v, e+rest, s, 0)
}

// gated is n·σ(a), for silu with n = a.
func (m *arithmetic) gated(n, a approx) approx {
	y := m.overOnePlusExp(n, a)
	if m.may(Sigmoid) && finite(a.v) {
		y = widest(y, m.mul(n, m.halfTanh(a)))
	}
	return y
}

// overOnePlusExp is n/(1 + e^{−a}) with e^{−a} and the sum rounded.
//
// Where e^{−a} is below u the sum rounds to 1, and a precise quotient is n:
//
//	|n − n/(1 + e^{−a})| ≤ |n|·e^{−a}
//
// which may be so little that the oracle's own rounding counts: see [slack]. Where
// 1 + e^{−a} may be more than the [library.divisors] d the kernel's result is anything
// from 0 to n/d, so that the error is at most the value itself and 2n/d.
//
// n·e^a/(1 + e^a), which never overflows for a < 0, errs as much: an error E of the
// exponential counts E/(1 + e^a) times in both.
func (m *arithmetic) overOnePlusExp(n, a approx) approx {
	small := m.exp(a.negated())
	d := m.add(exactly(1), small)
	v := n.v / (1 + math.Exp(-a.v))
	if lost := small.v + small.e; m.rounds("divide") && finite(n.v) && lost < m.u {
		rest := float64(math.Abs(n.v) * (lost + float64((slack-1)*m.u)))
		return approx{v, n.e + rest, moments{n.variance, n.systematic + rest}}
	}
	if _, widest := m.divisors(); finite(v) && finite(n.v) && d.v+d.e > widest {
		return bounded(v, math.Abs(v)+(math.Abs(n.v)+n.e)*2/widest+m.eta)
	}
	r := m.div(n, d)
	r.v = v
	return r
}

// halfTanh is σ(a) = (1 + tanh(a/2))/2. The halves are exact, and tanh moves by no more
// than its argument does, so that
//
//	|fl(σ(â)) − σ(a)| ≤ (e/2 + T)/2 + u·σ(a)
//
// with the error T of tanh: 5 ulp of it in precise functions; where tanh is fast, it is
// (s − 1)/(s + 1) with s = e^a, and NaN once s overflows.
func (m *arithmetic) halfTanh(a approx) approx {
	t := math.Abs(math.Tanh(a.v / 2))
	own := float64(t * m.Relative("tanh", 0))
	if m.Functions == Fast {
		x := math.Abs(a.v) + a.e
		own = compound(compound(math.Expm1(m.exponent(x)), m.library.exp(x))/2, m.u, m.u, m.divide())
		if x > 80 {
			own = math.Inf(1)
		}
	}
	s := a.scaled(0.25).plus(moments{systematic: float64(own / 2)})
	return m.round(1/(1+math.Exp(-a.v)), float64(a.e/4)+float64(own/2), s, m.u)
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
	return a.ofProducts()
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
		z, x := exactly(gate[i]), exactly(up[i])
		a.give(i, m.regrouped(m.mul(m.silu(z), x), z, m.sigmoid(z), x))
	}
	return a.ofProducts()
}
