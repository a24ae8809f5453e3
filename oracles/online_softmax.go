package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// onlineSoftmax follows the arithmetic of softmax over tiles of keys, each added to a
// running state. Attention of every kind has it, so that all have one contract.
//
// A kernel's maximum M̂ is its own, and its sums are relative to it. What it weighs a key
// with is e^{ŝ − M̂}, so that
//
//	ŵ·e^{M̂−M} = e^{ŝ−M}·(1 + ε),   |ŵ·e^{M̂−M} − w| ≤ w·(e^{e_s} − 1) + what the kernel rounds,
//
// and the same holds of a carried sum that is multiplied by e^{m̂−M̂}. All errors here are
// of sums times e^{M̂−M}: the error of the maximum is not in them, and cancels in the
// quotient of two sums. [runningSum.absolute] has it.
//
// A tile's own sums are merged into the state,
//
//	l ← l·e^{m−M} + l'·e^{m'−M},   V ← V·e^{m−M} + V'·e^{m'−M},   M = max(m, m'),
//
// or the state is rescaled and the tile is added to it term by term ([Carry]): then n
// terms round the carried sum n times, not once. A kernel that works through a tile in
// smaller ones ([Softmax]) rescales whenever a key exceeds all before it: each time costs
// an exponential and a product, and the exponents add up to the way that the maximum
// comes.
//
// Source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018;
// Dao, FlashAttention-2, 2023, algorithm 1.
type onlineSoftmax struct {
	*arithmetic
	score               *dotter
	scale               float64
	denominator, values order
	anyTiles            bool // keys come in tiles of any size, in any order

	scores, weights, terms []approx
	inherited              []float64 // by the weights from their scores
	inTile                 weighing
	panel                  panel
}

func newOnlineSoftmax(scale float64, c Contract) *onlineSoftmax {
	m := c.arithmetic()
	return &onlineSoftmax{
		arithmetic: m, score: m.dotter(c.order("score")), scale: scale,
		denominator: c.order("denominator"), values: c.order("values"),
	}
}

// runningState is one head's state as the kernel carries it from tile to tile.
type runningState struct {
	max    approx
	denom  runningSum
	values runningSums
}

// runningSum is a sum relative to the kernel's maximum, with the parts of its error that
// come from the scores, from the exponentials of weights and from carrying it; the rest
// are the roundings of the sum itself.
type runningSum struct {
	approx
	scores, exponentials, carried float64
}

// startState is the state before the first of the tiles.
func startState(prior *MLAState, h, rank int) runningState {
	s := runningState{max: exactly(math.Inf(-1)), values: newRunningSums(rank)}
	if prior != nil {
		s.max, s.denom.approx = exactly(prior.Max[h]), exactly(prior.Denom[h])
		for i := range rank {
			s.values.set(i, runningSum{approx: exactly(prior.Values[h*rank+i])})
		}
	}
	return s
}

// open gives up what is known of the sums.
func (s *runningState) open() {
	s.denom.e = math.Inf(1)
	for i := range s.values.n {
		x := s.values.at(i)
		x.e = math.Inf(1)
		s.values.set(i, x)
	}
}

// absolute is the sum against the exact maximum, given the kernel's.
func (s runningSum) absolute(maximum approx) runningSum {
	if maximum.e == 0 || !finite(maximum.v) || math.IsInf(s.e, 1) || !finite(s.v) {
		return s
	}
	drift := math.Expm1(maximum.e)
	moved := float64(math.Abs(s.v)*drift) + float64(s.e*drift)
	s.e += moved
	s.scores += moved
	s.moments = s.plus(maximum.through(maximum.e, drift).scaled(s.v))
	return s
}

// giveSum stores element i as a sum, with the parts of its error; what the sum itself
// rounds is the last term.
func (a Answer) giveSum(i int, want float64, s runningSum) {
	a.setParts(i, want, s.e, s.scores, s.exponentials, s.carried)
	a.setMoments(i, s.moments)
}

// scored are the scores of n keys from first on.
func (k *onlineSoftmax) scored(first, n int, query []float64, keys factors) []approx {
	list, size := make([]approx, n), absoluteSum(query)
	if !k.score.paneled(len(query)) || k.score.Tile > 1 {
		for j := range list {
			row := keys.row(first + j)
			y := k.score.dotOf(query, row, size+keys.sizes[first+j])
			list[j] = k.scaledProduct(k.scale, y, func() (float64, float64) {
				_, magnitude, squares := products(query, row)
				return magnitude, squares
			})
		}
		return list
	}
	k.panel.split(query, max(k.score.Lanes, 1), max(k.score.Block, 1))
	var sizes [loops.Panel]float64
	for at := first / loops.Panel * loops.Panel; at < first+n; at += loops.Panel {
		some := sizes[:min(loops.Panel, len(keys.sizes)-at)]
		for i := range some {
			some[i] = size + keys.sizes[at+i]
		}
		k.score.dots(&k.panel, keys.panel(at), len(query), some, func(i int, y approx, magnitude, squares float64) {
			if j := at + i; j >= first && j < first+n {
				y = k.score.traced(y, query, keys.row(j))
				list[j-first] = k.scaledProduct(k.scale, y, func() (float64, float64) { return magnitude, squares })
			}
		})
	}
	return list
}

