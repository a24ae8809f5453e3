package oracles

import "math"

// arithmetic is the rounding model of a contract: what one operation may do to
// its exact result.
type arithmetic struct {
	format    Format
	functions Functions
	flush     bool
	u         float64 // unit roundoff
	tiny      float64 // smallest normal number
	eta       float64 // absolute error of a result below tiny
	largest   float64 // finite number
	rate      float64 // ln(1+u)
}

// arithmetic is the rounding model that c declares.
func (c Contract) arithmetic() *arithmetic {
	m := &arithmetic{
		format:    c.Format,
		functions: c.Functions,
		flush:     c.Subnormals == MayFlush,
		u:         c.Format.UnitRoundoff(),
		tiny:      c.Format.SmallestNormal(),
		largest:   c.Format.Max(),
	}
	m.rate = math.Log1p(m.u)
	m.eta = c.Format.SmallestSubnormal() / 2
	if m.flush {
		m.eta = m.tiny
	}
	return m
}

// grown is (1+u)ⁿ: what n roundings may multiply a number by.
func (m *arithmetic) grown(n float64) float64 { return math.Exp(n * m.rate) }

// approx is a number that a kernel computes: v is its exact value, and the
// kernel's is within e of it. e is +Inf where nothing is known.
//
// Invariant: e is not NaN; e is 0 or +Inf where v is not finite.
type approx struct{ v, e float64 }

// exactly is a number that the kernel reads from its inputs.
func exactly(v float64) approx { return approx{v, 0} }

// below reports whether the kernel's value of a may be a subnormal number.
func (m *arithmetic) below(a approx) bool {
	return math.Abs(a.v)-a.e < m.tiny && (a.v != 0 || a.e != 0)
}

// round is the result of an operation: its exact value v, the error e that it
// inherits from its operands, and a relative error of at most rel of its own.
//
//	|fl(x̂) − x| ≤ e + rel(|x| + e) + η,   |x̂ − x| ≤ e
func (m *arithmetic) round(v, e, rel float64) approx {
	if !finite(v) {
		if e > 0 || math.IsNaN(e) {
			return approx{v, math.Inf(1)}
		}
		return approx{v, 0}
	}
	if math.IsNaN(e) || math.IsInf(e, 1) {
		return approx{v, math.Inf(1)}
	}
	r := approx{v, e + rel*(math.Abs(v)+e)}
	if m.below(r) {
		r.e += m.eta
	}
	if math.Abs(v)+r.e > m.largest {
		r.e = math.Inf(1)
	}
	return r
}

// add is fl(a+b). With operands that are exact the sum is too where the
// format holds it.
func (m *arithmetic) add(a, b approx) approx {
	v, e := a.v+b.v, a.e+b.e
	if !finite(v) {
		// Infinite terms decide the sum, whatever the errors of finite ones.
		if finite(a.v) && finite(b.v) || math.IsInf(e, 1) {
			return approx{v, math.Inf(1)}
		}
		return approx{v, 0}
	}
	subnormal := m.below(a) || m.below(b) || m.below(approx{v, 0})
	if e == 0 && m.format.holds(v) && twoSumResidual(a.v, b.v, v) == 0 && !(m.flush && subnormal) {
		return approx{v, 0}
	}
	if m.flush {
		if m.below(a) {
			e += m.eta
		}
		if m.below(b) {
			e += m.eta
		}
	}
	return m.round(v, e, m.u)
}

// sub is fl(a−b).
func (m *arithmetic) sub(a, b approx) approx { return m.add(a, approx{-b.v, b.e}) }

// mul is fl(a·b). With operands that are exact the product is too where the
// format holds it.
func (m *arithmetic) mul(a, b approx) approx {
	v := a.v * b.v
	if !finite(a.v) || !finite(b.v) {
		return m.round(v, spread(a)+spread(b), 0)
	}
	e := math.Abs(a.v)*b.e + math.Abs(b.v)*a.e + a.e*b.e
	if e == 0 && m.format.holds(v) && !m.below(a) && !m.below(b) && !m.below(approx{v, 0}) {
		return approx{v, 0}
	}
	if m.flush {
		if m.below(a) {
			e += m.eta * (math.Abs(b.v) + b.e)
		}
		if m.below(b) {
			e += m.eta * (math.Abs(a.v) + a.e)
		}
	}
	return m.round(v, e, m.u)
}

