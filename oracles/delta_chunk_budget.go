package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// chunkBudget is the budget of the chunkwise form of the gated delta rule. In a
// chunk of C tokens with the start state S₀, cumulative log-decay
// L_l = Σ_{j≤l} ln max(α_j, 1e−30) and Γ_{l,i} = exp(L_l − L_i), it computes
//
//	A_{l,i} = β_l·Γ_{l,i}·(k_i·k_l) for i < l,   B_l = β_l·v_l − β_l·e^{L_l}·S₀k_l
//	(I + A)·U = B
//	o_l = e^{L_l}·S₀q_l + Σ_{i≤l} Γ_{l,i}(k_i·q_l)·U_i
//	S_C = e^{L_{C−1}}·S₀ + Σ_i Γ_{C−1,i}·U_i·k_iᵀ
//
// In exact arithmetic with these decays that is the recurrence, so the error ε
// of a row of S₀ is carried by the recurrence's own norms. Local to the chunk
// are, for each row:
//
//   - every coefficient (Γ, A, P = Γ(k·q), e^L) with its running error; that of
//     Γ grows with the length of the sums L: it is where strong decays cost;
//   - the solution: substitution gives (I + A)(Û − U) = r with a residual
//     |r_l| ≤ e_B + Σ_{i<l} e_A·|Û_i| + (l+2)u(1+u)^{l+2}·(|B_l| + Σ|A_{l,i}·Û_i|)
//     for any order of its sum, hence |Û − U| ≤ |(I + A)⁻¹|·r, with the exact
//     inverse. A residual r_j is an error of β·u of token j in the recurrence, and reaches
//     o_l by the factor λ_j·k_j of the adjoint of q_l: see [deltaAdjoint];
//   - the sums over the chunk in any order.
//
// Where one of these sums, or a product of some of its factors, may be beyond the
// largest number, nothing is promised of the row in this chunk and from there on.
//
// That |Û_i| is bounded by |U_i| and its error is what makes the recursion
// rigorous; U_i itself is β·u of the recurrence. The products with S₀, the
// k_i·k_l and the k_i·q_l are the contract's sum "matrix".
//
// Non-finite elements: a product of matrices multiplies what it masks by zero,
// so NaN reaches all tokens of its chunk; the budget leaves those before it
// open. Later ones have to be non-finite; which of NaN and ±Inf is open. A decay
// of NaN or −∞ is lost in max(α, 1e−30), so from there on nothing is promised.
//
// The statistical side follows the same derivation, to first order in u:
//
//   - what is carried goes by the recurrence's norms, the largest variance of the
//     row's error by their squares, as in [stepBudget], or by the adjoint;
//   - many coefficients share the error of a decay, so that its scatter does not average
//     out: it counts as systematic, all deviations of it;
//   - the roundings of the products k_i·k_l and k_i·q_l, and those of a sum, are its own:
//     residuals of different tokens are independent, and so are their effects on an
//     element, by the squares of what they reach.
type chunkBudget struct {
	*deltaHead
	*arithmetic
	matrix    *dotter
	adjoint   *deltaAdjoint
	block     *deltaBlock
	eps       []float64 // ‖ŝ − s‖₂ by row
	moments   []moments // of it: the largest variance in any direction, and a norm
	swallowed bool      // a decay was NaN or −∞

	first, n      int         // the chunk's tokens are first … first+n−1
	keys, queries vectorParts // of them
	coefficients
}

// LeastDecay replaces a smaller decay before the chunkwise kernel takes its
// logarithm.
const LeastDecay = 1e-30

// coefficients are what a chunk computes once for all rows.
type coefficients struct {
	lead    []approx   // e^{L_l}
	tail    []approx   // Γ_{n−1,i}
	a, p    [][]approx // A_{l,i} for i < l and P_{l,i} for i ≤ l
	inverse [][]float64
	reach   [][]float64 // |∂o_l/∂r_j| for j ≤ l
	columns []float64   // ‖∂s/∂r_j‖₂ of the state after the chunk

	solved, given [][]loops.Coefficient // what U_l and o_l have of each token

	gains []float64 // what carries an error to the end of token l
}

