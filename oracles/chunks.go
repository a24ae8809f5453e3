package oracles

// Chunks is the layout of the chunk pipeline, which solves the gated delta rule
// of [GatedDelta] for chunks of BT tokens in six stages. There are B batches of
// T tokens, Hg key heads of K channels and H value heads of V channels; value
// head h reads key head h/(H/Hg). T is a multiple of BT, H of Hg.
//
//	g, G, beta  [B, T, H]          A, X  [B, T, H, BT]
//	q, k        [B, T, Hg, K]      h0, final state  [B, H, V, K]
//	w           [B, T, H, K]       h     [B, T/BT, H, V, K]
//	v, u, v_new, o  [B, T, H, V]
//
// Every stage is defined on its own inputs. r(x) is x rounded to bfloat16, and
// stands wherever the definition rounds. Sums are in f32, in any order. The
// definition leaves no other freedom, and the budget of a stage has three parts:
//
//   - running errors of the f32 arithmetic;
//   - r(x̂) of a computed x̂ inside a stage is r(x), unless a midpoint of bfloat16
//     is closer to x than the error of x̂: then it may be a neighbour, and one ulp
//     of that term enters (see [arithmetic.to]);
//   - an output in bfloat16 is compared with its exact value before the last
//     rounding: half an ulp, and what is inherited.
//
// Non-finite elements: an output that depends on one has to be non-finite; which
// of NaN and ±Inf is open. A product of matrices multiplies what the mask of its
// left operand makes zero, so outputs of earlier tokens of the chunk are open
// where a right operand is not finite.
//
// Source: Yang, Kautz and Hatamizadeh, Gated Delta Networks, 2024, section 3.3;
// the stages are those of the Flash Linear Attention library.
type Chunks struct {
	B, T, Hg, H, K, V, BT int

	unrounded bool // r(x) = x: the stages are then the recurrence itself
}

// rounded is r(a).
func (p *Chunks) rounded(m *arithmetic, a approx) approx {
	if p.unrounded {
		return a
	}
	return m.to(BF16, a)
}

// stored sets element i of a bfloat16 output to r(y).
func (p *Chunks) stored(m *arithmetic, a Answer, i int, y approx) {
	if p.unrounded {
		a.set(i, y.v, openUnlessFinite(y.v, y.e), 0)
		return
	}
	inherited, rounding := m.stored(BF16, y)
	a.set(i, y.v, inherited, rounding)
	if y.e == 0 && !(m.flush && m.below(y)) && BF16.between(y.v) {
		a.Even[i] = true
	}
	if finite(y.v) {
		a.setMoments(i, m.storedMoments(BF16, y))
	}
}

// storedLabels are the terms of the budget of a bfloat16 output.
func storedLabels() []string { return []string{"inherited", "rounding to bf16"} }

// chunk is one chunk of one batch and value head.
type chunk struct {
	*Chunks
	batch, head, first int // first token in the batch
}

// each calls do for all chunks, those of one batch and head in order.
func (p *Chunks) each(do func(chunk)) {
	for b := range p.B {
		for h := range p.H {
			for first := 0; first < p.T; first += p.BT {
				do(chunk{p, b, h, first})
			}
		}
	}
}

// at is the index of channel 0 of token t of the chunk in an array
// [B, T, H, n].
func (c chunk) at(t, n int) int {
	return ((c.batch*c.T+c.first+t)*c.H + c.head) * n
}

// rows are the chunk's tokens in an array [B, T, H, n].
func (c chunk) rows(x []float64, n int) [][]float64 {
	out := make([][]float64, c.BT)
	for t := range out {
		out[t] = x[c.at(t, n) : c.at(t, n)+n]
	}
	return out
}

// scalars are the chunk's tokens in an array [B, T, H].
func (c chunk) scalars(x []float64) []float64 {
	out := make([]float64, c.BT)
	for t := range out {
		out[t] = x[c.at(t, 1)]
	}
	return out
}

// keys are the chunk's tokens in an array [B, T, Hg, K].
func (c chunk) keys(x []float64) [][]float64 {
	out := make([][]float64, c.BT)
	for t := range out {
		first := ((c.batch*c.T+c.first+t)*c.Hg + c.head/(c.H/c.Hg)) * c.K
		out[t] = x[first : first+c.K]
	}
	return out
}

// state are the V rows of the chunk in an array [B, T/BT, H, V, K].
func (c chunk) state(h []float64) [][]float64 {
	out := make([][]float64, c.V)
	for i := range out {
		out[i] = h[c.stateAt(i) : c.stateAt(i)+c.K]
	}
	return out
}

// stateAt is the index of row i of the chunk's state in an array
// [B, T/BT, H, V, K].
func (c chunk) stateAt(i int) int {
	return (((c.batch*(c.T/c.BT)+c.first/c.BT)*c.H+c.head)*c.V + i) * c.K
}

// finalAt is the index of row i of the head in an array [B, H, V, K].
func (c chunk) finalAt(i int) int { return ((c.batch*c.H+c.head)*c.V + i) * c.K }
