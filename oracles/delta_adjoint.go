package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

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
	tokens []strips
	passed [][]loops.Passed // of panels of rows

	pass *deltaPass
}

// deltaBlock are some tokens in turn.
type deltaBlock struct {
	first, n int
	locals   strips   // the roots of the sums of squares of those of its tokens, once the block is closed
	before   []origin // ‖d‖₂ by row before the block
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

func (o *origin) square(x origin) {
	o.bound += float64(x.bound * x.bound)
	o.systematic += float64(x.systematic * x.systematic)
	o.variance += float64(x.variance * x.variance)
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
	a.pass = newDeltaPass(d)
	for range min(a.size, d.T) {
		a.passed = append(a.passed, make([]loops.Passed, (d.Dv+loops.Panel-1)/loops.Panel))
		if !chunked {
			a.tokens = append(a.tokens, newStrips(d.Dv, localKinds))
		}
	}
	return a
}

// open begins the block of tokens from first on.
func (a *deltaAdjoint) open(first int) *deltaBlock {
	if !a.long {
		a.blocks = nil
	}
	b := &deltaBlock{first: first, n: min(a.size, a.T-first), locals: newStrips(a.Dv, localKinds),
		before: make([]origin, a.Dv)}
	a.blocks = append(a.blocks, b)
	return b
}

// passedBy is what is passed to the outputs of token l of the last block, of the panel of rows from first on.
func (a *deltaAdjoint) passedBy(l, first int) *loops.Passed { return &a.passed[l][first/loops.Panel] }

// setPassed stores the bounds of n outputs from one on: what they inherit may be made sharp once the block ends.
// Later roundings are independent of the rows'.
func (a Answer) setPassed(at, n int, p *loops.Passed) {
	copy(a.Budget[0].Error[at:at+n], p.Inherited[:])
	copy(a.Budget[1].Error[at:at+n], p.Own[:])
	for i := range n {
		a.Sigma[at+i] = math.Sqrt(p.Variance[i] + p.OwnVariance[i])
		a.Systematic[at+i] = p.Systematic[i] + p.OwnSystematic[i]
	}
}

// over takes the pass through block n, and adds what that has rounded.
func (a *deltaAdjoint) over(n int) {
	b, p := a.blocks[n], a.pass
	var sums [loops.Panel]weights
	if a.chunked {
		p.along(&sums, b)
	}
	for l := b.n - 1; l >= 0; l-- {
		p.through(b.first + l)
		for i, w := range p.weights {
			if a.chunked {
				w.spread = weight{}
			}
			sums[i].squares(w)
		}
	}
	for i := range p.columns {
		if p.columns[i].live {
			sums[i].roots()
			p.take(i, &sums[i], &b.locals)
		}
	}
}

// earlier goes on through the blocks before block n as long as it has to.
func (a *deltaAdjoint) earlier(n int) {
	p := a.pass
	for {
		on := false
		for i := range p.columns {
			c := &p.columns[i]
			if !c.live {
				continue
			}
			if before := a.blocks[n].before; n == 0 || a.byNorms(c, before) {
				c.end(before)
			}
			on = on || c.live
		}
		if !on {
			return
		}
		n--
		a.over(n)
	}
}

// byNorms reports whether the errors d of the rows may go by norms.
func (a *deltaAdjoint) byNorms(c *deltaColumn, d []origin) bool {
	length := c.length()
	for i, x := range d {
		rest, sum := float64(length*x.bound), c.carried.at(i, 0)
		if finite(rest) && (rest > enough*sum.bound || float64(length*x.likely()) > enough*sum.likely()) {
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
	wanted := func(t int) bool { return a.worth(t - b.first) }
	for first := b.first; first < b.first+b.n; first += loops.Panel {
		n := min(loops.Panel, b.first+b.n-first)
		a.pass.queries(first, n, b.first, wanted, func(t, i int, w *weights) {
			if !a.chunked {
				a.pass.take(i, w, &a.tokens[t-b.first])
			}
		})
		a.earlier(last)
		for i := range n {
			if wanted(first + i) {
				a.sharpen(first+i, &a.pass.columns[i].carried, output)
			}
		}
	}
	if !a.chunked {
		for l := range b.n {
			b.locals.squares(&a.tokens[l])
		}
	}
	b.locals.roots()
}

// sharpen gives the outputs of token t, of the last block, what a pass has carried.
func (a *deltaAdjoint) sharpen(t int, carried *strips, output Answer) {
	for first := 0; first < a.Dv; first += loops.Panel {
		p := a.passedBy(t-a.blocks[len(a.blocks)-1].first, first)
		a.pass.loops.Sharpen(p, carried.origins(first), slack, deviations)
		output.setPassed(a.tokenIndex(t, first), min(loops.Panel, a.Dv-first), p)
	}
}

// inherits reports whether the bound of an inherited error is a number that could be less.
func inherits(bound float64) bool { return bound > 0 && finite(bound) }

// worth reports whether an output of token l of the last block inherits anything.
func (a *deltaAdjoint) worth(l int) bool {
	for i := range a.Dv {
		if inherits(a.passedBy(l, i).Inherited[i%loops.Panel]) {
			return true
		}
	}
	return false
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
	for first := 0; first < a.Dk; first += loops.Panel {
		n := min(loops.Panel, a.Dk-first)
		a.pass.reset()
		for i := range n {
			clear(unit)
			unit[first+i] = 1
			a.pass.start(i, unit, a.blocks[last].first+a.blocks[last].n-1)
		}
		a.over(last)
		a.earlier(last)
		for j := range n {
			for i := range rows {
				c := a.pass.columns[j].carried.at(i, 0)
				rows[i].square(origin{c.bound, moments{math.Sqrt(c.variance), c.systematic}})
				if answer != nil {
					answer.sharpen(a.stateIndex(i)+first+j, c)
				}
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
