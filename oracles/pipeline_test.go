package oracles

import (
	"math"
	"math/rand/v2"
	"testing"
)

// pipelineTest runs a pipeline with every stage off by as much as its bound
// allows, each element to a random side, or as if the stages were exact.
type pipelineTest struct {
	r     *rand.Rand
	scale float64 // of the stages' bounds; 0 for exact stages
}

// bounds are n bounds of a stage.
func (c *pipelineTest) bounds(n int, size float64) []float64 {
	e := make([]float64, n)
	for i := range e {
		e[i] = c.scale * size * c.r.Float64()
	}
	return e
}

// off is x with each element off by its bound.
func (c *pipelineTest) off(x, e []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i] + e[i]
		if c.r.IntN(2) == 0 {
			y[i] = x[i] - e[i]
		}
	}
	return y
}

// values are n numbers of the normal distribution, times size.
func (c *pipelineTest) values(n int, size float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = size * c.r.NormFloat64()
	}
	return x
}

// between are n numbers in [lo, hi).
func (c *pipelineTest) between(n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + (hi-lo)*c.r.Float64()
	}
	return x
}

// bf16 are n numbers of that format.
func (c *pipelineTest) bf16(n int, size float64) []float64 {
	x := c.values(n, size)
	for i := range x {
		x[i] = BF16.Round(x[i])
	}
	return x
}

// TestPipelineBudgets checks each end-to-end oracle both ways: stages that are off
// by their bounds stay within its budget, which is not so wide that it says
// nothing, and exact stages give its want, computed another way.
func TestPipelineBudgets(t *testing.T) {
	for _, test := range []struct {
		name  string
		size  float64 // of a stage's bounds
		least float64 // that the worst element has to reach of its bound
		exact float64 // what exact stages may be off by, relative to 1
		run   func(*pipelineTest) (got []float64, want Answer)
	}{
		{"attention", 1e-3, 0.05, 1e-14, cachedPipeline},
		{"tiles", 1e-3, 0.5, 1e-14, quotientPipeline},
		{"latent decode", 1e-4, 0.05, 1e-13, decodePipeline},
		{"linear attention", 1e-6, 0.02, 1e-12, linearPipeline},
		{"mixture", 1e-4, 0.05, 1e-13, mixturePipeline},
		{"chunks", 1e-5, 0.01, 0.1, chunkedPipeline}, // their roundings to bf16 stay
	} {
		t.Run(test.name, func(t *testing.T) {
			var most float64
			for seed := range uint64(4) {
				got, want := test.run(&pipelineTest{rand.New(rand.NewPCG(seed, 1)), test.size})
				for i, x := range got {
					bound := want.Bound(i) + 1e-14*math.Abs(x) // the test's own arithmetic
					if diff := math.Abs(x - want.Want[i]); !(diff <= bound) {
						t.Fatalf("seed %d: element %d is %g, want %g within %g", seed, i, x, want.Want[i], bound)
					} else if diff > 0 {
						most = max(most, diff/bound)
					}
				}
			}
			if most < test.least {
				t.Errorf("the worst error is %.2g of its bound, want at least %g", most, test.least)
			}
			got, want := test.run(&pipelineTest{rand.New(rand.NewPCG(9, 1)), 0})
			for i, x := range got {
				if diff := math.Abs(x - want.Want[i]); diff > test.exact*(1+math.Abs(x)) {
					t.Fatalf("of exact stages: element %d is %g, want %g", i, x, want.Want[i])
				}
			}
		})
	}
}

func cachedPipeline(c *pipelineTest) ([]float64, Answer) {
	p := Cached{H: 4, Hg: 2, D: 8, Len: 9, Stride: 9}
	q, k, v := c.values(p.H*p.D, 1), c.values(9*p.Hg*p.D, 1), c.values(9*p.Hg*p.D, 1)
	e := CachedErrors{Scores: c.bounds(p.H*9, 1), Softmax: c.bounds(p.H*9, 0.1), Values: c.bounds(p.H*p.D, 0.1)}
	scores := c.off(AttentionScores(q, k, make([]float64, p.H*9), p, 0.3, Contract{}).Want, e.Scores)
	weights := c.off(SoftmaxRows(scores, 9, 9, Contract{}).Want, e.Softmax)
	return c.off(AttentionValues(weights, v, p, Contract{}).Want, e.Values), CachedAttention(p, q, k, v, 0.3, e)
}

func quotientPipeline(c *pipelineTest) ([]float64, Answer) {
	v, l := c.values(12, 1), c.between(3, 1, 5)
	ev, el := c.bounds(12, 1), c.bounds(3, 1)
	vHat, lHat := c.off(v, ev), c.off(l, el)
	got, want := make([]float64, 12), newAnswer(12, "quotient")
	e := QuotientErrors(vHat, lHat, ev, el, 4)
	for i := range got {
		got[i] = vHat[i] / lHat[i/4]
		want.set(i, v[i]/l[i/4], e[i])
	}
	return got, want
}

