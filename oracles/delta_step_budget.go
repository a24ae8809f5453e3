package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// stepped judges a kernel that goes token by token.
func (d *deltaHead) stepped(c Contract, output, state Answer) {
	m := c.arithmetic().coarser()
	shared := stepBudget{deltaHead: d, arithmetic: m, read: m.dotter(c.order("read")), out: m.dotter(c.order("output")), rowGamma: m.gamma(d.Dk)}
	for t := range d.T {
		shared.across = append(shared.across, shared.out.evaluate(d.k[t], d.q[t], shared.out.factors(d.k[t], d.q[t])))
	}
	panels := shared.panels()
	var products deltaProducts
	adjoint := d.adjoint(16, false)
	for first := 0; first < d.T; first += adjoint.size {
		block := adjoint.open(first)
		products.split(&shared, block)
		for i := range panels {
			panels[i].through(&products, block, adjoint, output, state)
		}
		adjoint.close(output)
		if adjoint.due() {
			for i, s := range adjoint.state(nil) {
				panels[i/loops.Panel].budgets[i%loops.Panel].carry(s)
			}
		}
	}
	for _, p := range panels {
		for i := range p.budgets {
			p.budgets[i].end(p.row(i), p.first+i, state)
		}
	}
	adjoint.state(&state)
}

// end sets row i, s, of the last state.
func (b *stepBudget) end(s []float64, i int, state Answer) {
	for j, x := range s {
		e := openUnlessFinite(x, b.eps)
		if b.open {
			e = math.Inf(1)
		}
		state.set(b.stateIndex(i)+j, x, e)
		state.setMoments(b.stateIndex(i)+j, b.row)
	}
}

// carry takes a sharper bound on ‖ŝ − s‖₂.
func (b *stepBudget) carry(d origin) {
	if d.bound < b.eps {
		b.eps = d.bound
	}
	b.row = d.sharper(b.row)
}

// stepBudget carries ‖ŝ − s‖₂ of one row through the tokens.
type stepBudget struct {
	*deltaHead
	*arithmetic
	read, out *dotter
	exact     bool    // everything so far was exact integers
	open      bool    // an intermediate of finite numbers may have overflowed
	eps       float64 // ‖ŝ − s‖₂
	row       moments // of ŝ − s: variance Λ, and the norm of what is systematic
	rowSize
	shrunk float64  // ‖α·s‖₂
	gain   float64  // |β·u|
	dot    approx   // S·k of the current token, on the exact decayed row
	across []approx // k·q by token
	bound  float64  // Σ|s_j·k_j| of it
	near   float64  // error of s + b·k before it is rounded
	reads  float64  // bound on the partial sums of S·k
	most   float64  // bound on products of some of β, û and k
	own    local    // what the token adds to ŝ − s

	rowGamma float64 // (n+1)·u·(1+u)^{n+1} of a row
}

// rowSize is how large a row is: ‖s‖₂, max |s_j| and Σ|s_j|.
type rowSize struct{ length, peak, total float64 }

func (b *stepBudget) start(s []float64) {
	b.eps, b.exact, b.open, b.row = 0, isInteger(s...), false, moments{}
	b.length, b.peak, b.total = sizes(s)
	if b.narrow() && !b.exact {
		b.eps = float64(b.u * b.length)
		b.row.systematic = b.eps
	}
}

// decayed takes the rounding of α·s, given the norms of the powers of two below its
// elements. With the error e_α of α, |α̂| ≤ α + e_α, and s as it was before:
//
//	ε₁ = α·ε + (e_α + u(α+e_α))·(‖s‖ + ε) + √Dk·θ
//	Λ₁ = α²·Λ + σ_α²·‖s‖² + u²/3·max (α·s_j)²
//
// The last is the norm of a diagonal matrix: each element is rounded on its own.
func (b *stepBudget) decayed(t int, length, fourth float64) {
	a := b.alpha[t]
	largest, n := math.Abs(a.v)+a.e, float64(b.Dk)
	b.shrunk = float64(largest * b.length)
	b.own = local{}
	switch {
	case b.open:
	case float64(largest*(b.peak+b.eps)) > b.largest:
		b.open = true
	case a == exactly(0):
		b.eps, b.row = 0, moments{}
	case a != exactly(1):
		underflow := float64(math.Sqrt(n) * b.eta * (1 + largest + b.length + b.eps))
		b.own.spread = origin{float64(a.e*(b.length+b.eps)) + float64(b.u*length) + underflow, moments{
			float64(b.scatter*fourth) + float64(math.Sqrt(n)*a.variance*b.length*b.length),
			float64(a.systematic*b.length) + underflow,
		}}
		b.eps = float64(math.Abs(a.v)*b.eps) + b.own.spread.bound
		b.row.variance = float64(largest*largest*(b.row.variance+float64(b.scatter*b.peak*b.peak))) + float64(a.variance*b.length*b.length)
		b.row.systematic = float64(largest*b.row.systematic) + b.own.spread.systematic
	}
}

// off is by how much the kernel's α·s_j may be larger than it is.
func (b *stepBudget) off(t int) float64 {
	a := b.alpha[t]
	return float64(a.e*b.peak) + float64((math.Abs(a.v)+a.e)*b.eps)
}

