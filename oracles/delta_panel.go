package oracles

import (
	"iter"
	"math"
	"math/bits"

	"metalconform/oracles/internal/loops"
)

// deltaPanel is some rows of a head's state, element by element that of each row, with what is
// known of each: rows beyond the last are zero.
type deltaPanel struct {
	*stepBudget
	first, n int // row, and how many
	v        []float64
	rows     loops.StepRows
	// by bits of the rows: everything so far was exact integers; an intermediate of finite numbers may have overflowed
	exact, open int

	// What loops are given, and what they make.
	more  [loops.Panel]float64
	norms loops.Norms
	sizes loops.Sizes
}

// allRows are the bits of the rows of a panel.
const allRows = 1<<loops.Panel - 1

// bitsOf are the places of the bits of x.
func bitsOf(x int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; x != 0; x &= x - 1 {
			if !yield(bits.TrailingZeros(uint(x))) {
				return
			}
		}
	}
}

// panels are those of the state before the first token.
func (b *stepBudget) panels() []*deltaPanel {
	var list []*deltaPanel
	for first := 0; first < b.Dv; first += loops.Panel {
		p := &deltaPanel{stepBudget: b, first: first, n: min(loops.Panel, b.Dv-first),
			v: make([]float64, loops.Panel*b.Dk)}
		for i := range p.n {
			p.start(i, b.row(first+i))
		}
		list = append(list, p)
	}
	return list
}

// start makes s row i.
func (p *deltaPanel) start(i int, s []float64) {
	setColumn(p.v, i, s)
	r := &p.rows
	r.Length[i], r.Peak[i], r.Total[i] = sizes(s)
	switch {
	case isInteger(s...):
		p.exact |= 1 << i
	case p.narrow():
		r.Error[i] = float64(p.u * r.Length[i])
		r.Systematic[i] = r.Error[i]
	}
}

// rowErrors is what the errors of a panel's rows come to.
type rowErrors struct{ bound, variance, systematic [loops.Panel]float64 }

func (p *deltaPanel) errors() rowErrors {
	return rowErrors{p.rows.Error, p.rows.Variance, p.rows.Systematic}
}

// restore puts those of some rows, by bits, back to what they were: the token adds nothing.
func (p *deltaPanel) restore(before rowErrors, rows int, own *loops.Local) {
	for i := range bitsOf(rows) {
		p.rows.Error[i], p.rows.Variance[i], p.rows.Systematic[i] = before.bound[i], before.variance[i],
			before.systematic[i]
		for kind := range localKinds {
			own.Set(kind, i, 0, 0, 0)
		}
	}
}

// carry takes a sharper bound on ‖ŝ − s‖₂ of row i.
func (p *deltaPanel) carry(i int, d origin) {
	r := &p.rows
	if d.bound < r.Error[i] {
		r.Error[i] = d.bound
	}
	m := d.sharper(moments{r.Variance[i], r.Systematic[i]})
	r.Variance[i], r.Systematic[i] = m.variance, m.systematic
}

// end sets the rows of the last state.
func (p *deltaPanel) end(state Answer) {
	var s []float64
	for i := range p.n {
		s = columnIn(s, p.v, i)
		first := p.stateIndex(p.first + i)
		for j, x := range s {
			e := openUnlessFinite(x, p.rows.Error[i])
			if p.open>>i&1 == 1 {
				e = math.Inf(1)
			}
			state.set(first+j, x, e)
			state.setMoments(first+j, moments{p.rows.Variance[i], p.rows.Systematic[i]})
		}
	}
}

// deltaProducts are the keys and queries of a block's tokens in the parts that lanes take, and their values,
// which are read panel by panel: far apart as they are in a tensor each would be a miss of the cache.
type deltaProducts struct {
	keys, queries vectorParts
	values        []float64 // of all rows, token by token
}

func (p *deltaProducts) split(b *stepBudget, block *deltaBlock) {
	p.keys.split(b.k[block.first:block.first+block.n], b.read)
	p.queries.split(b.q[block.first:block.first+block.n], b.out)
	p.values = p.values[:0]
	for l := range block.n {
		at := b.tokenIndex(block.first+l, 0)
		p.values = append(p.values, b.V[at:at+b.Dv]...)
	}
}

// token is what the panel of n rows from first on takes of token l.
func (p *deltaProducts) token(b *stepBudget, l, first, n int) (key *panel, values []float64) {
	return &p.keys.list[l], p.values[l*b.Dv+first:][:n]
}

// through takes the rows through the tokens of a block.
func (p *deltaPanel) through(products *deltaProducts, block *deltaBlock, adjoint *deltaAdjoint, output, state Answer) {
	for i := range p.n {
		block.before[p.first+i] = origin{p.rows.Error[i], moments{p.rows.Variance[i], p.rows.Systematic[i]}}
	}
	for l := range block.n {
		t := block.first + l
		key, values := products.token(p.stepBudget, l, p.first, p.n)
		p.step(key, values, t, adjoint.tokens[l].local(p.first))
		y := p.dots(p.out, &products.queries.list[l], p.q[t], p.queryTotals[t], 1)
		at := p.tokenIndex(t, p.first)
		copy(output.Scale[at:at+p.n], p.out.rows.of.Magnitude[:])
		copy(output.Want[at:at+p.n], y.Value[:])
		passed := adjoint.passedBy(l, p.first)
		p.give(passed, t, y)
		output.setPassed(at, p.n, passed)
	}
	if block.first+block.n == p.T {
		for i := range p.n {
			p.weigh(state, column(p.v, i), p.first+i, p.rows.By[i])
		}
	}
}

// step takes the rows through token t, given its key in the parts that lanes take, and its values.
func (p *deltaPanel) step(key *panel, values []float64, t int, own *loops.Local) {
	r, a := &p.rows, p.alpha[t]
	for i, peak := range r.Peak { // by how much the kernel's α·s_j may be larger than it is
		p.more[i] = float64(a.e*peak) + float64((math.Abs(a.v)+a.e)*r.Error[i])
	}
	p.loops.Scale(&p.norms, p.v, a.v, &p.more)
	y := p.dots(p.read, key, p.k[t], p.keyTotals[t], math.Abs(a.v))
	for i, v := range values {
		r.Value[i], r.By[i] = v, p.beta[t]*(v-y.Value[i])
	}
	p.decayed(t, own)
	p.loops.Update(&p.sizes, p.v, p.k[t], &r.By)
	p.updated(t, y, own)
}

// dots are the products of the rows with x, whose elements add up to total; their own add up to
// what they did after the last token, times a factor.
func (p *deltaPanel) dots(d *dotter, parts *panel, x []float64, total, by float64) *loops.Sums {
	s := &d.rows
	for i, own := range p.rows.Total {
		s.sizes[i] = float64(by*own) + total
	}
	d.panelDots(parts, p.v, x, p.n)
	if p.tracer != nil {
		for i := range p.n {
			s.set(i, d.traced(s.at(i), column(p.v, i), x))
		}
	}
	return &s.sums
}
