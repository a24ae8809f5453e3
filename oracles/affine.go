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
func (f Affine) Value(word uint32, j int) float64 { return float64(f.level(word, j)) }

func (f Affine) level(word uint32, j int) uint32 { return word >> (j * f.Bits) & (1<<f.Bits - 1) }

// Weights are a quantised matrix of rows of in values: packed[out, in·b/32],
// scales and biases [out, in/G].
type Weights struct {
	Packed         []uint32
	Scales, Biases []float64
}

// Expert is a matrix of its own with the input that it meets.
type Expert struct {
	Weights
	X []float64 // [in]
}

// affineProduct computes rows of the product of a quantised matrix with one
// input, in the order of a contract.
type affineProduct struct {
	Affine
	Weights
	in     int
	block  int // values to a term of the sum
	lanes  *lanes
	inputs []blockInputs
}

func newAffineProduct(f Affine, w Weights, in int, c Contract) *affineProduct {
	p := &affineProduct{Affine: f, Weights: w, in: in, block: f.PerWord()}
	name := "row"
	if _, ok := c.Sums["groups"]; ok {
		name, p.block = "groups", f.Group
	}
	p.lanes = newLanes(c.arithmetic().sums, c.order(name))
	p.inputs = make([]blockInputs, in/p.block)
	return p
}

// load takes the input that the following rows meet.
func (p *affineProduct) load(x []float64) {
	for i := range p.inputs {
		p.inputs[i] = newBlockInputs(x[i*p.block : (i+1)*p.block])
	}
}

// row is the product with row r, its bound and how its error comes about, as an
// element of an [Answer].
func (p *affineProduct) row(r int) (want, bound float64, s moments) {
	var exact accumulator
	open := false
	p.lanes.clear()
	words := p.block / p.PerWord()
	for i := range p.inputs {
		first := (r*len(p.inputs) + i) * words
		g := r*(p.in/p.Group) + i*p.block/p.Group
		b := block{p.Affine, p.Packed[first : first+words], p.Scales[g], p.Biases[g], &p.inputs[i]}
		open = p.lanes.take(i, b, &exact) && !b.hasNaN() || open
	}
	return p.lanes.element(exact, open)
}

// lanes are the running sums of a schedule whose lanes take whole blocks.
type lanes struct {
	*arithmetic
	order
	sums   []approx
	terms  []float64 // by block; nil unless they are traced
	values int       // taken in all
	leaves           // of all of them
}

// leaves are the products q·s·x and b·x of some values.
type leaves struct {
	magnitude      float64 // Σ|q·s·x| + |b·x|
	scaled, offset float64 // Σq·s·x and Σb·x
	squares        float64 // Σ(q·s·x)² + (b·x)²
}

// meanSquare bounds that of their partial sums, of one kind or of both.
func (l leaves) meanSquare() float64 {
	return float64(l.scaled*l.scaled) + float64(l.offset*l.offset) + l.squares
}

func newLanes(m *arithmetic, o order) *lanes {
	return &lanes{arithmetic: m, order: o, sums: make([]approx, max(o.Lanes, 1))}
}

func (l *lanes) clear() {
	clear(l.sums)
	l.values, l.leaves, l.terms = 0, leaves{}, l.terms[:0]
}

// take adds block number i to its lane, and its terms to exact. It reports
// whether the lane is not finite.
func (l *lanes) take(i int, b block, exact *accumulator) bool {
	sum := &l.sums[i/max(l.Block, 1)%len(l.sums)]
	var taken leaves
	before := sum.v
	*sum, taken = b.onto(*sum, l.arithmetic, exact)
	if l.tracer != nil {
		l.terms = append(l.terms, sum.v-before)
	}
	l.values += len(b.x)
	l.magnitude += taken.magnitude
	l.scaled += taken.scaled
	l.offset += taken.offset
	l.squares += taken.squares
	return !finite(sum.v)
}

// total is the sum of all lanes. Where the schedule leaves the order open, the
// values of different blocks may mix: their 2n leaves then pass 2n additions of
// results of at most the whole magnitude, with the mean square of its leaves.
func (l *lanes) total() approx {
	y := l.combine(l.sums, l.Schedule)
	if l.Tile > 1 && y.e > 0 {
		n := float64(2*l.values + 3)
		y.e += float64(n * l.u * l.magnitude * l.grown(n))
		y.variance += float64(n * l.scatter * l.leaves.meanSquare())
	}
	return y
}

// element is the exact sum and its bound, as an element of an [Answer]. open
// says that a lane stopped being finite without a NaN: then the association
// decides what a sum that is not finite is.
func (l *lanes) element(exact accumulator, open bool) (want, bound float64, s moments) {
	want = exact.value()
	switch {
	case finite(want):
		y := l.total()
		if l.tracer != nil {
			y = l.tracer.formed(l.order, y, 0, func() []float64 { return l.terms })
		}
		return want, y.e, y.moments
	case open:
		return want, math.NaN(), s
	}
	return want, 0, s
}