// updated takes the rest of the token, given β·u and how large the row is after it, until that is
// rounded: see [stepBudget.rounded]. Local to the token are, with κ = ‖k‖:
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
func (b *stepBudget) updated(t, i int, bu float64, now rowSize) {
	kappa, beta, v := b.norms[t], math.Abs(b.beta[t]), b.V[b.tokenIndex(t, i)]
	b.gain = math.Abs(bu)
	before := b.length
	b.rowSize = now
	if b.exact = b.exact && b.integral[t] && isInteger(v) && b.eps == 0 && b.largestInteger(t, v, before) <= 1/b.u; b.exact {
		b.near = 0
		return
	}
	carried := float64(kappa * b.eps)
	diff := math.Abs(v - b.dot.v)
	eta := float64(b.eta * float64(b.Dk) * (4 + kappa + b.length + beta + math.Abs(bu)))
	rho := b.dot.e + float64(b.rowGamma*carried) + eta
	eu := rho + float64(b.u*(diff+rho+carried)) + eta
	if b.narrow() { // v, β and k in the format
		eu += float64(b.u * (math.Abs(v) + diff + math.Abs(bu)))
	}
	eb := float64(beta*eu) + float64(b.u*beta*(diff+eu+carried)) + eta
	growth := b.growth(t)
	each := float64(b.u * kappa * (math.Abs(bu) + eb + float64(beta*carried)))
	if b.narrow() { // k in the format
		each *= 2
	}
	b.near = float64(growth*b.eps) + float64(kappa*eb) + each + eta
	// Products of some of β, û and k, and sums.
	b.most = max(1, diff+eu+carried) * max(1, beta) * max(1, b.keyPeaks[t])
	b.reads = float64(kappa*b.shrunk) + carried
	along := moments{
		float64(beta*beta*(b.dot.variance+float64(b.scatter*diff*diff))) + float64(b.scatter*bu*bu),
		float64(beta*(b.dot.systematic+float64(2*eta))) + eta,
	}
	b.row.variance = float64(growth*growth*b.row.variance) + float64(kappa*kappa*(along.variance+float64(b.scatter*bu*bu))) + float64(b.scatter*b.peak*b.peak)
	b.row.systematic = float64(growth*b.row.systematic) + float64(kappa*along.systematic) + eta
	b.own.solved = origin{eb, along}
	b.own.spread = origin{float64(growth*b.own.spread.bound) + each + eta, moments{
		b.own.spread.variance, float64(growth*b.own.spread.systematic) + eta,
	}}
}

// rounded takes the last rounding of a token, of s + b·k, given the norms of the powers of two
// below its elements.
func (b *stepBudget) rounded(t int, bu, length, fourth float64) {
	if b.exact {
		return
	}
	last := float64(b.u * length)
	b.eps = float64((b.near + last) * slack)
	sums := max(b.reads, b.peak+b.eps)
	b.open = b.open || finite(b.length) && !(sums <= b.largest && b.most <= b.largest)
	b.own.spread.bound += last
	b.own.spread.variance += float64(b.scatter * (fourth + float64(bu*bu*b.keyFourths[t]*b.keyFourths[t])))
}

// largestInteger bounds what the token's sums and products come to, given v and the norm of
// the row before it.
func (b *stepBudget) largestInteger(t int, v, before float64) float64 {
	read := math.Abs(v) + b.bound
	return max(read, float64(math.Abs(b.beta[t])*read*max(1, b.keyPeaks[t]))+b.peak+before)
}

// output is the budget of o = S·q, given its own sum y: what it inherits and its own sum, and how the error of
// that comes about.
//
// Multiplied out ([Products]) it is α·(S·q) + β·u·(k·q), with another mixture of infinities
// and NaN. Its partial sums of S·q are those of the new row less β·u times those of k·q,
// two products follow each sum, or one, and an addition both. With e the error of a sum and
// σ² its variance:
//
//	E  = e_o + 2|βu|·e_kq + u(3|o| + 4|βu·(k·q)|)
//	σ² ≤ (σ_o + |βu|·σ_kq)² + (βu)²·σ_kq² + u²/3·(5o² + 6(βu·(k·q))²)
func (b *stepBudget) output(t int, y approx) (inherited, own float64, made moments) {
	o := y.v
	switch {
	case !b.open && !finite(o):
		return openUnlessFinite(o, 0), 0, moments{}
	case !b.open && b.exact && b.out.extent.magnitude+float64(2*b.gain*absoluteDot(b.k[t], b.q[t])) <= 1/b.u:
		return 0, 0, moments{}
	}
	sum, length := b.multipliedOut(y, b.across[t]), b.queryNorms[t]
	if b.open {
		return math.Inf(1), sum.e, moments{}
	}
	inherited = float64(length * b.eps)
	own = sum.e + float64(b.rowGamma*inherited)
	if !(float64(length*b.length)+inherited <= b.largest) {
		own = math.Inf(1)
	}
	return known(o, inherited), known(o, own), sum.moments
}

// multipliedOut is S·q, given k·q, if a kernel may multiply it out.
func (b *stepBudget) multipliedOut(o, across approx) approx {
	if !b.may(Products) || b.open {
		return o
	}
	apart := across.scaled(b.gain)
	part := math.Abs(b.gain * across.v)
	roundings := float64(3*math.Abs(o.v)) + float64(4*part)
	o.e += float64((float64(2*b.gain*across.e)+float64(b.u*roundings))*slack) + float64(4*b.eta)
	o.systematic += float64(2*apart.systematic) + float64(4*b.eta)
	squares := float64(5*o.v*o.v) + float64(6*part*part)
	o.variance = minkowski(o.variance, apart.variance) + apart.variance + float64(b.scatter*squares)
	return o
}