// tile adds the keys from first on with their scores to the state. Keys whose scores are
// all −∞ contribute nothing.
func (k *onlineSoftmax) tile(s *runningState, scores []approx, values *channels, first int) {
	// 1. The new maximum.
	k.scores = scores
	largest := exactly(math.Inf(-1))
	for _, x := range scores {
		largest = k.larger(largest, x)
	}
	if math.IsInf(largest.v, -1) {
		return
	}
	r := k.rescaling(s.max, largest)

	// 2. Weights under it, and their sum.
	k.weigh(r.maximum)
	var sum weightedSum
	for j := range k.weights {
		sum.add(k.weights[j], k.inherited[j], 1)
	}
	s.denom = k.advance(s.denom, sum.of(k.independentSum(k.denominator, k.weights)), r, k.weights)

	// 3. Weighted values.
	k.add(&s.values, values, first, r)
	s.max = r.maximum
}

// advanceOver is a carried sum once values v, weighted, are in it.
func (k *onlineSoftmax) advanceOver(prior runningSum, v []float64, r rescaling) runningSum {
	var sum weightedSum
	k.terms = k.terms[:0]
	for j, w := range k.weights {
		k.terms = append(k.terms, k.mul(w, exactly(v[j])))
		sum.add(w, k.inherited[j], math.Abs(v[j]))
	}
	return k.advance(prior, sum.of(k.independentSum(k.values, k.terms)), r, k.terms)
}

// weigh sets weights to e^{s − M}.
func (k *onlineSoftmax) weigh(maximum approx) {
	k.weights, k.inherited = k.weights[:0], k.inherited[:0]
	for _, x := range k.scores {
		w := k.exp(k.exponent(x, maximum))
		k.weights = append(k.weights, w)
		k.inherited = append(k.inherited, float64(w.v*math.Expm1(x.e)))
	}
}

// exponent is a − M̂ given what M̂ rounds to: the subtraction is of the kernel's numbers.
func (k *onlineSoftmax) exponent(a, maximum approx) approx {
	x := k.sub(a, exactly(maximum.v))
	if maximum.e != 0 && finite(x.v) {
		x.e += float64(k.u * (math.Abs(x.v) + x.e + maximum.e))
	}
	return x
}

// weightedSum collects where the error of Σ w·v comes from.
type weightedSum struct{ magnitude, scores, exponentials float64 }

// add takes in a weight, which has inherited part of its error, times |v|.
func (s *weightedSum) add(w approx, inherited, v float64) {
	s.magnitude += float64(w.v * v)
	s.scores += float64(inherited * v)
	s.exponentials += float64((w.e - inherited) * v)
}

// of is the sum y with its parts.
func (s weightedSum) of(y approx) runningSum {
	return runningSum{y, s.scores, s.exponentials, 0}
}

// rescaling is what becomes of the state as a tile is added.
type rescaling struct {
	maximum approx
	absent  bool    // there is no state yet
	carried approx  // e^{m−M}
	merged  float64 // relative error of the product with e^{m'−M}
	again   float64 // relative error of rescaling within the tile
}

// rescaling is that from the state's maximum to the tile's.
func (k *onlineSoftmax) rescaling(before, here approx) rescaling {
	r := rescaling{maximum: k.larger(before, here), absent: math.IsInf(before.v, -1), carried: exactly(1)}
	if !r.absent {
		r.carried = k.shrinking(before, here)
		if added := k.shrinking(here, before); added != exactly(1) && finite(added.v) {
			r.merged = compound(k.lost(added), k.u)
		}
	}
	if k.may(Softmax) || k.anyTiles {
		r.again = k.rescaledWithin(before)
	}
	return r
}

// lost is the relative error of a factor that may be flushed, and then loses all.
func (m *arithmetic) lost(factor approx) float64 {
	if r := factor.e / factor.v; r < 1 {
		return r
	}
	return 1
}

// shrinking is e^{a − max(a, b)}, exactly 1 where a is certainly the larger.
func (k *onlineSoftmax) shrinking(a, b approx) approx {
	d := k.sub(exactly(a.v), exactly(b.v))
	if d.v >= a.e+b.e {
		return exactly(1)
	}
	if unsure := a.e + b.e; unsure != 0 {
		d.e += float64(k.u * (math.Abs(d.v) + unsure))
	}
	d.v = min(0, d.v)
	return k.exp(d)
}

// rescaledWithin is the relative error of rescaling at every key that may exceed all
// before it: of R exponentials and products, and of exponents that add up to the way from
// the first maximum to the last. In any order, every key may be one of them.
func (k *onlineSoftmax) rescaledWithin(highest approx) float64 {
	var steps, way, own float64
	for _, x := range k.scores {
		if k.anyTiles {
			steps++
			if rise := math.Abs(x.v-highest.v) + x.e + highest.e; finite(rise) {
				way = max(way, rise)
				own = max(own, k.library.exp(rise))
			}
			continue
		}
		if x.v == highest.v && x.e == 0 && highest.e == 0 || x.v+x.e < highest.v-highest.e {
			continue
		}
		if rise := math.Abs(x.v-highest.v) + x.e + highest.e; finite(rise) {
			steps++
			way += rise
			own = max(own, k.library.exp(rise))
		}
		highest = k.larger(highest, x)
	}
	return math.Expm1(float64(steps*(own+k.u)) + float64(way*k.u) + k.library.exponent(way))
}

