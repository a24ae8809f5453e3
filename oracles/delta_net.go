package oracles

import "math"

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
// Norms know that no error grows, and not that each update takes away what lies along its
// key, nor which part of a row a query reads. From 65 tokens on, what an output and the last
// state inherit is therefore bounded by the sensitivity to each rounding as well, by a backward
// pass: see [deltaAdjoint]. The sharper of both holds.
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
			p.head(seq, h, c).answer(c, output, state)
		}
	}
	return output, state
}

// answer sets the answers of the head.
func (d *deltaHead) answer(c Contract, output, state Answer) {
	if c.Chunk > 0 {
		d.chunked(c, output, state)
	} else {
		d.stepped(c, output, state)
	}
}

// deltaHead is the problem of one sequence and value head.
type deltaHead struct {
	*DeltaNet
	seq, h     int
	alpha      []approx
	beta       []float64
	q, k       [][]float64 // by token
	queryNorms []float64   // ‖q‖ by token
	// Σ|q_j| and Σ|k_j| by token
	queryTotals, keyTotals []float64
	norms                  []float64 // ‖k‖ by token
	keyPeaks               []float64 // max |k_j| by token
	keyFourths             []float64 // (Σ k_j⁴)^¼ by token
	integral               []bool    // whether all of the token's numbers are integers
	normsUpTo              int       // tokens to which norms are sharp enough
}

func (p *DeltaNet) head(seq, h int, c Contract) *deltaHead {
	d := &deltaHead{DeltaNet: p, seq: seq, h: h, normsUpTo: 64}
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
		length, peak, fourth := extremes(k)
		d.queryTotals, d.keyTotals = append(d.queryTotals, absoluteSum(q)), append(d.keyTotals, absoluteSum(k))
		d.queryNorms, d.norms = append(d.queryNorms, norm(q)), append(d.norms, length)
		d.keyPeaks, d.keyFourths = append(d.keyPeaks, peak), append(d.keyFourths, math.Sqrt(fourth))
		d.integral = append(d.integral, (alpha == exactly(0) || alpha == exactly(1)) && isInteger(p.Beta[gate]) &&
			isInteger(q...) && isInteger(k...))
	}
	return d
}

// row is row i of the start state, which is not to be written to.
func (d *deltaHead) row(i int) []float64 {
	first := d.stateIndex(i)
	return d.State[first : first+d.Dk]
}

// stateIndex is the index of element [i, 0] of the head's state.
func (d *deltaHead) stateIndex(i int) int { return ((d.seq*d.Hv+d.h)*d.Dv + i) * d.Dk }

// tokenIndex is the index of element i of the head's v and output at token t.
func (d *deltaHead) tokenIndex(t, i int) int {
	return ((d.seq*d.T+t)*d.Hv+d.h)*d.Dv + i
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

// roundings are u·(1+u)^{n−1−k} for k < n: what a rounding of 1 grows to in all additions
// after addition k of n.
func (m *arithmetic) roundings(n int) []float64 {
	if len(m.grownBy) < n {
		m.grownBy = make([]float64, max(n, 2*len(m.grownBy), gammasKept))
		for i := range m.grownBy {
			m.grownBy[len(m.grownBy)-1-i] = m.u * m.grown(float64(i))
		}
	}
	return m.grownBy[len(m.grownBy)-n:]
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

// absoluteSum is Σ|xᵢ|, as four running sums.
func absoluteSum(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		p := (*[4]float64)(x)
		s0 += math.Abs(p[0])
		s1 += math.Abs(p[1])
		s2 += math.Abs(p[2])
		s3 += math.Abs(p[3])
	}
	for _, v := range x {
		s0 += math.Abs(v)
	}
	return (s0 + s1) + (s2 + s3)
}

// extremes are ‖x‖₂, max |xᵢ| and (Σ xᵢ⁴)^½.
func extremes(x []float64) (length, largest, fourth float64) {
	var squares, fourths float64
	for _, v := range x {
		square := float64(v * v)
		squares += square
		fourths += float64(square * square)
		if v = math.Abs(v); v > largest || v != v { // max takes longer
			largest = v
		}
	}
	return math.Sqrt(squares), largest, math.Sqrt(fourths)
}

// sizes are ‖x‖₂, max |xᵢ| and Σ|xᵢ|, each as two.
func sizes(x []float64) (length, largest, total float64) {
	var squares, others, peak, rest float64
	for ; len(x) >= 2; x = x[2:] {
		a, b := math.Abs(x[0]), math.Abs(x[1])
		squares += float64(a * a)
		others += float64(b * b)
		total += a
		rest += b
		if a > largest || a != a { // max takes longer
			largest = a
		}
		if b > peak || b != b {
			peak = b
		}
	}
	for _, v := range x {
		v = math.Abs(v)
		squares += float64(v * v)
		total += v
		peak = max(peak, v)
	}
	return math.Sqrt(squares + others), max(largest, peak), total + rest
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
	q, k, v = make([]float64, 0, t*key), make([]float64, 0, t*key), make([]float64, 0, t*value)
	for range t {
		q = append(q, conv[:key]...)
		k = append(k, conv[key:2*key]...)
		v = append(v, conv[2*key:2*key+value]...)
		conv = conv[2*key+value:]
	}
	return q, k, v
}
