package oracles

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestDecayBetaAgreesWithTorch(t *testing.T) {
	a := load(t, "decay_beta")
	decay, gate := DecayBeta(a["alpha"].Data, a["beta"].Data, a["A_log"].Data, a["dt_bias"].Data, Contract{})
	agree(t, "g_decay", decay.Want, a["g_decay"].Data)
	agree(t, "beta_gate", gate.Want, a["beta_gate"].Data)
}

func TestConv1DAgreesWithTorch(t *testing.T) {
	a := load(t, "conv1d")
	state, input := a["state"].Data, a["input"].Data
	channels := a["input"].Shape[1]
	agree(t, "out", Conv1D(state, input, a["weight"].Data, channels, Contract{}).Want, a["out"].Data)
	agree(t, "new_state", ConvState(state, input, channels).Want, a["new_state"].Data)
}

// TestConvStateShort carries the state through fewer tokens than it has rows.
func TestConvStateShort(t *testing.T) {
	state, input := []float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12, 13, 14}
	for n, want := range [][]float64{{1, 2, 3, 4, 5, 6}, {3, 4, 5, 6, 7, 8}, {5, 6, 7, 8, 9, 10}, {7, 8, 9, 10, 11, 12},
		{9, 10, 11, 12, 13, 14}} {
		a := ConvState(state, input[:2*n], 2)
		agree(t, fmt.Sprintf("%d tokens", n), a.Want, want)
		if !a.Exact {
			t.Errorf("%d tokens: a copy has to be exact", n)
		}
	}
}

// softplusForm is a way to evaluate softplus in f32.
type softplusForm func(x float32) float32

func splitSoftplus(x float32) float32 {
	y := exp32(-abs32(x))
	w := 1 + y
	tail := y
	if w != 1 {
		tail = log32(w) * (y / (w - 1))
	}
	return max(x, 0) + tail
}

func plainSoftplus(x float32) float32      { return log32(1 + exp32(x)) }
func tailessSoftplus(x float32) float32    { return max(x, 0) + log32(1+exp32(-abs32(x))) }
func cutSoftplus(x float32) float32        { return max(x, 0) }
func abs32(x float32) float32              { return float32(math.Abs(float64(x))) }
func logistic32(x float32) float32         { return 1 / (1 + exp32(-x)) }
func mirroredLogistic32(x float32) float32 { return exp32(x) / (1 + exp32(x)) }

func decayBeta32(alpha, beta, aLog, dtBias []float32, softplus softplusForm,
	sigmoid func(float32) float32) (decay, gate []float32) {
	for i, x := range alpha {
		h := i % len(aLog)
		decay = append(decay, exp32(-(exp32(aLog[h]) * softplus(x+dtBias[h]))))
		gate = append(gate, sigmoid(beta[i]))
	}
	return decay, gate
}

// uniform draws n numbers of the format from [lo, hi).
func uniform(r *rand.Rand, f Format, n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f.Round(lo + (hi-lo)*r.Float64())
	}
	return x
}

func TestDecayBetaBudget(t *testing.T) {
	const tokens, heads = 50, 7
	for _, f := range []struct {
		name           string
		alpha, a, bias [2]float64
		fails          map[string]softplusForm
	}{
		{"model", [2]float64{-6, 6}, [2]float64{-4, 3}, [2]float64{-5, 1},
			map[string]softplusForm{"no tail": cutSoftplus}},
		{"far", [2]float64{-100, 100}, [2]float64{-4, 3}, [2]float64{-1, 1}, nil},
		{"tail", [2]float64{-24, -8}, [2]float64{8, 16}, [2]float64{-1, 1},
			map[string]softplusForm{"plain": plainSoftplus, "ln(1+y)": tailessSoftplus, "no tail": cutSoftplus}},
		{"large", [2]float64{90, 100}, [2]float64{-9, -4}, [2]float64{0, 1},
			map[string]softplusForm{"plain": plainSoftplus}},
	} {
		r := source(f.name, 1)
		alpha, beta := uniform(r, F32, tokens*heads, f.alpha[0], f.alpha[1]), uniform(r, F32, tokens*heads, -100, 100)
		aLog, bias := uniform(r, F32, heads, f.a[0], f.a[1]), uniform(r, BF16, heads, f.bias[0], f.bias[1])
		decay, gate := DecayBeta(alpha, beta, aLog, bias, Contract{})
		d, g := decayBeta32(narrow(alpha), narrow(beta), narrow(aLog), narrow(bias), splitSoftplus, logistic32)
		within(t, f.name+" decay", decay, d)
		within(t, f.name+" gate", gate, g)
		for name, softplus := range f.fails {
			d, _ := decayBeta32(narrow(alpha), narrow(beta), narrow(aLog), narrow(bias), softplus, logistic32)
			beyond(t, f.name+" "+name, decay, d)
		}
		_, g = decayBeta32(narrow(alpha), narrow(beta), narrow(aLog), narrow(bias), splitSoftplus, mirroredLogistic32)
		beyond(t, f.name+" overflowing sigmoid", gate, g)
	}
}

