package oracles

import "math"

// MLA is folded multi-head latent attention over a cache: queries already
// projected into the latent space.
type MLA struct {
	QPrime []float64 // q'[heads, rank]
	QPe    []float64 // q_pe[heads, rope]
	Latent []float64 // L[positions, rank]
	RopeK  []float64 // K[positions, rope]

	Heads, Rank, Rope int
	Scale             float64
}

// MLAState is the running state of online softmax over tiles: for each head
// the maximum score m[heads], the denominator l[heads] and the weighted sum of
// values V[heads, rank].
type MLAState struct {
	Max, Denom, Values []float64
}

// MLATile adds the positions of tiles to a prior state:
//
//	s_t = scale·(q'_h·L_t + q_pe_h·K_t)
//	M   = max(m, max_t s_t)
//	l   ← l·e^{m−M} + Σ_t e^{s_t−M}
//	V   ← V·e^{m−M} + Σ_t e^{s_t−M}·L_t
//
// over all positions of all tiles at once; a tile is a half-open range of
// positions. With first the prior is (−∞, 0, 0), whatever is given.
//
// Special cases: without positions the prior is the result. A score of −∞
// contributes nothing. If all scores and the prior maximum are −∞, max is −∞
// and the rest is not specified. A score that is NaN or +∞ makes the head's
// denominator and values NaN; the maximum next to a NaN score is not specified.
//
// The budget follows the kernel tile after tile: see [onlineSoftmax]. A score is the
// contract's sum "score" of the latent products and then, from the first lane again, the
// RoPE products, times the scale; a tile's denominator is its sum "denominator", and its
// values are the sum "values" over the positions of the tile. The maximum inherits the
// error of the scores.
//
// Source: DeepSeek-AI, DeepSeek-V2, 2024, section 2.1.2 (absorbed projections).
func MLATile(p MLA, prior MLAState, tiles [][2]int, first bool, c Contract) (maximum, denom, values Answer) {
	maximum = newAnswer(p.Heads, "scores")
	denom = newAnswer(p.Heads, "scores", "exponentials", "carried state", "denominator").ofSums()
	values = newAnswer(p.Heads*p.Rank, "scores", "exponentials", "carried state", "values").ofSums()
	f := p.fold(c.Sum("score"))
	k := newOnlineSoftmax(p.Scale, c)
	carried := &prior
	if first {
		carried = nil
	}
	for h := range p.Heads {
		want := f.exact(h, carried, tiles)
		state := startState(carried, h, p.Rank)
		for _, t := range tiles {
			f.tile(k, &state, h, t)
		}
		if math.IsNaN(want.max) {
			state.max.e = math.Inf(1)
		}
		if math.IsInf(want.max, -1) && math.IsNaN(want.denom) {
			state.open()
		}
		maximum.set(h, want.max, state.max.e)
		maximum.setMoments(h, state.max.moments)
		denom.giveSum(h, want.denom, state.denom.absolute(state.max))
		denom.Scale[h] = math.Abs(want.denom)
		for i, v := range want.values {
			values.giveSum(h*p.Rank+i, v, state.values.at(i).absolute(state.max))
			values.Scale[h*p.Rank+i] = want.magnitudes[i]
		}
	}
	return maximum, denom, values
}

// MLAFinalize is the division that ends online softmax:
//
//	v_combine[h, i] = V[h, i] / l[h],  and 0 where l[h] = 0.
func MLAFinalize(values, denom []float64, heads, rank int, c Contract) Answer {
	a := newAnswer(heads*rank, "division")
	m := c.arithmetic()
	for h, l := range denom[:heads] {
		if l == 0 {
			continue
		}
		for i, v := range values[h*rank : (h+1)*rank] {
			y := m.div(exactly(v), exactly(l))
			a.set(h*rank+i, v/l, y.e)
			a.setMoments(h*rank+i, y.moments)
		}
	}
	return a.ofProducts()
}

// MLAFolded is the attention over a whole cache at once:
//
//	s_t = scale·(q'_h·L_t + q_pe_h·K_t),   v_combine[h] = Σ_t p_t·L_t,   p = softmax(s)
//
// Special cases: those of [MLATile]. Where all scores are −∞ the softmax has no
// value, and nothing is promised.
//
// The budget is that of a single tile and of the division that ends it, with
// the sums of [MLATile].
//
// Source: DeepSeek-AI, DeepSeek-V2, 2024, section 2.1.2.
func MLAFolded(p MLA, c Contract) Answer {
	a := newAnswer(p.Heads*p.Rank, attendedLabels()...).ofSums()
	all := [2]int{0, len(p.RopeK) / p.Rope}
	f := p.fold(c.Sum("score"))
	k := newOnlineSoftmax(p.Scale, c)
	for h := range p.Heads {
		want := f.exact(h, nil, [][2]int{all})
		state := startState(nil, h, p.Rank)
		f.tile(k, &state, h, all)
		for i, v := range want.values {
			a.Scale[h*p.Rank+i] = want.magnitudes[i] / want.denom
			if math.IsInf(want.max, -1) {
				a.set(h*p.Rank+i, v/want.denom, math.Inf(1))
				continue
			}
			sum, denom := state.values.at(i), state.denom
			sum.v, denom.v = v, want.denom
			k.attended(a, h*p.Rank+i, v/want.denom, sum, denom)
		}
	}
	return a
}

