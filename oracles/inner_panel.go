package oracles

import (
	"slices"

	"metalconform/oracles/internal/loops"
)

// innerPanel has the products of some vectors, on the left, with up to eight others, which are columns of a panel.
type innerPanel struct {
	loops   *loops.Table
	columns []float64
	sums    []loops.Inner // by vectors on the left
}

// right makes vectors of n elements the columns.
func (x *innerPanel) right(n int, vectors ...[]float64) {
	x.columns = slices.Grow(x.columns[:0], n*loops.Panel)[:n*loops.Panel]
	for i, v := range vectors {
		setColumn(x.columns, i, v)
	}
}

// left multiplies the columns by vectors, of which one may have fewer elements than those.
func (x *innerPanel) left(n int, vector func(i int) []float64) {
	x.sums = slices.Grow(x.sums[:0], n)[:n]
	for i := range x.sums {
		x.loops.Inner(&x.sums[i], vector(i), x.columns)
	}
}

// at are the products of vector i, a, with column l, b.
func (x *innerPanel) at(i, l int, a, b vector) productSums {
	s := &x.sums[i]
	return productSums{s.Value[l], s.Magnitude[l], s.Squares[l], terms(a, b)}
}

// numbersOf are the elements of some vectors.
func numbersOf(vectors []vector) [][]float64 {
	list := make([][]float64, len(vectors))
	for i := range vectors {
		list[i] = vectors[i].v
	}
	return list
}

// innerPanels has the products of one vector, on the left, with any number of others.
type innerPanels struct {
	loops  *loops.Table
	panels [][]float64
	sums   []loops.Inner
}

// innerPanels has those with vectors of one length.
func (m *arithmetic) innerPanels(vectors [][]float64) *innerPanels {
	x := &innerPanels{loops: m.loops}
	for some := range slices.Chunk(vectors, loops.Panel) {
		panel := make([]float64, len(some[0])*loops.Panel)
		for i, v := range some {
			setColumn(panel, i, v)
		}
		x.panels = append(x.panels, panel)
	}
	x.sums = make([]loops.Inner, len(x.panels))
	return x
}

// left multiplies the first n of the others by a vector.
func (x *innerPanels) left(a []float64, n int) {
	for i := range (n + loops.Panel - 1) / loops.Panel {
		x.loops.Inner(&x.sums[i], a, x.panels[i])
	}
}

// at are the products of a with vector j, b.
func (x *innerPanels) at(j int, a, b vector) productSums {
	s, l := &x.sums[j/loops.Panel], j%loops.Panel
	return productSums{s.Value[l], s.Magnitude[l], s.Squares[l], terms(a, b)}
}
