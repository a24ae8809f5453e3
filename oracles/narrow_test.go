package oracles

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// narrowSum adds terms in the order of s, every result rounded.
func narrowSum(s Schedule, terms []float64, rounded func(float64) float64) float64 {
	lanes, block := max(s.Lanes, 1), max(s.Block, 1)
	sums := make([]float64, lanes)
	for i, t := range terms {
		l := i / block % lanes
		sums[l] = rounded(sums[l] + t)
	}
	for s.Tree && len(sums) > 1 {
		half := len(sums) / 2
		for i := range half {
			sums[i] = rounded(sums[i] + sums[i+half])
		}
		sums = sums[:half]
	}
	var total float64
	for group := range slices.Chunk(sums, max(s.Simd, 1)) {
		var own float64
		for _, x := range group {
			own = rounded(own + x)
		}
		total = rounded(total + own)
	}
	return total
}

// narrowDot is Σ aᵢ·bᵢ with factors, products and sums rounded.
func narrowDot(s Schedule, a, b []float64, rounded func(float64) float64) float64 {
	terms := make([]float64, len(a))
	for i, x := range a {
		terms[i] = rounded(rounded(x) * rounded(b[i]))
	}
	return narrowSum(s, terms, rounded)
}

// truncated is x towards zero in a format.
func (f Format) truncated(x float64) float64 {
	q := f.spacing(x)
	return math.Trunc(x/q) * q
}

// Honest sums in a narrow format keep both bounds, those that stand still too: a running
// sum of positive bfloat16 numbers does at 256 times a term.
func TestNarrowAccumulators(t *testing.T) {
	for _, f := range []Format{F16, BF16} {
		for _, s := range []Schedule{Sequential(), Strided(32, 1), Halved(64), AnyOrder()} {
			for _, family := range []string{"positive", "normal", "integers"} {
				for _, n := range []int{64, 1024} {
					c := Contract{Accumulators: f, Sums: map[string]Schedule{"row": s}}
					for seed := range 20 {
						name := fmt.Sprintf("%s, %s, %s, n=%d, seed %d", f, s, family, n, seed)
						r := source(name, seed)
						w, x := inputs(r, family, BF16, n), inputs(r, family, F32, n)
						a := MatVec(w, x, n, 1, c)
						got := narrowDot(s, w, x, f.Round)
						err := math.Abs(got - a.Want[0])
						likely, _ := a.Statistical(0)
						if !(err <= a.Bound(0) && err <= likely) {
							t.Errorf("%s: off by %.3g, rigorous bound %.3g, statistical %.3g", name, err, a.Bound(0),
								likely)
						}
						if wide := MatVec(w, x, n, 1, Contract{Sums: c.Sums}); family == "positive" && n == 1024 &&
							s == Sequential() && !(err > wide.Bound(0)) {
							t.Errorf("%s: no error that an f32 sum may not have", name)
						}
					}
				}
			}
		}
	}
}

// The bound of a narrow sum still tells rounding from truncating: 64 positive numbers in
// binary16 are far from standing still.
func TestNarrowTruncation(t *testing.T) {
	c := Contract{Accumulators: F16, Sums: map[string]Schedule{"row": Sequential()}}
	caught := 0
	for seed := range 20 {
		r := source("narrow truncation", seed)
		w, x := inputs(r, "positive", BF16, 256), slices.Repeat([]float64{1}, 256)
		a := MatVec(w, x, 256, 1, c)
		likely, _ := a.Statistical(0)
		if math.Abs(narrowDot(Sequential(), w, x, F16.truncated)-a.Want[0]) > likely {
			caught++
		}
	}
	if caught < 15 {
		t.Errorf("%d of 20 truncated sums break the statistical bound, want 15", caught)
	}
}

// Results in a narrow format keep the bounds of a contract that says so, and break those
// of one that does not.
func TestNarrowIntermediates(t *testing.T) {
	const n = 300
	for _, f := range []Format{F16, BF16} {
		c := Contract{Intermediates: f, Sums: map[string]Schedule{"square": Sequential(), "denominator": Sequential()}}
		wide := c
		wide.Intermediates = F32
		q := f.Round
		silu := func(z float64) float64 { return q(q(z) / q(1+q(math.Exp(-q(z))))) }
		for seed := range 5 {
			r := source("narrow", seed)
			x, y := inputs(r, "normal", F32, n), inputs(r, "normal", F32, n)
			eps := F32.Round(1e-5)
			var squares float64
			for _, v := range x {
				squares = float64(float32(squares) + float32(q(q(v)*q(v))))
			}
			root := q(1 / math.Sqrt(q(q(squares/n)+q(eps))))
			largest := slices.Max(x)
			var sum float64
			weights := make([]float64, n)
			for i, v := range x {
				weights[i] = q(math.Exp(q(q(v) - q(largest))))
				sum += weights[i]
			}
			var norm, gated, soft []float32
			for i, v := range x {
				norm = append(norm, float32(q(q(q(v)*root)*q(y[i]))))
				gated = append(gated, float32(q(silu(v)*q(y[i]))))
				soft = append(soft, float32(q(weights[i]/q(sum))))
			}
			for name, of := range map[string]struct {
				answer func(Contract) Answer
				got    []float32
			}{
				"RMSNorm":     {func(c Contract) Answer { return RMSNorm(x, y, eps, c) }, norm},
				"SwiGLU":      {func(c Contract) Answer { return SwiGLU(x, y, c) }, gated},
				"SoftmaxRows": {func(c Contract) Answer { return SoftmaxRows(x, n, n, c) }, soft},
			} {
				name = fmt.Sprintf("%s in %s, seed %d", name, f, seed)
				within(t, name, of.answer(c), of.got)
				beyond(t, name+" undeclared", of.answer(wide), of.got)
			}
		}
	}
}
