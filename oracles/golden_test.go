package oracles

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"metalconform/fixtures/golden"
)

// agree holds every element of got to 1e-12 of the largest element of want.
func agree(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d elements, want %d", what, len(got), len(want))
	}
	scale := floats.Norm(want, math.Inf(1))
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-12*scale) {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], w)
		}
	}
}

// transposed swaps the last two dimensions of a.
func transposed(a golden.Array) []float64 {
	n := len(a.Shape)
	rows, cols := a.Shape[n-2], a.Shape[n-1]
	out := make([]float64, len(a.Data))
	for i, x := range a.Data {
		m, r, c := i/(rows*cols), i/cols%rows, i%cols
		out[m*rows*cols+c*rows+r] = x
	}
	return out
}

// goldenDelta is a golden gated delta rule as a problem: its log-decay is −g, q
// is scaled by 1/√K there, and its state is [K, V].
func goldenDelta(t *testing.T, name string) (p DeltaNet, a map[string]golden.Array) {
	a = load(t, name)
	q, v := a["q"], a["v"]
	p = DeltaNet{
		K: a["k"].Data, V: v.Data, Beta: a["beta"].Data, State: transposed(a["state0"]),
		Seqs: q.Shape[0], T: q.Shape[1], Hk: q.Shape[2], Hv: q.Shape[2], Dk: q.Shape[3], Dv: v.Shape[3],
		Mapping: TiledHeads,
	}
	for _, x := range q.Data {
		p.Q = append(p.Q, x/math.Sqrt(float64(p.Dk)))
	}
	for _, g := range a["g"].Data {
		p.Rate = append(p.Rate, -g)
	}
	return p, a
}

func TestGatedDeltaAgreesWithTransformers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"delta_short", "delta_ragged", "delta_model", "delta_strong"} {
		t.Run(name, func(t *testing.T) {
			p, a := goldenDelta(t, name)
			output, state := GatedDelta(p, Contract{})
			agree(t, "output", output.Want, a["o"].Data)
			agree(t, "output of the chunked form", output.Want, a["o_chunk"].Data)
			agree(t, "state", state.Want, transposed(a["state"]))
			for i, g := range p.Rate {
				p.Rate[i] = math.Exp(-g)
			}
			p.Decay, p.Rate = p.Rate, nil
			output, state = GatedDelta(p, Contract{Chunk: 16})
			agree(t, "output of direct decays", output.Want, a["o"].Data)
			agree(t, "state of direct decays", state.Want, transposed(a["state"]))
		})
	}
}

func TestRMSNormAgreesWithTorch(t *testing.T) {
	a := load(t, "rms_norm_gated")
	agree(t, "out", RMSNorm(a["x"].Data, a["weight"].Data, 1e-6, Contract{}).Want, a["plain"].Data)
	agree(t, "gated", GatedRMSNorm(a["x"].Data, a["z"].Data, a["weight"].Data, 1e-6, Contract{}).Want, a["out"].Data)
	var inTwoPasses []float64
	for n := len(a["weight"].Data); len(inTwoPasses) < len(a["x"].Data); {
		row := a["x"].Data[len(inTwoPasses):][:n]
		inTwoPasses = append(inTwoPasses, RMSNormApply(row, a["weight"].Data, SumOfSquares(row, Contract{}).Want[0], n,
			1e-6, Contract{}).Want...)
	}
	agree(t, "in two passes", inTwoPasses, a["plain"].Data)
	ones := make([]float64, len(a["weight"].Data))
	for i := range ones {
		ones[i] = 0.25
	}
	keys := RMSNormQK(a["x"].Data, QKNorm{Heads: 1, Dim: 128, KeyOffset: 128, Stride: 384}, 0.25, 1e-6, Contract{}).Want
	scaled := RMSNorm(a["x"].Data, ones, 1e-6, Contract{}).Want
	agree(t, "keys", keys[128:256], scaled[128:256])
	agree(t, "values stay", keys[256:384], a["x"].Data[256:384])
	for i := range scaled {
		scaled[i] *= 0.25
	}
	agree(t, "queries", keys[:128], scaled[:128])
}

// TestMLAAgreesWithTorch folds the projections into the queries, attends in
// tiles, and unfolds the result.
func TestMLAAgreesWithTorch(t *testing.T) {
	for _, name := range []string{"mla_small", "mla_long"} {
		a := load(t, name)
		heads, nope := a["q_nope"].Shape[0], a["q_nope"].Shape[1]
		positions, rank := a["latent"].Shape[0], a["latent"].Shape[1]
		vd := a["out"].Shape[1]
		rows := func(h, first, n int) *mat.Dense { // of a head's key and value rows
			at := (h*(nope+vd) + first) * rank
			return mat.NewDense(n, rank, a["kv_b"].Data[at:at+n*rank])
		}
		p := MLA{
			QPe: a["q_pe"].Data, Latent: a["latent"].Data, RopeK: a["rope_k"].Data, QPrime: make([]float64, heads*rank),
			Heads: heads, Rank: rank, Rope: a["q_pe"].Shape[1], Scale: a["scale"].Data[0],
		}
		for h := range heads {
			query := mat.NewVecDense(nope, a["q_nope"].Data[h*nope:(h+1)*nope])
			mat.NewVecDense(rank, p.QPrime[h*rank:(h+1)*rank]).MulVec(rows(h, 0, nope).T(), query)
		}
		for _, tiles := range [][][2]int{{{0, positions}},
			{{0, 7}, {7, 7}, {7, positions - 1}, {positions - 1, positions}}} {
			_, denom, values := MLATile(p, MLAState{}, tiles, true, Contract{})
			combined := MLAFinalize(values.Want, denom.Want, heads, rank, Contract{}).Want
			var out []float64
			for h := range heads {
				var values mat.VecDense
				values.MulVec(rows(h, nope, vd), mat.NewVecDense(rank, combined[h*rank:(h+1)*rank]))
				out = append(out, values.RawVector().Data...)
			}
			agree(t, name, out, a["out"].Data)
		}
	}
}