func decodePipeline(c *pipelineTest) ([]float64, Answer) {
	p := MLADecode{
		MLAProjection: MLAProjection{Affine: Affine{Bits: 4, Group: 8}, Heads: 2, NoPE: 3, Value: 4, Rank: 16,
			PerHead: 7},
		Rope: 4, Pos: 5, Magnitude: 1.3, Scale: 0.4, InvFreq: c.between(2, 0, 1),
		QFull: c.values(2*7, 1), KVPre: c.values(20, 1), Latent: c.values(5*16, 1), RopeK: c.values(5*4, 1),
	}
	for range 2 * 7 * 2 {
		p.Packed = append(p.Packed, c.r.Uint32())
	}
	p.Scales, p.Biases = c.values(2*7*2, 0.05), c.values(2*7*2, 0.2)
	e := MLADecodeErrors{QPe: c.bounds(8, 1), KPe: c.bounds(4, 1), QPrime: c.bounds(32, 1), Combine: c.bounds(32, 1),
		Out: c.bounds(8, 1)}

	qNope, qPe, kvLat, kPe := MLASplit(p.QFull, p.KVPre, p.NoPE, p.Rope, p.Rank)
	turn := func(x []float64) []float64 {
		return RoPE(Rotation{X: x, Width: p.Rope, InvFreq: p.InvFreq, Positions: []float64{5}, Scale: p.Magnitude},
			Contract{}).Want
	}
	q, key := c.off(turn(qPe.Want), e.QPe), c.off(turn(kPe.Want), e.KPe)
	folded := c.off(MLAQuery(p.MLAProjection, qNope.Want, Contract{}).Want, e.QPrime)
	combined := MLAFolded(MLA{
		QPrime: folded, QPe: q, Latent: append(p.Latent[:80:80], kvLat.Want...), RopeK: append(p.RopeK[:20:20], key...),
		Heads: 2, Rank: 16, Rope: 4, Scale: p.Scale,
	}, Contract{}).Want
	return c.off(MLAOutput(p.MLAProjection, c.off(combined, e.Combine), Contract{}).Want, e.Out), MLADecodeStep(p, e)
}

func linearPipeline(c *pipelineTest) ([]float64, Answer) {
	const n, hk, hv, d, chunk = 7, 1, 2, 8, 3
	width := (2*hk + hv) * d
	p := LinearAttention{
		ConvState: c.values(3*width, 1), Input: c.values(n*width, 1), ConvWeight: c.values(width*4, 0.5),
		Alpha: c.values(n*hv, 1), Beta: c.values(n*hv, 1), ALog: c.between(hv, -4, 1), DtBias: c.values(hv, 1),
		State: c.values(hv*d*d, 0.1), Z: c.values(n*hv*d, 1), Weight: c.values(d, 1),
		T: n, Hk: hk, Hv: hv, D: d, Scale: 1 / math.Sqrt(d), QKEps: 1e-6, OutputEps: 1e-6,
	}
	e := LinearAttentionErrors{
		Conv: c.bounds(n*width, 1), Norm: c.bounds(n*width, 1), Decay: c.bounds(n*hv, 1), Gate: c.bounds(n*hv, 1),
		Output: c.bounds(n*hv*d, 1), Out: c.bounds(n*hv*d, 1), Chunk: chunk,
	}
	decay, gate := DecayBeta(p.Alpha, p.Beta, p.ALog, p.DtBias, Contract{})
	alpha, beta := c.off(decay.Want, e.Decay), c.off(gate.Want, e.Gate)
	conv := c.off(Conv1D(p.ConvState, p.Input, p.ConvWeight, width, Contract{}).Want, e.Conv)
	layout := QKNorm{Heads: hk, Dim: d, KeyOffset: hk * d, Stride: width}
	for i := range e.Norm {
		if i%width >= 2*hk*d {
			e.Norm[i] = 0 // the norm does not write values
		}
	}
	normed := c.off(RMSNormQK(conv, layout, p.Scale, p.QKEps, Contract{}).Want, e.Norm)
	state := p.State
	var output []float64
	for first := 0; first < n; first += chunk {
		end := min(first+chunk, n)
		q, k, v := ConvOut(normed[first*width:end*width], end-first, hk, hv, d)
		o, s := GatedDelta(DeltaNet{Q: q, K: k, V: v, Decay: alpha[first*hv : end*hv], Beta: beta[first*hv : end*hv],
			State: state,
			Seqs:  1, T: end - first, Hk: hk, Hv: hv, Dk: d, Dv: d}, Contract{})
		own := c.bounds(len(s.Want), 1)
		e.States = append(e.States, own)
		output, state = append(output, o.Want...), c.off(s.Want, own)
	}
	got := c.off(GatedRMSNorm(c.off(output, e.Output), p.Z, p.Weight, p.OutputEps, Contract{}).Want, e.Out)
	out, final := LinearAttentionBlock(p, e)
	for i := range out.Budget[0].Error { // one answer of outputs and state
		out.Budget[0].Error[i] = out.Bound(i)
	}
	out.Budget = out.Budget[:1]
	out.Want = append(out.Want, final.Want...)
	out.Budget[0].Error = append(out.Budget[0].Error, final.Budget[0].Error...)
	return append(got, state...), out
}

