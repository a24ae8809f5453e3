package oracles

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// DeltaNet is a problem of the gated delta rule: seqs sequences of t tokens.
type DeltaNet struct {
	Q, K []float64 // [Seqs, T, Hk, Dk]
	V    []float64 // [Seqs, T, Hv, Dv]

	// The decay of each token and value head, [Seqs, T, Hv]: either
	// Decay holds α itself, or Rate holds g with α = exp(−g).
	Decay, Rate []float64
	Beta        []float64 // β[Seqs, T, Hv]
	State       []float64 // S before the first token, [Seqs, Hv, Dv, Dk]

	Seqs, T, Hk, Hv, Dk, Dv int
	Mapping                 Mapping
}

// GatedDelta is the gated delta rule. For each sequence and value head, with
// the state S ∈ R^{Dv×Dk} and the key head that the mapping gives:
//
//	S ← α_t·S;   u = v_t − S·k_t;   S ← S + β_t·u·k_tᵀ;   o_t = S·q_t
//
// output is o[Seqs, T, Hv, Dv], state is S after the last token. A
// split of the tokens into several launches that carry the state changes
// neither.
//
// Special cases: α = 0 forgets the past, α = 1 keeps it. A non-finite element
// of v reaches its row of S and all later outputs of that row; one of q only
// its own token's outputs; one of k, α or β all rows. Which of NaN and ±Inf they become
// is open: S·q of the state before the update and β·u·(k·q) give the same output, but
// infinities meet elsewhere.
//
// The budget goes by norms: by elements it would explode. Let s be a row of
// S and ε a bound on ‖ŝ − s‖₂. One token turns ε into
//
//	ε' = G·ε₁ + local,   ε₁ = α·ε + rounding of α·s,   G = max(1, |1 − β‖k‖²|)
//
// because the exact step maps an error d of the decayed row to d·(I − β·k·kᵀ),
// a symmetric matrix with the eigenvalues 1 and 1 − β‖k‖². Local errors are
// derived next to the code; the sums are the contract's "read" (S·k) and
// "output" (S·q). Each element of the row inherits ε', and an output
// ‖q‖·ε' + the error of its own sum.
//
// The statistical bound goes the same way, for the second moments of the error
// d of a row. With Λ = ‖E[d·dᵀ]‖₂, its largest variance in any direction, an
// element has a variance of at most Λ, and an output one of ‖q‖²·Λ. The roundings
// of a token are independent of all before them, so that moments add:
//
//	Λ' = (G·α)²·Λ + what the token scatters,
//
// so that Λ grows at most with the number of tokens, and ε² with its square.
// The error of exp in α is systematic and goes by norms like ε.
//
// Where α·s, S·k, v − S·k, or a product of some of β, u and k may be beyond the
// largest number, nothing is promised of the row from there on: an infinity does
// not leave it, since 0·∞ is NaN.
//
// With a Chunk in the contract the kernel solves the same recurrence by chunks
// of that many tokens, with another budget: see [chunkBudget].
//
// Source: Yang, Kautz and Hatamizadeh, Gated Delta Networks, 2024, equation 10;
// the state is transposed there.
func GatedDelta(p DeltaNet, c Contract) (output, state Answer) {
	output = newAnswer(p.Seqs*p.T*p.Hv*p.Dv, "‖q‖·carried state", "S·q").ofSums()
	state = newAnswer(p.Seqs*p.Hv*p.Dv*p.Dk, "‖ŝ−s‖₂ of the row").ofSums()
	for seq := range p.Seqs {
		for h := range p.Hv {
			head := p.head(seq, h, c)
			if c.Chunk > 0 {
				head.chunked(c, output, state)
			} else {
				head.stepped(c, output, state)
			}
		}
	}
	return output, state
}

// deltaHead is the problem of one sequence and value head.
type deltaHead struct {
	*DeltaNet
	seq, h     int
	alpha      []approx
	beta       []float64
	q, k       [][]float64 // by token
	queryNorms []float64   // ‖q‖ by token
	norms      []float64   // ‖k‖ by token
	keyPeaks   []float64   // max |k_j| by token
	integral   []bool      // whether all of the token's numbers are integers
}

