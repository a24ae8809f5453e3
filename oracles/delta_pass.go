package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// deltaPass takes the λ of some outputs, or of some elements of the state, back through the
// tokens together: see [deltaAdjoint]. Each is a column of a panel.
type deltaPass struct {
	*deltaHead
	loops     *loops.Table
	x         []float64 // what the columns multiply their scale by, element by element
	columns   [loops.Panel]deltaColumn
	weights   [loops.Panel]weights // of what the last token has rounded
	by, reads [loops.Panel]float64
	kinds     [localKinds][2]float64 // the weights of a column, as loops take them
}

// deltaColumn is λ = scale·x on its way.
type deltaColumn struct {
	live    bool
	scale   float64
	read    float64 // x·k of the token before
	squares float64 // at least ‖x‖₂²
	fourth  float64 // at least ‖x‖₄
	since   int     // tokens since both were exact
	carried strips  // what it has come across, by row
}

func newDeltaPass(d *deltaHead) *deltaPass {
	p := &deltaPass{deltaHead: d, loops: loops.Native(), x: make([]float64, d.Dk*loops.Panel)}
	for i := range p.columns {
		p.columns[i].carried = newStrips(d.Dv, 1)
	}
	return p
}

// reset ends all columns.
func (p *deltaPass) reset() {
	for i := range p.columns {
		p.columns[i].live = false
	}
}

// start begins column i with λ = x after token t.
func (p *deltaPass) start(i int, x []float64, t int) {
	for j, v := range x {
		p.x[j*loops.Panel+i] = v
	}
	c := &p.columns[i]
	c.live, c.scale, c.read = true, 1, strides(x, p.k[t])
	p.measure(i)
	clear(c.carried.v)
}

// length is ‖λ‖₂.
func (c *deltaColumn) length() float64 { return math.Abs(c.scale) * math.Sqrt(c.squares) }

