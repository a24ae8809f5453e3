package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// stepped judges a kernel that goes token by token.
func (d *deltaHead) stepped(c Contract, output, state Answer) {
	b := d.stepBudget(c)
	panels := b.panels()
	var products deltaProducts
	adjoint := d.adjoint(16, false)
	for first := 0; first < d.T; first += adjoint.size {
		block := adjoint.open(first)
		products.split(b, block)
		for i := range panels {
			panels[i].through(&products, block, adjoint, output, state)
		}
		adjoint.close(output)
		if adjoint.due() {
			for i, s := range adjoint.state(nil) {
				panels[i/loops.Panel].carry(i%loops.Panel, s)
			}
		}
	}
	for _, p := range panels {
		p.end(state)
	}
	adjoint.state(&state)
}

// stepBudget is what all rows of a head share on their way through its tokens. Of each row ‖ŝ − s‖₂ is
// carried, eight rows at a time: see [deltaPanel].
type stepBudget struct {
	*deltaHead
	*arithmetic
	read, out *dotter
	tokens    []loops.StepToken
}

func (d *deltaHead) stepBudget(c Contract) *stepBudget {
	m := c.arithmetic().coarser()
	b := &stepBudget{deltaHead: d, arithmetic: m, read: m.dotter(c.order("read")), out: m.dotter(c.order("output"))}
	b.tokens = make([]loops.StepToken, d.T)
	for t := range b.tokens {
		b.tokens[t] = b.token(t)
	}
	return b
}

// token is what all rows share at token t.
func (b *stepBudget) token(t int) loops.StepToken {
	a, kappa, beta, n := b.alpha[t], b.norms[t], math.Abs(b.beta[t]), float64(b.Dk)
	most, growth := math.Abs(a.v)+a.e, b.growth(t)
	across := b.out.evaluate(b.k[t], b.q[t], b.out.factors(b.k[t], b.q[t]))
	return loops.StepToken{
		Decay: math.Abs(a.v), Most: most, MostSquare: most * most,
		DecayError: a.e, DecayVariance: a.variance, DecayOfAll: math.Sqrt(n) * a.variance, DecayBias: a.systematic,
		Tiny: math.Sqrt(n) * b.eta, Base: 1 + most, Largest: b.largest, U: b.u, Scatter: b.scatter,
		Underflow: b.eta * n, UnderflowBase: 4 + kappa, Key: kappa, KeySquare: kappa * kappa,
		Beta: beta, BetaSquare: beta * beta, BetaRounding: b.u * beta, KeyRounding: b.u * kappa,
		RowGamma: b.gamma(b.Dk), Growth: growth, GrowthSquare: growth * growth,
		BetaMost: max(1, beta), KeyMost: max(1, b.keyPeaks[t]), KeyFourth: b.keyFourths[t], Slack: slack,
		Query: b.queryNorms[t], QuerySquare: b.queryNorms[t] * b.queryNorms[t],
		Across: across.v, AcrossError: across.e, AcrossVariance: across.variance, AcrossSystematic: across.systematic,
		Underflows: 4 * b.eta, Narrow: b.narrow(), Regrouped: b.may(Products),
	}
}

// decayed takes the rounding of α·s, given the norms of the powers of two below its
// elements. With the error e_α of α, |α̂| ≤ α + e_α, and s as it was before:
//
//	ε₁ = α·ε + (e_α + u(α+e_α))·(‖s‖ + ε) + √Dk·θ
//	Λ₁ = α²·Λ + σ_α²·‖s‖² + u²/3·max (α·s_j)²
//
// The last is the norm of a diagonal matrix: each element is rounded on its own.
func (p *deltaPanel) decayed(t int, own *loops.Local) {
	r, before := &p.rows, p.errors()
	p.open |= p.loops.Decayed(r, own, &p.norms, &p.tokens[t])
	same := p.open
	switch p.alpha[t] {
	case exactly(1):
		same = allRows
	case exactly(0):
		r.Error, r.Variance, r.Systematic = [loops.Panel]float64{}, [loops.Panel]float64{}, [loops.Panel]float64{}
		*own = loops.Local{}
	}
	if same != 0 {
		p.restore(before, same, own)
	}
}

