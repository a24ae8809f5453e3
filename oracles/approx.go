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
	scatter   float64 // u²/3, the variance of a rounding of 1
	watch     *Watch
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
		watch:     c.Watch,
	}
	m.rate = math.Log1p(m.u)
	m.scatter = m.u * m.u / 3
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
// Its spread says how the error comes about. It is a statement of its own, to
// first order in u, and may be worse than e.
//
// Invariant: e is not NaN; e is 0 or +Inf where v is not finite; the spread is
// 0 where e is.
type approx struct {
	v, e float64
	spread
}

// exactly is a number that the kernel reads from its inputs.
func exactly(v float64) approx { return approx{v: v} }

// bounded is a number of whose error nothing is known but that it is at most e.
func bounded(v, e float64) approx { return approx{v, e, spread{systematic: e}} }

// negated is −a.
func (a approx) negated() approx { return approx{-a.v, a.e, a.spread} }

// below reports whether the kernel's value of a may be a subnormal number.
func (m *arithmetic) below(a approx) bool {
	return math.Abs(a.v)-a.e < m.tiny && (a.v != 0 || a.e != 0)
}

// round is the result of an operation: its exact value v, the error e that it
// inherits from its operands with the spread s, and a relative error of at most
// rel of its own.
//
//	|fl(x̂) − x| ≤ e + rel(|x| + e) + η,   |x̂ − x| ≤ e
//
// An operation that is correctly rounded has rel = u, and scatters; anything
// more is the error of a function, and systematic.
func (m *arithmetic) round(v, e float64, s spread, rel float64) approx {
	if !finite(v) {
		if e > 0 || math.IsNaN(e) {
			return bounded(v, math.Inf(1))
		}
		return exactly(v)
	}
	if math.IsNaN(e) || math.IsInf(e, 1) {
		return bounded(v, math.Inf(1))
	}
	switch {
	case rel == m.u:
		s = m.scattered(v, s)
	case rel > 0:
		s = s.limited(v, rel)
	}
	r := approx{v, e + float64(rel*(math.Abs(v)+e)), s}
	if m.below(r) {
		r.e += m.eta
		r.systematic += m.eta
	}
	if math.Abs(v)+r.e > m.largest {
		return bounded(v, math.Inf(1))
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
			return bounded(v, math.Inf(1))
		}
		return exactly(v)
	}
	subnormal := m.below(a) || m.below(b) || m.below(exactly(v))
	if e == 0 && m.format.holds(v) && twoSumResidual(a.v, b.v, v) == 0 && !(m.flush && subnormal) {
		return exactly(v)
	}
	s := a.plus(b.spread)
	if m.flush {
		if m.below(a) {
			e += m.eta
			s.systematic += m.eta
		}
		if m.below(b) {
			e += m.eta
			s.systematic += m.eta
		}
	}
	return m.round(v, e, s, m.u)
}

// addIndependent is fl(a+b) for numbers whose errors are independent of each
// other, such as parts of a sum over different terms.
func (m *arithmetic) addIndependent(a, b approx) approx {
	inherited := b.variance
	b.variance = 0
	y := m.add(a, b)
	y.inherit(inherited)
	return y
}

// sub is fl(a−b).
func (m *arithmetic) sub(a, b approx) approx { return m.add(a, b.negated()) }

// mul is fl(a·b). With operands that are exact the product is too where the
// format holds it.
func (m *arithmetic) mul(a, b approx) approx {
	v := a.v * b.v
	if !finite(a.v) || !finite(b.v) {
		return m.round(v, undecided(a)+undecided(b), spread{}, 0)
	}
	e := float64(math.Abs(a.v)*b.e) + float64(math.Abs(b.v)*a.e) + float64(a.e*b.e)
	if e == 0 && m.format.holds(v) && !m.below(a) && !m.below(b) && !m.below(exactly(v)) {
		return exactly(v)
	}
	var s spread
	switch {
	case b.e == 0:
		s = a.scaled(b.v)
	case a.e == 0:
		s = b.scaled(a.v)
	default:
		s = a.product(b)
	}
	if m.flush {
		if m.below(a) {
			e += float64(m.eta * (math.Abs(b.v) + b.e))
			s.systematic += float64(m.eta * (math.Abs(b.v) + b.e))
		}
		if m.below(b) {
			e += float64(m.eta * (math.Abs(a.v) + a.e))
			s.systematic += float64(m.eta * (math.Abs(a.v) + a.e))
		}
	}
	return m.round(v, e, s, m.u)
}

// product is what a·b inherits:
//
//	âb̂ − ab = (a + s_a)·r_b + (b + s_b)·r_a + r_a·r_b + a·s_b + b·s_a + s_a·s_b
//
// The third term is of second order and left out.
func (a approx) product(b approx) spread {
	x, y := math.Abs(a.v)+a.systematic, math.Abs(b.v)+b.systematic
	return spread{
		minkowski(float64(x*x*b.variance), float64(y*y*a.variance)),
		float64(x*b.systematic) + float64(math.Abs(b.v)*a.systematic),
	}
}

// undecided is the error of an operand of a product with a non-finite one: a
// finite number that may be zero or of either sign leaves NaN and the sign of
// Inf open.
func undecided(a approx) float64 {
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
		return m.round(v, undecided(a)+undecided(b), spread{}, 0)
	case m.below(b) && m.flush, math.Abs(b.v) <= b.e:
		return bounded(v, math.Inf(1))
	}
	least := math.Abs(b.v) - b.e
	e := (a.e + float64(math.Abs(v)*b.e)) / least
	s := a.plus(b.scaled(v)).scaled(1 / least)
	if m.flush && m.below(a) {
		e += m.eta / least
		s.systematic += m.eta / least
	}
	return m.round(v, e, s, m.functions.Divide())
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
		return m.round(v, a.e, spread{}, 0)
	case m.below(a) && m.flush, a.v <= a.e:
		return bounded(v, math.Inf(1))
	}
	e := v * math.Expm1(-math.Log1p(-a.e/a.v)/2)
	return m.round(v, e, a.through(a.e, e), m.functions.Rsqrt())
}

// exp is e^a within the class's limit.
//
//	|e^â − e^a| ≤ e^a·(e^{e_a} − 1)
func (m *arithmetic) exp(a approx) approx {
	v := math.Exp(a.v)
	if !finite(a.v) {
		return m.round(v, a.e, spread{}, 0)
	}
	if a.v == 0 && a.e == 0 {
		return exactly(1)
	}
	if math.IsInf(a.e, 1) {
		return bounded(v, a.e)
	}
	x, e := math.Abs(a.v)+a.e, v*math.Expm1(a.e)
	r := m.round(v, e, a.through(a.e, e), m.functions.Exp(x))
	if m.below(r) {
		own := float64(m.functions.ulps("exp", x) * m.format.SmallestSubnormal())
		r.e += own
		r.systematic += own
	}
	return r
}

// log is ln a within the class's limit, for a positive exact a.
func (m *arithmetic) log(x float64) approx {
	v := math.Log(x)
	e := m.functions.Log(x, v)
	return m.round(v, e, spread{systematic: e}, 0)
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
