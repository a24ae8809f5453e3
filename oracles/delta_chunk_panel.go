package oracles

import (
	"math"
	"slices"

	"metalconform/oracles/internal/loops"
)

// chunkPanel takes some rows of a head's state through chunks: v is element by element that of
// each row.
type chunkPanel struct {
	*chunkBudget
	at, n    int // first row, and how many
	v, start []float64
	column   []float64 // of v, for a moment
	rows     [loops.Panel]chunkRow
	tokens   []loops.ChunkToken // of the chunk
	sums     loops.ChunkSums
	products loops.Products
	by       [loops.Panel]float64
	local    local // of a row, for a moment
}

// panels are those of the state before the first token.
func (b *chunkBudget) panels() []*chunkPanel {
	var list []*chunkPanel
	for first := 0; first < b.Dv; first += loops.Panel {
		p := &chunkPanel{chunkBudget: b, at: first, n: min(loops.Panel, b.Dv-first),
			v: make([]float64, loops.Panel*b.Dk)}
		for i := range p.n {
			row := b.deltaHead.row(first + i)
			setColumn(p.v, i, row)
			if b.narrow() {
				b.eps[first+i] = float64(b.u * norm(row))
			}
		}
		list = append(list, p)
	}
	return list
}

// end sets the rows of the last state.
func (p *chunkPanel) end(state Answer) {
	for i := range p.n {
		row := p.at + i
		for j, x := range column(p.v, i) {
			e := openUnlessFinite(x, p.eps[row])
			if p.swallowed {
				e = math.Inf(1)
			}
			state.set(p.stateIndex(row)+j, x, e)
			state.setMoments(p.stateIndex(row)+j, p.moments[row])
		}
	}
}

// chunkRow is what is known of a row in one chunk. Its products with the start state are the
// kernel's own, ŷ and ẑ: they differ from y and z by ‖k‖ε₀ and ‖q‖ε₀, which is second order
// in all but what carry charges.
type chunkRow struct {
	eps           float64 // ε₀
	before, after []float64
	length, total float64 // ‖s₀‖₂ and Σ|s₀|
	fourth        float64 // (Σ s₀⁴)^½
	broken        int     // first token at which the row may not be finite
	u, o          float64 // of the token
	read, query   startProduct
}

// advance takes the rows through the chunk and sets their outputs and their ε.
func (p *chunkPanel) advance(output, state Answer) {
	p.start = append(p.start[:0], p.v...)
	p.tokens = slices.Grow(p.tokens[:0], p.chunkBudget.n)[:p.chunkBudget.n]
	clear(p.tokens)
	for i := range p.n {
		p.column = columnIn(p.column, p.v, i)
		r := &p.rows[i]
		*r = chunkRow{eps: p.eps[p.at+i], broken: p.chunkBudget.n, total: absoluteSum(p.column), before: r.before,
			after: r.after}
		r.length, _, r.fourth = extremes(p.column)
		r.before, r.after = p.carry(r.eps, r.before[:0], r.after[:0])
	}
	for l := range p.tokens {
		p.recur(l, output, state)
		p.solve(l)
		p.give(l, output)
	}
	for i := range p.n {
		p.leave(i, output)
	}
}

// recur takes the rows through token l in exact arithmetic.
func (p *chunkPanel) recur(l int, output, state Answer) {
	t := p.first + l
	p.loops.Decay(&p.products, p.v, p.k[t], p.alpha[t].v)
	for i := range p.n {
		p.rows[i].u = p.beta[t] * (p.V[p.tokenIndex(t, p.at+i)] - p.product(i))
		p.by[i], p.tokens[l].Solution[i] = p.rows[i].u, p.rows[i].u
	}
	p.loops.Learn(&p.products, p.v, p.k[t], p.q[t], &p.by)
	for i := range p.n {
		p.rows[i].o = p.product(i)
		output.Scale[p.tokenIndex(t, p.at+i)] = p.products.Size[i]
		if t == p.T-1 {
			p.weigh(state, column(p.v, i), p.at+i, p.rows[i].u)
		}
	}
}

// product is the last one of row i.
func (p *chunkPanel) product(i int) float64 {
	return accumulator{p.products.Value[i], p.products.Correction[i]}.value()
}