func (p *DeltaNet) head(seq, h int, c Contract) *deltaHead {
	d := &deltaHead{DeltaNet: p, seq: seq, h: h}
	m := c.arithmetic()
	for t := range p.T {
		token := seq*p.T + t
		first := (token*p.Hk + p.Mapping.Head(h, p.Hv, p.Hk)) * p.Dk
		q, k := p.Q[first:first+p.Dk], p.K[first:first+p.Dk]
		gate := token*p.Hv + h
		alpha := approx{}
		if p.Rate != nil {
			alpha = m.exp(exactly(-p.Rate[gate]))
		} else {
			alpha = exactly(p.Decay[gate])
		}
		d.q, d.k = append(d.q, q), append(d.k, k)
		d.alpha, d.beta = append(d.alpha, alpha), append(d.beta, p.Beta[gate])
		d.queryNorms, d.norms = append(d.queryNorms, norm(q)), append(d.norms, norm(k))
		d.keyPeaks = append(d.keyPeaks, floats.Norm(k, math.Inf(1)))
		d.integral = append(d.integral, (alpha == exactly(0) || alpha == exactly(1)) && isInteger(p.Beta[gate]) && isInteger(q...) && isInteger(k...))
	}
	return d
}

// row is row i of the start state.
func (d *deltaHead) row(i int) []float64 {
	first := d.stateIndex(i)
	return append([]float64(nil), d.State[first:first+d.Dk]...)
}

// stateIndex is the index of element [i, 0] of the head's state.
func (d *deltaHead) stateIndex(i int) int { return ((d.seq*d.Hv+d.h)*d.Dv + i) * d.Dk }

// tokenIndex is the index of element i of the head's v and output at token t.
func (d *deltaHead) tokenIndex(t, i int) int {
	return ((d.seq*d.T+t)*d.Hv+d.h)*d.Dv + i
}

// decay is the first half of token t for row s in exact arithmetic.
func (d *deltaHead) decay(s []float64, t int) {
	alpha := d.alpha[t].v
	for j := range s {
		s[j] *= alpha
	}
}

// update is the second half of token t for row s, which is row i, in exact
// arithmetic. It returns β·u and the decayed row's product with k.
func (d *deltaHead) update(s []float64, t, i int) (bu, read float64) {
	k := d.k[t][:len(s)]
	read = dot(s, k)
	bu = d.beta[t] * (d.V[d.tokenIndex(t, i)] - read)
	for j := range s {
		s[j] += float64(bu * k[j])
	}
	return bu, read
}

// weigh gives the elements of row i of the last state, s, their scale, |α·s_j| + |β·u·k_j|
// of the last token.
func (d *deltaHead) weigh(state Answer, s []float64, i int, bu float64) {
	for j, k := range d.k[d.T-1] {
		step := float64(bu * k)
		state.Scale[d.stateIndex(i)+j] = math.Abs(s[j]-step) + math.Abs(step)
	}
}

// growth is G = max(1, |1 − β‖k‖²|) of token t.
func (d *deltaHead) growth(t int) float64 {
	return max(1, math.Abs(1-float64(d.beta[t]*d.norms[t]*d.norms[t])))
}

// stepped judges a kernel that goes token by token.
func (d *deltaHead) stepped(c Contract, output, state Answer) {
	b := &stepBudget{deltaHead: d, arithmetic: c.arithmetic().coarser()}
	b.read, b.out = b.dotter(c.order("read")), b.dotter(c.order("output"))
	b.rowGamma = b.gamma(d.Dk)
	for t := range d.T {
		b.across = append(b.across, b.out.evaluate(d.k[t], d.q[t]))
	}
	for i := range d.Dv {
		s := d.row(i)
		b.start(s)
		for t := range d.T {
			d.decay(s, t)
			b.decayed(s, t)
			bu, read := d.update(s, t, i)
			b.updated(s, t, i, bu, read)
			o := dot(s, d.q[t])
			inherited, own, scattered := b.output(s, t, o)
			output.set(d.tokenIndex(t, i), o, inherited, own)
			output.setMoments(d.tokenIndex(t, i), scattered)
			output.Scale[d.tokenIndex(t, i)] = absoluteDot(s, d.q[t])
			if t == d.T-1 {
				d.weigh(state, s, i, bu)
			}
		}
		for j, x := range s {
			e := openUnlessFinite(x, b.eps)
			if b.open {
				e = math.Inf(1)
			}
			state.set(d.stateIndex(i)+j, x, e)
			state.setMoments(d.stateIndex(i)+j, b.row)
		}
	}
}

// known is the bound e of an element of value x, 0 if that is not finite.
func known(x, e float64) float64 {
	switch {
	case !finite(x):
		return 0
	case math.IsNaN(e):
		return math.Inf(1)
	}
	return e
}

