package oracles

import (
	"math"
	"slices"
)

// emptySlot is the weight of a slot of the router that no expert has taken.
const emptySlot = float64(float32(-1e30))

// RouterTopK is the softmax over the experts and the choice of k of them. For
// each token, with p = softmax(logits):
//
//	slots start as (index 0, weight −1e30); expert after expert, one whose
//	probability is above the smallest slot, the first of them on ties, takes it
//
// logits is [tokens, experts]; indices and weights are [tokens, k].
//
// A comparison that the budget of the two probabilities does not decide may go
// either way: the slots that depend on it are left open, by a bound of +Inf.
// Experts with equal logits have equal probabilities, whatever their rounding.
//
// Special cases: a NaN makes all probabilities of its token NaN, and no slot
// is ever taken.
func RouterTopK(logits []float64, experts, k int, c Contract) (indices, weights Answer) {
	tokens := 0
	if experts > 0 {
		tokens = len(logits) / experts
	}
	indices, weights = newAnswer(tokens*k, "undecided"), newAnswer(tokens*k, "softmax")
	m := c.arithmetic()
	for t := range tokens {
		row := logits[t*experts : (t+1)*experts]
		outcomes := choose(row, m.softmax(row, c.order("denominator")), k)
		for s := range k {
			slot := outcomes[0][s]
			var open float64
			for _, o := range outcomes[1:] {
				if o[s] != slot {
					open = math.Inf(1)
				}
			}
			indices.set(t*k+s, float64(slot.index), open)
			weights.set(t*k+s, slot.weight.v, slot.weight.e+open)
			weights.setMoments(t*k+s, slot.weight.moments)
		}
	}
	return indices, weights
}

// softmax is e^{x_i − max x} / Σ e^{x_j − max x}, the sum in the given order.
func (m *arithmetic) softmax(x []float64, o order) []approx {
	p := make([]approx, len(x))
	largest := math.Inf(-1)
	for _, v := range x {
		largest = max(largest, v) // NaN if any is
	}
	for i, v := range x {
		p[i] = m.exp(m.sub(exactly(v), exactly(largest)))
	}
	sum := m.independentSum(o, p)
	for i := range p {
		p[i] = m.div(p[i], sum)
	}
	return p
}

// slot is one of the k choices of a token.
type slot struct {
	index  int
	expert int // −1 while it is empty
	weight approx
}

// maxOutcomes bounds how many outcomes of a choice are followed.
const maxOutcomes = 64

// choose gives all outcomes that the budgets allow, the exact one first. If there
// are more than maxOutcomes, slots are followed one by one instead, and the others have
// together what each slot may hold.
func choose(logits []float64, p []approx, k int) [][]slot {
	start := make([]slot, k)
	for s := range start {
		start[s] = slot{0, -1, exactly(emptySlot)}
	}
	outcomes := [][]slot{start}
	for e := range p {
		var forks [][]slot
		for i, o := range outcomes {
			next := take(logits, p, o, e)
			outcomes[i] = next[0]
			for _, fork := range next[1:] {
				if !slices.ContainsFunc(forks, func(f []slot) bool { return slices.Equal(f, fork) }) {
					forks = append(forks, fork)
				}
			}
		}
		if outcomes = append(outcomes, forks...); len(outcomes) > maxOutcomes {
			return possible(logits, p, outcomes, e+1)
		}
	}
	return outcomes
}

// take offers expert e to the slots and gives what may become of them, the
// outcome of exact arithmetic first.
func take(logits []float64, p []approx, slots []slot, e int) [][]slot {
	if len(slots) == 0 {
		return [][]slot{slots}
	}
	exact := smallest(slots)
	minima := []int{exact} // slots that may be the smallest, the exact one first
	for s := range slots {
		if s != exact && doubtful(logits, slots[s], slots[exact]) {
			minima = append(minima, s)
		}
	}
	var sure, other [][]slot
	for i, s := range minima {
		mine := slot{e, e, p[e]}
		taken := slices.Clone(slots)
		taken[s] = mine
		above := mine.weight.v > slots[s].weight.v
		open := doubtful(logits, mine, slots[s])
		switch {
		case i == 0 && above:
			sure = append(sure, taken)
			if open {
				other = append(other, slots)
			}
		case i == 0:
			sure = append(sure, slots)
			if open {
				other = append(other, taken)
			}
		case above || open:
			other = append(other, taken)
		}
	}
	return append(sure, other...)
}

// smallest is the first slot of the smallest weight.
func smallest(slots []slot) int {
	at := 0
	for s := range slots {
		if slots[s].weight.v < slots[at].weight.v {
			at = s
		}
	}
	return at
}

// doubtful reports whether rounding may turn the order of two weights. Equal
// logits, and empty slots among themselves, are equal for certain.
func doubtful(logits []float64, a, b slot) bool {
	switch {
	case a.expert < 0 || b.expert < 0:
		return false
	case logits[a.expert] == logits[b.expert]:
		return false
	}
	return math.Abs(a.weight.v-b.weight.v) <= a.weight.e+b.weight.e
}