// solve bounds the residual of token l, and what the solution is off by.
func (p *chunkPanel) solve(l int) {
	t, token, sums := p.first+l, &p.tokens[l], &p.sums
	beta, lead := p.beta[t], p.lead[l]
	*sums = loops.ChunkSums{}
	p.startProducts(&p.keys, l, p.k[t], p.keyTotals[t], p.norms[t], func(i int, y startProduct) {
		r, v := &p.rows[i], p.V[p.tokenIndex(t, p.at+i)]
		r.read = y
		high, size := lead.most(), math.Abs(beta)
		sums.Most[i] = size * (math.Abs(v) + float64(high*(y.largest+y.e))) // |β·v| + |β·e^L·ŷ|
		sums.Error[i] = float64(size*(float64(lead.e*y.largest)+float64(high*y.e))) + float64(p.gamma(2)*sums.Most[i])
		terms := termSum{}
		terms.take(beta*v, 0)
		terms.take(beta*lead.v*y.v, size*(float64(lead.likely()*math.Abs(y.v))+float64(lead.v*y.systematic)))
		p.begin(i, &terms, float64(beta*beta*lead.v*lead.v*y.variance))
	})
	p.loops.Solve(sums, p.solved[l], p.tokens)
	for i := range p.n {
		r := &p.rows[i]
		total := p.residual(l, i)
		token.Residual[i] = total
		if !finite(r.u+total) && r.broken == p.chunkBudget.n {
			r.broken = l
		}
		terms := p.terms(i, l+2)
		token.Variance[i] = sums.Variance[i] + float64(p.scatter*terms.scatter(r.u))
		token.Systematic[i] = terms.systematic + p.underflow(l, terms.magnitude)
		off := sums.Reached[i] + total
		token.Top[i] = math.Abs(r.u) + float64(math.Abs(beta)*p.norms[t]*r.before[l]) + off
	}
}

// begin has the sums of row i go on from some terms.
func (p *chunkPanel) begin(i int, t *termSum, variance float64) {
	p.sums.Magnitude[i], p.sums.Squares[i], p.sums.Systematic[i], p.sums.Variance[i] = t.magnitude, t.squares,
		t.systematic, variance
}

// terms are those that the sums of row i have come to.
func (p *chunkPanel) terms(i, n int) *termSum {
	return &termSum{float64(n), p.sums.Magnitude[i], p.sums.Squares[i], p.sums.Systematic[i]}
}

// residual is the bound on |r_l| of row i.
func (p *chunkPanel) residual(l, i int) float64 {
	r, t := &p.rows[i], p.first+l
	beta, lead, y, v := math.Abs(p.beta[t]), p.lead[l], r.read, p.V[p.tokenIndex(t, p.at+i)]
	carried, magnitude := p.sums.Error[i], p.sums.Most[i]
	total := carried + float64(p.gamma(l+1)*(magnitude+carried)) + p.underflow(l, magnitude)
	read := lead.most() * (y.largest + y.e)
	difference := math.Abs(v-float64(lead.v*y.v)) + float64(lead.e*y.largest) +
		float64(lead.most()*(y.largest-math.Abs(y.v)+y.e))
	products := max(1, beta) * max(1, lead.most()) * max(1, math.Abs(v), read, difference)
	total = p.unlessBeyond(total, magnitude+total, products)
	if p.tracer != nil {
		total = p.tracer.formed(inAnyOrder("solution"), approx{v: r.u, e: total}, carried,
			func() []float64 { return p.solution(l, i) }).e
	}
	return total
}

// solution are the terms of U_l of row i.
func (p *chunkPanel) solution(l, i int) []float64 {
	beta := p.beta[p.first+l]
	terms := []float64{beta * p.V[p.tokenIndex(p.first+l, p.at+i)], -beta * p.lead[l].v * p.rows[i].read.v}
	for j, a := range p.a[l] {
		terms = append(terms, -a.v*p.tokens[j].Solution[i])
	}
	return terms
}

// give sets the outputs of token l.
func (p *chunkPanel) give(l int, output Answer) {
	t, sums, lead := p.first+l, &p.sums, p.lead[l]
	*sums = loops.ChunkSums{}
	p.startProducts(&p.queries, l, p.q[t], p.queryTotals[t], p.queryNorms[t], func(i int, z startProduct) {
		p.rows[i].query = z
		sums.Error[i] = float64(lead.e*z.largest) + float64(lead.most()*z.e)
		sums.Most[i] = float64(lead.most() * (z.largest + z.e))
		terms := termSum{}
		terms.take(lead.v*z.v, float64(lead.likely()*math.Abs(z.v))+float64(lead.v*z.systematic))
		p.begin(i, &terms, float64(lead.v*lead.v*z.variance))
	})
	p.loops.Reach(sums, p.given[l], p.tokens)
	passed, at := p.adjoint.passedBy(l, p.at), p.tokenIndex(t, p.at)
	for i := range p.n {
		output.Want[at+i] = p.rows[i].o
		p.pass(passed, l, i)
	}
	output.setPassed(at, p.n, passed)
}

