package oracles

import "metalconform/oracles/internal/loops"

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

// paneled reports whether the dotter's schedule is one of running sums, which panels are for.
func (d *dotter) paneled(n int) bool {
	return !d.narrow() && d.Tile <= 1 && n > 0
}

// panel are the running sums of lanes for the rows of one panel.
type panel struct {
	at    []int // where the elements of each lane begin
	lanes []lanePart
	sums  [loops.Panel][]approx
	of    loops.DotSums
}

// lanePart are the elements of a vector that one lane takes.
type lanePart struct {
	a  []float64
	at []int
}

// extents are those of all rows of a panel, with the squares of products alone.
type extents struct{ magnitude, squares, products [loops.Panel]float64 }

// split are the parts of a vector that the lanes take.
func (p *panel) split(a []float64, lanes, block int) {
	p.lanes, p.at = p.lanes[:0], p.at[:0]
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
	var all extents
	for i := range p.sums {
		p.sums[i] = p.sums[i][:0]
	}
	block := n == max(d.Lanes, 1)*max(d.Block, 1) // [dotter.blocks] adds all up in one go
	for _, part := range p.lanes {
		s := &p.of
		*s = loops.DotSums{}
		if block {
			s.Magnitude, s.Squares, s.Products = all.magnitude, all.squares, all.products
			all = extents{}
		}
		if len(part.a) > 0 {
			d.loops.Dots(s, part.a, d.roundings(len(part.a)), rows, part.at)
		}
		for i := range sizes {
			p.sums[i] = append(p.sums[i], approx{v: s.Value[i], e: s.Error[i]})
			all.magnitude[i] += s.Magnitude[i]
			all.squares[i] += s.Squares[i]
			all.products[i] += s.Products[i]
		}
	}
	for i, size := range sizes {
		y := p.sums[i][0]
		if d.Lanes > 1 {
			y = d.combine(p.sums[i], d.Schedule)
		}
		d.extent = extent{all.magnitude[i], all.squares[i]}
		take(i, d.ranged(y, n, size), all.magnitude[i], all.products[i])
	}
}
