package oracles

import "math"

// RMSNorm normalises each row of x by its root mean square:
//
//	out[r, i] = x[r, i] · 1/√(Σⱼ x[r, j]²/n + ε) · weight[i]
//
// x is x[rows, n] with n = len(weight).
//
// Special cases: a NaN in a row makes the row NaN; an infinity makes the row's
// finite elements 0 and itself NaN, as ∞·0.
//
// The sum of squares is the contract's "square". The mean is charged with a
// division or a product with the reciprocal of n, whichever is worse. With
// M = mean + ε known to within e_M,
//
//	|1/√M̂ − 1/√M| ≤ ((1 − e_M/M)^{−½} − 1)/√M + class limit of rsqrt,
//
// and two products follow. A sum of small integers is exact, and so are a division
// and a product by a power of two: for inputs of ±1 and weights that are powers of
// two, only the rounding of M and the limit of rsqrt remain.
//
// Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019,
// equation 4.
func RMSNorm(x, weight []float64, eps float64, c Contract) Answer {
	n := len(weight)
	a := newAnswer(len(x), "mean square", "rsqrt", "products")
	m := c.arithmetic()
	square := m.dotter(c.order("square"))
	for first := 0; first+n <= len(x) && n > 0; first += n {
		row := x[first : first+n]
		exact := 1 / math.Sqrt(dot(row, row)/float64(n)+eps)
		mean := m.meanSquare(square.norm2(row), n, eps)
		r := m.rsqrt(mean)
		inherited := m.rsqrt(exactly(mean.v))
		inherited.e = max(r.e-inherited.e, 0)
		for i, w := range weight {
			y := m.regrouped(m.times(m.times(r, exactly(row[i])), exactly(w)), r, exactly(row[i]), exactly(w))
			want := row[i] * exact * w
			scale := math.Abs(row[i] * w)
			a.setParts(first+i, want, y.e, scale*inherited.e, scale*(r.e-inherited.e))
			a.setMoments(first+i, y.moments)
		}
	}
	return a.ofProducts()
}

// SumOfSquares is Σ x², one number. The sum is the contract's "square".
func SumOfSquares(x []float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(1, "Σx²").ofSums()
	terms := make([]approx, len(x))
	for i, v := range x {
		terms[i] = m.mul(exactly(v), exactly(v))
	}
	a.give(0, m.independentSum(c.order("square"), terms))
	a.Scale[0] = a.Want[0]
	return a
}

// RMSNormApply is the second half of a norm in two passes:
//
//	out[i] = x[i] · 1/√(sumSq/n + ε) · weight[i]
//
// x may be part of the row, whose length n has to be a number of the format.
func RMSNormApply(x, weight []float64, sumSq float64, n int, eps float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(x), "rsqrt, products")
	r := m.rsqrt(m.meanSquare(exactly(sumSq), n, eps))
	for i := range x {
		a.give(i, m.regrouped(m.times(m.times(r, exactly(x[i])), exactly(weight[i])), r, exactly(x[i]),
			exactly(weight[i])))
	}
	return a.ofProducts()
}

// GatedRMSNorm normalises each row of v and multiplies it by a gate:
//
//	out[r, i] = v[r, i] · 1/√(Σⱼ v[r, j]²/n + ε) · silu(z[r, i]) · weight[i]
//
// v and z are [rows, n] with n = len(weight). The sum of squares is the
// contract's "square".
func GatedRMSNorm(v, z, weight []float64, eps float64, c Contract) Answer {
	n := len(weight)
	a := newAnswer(len(v), "rsqrt, silu, products")
	m := c.arithmetic()
	square := m.dotter(c.order("square"))
	for first := 0; n > 0 && first+n <= len(v); first += n {
		row := v[first : first+n]
		r := m.rsqrt(m.meanSquare(square.norm2(row), n, eps))
		for i, w := range weight {
			x, gate := exactly(row[i]), exactly(z[first+i])
			y := m.times(m.mul(m.times(r, x), m.silu(gate)), exactly(w))
			a.give(first+i, m.regrouped(y, r, x, gate, m.sigmoid(gate), exactly(w)))
		}
	}
	return a.ofProducts()
}

// QKNorm is the layout of a token's row that [RMSNormQK] works on: Heads
// query regions of Dim elements from the start, as many key regions from
// KeyOffset, and whatever follows, up to Stride elements.
type QKNorm struct{ Heads, Dim, KeyOffset, Stride int }

// RMSNormQK normalises the query and key heads of each token:
//
//	q ← q · 1/√(Σq²/n + ε) · s²,   k ← k · 1/√(Σk²/n + ε) · s
//
// with s = scale and n the head dimension. x is [tokens, Stride]; all other
// elements stay. The sum of squares is the contract's "square".
func RMSNormQK(x []float64, l QKNorm, scale, eps float64, c Contract) Answer {
	a := newAnswer(len(x), "rsqrt, products")
	copy(a.Want, x)
	m := c.arithmetic()
	square := m.dotter(c.order("square"))
	s := exactly(scale)
	head := func(first int, factor approx, factors ...approx) {
		row := x[first : first+l.Dim]
		r := m.rsqrt(m.meanSquare(square.norm2(row), l.Dim, eps))
		for i, v := range row {
			a.give(first+i, m.regrouped(m.times(m.times(r, exactly(v)), factor), append(factors, r, exactly(v))...))
		}
	}
	for token := 0; token+l.Stride <= len(x); token += l.Stride {
		for h := range l.Heads {
			head(token+h*l.Dim, m.mul(s, s), s, s)
			head(token+l.KeyOffset+h*l.Dim, s, s)
		}
	}
	return a.ofProducts()
}

// ResidualAdd is the sum of two vectors, rounded once to the format. No other answer
// is right, except that a subnormal may be flushed; the sum of two zeros is negative
// only if both are.
func ResidualAdd(x, y []float64, c Contract) Answer {
	m := c.arithmetic()
	a := newAnswer(len(x), "flushed subnormals").ofSums()
	a.Signed = true
	for i := range x {
		sum := exactly(F32.Round(x[i] + y[i]))
		var e float64
		for _, z := range []approx{exactly(x[i]), exactly(y[i]), sum} {
			if m.flush && m.below(z) {
				e += m.eta
			}
		}
		if m.narrow() {
			e = m.add(exactly(x[i]), exactly(y[i])).e
		}
		a.set(i, sum.v, e)
		a.Scale[i] = math.Abs(x[i]) + math.Abs(y[i])
	}
	return a
}

// meanSquare is fl(sum/n + ε), the mean made by a division or by a product
// with fl(1/n). Either is exact for an n that is a power of two.
func (m *arithmetic) meanSquare(sum approx, n int, eps float64) approx {
	d := m.divide()
	own := d + m.u + float64(d*m.u)
	if m.rounds("divide") && n&(n-1) == 0 {
		own = 0
	}
	mean := m.round(sum.v/float64(n), sum.e/float64(n), sum.scaled(1/float64(n)), own)
	return m.add(mean, exactly(eps))
}

// times is fl(a·b). A b that is a power of two moves the exponent of a alone,
// which is exact while all are normal.
func (m *arithmetic) times(a, b approx) approx {
	a = m.operand(a)
	y := approx{a.v * b.v, float64(a.e * math.Abs(b.v)), a.scaled(b.v)}
	power := b.e == 0 && lowestBit(b.v) == math.Abs(b.v)
	if !power || m.below(a) || m.below(b) || m.below(y) || !(math.Abs(y.v)+y.e <= m.largest) {
		return m.mul(a, b)
	}
	return y
}