// pass says what is passed to the output of token l of row i.
func (p *chunkPanel) pass(passed *loops.Passed, l, i int) {
	t, sums, r := p.first+l, &p.sums, &p.rows[i]
	carried, magnitude := sums.Error[i], sums.Most[i]
	own := float64((carried + float64(p.gamma(l+2)*magnitude) + p.underflow(l, magnitude)) * slack)
	own = p.unlessBeyond(own, magnitude+own)
	if p.tracer != nil {
		own = p.tracer.formed(inAnyOrder("output"), approx{v: r.o, e: own}, carried,
			func() []float64 { return p.outputs(l, i) }).e
	}
	terms := p.terms(i, l+2)
	m := p.moments[p.at+i].scaled(p.queryNorms[t] * p.gains[l])
	passed.Inherited[i], passed.Variance[i], passed.Systematic[i] = openUnlessFinite(r.o, p.queryNorms[t]*r.after[l]),
		m.variance, m.systematic
	passed.Own[i] = openUnlessFinite(r.o, own)
	passed.OwnVariance[i] = sums.Variance[i] + float64(p.scatter*terms.scatter(r.o))
	passed.OwnSystematic[i] = terms.systematic + p.underflow(l, terms.magnitude)
}

// outputs are the terms of o_l of row i.
func (p *chunkPanel) outputs(l, i int) []float64 {
	terms := []float64{p.lead[l].v * p.rows[i].query.v}
	for j, x := range p.p[l] {
		terms = append(terms, x.v*p.tokens[j].Solution[i])
	}
	return terms
}

// leave ends the chunk for row i.
func (p *chunkPanel) leave(i int, output Answer) {
	r, row, last := &p.rows[i], p.at+i, p.chunkBudget.n-1
	for l := range r.broken % (last + 1) {
		at := p.tokenIndex(p.first+l, row)
		output.set(at, output.Want[at], math.Inf(1), 0)
		p.adjoint.passedBy(l, p.at).Open(i)
	}
	p.column = columnIn(p.column, p.v, i)
	_, peak, fourth := extremes(p.column)
	p.block.before[row], p.local = origin{r.eps, p.moments[row]}, local{}
	p.eps[row] = (r.after[last] + p.stateError(i)) * slack
	p.moments[row] = p.stateMoments(i, fourth)
	p.block.locals.setAll(row, &p.local)
	if !(peak+p.eps[row] <= p.largest) {
		p.eps[row] = math.Inf(1)
	}
}

// startProduct is ŝ₀·x as the kernel computes it, with the error of the sum alone: largest
// bounds |s̃·x|.
type startProduct struct {
	approx
	largest float64
}

// startProducts are those of the rows with x, given its parts for token l, Σ|x| and ‖x‖₂.
func (p *chunkPanel) startProducts(parts *vectorParts, l int, x []float64, total, length float64,
	take func(i int, y startProduct)) {
	gamma, made := p.gamma(len(x)), &p.matrix.rows
	for i := range p.n {
		made.sizes[i] = p.rows[i].total + total
	}
	p.matrix.panelDots(&parts.list[l], p.start, x, p.n)
	for i := range p.n {
		y := made.at(i)
		if p.tracer != nil {
			y = p.matrix.traced(y, column(p.start, i), x)
		}
		r := &p.rows[i]
		shift := float64(length * r.eps)
		s := startProduct{y, math.Abs(y.v) + shift}
		s.e += float64(gamma * shift)
		if !(float64(length*r.length)+shift <= p.largest) {
			s.e = math.Inf(1)
		}
		take(i, s)
	}
}

// stateError is the norm of what the chunk adds to the error of row i, which the adjoint takes
// part by part.
func (p *chunkPanel) stateError(i int) float64 {
	n := p.chunkBudget.n
	length, lead, local := p.rows[i].length+p.rows[i].eps, p.lead[n-1], &p.local
	spread := float64(lead.e * length)
	magnitude := float64(lead.most() * length)
	var e, products float64
	for l, g := range p.tail {
		top, residual := p.tokens[l].Top[i], p.tokens[l].Residual[i]
		kappa, off := p.norms[p.first+l], float64(g.e*top)
		products = max(products, max(1, g.most())*max(1, kappa)*top)
		e += float64(off*kappa) + float64(p.columns[l]*residual)
		magnitude += float64(g.most() * top * kappa)
		local.solved.square(origin{bound: residual})
		local.along.square(origin{bound: off})
	}
	spread += float64(p.gamma(n+2)*magnitude) + float64(p.underflow(n, magnitude)*math.Sqrt(float64(p.Dk)))
	local.spread.square(origin{bound: spread})
	return p.unlessBeyond(e+spread, magnitude+e+spread, products)
}
