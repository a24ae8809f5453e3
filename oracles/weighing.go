package oracles

import "math"

// weighing adds the values of a tile to carried sums, channel after channel, by closed forms
// of what [onlineSoftmax.advance] does term by term. All errors of a weight ŵ_j scale with
// the value, so that with p_j = w_j·v_j, partial sums s_j and e_j the error of a product over
// |v_j|, the recurrence E_j = (E_{j−1} + |v_j|e_j)(1+u) + u|s_j| of n terms comes to
//
//	E = Σ_j |v_j|·e_j·(1+u)^{n−max(j, 1)} + u·Σ_{j≥1} |s_j|·(1+u)^{n−1−j}
//
// and its moments to Σ|v_j|·systematic_j and Σv_j²·variance_j + u²/3·Σ_{j≥1} s_j². These are
// products of the values with what is known of each weight once. In any order the second term
// is a multiple of Σ|p_j|: see [arithmetic.open].
//
// Nothing here is near the ends of the format's range: what may be flushed on the way comes
// to less than the last bit of E.
type weighing struct {
	*onlineSoftmax
	rescaling
	keys      []weightOf
	unordered bool
	dense     bool // no value is 0
	positive  bool // no weight is 0
	// accumulated is how often the carried sum is rounded in addition, if terms are added to it
	// one by one.
	accumulated float64
}

// weightOf is what is known of a weight w. All but rounded is to be multiplied by a value's
// size, or its square.
type weightOf struct {
	w, scores  float64
	error      float64 // of the product, and what becomes of it
	systematic float64
	variance   float64 // of the product
	rounded    float64 // by the sum that it makes, to be multiplied by the sum
}

// Where factors of carried sums and the errors of sums are no less, underflow is less than
// 2⁻⁴⁰ of an error.
const (
	leastCarried = 0x1p-20
	leastError   = 0x1p-60
)

// underflows bounds the number of times that a term may be flushed on its way.
const underflows = 8

// weighing is that of the tile whose weights have been made; ok is false if they are not
// fit for it.
func (k *onlineSoftmax) weighing(values *channels, r rescaling) (w *weighing, ok bool) {
	acc, n := k.sums, len(k.weights)
	w = &k.inTile
	*w = weighing{onlineSoftmax: k, rescaling: r, keys: w.keys[:0], unordered: k.values.Tile >= n, dense: values.dense, positive: true}
	if k.narrow() || acc.narrow() || !values.even || k.values.Lanes > 1 || k.values.Tile > 1 && !w.unordered {
		return w, false
	}
	if k.may(Carry) {
		w.accumulated = float64(n)
	}
	grown := acc.roundings(n)
	before := grown[0] / acc.u
	for j, x := range k.weights {
		if zero := x.v == 0 && x.e == 0; !zero && !(x.e > 0 && x.e <= 1 && x.v <= 2) {
			return w, false
		}
		w.positive = w.positive && x.v != 0
		y := weightOf{w: x.v, scores: k.inherited[j], systematic: x.systematic}
		if k.flush && k.below(x) {
			x.e += k.eta
			y.systematic += k.eta
		}
		most := x.v + x.systematic
		y.error = x.e + float64(k.u*(x.v+x.e))
		y.variance = x.variance + float64(k.scatter*(float64(most*most)+x.variance))
		if !w.unordered {
			y.error *= before
			y.rounded, before = grown[j], grown[j]/acc.u
		}
		w.keys = append(w.keys, y)
	}
	return w, true
}

// advance adds the values of a channel, weighted, to a carried sum: by the closed forms if
// the tile is fit for them, and this sum is.
func (w *weighing) advance(sum *runningSum, c channel, fit bool) {
	if fit && (w.absent || w.carries(sum)) {
		var t tileSum
		if w.sum(&t, c); t.e >= leastError {
			w.carry(sum, &t)
			return
		}
	}
	*sum = w.advanceOver(*sum, c.v, w.rescaling)
}

// carries reports whether a carried sum, and what it is multiplied by, are away from the
// ends of the range.
func (w *weighing) carries(prior *runningSum) bool {
	return w.carried.v >= leastCarried && w.carried.e <= 1 &&
		prior.e >= leastError && prior.e <= mostValue && math.Abs(prior.v) <= mostValue
}

// tileSum is a tile's own sum, with Σ|p_j|.
type tileSum struct {
	runningSum
	magnitude float64
}

