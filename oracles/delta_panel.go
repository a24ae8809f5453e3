package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// deltaPanel is some rows of a head's state, element by element that of each row, with what is
// known of each.
type deltaPanel struct {
	*stepBudget
	first   int // row
	v       []float64
	budgets []stepBudget

	// What loops are given, and what they make.
	more, by [loops.Panel]float64
	norms    loops.Norms
	sizes    loops.Sizes
}

// panels are those of the state before the first token.
func (b *stepBudget) panels() []*deltaPanel {
	var list []*deltaPanel
	for first := 0; first < b.Dv; first += loops.Panel {
		p := &deltaPanel{
			stepBudget: b, first: first, v: make([]float64, loops.Panel*b.Dk), budgets: make([]stepBudget, min(loops.Panel, b.Dv-first)),
		}
		for i := range p.budgets {
			row := b.deltaHead.row(first + i)
			setColumn(p.v, i, row)
			p.budgets[i] = *b
			p.budgets[i].start(row)
		}
		list = append(list, p)
	}
	return list
}

// row is that of budget i.
func (p *deltaPanel) row(i int) []float64 { return column(p.v, i) }

// deltaProducts are the keys and queries of a block's tokens in the parts that lanes take.
type deltaProducts struct{ keys, queries vectorParts }

func (p *deltaProducts) split(b *stepBudget, block *deltaBlock) {
	p.keys.split(b.k[block.first:block.first+block.n], b.read)
	p.queries.split(b.q[block.first:block.first+block.n], b.out)
}

// through takes the rows through the tokens of a block.
func (p *deltaPanel) through(products *deltaProducts, block *deltaBlock, adjoint *deltaAdjoint, output, state Answer) {
	for i, b := range p.budgets {
		block.before[p.first+i] = origin{b.eps, b.row}
	}
	for l := range block.n {
		t := block.first + l
		p.step(&products.keys.list[l], t)
		for i := range p.budgets {
			adjoint.took(l, p.first+i, p.budgets[i].own)
		}
		p.dots(p.out, &products.queries.list[l], p.q[t], p.queryTotals[t], 1, func(i int, y approx) {
			b, at := &p.budgets[i], p.tokenIndex(t, p.first+i)
			output.Scale[at] = p.out.extent.magnitude
			if p.tracer != nil {
				y = p.out.traced(y, p.row(i), p.q[t])
			}
			inherited, own, made := b.output(t, y)
			adjoint.output(l, p.first+i, passed{origin{inherited, b.row.scaled(p.queryNorms[t])}, own, made}, output, y.v)
		})
		if t == p.T-1 {
			for i := range p.budgets {
				p.weigh(state, p.row(i), p.first+i, p.by[i])
			}
		}
	}
}

// step takes the rows through token t, and makes β·u of each.
func (p *deltaPanel) step(keys *panel, t int) {
	for i := range p.budgets {
		p.more[i] = p.budgets[i].off(t)
	}
	p.loops.Scale(&p.norms, p.v, p.alpha[t].v, &p.more)
	p.dots(p.read, keys, p.k[t], p.keyTotals[t], math.Abs(p.alpha[t].v), func(i int, y approx) {
		b := &p.budgets[i]
		b.bound = p.read.extent.magnitude
		if b.dot = y; p.tracer != nil {
			b.dot = p.read.traced(y, p.row(i), p.k[t])
		}
		p.by[i] = p.beta[t] * (p.V[p.tokenIndex(t, p.first+i)] - b.dot.v)
	})
	for i := range p.budgets {
		p.budgets[i].decayed(t, normOf(&p.norms.Squares, i), normOf(&p.norms.Fourths, i))
	}

	p.loops.Update(&p.sizes, p.v, p.k[t], &p.by)
	for i := range p.budgets {
		b, total := &p.budgets[i], p.sizes.Totals[0][i]+p.sizes.Totals[1][i]
		now := rowSize{normOf(&p.sizes.Squares, i), p.sizes.Peak[i], total}
		if math.IsNaN(total) {
			now.peak = total
		}
		b.updated(t, p.first+i, p.by[i], now)
		p.more[i] = b.near
	}
	p.loops.Binades(&p.norms, p.v, &p.more)
	for i := range p.budgets {
		p.budgets[i].rounded(t, p.by[i], normOf(&p.norms.Squares, i), normOf(&p.norms.Fourths, i))
	}
}

// normOf is the root of a sum of column i, which two lists hold halves of.
func normOf(sums *[2][loops.Panel]float64, i int) float64 { return math.Sqrt(sums[0][i] + sums[1][i]) }

// dots are the products of the rows with x, whose elements add up to total; their own add up to
// what they did after the last token, times a factor.
func (p *deltaPanel) dots(d *dotter, parts *panel, x []float64, total, by float64, take func(i int, y approx)) {
	var sizes [loops.Panel]float64
	for i := range p.budgets {
		sizes[i] = float64(by*p.budgets[i].total) + total
	}
	d.panelDots(parts, p.v, x, sizes[:len(p.budgets)], take)
}
