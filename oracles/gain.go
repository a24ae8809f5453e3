package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// largestGain is an upper bound on ‖A‖₂ of the matrix with the given rows. With
// G = AAᵀ or AᵀA, whichever is smaller,
//
//	‖A‖₂² = ‖G‖₂ = ‖G¹⁶‖₂^{1/16} ≤ ‖G¹⁶‖_F^{1/16}
//
// which is at most n^{1/64} times as large for n rows.
func largestGain(rows [][]float64) float64 {
	g := gram(rows)
	scale, power := 1.0, 1.0 // ‖G‖₂ ≤ scale·‖g‖₂^{1/power}
	for range 4 {
		f := frobenius(g)
		if f == 0 {
			return 0
		}
		if !finite(f) {
			return math.Inf(1)
		}
		for i := range g {
			for j := range g[i] {
				g[i][j] /= f
			}
		}
		scale *= math.Pow(f, 1/power)
		g, power = gram(g), 2*power
	}
	return math.Sqrt(scale*math.Pow(frobenius(g), 1/power)) * slack
}

// gram is AAᵀ, or AᵀA if that is smaller.
func gram(rows [][]float64) [][]float64 {
	if len(rows) > 0 && len(rows[0]) < len(rows) {
		rows = columns(rows)
	}
	n := len(rows)
	flat, g := make([]float64, n*n), make([][]float64, n)
	for i := range g {
		g[i] = flat[i*n:][:n]
	}
	if n == 0 {
		return g
	}
	panel, table := make([]float64, loops.Panel*len(rows[0])), loops.Native()
	var products [loops.Panel]float64
	for first := 0; first < n; first += loops.Panel {
		some := rows[first:min(first+loops.Panel, n)]
		for l, x := range some {
			setColumn(panel, l, x)
		}
		for i, x := range rows[first:] {
			table.Strides(&products, panel, x)
			for l := range some {
				g[first+i][first+l], g[first+l][first+i] = products[l], products[l]
			}
		}
	}
	return g
}

// columns is the transposed matrix.
func columns(rows [][]float64) [][]float64 {
	t := make([][]float64, len(rows[0]))
	for j := range t {
		t[j] = make([]float64, len(rows))
		for i := range rows {
			t[j][i] = rows[i][j]
		}
	}
	return t
}

// frobenius is the square root of the sum of all squares.
func frobenius(rows [][]float64) float64 {
	var s float64
	for _, r := range rows {
		for _, x := range r {
			s += float64(x * x)
		}
	}
	return math.Sqrt(s)
}
