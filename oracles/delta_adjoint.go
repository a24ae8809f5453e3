package oracles

import "math"

// deltaAdjoint bounds what outputs and rows of the state inherit from the roundings of all
// tokens before. The errors d of a row obey, exactly,
//
//	d_t = A_t·d_{t−1} + ρ_t,   A_t = α_t·(I − β_t·k_t·k_tᵀ)
//
// where ρ_t is what token t rounds, given the kernel's own state before it: both budgets
// bound ρ with |ŝ| ≤ |s| + ε, so that nothing of higher order is left out. Hence for every
// x, such as the query of an output or a unit vector,
//
//	x·d_T = Σ_t λ_t·ρ_t + λ_0·d_0,   λ_T = x,   λ_{t−1} = A_tᵀ·λ_t = α_t·(λ_t − β_t·(λ_t·k_t)·k_t)
//
// λ is the sensitivity of x·d to the state. It is the same for all rows, and it shows what
// norms cannot: the update takes away what lies along each key, so that an error is
// forgotten even where α = 1. A rounding is of one of three kinds, each with a weight by
// which it counts at most:
//
//   - of the number β·u that multiplies k: |λ·k|. By chunks it is the residual r of the
//     solution, (I + A)·(Û − U) = r, whose weight solves (I + A)ᵀ·y = Γ·(λ·k);
//   - of the coefficient Γ that multiplies k in the state of a chunk: |λ·k|;
//   - of the elements of the row, each on its own: Σ|λ_j·ρ_j| ≤ ‖λ‖₂·‖ρ‖₂ (Cauchy-Schwarz),
//     and for variances Σ λ_j²·σ_j² ≤ ‖λ‖₄²·(Σ σ_j⁴)^½.
//
// Tokens are taken in blocks, and of a block each row keeps only three numbers for each
// kind: Σ w_t·c_t ≤ (Σ w_t²)^½·(Σ c_t²)^½. The backward pass ends where what is left, by
// norms ‖λ‖·ε, is a small part, or where a block is the first. Every few blocks ε itself is
// made sharp, by as many passes as the state has columns. The work for an output therefore
// is that of as many tokens as the state remembers, and the memory one number of a kind for
// a row and a block.
//
// The bound is a sum over the worst of all roundings that the state remembers, and real roundings
// average out. Over 8192 tokens with 16 to 128 channels it came to 5 to 37 times the largest error
// of an output, but to 20 to 230 times (by chunks 130 to 920) that of the last state: there its
// statistical form is the sharp one, 8 to 22 times the largest error, and up to 85 where exponentials
// make the decays of a chunk, whose limit a device may use up in one direction.
//
// Source: the adjoint form of error analysis, as in Griewank and Walther, Evaluating
// Derivatives, 2008, chapter 3, and in Miller's graph form.
type deltaAdjoint struct {
	*deltaHead
	size    int  // tokens of a block
	chunked bool // the row is rounded where a block ends, and not after each token
	long    bool // there are more tokens than norms are good for
	blocks  []*deltaBlock
	since   int // blocks since the state's bound was made sharp

	// Of the tokens of the last block, by row.
	tokens [][]local
	passed [][]passed

	lambda  sensitivity
	carried []origin // what the pass has come across, by row
}

// sensitivity is λ = scale·x on its way back through the tokens.
type sensitivity struct {
	scale   float64
	x       []float64
	read    float64 // x·k of the token before
	squares float64 // at least ‖x‖₂²
	fourth  float64 // at least ‖x‖₄
	since   int     // tokens since both were exact
}

// deltaBlock are some tokens in turn.
type deltaBlock struct {
	first, n int
	locals   []local  // by row; sums of squares until the block is closed
	before   []origin // ‖d‖₂ by row before the block
}

// passed is the bound of an output before it is made sharp: what it inherits, what its own
// sum adds, and how the error of that comes about.
type passed struct {
	inherited origin
	own       float64
	made      moments
}

// enough is the part of a bound that may go by norms.
const enough = 0.05