// chunked judges a kernel that works by chunks.
func (d *deltaHead) chunked(c Contract, output, state Answer) {
	b := &chunkBudget{deltaHead: d, arithmetic: c.arithmetic().coarser(), eps: make([]float64, d.Dv),
		moments: make([]moments, d.Dv)}
	b.matrix, b.adjoint = b.dotter(c.order("matrix")), d.adjoint(c.Chunk, true)
	panels := b.panels()
	for b.first = 0; b.first < d.T; b.first += c.Chunk {
		b.n = min(c.Chunk, d.T-b.first)
		b.prepare(c.order("decay"))
		b.block = b.adjoint.open(b.first)
		for _, p := range panels {
			p.advance(output, state)
		}
		b.adjoint.close(output)
		b.swallow(output)
		if b.adjoint.due() {
			for i, x := range b.adjoint.state(nil) {
				if x.bound < b.eps[i] {
					b.eps[i] = x.bound
				}
				b.moments[i] = x.sharper(b.moments[i])
			}
		}
	}
	for _, p := range panels {
		p.end(state)
	}
	b.adjoint.state(&state)
}

// swallow leaves everything open from the first chunk with a decay of NaN or −∞ on:
// the maximum with LeastDecay hides it.
func (b *chunkBudget) swallow(output Answer) {
	for l := range b.n {
		alpha := b.alpha[b.first+l].v
		b.swallowed = b.swallowed || math.IsNaN(alpha) || math.IsInf(alpha, -1)
	}
	if !b.swallowed {
		return
	}
	for l := range b.n {
		for i := range b.Dv {
			at := b.tokenIndex(b.first+l, i)
			output.set(at, output.Want[at], math.Inf(1), 0)
		}
	}
}

// openUnlessFinite is the bound e of an element of value x, NaN if that is not
// finite.
func openUnlessFinite(x, e float64) float64 {
	switch {
	case !finite(x):
		return math.NaN()
	case math.IsNaN(e):
		return math.Inf(1)
	}
	return e
}

// prepare computes the chunk's coefficients with their errors.
func (b *chunkBudget) prepare(decay order) {
	gamma := b.decays(decay)
	b.coefficients = coefficients{}
	for l := range b.n {
		t := b.first + l
		b.lead = append(b.lead, gamma(l, -1))
		b.tail = append(b.tail, gamma(b.n-1, l))
		var a, p []approx
		for i := range l + 1 {
			g := gamma(l, i)
			g.moments = moments{systematic: g.likely()} // shared by many
			if i < l {
				a = append(a, b.mul(b.mul(exactly(b.beta[t]), g), b.matrix.dot(b.k[b.first+i], b.k[t])))
			}
			p = append(p, b.mul(g, b.matrix.dot(b.k[b.first+i], b.q[t])))
		}
		b.a, b.p = append(b.a, a), append(b.p, p)
	}
	_, b.gains = b.carry(1, nil, nil)
	b.inverse = unitLowerInverse(b.a)
	b.reaches()
	for l := range b.n {
		b.solved = append(b.solved, coefficientsOf(b.a[l], b.inverse[l]))
		b.given = append(b.given, coefficientsOf(b.p[l], b.reach[l]))
	}
	b.keys.split(b.k[b.first:b.first+b.n], b.matrix)
	b.queries.split(b.q[b.first:b.first+b.n], b.matrix)
}

// coefficientsOf are those of a row of a matrix, given how far the residuals reach.
func coefficientsOf(row []approx, reach []float64) []loops.Coefficient {
	list := make([]loops.Coefficient, len(row))
	for i, x := range row {
		far := math.Abs(reach[i])
		list[i] = loops.Coefficient{
			V: x.v, Error: x.e, Most: math.Abs(x.v) + x.e, Systematic: x.systematic, Variance: x.variance,
			Reach: far, ReachSquare: far * far,
		}
	}
	return list
}

