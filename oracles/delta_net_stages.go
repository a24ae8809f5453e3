package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// vectors are rows that the kernel reads.
func vectors(rows [][]float64) []vector {
	out := make([]vector, len(rows))
	for i, r := range rows {
		out[i] = exactVector(r)
	}
	return out
}

// decayFrom is e^{to − from} for two running sums of log-decays.
func (m *arithmetic) decayFrom(from, to float64) approx {
	return m.exp(m.sub(exactly(to), exactly(from)))
}

// ChunkCumsum is stage 1, the running sum of the log-decays in each chunk:
//
//	G_t = Σ_{s≤t} g_s   over the tokens of t's chunk
//
// The sum is the contract's "cumsum".
func ChunkCumsum(g []float64, p Chunks, c Contract) Answer {
	m := c.arithmetic().coarser()
	a := newAnswer(len(g), "Σg").ofSums()
	p.each(func(ch chunk) {
		terms := exact(ch.scalars(g))
		for t := range terms {
			y := m.sum(c.order("cumsum"), terms[:t+1])
			a.give(ch.at(t, 1), y)
			a.Scale[ch.at(t, 1)] = magnitude(terms[:t+1])
		}
	})
	return a
}

// ChunkKKT is stage 2, the strictly lower triangle of the chunk's products of
// keys:
//
//	A_ij = e^{G_i − G_j}·Σ_c r(k_ic·β_i)·k_jc   for i > j, else 0
//
// Special cases: above the diagonal the exponential may overflow. The mask is a selection, so A is 0 there even then.
func ChunkKKT(k, beta, g []float64, p Chunks, c Contract) Answer {
	m := c.arithmetic().coarser()
	a := newAnswer(len(beta)*p.BT, "e^{G_i−G_j}, r(k·β)·k").ofSums()
	p.each(func(ch chunk) {
		gates, sums, keys := ch.scalars(beta), ch.scalars(g), ch.keys(k)
		right, products := vectors(keys), m.innerPanels(keys)
		scaled := make([]approx, p.K)
		for i := range p.BT {
			for d, x := range keys[i] {
				scaled[d] = p.rounded(m, m.mul(exactly(x), exactly(gates[i])))
			}
			left := roundedVector(scaled)
			products.left(left.v, i)
			for j := range i {
				decay, sum := m.decayFrom(sums[j], sums[i]), products.at(j, left, right[j])
				y := m.mul(decay, m.innerOf("keys", left, right[j], sum))
				a.Scale[ch.at(i, p.BT)+j] = decay.v * sum.magnitude
				a.set(ch.at(i, p.BT)+j, y.v, openUnlessFinite(y.v, y.e))
				a.setMoments(ch.at(i, p.BT)+j, y.moments)
			}
		}
	})
	return a
}

// ChunkInverse is stage 3, the inverse of the chunk's unit lower triangular
// matrix by forward substitution:
//
//	X = (I + A)⁻¹:   X_ij = [i = j] − Σ_{j≤m<i} A_im·X_mj
//
// with a unit diagonal and zeros above it. A is strictly lower triangular, and
// zero elsewhere.
//
// Substitution, with its sums in any order, solves (I + A)·x̂ = e_j + r with a
// residual |r_i| ≤ (n+1)u(1+u)^{n+1}·Σ|A_im·x̂_m| for a sum of n terms, so
// |x̂ − x| ≤ |X|·|r| with the exact inverse: the error does not grow as a running
// bound would. The residuals are roundings of different sums, so their variances
// take the squares of X.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2002,
// section 8.1.
func ChunkInverse(a []float64, p Chunks, c Contract) Answer {
	m := c.arithmetic().coarser()
	out := newAnswer(len(a), "|X|·residual").ofSums()
	p.each(func(ch chunk) {
		rows := ch.rows(a, p.BT)
		x := lowerInverse(rows)
		for j := range p.BT {
			e := m.inverseErrors(rows, x, j)
			for i := range p.BT {
				out.set(ch.at(i, p.BT)+j, x[i][j], openUnlessFinite(x[i][j], e[i].e))
				out.setMoments(ch.at(i, p.BT)+j, e[i].moments)
				out.Scale[ch.at(i, p.BT)+j] = math.Abs(x[i][j])
				for l := j; l < i; l++ { // forward substitution
					out.Scale[ch.at(i, p.BT)+j] += math.Abs(rows[i][l] * x[l][j])
				}
			}
		}
	})
	return out
}

// lowerInverse is (I + A)⁻¹ by substitution.
func lowerInverse(a [][]float64) [][]float64 {
	x := make([][]float64, len(a))
	for i := range x {
		x[i] = make([]float64, len(a))
		x[i][i] = 1
		for j := range i {
			var s accumulator
			for l := j; l < i; l++ {
				s = s.plus(-float64(a[i][l] * x[l][j]))
			}
			x[i][j] = s.value()
		}
	}
	return x
}