// NormalizeRows divides each row of k weights by its sum where that is above
// 0, and leaves it alone elsewhere. The sum is the contract's "sum".
//
// A sum whose sign the budget does not decide leaves its row open.
func NormalizeRows(weights []float64, k int, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(weights), "sum, division")
	for first := 0; k > 0 && first+k <= len(weights); first += k {
		row := weights[first : first+k]
		sum := m.sum(c.order("sum"), exact(row))
		for i, w := range row {
			y := exactly(w)
			if sum.v > 0 {
				y = m.div(y, sum)
			}
			if sum.e > 0 && math.Abs(sum.v) <= sum.e {
				y.e = math.Inf(1)
			}
			a.give(first+i, y)
		}
	}
	return a.ofProducts()
}

// exact are numbers that the kernel reads from its inputs.
func exact(x []float64) []approx {
	a := make([]approx, len(x))
	for i, v := range x {
		a[i] = exactly(v)
	}
	return a
}

// WeightedSum is
//
//	out[i] = Σ_k weights[k]·x[k, i]
//
// x is [len(weights), dim]. The sum is the contract's "experts".
func WeightedSum(x, weights []float64, dim int, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(dim, "experts").ofSums()
	for i := range dim {
		terms := m.weighted(x, weights, dim, i)
		a.give(i, m.independentSum(c.order("experts"), terms))
		a.Scale[i] = magnitude(terms)
	}
	return a
}

// weighted are the terms of Σ_k weights[k]·x[k, i].
func (m *arithmetic) weighted(x, weights []float64, dim, i int) []approx {
	terms := make([]approx, len(weights))
	for k, w := range weights {
		terms[k] = m.mul(exactly(w), exactly(x[k*dim+i]))
	}
	return terms
}

// magnitude is Σ|terms|.
func magnitude(terms []approx) float64 {
	var s float64
	for _, t := range terms {
		s += math.Abs(t.v)
	}
	return s
}

// Combine is what a mixture-of-experts layer adds up:
//
//	hidden[i] = h[i] + Σ_k weights[k]·x[k, i] + γ·shared[i]
//
// with γ = σ(gate), or γ = 1 if gate is nil. x is [len(weights), dim]. The sum
// over experts is the contract's "experts", and that of the three parts, in the
// order written, is its "parts". Where both are of any order, or a compiler may reassociate, all may be
// one sum, as a loop makes it that goes on from the residual.
func Combine(h, shared, x, weights []float64, gate *float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(h), "experts, shared, residual").ofSums()
	gamma := exactly(1)
	if gate != nil {
		gamma = m.sigmoid(exactly(*gate))
	}
	for i := range h {
		own := exactly(shared[i])
		if gate != nil {
			own = m.mul(gamma, own)
		}
		terms := m.weighted(x, weights, len(h), i)
		y := m.independentSum(c.order("parts"),
			[]approx{exactly(h[i]), m.independentSum(c.order("experts"), terms), own})
		if open := AnyOrder(); c.Reassociated || c.Sums["parts"] == open && c.Sums["experts"] == open {
			y = widest(y, m.independentSum(c.order("parts"), append([]approx{exactly(h[i]), own}, terms...)))
		}
		a.give(i, y)
		a.Scale[i] = magnitude(append(terms, exactly(h[i]), own))
	}
	return a
}

// CombineTokens is Combine for several tokens whose routed experts are summed
// already:
//
//	hidden[t, i] = h[t, i] + routed[t, i] + σ(gate[t])·shared[t, i]
//
// h, routed and shared are [len(gate), dim]. The sum is the contract's "parts".
func CombineTokens(h, routed, shared, gate []float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(h), "shared, residual").ofSums()
	for t, g := range gate {
		gamma := m.sigmoid(exactly(g))
		dim := len(h) / len(gate)
		for i := t * dim; i < (t+1)*dim; i++ {
			terms := []approx{exactly(h[i]), exactly(routed[i]), m.mul(gamma, exactly(shared[i]))}
			a.give(i, m.sum(c.order("parts"), terms))
			a.Scale[i] = magnitude(terms)
		}
	}
	return a
}

// BucketAccumulate adds an expert's outputs to the tokens that it served:
//
//	sum[token[b], i] += weights[b]·bucket[b, i]
//
// bucket is [len(token), dim], sum is [tokens, dim]. A token occurs at most once in
// token; the rows of other tokens stay.
func BucketAccumulate(sum, bucket []float64, token []int, weights []float64, dim int, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(sum), "product, addition").ofSums()
	for i, v := range sum {
		a.set(i, v, 0)
		a.Scale[i] = math.Abs(v)
	}
	for b, t := range token {
		for i := range dim {
			terms := []approx{exactly(sum[t*dim+i]), m.mul(exactly(weights[b]), exactly(bucket[b*dim+i]))}
			a.give(t*dim+i, m.add(terms[0], terms[1]))
			a.Scale[t*dim+i] = magnitude(terms)
		}
	}
	return a
}
