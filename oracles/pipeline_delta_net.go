package oracles

import "math"

// LinearAttentionBlock is the block in one pass: out [T, Hv, D] and the state
// S after the last token.
//
// Its budget says how far the errors of the stages reach, to all orders, by
// norms of vectors. Hats are what the kernels passed on.
//
// Norm. n(x) = x/ρ(x) with ρ(x) = √(‖x‖²/D + ε) has a symmetric derivative with
// eigenvalues in (0, 1/ρ], so that with δ = ‖x̂ − x‖
//
//	‖n(x̂) − n(x)‖ ≤ δ/ρ₋,   ρ₋ = √(max(‖x‖ − δ, 0)²/D + ε)
//
// Delta rule. A row s of S obeys s' = α·s·M + β·v·k with M = I − β·k·kᵀ. With the
// errors of α, β, v and ‖k̂ − k‖ ≤ δ_k, κ̂ = ‖k‖ + δ_k, and ‖ŝ − s‖ ≤ ε,
//
//	ε' = α̂·Ĝ·ε + ‖s‖·(e_α·Ĝ + α·(e_β·κ̂² + β·(κ + κ̂)·δ_k))
//	     + κ̂·(e_β·(|v| + e_v) + β·e_v) + β·|v|·δ_k,   Ĝ = max(1, |1 − β̂·κ̂²|)
//
// and the kernel's own error of the state joins where a launch ends. An output
// s·q takes ε·‖q̂‖ + ‖s‖·δ_q.
//
// Gated norm. An output o_i/ρ(o) takes e_i/ρ₋ + |o_i|·‖e‖/(√D·ρ·ρ₋), for ρ changes
// by at most ‖e‖/√D.
func LinearAttentionBlock(p LinearAttention, e LinearAttentionErrors) (out, state Answer) {
	conv := Conv1D(p.ConvState, p.Input, p.ConvWeight, p.channels(), Contract{}).Want
	decay, gate := DecayBeta(p.Alpha, p.Beta, p.ALog, p.DtBias, Contract{})
	out = newRigorousAnswer(p.T*p.Hv*p.D, "up to the delta rule", "delta rule", "gated norm")
	state = newRigorousAnswer(p.Hv*p.D*p.D, "‖ŝ−s‖₂ of the row")
	for h := range p.Hv {
		b := &blockHead{LinearAttention: &p, e: &e, head: h, conv: conv, decay: decay.Want, gate: gate.Want,
			eps: make([]float64, p.D)}
		b.state = make([][]float64, p.D)
		for i := range b.state {
			first := (h*p.D + i) * p.D
			b.state[i] = append([]float64(nil), p.State[first:first+p.D]...)
		}
		for t := range p.T {
			b.token(t, out)
		}
		for i, row := range b.state {
			for j, x := range row {
				state.set((h*p.D+i)*p.D+j, x, b.eps[i])
			}
		}
	}
	return out, state
}

// LinearAttention is a block of linear attention over T tokens: convolution,
// norm of queries and keys, gates, the gated delta rule with block heads, and a
// gated norm. Heads have D channels, and the convolution has C = (2·Hk + Hv)·D.
type LinearAttention struct {
	ConvState, Input, ConvWeight []float64 // [3, C], [T, C], [C, 4]
	Alpha, Beta                  []float64 // [T, Hv], outputs of their projections
	ALog, DtBias                 []float64 // [Hv]
	State                        []float64 // S before the first token, [Hv, D, D]
	Z, Weight                    []float64 // [T, Hv, D], [D]

	T, Hk, Hv, D     int
	Scale            float64 // of the norm of queries and keys
	QKEps, OutputEps float64
}

// LinearAttentionErrors are the errors that each kernel may have made, given the
// inputs that it got: bounds by element of its output. States has the bound of
// the state after each run of Chunk tokens that was one launch.
type LinearAttentionErrors struct {
	Conv, Norm  []float64   // [T, C]
	Decay, Gate []float64   // [T, Hv]
	Output, Out []float64   // [T, Hv, D]
	States      [][]float64 // [Hv, D, D]
	Chunk       int
}