// inverseErrors are the errors of column j: approximate zeros.
func (m *arithmetic) inverseErrors(a, x [][]float64, j int) []approx {
	e, residual := make([]approx, len(a)), make([]approx, len(a))
	certain := true
	for i := j + 1; i < len(a); i++ {
		var magnitude, squares, factors float64
		grid := math.Inf(1)
		for l := j; l < i; l++ {
			y := math.Abs(x[l][j]) + e[l].e
			p := float64(math.Abs(a[i][l]) * y)
			magnitude += p
			squares += float64(p * p)
			factors += math.Abs(a[i][l]) + y
			if certain {
				grid = min(grid, lowestBit(a[i][l])*lowestBit(x[l][j]))
			}
		}
		residual[i] = exactly(x[i][j])
		if certain = certain && m.exactSum(grid, magnitude); !certain {
			residual[i] = m.added(x[i][j], 0, magnitude, squares, i-j, factors)
		}
		if m.tracer != nil {
			residual[i] = m.tracer.formed(inAnyOrder("substitution"), residual[i], 0,
				func() []float64 { return substituted(a[i], x, i, j) })
		}
		if residual[i].e == 0 && certain {
			continue
		}
		for l := j + 1; l <= i; l++ {
			if r := residual[l]; r.e != 0 {
				e[i].e += float64(math.Abs(x[i][l]) * r.e)
				s := r.scaled(x[i][l])
				e[i].variance += s.variance
				e[i].systematic += s.systematic
			}
		}
		if e[i].e = float64(e[i].e * slack); !(math.Abs(x[i][j])+e[i].e <= m.largest) {
			e[i] = bounded(0, math.Inf(1))
		}
	}
	return e
}

// substituted are the terms −A_il·X_lj of X_ij.
func substituted(a []float64, x [][]float64, i, j int) []float64 {
	terms := make([]float64, 0, i-j)
	for l := j; l < i; l++ {
		terms = append(terms, -a[l]*x[l][j])
	}
	return terms
}

// ChunkWU is stage 4, the triangular system solved for keys and for values:
//
//	w = r(X·r(k·β·e^G)),   u = r(X·r(v·β))
//
// X is lower triangular, and zero above the diagonal. k·β·e^G may be multiplied
// in any order.
func ChunkWU(k, v, beta, g, x []float64, p Chunks, c Contract) (w, u Answer) {
	m := c.arithmetic().coarser()
	tokens := p.B * p.T * p.H
	w, u = newAnswer(tokens*p.K, storedLabels()...).ofSums(), newAnswer(tokens*p.V, storedLabels()...).ofSums()
	p.each(func(ch chunk) {
		gates, decays := ch.scalars(beta), m.exponentials(ch.scalars(g))
		inverse := make([]vector, p.BT)
		for i, row := range ch.rows(x, p.BT) {
			inverse[i] = exactVector(row[:i+1])
		}
		keys, values := ch.keys(k), ch.rows(v, p.V)
		ch.solve(m, inverse, p.K, w, func(t, d int) approx {
			return m.gatedKey(keys[t][d], gates[t], decays[t])
		})
		ch.solve(m, inverse, p.V, u, func(t, d int) approx {
			return m.mul(exactly(values[t][d]), exactly(gates[t]))
		})
	})
	return w, u
}

// exponentials are e^G by token.
func (m *arithmetic) exponentials(sums []float64) []approx {
	out := make([]approx, len(sums))
	for t, g := range sums {
		out[t] = m.exp(exactly(g))
	}
	return out
}

// gatedKey is k·β·e^G in any order.
func (m *arithmetic) gatedKey(k, beta float64, decay approx) approx {
	x, y := exactly(k), exactly(beta)
	return widest(m.mul(m.mul(x, y), decay), m.mul(x, m.mul(y, decay)), m.mul(m.mul(x, decay), y))
}

// solve sets a [B, T, H, n] to r(X·r(operand)), given the rows of X up to the
// diagonal.
func (c chunk) solve(m *arithmetic, inverse []vector, n int, a Answer, operand func(t, d int) approx) {
	column, products := make([]approx, c.BT), innerPanel{loops: m.loops}
	var rights [loops.Panel]vector
	for first := 0; first < n; first += loops.Panel {
		some := rights[:min(loops.Panel, n-first)]
		for l := range some {
			for t := range column {
				column[t] = c.rounded(m, operand(t, first+l))
			}
			some[l] = roundedVector(column)
		}
		products.right(c.BT, numbersOf(some)...)
		products.left(len(inverse), func(i int) []float64 { return inverse[i].v })
		for l, right := range some {
			last := lastNonFinite(right.v)
			for i, left := range inverse {
				right, at := right.prefix(i+1), c.at(i, n)+first+l
				sum := products.at(i, l, left, right)
				y := m.innerOf("solution", left, right, sum)
				a.Scale[at] = sum.magnitude
				if i < last && finite(y.v) {
					y.e = math.Inf(1)
				}
				c.stored(m, a, at, y)
			}
		}
	}
}

