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
// The gate row's part is what the error of its product does to silu: see
// [arithmetic.silu].
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
		s := m.silu(approx{g, gateError, gateMoments})
		y := m.mul(s, approx{u, upError, upMoments})
		own := min(m.silu(exactly(g)).e, s.e)
		a.setParts(r, s.v*u, y.e, float64((s.e-own)*math.Abs(u)), float64(own*math.Abs(u)), math.Abs(s.v)*upError)
		a.setMoments(r, y.moments)
	}
	return a
}