// strides is Σ xᵢ·yᵢ as four running sums, as loops add.
func strides(x, y []float64) float64 {
	var s [4]float64
	for i, v := range x {
		at := i % 4
		if i >= len(x)/4*4 {
			at = 0
		}
		s[at] += float64(v * y[i])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// measure makes the norms of column i exact.
func (p *deltaPass) measure(i int) {
	var squares, fourths float64
	for at := i; at < len(p.x); at += loops.Panel {
		square := float64(p.x[at] * p.x[at])
		squares += square
		fourths += float64(square * square)
	}
	length := math.Sqrt(squares)
	c := &p.columns[i]
	c.squares, c.fourth, c.since = float64(length*length), math.Sqrt(math.Sqrt(fourths)), 0
}

// measured is the number of tokens after which norms are measured again.
const measured = 8

// through takes all λ through token t, and finds the weights of what it rounds, if the row is
// rounded after it. The decay is rounded before the update: with μ = λ − β·(λ·k)·k
//
//	‖μ‖₂² = ‖λ‖₂² − 2β(λ·k)² + (β(λ·k)‖k‖₂)²,   ‖μ‖₄ ≤ ‖λ‖₄ + |β·(λ·k)|·‖k‖₄
//
// while its share in the bound of the row has the factor G ≥ ‖μ‖₂/‖λ‖₂ already.
func (p *deltaPass) through(t int) {
	live := false
	for i := range p.columns {
		l := &p.columns[i]
		p.by[i] = 0
		if !l.live {
			continue
		}
		live = true
		y, c := math.Abs(l.scale*l.read), float64(p.beta[t]*l.read)
		fourth := l.fourth + float64(math.Abs(c)*p.keyFourths[t])
		spread := math.Abs(l.scale) * fourth
		p.weights[i] = weights{solved: weight{y, y * y}, spread: weight{l.length(), spread * spread}}

		step := float64(c * p.norms[t])
		l.squares = float64(l.squares*(1+0x1p-40)) + (float64(step*step) - float64(2*c*l.read))
		l.fourth, p.by[i] = fourth, c
	}
	if !live {
		return
	}
	p.loops.Forget(&p.reads, p.x, p.k[t], p.k[max(t-1, 0)], &p.by)
	for i := range p.columns {
		l := &p.columns[i]
		if !l.live {
			continue
		}
		l.read = p.reads[i]
		l.scale *= p.alpha[t].v
		if l.since++; l.since == measured {
			p.measure(i)
		}
	}
}

// queries begins a column after each of n tokens from first on, if its output is wanted, with
// its query, takes all of them back to token end, and tells the weights of each token.
func (p *deltaPass) queries(first, n, end int, wanted func(t int) bool, each func(t, i int, w *weights)) {
	p.reset()
	for t := first + n - 1; t >= end; t-- {
		if t >= first && wanted(t) {
			p.start(t-first, p.q[t], t)
		}
		p.through(t)
		for i := range p.columns {
			if p.columns[i].live {
				each(t, i, &p.weights[i])
			}
		}
	}
}

// along adds the weights of what is rounded where a block ends.
func (p *deltaPass) along(sums *[loops.Panel]weights, b *deltaBlock) {
	for i := range p.columns {
		c := &p.columns[i]
		fourth := c.scale * c.fourth
		sums[i].spread.square(weight{c.length(), fourth * fourth})
	}
	for l := range b.n {
		p.loops.Strides(&p.reads, p.x, p.k[b.first+l])
		for i := range p.columns {
			y := p.columns[i].scale * p.reads[i]
			sums[i].along.square(weight{math.Abs(y), y * y})
		}
	}
}

// take adds errors of all rows to what column i has come across.
func (p *deltaPass) take(i int, w *weights, x *strips) {
	p.kinds = [localKinds][2]float64{
		{w.solved.error, w.solved.variance}, {w.along.error, w.along.variance}, {w.spread.error, w.spread.variance},
	}
	p.loops.Take(p.columns[i].carried.v, x.v, &p.kinds)
}

// end adds what is left of the errors d of the rows by norms.
func (c *deltaColumn) end(d []origin) {
	length := c.length()
	for i, x := range d {
		sum := c.carried.at(i, 0)
		sum.take(weight{length, length * length}, x)
		c.carried.set(i, 0, sum)
	}
	c.live = false
}

// strips are origins of some kinds for each row, those of four rows together as loops take them:
// bounds, systematic parts and variances, kind after kind.
type strips struct {
	v     []float64
	kinds int
}

// stripNumbers are how many numbers an origin has.
const stripNumbers = 3

func newStrips(rows, kinds int) strips {
	return strips{make([]float64, (rows+loops.Panel-1)/loops.Panel*loops.Panel*kinds*stripNumbers), kinds}
}

// localKinds are how many kinds a local has.
const localKinds = 3

// setAll sets the local of row i.
func (s *strips) setAll(i int, x *local) {
	s.set(i, 0, x.solved)
	s.set(i, 1, x.along)
	s.set(i, 2, x.spread)
}

// local are the locals of the panel of rows from first on, of which the strips have to hold nothing else.
func (s *strips) local(first int) *loops.Local {
	const row = localKinds * stripNumbers
	return (*loops.Local)(s.v[first*row:])
}

// origins are those of the panel of rows from first on, of strips of one kind.
func (s *strips) origins(first int) *loops.Origins {
	return (*loops.Origins)(s.v[first*stripNumbers:])
}

// squares adds the squares of all that x has.
func (s *strips) squares(x *strips) {
	for i, v := range x.v {
		s.v[i] += float64(v * v)
	}
}

// roots turns sums of squares into what a block keeps.
func (s *strips) roots() {
	for i, v := range s.v {
		s.v[i] = math.Sqrt(v)
	}
}

// of are the numbers from the bound of row i on.
func (s *strips) of(i, kind int) []float64 {
	return s.v[(i/loops.Width*s.kinds+kind)*stripNumbers*loops.Width+i%loops.Width:]
}

func (s *strips) at(i, kind int) origin {
	x := s.of(i, kind)
	return origin{x[0], moments{variance: x[2*loops.Width], systematic: x[loops.Width]}}
}

func (s *strips) set(i, kind int, o origin) {
	x := s.of(i, kind)
	x[0], x[loops.Width], x[2*loops.Width] = o.bound, o.systematic, o.variance
}
