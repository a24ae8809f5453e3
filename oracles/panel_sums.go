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
	sums           loops.Sums           // in the end
	sizes          [loops.Panel]float64 // of the factors

	// What loops are given: for sums of n products, and, once that has been asked for, for terms that pass
	// so many additions.
	n      int
	ranges loops.RangeConstants
	opens  bool
	passed float64
	open   loops.OpenConstants

	terms  []approx
	groups [loops.Panel][]approx
	tile   loops.DotTile

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
func (d *dotter) dots(p *panel, rows []float64, n int, sizes []float64,
	take func(i int, y approx, magnitude, products float64)) {
	s := &d.rows
	copy(s.sizes[:], sizes)
	d.sum(p, rows, n, len(sizes))
	for i := range sizes {
		take(i, s.at(i), s.of.Magnitude[i], s.of.Products[i])
	}
}

// sum makes them in the dotter's sums, those of the first some rows, given the sizes of their factors there.
func (d *dotter) sum(p *panel, rows []float64, n, some int) {
	switch {
	case d.Tile > 1:
		d.tiles(p, rows)
	case d.Lanes <= 1 || n == d.Lanes*max(d.Block, 1):
		d.lanesInTurn(p, rows)
	default:
		d.lanesApart(p, rows)
	}
	d.reduce(len(p.lanes), some)
	d.inRange(n, some)
}

// inRange is [dotter.ranged] of all sums.
func (d *dotter) inRange(n, some int) {
	s := &d.rows
	if s.n != n {
		s.n, s.ranges = n, d.ranges(n)
	}
	others := d.loops.Range(&s.sums, &s.of, &s.sizes, &s.ranges)
	for i := range some {
		if others>>i&1 == 1 {
			d.extent = extent{s.of.Magnitude[i], s.of.Squares[i]}
			s.set(i, d.ranged(s.at(i), n, s.sizes[i]))
		}
	}
}

// ranges are what sums of n products have in common.
func (d *dotter) ranges(n int) loops.RangeConstants {
	c := loops.RangeConstants{Underflow: d.eta, Terms: float64(n), Grown: 1 + d.gamma(n), Largest: d.largest,
		Scatter: d.scatter}
	if d.flush {
		c.Terms, c.Factors = float64(4*float64(n)), 1
	}
	return c
}

// at is the sum of row i.
func (s *panelSums) at(i int) approx {
	x := &s.sums
	return approx{x.Value[i], x.Error[i], moments{x.Variance[i], x.Systematic[i]}}
}

func (s *panelSums) set(i int, y approx) {
	x := &s.sums
	x.Value[i], x.Error[i], x.Variance[i], x.Systematic[i] = y.v, y.e, y.variance, y.systematic
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
	switch {
	case d.Lanes <= 1:
		s.sums = loops.Sums{Value: [loops.Panel]float64(s.values), Error: [loops.Panel]float64(s.errors)}
	case d.Tree || d.Simd <= 1:
		d.reduceGroup(n, 0, lanes, d.depth(lanes), false)
	case lanes <= d.Simd:
		d.reduceGroup(n, 0, lanes, math.Inf(1), true)
	default:
		d.reduceGroups(lanes, n)
	}
}

// reduceGroups adds up the sums of groups.
func (d *dotter) reduceGroups(lanes, n int) {
	s := &d.rows
	for i := range n {
		s.groups[i] = s.groups[i][:0]
	}
	for first := 0; first < lanes; first += d.Simd {
		d.reduceGroup(n, first, min(first+d.Simd, lanes), math.Inf(1), false)
		for i := range n {
			s.groups[i] = append(s.groups[i], s.at(i))
		}
	}
	for i := range n {
		s.set(i, d.anyOrder(s.groups[i]))
	}
}

// reduceGroup adds what some lanes have. The sum of an only group is added to nothing, which changes
// it only where flushing does.
func (d *dotter) reduceGroup(n, first, end int, depth float64, only bool) {
	s := &d.rows
	d.loops.Gather(&s.gathered, s.values[first*loops.Panel:end*loops.Panel],
		s.errors[first*loops.Panel:end*loops.Panel])
	additions := float64(end - first - 1)
	if passed := min(additions, depth); !s.opens || s.passed != passed {
		s.opens, s.passed, s.open = true, passed, d.openConstants(passed)
	}
	others := d.loops.Open(&s.sums, &s.gathered, &s.open)
	if additions == 0 {
		others = 1<<n - 1
	}
	for i := range n {
		if others>>i&1 == 0 {
			continue
		}
		s.terms = s.terms[:0]
		for at := first*loops.Panel + i; at < end*loops.Panel; at += loops.Panel {
			s.terms = append(s.terms, approx{v: s.values[at], e: s.errors[at]})
		}
		y := d.open(s.terms, depth)
		if only {
			y = d.open([]approx{y}, depth)
		}
		s.set(i, y)
	}
}

// openConstants are what sums in an order left open have in common whose terms pass so many additions.
func (d *dotter) openConstants(passed float64) loops.OpenConstants {
	c := loops.OpenConstants{
		Rounding: passed * d.u, Grown: d.grown(passed), Scatter: passed * d.scatter, Largest: d.largest, Tiny: d.tiny,
		U: d.u,
	}
	if d.flush {
		c.Least = d.tiny
	}
	return c
}
