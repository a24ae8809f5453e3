package oracles

import "math"

// Affine is b-bit affine quantisation: a value is q·s + b with the scale s and
// the bias b of its group of consecutive inputs. Values are packed into 32-bit
// words, least significant bits first.
type Affine struct {
	Bits  int // 2, 4 or 8
	Group int // inputs that share a scale and a bias
}

// PerWord is the number of values in a 32-bit word.
func (f Affine) PerWord() int { return 32 / f.Bits }

// Value is the j-th packed integer of a word.
func (f Affine) Value(word uint32, j int) float64 {
	return float64(word >> (j * f.Bits) & (1<<f.Bits - 1))
}

// DequantMatvec is the product of a quantised matrix with each row of x:
//
//	out[t, r] = Σᵢ (q[r, i]·scales[r, i/G] + biases[r, i/G]) · x[t, i]
//
// packed is packed[out, in·b/32], scales and biases are [out, in/G], x is
// x[tokens, in], and the result is out[tokens, out].
//
// Special cases: a NaN in x, or in a group's scale or bias, makes every
// element that reads it NaN. An infinite one makes it non-finite, but whether
// NaN or ±Inf depends on the association.
//
// The m values of one word may be multiplied and added in any association:
// q·s + b first, or s·Σqx + b·Σx, or q·(s·x) + b·x. In each of them a leaf
// product passes at most 3 multiplications and the 2m leaves at most 2m−1
// additions, each of which has a result of at most W = Σ(|q·s·x| + |b·x|), so
//
//	e_word = (2m+2)·u·W·(1+u)^{2m+2}
//
// and zero where every intermediate of all three fits the format on a common
// grid. The words are then added in the order of the contract's "row".
func DequantMatvec(f Affine, packed []uint32, scales, biases, x []float64, in, out int, c Contract) Answer {
	tokens := 0
	if in > 0 {
		tokens = len(x) / in
	}
	a := newAnswer(tokens*out, "products", "row sum")
	m := c.arithmetic()
	schedule := c.Sum("row")
	words, groups := in/f.PerWord(), in/f.Group
	terms := make([]approx, words)
	for t := range tokens {
		xt := x[t*in : (t+1)*in]
		for r := range out {
			var want accumulator
			var products float64
			open := false
			for w := range words {
				g := r*groups + w*f.PerWord()/f.Group
				v := word{f, packed[r*words+w], scales[g], biases[g], xt[w*f.PerWord() : (w+1)*f.PerWord()]}
				v.accumulate(&want)
				terms[w] = v.approx(m)
				products += terms[w].e
				open = open || !finite(terms[w].v) && !v.hasNaN()
			}
			y := want.value()
			if !finite(y) {
				a.set(t*out+r, y, 0, undecided(y, open))
				continue
			}
			a.set(t*out+r, y, split(m.sum(schedule, terms).e, products)...)
		}
	}
	return a
}

// undecided is the bound of a non-finite element: NaN where the association
// decides what it is, 0 where it does not.
func undecided(want float64, open bool) float64 {
	if open && !math.IsNaN(want) || open {
		return math.NaN()
	}
	return 0
}

// word is one packed word of a row with the inputs that it meets.
type word struct {
	Affine
	packed      uint32
	scale, bias float64
	x           []float64
}

// accumulate adds the word's terms of the definition to s.
func (w word) accumulate(s *accumulator) {
	for j, x := range w.x {
		q := w.Value(w.packed, j)
		s.add((float64(q*w.scale) + w.bias) * x)
	}
}

// hasNaN reports whether a NaN enters the word.
func (w word) hasNaN() bool {
	for _, x := range w.x {
		if math.IsNaN(x) {
			return true
		}
	}
	return math.IsNaN(w.scale) || math.IsNaN(w.bias)
}

// approx is the word's sum as the kernel computes it, in any association.
func (w word) approx(m arithmetic) approx {
	var sum, weighted, plain, widest float64
	grid := math.Inf(1)
	for j, x := range w.x {
		q := w.Value(w.packed, j)
		sum += (float64(q*w.scale) + w.bias) * x
		weighted += q * math.Abs(x)
		plain += math.Abs(x)
		widest = max(widest, math.Abs(q*w.scale)+math.Abs(w.bias))
		grid = min(grid, lowestBit(x))
	}
	magnitude := math.Abs(w.scale)*weighted + math.Abs(w.bias)*plain
	if !finite(sum) || !finite(magnitude) {
		return exactly(sum)
	}
	if magnitude == 0 || w.onGrid(m, grid, weighted+plain, widest, magnitude) {
		return exactly(sum)
	}
	n := float64(2*len(w.x) + 2)
	e := n * m.u * magnitude * math.Exp(n*math.Log1p(m.u))
	e += w.underflow(m, weighted+plain)
	return m.round(sum, e, 0)
}

// onGrid reports whether every intermediate of every association is a multiple
// of a power of two that the format holds: of the grid of x in Σqx and Σx, of
// that of s and b in q·s + b, and of their product in the whole.
func (w word) onGrid(m arithmetic, x, sums, widest, magnitude float64) bool {
	affine := min(lowestBit(w.scale), lowestBit(w.bias))
	return sums <= x/m.u && widest <= affine/m.u && magnitude <= x*affine/m.u && min(x, affine, x*affine) >= m.tiny
}

// underflow is the absolute error of subnormal intermediates: each of the
// leaves may lose η, and so may the operand that it is then multiplied with.
func (w word) underflow(m arithmetic, sums float64) float64 {
	smallest := math.Inf(1)
	for _, x := range w.x {
		for _, f := range []float64{1, w.scale, w.bias, w.scale * x, w.bias * x} {
			if p := math.Abs(f * x); p != 0 {
				smallest = min(smallest, p)
			}
		}
	}
	for _, f := range []float64{w.scale, w.bias} {
		if f != 0 {
			smallest = min(smallest, math.Abs(f))
		}
	}
	if m.u*smallest >= m.tiny {
		return 0
	}
	n := float64(2*len(w.x) + 2)
	largest := math.Ldexp(1, w.Bits)
	return n * m.eta * (1 + largest) * (1 + math.Abs(w.scale) + math.Abs(w.bias) + sums)
}