// spread is the error of an operand of a product with a non-finite one: a
// finite number that may be zero or of either sign leaves NaN and the sign of
// Inf open.
func spread(a approx) float64 {
	if a.e != 0 && (!finite(a.v) || math.Abs(a.v) <= a.e) {
		return math.Inf(1)
	}
	return 0
}

// div is fl(a/b) within the class's limit for division.
//
//	|â/b̂ − a/b| ≤ (e_a + |a/b|·e_b) / (|b| − e_b)
func (m *arithmetic) div(a, b approx) approx {
	v := a.v / b.v
	switch {
	case !finite(a.v) || !finite(b.v) || b.v == 0 && b.e == 0:
		return m.round(v, spread(a)+spread(b), 0)
	case m.below(b) && m.flush, math.Abs(b.v) <= b.e:
		return approx{v, math.Inf(1)}
	}
	least := math.Abs(b.v) - b.e
	e := (a.e + math.Abs(v)*b.e) / least
	if m.flush && m.below(a) {
		e += m.eta / least
	}
	return m.round(v, e, m.functions.Divide())
}

// rsqrt is 1/√a within the class's limit.
//
//	|1/√â − 1/√a| ≤ ((1 − e_a/a)^{−½} − 1)/√a
func (m *arithmetic) rsqrt(a approx) approx {
	v := 1 / math.Sqrt(a.v)
	switch {
	case math.IsInf(a.v, 1) && a.e == 0:
		return exactly(0)
	case !(a.v > 0) || !finite(a.v):
		return m.round(v, a.e, 0)
	case m.below(a) && m.flush, a.v <= a.e:
		return approx{v, math.Inf(1)}
	}
	return m.round(v, v*math.Expm1(-math.Log1p(-a.e/a.v)/2), m.functions.Rsqrt())
}

// exp is e^a within the class's limit.
//
//	|e^â − e^a| ≤ e^a·(e^{e_a} − 1)
func (m *arithmetic) exp(a approx) approx {
	v := math.Exp(a.v)
	if !finite(a.v) {
		return m.round(v, a.e, 0)
	}
	if a.v == 0 && a.e == 0 {
		return exactly(1)
	}
	if math.IsInf(a.e, 1) {
		return approx{v, a.e}
	}
	x := math.Abs(a.v) + a.e
	r := m.round(v, v*math.Expm1(a.e), m.functions.Exp(x))
	if m.below(r) {
		r.e += m.functions.ulps("exp", x) * m.format.SmallestSubnormal()
	}
	return r
}

// log is ln a within the class's limit, for a positive exact a.
func (m *arithmetic) log(x float64) approx {
	v := math.Log(x)
	return m.round(v, m.functions.Log(x, v), 0)
}

// holds reports whether x is a number of the format.
func (f Format) holds(x float64) bool {
	if f == F32 {
		return float64(float32(x)) == x
	}
	return f.Round(x) == x
}

// twoSumResidual is a + b − s for s = fl(a+b) in float64, exactly.
func twoSumResidual(a, b, s float64) float64 {
	t := s - a
	return (a - (s - t)) + (b - t)
}

// accumulator adds float64 numbers with Neumaier's correction: the result is
// as accurate as if the sum had been carried in twice the precision, so that
// the oracle's own error stays far below the kernel's.
type accumulator struct{ sum, correction float64 }

// plus is the accumulator once it has taken x. It goes by value, so that a loop
// keeps it in registers. The conversion stops a product x from being fused into
// one of its uses.
func (s accumulator) plus(x float64) accumulator {
	x = float64(x)
	t := s.sum + x
	return accumulator{t, s.correction + twoSumResidual(s.sum, x, t)}
}

// value is the sum. A partial sum that is not finite has spoilt the correction,
// but then the sum is not finite either and needs none.
func (s accumulator) value() float64 {
	if !finite(s.sum) {
		return s.sum
	}
	return s.sum + s.correction
}

// dot is Σ aᵢ·bᵢ in float64.
func dot(a, b []float64) float64 {
	var s accumulator
	b = b[:len(a)]
	for i, x := range a {
		s = s.plus(x * b[i])
	}
	return s.value()
}

// norm is ‖a‖₂.
func norm(a []float64) float64 {
	var s float64
	for _, x := range a {
		s += float64(x * x)
	}
	return math.Sqrt(s)
}
