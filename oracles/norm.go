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
// and two products follow.
//
// Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019,
// equation 4.
func RMSNorm(x, weight []float64, eps float64, c Contract) Answer {
	n := len(weight)
	a := newAnswer(len(x), "mean square", "rsqrt", "products")
	m := c.arithmetic()
	square := m.dotter(c.Sum("square"))
	for first := 0; first+n <= len(x) && n > 0; first += n {
		row := x[first : first+n]
		exact := 1 / math.Sqrt(dot(row, row)/float64(n)+eps)
		mean := m.meanSquare(square.dot(row, row), n, eps)
		r := m.rsqrt(mean)
		inherited := m.rsqrt(approx{mean.v, 0})
		inherited.e = max(r.e-inherited.e, 0)
		for i, w := range weight {
			y := m.mul(m.mul(exactly(row[i]), r), exactly(w))
			want := row[i] * exact * w
			scale := math.Abs(row[i] * w)
			a.set(first+i, want, split(y.e, scale*inherited.e, scale*(r.e-inherited.e))...)
		}
	}
	return a
}

// meanSquare is fl(sum/n + ε), the mean made by a division or by a product
// with fl(1/n).
func (m arithmetic) meanSquare(sum approx, n int, eps float64) approx {
	d := m.functions.Divide()
	mean := m.round(sum.v/float64(n), sum.e/float64(n), d+m.u+d*m.u)
	return m.add(mean, exactly(eps))
}

// split divides a total error into the given parts and a remainder, last. A
// total that is 0 or infinite is all remainder.
func split(total float64, parts ...float64) []float64 {
	out := make([]float64, len(parts)+1)
	rest := total
	if total > 0 && !math.IsInf(total, 1) {
		for i, p := range parts {
			out[i] = min(p, rest)
			rest -= out[i]
		}
	}
	out[len(parts)] = rest
	return out
}
