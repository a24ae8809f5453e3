package oracles

import "math"

// GateUpSwiGLU is the first half of a SwiGLU layer with quantised matrices:
//
//	out[r] = silu(gate_r·x) · (up_r·x),   silu(z) = z/(1 + e^{−z})
//
// x is x[in], both matrices are [out, in]; the products are those of
// [DequantMatvec], with its contract.
//
// Special cases: where a product is not finite, neither is the result, but
// whether NaN or ±Inf depends on the association.
//
// With |silu′| < 1.1 an error e of the gate's product is at most 1.1·e of its
// silu, and the evaluation of silu at the computed product adds its own.
func GateUpSwiGLU(f Affine, gate, up Weights, x []float64, in, out int, c Contract) Answer {
	a := newAnswer(out, "gate row", "silu", "up row", "product")
	m := c.arithmetic()
	gates, ups := newAffineProduct(f, gate, in, c), newAffineProduct(f, up, in, c)
	gates.load(x)
	ups.load(x)
	for r := range out {
		g, gateError, gateMoments := gates.row(r)
		u, upError, upMoments := ups.row(r)
		if !finite(g) || !finite(u) {
			v := g / (1 + math.Exp(-g)) * u
			a.set(r, v, gateError+upError, 0, 0, 0)
			continue
		}
		s := m.siluNear(approx{g, gateError, gateMoments})
		y := m.mul(s, approx{u, upError, upMoments})
		inherited := float64(siluSlope * gateError * math.Abs(u))
		own := max(float64(s.e*math.Abs(u))-inherited, 0)
		a.setParts(r, s.v*u, y.e, inherited, own, math.Abs(s.v)*upError)
		a.setMoments(r, y.moments)
	}
	return a
}

// siluSlope is above the largest slope of silu, 1.0998….
const siluSlope = 1.1

// siluNear is silu of a number that is known to within an error, evaluated as
// it is written at the computed number â:
//
//	|fl(silu(â)) − silu(a)| ≤ 1.1·e + R·|silu(â)| + underflow
//
// with the relative error R of the evaluation: E of the exponential, u of the
// sum and δ of the quotient. Where 1 + e^{−â} is more than the [Functions.Divisors]
// d the result is 0 or beyond it, and silu(â) itself at most 2|â|/d.
func (m *arithmetic) siluNear(a approx) approx {
	v := a.v / (1 + math.Exp(-a.v))
	if !finite(a.v) || !finite(a.e) {
		return m.round(v, a.e, moments{}, 0)
	}
	farthest := math.Abs(a.v) + a.e
	sum := float64(m.functions.Exp(farthest)*(1+m.u)) + m.u + float64(2*m.eta)
	if sum >= 0.5 {
		return bounded(v, math.Inf(1))
	}
	relative := (1+m.functions.Divide())/(1-sum) - 1
	inherited := float64(siluSlope * a.e)
	e := inherited + float64(relative*(math.Abs(v)+inherited))
	s := a.scaled(siluSlope).limited(v, relative)
	if farthest > 0 {
		e += 2 * m.eta
		s.systematic += 2 * m.eta
	}
	if farthest > 80 {
		_, widest := m.functions.Divisors()
		e += 2 * farthest / widest
		s.systematic += 2 * farthest / widest
	}
	return m.round(v, e, s, 0)
}
