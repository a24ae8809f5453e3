package oracles

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRouterAgreesWithTorch compares the choice with torch's, which is sorted.
func TestRouterAgreesWithTorch(t *testing.T) {
	a := load(t, "router")
	experts, k := a["logits"].Shape[1], a["weights"].Shape[1]
	indices, weights := RouterTopK(a["logits"].Data, experts, k, Contract{})
	for first := 0; first < len(weights.Want); first += k {
		order := make([]int, k)
		for i := range order {
			order[i] = first + i
		}
		slices.SortFunc(order, func(i, j int) int { return -int(math.Copysign(1, weights.Want[i]-weights.Want[j])) })
		for s, i := range order {
			if indices.Want[i] != a["indices"].Data[first+s] {
				t.Fatalf("row %d: expert %v, want %v", first/k, indices.Want[i], a["indices"].Data[first+s])
			}
			agree(t, "weight", []float64{weights.Want[i]}, []float64{a["weights"].Data[first+s]})
		}
	}
	agree(t, "normalised", NormalizeRows(a["weights"].Data, k, Contract{}).Want, a["normalised"].Data)
}

// TestRouterSlots are choices in the defined order of slots.
func TestRouterSlots(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	close := make([]float64, 100)
	for i := range close {
		close[i] = 1 + float64(i)*0x1p-30
	}
	for _, c := range []struct {
		name   string
		logits []float64
		k      int
		want   []float64
		open   []bool
	}{
		{"first slots fill in order", []float64{0, 5, 1}, 3, []float64{0, 1, 2}, nil},
		{"a larger one takes the smallest slot", []float64{0, 5, 1, 7}, 3, []float64{3, 1, 2}, nil},
		{"of equal slots the first is the smallest", []float64{1, 1, 9}, 2, []float64{2, 1}, nil},
		{"an equal one takes nothing", []float64{1, 1, 1, 1}, 2, []float64{0, 1}, nil},
		{"a close call is open where it matters", []float64{3, 1, math.Nextafter(1, 2)}, 2, []float64{0, 2},
			[]bool{false, true}},
		{"NaN takes no slot", []float64{1, nan, 3}, 2, []float64{0, 0}, nil},
		{"infinity makes NaN", []float64{1, inf, 3}, 1, []float64{0}, nil},
		{"a hundred close calls that do not matter", append(close, 9), 1, []float64{100}, []bool{false}},
		{"a hundred close calls that do", close, 1, []float64{99}, []bool{true}},
	} {
		indices, weights := RouterTopK(c.logits, len(c.logits), c.k, Contract{})
		agree(t, c.name, indices.Want, c.want)
		for s := range c.want {
			open := c.open != nil && c.open[s]
			if math.IsInf(indices.Bound(s), 1) != open || math.IsInf(weights.Bound(s), 1) != open {
				t.Errorf("%s: slot %d has bounds %v and %v", c.name, s, indices.Bound(s), weights.Bound(s))
			}
		}
	}
}

// TestSigmoidBudget evaluates the gate in f32 up to where the exponential
// overflows and compares with math/big.
func TestSigmoidBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	gates := []float64{0, -88.72284, -88.5, -87, 88, 100, -100, -1e4, 1e4, 1e-40, math.Inf(1), math.Inf(-1)}
	for range 500 {
		gates = append(gates, float64(float32(240*r.Float64()-120)))
	}
	x := make([]float64, len(gates))
	var got, halved, plain []float32
	for i, g := range gates {
		x[i] = 1.5
		e := float32(math.Exp(-float64(float32(g))))
		got = append(got, 1.5*(1/(1+e)))
		halved = append(halved, 1.5*float32(BF16.Round(float64(1/(1+e)))))
		plain = append(plain, 1.5*float32(1/(1+math.Exp(g))))
	}
	a := SigmoidGate(x, gates, Contract{})
	within(t, "sigmoid", a, got)
	beyond(t, "sigmoid rounded to bf16", a, halved)
	beyond(t, "sign of the gate dropped", a, plain)
	for i, g := range gates {
		if math.IsInf(g, 0) {
			continue
		}
		if want := bigSigmoid(g); math.Abs(a.Want[i]/1.5-want) > 1e-13*want {
			t.Errorf("σ(%v) = %v, want %v", g, a.Want[i]/1.5, want)
		}
	}
}

