package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// heads moves the head dimension of a [1, heads, rows, d] array behind the rows.
func heads(x []float64, heads, rows, d int) []float64 {
	out := make([]float64, len(x))
	for h := range heads {
		for r := range rows {
			copy(out[(r*heads+h)*d:(r*heads+h+1)*d], x[(h*rows+r)*d:])
		}
	}
	return out
}

// TestAttentionAgreesWithTorch compares both mappings, by the one-pass oracle
// and by the three that the kernels of a decode step are judged with.
func TestAttentionAgreesWithTorch(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"gqa_decode", "gqa_causal", "gqa_mqa"} {
		a := load(t, name)
		h, tq, d := a["q"].Shape[1], a["q"].Shape[2], a["q"].Shape[3]
		hg, s := a["k"].Shape[1], a["k"].Shape[2]
		for m, want := range map[Mapping]string{BlockHeads: "o_block", TiledHeads: "o_tiled"} {
			p := Attention{
				Q: heads(a["q"].Data, h, tq, d), K: heads(a["k"].Data, hg, s, d), V: heads(a["v"].Data, hg, s, d),
				T: tq, S: s, H: h, Hg: hg, D: d, Mapping: m, Causal: name == "gqa_causal",
				Scale: 1 / math.Sqrt(float64(d)),
			}
			out := heads(a[want].Data, h, tq, d)
			agree(t, name+" "+m.String(), GroupedQuery(p, Contract{}).Want, out)
			for q := range tq {
				agree(t, fmt.Sprintf("%s %s, query %d in three steps", name, m, q), threeSteps(p, q),
					out[q*h*d:(q+1)*h*d])
			}
		}
	}
}

func threeSteps(p Attention, t int) []float64 {
	c := Cached{H: p.H, Hg: p.Hg, D: p.D, Len: p.visible(t), Stride: p.S, Mapping: p.Mapping}
	scores := AttentionScores(p.Q[t*p.H*p.D:(t+1)*p.H*p.D], p.K, make([]float64, p.H*p.S), c, p.Scale, Contract{}).Want
	weights := SoftmaxRows(scores, p.S, c.Len, Contract{}).Want
	return AttentionValues(weights, p.V, c, Contract{}).Want
}

// online32 is attention with online softmax in f32: two simdgroups, blocks of 32.
// The running maximum begins at start.
func online32(p Attention, t, h int, start float32, acc rounding) []float32 {
	type state struct {
		max, sum float32
		v        []float32
	}
	exp := func(x float32) float32 { return float32(math.Exp(float64(x))) }
	blank := func() *state { return &state{max: start, v: make([]float32, p.D)} }
	merged := blank()
	for lane := range 2 {
		s := blank()
		for first := lane * 32; first < p.visible(t); first += 64 {
			end := min(first+32, p.visible(t))
			var x []float32
			largest := s.max
			for pos := first; pos < end; pos++ {
				var dot float32
				for d, k := range p.row(p.K, pos, h) {
					dot = acc(dot + float32(float32(p.query(t, h)[d])*float32(k)))
				}
				x = append(x, float32(p.Scale)*dot)
				largest = max(largest, x[len(x)-1])
			}
			carried := exp(s.max - largest)
			s.sum *= carried
			for d := range s.v {
				s.v[d] *= carried
			}
			for j := range x {
				w := exp(x[j] - largest)
				s.sum += w
				for d, v := range p.row(p.V, first+j, h) {
					s.v[d] = acc(s.v[d] + float32(w*float32(v)))
				}
			}
			s.max = largest
		}
		largest := max(merged.max, s.max)
		keep, take := exp(merged.max-largest), exp(s.max-largest)
		merged.sum = float32(merged.sum*keep) + float32(s.sum*take)
		for d := range merged.v {
			merged.v[d] = float32(merged.v[d]*keep) + float32(s.v[d]*take)
		}
		merged.max = largest
	}
	out := make([]float32, p.D)
	for d := range out {
		out[d] = merged.v[d] / merged.sum
	}
	return out
}

func TestAttentionBudget(t *testing.T) {
	lowest := float32(-math.MaxFloat32)
	c := Contract{Sums: map[string]Schedule{"score": Sequential(), "values": {Lanes: 2, Block: 32}}}
	for seed := range 6 {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		p := Attention{T: 2, S: 150, H: 4, Hg: 2, D: 24, Causal: seed%2 == 0, Start: 100, Scale: float64(float32(0.2))}
		p.Q, p.K, p.V = inputs(r, "normal", F32, p.T*p.H*p.D), inputs(r, "normal", F32, p.S*p.Hg*p.D),
			inputs(r, "normal", F32, p.S*p.Hg*p.D)
		if seed == 5 { // all scores far below 0
			for i := range p.Q {
				p.Q[i] = 30 + math.Round(p.Q[i])
			}
			for i := range p.K {
				p.K[i] = -30 + math.Round(p.K[i])
			}
		}
		a := GroupedQuery(p, c)
		all := func(start float32, acc rounding) []float32 {
			var got []float32
			for t := range p.T {
				for h := range p.H {
					got = append(got, online32(p, t, h, start, acc)...)
				}
			}
			return got
		}
		within(t, fmt.Sprint("online softmax ", seed), a, all(lowest, single))
		beyond(t, fmt.Sprint("bf16 sums ", seed), a, all(lowest, bfloat))
		if seed == 5 {
			beyond(t, "maximum that starts at 0", a, all(0, single))
		}
		q := p
		q.Mapping = TiledHeads
		beyond(t, fmt.Sprint("tiled heads ", seed), GroupedQuery(q, c), all(lowest, single))
	}
}

func TestSplitAndAppend(t *testing.T) {
	q, gate := SplitQGate([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2)
	agree(t, "q", q.Want, []float64{1, 2, 5, 6})
	agree(t, "gate", gate.Want, []float64{3, 4, 7, 8})
	agree(t, "cache", CacheAppend([]float64{1, 2, 3, 4}, []float64{9, 8}, 1).Want, []float64{1, 9, 8, 4})
}

// row is k or v at position pos for head h.
func (p Attention) row(x []float64, pos, h int) []float64 {
	first := (pos*p.Hg + p.Mapping.Head(h, p.H, p.Hg)) * p.D
	return x[first : first+p.D]
}
