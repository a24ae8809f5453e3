package oracles

import (
	"math"
	"slices"

	"metalconform/oracles/internal/loops"
)

// factors are rows that many products have for a factor, with the sum of the sizes of the
// elements of each. Panels hold the same, some rows at a time: element by element, that of
// each row.
type factors struct {
	row    func(int) []float64
	sizes  []float64
	panels []float64
	width  int
}

func newFactors(n int, row func(int) []float64) factors {
	f := factors{row: row, sizes: make([]float64, n)}
	if n == 0 {
		return f
	}
	f.width = len(row(0))
	f.panels = make([]float64, (n+loops.Panel-1)/loops.Panel*loops.Panel*f.width)
	for i := range n {
		f.sizes[i] = absoluteSum(row(i))
		panel := f.panel(i)
		for j, x := range row(i) {
			panel[j*loops.Panel+i%loops.Panel] = x
		}
	}
	return f
}

// panel is the one that holds row i.
func (f *factors) panel(i int) []float64 {
	size := loops.Panel * f.width
	return f.panels[i/loops.Panel*size:][:size]
}

// setColumn makes x column i of a panel.
func setColumn(panel []float64, i int, x []float64) {
	for j, v := range x {
		panel[j*loops.Panel+i] = v
	}
}

// column is column i of a panel.
func column(panel []float64, i int) []float64 {
	x := make([]float64, len(panel)/loops.Panel)
	for j := range x {
		x[j] = panel[j*loops.Panel+i]
	}
	return x
}

// paneled reports whether the dotter's schedule is one of running sums, which panels are for.
func (d *dotter) paneled(n int) bool {
	return !d.narrow() && (d.Tile <= 1 || d.Lanes <= 1) && n > 0
}

// vectorParts are some vectors, each in the parts that lanes take.
type vectorParts struct{ list []panel }

// split makes the parts that a dotter takes.
func (p *vectorParts) split(vectors [][]float64, d *dotter) {
	for len(p.list) < len(vectors) {
		p.list = append(p.list, panel{})
	}
	for i, x := range vectors {
		p.list[i].split(x, max(d.Lanes, 1), max(d.Block, 1))
	}
}

// panelDots are the products of a vector, in its parts and as it is, with the columns of a
// panel, in whatever schedule.
func (d *dotter) panelDots(p *panel, rows, x, sizes []float64, take func(i int, y approx)) {
	if !d.paneled(len(x)) {
		for i, size := range sizes {
			take(i, d.evaluate(column(rows, i), x, size))
		}
		return
	}
	d.dots(p, rows, len(x), sizes, func(i int, y approx, _, _ float64) { take(i, y) })
}

// panel are the running sums of lanes for the rows of one panel.
type panel struct {
	whole []float64 // vector
	at    []int     // where the rows of its elements begin
	lanes []lanePart
	of    loops.DotSums

	// The sums of lanes, lane by lane those of each row, what a reduction gathers of them, and
	// the sums of its groups.
	values, errors []float64
	gathered       loops.Gathered
	terms          []approx
	groups         [loops.Panel][]approx
}

// lanePart are the elements of a vector that one lane takes.
type lanePart struct {
	a  []float64
	at []int
}

// split are the parts of a vector that the lanes take.
func (p *panel) split(a []float64, lanes, block int) {
	p.whole, p.lanes, p.at = a, p.lanes[:0], p.at[:0]
	for i := range a {
		p.at = append(p.at, i*loops.Panel)
	}
	if lanes == 1 {
		p.lanes = append(p.lanes, lanePart{a, p.at})
		return
	}
	for first := 0; first < lanes*block; first += block {
		var part lanePart
		for at := first; at < len(a); at += lanes * block {
			end := min(at+block, len(a))
			part.a, part.at = append(part.a, a[at:end]...), append(part.at, p.at[at:end]...)
		}
		p.lanes = append(p.lanes, part)
	}
}