// TestSwiGLU compares with math/big where the exponential is far from and near
// its ends.
func TestSwiGLU(t *testing.T) {
	gates := []float64{-90, -87, -20, -1, -1e-20, 0, 0.5, 3, 60, 100}
	up := make([]float64, len(gates))
	for i := range up {
		up[i] = 3
	}
	a := SwiGLU(gates, up, Contract{})
	var got, swapped []float32
	for i, g := range gates {
		if want := 3 * g * bigSigmoid(g); math.Abs(a.Want[i]-want) > 1e-13*math.Abs(want) {
			t.Errorf("silu(%v)·3 = %v, want %v", g, a.Want[i], want)
		}
		e := float32(math.Exp(-g))
		got = append(got, float32(g)/(1+e)*3)
		swapped = append(swapped, 1/(1+e)*3)
	}
	within(t, "swiglu", a, got)
	beyond(t, "sigmoid for silu", a, swapped)
}

// TestResidualAdd compares with the sum that hardware makes in f32.
func TestResidualAdd(t *testing.T) {
	for seed, family := range families {
		r := source("residual", seed)
		x, y := inputs(r, family, F32, 200), inputs(r, family, F32, 200)
		sum, cut := make([]float32, len(x)), make([]float32, len(x))
		for i := range x {
			sum[i] = float32(x[i]) + float32(y[i])
			cut[i] = bfloat(sum[i])
		}
		a := ResidualAdd(x, y, Contract{})
		within(t, "sum of "+family, a, sum)
		if family == "normal" {
			beyond(t, "sum in bf16", a, cut)
		}
	}
}

// bigSigmoid is 1/(1 + e^{−x}) with e^{−x} as (e^{−x/2ᵏ})^{2ᵏ} by its series.
func bigSigmoid(x float64) float64 {
	const prec, halvings = 400, 20
	y := new(big.Float).SetPrec(prec).SetFloat64(-x)
	y.SetMantExp(y, -halvings)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for n := 1; n < 60; n++ {
		term.Quo(term.Mul(term, y), big.NewFloat(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	sum.Add(sum, big.NewFloat(1))
	out, _ := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), sum).Float64()
	return out
}

// TestCombineBudget adds experts in f32, faithfully and with their sum in bf16.
func TestCombineBudget(t *testing.T) {
	const dim, k = 40, 6
	c := Contract{Sums: map[string]Schedule{"experts": Sequential()}}
	for seed := range 8 {
		r := source("combine", seed)
		h, shared, x, w := inputs(r, "normal", F32, dim), inputs(r, "wide", F32, dim),
			inputs(r, "cancelling", F32, dim*k), inputs(r, "normal", F32, k)
		gate := float64(float32(r.NormFloat64()))
		a := Combine(h, shared, x, w, &gate, c)
		eval := func(acc rounding) []float32 {
			out := make([]float32, dim)
			for i := range out {
				var sum float32
				for e := range k {
					sum = acc(sum + float32(float32(w[e])*float32(x[e*dim+i])))
				}
				gamma := 1 / (1 + float32(math.Exp(-gate)))
				out[i] = float32(h[i]) + sum + float32(gamma*float32(shared[i]))
			}
			return out
		}
		within(t, fmt.Sprint("combine ", seed), a, eval(single))
		beyond(t, fmt.Sprint("combine in bf16 ", seed), a, eval(bfloat))
		agree(t, "without experts and gate", Combine(h, shared, nil, nil, nil, c).Want, add(h, shared))
		agree(t, "one token of several", CombineTokens(h, make([]float64, dim), shared, []float64{gate}, c).Want,
			Combine(h, shared, nil, nil, &gate, c).Want)
		agree(t, "experts alone", WeightedSum(x, w, dim, c).Want,
			Combine(make([]float64, dim), make([]float64, dim), x, w, nil, c).Want)
	}
}

func add(x, y []float64) []float64 {
	z := make([]float64, len(x))
	for i := range x {
		z[i] = x[i] + y[i]
	}
	return z
}

func TestBucketAccumulate(t *testing.T) {
	sum := []float64{1, 2, 3, 4, 5, 6}
	got := BucketAccumulate(sum, []float64{10, 20, 30, 40}, []int{2, 0}, []float64{0.5, 2}, 2, Contract{})
	agree(t, "sum", got.Want, []float64{61, 82, 3, 4, 10, 16})
	if got.Bound(2) != 0 || got.Bound(3) != 0 {
		t.Error("a token outside the bucket may change")
	}
}

// TestCombineReassociated begins the sum with the residual, beside which each expert's output
// is rounded away: what a compiler that may reassociate can do, and the source does not.
func TestCombineReassociated(t *testing.T) {
	h, shared, x, weights := []float64{1}, []float64{0}, make([]float64, 16), make([]float64, 16)
	for k := range x {
		x[k], weights[k] = 0x1p-25, 1
	}
	beyond(t, "as it is written", Combine(h, shared, x, weights, nil, Contract{}), []float32{1})
	within(t, "reassociated", Combine(h, shared, x, weights, nil, Contract{}.Transformed(true, false)), []float32{1})
}
