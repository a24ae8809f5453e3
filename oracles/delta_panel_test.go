package oracles

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalconform/oracles/internal/loops"
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
				b := d.stepBudget(c)
				var products deltaProducts
				products.split(b, &deltaBlock{n: d.T})
				for _, p := range b.panels() {
					panelAlone(t, fmt.Sprintf("%v, %s %v", c, name, size), p, &products)
				}
			}
		}
	}
}

// panelAlone takes a panel through all tokens, and each of its rows alone.
func panelAlone(t *testing.T, name string, p *deltaPanel, products *deltaProducts) {
	t.Helper()
	var rows [][]float64
	var alone []rowBudget
	for i := range p.n {
		rows = append(rows, column(p.v, i))
		alone = append(alone, rowOf(p.stepBudget))
		alone[i].start(rows[i])
	}
	var own loops.Local
	var passed loops.Passed
	for token := range p.T {
		key, values := products.token(p.stepBudget, token, p.first, p.n)
		p.step(key, values, token, &own)
		p.give(&passed, token, p.dots(p.out, &products.queries.list[token], p.q[token], p.queryTotals[token], 1))
		for i, s := range rows {
			b := &alone[i]
			b.alone(s, token, p.first+i)
			y := b.out.dotOf(s, b.q[token], b.total+b.queryTotals[token])
			inherited, sum, made := b.output(token, y)
			gave := b.row.scaled(b.queryNorms[token])
			want := append(b.list(), inherited, gave.variance, gave.systematic, sum, made.variance, made.systematic)
			got := p.list(i, &own, &passed)
			if !sameNumbers(got, want) || p.exact>>i&1 == 1 != b.exact || p.open>>i&1 == 1 != b.open {
				t.Fatalf("%s, token %d, row %d: %v, alone %v", name, token, i, got, want)
			}
			if got := column(p.v, i); !sameNumbers(got, s) {
				t.Fatalf("%s, token %d, row %d: %v, alone %v", name, token, i, got, s)
			}
		}
	}
}

// alone takes one row, s, which is row i, through token t.
func (b *rowBudget) alone(s []float64, t, i int) {
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

// rowOf is a budget for one row of a head.
func rowOf(b *stepBudget) rowBudget {
	r := rowBudget{deltaHead: b.deltaHead, arithmetic: b.arithmetic, read: b.read, out: b.out, rowGamma: b.gamma(b.Dk)}
	for t := range b.T {
		r.across = append(r.across, b.out.evaluate(b.k[t], b.q[t], b.out.factors(b.k[t], b.q[t])))
	}
	return r
}

// list is what the budget has come to.
func (b *rowBudget) list() []float64 {
	var x []float64
	for _, o := range []origin{{b.eps, b.row}, b.own.solved, b.own.spread} {
		x = append(x, o.bound, o.variance, o.systematic)
	}
	return append(x, b.length, b.peak, b.total)
}

// list is what the budget of row i has come to, and what is passed on.
func (p *deltaPanel) list(i int, own *loops.Local, passed *loops.Passed) []float64 {
	r := &p.rows
	x := []float64{r.Error[i], r.Variance[i], r.Systematic[i]}
	for _, kind := range []int{loops.Solved, loops.Spread} {
		s := strips{own[:], localKinds}
		o := s.at(i, kind)
		x = append(x, o.bound, o.variance, o.systematic)
	}
	x = append(x, r.Length[i], r.Peak[i], r.Total[i], passed.Inherited[i], passed.Variance[i], passed.Systematic[i])
	return append(x, passed.Own[i], passed.OwnVariance[i], passed.OwnSystematic[i])
}

// sameNumbers reports whether two lists are the same bits, or both no number.
func sameNumbers(x, y []float64) bool {
	return slices.EqualFunc(x, y,
		func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b })
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
