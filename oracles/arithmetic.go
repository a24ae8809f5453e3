package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// arithmetic is the rounding model of a contract: what one operation may do to
// its exact result.
type arithmetic struct {
	library
	format  Format
	flush   bool
	u       float64   // unit roundoff
	tiny    float64   // smallest normal number
	eta     float64   // absolute error of a result below tiny
	largest float64   // finite number
	rate    float64   // ln(1+u)
	scatter float64   // u²/3, the variance of a rounding of 1
	gammas  []float64 // the first, as far as they have been asked for
	grownBy []float64 // see [arithmetic.roundings]

	lastGrown struct{ n, by float64 } // what [arithmetic.grown] said last

	sums  *arithmetic // that of accumulators
	loops *loops.Table
}

// arithmetic is the rounding model that c declares.
func (c Contract) arithmetic() *arithmetic {
	m := c.arithmeticIn(c.Intermediates)
	if c.Accumulators != c.Intermediates {
		m.sums = c.arithmeticIn(c.Accumulators)
	}
	return m
}

// arithmeticIn is the rounding model of a format, for sums too.
func (c Contract) arithmeticIn(f Format) *arithmetic {
	m := &arithmetic{
		library: library{Accuracy{c.Functions, c.Measured}, c.Forms, c.Tracer},
		format:  f,
		flush:   c.Subnormals == MayFlush,
		u:       f.UnitRoundoff(),
		tiny:    f.SmallestNormal(),
		largest: f.Max(),
		loops:   loops.Native(),
	}
	m.rate = math.Log1p(m.u)
	m.lastGrown.by = 1
	m.scatter = m.u * m.u / 3
	m.eta = f.SmallestSubnormal() / 2
	if m.flush {
		m.eta = m.tiny
	}
	m.sums = m
	return m
}

// coarser is the rounding model of the narrower of both formats, for an oracle that
// does not tell sums from what they are made of.
func (m *arithmetic) coarser() *arithmetic {
	if m.sums.u > m.u {
		return m.sums
	}
	c := *m
	c.sums = &c
	return &c
}

// narrow reports whether numbers that the kernel reads may not be numbers of the format.
func (m *arithmetic) narrow() bool { return m.format != F32 }

// operand is a number that an operation reads, in the format.
func (m *arithmetic) operand(a approx) approx {
	if !m.narrow() || a.e != 0 || !finite(a.v) || m.format.holds(a.v) {
		return a
	}
	return m.round(a.v, 0, moments{}, m.u)
}

// term is a number that a running sum takes, in its format.
func (m *arithmetic) term(a approx) approx {
	if !m.narrow() || a.e == 0 && m.format.holds(a.v) {
		return a
	}
	return m.round(a.v, a.e, a.moments, m.u)
}

// terms are those of a sum.
func (m *arithmetic) terms(of []approx) []approx {
	if !m.narrow() {
		return of
	}
	list := make([]approx, len(of))
	for i, t := range of {
		list[i] = m.term(t)
	}
	return list
}

// grown is (1+u)ⁿ: what n roundings may multiply a number by.
func (m *arithmetic) grown(n float64) float64 {
	if n != m.lastGrown.n {
		m.lastGrown.n, m.lastGrown.by = n, math.Exp(n*m.rate)
	}
	return m.lastGrown.by
}

// below reports whether the kernel's value of a may be a subnormal number.
func (m *arithmetic) below(a approx) bool {
	return math.Abs(a.v)-a.e < m.tiny && (a.v != 0 || a.e != 0)
}