// TestDecayBetaOverflow has e^A beyond every f32: what becomes of the decay is
// left open, and no bound is NaN.
func TestDecayBetaOverflow(t *testing.T) {
	for _, aLog := range []float64{89, 1e3, 1e6} {
		decay, _ := DecayBeta([]float64{-200, -1, 1}, make([]float64, 3), []float64{aLog}, []float64{0}, Contract{})
		for i := range decay.Want {
			if b := decay.Bound(i); !math.IsInf(b, 1) {
				t.Errorf("A_log = %g: bound of decay %d is %g, want +Inf", aLog, i, b)
			}
		}
	}
}

func TestDecayBetaNonFinite(t *testing.T) {
	r := source("gates", 1)
	in := map[string][]float64{
		"alpha": inputs(r, "normal", F32, 12), "beta": inputs(r, "normal", F32, 12),
		"A_log": inputs(r, "normal", F32, 3), "dt_bias": inputs(r, "normal", BF16, 3),
	}
	spoiled(in, func(name string) {
		decay, gate := DecayBeta(in["alpha"], in["beta"], in["A_log"], in["dt_bias"], Contract{})
		d, g := decayBeta32(narrow(in["alpha"]), narrow(in["beta"]), narrow(in["A_log"]), narrow(in["dt_bias"]),
			splitSoftplus, logistic32)
		strict(t, name+" decay", decay, d)
		strict(t, name+" gate", gate, g)
	})
}

// conv32 is the convolution with SiLU; fault tells which mistake to make.
func conv32(state, input, weights []float32, channels int, fault string) []float32 {
	virtual := append(append([]float32(nil), state...), input...)
	var out []float32
	for i := range input {
		t, c := i/channels, i%channels
		var sum float32
		for j := range convWidth {
			tap := j
			switch fault {
			case "mirrored":
				tap = convWidth - 1 - j
			case "three taps":
				if j == 0 {
					continue
				}
			}
			sum += float32(virtual[(t+j)*channels+c] * weights[c*convWidth+tap])
		}
		switch fault {
		case "no silu":
			out = append(out, sum)
		case "sigmoid":
			out = append(out, logistic32(sum))
		default:
			out = append(out, sum/(1+exp32(-sum)))
		}
	}
	return out
}

func TestConv1DBudget(t *testing.T) {
	const tokens, channels = 6, 33
	for _, family := range families {
		for seed := range 3 {
			r := source(family, seed)
			name := fmt.Sprintf("%s/seed=%d", family, seed)
			state, input := inputs(r, family, F32, 3*channels), inputs(r, family, F32, tokens*channels)
			weights := inputs(r, family, BF16, convWidth*channels)
			for _, c := range []Contract{{}, {Sums: map[string]Schedule{"taps": Sequential()}}} {
				a := Conv1D(state, input, weights, channels, c)
				within(t, name, a, conv32(narrow(state), narrow(input), narrow(weights), channels, ""))
				if family == "normal" {
					for _, fault := range []string{"mirrored", "three taps", "no silu", "sigmoid"} {
						beyond(t, name+" "+fault, a,
							conv32(narrow(state), narrow(input), narrow(weights), channels, fault))
					}
				}
			}
		}
	}
}

func TestConv1DNonFinite(t *testing.T) {
	const tokens, channels = 4, 5
	r := source("convolution", 1)
	in := map[string][]float64{
		"state": inputs(r, "normal", F32, 3*channels), "input": inputs(r, "normal", F32, tokens*channels),
		"weights": inputs(r, "normal", BF16, convWidth*channels),
	}
	spoiled(in, func(name string) {
		a := Conv1D(in["state"], in["input"], in["weights"], channels, Contract{})
		strict(t, name, a, conv32(narrow(in["state"]), narrow(in["input"]), narrow(in["weights"]), channels, ""))
	})
}

// softplus may be ln(1 + e^x) for a large x too, where the error of e^x counts, and not
// only e^{−|x|}.
func TestSoftplusOfAnyPower(t *testing.T) {
	m := Contract{}.arithmetic()
	for _, x := range []float64{-30, -3, 0, 3, 10, 40} {
		y := m.softplus(exactly(x))
		if off := math.Log1p(math.Exp(x)*(1+4*0x1p-23)) - y.v; off > y.e {
			t.Errorf("softplus(%g): an exponential that is 4 ulp off makes it %g off, and the bound is %g", x, off, y.e)
		}
		if short := math.Log1p(float64(float32(math.Exp(x)))) - 0x1p-12*y.v - y.v; -short < y.e {
			t.Errorf("softplus(%g): an error of 2⁻¹² is within the bound %g", x, y.e)
		}
	}
	if y, lost := m.softplus(exactly(-20)), F32.Round(math.Log(F32.Round(1+math.Exp(-20)))); math.Abs(lost-y.v) <= y.e {
		t.Error("softplus(-20): the tail may be lost")
	}
}