// origin is what one kind of rounding amounts to: a bound, and the moments.
type origin struct {
	bound float64
	moments
}

// local is what a token, or a block of tokens, adds to the error of a row, by kind.
type local struct{ solved, along, spread origin }

// squares are sums of squares of the local errors of tokens.
func (l *local) squares(x local) {
	l.solved.square(x.solved)
	l.along.square(x.along)
	l.spread.square(x.spread)
}

func (o *origin) square(x origin) {
	o.bound += float64(x.bound * x.bound)
	o.systematic += float64(x.systematic * x.systematic)
	o.variance += float64(x.variance * x.variance)
}

// roots turns sums of squares into what a block keeps.
func (l *local) roots() {
	for _, o := range []*origin{&l.solved, &l.along, &l.spread} {
		*o = origin{math.Sqrt(o.bound), moments{math.Sqrt(o.variance), math.Sqrt(o.systematic)}}
	}
}

// weight is by what an error and a variance count.
type weight struct{ error, variance float64 }

// weights are those of the kinds.
type weights struct{ solved, along, spread weight }

func (w *weight) square(x weight) {
	w.error += float64(x.error * x.error)
	w.variance += float64(x.variance * x.variance)
}

func (w *weights) squares(x weights) {
	w.solved.square(x.solved)
	w.along.square(x.along)
	w.spread.square(x.spread)
}

func (w *weights) roots() {
	for _, x := range []*weight{&w.solved, &w.along, &w.spread} {
		*x = weight{math.Sqrt(x.error), math.Sqrt(x.variance)}
	}
}

// take adds an error by its weight.
func (o *origin) take(w weight, x origin) {
	o.bound += float64(w.error * x.bound)
	o.systematic += float64(w.error * x.systematic)
	o.variance += float64(w.variance * x.variance)
}

// takeAll adds errors of every kind.
func (o *origin) takeAll(w *weights, x *local) {
	o.take(w.solved, x.solved)
	o.take(w.along, x.along)
	o.take(w.spread, x.spread)
}

// likely is the statistical bound of it.
func (o origin) likely() float64 { return o.systematic + float64(deviations*o.sigma()) }

// sharper are its moments, or m if those are.
func (o origin) sharper(m moments) moments {
	if o.likely() < (origin{moments: m}).likely() {
		return o.moments
	}
	return m
}

func (d *deltaHead) adjoint(size int, chunked bool) *deltaAdjoint {
	a := &deltaAdjoint{deltaHead: d, size: size, chunked: chunked, long: d.T > d.normsUpTo}
	if !a.long && !chunked {
		a.size = d.T
	}
	a.lambda.x, a.carried = make([]float64, d.Dk), make([]origin, d.Dv)
	for range min(a.size, d.T) {
		a.tokens, a.passed = append(a.tokens, make([]local, d.Dv)), append(a.passed, make([]passed, d.Dv))
	}
	return a
}

// open begins the block of tokens from first on.
func (a *deltaAdjoint) open(first int) *deltaBlock {
	if !a.long {
		a.blocks = nil
	}
	b := &deltaBlock{first: first, n: min(a.size, a.T-first), locals: make([]local, a.Dv), before: make([]origin, a.Dv)}
	a.blocks = append(a.blocks, b)
	return b
}

// took says what token l of the last block adds to the error of row i.
func (a *deltaAdjoint) took(l, i int, x local) {
	a.tokens[l][i] = x
	a.blocks[len(a.blocks)-1].locals[i].squares(x)
}

// start begins a pass with λ = x behind token t.
func (a *deltaAdjoint) start(x []float64, t int) {
	l := &a.lambda
	copy(l.x, x)
	l.scale, l.read = 1, strides(l.x, a.k[t])
	l.measure()
	clear(a.carried)
}

// length is ‖λ‖₂.
func (l *sensitivity) length() float64 { return math.Abs(l.scale) * math.Sqrt(l.squares) }