// stepBudget carries ‖ŝ − s‖₂ of one row through the tokens.
type stepBudget struct {
	*deltaHead
	*arithmetic
	read, out *dotter
	exact     bool     // everything so far was exact integers
	open      bool     // an intermediate of finite numbers may have overflowed
	eps       float64  // ‖ŝ − s‖₂
	row       moments  // of ŝ − s: variance Λ, and the norm of what is systematic
	length    float64  // ‖s‖₂
	shrunk    float64  // ‖α·s‖₂
	gain      float64  // |β·u|
	peak      float64  // max |s_j|
	dot       approx   // S·k of the current token, on the exact decayed row
	across    []approx // k·q by token
	bound     float64  // Σ|s_j·k_j| of it while everything is exact

	rowGamma float64 // (n+1)·u·(1+u)^{n+1} of a row
}

func (b *stepBudget) start(s []float64) {
	b.eps, b.exact, b.open, b.row = 0, isInteger(s...), false, moments{}
	b.length, b.peak = extremes(s)
	if b.narrow() && !b.exact {
		b.eps = float64(b.u * b.length)
		b.row.systematic = b.eps
	}
}

// decayed takes the rounding of α·s, given the row after it. With the error e_α
// of α, |α̂| ≤ α + e_α, and s as it was before:
//
//	ε₁ = (α+e_α)(1+u)·ε + (e_α + u(α+e_α))·‖s‖ + √Dk·θ
//	Λ₁ = α²·Λ + σ_α²·‖s‖² + u²/3·max (α·s_j)²
//
// The last is the norm of a diagonal matrix: each element is rounded on its own.
func (b *stepBudget) decayed(s []float64, t int) {
	a := b.alpha[t]
	largest := math.Abs(a.v) + a.e
	b.shrunk = float64(largest * b.length)
	switch {
	case b.open:
	case float64(largest*(b.peak+b.eps)) > b.largest:
		b.open = true
	case a == exactly(0):
		b.eps, b.row = 0, moments{}
	case a != exactly(1):
		b.eps = float64(largest*(1+b.u)*b.eps) + float64((a.e+float64(b.u*largest))*b.length)
		underflow := float64(math.Sqrt(float64(len(s))) * b.eta * (1 + largest + b.length + b.eps))
		b.eps += underflow
		b.row.variance = float64(largest*largest*(b.row.variance+float64(b.scatter*b.peak*b.peak))) + float64(a.variance*b.length*b.length)
		b.row.systematic = float64(largest*b.row.systematic) + float64(a.systematic*b.length) + underflow
	}
	b.dot = b.read.dot(s, b.k[t])
	if b.exact {
		b.bound = absoluteDot(s, b.k[t])
	}
}

// updated takes the rest of the token, given the row after it, β·u and the
// exact product r = S·k. Local to the token are, with κ = ‖k‖:
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
func (b *stepBudget) updated(s []float64, t, i int, bu, read float64) {
	kappa, beta, v := b.norms[t], math.Abs(b.beta[t]), b.V[b.tokenIndex(t, i)]
	b.gain = math.Abs(bu)
	before := b.length
	b.length, b.peak = extremes(s)
	if b.exact = b.exact && b.integral[t] && isInteger(v) && b.eps == 0 && b.largestInteger(s, t, v, before) <= 1/b.u; b.exact {
		return
	}
	carried := float64(kappa * b.eps)
	diff := math.Abs(v - read)
	eta := float64(b.eta * float64(len(s)) * (4 + kappa + b.length + beta + math.Abs(bu)))
	rho := b.dot.e + float64(b.rowGamma*carried) + eta
	eu := rho + float64(b.u*(diff+rho+carried)) + eta
	if b.narrow() { // v, β and k in the format
		eu += float64(b.u * (math.Abs(v) + diff + math.Abs(bu)))
	}
	eb := float64(beta*eu) + float64(b.u*beta*(diff+eu+carried)) + eta
	growth := b.growth(t)
	x := float64(growth*b.eps) + float64(kappa*eb) + float64(b.u*kappa*(math.Abs(bu)+eb+float64(beta*carried))) + eta
	b.eps = float64((x + float64(b.u*(b.length+x))) * slack)
	// Sums, and products of some of β, û and k.
	sums := max(float64(kappa*b.shrunk)+carried, b.peak+b.eps)
	products := max(1, diff+eu+carried) * max(1, beta) * max(1, b.keyPeaks[t])
	b.open = b.open || finite(b.length) && !(sums <= b.largest && products <= b.largest)
	along := float64(beta*beta*(b.dot.variance+float64(b.scatter*diff*diff))) + float64(2*b.scatter*bu*bu)
	b.row.variance = float64(growth*growth*b.row.variance) + float64(kappa*kappa*along) + float64(b.scatter*b.peak*b.peak)
	b.row.systematic = float64(growth*b.row.systematic) + float64(kappa*(float64(beta*(b.dot.systematic+float64(2*eta)))+eta)) + eta
}

