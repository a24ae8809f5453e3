package oracles

import (
	"math"
	"testing"
)

// TestDeltaPanels holds the rows of a panel to one row alone, bit for bit, for inputs of every
// size and for some that are not finite.
func TestDeltaPanels(t *testing.T) {
	t.Parallel()
	for _, c := range []Contract{
		{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}},
		{Sums: map[string]Schedule{"read": Strided(32, 1), "output": Strided(4, 2)}},
		{Sums: map[string]Schedule{"read": MatrixTiles()}, Subnormals: Kept},
		{Accumulators: F16, Intermediates: F16},
	} {
		for name, decays := range decayFamilies {
			for _, size := range [][2]int{{1, 1}, {5, 3}, {16, 8}, {33, 11}} {
				net := delta(source("panels", size[0]), 6, 1, 1, size[0], size[1], decays, 1)
				net.V[len(net.V)/2], net.State[0] = 0x1p126, 0x1p-140
				if size[0] == 33 {
					net.V[len(net.V)/3] = math.NaN()
				}
				d := net.head(0, 0, c)
				m := c.arithmetic().coarser()
				shared := stepBudget{deltaHead: d, arithmetic: m, read: m.dotter(c.order("read")), out: m.dotter(c.order("output")), rowGamma: m.gamma(d.Dk)}
				var products deltaProducts
				products.split(&shared, &deltaBlock{n: d.T})
				for _, p := range shared.panels() {
					var rows [][]float64
					alone := append([]stepBudget(nil), p.budgets...)
					for i := range p.budgets {
						rows = append(rows, p.row(i))
					}
					for token := range d.T {
						p.step(&products.keys.list[token], token)
						for i, s := range rows {
							alone[i].alone(s, token, p.first+i)
							if got, want := p.budgets[i], alone[i]; !sameBudget(&got, &want) {
								t.Fatalf("%v, %s %v, token %d, row %d: %v %v %v, alone %v %v %v",
									c, name, size, token, i, got.eps, got.row, got.own, want.eps, want.row, want.own)
							}
							for j, x := range p.row(i) {
								if math.Float64bits(x) != math.Float64bits(s[j]) && x == x {
									t.Fatalf("%v, %s %v, token %d, row %d: %v, alone %v", c, name, size, token, i, p.row(i), s)
								}
							}
						}
					}
				}
			}
		}
	}
}

// alone takes one row, s, which is row i, through token t.
func (b *stepBudget) alone(s []float64, t, i int) {
	length, fourth := 0.0, 0.0
	off := b.off(t)
	for j := range s {
		s[j] *= b.alpha[t].v
	}
	length, fourth = binades(s, off)
	b.dot = b.read.dotOf(s, b.k[t], float64(math.Abs(b.alpha[t].v)*b.total)+b.keyTotals[t])
	b.bound = absoluteDot(s, b.k[t])
	b.decayed(t, length, fourth)
	bu := b.beta[t] * (b.V[b.tokenIndex(t, i)] - b.dot.v)
	for j, k := range b.k[t] {
		s[j] += float64(bu * k)
	}
	var now rowSize
	now.length, now.peak, now.total = sizes(s)
	b.updated(t, i, bu, now)
	length, fourth = binades(s, b.near)
	b.rounded(t, bu, length, fourth)
}

// sameBudget reports whether two budgets say the same, NaN of NaN too.
func sameBudget(a, b *stepBudget) bool {
	list := func(b *stepBudget) []float64 {
		var x []float64
		for _, o := range []origin{{b.eps, b.row}, b.own.solved, b.own.spread, {b.dot.e, b.dot.moments}} {
			x = append(x, o.bound, o.variance, o.systematic)
		}
		return append(x, b.dot.v, b.length, b.peak, b.total)
	}
	x, y := list(a), list(b)
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
			return false
		}
	}
	return a.exact == b.exact && a.open == b.open
}

// binades are ‖p‖₂ and (Σ p_i⁴)^½ of p_i, the power of two at or below |x_i| + e: rounding
// a number within e of x_i errs by at most u·p_i.
func binades(x []float64, e float64) (length, fourth float64) {
	var squares, fourths, otherSquares, otherFourths float64
	for ; len(x) >= 2; x = x[2:] {
		v, w := binade(math.Abs(x[0])+e), binade(math.Abs(x[1])+e)
		v, w = float64(v*v), float64(w*w)
		squares += v
		otherSquares += w
		fourths += float64(v * v)
		otherFourths += float64(w * w)
	}
	for _, v := range x {
		v = binade(math.Abs(v) + e)
		v = float64(v * v)
		squares += v
		fourths += float64(v * v)
	}
	return math.Sqrt(squares + otherSquares), math.Sqrt(fourths + otherFourths)
}

// binade is the power of two at or below a positive number.
func binade(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<52 - 1)) }
