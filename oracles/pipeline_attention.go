package oracles

import "math"

// CachedAttention is attention of one token against a cache, by three kernels
// that pass on what they computed:
//
//	s = scale·q·k,   p = softmax(s),   out[h, d] = Σ_p p[h, p]·v[p, kv(h), d]
//
// Its budget says how far the errors e of the stages reach, to all orders. With
// |ŝ_i − s_i| ≤ δ_i and δ = max δ_i, each exponential is off by a factor
// within e^{±δ_i} and the denominator by one within e^{±δ}, so that
//
//	|softmax(ŝ)_i − p_i| ≤ p_i·(e^{δ_i + δ} − 1)
//
// and a sum of values takes |Δp_i|·|v_i| of each term.
func CachedAttention(p Cached, q, keys, values []float64, scale float64, e CachedErrors) Answer {
	a := newRigorousAnswer(p.H*p.D, "scores", "softmax", "values")
	for h := range p.H {
		kv := p.Mapping.Head(h, p.H, p.Hg)
		s := make([]float64, p.Len)
		for pos := range s {
			first := (pos*p.Hg + kv) * p.D
			s[pos] = scale * dot(q[h*p.D:(h+1)*p.D], keys[first:first+p.D])
		}
		weights := softmax(s)
		rows := h * p.Stride
		drift := softmaxDrift(weights, e.Scores[rows:rows+p.Len])
		for d := range p.D {
			var want accumulator
			var scores, own float64
			for pos, w := range weights {
				v := values[(pos*p.Hg+kv)*p.D+d]
				want = want.plus(w * v)
				scores += float64(drift[pos] * math.Abs(v))
				own += float64(e.Softmax[rows+pos] * math.Abs(v))
			}
			a.set(h*p.D+d, want.value(), scores, own, e.Values[h*p.D+d])
		}
	}
	return a
}

// CachedErrors are the errors that each of the three kernels of attention may
// have made, given the inputs that it got: bounds by element of its output.
type CachedErrors struct {
	Scores, Softmax []float64 // [H, Stride]
	Values          []float64 // [H, D]
}

// softmax is e^{s_i − max s}/Σ.
func softmax(s []float64) []float64 {
	highest := math.Inf(-1)
	for _, x := range s {
		highest = math.Max(highest, x)
	}
	var sum accumulator
	p := make([]float64, len(s))
	for i, x := range s {
		p[i] = math.Exp(x - highest)
		sum = sum.plus(p[i])
	}
	total := sum.value()
	for i := range p {
		p[i] /= total
	}
	return p
}

// softmaxDrift is how far the softmax p may be off for scores that are off by
// at most e: p_i·(e^{e_i + max e} − 1).
func softmaxDrift(p, e []float64) []float64 {
	var most float64
	for _, x := range e {
		most = math.Max(most, x)
	}
	drift := make([]float64, len(p))
	for i := range p {
		drift[i] = p[i] * math.Expm1(e[i]+most)
	}
	return drift
}