// reaches finds how far the residuals reach.
func (b *chunkBudget) reaches() {
	for l := range b.n {
		b.reach = append(b.reach, make([]float64, l+1))
	}
	all := func(int) bool { return true }
	for l := 0; l < b.n; l += loops.Panel {
		b.adjoint.pass.queries(b.first+l, min(loops.Panel, b.n-l), b.first, all, func(t, i int, w *weights) {
			b.reach[l+i][t-b.first] = w.solved.error
		})
	}
	column := make([]float64, b.Dk)
	for j := range b.n {
		clear(column)
		for l := j; l < b.n; l++ {
			f := b.tail[l].v * b.inverse[l][j]
			for d, k := range b.k[b.first+l] {
				column[d] += float64(f * k)
			}
		}
		b.columns = append(b.columns, norm(column))
	}
}

// decays returns Γ_{l,i} with its error; i = −1 stands for the chunk's start.
// The exact value is the product of the decays themselves: a decay below
// LeastDecay is an error of its replacement, charged here. With a sequential
// cumulative sum the rounding of L_i is common to L_l and L_i, so only what
// comes after token i counts.
func (b *chunkBudget) decays(o order) func(l, i int) approx {
	sequential := o.Schedule == Sequential()
	logs, sums := make([]approx, b.n), make([]approx, b.n)
	acc := exactly(0)
	for l := range b.n {
		logs[l] = b.log(b.atLeast(b.alpha[b.first+l], LeastDecay))
		if sequential {
			acc = b.add(acc, logs[l])
			sums[l] = b.formed(o, acc, logs[:l+1])
		} else {
			sums[l] = b.sum(order{o.name, AnyOrder()}, logs[:l+1])
		}
	}
	return func(l, i int) approx {
		if i == l {
			return exactly(1)
		}
		to, from := sums[l], exactly(0)
		if i >= 0 {
			from = sums[i]
			if sequential {
				common := from.moments
				to.e, from.e, from.moments = max(to.e-from.e, 0), 0, moments{}
				to.variance = max(to.variance-common.variance, 0)
				to.systematic = max(to.systematic-common.systematic, 0)
			}
		}
		g := b.exp(b.sub(to, from))
		exact := 1.0
		for j := i + 1; j <= l; j++ {
			exact *= b.alpha[b.first+j].v
		}
		g.systematic += math.Abs(g.v - exact)
		return approx{exact, g.e + math.Abs(g.v-exact), g.moments}
	}
}

// atLeast is max(a, c), which moves by no more than a does.
func (m *arithmetic) atLeast(a approx, c float64) approx {
	if a.v+a.e <= c {
		return exactly(c)
	}
	a.v = max(a.v, c)
	return a
}

// unitLowerInverse is (I + A)⁻¹ for the strictly lower triangular A.
func unitLowerInverse(a [][]approx) [][]float64 {
	x := make([][]float64, len(a))
	for l := range x {
		x[l] = make([]float64, len(a))
		x[l][l] = 1
		for j := range l {
			for i := j; i < l; i++ {
				x[l][j] -= float64(a[l][i].v * x[i][j])
			}
		}
	}
	return x
}

// carry takes ε₀ through the chunk's exact recurrence: before[l] is ε once
// token l has decayed the row, after[l] once it has updated it. Both begin where they are.
func (b *chunkBudget) carry(eps float64, before, after []float64) ([]float64, []float64) {
	for l := range b.n {
		eps *= math.Abs(b.alpha[b.first+l].v)
		before = append(before, eps)
		eps *= b.growth(b.first + l)
		after = append(after, eps)
	}
	return before, after
}

// unlessBeyond is e, or +Inf where an intermediate of one of the sizes may overflow.
func (b *chunkBudget) unlessBeyond(e float64, sizes ...float64) float64 {
	for _, x := range sizes {
		if !(x <= b.largest) {
			return math.Inf(1)
		}
	}
	return e
}

// underflow bounds the absolute error of subnormal intermediates of a sum of n
// terms whose factors and magnitude are at most of this order.
func (b *chunkBudget) underflow(n int, magnitude float64) float64 {
	return float64(float64(8*(n+2)) * b.eta * (1 + magnitude))
}
