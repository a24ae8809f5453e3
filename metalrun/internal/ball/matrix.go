package ball

import (
	"math"
)

// Matrix is 8×8 balls by rows, apart from what X lacks.
type Matrix struct{ X, E [64]float64 }

// tileRoundings is what the sum of nine terms in any order, of which eight are products that may be
// rounded, is off by at most, as a part of the sum of their sizes.
const tileRoundings = 9 * unit / (1 - 9*unit)

// tileUnderflow is what may count as zero on its way: each product and each sum of some terms.
const tileUnderflow = 17 * normal

// portableTile sets d to a·b + c, which a simdgroup multiplies in f32: nine terms in any order, of which
// eight are products that may be rounded. In a narrow format d is rounded by its reader.
func portableTile(d, a, b, c *Matrix) {
	for i := range 64 {
		d.X[i], d.E[i] = tileElement(a, b, c, i)
	}
}

// tileElement is element i of it.
func tileElement(a, b, c *Matrix, i int) (x, e float64) {
	x, spread, size := c.X[i], c.E[i], math.Abs(c.X[i])+c.E[i]
	for k := range 8 {
		p, pe, q, qe := a.X[i&^7+k], a.E[i&^7+k], b.X[i&7+8*k], b.E[i&7+8*k]
		x += float64(p * q)
		s := float64(math.Abs(p)*qe) + float64((math.Abs(q)+qe)*pe)
		spread += s
		size += math.Abs(float64(p*q)) + s
	}
	switch {
	case !finite(x) || !finite(spread):
		d := tileSpecial(a, b, c, i)
		return d.X, d.E
	case size == 0:
		return x, 0
	}
	off := float64(tileRoundings * size)
	if size+off >= largest { // some order may leave the range
		return x, math.Inf(1)
	}
	return x, spread + off + tileUnderflow
}

// tileSpecial is an element of such a matrix where something is not finite.
func tileSpecial(a, b, c *Matrix, i int) Ball {
	sum := NewSum()
	sum.Add(c.at(i))
	for k := range 8 {
		sum.Add(times(a.at(i&^7+k), b.at(i&7+8*k)))
	}
	return sum.special(largest)
}

func (a *Matrix) at(i int) Ball { return Ball{X: a.X[i], E: a.E[i]} }
