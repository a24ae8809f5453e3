package oracles

import (
	"math"
	"slices"

	"metalconform/oracles/internal/loops"
)

// panelSums are sums of a dotter for the rows of one panel: those of lanes, lane by lane those of
// each row, what a reduction gathers of them, and the sums of its groups.
type panelSums struct {
	of             loops.DotSums
	values, errors []float64
	gathered       loops.Gathered
	terms          []approx
	groups         [loops.Panel][]approx
	tile           loops.DotTile

	panel    []float64 // what [dotter.productsWith] makes of its rows
	products loops.Products
}

// productsWith are the products of a vector, in its parts, with up to as many rows as a panel has,
// and Σ|aᵢ·bᵢ| of each.
func (d *dotter) productsWith(p *panel, rows [][]float64, take func(i int, y approx, size float64)) {
	x := p.whole
	if !d.paneled(len(x)) {
		for i, row := range rows {
			take(i, d.dot(x, row), absoluteDot(x, row))
		}
		return
	}
	s, total := &d.rows, 0.0
	if s.panel = slices.Grow(s.panel[:0], len(x)*loops.Panel)[:len(x)*loops.Panel]; d.flush {
		total = absoluteSum(x)
	}
	var sizes [loops.Panel]float64
	for i, row := range rows {
		if setColumn(s.panel, i, row); d.flush {
			sizes[i] = total + absoluteSum(row)
		}
	}
	d.loops.Decay(&s.products, s.panel, x, 1)
	d.dots(p, s.panel, len(x), sizes[:len(rows)], func(i int, y approx, _, _ float64) {
		take(i, d.traced(y, x, rows[i]), s.products.Size[i])
	})
}

// dots are the products of the vector whose parts p has with the rows of a panel: what
// [dotter.evaluate] says of each, and Σ|aᵢ·bᵢ| and Σ(aᵢ·bᵢ)².
func (d *dotter) dots(p *panel, rows []float64, n int, sizes []float64, take func(i int, y approx, magnitude, products float64)) {
	s := &d.rows
	switch {
	case d.Tile > 1:
		d.tiles(p, rows)
	case d.Lanes <= 1 || n == d.Lanes*max(d.Block, 1):
		d.lanesInTurn(p, rows)
	default:
		d.lanesApart(p, rows)
	}
	all := &s.of
	d.reduce(len(p.lanes), len(sizes))
	for i, size := range sizes {
		y := s.groups[i][0]
		d.extent = extent{all.Magnitude[i], all.Squares[i]}
		take(i, d.ranged(y, n, size), all.Magnitude[i], all.Products[i])
	}
}

// tiles are running sums that take some products at a time, as [dotter.oneLane] does.
func (d *dotter) tiles(p *panel, rows []float64) {
	s := &d.rows
	s.of = loops.DotSums{}
	for a := p.whole; len(a) > 0; {
		n := min(d.Tile, len(a))
		whole := len(a) / n * n
		s.tile = d.tile(n)
		d.loops.Tiles(&s.of, a[:whole], rows, n, &s.tile)
		a, rows = a[whole:], rows[whole*loops.Panel:]
	}
	s.values, s.errors = append(s.values[:0], s.of.Value[:]...), append(s.errors[:0], s.of.Error[:]...)
}

// lanesInTurn adds up what all lanes make in one go, as [dotter.blocks] does.
func (d *dotter) lanesInTurn(p *panel, rows []float64) {
	s := &d.rows
	block, size := len(p.lanes[0].a), len(p.lanes)*loops.Panel
	s.of = loops.DotSums{}
	s.values, s.errors = slices.Grow(s.values[:0], size)[:size], slices.Grow(s.errors[:0], size)[:size]
	d.loops.Blocks(&s.of, s.values, s.errors, p.whole, d.roundings(block), rows)
}

// lanesApart adds up what each lane makes.
func (d *dotter) lanesApart(p *panel, rows []float64) {
	s := &d.rows
	var all loops.DotSums
	s.values, s.errors = s.values[:0], s.errors[:0]
	for _, part := range p.lanes {
		s.of = loops.DotSums{}
		if len(part.a) > 0 {
			d.loops.Dots(&s.of, part.a, d.roundings(len(part.a)), rows, part.at)
		}
		s.values, s.errors = append(s.values, s.of.Value[:]...), append(s.errors, s.of.Error[:]...)
		for i := range all.Magnitude {
			all.Magnitude[i] += s.of.Magnitude[i]
			all.Squares[i] += s.of.Squares[i]
			all.Products[i] += s.of.Products[i]
		}
	}
	s.of = all
}

// reduce adds the sums that lanes have of n rows, as [arithmetic.combine] does those of one.
func (d *dotter) reduce(lanes, n int) {
	s := &d.rows
	for i := range n {
		s.groups[i] = s.groups[i][:0]
	}
	switch {
	case d.Lanes <= 1:
		for i := range n {
			s.groups[i] = append(s.groups[i], approx{v: s.values[i], e: s.errors[i]})
		}
	case d.Tree || d.Simd <= 1:
		d.reduceGroup(n, 0, lanes, d.depth(lanes))
	default:
		for first := 0; first < lanes; first += d.Simd {
			d.reduceGroup(n, first, min(first+d.Simd, lanes), math.Inf(1))
		}
		for i := range n {
			s.groups[i] = append(s.groups[i][:0], d.anyOrder(s.groups[i]))
		}
	}
}

// reduceGroup adds what some lanes have.
func (d *dotter) reduceGroup(n, first, end int, depth float64) {
	s := &d.rows
	all := &s.gathered
	d.loops.Gather(all, s.values[first*loops.Panel:end*loops.Panel], s.errors[first*loops.Panel:end*loops.Panel])
	for i := range n {
		g := gathered{
			total: accumulator{all.Sum[i], all.Correction[i]}, magnitude: all.Magnitude[i], squares: all.Squares[i], e: all.Error[i],
			additions: float64(end - first - 1), least: all.Least[i],
		}
		var y approx
		if g.e > 0 && g.least > 0 { // no term is 0, and none is exact
			y = d.opened(&g, depth, nil)
		} else {
			s.terms = s.terms[:0]
			for at := first*loops.Panel + i; at < end*loops.Panel; at += loops.Panel {
				s.terms = append(s.terms, approx{v: s.values[at], e: s.errors[at]})
			}
			y = d.open(s.terms, depth)
		}
		s.groups[i] = append(s.groups[i], y)
	}
}