// measure makes the norms exact.
func (l *sensitivity) measure() {
	length, _, fourth := extremes(l.x)
	l.squares, l.fourth, l.since = length*length, math.Sqrt(fourth), 0
}

// measured is the number of tokens after which norms are measured again.
const measured = 8

// through takes λ through token t, and returns the weights of what it rounds, if the row is
// rounded after it. The decay is rounded before the update: with μ = λ − β·(λ·k)·k
//
//	‖μ‖₂² = ‖λ‖₂² − 2β(λ·k)² + (β(λ·k)‖k‖₂)²,   ‖μ‖₄ ≤ ‖λ‖₄ + |β·(λ·k)|·‖k‖₄
//
// while its share in the bound of the row has the factor G ≥ ‖μ‖₂/‖λ‖₂ already.
func (a *deltaAdjoint) through(t int) (w weights) {
	l := &a.lambda
	y, c := math.Abs(l.scale*l.read), float64(a.beta[t]*l.read)
	fourth := l.fourth + float64(math.Abs(c)*a.keyFourths[t])
	spread := math.Abs(l.scale) * fourth
	w.solved, w.spread = weight{y, y * y}, weight{l.length(), spread * spread}

	step := float64(c * a.norms[t])
	l.squares = float64(l.squares*(1+0x1p-40)) + (float64(step*step) - float64(2*c*l.read))
	l.fourth = fourth
	l.read = forget(l.x, a.k[t], a.k[max(t-1, 0)], c)
	l.scale *= a.alpha[t].v
	if l.since++; l.since == measured {
		l.measure()
	}
	return w
}