// ChunkOutput is stage 6, the outputs of a chunk from its start state and its
// new values:
//
//	o_i = r(scale·(e^{G_i}·q_i·hᵀ + Σ_{j≤i} r(e^{G_i − G_j}·q_i·k_j)·v_j))
//
// with the values v after the update, and h = r(state) at the chunk's start.
//
// Special cases: above the diagonal the exponential may overflow; the mask
// selects.
func ChunkOutput(q, k, v, h, g []float64, scale float64, p Chunks, c Contract) Answer {
	m := c.arithmetic().coarser()
	a := newAnswer(p.B*p.T*p.H*p.V, storedLabels()...).ofSums()
	p.each(func(ch chunk) {
		sums := ch.scalars(g)
		queries, keys := vectors(ch.keys(q)), vectors(ch.keys(k))
		scores, decays := ch.scores(m, queries, keys, sums), m.exponentials(sums)
		state, values := vectors(ch.state(h)), columns(ch.rows(v, p.V))
		carries, joins := innerPanel{loops: m.loops}, innerPanel{loops: m.loops}
		for first := 0; first < p.V; first += loops.Panel {
			end := min(first+loops.Panel, p.V)
			carries.right(p.K, ch.state(h)[first:end]...)
			carries.left(p.BT, func(i int) []float64 { return queries[i].v })
			joins.right(p.BT, values[first:end]...)
			joins.left(p.BT, func(i int) []float64 { return scores[i].v })
			for d := first; d < end; d++ {
				right := exactVector(values[d])
				last := lastNonFinite(values[d])
				for i := range p.BT {
					right, sum := right.prefix(i+1), carries.at(i, d-first, queries[i], state[d])
					carried := m.mul(decays[i], m.innerOf("state", queries[i], state[d], sum))
					sum = joins.at(i, d-first, scores[i], right)
					a.Scale[ch.at(i, p.V)+d] = math.Abs(scale) * (math.Abs(carried.v) + sum.magnitude)
					y := m.scaledSum(scale, carried, m.joined(carried, scores[i], right, sum))
					if i < last && finite(y.v) {
						y.e = math.Inf(1)
					}
					ch.stored(m, a, ch.at(i, p.V)+d, y)
				}
			}
		}
	})
	return a
}

// scores are r(e^{G_i − G_j}·q_i·k_j), row i up to the diagonal.
func (c chunk) scores(m *arithmetic, queries, keys []vector, sums []float64) []vector {
	out := make([]vector, c.BT)
	row, products := make([]approx, c.BT), m.innerPanels(numbersOf(keys))
	for i := range out {
		products.left(queries[i].v, i+1)
		for j := range i + 1 {
			y := m.innerOf("scores", queries[i], keys[j], products.at(j, queries[i], keys[j]))
			row[j] = c.rounded(m, m.mul(m.decayFrom(sums[j], sums[i]), y))
		}
		out[i] = roundedVector(row[:i+1])
	}
	return out
}

// scaledSum is scale·sum, for a sum of first and a rest. Multiplied out ([Products]), the
// two are scaled by themselves, and scale·first and scale·rest rounded; powers of two round
// nothing.
func (m *arithmetic) scaledSum(scale float64, first, sum approx) approx {
	y := m.mul(exactly(scale), sum)
	rest := sum.v - first.v
	if !m.may(Products) || lowestBit(scale) == math.Abs(scale) || first == exactly(0) || rest == 0 || !finite(y.v) {
		return y
	}
	apart := float64(m.u * math.Abs(scale) * (math.Abs(first.v) + math.Abs(rest)))
	y.e += apart
	y.systematic += apart
	return y
}

// joined is first + Σ aᵢ·bᵢ, added in any order, given the products.
func (m *arithmetic) joined(first approx, a, b vector, p productSums) approx {
	y := m.joinedProducts(first, a, b, p)
	if m.tracer != nil {
		y = m.tracer.formed(inAnyOrder("output"), y, first.e+m.inherited(a, b), func() []float64 {
			return append([]float64{first.v}, termwise(a.v, b.v)...)
		})
	}
	return y
}

// joinedProducts is [arithmetic.joined] untraced.
func (m *arithmetic) joinedProducts(first approx, a, b vector, p productSums) approx {
	y := m.innerProduct(a, b, p)
	if !finite(y.v) || !finite(first.v) {
		return m.add(first, y)
	}
	if y.e == 0 && first.e == 0 {
		if s := m.add(first, y); s.e == 0 && m.exactSum(min(a.grid*b.grid, lowestBit(first.v)),
			math.Abs(first.v)+float64(float64(len(a.v))*a.largest*b.largest)) {
			return s
		}
	}
	magnitude := p.magnitude + math.Abs(first.v) + first.e + y.e
	squares := p.squares + float64(first.v*first.v)
	again := m.added(first.v+y.v, 0, magnitude, squares, p.n+1, 0)
	return approx{first.v + y.v, first.e + y.e + again.e, first.plus(y.moments).plus(again.moments)}
}

// lastNonFinite is the index of the last element that is not finite, or −1.
func lastNonFinite(x []float64) int {
	for i := len(x) - 1; i >= 0; i-- {
		if !finite(x[i]) {
			return i
		}
	}
	return -1
}
