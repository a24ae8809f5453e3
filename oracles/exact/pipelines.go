package exact

import (
	"math/big"

	"metalconform/oracles"
)

// CachedAttention is the high-precision reference of [oracles.CachedAttention].
func CachedAttention(p oracles.Cached, q, keys, values []float64, scale float64) oracles.Reference {
	return GroupedQuery(oracles.Attention{
		Q: q, K: keys, V: values, T: 1, S: p.Len, H: p.H, Hg: p.Hg, D: p.D, Mapping: p.Mapping, Scale: scale,
	})
}

// ChunkedDeltaRule are the high-precision references of [oracles.ChunkedDeltaRule].
func ChunkedDeltaRule(p oracles.ChunkedDelta) (o, final oracles.Reference) {
	rates := make([]float64, len(p.G))
	for i, g := range p.G {
		rates[i] = -g
	}
	output, final := GatedDelta(oracles.DeltaNet{
		Q: p.Q, K: p.K, V: p.V, Rate: rates, Beta: p.Beta, State: p.State,
		Seqs: p.B, T: p.T, Hk: p.Hg, Hv: p.H, Dk: p.Chunks.K, Dv: p.Chunks.V, Mapping: oracles.BlockHeads,
	})
	return func(i int) *big.Float { return num(p.Scale).times(number{output(i)}).Float }, final
}

// MLADecodeStep is the high-precision reference of [oracles.MLADecodeStep].
func MLADecodeStep(p oracles.MLADecode) oracles.Reference {
	var qNope, qPe []float64
	for h := range p.Heads {
		q := p.QFull[h*(p.NoPE+p.Rope):]
		qNope, qPe = append(qNope, q[:p.NoPE]...), append(qPe, q[p.NoPE:p.NoPE+p.Rope]...)
	}
	turned := func(x []float64) oracles.Reference {
		return RoPE(oracles.Rotation{X: x, Width: p.Rope, InvFreq: p.InvFreq, Positions: []float64{float64(p.Pos)},
			Scale: p.Magnitude}, oracles.F32)
	}
	query, key, folded := turned(qPe), turned(p.KVPre[p.Rank:]), MLAQuery(p.MLAProjection, qNope)
	latent := append(p.Latent[:p.Pos*p.Rank:p.Pos*p.Rank], p.KVPre[:p.Rank]...)
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
			return decoded(p.MLAProjection, h*p.PerHead+p.NoPE+f, c).times(attended)
		}).over(sum).Float
	}
}

// evaluated are count elements from first on.
func evaluated(x oracles.Reference, first, count int) []number {
	y := make([]number, count)
	for i := range y {
		y[i] = number{x(first + i)}
	}
	return y
}

// MixtureLayer is the high-precision reference of [oracles.MixtureLayer].
func MixtureLayer(p oracles.Mixture) oracles.Reference {
	return func(i int) *big.Float {
		t, d := i/p.Dim, i%p.Dim
		all, _ := softmaxOf(nums(p.Logits[t*p.Experts : (t+1)*p.Experts]))
		routed, sum := num(0), num(0)
		for _, e := range p.Chosen[t*p.K : (t+1)*p.K] {
			hidden := GateUpSwiGLU(p.Affine, p.Gate[e], p.Up[e], p.X[t*p.Dim:(t+1)*p.Dim])
			y := sumOf(p.Width,
				func(j int) number { return weight(p.Affine, p.Down[e], d, j, p.Width).times(number{hidden(j)}) })
			routed, sum = routed.plus(all[e].times(y)), sum.plus(all[e])
		}
		shared := num(p.SharedGate[t]).sigmoid().times(num(p.Shared[i]))
		return num(p.Residual[i]).plus(routed.over(sum)).plus(shared).Float
	}
}

// LinearAttentionBlock are the high-precision references of [oracles.LinearAttentionBlock].
func LinearAttentionBlock(p oracles.LinearAttention) (out, state oracles.Reference) {
	out = func(i int) *big.Float {
		t, h, row := i/(p.Hv*p.D), i/p.D%p.Hv, i%p.D
		b := newHead(p, h, t+1)
		o, squares := make([]number, p.D), num(0)
		for r := range o {
			o[r] = productOf(b.rowAfter(r), b.query)
			squares = squares.plus(o[r].times(o[r]))
		}
		root := squares.over(num(float64(p.D))).plus(num(p.OutputEps)).root()
		return o[row].over(root).times(num(p.Z[i]).silu()).times(num(p.Weight[row])).Float
	}
	return out, func(i int) *big.Float {
		row := i / p.D
		return newHead(p, row/p.D, p.T).rowAfter(row % p.D)[i%p.D].Float
	}
}

// head is one value head after so many tokens.
type head struct {
	oracles.LinearAttention
	head        int
	channels    int // of the convolution
	conv        oracles.Reference
	query       []number   // of the last token
	keys        [][]number // by token
	decay, gate []number   // by token
}

func newHead(p oracles.LinearAttention, h, tokens int) *head {
	b := &head{LinearAttention: p, channels: (2*p.Hk + p.Hv) * p.D, head: h}
	b.conv = Conv1D(p.ConvState, p.Input, p.ConvWeight, b.channels)
	decay, gate := DecayBeta(p.Alpha, p.Beta, p.ALog, p.DtBias)
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
func (b *head) normed(t, head int, scale number) []number {
	x := evaluated(b.conv, t*b.channels+head*b.D, b.D)
	root := productOf(x, x).over(num(float64(b.D))).plus(num(b.QKEps)).root()
	for i := range x {
		x[i] = x[i].over(root).times(scale)
	}
	return x
}

// rowAfter is a row of the state after the last token.
func (b *head) rowAfter(row int) []number {
	first := (b.head*b.D + row) * b.D
	s := nums(b.State[first : first+b.D])
	for t, k := range b.keys {
		multiply(s, b.decay[t])
		v := number{b.conv(t*b.channels + (2*b.Hk+b.head)*b.D + row)}
		u := v.minus(productOf(s, k)).times(b.gate[t])
		addProducts(s, u, held(k))
	}
	return s
}

// productOf is Σ aᵢ·bᵢ.
func productOf(a, b []number) number { return sumOfProducts(len(a), held(a), held(b)) }