// attended is one head's exact state.
type attended struct {
	max, denom float64
	values     []float64
	magnitudes []float64 // Σ|wᵢvᵢ| of the values
}

// folded holds the queries and keys of an MLA as whole vectors: the latent
// part, zeros up to a multiple of the schedule's stride so that both parts
// begin in its first lane, the RoPE part.
type folded struct {
	MLA
	width         int
	queries, keys []float64
	products      factors // the keys
	values        *channels
}

func (p MLA) fold(s Schedule) folded {
	stride := max(s.Lanes, 1) * max(s.Block, 1)
	gap := (stride - p.Rank%stride) % stride
	f := folded{MLA: p, width: p.Rank + gap + p.Rope, values: newChannels(len(p.RopeK)/max(p.Rope, 1), p.Rank)}
	f.values.take(func(pos int) []float64 { return p.Latent[pos*p.Rank : (pos+1)*p.Rank] })
	f.queries = interleave(p.QPrime, p.Rank, gap, p.QPe, p.Rope)
	f.keys = interleave(p.Latent, p.Rank, gap, p.RopeK, p.Rope)
	f.products = newFactors(f.values.keys, f.key)
	return f
}

// interleave joins each row of a with the same row of b, gap zeros between.
func interleave(a []float64, na, gap int, b []float64, nb int) []float64 {
	var out []float64
	for len(a) > 0 || len(b) > 0 {
		out = append(append(append(out, a[:na]...), make([]float64, gap)...), b[:nb]...)
		a, b = a[na:], b[nb:]
	}
	return out
}

func (f folded) query(h int) []float64 { return f.queries[h*f.width : (h+1)*f.width] }
func (f folded) key(t int) []float64   { return f.keys[t*f.width : (t+1)*f.width] }

// tile adds a tile of positions to the state of head h.
func (f folded) tile(k *onlineSoftmax, s *runningState, h int, t [2]int) {
	k.tile(s, k.scored(t[0], t[1]-t[0], f.query(h), f.products), f.values, t[0])
}

// exact is the definition: softmax over the prior and all positions.
func (f folded) exact(h int, prior *MLAState, tiles [][2]int) attended {
	out := attended{max: math.Inf(-1), values: make([]float64, f.Rank), magnitudes: make([]float64, f.Rank)}
	if prior != nil {
		out.max, out.denom = prior.Max[h], prior.Denom[h]
		copy(out.values, prior.Values[h*f.Rank:(h+1)*f.Rank])
	}

	// 1. Scores and their maximum.
	var scores []float64
	var positions []int
	largest := out.max
	for _, t := range tiles {
		for pos := t[0]; pos < t[1]; pos++ {
			s := f.Scale * dot(f.query(h), f.key(pos))
			scores, positions = append(scores, s), append(positions, pos)
			largest = math.Max(largest, s)
		}
	}
	if len(scores) == 0 {
		return out
	}

	// 2. Exponents and their sum, the prior's first.
	var carried float64
	var denom accumulator
	if !math.IsInf(out.max, -1) {
		carried = math.Exp(out.max - largest)
		denom = denom.plus(out.denom * carried)
	}
	weights := make([]float64, len(scores))
	for j, s := range scores {
		weights[j] = math.Exp(s - largest)
		denom = denom.plus(weights[j])
	}

	// 3. Weighted values, the prior's first.
	sums, corrections, magnitudes := make([]float64, f.values.stride), make([]float64, f.values.stride),
		make([]float64, f.values.stride)
	if !math.IsInf(out.max, -1) {
		for i, v := range out.values {
			sums[i] = float64(v * carried)
			magnitudes[i] = math.Abs(sums[i])
		}
	}
	for j, pos := range positions {
		f.values.loops.Compensated(sums, corrections, magnitudes, f.values.row(pos), weights[j])
	}
	for i := range out.values {
		out.values[i], out.magnitudes[i] = accumulator{sums[i], corrections[i]}.value(), magnitudes[i]
	}
	out.max, out.denom = largest, denom.value()
	return out
}
