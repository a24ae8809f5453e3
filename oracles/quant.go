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
// The terms of the contract's sum "row" are words of m values, and a lane takes
// the (q·s + b)·x of a word in any association: it may add them one by one to
// its running sum, or first make s·Σqx + b·Σx of them. A leaf q·s·x or b·x
// passes at most 3 multiplications; of the at most 2m additions of a word, at
// most m add to the running sum A. With W = Σ(|q·s·x| + |b·x|) no result is
// above |A| + W, or above W without A, so that
//
//	E_A ← (E_A + u·(m·|A| + (2m+3)·W))·(1+u)^{2m+3}
//
// and unchanged where every intermediate of all associations fits the format
// on a common grid.
func DequantMatvec(f Affine, packed []uint32, scales, biases, x []float64, in, out int, c Contract) Answer {
	tokens := 0
	if in > 0 {
		tokens = len(x) / in
	}
	a := newAnswer(tokens*out, "row sum")
	m := c.arithmetic()
	words, groups := in/f.PerWord(), in/f.Group
	lanes := newLanes(m, c.Sum("row"))
	inputs := make([]wordInputs, words)
	for t := range tokens {
		for w := range inputs {
			first := t*in + w*f.PerWord()
			inputs[w] = newWordInputs(x[first : first+f.PerWord()])
		}
		for r := range out {
			var want accumulator
			open := false
			lanes.clear()
			for w := range words {
				g := r*groups + w*f.PerWord()/f.Group
				v := word{f, packed[r*words+w], scales[g], biases[g], &inputs[w]}
				v.accumulate(&want)
				open = lanes.take(w, v) && !v.hasNaN() || open
			}
			y := want.value()
			if finite(y) {
				a.set(t*out+r, y, lanes.total().e)
			} else {
				a.set(t*out+r, y, undecided(open))
			}
		}
	}
	return a
}

// lanes are the running sums of a schedule whose lanes take whole words.
type lanes struct {
	arithmetic
	Schedule
	sums      []approx
	values    int     // taken in all
	magnitude float64 // Σ|q·s·x| + |b·x| of them
}

func newLanes(m arithmetic, s Schedule) *lanes {
	return &lanes{arithmetic: m, Schedule: s, sums: make([]approx, max(s.Lanes, 1))}
}

func (l *lanes) clear() {
	clear(l.sums)
	l.values, l.magnitude = 0, 0
}

// take adds word number i to its lane. It reports whether the lane is not
// finite.
func (l *lanes) take(i int, w word) bool {
	sum := &l.sums[i/max(l.Block, 1)%len(l.sums)]
	magnitude := 0.0
	*sum, magnitude = w.onto(*sum, l.arithmetic)
	l.values += len(w.x)
	l.magnitude += magnitude
	return !finite(sum.v)
}

// total is the sum of all lanes. Where the schedule leaves the order open, the
// values of different words may mix: their 2n leaves then pass 2n additions of
// results of at most the whole magnitude.
func (l *lanes) total() approx {
	y := l.combine(l.sums, max(l.Simd, 1))
	if l.Tile > 1 && y.e > 0 {
		n := float64(2*l.values + 3)
		y.e += n * l.u * l.magnitude * math.Exp(n*math.Log1p(l.u))
	}
	return y
}

// undecided is the bound of a non-finite element: NaN where the association
// decides what it is, 0 where it does not.
func undecided(open bool) float64 {
	if open {
		return math.NaN()
	}
	return 0
}

// word is one packed word of a row with the inputs that it meets.
type word struct {
	Affine
	packed      uint32
	scale, bias float64
	*wordInputs
}

// wordInputs are the inputs that meet a word of every row.
type wordInputs struct {
	x        []float64
	plain    float64 // Σ|x|
	grid     float64 // the power of two that all are multiples of
	smallest float64 // |x|, of those that are not 0
	nan      bool
}

func newWordInputs(x []float64) wordInputs {
	w := wordInputs{x: x, grid: math.Inf(1), smallest: math.Inf(1)}
	for _, v := range x {
		w.plain += math.Abs(v)
		w.grid = min(w.grid, lowestBit(v))
		w.nan = w.nan || math.IsNaN(v)
		if v != 0 {
			w.smallest = min(w.smallest, math.Abs(v))
		}
	}
	return w
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
	return w.nan || math.IsNaN(w.scale) || math.IsNaN(w.bias)
}

// onto is the running sum after it has taken the word, and W.
func (w word) onto(acc approx, m arithmetic) (after approx, magnitude float64) {
	var sum, weighted, largest float64
	for j, x := range w.x {
		q := w.Value(w.packed, j)
		sum += (float64(q*w.scale) + w.bias) * x
		weighted += q * math.Abs(x)
		largest = max(largest, q)
	}
	widest := math.Abs(largest*w.scale) + math.Abs(w.bias)
	before := math.Abs(acc.v) + acc.e
	magnitude = math.Abs(w.scale)*weighted + math.Abs(w.bias)*w.plain
	after = approx{acc.v + sum, acc.e}
	if !finite(after.v) || !finite(magnitude) {
		return approx{after.v, 0}, magnitude
	}
	if magnitude == 0 || acc.e == 0 && w.onGrid(m, weighted+w.plain, widest, before+magnitude, lowestBit(acc.v)) {
		return after, magnitude
	}
	n := float64(2*len(w.x) + 3)
	after.e = (acc.e + m.u*(float64(len(w.x))*before+n*magnitude)) * math.Exp(n*math.Log1p(m.u))
	after.e += w.underflow(m, weighted+w.plain)
	return m.round(after.v, after.e, 0), magnitude
}

// onGrid reports whether every intermediate of every association is a multiple
// of a power of two that the format holds: of the grid of x in Σqx and Σx, of
// that of s and b in q·s + b, and of their product and the running sum's in
// the whole.
func (w word) onGrid(m arithmetic, sums, widest, magnitude, running float64) bool {
	x, affine := w.grid, min(lowestBit(w.scale), lowestBit(w.bias))
	whole := min(x*affine, running)
	return sums <= x/m.u && widest <= affine/m.u && magnitude <= whole/m.u && min(x, affine, whole) >= m.tiny
}

// underflow is the absolute error of subnormal intermediates: each of the
// leaves may lose η, and so may the operand that it is then multiplied with.
// There are none where every factor and leaf is at least tiny/u: all are then
// multiples of a power of two of at least tiny, and their sums are too.
func (w word) underflow(m arithmetic, sums float64) float64 {
	smallest := w.smallest
	for _, f := range [2]float64{math.Abs(w.scale), math.Abs(w.bias)} {
		if f != 0 {
			smallest = min(smallest, f, f*w.smallest)
		}
	}
	if m.u*smallest >= m.tiny {
		return 0
	}
	n := float64(2*len(w.x) + 2)
	largest := math.Ldexp(1, w.Bits)
	return n * m.eta * (1 + largest) * (1 + math.Abs(w.scale) + math.Abs(w.bias) + sums)
}
