package oracles

import "math"

// QuotientErrors bound what the errors of V and l do to V/l[h], for the rows of
// V[heads, rank] that a kernel computed:
//
//	|V̂/l̂ − V/l| ≤ (e_V + |V/l|·e_l)/l̂,   |V/l| ≤ (|V̂| + e_V)/(l̂ − e_l)
//
// It is +Inf where l may be 0. The division adds an error of its own.
func QuotientErrors(values, denom, valueErrors, denomErrors []float64, rank int) []float64 {
	e := make([]float64, len(values))
	for i, v := range values {
		l, el := denom[i/rank], denomErrors[i/rank]
		if !(l > el) {
			e[i] = math.Inf(1)
			continue
		}
		quotient := (math.Abs(v) + valueErrors[i]) / (l - el)
		e[i] = (valueErrors[i] + float64(quotient*el)) / l
	}
	return e
}

// MLADecode is one token's way through latent attention.
type MLADecode struct {
	MLAProjection
	QFull, KVPre  []float64 // [Heads, NoPE+Rope], [Rank+Rope]
	Latent, RopeK []float64 // caches of the positions before, [Pos, Rank] and [Pos, Rope]
	InvFreq       []float64 // [Rope/2]
	Rope, Pos     int
	Magnitude     float64 // of cos and sin
	Scale         float64 // of scores
}

// MLADecodeErrors are the errors that each kernel may have made, given the
// inputs that it got: bounds by element of its output.
type MLADecodeErrors struct {
	QPe, KPe []float64 // rotations: [Heads, Rope], [Rope]
	QPrime   []float64 // [Heads, Rank]
	Combine  []float64 // [Heads, Rank]
	Out      []float64 // [Heads, Value]
}

// MLADecodeStep is a decoding step: the query is split, rotated and folded into the
// latent space; the compressed row is split, its key rotated, and both are appended
// to the caches; attention over all Pos+1 positions follows, and the value
// projection of its result. out is [Heads, Value].
//
// Its budget says how far the errors of the stages reach, to all orders. A
// score is off by at most
//
//	δ_t = scale·(Σ_c e(q'_c)·|L_tc| + Σ_c (e(q_c)·|k_tc| + (|q_c| + e(q_c))·e(k_tc)))
//
// where only the new position's key has an error; [CachedAttention] says how that
// passes through the softmax, and a product with the exact weights takes |W|·e.
func MLADecodeStep(p MLADecode, e MLADecodeErrors) Answer {
	a := newRigorousAnswer(p.Heads*p.Value, "rotations", "folding", "attention", "unfolding")
	qNope, qPe, kvLat, kPe := MLASplit(p.QFull, p.KVPre, p.NoPE, p.Rope, p.Rank)
	turn := Rotation{Width: p.Rope, InvFreq: p.InvFreq, Positions: []float64{float64(p.Pos)}, Scale: p.Magnitude}
	turn.X = qPe.Want
	q := RoPE(turn, Contract{}).Want
	turn.X = kPe.Want
	key := RoPE(turn, Contract{}).Want
	latent := append(p.Latent[:p.Pos*p.Rank:p.Pos*p.Rank], kvLat.Want...)
	keys := append(p.RopeK[:p.Pos*p.Rope:p.Pos*p.Rope], key...)
	folded := MLAQuery(p.MLAProjection, qNope.Want, Contract{}).Want
	for h := range p.Heads {
		attended := p.attend(h, q, folded, latent, keys, e)
		for f := range p.Value {
			var want accumulator
			var errs [3]float64
			for c := range p.Rank {
				w, scale, bias := p.at(h*p.PerHead+p.NoPE+f, c)
				w = float64(w*scale) + bias
				want = want.plus(attended.want[c] * w)
				for i := range errs {
					errs[i] += float64(attended.errs[i][c] * math.Abs(w))
				}
			}
			i := h*p.Value + f
			a.set(i, want.value(), errs[0], errs[1], errs[2], e.Out[i])
		}
	}
	return a
}

// attendedErrors is one head's weighted latent row with the errors that it has
// from rotations, folding and its own kernel.
type attendedErrors struct {
	want []float64
	errs [3][]float64
}

func (p MLADecode) attend(h int, q, folded, latent, keys []float64, e MLADecodeErrors) attendedErrors {
	scores, rotated, projected := make([]float64, p.Pos+1), make([]float64, p.Pos+1), make([]float64, p.Pos+1)
	for t := range scores {
		var s accumulator
		for c := range p.Rank {
			l := latent[t*p.Rank+c]
			s = s.plus(folded[h*p.Rank+c] * l)
			projected[t] += float64(p.Scale * e.QPrime[h*p.Rank+c] * math.Abs(l))
		}
		for c := range p.Rope {
			x, k := q[h*p.Rope+c], keys[t*p.Rope+c]
			s = s.plus(x * k)
			rotated[t] += float64(p.Scale * e.QPe[h*p.Rope+c] * math.Abs(k))
			if t == p.Pos {
				rotated[t] += float64(p.Scale * (math.Abs(x) + e.QPe[h*p.Rope+c]) * e.KPe[c])
			}
		}
		scores[t] = p.Scale * s.value()
	}
	weights := softmax(scores)
	both := make([]float64, len(scores))
	for t := range both {
		both[t] = rotated[t] + projected[t]
	}
	all, first := softmaxDrift(weights, both), softmaxDrift(weights, rotated)
	r := attendedErrors{want: make([]float64, p.Rank)}
	for i := range r.errs {
		r.errs[i] = make([]float64, p.Rank)
	}
	for c := range p.Rank {
		var want accumulator
		for t, w := range weights {
			l := latent[t*p.Rank+c]
			want = want.plus(w * l)
			r.errs[0][c] += float64(first[t] * math.Abs(l))
			r.errs[1][c] += float64((all[t] - first[t]) * math.Abs(l))
		}
		r.want[c] = want.value()
		r.errs[2][c] = e.Combine[h*p.Rank+c]
	}
	return r
}