// updated takes the rest of the token, whose products with the rows are y, given how large those are
// after it. Local to the token are, with κ = ‖k‖:
//
//	ρ   = error of the sum on the exact row + (n+1)u(1+u)^{n+1}·κε₁     n additions
//	e_u = ρ + u(|u| + ρ + κε₁)                                        u = v − r
//	e_b = |β|e_u + u|β|(|u| + e_u + κε₁)                              β·u
//	X   = G·ε₁ + κ·e_b + uκ(|βu| + e_b + |β|κε₁)                      and b·k
//	ε'  = X + u(‖s'‖ + X)                                             s + b·k
//
// The term in κε₁ of ρ is what rounding adds because the sum runs over ŝ and
// not s: each of its n partial sums differs by at most κε₁ (Cauchy-Schwarz).
// With σ_r² the variance of the sum, what scatters is an error of β·u along k, and
// the roundings of b·k and of s', each element on its own:
//
//	Λ' = G²·Λ₁ + κ²·(β²(σ_r² + u²/3·(v−r)²) + 2·u²/3·(βu)²) + u²/3·max s'_j²
//
// In a narrow format v, β and k are rounded to it first. Rows that are exact integers, and stay so, have no
// error.
func (p *deltaPanel) updated(t int, y *loops.Sums, own *loops.Local) {
	r := &p.rows
	var before rowErrors
	if p.stayExact(t); p.exact != 0 {
		before = p.errors()
	}
	p.loops.Updated(r, own, y, &p.sizes, &p.tokens[t])
	for i := range bitsOf(p.exact) {
		r.Near[i] = 0
	}
	p.loops.Binades(&p.norms, p.v, &r.Near)
	beyond := p.loops.Rounded(r, own, &p.norms, &p.tokens[t]) &^ p.exact
	if p.exact != 0 {
		p.restore(before, p.exact, own)
	}
	for i := range bitsOf(beyond) {
		if finite(r.Length[i]) {
			p.open |= 1 << i
		}
	}
}

// stayExact leaves of the rows that were exact integers those that are after the token, too, given how large the
// elements are then: all that its sums and products come to are integers that the format has.
func (p *deltaPanel) stayExact(t int) {
	for i := range bitsOf(p.exact) {
		v, after := p.rows.Value[i], p.sizes.Peak[i]
		if total := p.sizes.Totals[0][i] + p.sizes.Totals[1][i]; math.IsNaN(total) {
			after = total
		}
		read := math.Abs(v) + p.read.rows.of.Magnitude[i]
		most := max(read, float64(math.Abs(p.beta[t])*read*max(1, p.keyPeaks[t]))+after+p.rows.Length[i])
		if !p.integral[t] || !isInteger(v) || p.rows.Error[i] != 0 || !(most <= 1/p.u) {
			p.exact &^= 1 << i
		}
	}
}

// give passes on what the outputs o = S·q of a token inherit, given their own sums y, and what those add.
//
// Multiplied out ([Products]) an output is α·(S·q) + β·u·(k·q), with another mixture of infinities
// and NaN. Its partial sums of S·q are those of the new row less β·u times those of k·q,
// two products follow each sum, or one, and an addition both. With e the error of a sum and
// σ² its variance:
//
//	E  = e_o + 2|βu|·e_kq + u(3|o| + 4|βu·(k·q)|)
//	σ² ≤ (σ_o + |βu|·σ_kq)² + (βu)²·σ_kq² + u²/3·(5o² + 6(βu·(k·q))²)
func (p *deltaPanel) give(passed *loops.Passed, t int, y *loops.Sums) {
	others := p.loops.Give(passed, &p.rows, y, &p.tokens[t]) | p.open | p.exact
	for i := range bitsOf(others & (1<<p.n - 1)) {
		p.giveOther(passed, t, i, y)
	}
}

// giveOther does so for a row that is not finite, or exact, or of which nothing is promised.
func (p *deltaPanel) giveOther(passed *loops.Passed, t, i int, y *loops.Sums) {
	inherited, own := passed.Inherited[i], passed.Own[i]
	switch {
	case p.open>>i&1 == 1:
		inherited, own = math.Inf(1), y.Error[i]
	case !finite(y.Value[i]):
		inherited, own = math.NaN(), 0
	case p.exact>>i&1 == 1 && p.exactOutput(t, i):
		inherited, own = 0, 0
	default:
		passed.Inherited[i], passed.Own[i] = openUnlessFinite(0, inherited), openUnlessFinite(0, own)
		return
	}
	passed.Inherited[i], passed.Own[i], passed.OwnVariance[i], passed.OwnSystematic[i] = inherited, own, 0, 0
}

// exactOutput reports whether the output of an exact row is exact, too, in whichever form.
func (p *deltaPanel) exactOutput(t, i int) bool {
	gain := math.Abs(p.rows.By[i])
	return p.out.rows.of.Magnitude[i]+float64(2*gain*absoluteDot(p.k[t], p.q[t])) <= 1/p.u
}