// sum makes the tile's own sum.
func (w *weighing) sum(t *tileSum, c channel) {
	ofTerms := w.inherits(t, c)
	if w.unordered {
		w.inAnyOrder(t, c, ofTerms)
	} else {
		w.inTurn(t, c, ofTerms)
	}
	t.e += float64(underflows * float64(len(c.v)) * w.eta)
	t.exponentials = max(0, ofTerms-t.scores-float64(w.u*t.magnitude))
	if w.tracer != nil {
		var inherited float64
		for j, x := range w.weights {
			inherited += w.mul(x, exactly(c.v[j])).e
		}
		t.approx = w.tracer.formed(w.values, t.approx, inherited, func() []float64 { return termwise(values(w.weights), c.v) })
	}
}

// inherits sets what a sum inherits from its terms, and Σ|p_j|. The result is what becomes
// of their errors.
func (w *weighing) inherits(t *tileSum, c channel) (ofTerms float64) {
	var magnitude, scores, systematic, variance float64
	sizes, squares := c.sizes[:len(w.keys)], c.squares[:len(w.keys)]
	for j := range w.keys {
		k, size := &w.keys[j], sizes[j]
		magnitude += float64(k.w * size)
		scores += float64(k.scores * size)
		ofTerms += float64(k.error * size)
		systematic += float64(k.systematic * size)
		variance += float64(k.variance * squares[j])
	}
	t.magnitude, t.scores, t.moments = magnitude, scores, moments{variance, systematic}
	return ofTerms
}

// inTurn adds term after term.
func (w *weighing) inTurn(t *tileSum, c channel, ofTerms float64) {
	v := c.v[:len(w.keys)]
	s := float64(w.keys[0].w * v[0])
	var rounded, squares float64
	for j := 1; j < len(w.keys); j++ {
		k := &w.keys[j]
		s += float64(k.w * v[j])
		rounded += float64(math.Abs(s) * k.rounded)
		squares += float64(s * s)
	}
	t.v, t.e = s, ofTerms+rounded
	t.variance += float64(w.sums.scatter * squares)
}

// inAnyOrder adds the terms in an order left open: see [arithmetic.open].
func (w *weighing) inAnyOrder(t *tileSum, c channel, ofTerms float64) {
	v := c.v[:len(w.keys)]
	var s, squares float64
	for j := range w.keys {
		p := float64(w.keys[j].w * v[j])
		s += p
		squares += float64(p * p)
	}
	acc, depth := w.sums, float64(w.additions(v))
	t.v, t.e = s, float64((ofTerms+float64(depth*acc.u*t.magnitude))*acc.grown(depth))
	own := moments{systematic: t.systematic}.summed(acc, depth, min(t.magnitude*t.magnitude, float64(s*s)+squares))
	t.variance += own.variance
}

// additions counts those of terms that are not certainly 0.
func (w *weighing) additions(v []float64) int {
	if w.dense && w.positive {
		return len(v) - 1
	}
	n := -1
	for j := range w.keys {
		if w.keys[j].error != 0 && v[j] != 0 {
			n++
		}
	}
	return max(n, 0)
}

// carry takes a carried sum on to the tile's: what [onlineSoftmax.advance] has.
func (w *weighing) carry(sum *runningSum, t *tileSum) {
	acc, own, c, before := w.sums, t.approx, w.carried.v, sum.e
	var p approx
	y := own
	if !w.absent {
		p = sum.approx
		acc.shrink(&p, w.carried)
		own.limit(w.merged)
		y = approx{v: p.v + own.v, e: p.e + own.e}
		y.moments = acc.scattered(y.v, moments{p.variance, p.systematic + own.systematic})
		y.variance += own.variance
		y.e += float64(acc.u*(math.Abs(y.v)+y.e)) + float64(underflows*acc.eta)
		y.e += float64(w.accumulated * acc.u * (math.Abs(p.v) + p.e))
		y.variance += float64(w.accumulated * acc.scatter * p.v * p.v)
	}
	again := float64(w.again * (math.Abs(p.v) + p.e + t.magnitude + own.e))
	y.e += again
	y.systematic += again
	sum.approx = y
	sum.scores = float64(c*sum.scores) + t.scores
	sum.exponentials = float64(c*sum.exponentials) + t.exponentials
	sum.carried = float64(c*sum.carried) + max(0, y.e-float64(c*before)-t.e)
}

// shrink makes a of fl(a·f), for a factor of at most 1, but for underflow.
func (m *arithmetic) shrink(a *approx, f approx) {
	v := a.v * f.v
	e := float64(math.Abs(a.v)*f.e) + float64(f.v*a.e) + float64(a.e*f.e)
	if f.e != 0 {
		a.moments = a.product(f)
	}
	a.v, a.e, a.moments = v, e+float64(m.u*(math.Abs(v)+e)), m.scattered(v, a.moments)
}
