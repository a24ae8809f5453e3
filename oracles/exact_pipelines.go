package oracles

import "math/big"

// ExactCachedAttention is the exact twin of [CachedAttention].
func ExactCachedAttention(p Cached, q, keys, values []float64, scale float64) Exact {
	return ExactGroupedQuery(Attention{
		Q: q, K: keys, V: values, T: 1, S: p.Len, H: p.H, Hg: p.Hg, D: p.D, Mapping: p.Mapping, Scale: scale,
	})
}

// ExactChunkedDeltaRule are the exact twins of [ChunkedDeltaRule].
func ExactChunkedDeltaRule(p ChunkedDelta) (o, final Exact) {
	rates := make([]float64, len(p.G))
	for i, g := range p.G {
		rates[i] = -g
	}
	output, final := ExactGatedDelta(DeltaNet{
		Q: p.Q, K: p.K, V: p.V, Rate: rates, Beta: p.Beta, State: p.State,
		Seqs: p.B, T: p.T, Hk: p.Hg, Hv: p.H, Dk: p.Chunks.K, Dv: p.Chunks.V, Mapping: BlockHeads,
	})
	return func(i int) *big.Float { return num(p.Scale).times(number{output(i)}).Float }, final
}

// ExactMLADecodeStep is the exact twin of [MLADecodeStep].
func ExactMLADecodeStep(p MLADecode) Exact {
	qNope, qPe, kvLat, kPe := MLASplit(p.QFull, p.KVPre, p.NoPE, p.Rope, p.Rank)
	turned := func(x []float64) Exact {
		return ExactRoPE(Rotation{X: x, Width: p.Rope, InvFreq: p.InvFreq, Positions: []float64{float64(p.Pos)}, Scale: p.Magnitude}, F32)
	}
	query, key, folded := turned(qPe.Want), turned(kPe.Want), ExactMLAQuery(p.MLAProjection, qNope.Want)
	latent := append(p.Latent[:p.Pos*p.Rank:p.Pos*p.Rank], kvLat.Want...)
	return func(i int) *big.Float {
		h, f := i/p.Value, i%p.Value
		latentQuery, turnedQuery := evaluated(folded, h*p.Rank, p.Rank), evaluated(query, h*p.Rope, p.Rope)
		keys := append(nums(p.RopeK[:p.Pos*p.Rope]), evaluated(key, 0, p.Rope)...)
		scores := make([]number, p.Pos+1)
		for t := range scores {
			s := innerNumbers(latentQuery, latent[t*p.Rank:])
			for c, x := range turnedQuery {
				s = s.plus(x.times(keys[t*p.Rope+c]))
			}
			scores[t] = num(p.Scale).times(s)
		}
		weights, sum := softmaxOf(scores)
		return sumOf(p.Rank, func(c int) number {
			attended := sumOf(len(weights), func(t int) number { return weights[t].times(num(latent[t*p.Rank+c])) })
			return p.decoded(h*p.PerHead+p.NoPE+f, c).times(attended)
		}).over(sum).Float
	}
}

// evaluated are count elements from first on.
func evaluated(x Exact, first, count int) []number {
	y := make([]number, count)
	for i := range y {
		y[i] = number{x(first + i)}
	}
	return y
}

// ExactMixtureLayer is the exact twin of [MixtureLayer].
func ExactMixtureLayer(p Mixture) Exact {
	return func(i int) *big.Float {
		t, d := i/p.Dim, i%p.Dim
		all, _ := softmaxOf(nums(p.Logits[t*p.Experts : (t+1)*p.Experts]))
		routed, sum := num(0), num(0)
		for _, e := range p.Chosen[t*p.K : (t+1)*p.K] {
			hidden := ExactGateUpSwiGLU(p.Affine, p.Gate[e], p.Up[e], p.X[t*p.Dim:(t+1)*p.Dim])
			y := sumOf(p.Width, func(j int) number { return p.weight(p.Down[e], d, j, p.Width).times(number{hidden(j)}) })
			routed, sum = routed.plus(all[e].times(y)), sum.plus(all[e])
		}
		shared := num(p.SharedGate[t]).sigmoid().times(num(p.Shared[i]))
		return num(p.Residual[i]).plus(routed.over(sum)).plus(shared).Float
	}
}

// ExactLinearAttentionBlock are the exact twins of [LinearAttentionBlock].
func ExactLinearAttentionBlock(p LinearAttention) (out, state Exact) {
	out = func(i int) *big.Float {
		t, h, row := i/(p.Hv*p.D), i/p.D%p.Hv, i%p.D
		b := p.exactHead(h, t+1)
		o, squares := make([]number, p.D), num(0)
		for r := range o {
			o[r] = sumOfProducts(b.rowAfter(r), b.query)
			squares = squares.plus(o[r].times(o[r]))
		}
		root := squares.over(num(float64(p.D))).plus(num(p.OutputEps)).root()
		return o[row].over(root).times(num(p.Z[i]).silu()).times(num(p.Weight[row])).Float
	}
	return out, func(i int) *big.Float {
		row := i / p.D
		return p.exactHead(row/p.D, p.T).rowAfter(row % p.D)[i%p.D].Float
	}
}

// exactHead is one value head after so many tokens.
type exactHead struct {
	*LinearAttention
	head        int
	conv        Exact
	query       []number   // of the last token
	keys        [][]number // by token
	decay, gate []number   // by token
}

func (p *LinearAttention) exactHead(h, tokens int) *exactHead {
	b := &exactHead{LinearAttention: p, head: h, conv: ExactConv1D(p.ConvState, p.Input, p.ConvWeight, p.channels())}
	decay, gate := ExactDecayBeta(p.Alpha, p.Beta, p.ALog, p.DtBias)
	keyHead, scale := h/(p.Hv/p.Hk), num(p.Scale)
	for t := range tokens {
		b.keys = append(b.keys, b.normed(t, p.Hk+keyHead, scale))
		b.decay = append(b.decay, number{decay(t*p.Hv + h)})
		b.gate = append(b.gate, number{gate(t*p.Hv + h)})
	}
	b.query = b.normed(tokens-1, keyHead, scale.times(scale))
	return b
}

// normed are a token's queries or keys of one head after their norm.
func (b *exactHead) normed(t, head int, scale number) []number {
	x := evaluated(b.conv, t*b.channels()+head*b.D, b.D)
	root := sumOfProducts(x, x).over(num(float64(b.D))).plus(num(b.QKEps)).root()
	for i := range x {
		x[i] = x[i].over(root).times(scale)
	}
	return x
}

// rowAfter is a row of the state after the last token.
func (b *exactHead) rowAfter(row int) []number {
	first := (b.head*b.D + row) * b.D
	s := nums(b.State[first : first+b.D])
	for t, k := range b.keys {
		for j := range s {
			s[j] = s[j].times(b.decay[t])
		}
		v := number{b.conv(t*b.channels() + (2*b.Hk+b.head)*b.D + row)}
		u := v.minus(sumOfProducts(s, k)).times(b.gate[t])
		for j := range s {
			s[j] = s[j].plus(u.times(k[j]))
		}
	}
	return s
}

// sumOfProducts is Σ aᵢ·bᵢ.
func sumOfProducts(a, b []number) number {
	return sumOf(len(a), func(i int) number { return a[i].times(b[i]) })
}