// dots are the products of the vector whose parts p has with the rows of a panel: what
// [dotter.evaluate] says of each, and Σ|aᵢ·bᵢ| and Σ(aᵢ·bᵢ)².
func (d *dotter) dots(p *panel, rows []float64, n int, sizes []float64, take func(i int, y approx, magnitude, products float64)) {
	switch {
	case d.Tile > 1:
		d.tiles(p, rows)
	case d.Lanes <= 1 || n == d.Lanes*max(d.Block, 1):
		d.lanesInTurn(p, rows)
	default:
		d.lanesApart(p, rows)
	}
	all := &p.of
	d.reduce(p, len(sizes))
	for i, size := range sizes {
		y := p.groups[i][0]
		d.extent = extent{all.Magnitude[i], all.Squares[i]}
		take(i, d.ranged(y, n, size), all.Magnitude[i], all.Products[i])
	}
}

// tiles are running sums that take some products at a time, as [dotter.oneLane] does.
func (d *dotter) tiles(p *panel, rows []float64) {
	p.of = loops.DotSums{}
	for a := p.whole; len(a) > 0; {
		n := min(d.Tile, len(a))
		whole := len(a) / n * n
		c := d.tile(n)
		d.loops.Tiles(&p.of, a[:whole], rows, n, &c)
		a, rows = a[whole:], rows[whole*loops.Panel:]
	}
	p.values, p.errors = append(p.values[:0], p.of.Value[:]...), append(p.errors[:0], p.of.Error[:]...)
}

// lanesInTurn adds up what all lanes make in one go, as [dotter.blocks] does.
func (d *dotter) lanesInTurn(p *panel, rows []float64) {
	block, size := len(p.lanes[0].a), len(p.lanes)*loops.Panel
	p.of = loops.DotSums{}
	p.values, p.errors = slices.Grow(p.values[:0], size)[:size], slices.Grow(p.errors[:0], size)[:size]
	d.loops.Blocks(&p.of, p.values, p.errors, p.whole, d.roundings(block), rows)
}

// lanesApart adds up what each lane makes.
func (d *dotter) lanesApart(p *panel, rows []float64) {
	var all loops.DotSums
	p.values, p.errors = p.values[:0], p.errors[:0]
	for _, part := range p.lanes {
		p.of = loops.DotSums{}
		if len(part.a) > 0 {
			d.loops.Dots(&p.of, part.a, d.roundings(len(part.a)), rows, part.at)
		}
		p.values, p.errors = append(p.values, p.of.Value[:]...), append(p.errors, p.of.Error[:]...)
		for i := range all.Magnitude {
			all.Magnitude[i] += p.of.Magnitude[i]
			all.Squares[i] += p.of.Squares[i]
			all.Products[i] += p.of.Products[i]
		}
	}
	p.of = all
}

// reduce adds the lanes' sums of n rows, as [arithmetic.combine] does those of one.
func (d *dotter) reduce(p *panel, n int) {
	lanes := len(p.lanes)
	for i := range n {
		p.groups[i] = p.groups[i][:0]
	}
	switch {
	case d.Lanes <= 1:
		for i := range n {
			p.groups[i] = append(p.groups[i], approx{v: p.values[i], e: p.errors[i]})
		}
	case d.Tree || d.Simd <= 1:
		d.reduceGroup(p, n, 0, lanes, d.depth(lanes))
	default:
		for first := 0; first < lanes; first += d.Simd {
			d.reduceGroup(p, n, first, min(first+d.Simd, lanes), math.Inf(1))
		}
		for i := range n {
			p.groups[i] = append(p.groups[i][:0], d.anyOrder(p.groups[i]))
		}
	}
}

// reduceGroup adds what some lanes have.
func (d *dotter) reduceGroup(p *panel, n, first, end int, depth float64) {
	all := &p.gathered
	d.loops.Gather(all, p.values[first*loops.Panel:end*loops.Panel], p.errors[first*loops.Panel:end*loops.Panel])
	for i := range n {
		g := gathered{
			total: accumulator{all.Sum[i], all.Correction[i]}, magnitude: all.Magnitude[i], squares: all.Squares[i], e: all.Error[i],
			additions: float64(end - first - 1), least: all.Least[i],
		}
		var y approx
		if g.e > 0 && g.least > 0 { // no term is 0, and none is exact
			y = d.opened(&g, depth, nil)
		} else {
			p.terms = p.terms[:0]
			for at := first*loops.Panel + i; at < end*loops.Panel; at += loops.Panel {
				p.terms = append(p.terms, approx{v: p.values[at], e: p.errors[at]})
			}
			y = d.open(p.terms, depth)
		}
		p.groups[i] = append(p.groups[i], y)
	}
}
