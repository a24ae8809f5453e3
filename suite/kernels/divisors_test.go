package kernels

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// divisor is something that a kernel divides by, or a weight whose exponential it takes:
// one number for each row of an input. The quick sweep has to go from low to high.
type divisor struct {
	kernels   []string
	of        func(in *suite.Problem) []float64
	low, high float64
}

// divisors are those of the catalogue. A mean of squares ends where ε is all that
// counts, and where squares are near the largest number; a gate where its sigmoid is near
// the smallest normal number, and where it is 1; a softmax where one score has all
// the weight, and where all have the same.
func divisors() []divisor {
	const (
		squaresLow, squaresHigh = 1e-12, 1e24
		closed, open            = -87, 20
		sumLow, sumHigh         = 1e-30, 1e30
		positionsHigh           = 1e5 // as many positions, all of the same score
		oneHasAll, equal        = 1e-9, 1 - 1e-9
	)
	return []divisor{
		{[]string{"rms_norm_apply", "rms_norm_apply_bf16"}, func(in *suite.Problem) []float64 {
			return []float64{in.Values("sum_sq")[0] / in.Scalar("dim")}
		}, squaresLow, squaresHigh},
		{[]string{"rms_norm_bf16_fused_n_tokens"}, perRow("x", dim, meanSquare), squaresLow, squaresHigh},
		{[]string{"rms_norm_per_head_n_tokens"}, perRow("x", perHead, meanSquare), squaresLow, squaresHigh},
		{[]string{"rms_norm_qk"}, func(in *suite.Problem) []float64 {
			var squares []float64
			l := qkLayout(in.Shape)
			for token := range slices.Chunk(in.Values("x"), l.Stride) {
				for _, heads := range [][]float64{token[:l.Heads*l.Dim],
					token[l.KeyOffset : l.KeyOffset+l.Heads*l.Dim]} {
					squares = append(squares, eachRow(heads, l.Dim, meanSquare)...)
				}
			}
			return squares
		}, squaresLow, squaresHigh},
		{[]string{"gated_rms_norm"}, perRow("values", valueDim, meanSquare), squaresLow, squaresHigh},
		{[]string{"gated_rms_norm"}, perRow("z", single, first), closed, open},
		{[]string{"sigmoid_gate", "swiglu_fused", "swiglu_fused_batched", "swiglu_fused_vec4"},
			perRow("gate", single, first), closed, open},
		{[]string{"moe_combine_residual", "moe_combine_residual_flat"}, func(in *suite.Problem) []float64 {
			return in.Values("params")[sharedGate : sharedGate+1]
		}, closed, open},
		{[]string{"moe_combine_residual_n_tokens"}, perRow("shared_gate", single, first), closed, open},
		{[]string{"compute_decay_beta"}, perRow("beta_out", single, first), closed, open},
		{[]string{"attn_softmax_batched"}, func(in *suite.Problem) []float64 {
			return eachRow(in.Values("scores"), cacheRows.Size(in.Shape),
				func(row []float64) float64 { return spread(row[:in.Shape[seqLen]]) })
		}, oneHasAll, equal},
		{[]string{"attn_online_f32"}, func(in *suite.Problem) []float64 {
			s := in.Shape
			keys, width := in.Values("K"), keyWidth.Size(s)
			return ofFirstHead(seenKeys.Size(s), in.Scalar("scale"),
				func(p int) float64 { return dot(in.Values("Q")[:s[channels]], keys[p*width:]) })
		}, oneHasAll, equal},
		{[]string{"mla_sdpa_folded", "mla_sdpa_tile_accumulate"}, func(in *suite.Problem) []float64 {
			rank, rope := in.Shape[kvLoraRank], in.Shape[qkRope]
			latent, keys := in.Values("latent_cache"), in.Values("rope_k_cache")
			return ofFirstHead(in.Shape[cacheLen], in.Scalar("softmax_scale"), func(p int) float64 {
				return dot(in.Values("q_prime")[:rank], latent[p*rank:]) + dot(in.Values("q_pe")[:rope], keys[p*rope:])
			})
		}, oneHasAll, equal},
		{[]string{"moe_softmax_topk"}, perRow("logits", nExperts, spread), oneHasAll, equal},
		{[]string{"moe_normalize_weights"}, perRow("weights", k, sum), sumLow, sumHigh},
		{[]string{"mla_sdpa_tile_finalize"}, perRow("running_denom", single, first), sumLow, positionsHigh},
	}
}

// perRow is a number for each row of a width of an input.
func perRow(arg string, width suite.Extent, of func([]float64) float64) func(*suite.Problem) []float64 {
	return func(in *suite.Problem) []float64 { return eachRow(in.Values(arg), width.Size(in.Shape), of) }
}

func eachRow(x []float64, width int, of func([]float64) float64) []float64 {
	var list []float64
	for row := range slices.Chunk(x, width) {
		list = append(list, of(row))
	}
	return list
}

func first(row []float64) float64 { return row[0] }

func sum(row []float64) float64 {
	total := 0.0
	for _, x := range row {
		total += x
	}
	return total
}

func meanSquare(row []float64) float64 {
	total := 0.0
	for _, x := range row {
		total += float64(x * x)
	}
	return total / float64(len(row))
}

// spread is the weight of the last but one of the scores of a row, relative to the
// largest: 1 where the two are equal.
func spread(row []float64) float64 {
	sorted := slices.Sorted(slices.Values(row))
	n := len(sorted)
	if n < 2 {
		return math.NaN()
	}
	return math.Exp(sorted[n-2] - sorted[n-1])
}

// ofFirstHead is the spread of the scores of the first query's first head.
func ofFirstHead(positions int, scale float64, score func(p int) float64) []float64 {
	scores := make([]float64, positions)
	for p := range scores {
		scores[p] = scale * score(p)
	}
	return []float64{spread(scores)}
}

// dot is the product of x and the first elements of y.
func dot(x, y []float64) float64 {
	total := 0.0
	for i := range x {
		total += float64(x[i] * y[i])
	}
	return total
}

// TestDivisorsTakeTheirEnds demands that what a kernel divides by goes to its ends in the
// quick sweep.
func TestDivisorsTakeTheirEnds(t *testing.T) {
	source := ours(t)
	cases := map[string][]suite.Case{}
	for _, c := range casesWhere(func(c suite.Case) bool {
		return isLight(c) && launched(c) && !c.IsEnd() && mayDecide(c)
	}) {
		cases[c.Kernel.Name] = append(cases[c.Kernel.Name], c)
	}
	for _, d := range divisors() {
		for _, name := range d.kernels {
			of := cases[name]
			slices.SortStableFunc(of, func(a, b suite.Case) int { return cmp.Compare(operations(a), operations(b)) })
			low, high := false, false
			for _, c := range of {
				for _, x := range d.of(problem(t, source, c)) {
					low, high = low || x != 0 && x <= d.low, high || isFinite(x) && x >= d.high
				}
				if low && high {
					break
				}
			}
			if !low || !high {
				t.Errorf("%s: to %g %v, to %g %v", name, d.low, low, d.high, high)
			}
		}
	}
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// problem is what the oracle of a case is asked.
func problem(t *testing.T, source *suite.Shaders, c suite.Case) *suite.Problem {
	t.Helper()
	k := *c.Kernel
	k.Oracle = func(*suite.Problem) suite.Answers { return nil }
	c.Kernel = &k
	asked, err := kerneltest.Ask(source, c, 1)
	if err != nil {
		t.Fatal(err)
	}
	return asked.Problem
}