// largestInteger bounds what the token's sums and products come to, given the
// row after it, v, and the norm of the row before it.
func (b *stepBudget) largestInteger(s []float64, t int, v, before float64) float64 {
	read := math.Abs(v) + b.bound
	return max(read, float64(math.Abs(b.beta[t])*read*max(1, floats.Norm(b.k[t], math.Inf(1))))+floats.Norm(s, math.Inf(1))+before)
}

// output is the budget of o = S·q: what it inherits and its own sum, and how its
// error comes about.
//
// Multiplied out ([Products]) it is α·(S·q) + β·u·(k·q), with another mixture of infinities
// and NaN. Its partial sums of S·q are those of the new row less β·u times those of k·q,
// two products follow each sum, or one, and an addition both. With e the error of a sum and
// σ² its variance:
//
//	E  = e_o + 2|βu|·e_kq + u(3|o| + 4|βu·(k·q)|)
//	σ² ≤ (σ_o + |βu|·σ_kq)² + (βu)²·σ_kq² + u²/3·(5o² + 6(βu·(k·q))²)
func (b *stepBudget) output(s []float64, t int, o float64) (inherited, own float64, scattered moments) {
	switch {
	case !b.open && !finite(o):
		return openUnlessFinite(o, 0), 0, moments{}
	case !b.open && b.exact && absoluteDot(s, b.q[t])+float64(2*b.gain*absoluteDot(b.k[t], b.q[t])) <= 1/b.u:
		return 0, 0, moments{}
	}
	sum, length := b.multipliedOut(b.out.dot(s, b.q[t]), b.across[t]), b.queryNorms[t]
	if b.open {
		return math.Inf(1), sum.e, moments{}
	}
	inherited = float64(length * b.eps)
	own = sum.e + float64(b.rowGamma*inherited)
	if !(float64(length*b.length)+inherited <= b.largest) {
		own = math.Inf(1)
	}
	scattered = b.row.scaled(length)
	scattered.variance += sum.variance // later roundings, independent of the row's
	scattered.systematic += sum.systematic
	return known(o, inherited), known(o, own), scattered
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

// gamma is (n+1)·u·(1+u)^{n+1}: the rounding of n products and n additions,
// relative to a bound on all of their results.
func (m *arithmetic) gamma(n int) float64 {
	for n >= len(m.gammas) && n < gammasKept {
		m.gammas = append(m.gammas, m.gammaOf(len(m.gammas)))
	}
	if n < len(m.gammas) {
		return m.gammas[n]
	}
	return m.gammaOf(n)
}

// gammasKept are the least n for which gamma is computed once.
const gammasKept = 256

func (m *arithmetic) gammaOf(n int) float64 {
	k := float64(n + 1)
	return k * m.u * m.grown(k)
}

// slack covers the oracle's own float64 rounding, 2⁻²⁹ of the kernel's.
const slack = 1 + 1.0/(1<<20)

// absoluteDot is Σ|aᵢ·bᵢ|.
func absoluteDot(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += math.Abs(x * b[i])
	}
	return s
}

// extremes are ‖x‖₂ and max |xᵢ|.
func extremes(x []float64) (length, largest float64) {
	var squares float64
	for _, v := range x {
		squares += float64(v * v)
		if v = math.Abs(v); v > largest || v != v { // max takes longer
			largest = v
		}
	}
	return math.Sqrt(squares), largest
}

// isInteger reports whether all of x are integers.
func isInteger(x ...float64) bool {
	for _, v := range x {
		if v != math.Trunc(v) || !finite(v) {
			return false
		}
	}
	return true
}

// ConvOut splits the token-major output of the convolution: each token has hk·d
// elements of q, as many of k, then hv·d of v.
func ConvOut(conv []float64, t, hk, hv, d int) (q, k, v []float64) {
	key, value := hk*d, hv*d
	for range t {
		q = append(q, conv[:key]...)
		k = append(k, conv[key:2*key]...)
		v = append(v, conv[2*key:2*key+value]...)
		conv = conv[2*key+value:]
	}
	return q, k, v
}