// advance is the carried sum once a tile's is in it. The tile's is one of terms.
func (k *onlineSoftmax) advance(prior, tile runningSum, r rescaling, terms []approx) runningSum {
	var magnitude float64
	for _, t := range terms {
		magnitude += math.Abs(t.v)
	}
	acc := k.sums // which the state is in
	p := prior.approx
	switch {
	case r.absent:
		p = exactly(0) // whatever its buffers hold
	case r.carried != exactly(1) || acc.narrow() || acc.flush && acc.below(p) || !finite(p.v):
		p = acc.mul(p, r.carried)
	} // else a factor of 1 rounds nothing
	t := tile.approx
	t.limit(r.merged)
	y := acc.addIndependent(p, t)
	if r.absent {
		y = t
	}
	if !finite(y.v) {
		return runningSum{approx: y}
	}
	if n := float64(len(terms)); k.may(Carry) &&
		!(p.e == 0 && t.e == 0 && acc.exactSum(min(grid(terms), lowestBit(p.v)), magnitude+math.Abs(p.v))) {
		y.e += float64(n * acc.u * (math.Abs(p.v) + p.e))
		y.variance += float64(n * acc.scatter * p.v * p.v)
	}
	again := float64(r.again * (math.Abs(p.v) + p.e + magnitude + t.e))
	y.e += again
	y.systematic += again
	if acc.narrow() {
		y.systematic = y.e // see [arithmetic.stagnant]
	}
	if math.IsNaN(y.e) {
		y = bounded(y.v, math.Inf(1))
	}
	c := r.carried.v
	return runningSum{
		approx:       y,
		scores:       float64(c*prior.scores) + tile.scores,
		exponentials: float64(c*prior.exponentials) + tile.exponentials,
		carried:      float64(c*prior.carried) + max(0, y.e-float64(c*prior.e)-tile.e),
	}
}

// limit adds a relative error.
func (a *approx) limit(relative float64) {
	if relative == 0 || math.IsInf(a.e, 1) || !finite(a.v) {
		return
	}
	a.moments = a.limited(a.v, relative)
	a.e += float64(relative * (math.Abs(a.v) + a.e))
}

// merge adds the state of another part of the keys.
func (k *onlineSoftmax) merge(into *runningState, s runningState) {
	if math.IsInf(s.max.v, -1) {
		return
	}
	if math.IsInf(into.max.v, -1) {
		*into = s
		return
	}
	maximum := k.larger(into.max, s.max)
	keep, take := k.shrinking(into.max, s.max), k.shrinking(s.max, into.max)
	joined := func(a, b runningSum) runningSum {
		y := k.sums.addIndependent(k.sums.mul(a.approx, keep), k.sums.mul(b.approx, take))
		inherited := float64(keep.v*a.e) + float64(take.v*b.e)
		return runningSum{
			approx:       y,
			scores:       float64(keep.v*a.scores) + float64(take.v*b.scores),
			exponentials: float64(keep.v*a.exponentials) + float64(take.v*b.exponentials),
			carried:      float64(keep.v*a.carried) + float64(take.v*b.carried) + max(0, y.e-inherited),
		}
	}
	into.denom = joined(into.denom, s.denom)
	for d := range into.values.n {
		into.values.set(d, joined(into.values.at(d), s.values.at(d)))
	}
	into.max = maximum
}

// larger is max(a, b): it moves by no more than either operand does, so that
// its squared error is at most the sum of theirs.
func (m *arithmetic) larger(a, b approx) approx {
	v := math.Max(a.v, b.v)
	if !finite(v) {
		return exactly(v)
	}
	switch { // an operand that cannot be the larger does not count
	case a.v+a.e < b.v-b.e:
		return b
	case b.v+b.e < a.v-a.e:
		return a
	}
	return approx{v, max(a.e, b.e), moments{a.variance + b.variance, max(a.systematic, b.systematic)}}
}

// scaledProduct is scale·(a·b), given that product, and how to get Σ|aᵢ·bᵢ| and Σ(aᵢ·bᵢ)². Multiplied
// out ([Products]), a is scaled beforehand, which rounds every term once more instead of the
// sum.
func (m *arithmetic) scaledProduct(scale float64, product approx, terms func() (magnitude, squares float64)) approx {
	y := m.mul(exactly(scale), product)
	if power := lowestBit(scale) == math.Abs(scale); power || !m.may(Products) || !finite(y.v) || math.IsInf(y.e, 1) {
		return y
	}
	magnitude, squares := terms()
	y.e += float64(m.u * math.Abs(scale) * magnitude)
	y.variance += float64(m.scatter * scale * scale * squares)
	return y
}