func mixturePipeline(c *pipelineTest) ([]float64, Answer) {
	const tokens, experts, k, dim, width = 3, 4, 2, 16, 8
	p := Mixture{
		Affine: Affine{Bits: 4, Group: 8}, Logits: c.values(tokens*experts, 1), X: c.values(tokens*dim, 1),
		Residual: c.values(tokens*dim, 1), Shared: c.values(tokens*dim, 1), SharedGate: c.values(tokens, 1),
		Tokens: tokens, Experts: experts, K: k, Dim: dim, Width: width,
	}
	matrix := func() Weights {
		var w Weights
		for range dim * width / 8 {
			w.Packed = append(w.Packed, c.r.Uint32())
		}
		w.Scales, w.Biases = c.values(dim*width/8, 0.05), c.values(dim*width/8, 0.2)
		return w
	}
	for range experts {
		p.Gate, p.Up, p.Down = append(p.Gate, matrix()), append(p.Up, matrix()), append(p.Down, matrix())
	}
	e := MixtureErrors{
		Router: c.bounds(tokens*k, 1), Weights: c.bounds(tokens*k, 1), Hidden: c.bounds(tokens*k*width, 1),
		Outputs: c.bounds(tokens*k*dim, 1), Sum: c.bounds(tokens*dim, 1), Out: c.bounds(tokens*dim, 1),
	}
	indices, weights := RouterTopK(p.Logits, experts, k, Contract{})
	routed := c.off(NormalizeRows(c.off(weights.Want, e.Router), k, Contract{}).Want, e.Weights)
	sum := make([]float64, tokens*dim)
	for slot, expert := range indices.Want {
		i := int(expert)
		p.Chosen = append(p.Chosen, uint32(i))
		t := slot / k
		h := GateUpSwiGLU(p.Affine, p.Gate[i], p.Up[i], p.X[t*dim:(t+1)*dim], dim, width, Contract{}).Want
		h = c.off(h, e.Hidden[slot*width:(slot+1)*width])
		y := DequantMatvec(p.Affine, p.Down[i].Packed, p.Down[i].Scales, p.Down[i].Biases, h, width, dim,
			Contract{}).Want
		y = c.off(y, e.Outputs[slot*dim:(slot+1)*dim])
		sum = BucketAccumulate(sum, y, []int{t}, routed[slot:slot+1], dim, Contract{}).Want
	}
	got := CombineTokens(p.Residual, c.off(sum, e.Sum), p.Shared, p.SharedGate, Contract{}).Want
	return c.off(got, e.Out), MixtureLayer(p, e)
}

func chunkedPipeline(c *pipelineTest) ([]float64, Answer) {
	l := Chunks{B: 1, T: 24, Hg: 1, H: 2, K: 8, V: 4, BT: 8}
	rows := l.T * l.H
	p := ChunkedDelta{
		Chunks: l, Q: c.bf16(l.T*l.K, 0.35), K: c.bf16(l.T*l.K, 0.35), V: c.bf16(rows*l.V, 1),
		G: c.between(rows, -0.3, 0), Beta: c.between(rows, 0, 1), State: c.values(l.H*l.V*l.K, 0.3), Scale: 0.35,
	}
	e := ChunkedDeltaErrors{
		Sums: c.bounds(rows, 1), A: c.bounds(rows*l.BT, 1), X: c.bounds(rows*l.BT, 1), W: c.bounds(rows*l.K, 1),
		U: c.bounds(rows*l.V, 1),
		H: c.bounds(3*l.H*l.V*l.K, 1), VNew: c.bounds(rows*l.V, 1), Final: c.bounds(l.H*l.V*l.K, 1),
		O: c.bounds(rows*l.V, 1),
	}
	lower := func(e []float64, from int) {
		for i := range e {
			if i%l.BT > i/l.BT/l.H%l.BT-from {
				e[i] = 0
			}
		}
	}
	lower(e.A, 1)
	lower(e.X, 1)
	sums := c.off(ChunkCumsum(p.G, l, Contract{}).Want, e.Sums)
	a := c.off(ChunkKKT(p.K, p.Beta, sums, l, Contract{}).Want, e.A)
	e.Inverse = c.off(ChunkInverse(a, l, Contract{}).Want, e.X)
	wExact, uExact := ChunkWU(p.K, p.V, p.Beta, sums, e.Inverse, l, Contract{})
	w, u := c.off(wExact.Want, e.W), c.off(uExact.Want, e.U)
	h, vNew, final := ChunkState(p.K, w, u, sums, p.State, l, Contract{})
	o := ChunkOutput(p.Q, p.K, c.off(vNew.Want, e.VNew), c.off(h.Want, e.H), sums, p.Scale, l, Contract{})
	got := append(c.off(o.Want, e.O), c.off(final.Want, e.Final)...)
	out, state := ChunkedDeltaRule(p, e)
	out.Want = append(out.Want, state.Want...)
	for i := range out.Budget {
		out.Budget[i].Error = append(out.Budget[i].Error, state.Budget[i].Error...)
	}
	return got, out
}