// round is the result of an operation: its exact value v, the error e that it
// inherits from its operands with the moments s, and a relative error of at most
// rel of its own.
//
//	|fl(x̂) − x| ≤ e + rel(|x| + e) + η,   |x̂ − x| ≤ e
//
// A correctly rounded operation has rel = u, and its error scatters; any larger
// error is that of a function, and systematic.
func (m *arithmetic) round(v, e float64, s moments, rel float64) approx {
	if !finite(v) {
		if e > 0 || math.IsNaN(e) {
			return bounded(v, math.Inf(1))
		}
		return exactly(v)
	}
	if math.IsNaN(e) || math.IsInf(e, 1) {
		return bounded(v, math.Inf(1))
	}
	if m.narrow() && rel > 0 && rel != m.u {
		rel = compound(rel, m.u) // a function's result, made in f32
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

// add is fl(a+b). The sum of exact operands is exact if the format holds it.
func (m *arithmetic) add(a, b approx) approx {
	a, b = m.operand(a), m.operand(b)
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
	s := a.plus(b.moments)
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

// mul is fl(a·b). The product of exact operands is exact if the format holds it.
func (m *arithmetic) mul(a, b approx) approx {
	a, b = m.operand(a), m.operand(b)
	v := a.v * b.v
	if !finite(a.v) || !finite(b.v) {
		return m.round(v, undecided(a)+undecided(b), moments{}, 0)
	}
	e := float64(math.Abs(a.v)*b.e) + float64(math.Abs(b.v)*a.e) + float64(a.e*b.e)
	if e == 0 && m.format.holds(v) && !m.below(a) && !m.below(b) && !m.below(exactly(v)) {
		return exactly(v)
	}
	var s moments
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

// div is fl(a/b) within the class's limit for division.
//
//	|â/b̂ − a/b| ≤ (e_a + |a/b|·e_b) / (|b| − e_b)
//
// A quotient by more than [library.divisors] may also be 0.
func (m *arithmetic) div(a, b approx) approx {
	a, b = m.operand(a), m.operand(b)
	v := a.v / b.v
	low, high := m.divisors()
	switch {
	case !finite(a.v) || !finite(b.v) || b.v == 0 && b.e == 0:
		return m.round(v, undecided(a)+undecided(b), moments{}, 0)
	case m.below(b) && m.flush, math.Abs(b.v) <= b.e, math.Abs(b.v)-b.e < low:
		return bounded(v, math.Inf(1))
	}
	least := math.Abs(b.v) - b.e
	e := (a.e + float64(math.Abs(v)*b.e)) / least
	s := a.plus(b.scaled(v)).scaled(1 / least)
	if m.flush && m.below(a) {
		e += m.eta / least
		s.systematic += m.eta / least
	}
	if math.Abs(b.v)+b.e > high {
		e += math.Abs(v)
		s.systematic += math.Abs(v)
	}
	return m.round(v, e, s, m.divide())
}

// rsqrt is 1/√a within the class's limit.
//
//	|1/√â − 1/√a| ≤ ((1 − e_a/a)^{−½} − 1)/√a
func (m *arithmetic) rsqrt(a approx) approx {
	a = m.operand(a)
	v := 1 / math.Sqrt(a.v)
	switch {
	case math.IsInf(a.v, 1) && a.e == 0:
		return exactly(0)
	case !(a.v > 0) || !finite(a.v):
		return m.round(v, a.e, moments{}, 0)
	case m.below(a) && m.flush, a.v <= a.e:
		return bounded(v, math.Inf(1))
	}
	e := v * math.Expm1(-math.Log1p(-a.e/a.v)/2)
	return m.round(v, e, a.through(a.e, e), m.library.rsqrt())
}

// exp is e^a within the class's limit, the exponent off by e_x in the form that multiplies
// it by log₂e.
//
//	|e^â − e^a| ≤ e^a·(e^{e_a + e_x} − 1)
func (m *arithmetic) exp(a approx) approx {
	a = m.operand(a)
	v := math.Exp(a.v)
	if !finite(a.v) {
		return m.round(v, a.e, moments{}, 0)
	}
	if a.v == 0 && a.e == 0 {
		return exactly(1)
	}
	if math.IsInf(a.e, 1) {
		return bounded(v, a.e)
	}
	x := math.Abs(a.v) + a.e
	exponent := m.exponent(x)
	a.e += exponent
	a.systematic += exponent
	e := v * math.Expm1(a.e)
	if a.e > 1 {
		e = math.Exp(a.v+a.e) - v
	}
	r := m.round(v, e, a.through(a.e, e), m.library.exp(x))
	if m.below(r) {
		own := float64(m.ulps("exp", x) * m.format.SmallestSubnormal())
		r.e += own
		r.systematic += own
	}
	return r
}

// log is ln a within the class's limit, for a positive a.
//
//	|ln â − ln a| ≤ −ln(1 − e_a/a)
func (m *arithmetic) log(a approx) approx {
	a = m.operand(a)
	v := math.Log(a.v)
	if !(a.v > a.e) {
		return bounded(v, math.Inf(1))
	}
	inherited := -math.Log1p(-a.e / a.v)
	own := m.library.log(a.v-a.e, a.v+a.e, math.Abs(v)+inherited)
	return m.term(m.round(v, inherited+own, a.through(a.e, inherited).plus(moments{systematic: own}), 0))
}

// holds reports whether x is a number of the format.
func (f Format) holds(x float64) bool {
	if f == F32 {
		return float64(float32(x)) == x
	}
	return f.Round(x) == x
}
