package oracles

import "math"

// MixtureLayer is the dense mixture over the chosen experts,
//
//	out[t] = residual[t] + Σ_s w[t, s]·expert_s(x[t]) + σ(gate[t])·shared[t]
//	w      = softmax(logits)[chosen] / Σ,   expert(x) = down·(silu(gate·x)·(up·x))
//
// The choice is the kernel's: it is judged where it is made. The budget says how
// far the errors of the stages reach, to all orders. With e the router's errors
// and S the sum of a token's probabilities, a weight p_s/S takes
//
//	(e_s + p_s/S·Σe)/(S − Σe) + its own error
//
// the down projection |W|·e of the hidden values, and a product w·y
// e_w·|y| + (|w| + e_w)·e_y.
func MixtureLayer(p Mixture, e MixtureErrors) Answer {
	a := newRigorousAnswer(p.Tokens*p.Dim, "router", "experts", "accumulation", "combination")
	for t := range p.Tokens {
		weights, passed := p.weights(t, e)
		sums := make([]accumulator, p.Dim)
		router, experts := make([]float64, p.Dim), make([]float64, p.Dim)
		for s, w := range weights {
			slot := t*p.K + s
			y, ey := p.expert(t, int(p.Chosen[slot]), e.Hidden[slot*p.Width:(slot+1)*p.Width])
			for i := range y {
				own := ey[i] + e.Outputs[slot*p.Dim+i]
				sums[i] = sums[i].plus(w * y[i])
				router[i] += float64(passed[s] * math.Abs(y[i]))
				experts[i] += float64((math.Abs(w) + passed[s]) * own)
			}
		}
		gate := 1 / (1 + math.Exp(-p.SharedGate[t]))
		for i := range p.Dim {
			at := t*p.Dim + i
			want := p.Residual[at] + sums[i].value() + float64(gate*p.Shared[at])
			a.set(at, want, router[i], experts[i], e.Sum[at], e.Out[at])
		}
	}
	return a
}

// Mixture is a layer of quantised experts for several tokens, each served by the
// experts that its router chose.
type Mixture struct {
	Affine
	Logits         []float64 // [tokens, experts]
	Chosen         []uint32  // [tokens, k]
	X              []float64 // [tokens, dim]
	Gate, Up, Down []Weights // by expert: [width, dim], [width, dim], [dim, width]

	Residual, Shared []float64 // [tokens, dim]
	SharedGate       []float64 // [tokens], before the sigmoid

	Tokens, Experts, K, Dim, Width int
}

// MixtureErrors are the errors that each kernel may have made, given the inputs
// that it got: bounds by element of its output.
type MixtureErrors struct {
	Router, Weights []float64 // [tokens, k]
	Hidden          []float64 // of SwiGLU, [tokens, k, width]
	Outputs         []float64 // of the down projection, [tokens, k, dim]
	Sum             []float64 // of all accumulations, [tokens, dim]
	Out             []float64 // [tokens, dim]
}

// weights are a token's weights with their errors.
func (p Mixture) weights(t int, e MixtureErrors) (w, errs []float64) {
	all := softmax(p.Logits[t*p.Experts : (t+1)*p.Experts])
	var sum, total float64
	for s := range p.K {
		slot := t*p.K + s
		w = append(w, all[p.Chosen[slot]])
		sum += w[s]
		total += e.Router[slot]
	}
	for s := range w {
		w[s] /= sum
		passed := math.Inf(1)
		if sum > total {
			passed = (e.Router[t*p.K+s] + float64(w[s]*total)) / (sum - total)
		}
		errs = append(errs, passed+e.Weights[t*p.K+s])
	}
	return w, errs
}

// expert is an expert's output for a token, and what the errors of its hidden
// values make of it.
func (p Mixture) expert(t, expert int, hidden []float64) (y, errs []float64) {
	x := p.X[t*p.Dim : (t+1)*p.Dim]
	h := GateUpSwiGLU(p.Affine, p.Gate[expert], p.Up[expert], x, p.Dim, p.Width, Contract{}).Want
	w := p.Down[expert]
	y, errs = make([]float64, p.Dim), make([]float64, p.Dim)
	for r := range p.Dim {
		var sum accumulator
		for i := range p.Width {
			at := r*p.Width + i
			group := at / p.Group
			v := float64(p.Value(w.Packed[at/p.PerWord()], at%p.PerWord())*w.Scales[group]) + w.Biases[group]
			sum = sum.plus(v * h[i])
			errs[r] += float64(math.Abs(v) * hidden[i])
		}
		y[r] = sum.value()
	}
	return y, errs
}