// block is a part of a row that has one scale and one bias, with the inputs
// that it meets.
type block struct {
	Affine
	packed      []uint32
	scale, bias float64
	*blockInputs
}

// blockInputs are the inputs that meet a block of every row.
type blockInputs struct {
	x        []float64
	plain    float64 // Σ|x|
	sum      float64 // Σx
	squares  float64 // Σx²
	grid     float64 // the power of two that all are multiples of
	smallest float64 // |x|, of those that are not 0
	nan      bool
}

func newBlockInputs(x []float64) blockInputs {
	b := blockInputs{x: x, grid: math.Inf(1), smallest: math.Inf(1)}
	for _, v := range x {
		b.plain += math.Abs(v)
		b.sum += v
		b.squares += float64(v * v)
		b.grid = min(b.grid, lowestBit(v))
		b.nan = b.nan || math.IsNaN(v)
		if v != 0 {
			b.smallest = min(b.smallest, math.Abs(v))
		}
	}
	return b
}

// hasNaN reports whether a NaN enters the block.
func (b block) hasNaN() bool {
	return b.nan || math.IsNaN(b.scale) || math.IsNaN(b.bias)
}

// onto is the running sum after it has taken the block, and the block's leaves.
// The terms of the definition go to exact.
func (b block) onto(acc approx, m *arithmetic, exact *accumulator) (after approx, l leaves) {
	var sum, weighted, squares float64
	var largest uint32
	total, rest := *exact, b.x
	for _, word := range b.packed {
		n := min(b.PerWord(), len(rest))
		for j, x := range rest[:n] {
			level := b.level(word, j)
			q := float64(level)
			term := float64((float64(q*b.scale) + b.bias) * x)
			total = total.plus(term)
			sum += term
			p := float64(q * math.Abs(x))
			weighted += p
			squares += float64(p * p)
			largest = max(largest, level)
		}
		rest = rest[n:]
	}
	*exact = total
	widest := math.Abs(float64(largest)*b.scale) + math.Abs(b.bias)
	before := math.Abs(acc.v) + acc.e
	l.magnitude = float64(math.Abs(b.scale)*weighted) + float64(math.Abs(b.bias)*b.plain)
	after = approx{acc.v + sum, acc.e, acc.moments}
	if !finite(after.v) || !finite(l.magnitude) {
		return exactly(after.v), l
	}
	// Σqx, Σx, s·x, q·s + b or a partial sum may overflow, as the association has them.
	if max(weighted+b.plain, math.Abs(b.scale)*b.plain, widest, before+l.magnitude) > m.largest {
		return bounded(after.v, math.Inf(1)), l
	}
	if l.magnitude == 0 || acc.e == 0 && b.onGrid(m, weighted+b.plain, widest, before+l.magnitude, lowestBit(acc.v)) {
		return after, l
	}
	l.offset = float64(b.bias * b.sum)
	l.scaled = sum - l.offset
	l.squares = float64(b.scale*b.scale*squares) + float64(b.bias*b.bias*b.squares)
	n := float64(2*len(b.x) + 3)
	if m.narrow() {
		n += 3 // q·s, b and x in the format
	}
	after.e = float64((acc.e + float64(m.u*(float64(float64(len(b.x))*before)+float64(n*l.magnitude)))) * m.grown(n))
	underflow := b.underflow(m, weighted+b.plain)
	after.e += underflow
	after.systematic += underflow
	after.variance += float64(m.scatter *
		(float64(float64(len(b.x))*max(acc.v*acc.v, after.v*after.v)) + float64((n+2)*l.meanSquare())))
	if m.narrow() {
		after.systematic = after.e // see [arithmetic.stagnant]
	}
	return m.round(after.v, after.e, after.moments, 0), l
}

// onGrid reports whether every intermediate of every association is a multiple
// of a power of two that the format holds: of the grid of x in Σqx and Σx, of
// that of s and b in q·s + b, and of their product and the running sum's in
// the whole.
func (b block) onGrid(m *arithmetic, sums, widest, magnitude, running float64) bool {
	x, affine := b.grid, min(lowestBit(b.scale), lowestBit(b.bias))
	whole := min(x*affine, running)
	return sums <= x/m.u && widest <= affine/m.u && magnitude <= whole/m.u && min(x, affine, whole) >= m.tiny
}

// underflow is the absolute error of subnormal intermediates: each of the
// leaves may lose η, and so may the operand that it is then multiplied with.
// There are none where every factor and leaf is at least tiny/u: all are then
// multiples of a power of two of at least tiny, and their sums are too.
func (b block) underflow(m *arithmetic, sums float64) float64 {
	smallest := b.smallest
	for _, f := range [2]float64{math.Abs(b.scale), math.Abs(b.bias)} {
		if f != 0 {
			smallest = min(smallest, f, f*b.smallest)
		}
	}
	if m.u*smallest >= m.tiny {
		return 0
	}
	n := float64(2*len(b.x) + 2)
	largest := math.Ldexp(1, b.Bits)
	return n * m.eta * (1 + largest) * (1 + math.Abs(b.scale) + math.Abs(b.bias) + sums)
}