// strides is Σ xᵢ·yᵢ as four running sums, which a processor adds at once.
func strides(x, y []float64) float64 {
	var s [4]float64
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		p, q := (*[4]float64)(x), (*[4]float64)(y)
		s[0] += float64(p[0] * q[0])
		s[1] += float64(p[1] * q[1])
		s[2] += float64(p[2] * q[2])
		s[3] += float64(p[3] * q[3])
	}
	for i, v := range x {
		s[0] += float64(v * y[i])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

// forget turns x into x − c·k, and returns its product with the key before.
func forget(x, k, before []float64, c float64) float64 {
	var s0, s1, s2, s3 float64
	k, before = k[:len(x)], before[:len(x)]
	for ; len(x) >= 4; x, k, before = x[4:], k[4:], before[4:] {
		p, q, r := (*[4]float64)(x), (*[4]float64)(k), (*[4]float64)(before)
		x0, x1 := p[0]-float64(c*q[0]), p[1]-float64(c*q[1])
		x2, x3 := p[2]-float64(c*q[2]), p[3]-float64(c*q[3])
		p[0], p[1], p[2], p[3] = x0, x1, x2, x3
		s0 += float64(x0 * r[0])
		s1 += float64(x1 * r[1])
		s2 += float64(x2 * r[2])
		s3 += float64(x3 * r[3])
	}
	for i := range x {
		x[i] -= float64(c * k[i])
		s0 += float64(x[i] * before[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// over takes λ through block n, and adds what that has rounded.
func (a *deltaAdjoint) over(n int) {
	b := a.blocks[n]
	var w weights
	if a.chunked {
		fourth := a.lambda.scale * a.lambda.fourth
		w.spread.square(weight{a.lambda.length(), fourth * fourth})
		for l := range b.n {
			y := a.lambda.scale * strides(a.lambda.x, a.k[b.first+l])
			w.along.square(weight{math.Abs(y), y * y})
		}
	}
	for l := b.n - 1; l >= 0; l-- {
		x := a.through(b.first + l)
		if a.chunked {
			x.spread = weight{}
		}
		w.squares(x)
	}
	w.roots()
	for i := range a.carried {
		a.carried[i].takeAll(&w, &b.locals[i])
	}
}

// earlier goes on through the blocks before block n as long as it has to.
func (a *deltaAdjoint) earlier(n int) {
	for n > 0 && !a.settled(a.blocks[n].before) {
		n--
		a.over(n)
	}
	length := a.lambda.length()
	for i, d := range a.blocks[n].before {
		a.carried[i].take(weight{length, length * length}, d)
	}
}

// settled reports whether the errors d of the rows may go by norms.
func (a *deltaAdjoint) settled(d []origin) bool {
	length := a.lambda.length()
	for i, x := range d {
		rest, c := float64(length*x.bound), a.carried[i]
		if finite(rest) && (rest > enough*c.bound || float64(length*x.likely()) > enough*c.likely()) {
			return false
		}
	}
	return true
}

// close ends the last block and makes its outputs sharp.
func (a *deltaAdjoint) close(output Answer) {
	if !a.long {
		return
	}
	last := len(a.blocks) - 1
	b := a.blocks[last]
	for l := range b.n {
		if !a.worth(l) {
			continue
		}
		a.start(a.q[b.first+l], b.first+l)
		for j := l; j >= 0; j-- {
			w := a.through(b.first + j)
			if !a.chunked {
				for i := range a.carried {
					a.carried[i].takeAll(&w, &a.tokens[j][i])
				}
			}
		}
		a.earlier(last)
		for i, p := range a.passed[l] {
			if !inherits(p.inherited.bound) {
				continue
			}
			at, sharp := a.tokenIndex(b.first+l, i), a.carried[i]
			if e := float64(sharp.bound * slack); e < p.inherited.bound {
				p.inherited.bound = e
			}
			p.inherited.moments = sharp.sharper(p.inherited.moments)
			p.set(output, at, output.Want[at])
		}
	}
	for i := range b.locals {
		b.locals[i].roots()
	}
}

// inherits reports whether the bound of an inherited error is a number that could be less.
func inherits(bound float64) bool { return bound > 0 && finite(bound) }

// worth reports whether an output of token l of the last block inherits anything.
func (a *deltaAdjoint) worth(l int) bool {
	for _, p := range a.passed[l] {
		if inherits(p.inherited.bound) {
			return true
		}
	}
	return false
}

// set stores the element. Later roundings are independent of the row's.
func (p passed) set(output Answer, at int, want float64) {
	output.set(at, want, p.inherited.bound, p.own)
	output.setMoments(at, moments{p.inherited.variance + p.made.variance, p.inherited.systematic + p.made.systematic})
}

// due reports whether the state's bound should be made sharp for the passes to come, so
// that the effort is a quarter of that for the outputs.
func (a *deltaAdjoint) due() bool {
	a.since++
	if !a.long || a.since*a.size < 4*a.Dk {
		return false
	}
	a.since = 0
	return true
}

// state are bounds on ‖d‖₂ of the rows after the last block, from those of their elements,
// which it also makes sharp in an answer.
func (a *deltaAdjoint) state(answer *Answer) []origin {
	if !a.long {
		return nil
	}
	last := len(a.blocks) - 1
	rows, unit := make([]origin, a.Dv), make([]float64, a.Dk)
	for j := range unit {
		clear(unit)
		unit[j] = 1
		a.start(unit, a.blocks[last].first+a.blocks[last].n-1)
		a.over(last)
		a.earlier(last)
		for i, c := range a.carried {
			rows[i].square(origin{c.bound, moments{math.Sqrt(c.variance), c.systematic}})
			if answer != nil {
				answer.sharpen(a.stateIndex(i)+j, c)
			}
		}
	}
	for i, r := range rows {
		rows[i] = origin{math.Sqrt(r.bound) * slack, moments{r.variance, math.Sqrt(r.systematic)}}
	}
	return rows
}

// sharpen gives an element of one term a sharper bound.
func (a Answer) sharpen(at int, o origin) {
	if bound := a.Budget[0].Error[at]; inherits(bound) {
		sharp := o.sharper(moments{float64(a.Sigma[at] * a.Sigma[at]), a.Systematic[at]})
		a.set(at, a.Want[at], min(bound, float64(o.bound*slack)))
		a.setMoments(at, sharp)
	}
}
