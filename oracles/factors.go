package oracles

import (
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
func column(panel []float64, i int) []float64 { return columnIn(nil, panel, i) }

// columnIn is column i of a panel, in x if that has room.
func columnIn(x, panel []float64, i int) []float64 {
	n := len(panel) / loops.Panel
	x = slices.Grow(x[:0], n)[:n]
	for j := range x {
		x[j] = panel[j*loops.Panel+i]
	}
	return x
}

// paneled reports whether the dotter's schedule is one of running sums, which panels are for.
func (d *dotter) paneled(n int) bool {
	return !d.narrow() && (d.Tile <= 1 || d.Lanes <= 1) && n > 0
}

// splitFor are the parts that a dotter takes.
func (p *panel) splitFor(d *dotter, a []float64) { p.split(a, max(d.Lanes, 1), max(d.Block, 1)) }

// vectorParts are some vectors, each in the parts that lanes take.
type vectorParts struct{ list []panel }

// split makes the parts that a dotter takes.
func (p *vectorParts) split(vectors [][]float64, d *dotter) {
	for len(p.list) < len(vectors) {
		p.list = append(p.list, panel{})
	}
	for i, x := range vectors {
		p.list[i].splitFor(d, x)
	}
}

// panelDots are the products of a vector, in its parts and as it is, with some columns of a
// panel, in whatever schedule, and Σ|aᵢ·bᵢ|, in the dotter's sums, given the sizes of the factors there.
func (d *dotter) panelDots(p *panel, rows, x []float64, some int) {
	if d.paneled(len(x)) {
		d.sum(p, rows, len(x), some)
		return
	}
	s := &d.rows
	for i := range some {
		s.set(i, d.evaluate(column(rows, i), x, s.sizes[i]))
		s.of.Magnitude[i] = d.extent.magnitude
	}
}

// panel is a vector in the parts that lanes take, for its products with a panel's rows.
type panel struct {
	whole []float64 // vector
	at    []int     // where the rows of its elements begin
	lanes []lanePart

	// The parts of all lanes, one after the other.
	elements []float64
	rows     []int
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
	p.elements, p.rows = slices.Grow(p.elements[:0], len(a)), slices.Grow(p.rows[:0], len(a))
	for first := 0; first < lanes*block; first += block {
		begin := len(p.rows)
		for at := first; at < len(a); at += lanes * block {
			end := min(at+block, len(a))
			p.elements, p.rows = append(p.elements, a[at:end]...), append(p.rows, p.at[at:end]...)
		}
		p.lanes = append(p.lanes, lanePart{p.elements[begin:], p.rows[begin:]})
	}
}