func (p *LinearAttention) channels() int { return (2*p.Hk + p.Hv) * p.D }

// blockHead is one value head on its way through the tokens.
type blockHead struct {
	*LinearAttention
	e           *LinearAttentionErrors
	head        int
	conv        []float64
	decay, gate []float64
	state       [][]float64 // S
	eps         []float64   // ‖ŝ − s‖₂ by row
}

// normed is a head of queries or keys after its norm, with a bound on the norm
// of its error: first is its first channel in the token-major rows.
func (b *blockHead) normed(first int, scale float64) (x []float64, delta float64) {
	raw, end := b.conv[first:first+b.D], first+b.D
	length, passed := norm(raw), norm(b.e.Conv[first:end])
	root := math.Sqrt(length*length/float64(b.D) + b.QKEps)
	x = make([]float64, b.D)
	for i, v := range raw {
		x[i] = v / root * scale
	}
	return x, scale*passed/b.least(length, passed, b.QKEps) + norm(b.e.Norm[first:end])
}

// least is ρ₋.
func (b *blockHead) least(length, delta, eps float64) float64 {
	low := math.Max(length-delta, 0)
	return math.Sqrt(low*low/float64(b.D) + eps)
}

// token advances all rows by a token and answers its outputs.
func (b *blockHead) token(t int, out Answer) {
	row := t * b.channels()
	key := b.head / (b.Hv / b.Hk)
	q, dq := b.normed(row+key*b.D, b.Scale*b.Scale)
	k, dk := b.normed(row+(b.Hk+key)*b.D, b.Scale)
	values := row + 2*b.Hk*b.D + b.head*b.D
	at := t*b.Hv + b.head
	alpha, beta, ea, eb := b.decay[at], b.gate[at], b.e.Decay[at], b.e.Gate[at]

	kappa := norm(k)
	most := kappa + dk
	growth := math.Max(1, float64((beta+eb)*most*most)-1)
	drift := float64(ea*growth) + float64(alpha*(float64(eb*most*most)+float64(beta*(kappa+most)*dk)))
	o, passed := make([]float64, b.D), make([]float64, b.D)
	for i, s := range b.state {
		v, ev := b.conv[values+i], b.e.Conv[values+i]
		length := norm(s)
		b.eps[i] = float64((alpha+ea)*growth*b.eps[i]) + float64(length*drift) +
			float64(most*(float64(eb*(math.Abs(v)+ev))+float64(beta*ev))) + float64(beta*math.Abs(v)*dk)
		u := v - float64(alpha*dot(s, k))
		for j := range s {
			s[j] = float64(alpha*s[j]) + float64(beta*u*k[j])
		}
		o[i] = dot(s, q)
		passed[i] = float64(b.eps[i]*(norm(q)+dq)) + float64(norm(s)*dq)
	}
	b.gated(at*b.D, o, passed, out)
	if (t+1)%b.e.Chunk == 0 || t+1 == b.T {
		own := b.e.States[t/b.e.Chunk]
		for i := range b.eps {
			first := (b.head*b.D + i) * b.D
			b.eps[i] += norm(own[first : first+b.D])
		}
	}
}

// gated answers one head's outputs of a token, the first of them at index
// first, from the outputs of the delta rule and the errors passed to them.
func (b *blockHead) gated(first int, o, passed []float64, out Answer) {
	all := make([]float64, b.D)
	for i := range all {
		all[i] = passed[i] + b.e.Output[first+i]
	}
	length, delta := norm(o), norm(all)
	root, low := math.Sqrt(length*length/float64(b.D)+b.OutputEps), b.least(length, delta, b.OutputEps)
	for i, x := range o {
		z := b.Z[first+i]
		factor := z / (1 + math.Exp(-z)) * b.Weight[i]
		turned := math.Abs(x) / (math.Sqrt(float64(b.D)) * root * low)
		gain := math.Abs(factor)
		before := float64(gain * (passed[i]/low + float64(turned*norm(passed))))
		total := float64(gain * (all[i]/low + float64(turned*delta)))
		out.set(first+i, x/root*factor, before, math.Max(total-before, 0), b.e.Out[first+i])
	}
}
