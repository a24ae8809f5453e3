package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

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
	keys      []loops.Weight
	unordered bool
	dense     bool // no value is 0
	positive  bool // no weight is 0
	// accumulated is how often the carried sum is rounded in addition, if terms are added to it
	// one by one.
	accumulated float64

	tile  []float64 // planes
	depth []float64 // of additions, and what they may multiply an error by
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
	*w = weighing{onlineSoftmax: k, rescaling: r, keys: w.keys[:0], tile: w.tile, depth: w.depth,
		unordered: k.values.Tile >= n, dense: values.dense, positive: true}
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
		y := loops.Weight{W: x.v, Scores: k.inherited[j], Systematic: x.systematic}
		if k.flush && k.below(x) {
			x.e += k.eta
			y.Systematic += k.eta
		}
		most := x.v + x.systematic
		y.Error = x.e + float64(k.u*(x.v+x.e))
		y.Variance = x.variance + float64(k.scatter*(float64(most*most)+x.variance))
		if !w.unordered {
			y.Error *= before
			y.Rounded, before = grown[j], grown[j]/acc.u
		}
		w.keys = append(w.keys, y)
	}
	return w, true
}

// add adds the values of a tile, weighted, to carried sums: by the closed forms if the tile
// is fit for them, and the sum is.
func (k *onlineSoftmax) add(s *runningSums, values *channels, first int, r rescaling) {
	n := len(k.weights)
	w, fit := k.weighing(values, r)
	if !fit {
		for i := range s.n {
			s.set(i, k.advanceOver(s.at(i), values.at(i, first, n), r))
		}
		return
	}
	w.sum(values, first)
	if !w.absent && k.tracer == nil && w.factorFits() {
		carry := k.loops.Carry
		if w.carried == exactly(1) {
			carry = k.loops.Keep
		}
		least, most := carry(s.next, s.planes, w.tile, w.constants())
		s.planes, s.next = s.next, s.planes
		if least >= leastError && most <= mostValue {
			return
		}
		s.planes, s.next = s.next, s.planes
	}
	for i := range s.n {
		s.set(i, w.advance(s.at(i), i, values, first))
	}
}

// advance is the carried sum of channel i with the tile's in it.
func (w *weighing) advance(x runningSum, i int, values *channels, first int) runningSum {
	if w.absent || w.carries(&x) {
		if t := w.of(i, values, first); t.e >= leastError {
			w.carry(&x, &t)
			return x
		}
	}
	return w.advanceOver(x, values.at(i, first, len(w.weights)), w.rescaling)
}

// carries reports whether a carried sum, and what it is multiplied by, are away from the
// ends of the range.
func (w *weighing) carries(prior *runningSum) bool {
	return w.factorFits() && prior.e >= leastError && prior.e <= mostValue && math.Abs(prior.v) <= mostValue
}

func (w *weighing) factorFits() bool { return w.carried.v >= leastCarried && w.carried.e <= 1 }

// tileSum is a tile's own sum, with Σ|p_j|.
type tileSum struct {
	runningSum
	magnitude float64
}

// sum makes the tile's own sums of all channels.
func (w *weighing) sum(values *channels, first int) {
	if need := loops.TilePlanes * values.stride; len(w.tile) != need {
		w.tile, w.depth = make([]float64, need), make([]float64, 2*values.stride)
	}
	rows, acc := values.rows(first, len(w.keys)), w.sums
	c := loops.TileConstants{
		U: w.u, Underflow: float64(underflows * float64(len(w.keys)) * w.eta), SumU: acc.u, SumScatter: acc.scatter,
	}
	if !w.unordered {
		w.loops.WeighInTurn(w.tile, rows, w.keys, &c)
		return
	}
	w.additions(values, first)
	w.loops.WeighInAnyOrder(w.tile, rows, w.keys, &c, w.depth)
}

// of is the tile's own sum of channel i.
func (w *weighing) of(i int, c *channels, first int) tileSum {
	plane := func(j int) float64 { return w.tile[j*c.stride+i] }
	t := tileSum{runningSum{
		approx{plane(loops.TileValue), plane(loops.TileError),
			moments{plane(loops.TileVariance), plane(loops.TileSystematic)}},
		plane(loops.TileScores), plane(loops.TileExponentials), 0,
	}, plane(loops.TileMagnitude)}
	if w.tracer != nil {
		v := c.at(i, first, len(w.weights))
		var inherited float64
		for j, x := range w.weights {
			inherited += w.mul(x, exactly(v[j])).e
		}
		t.approx = w.tracer.formed(w.values, t.approx, inherited,
			func() []float64 { return termwise(values(w.weights), v) })
	}
	return t
}

// additions counts for each channel those of terms that are not certainly 0: what is flushed
// in adding 0 is not in the count.
func (w *weighing) additions(values *channels, first int) {
	n := values.stride
	depth, grown := w.depth[:n], w.depth[n:]
	if w.dense && w.positive {
		passed := float64(len(w.keys) - 1)
		by := w.sums.grown(passed)
		for i := range depth {
			depth[i], grown[i] = passed, by
		}
		return
	}
	for i := range depth {
		depth[i] = -1
	}
	for j := range w.keys {
		if w.keys[j].Error == 0 {
			continue
		}
		for i, v := range values.row(first + j) {
			if v != 0 {
				depth[i]++
			}
		}
	}
	last := math.NaN()
	for i := range depth {
		if depth[i] = max(depth[i], 0); i > 0 && depth[i] == last {
			grown[i] = grown[i-1]
			continue
		}
		last, grown[i] = depth[i], w.sums.grown(depth[i])
	}
}

// constants are what the carried sums of all channels share.
func (w *weighing) constants() *loops.CarryConstants {
	acc, f := w.sums, w.carried
	most := math.Abs(f.v) + f.systematic
	return &loops.CarryConstants{
		Factor: f.v, FactorError: f.e, FactorVariance: f.variance, FactorSystematic: f.systematic,
		FactorSquare: most * most,
		U:            acc.u, Scatter: acc.scatter, Merged: w.merged, MergedFactor: 1 + w.merged,
		Underflow: float64(underflows * acc.eta),
		Added:     w.accumulated * acc.u, AddedScatter: w.accumulated * acc.scatter, Again: w.again,
	}
}

// carry takes a carried sum on to the tile's: what [onlineSoftmax.advance] has, and
// [loops.Table.Carry] of all channels at once.
func (w *weighing) carry(sum *runningSum, t *tileSum) {
	acc, own, c, before := w.sums, t.approx, w.carried.v, sum.e
	var p approx
	y := own
	if !w.absent {
		p = sum.approx
		if w.carried != exactly(1) {
			acc.shrink(&p, w.carried)
		}
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
