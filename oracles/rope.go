package oracles

import "math"

// RoPE is rotary position embedding with half-split pairs: with half =
// len(InvFreq), channel i turns with channel i + half,
//
//	θ       = fl(position·InvFreq[i])
//	x'[i]        = x[i]·Scale·cos θ − x[i + half]·Scale·sin θ
//	x'[i + half] = x[i]·Scale·sin θ + x[i + half]·Scale·cos θ
//
// for every row of x[rows, Width]; the channels from 2·half on are x itself.
// The angle is one product in the format, and the answer starts from it: the
// rounding of the angle is the format's error, not the kernel's.
//
// Special cases: an infinite or NaN channel reaches the two channels of its
// pair. Fast functions promise nothing for |θ| > π, so that nothing is promised
// for such a pair.
//
// Source: Su et al., RoFormer, 2021, equation 34; half-split pairs as in
// GPT-NeoX; the scale as in Peng et al., YaRN, 2023, section 3.4.
func RoPE(p Rotation, c Contract) Answer {
	a := newAnswer(len(p.X), "angle, sine, cosine and products").ofSums()
	copy(a.Want, p.X)
	for i, x := range p.X {
		a.Scale[i] = math.Abs(x)
	}
	if len(p.X) == 0 {
		return a
	}
	m := c.arithmetic()
	half, rows := len(p.InvFreq), len(p.X)/p.Width
	for r := range rows {
		position := p.Positions[r*len(p.Positions)/rows]
		for i, f := range p.InvFreq {
			first := r*p.Width + i
			angle := m.angle(position, f, p.ExactAngle)
			x, y := m.rotate(exactly(p.X[first]), exactly(p.X[first+half]), angle, exactly(p.Scale))
			a.give(first, x)
			a.give(first+half, y)
			sin, cos := math.Sincos(angle.v)
			a.Scale[first] = math.Abs(p.Scale) * (math.Abs(p.X[first]*cos) + math.Abs(p.X[first+half]*sin))
			a.Scale[first+half] = math.Abs(p.Scale) * (math.Abs(p.X[first]*sin) + math.Abs(p.X[first+half]*cos))
		}
	}
	return a
}

// Rotation is rotary position embedding: the first 2·len(InvFreq) channels of
// every row turn in pairs, and the rest stay.
type Rotation struct {
	X         []float64 // x[rows, Width]
	Width     int
	InvFreq   []float64 // one for each pair
	Positions []float64 // one for each of len(Positions) equal runs of rows
	Scale     float64   // of cos and sin; 1 for plain rotary embedding, mscale for YaRN

	// ExactAngle starts from the exact product of position and frequency
	// instead of from its rounding to the format, and charges the kernel with
	// that rounding. At large positions it shows what the format costs.
	ExactAngle bool
}

// angle is position·frequency, as a number of the format or exactly.
func (m *arithmetic) angle(position, frequency float64, exact bool) approx {
	a := m.mul(exactly(position), exactly(frequency))
	if exact {
		return a
	}
	rounded := exactly(F32.Round(a.v))
	if m.narrow() || m.flush && (m.below(exactly(position)) || m.below(exactly(frequency)) || m.below(rounded)) {
		return bounded(rounded.v, a.e)
	}
	return rounded
}

// rotate turns the pair (x, y) by angle and scales it:
//
//	a = x·(scale·cos) − y·(scale·sin),   b = x·(scale·sin) + y·(scale·cos)
//
// A kernel that scales the pair first, or the result, rounds no more often ([Products]). But scale·x may overflow even
// if no result does. There is no bound then.
func (m *arithmetic) rotate(x, y, angle, scale approx) (a, b approx) {
	sin, cos := m.sincos(angle)
	if scale == exactly(1) {
		return m.sub(m.mul(x, cos), m.mul(y, sin)), m.add(m.mul(x, sin), m.mul(y, cos))
	}
	term := func(x, turn approx) approx { return m.regrouped(m.mul(x, m.mul(turn, scale)), x, turn, scale) }
	return m.sub(term(x, cos), term(y, sin)), m.add(term(x, sin), term(y, cos))
}

// sincos is sin a and cos a within the class's limit. Both move by no more
// than a does.
func (m *arithmetic) sincos(a approx) (sin, cos approx) {
	if !finite(a.v) {
		nan := m.round(math.NaN(), a.e, moments{}, 0)
		return nan, nan
	}
	if m.flush && m.below(a) {
		a.e += m.eta
		a.systematic += m.eta
	}
	s, c := math.Sincos(a.v)
	return m.turned(s, a, "sin"), m.turned(c, a, "cos")
}

// turned is the result v of the function name at a.
func (m *arithmetic) turned(v float64, a approx, name string) approx {
	own := m.Turn(name, math.Abs(a.v)+a.e, math.Abs(v)+a.e)
	r := m.round(v, a.e+own, a.plus(moments{systematic: own}), 0)
	if m.Functions == Precise && m.below(r) {
		subnormal := float64(m.ulps(name, 0) * m.format.SmallestSubnormal())
		r.e += subnormal
		r.systematic += subnormal
	}
	return m.term(r)
}
