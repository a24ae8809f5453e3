package oracles

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// ChunkedDeltaRule is the recurrence of [GatedDelta] with the decay e^g and
// queries scaled: the outputs [B, T, H, V] and the state after the last token.
// It knows no chunks and no rounding.
//
// The budget says how far the stages' errors reach, and what their roundings r
// to bfloat16 do, to all orders. With the unit roundoff b of bfloat16, a sum of
// exponents off by at most x, and E for the error of what a letter names:
//
//	stage 2   E_A ≤ e^{G_i−G_j}·S·((1+b)·e^x − 1),   S = Σ|k_i·β_i·k_j|
//	stage 3   (I+Â)⁻¹ − X = −X·(Â − A)·(I+Â)⁻¹, so that E_X ≤ |X|·E_A·|(I+Â)⁻¹|
//	stage 4   E_w ≤ E_X·(|z| + E_z) + |X|·E_z,   z = k·β·e^G,   E_z = |z|·((1+b)·e^x − 1)
//	stage 5   ε' = ‖M‖₂·ε + ‖K‖₂·‖D‖₂ + e^{G_last}·(e^x − 1)·(‖h‖ + ε) for a row of h, where
//	          M  = e^{G_last}·I − Σ_t γ_t·k_t·w_tᵀ and
//	          D_t = γ_t·(E_u + ‖E_w‖·(‖h‖ + ε)) + γ_t·((1+b)·e^x − 1)·(|v'| + E_v'),
//	          E_v' = E_u + ‖E_w‖·(‖h‖ + ε) + ‖w_t‖·ε
//	stage 6   E_o ≤ scale·(e^{G_i}·(e^x·‖q‖·E_h + (e^x − 1)·|q·h|)
//	          + Σ_j |s_ij|·(((1+b)·e^x − 1)·(|v'_j| + E_v') + E_v')),   s_ij = e^{G_i−G_j}·q_i·k_j
//
// each plus the stage's own error. Every rounding to bfloat16 that may meet a
// subnormal number is charged the smallest normal one.
func ChunkedDeltaRule(p ChunkedDelta, e ChunkedDeltaErrors) (o, final Answer) {
	decay, q := make([]float64, len(p.G)), make([]float64, len(p.Q))
	for i, g := range p.G {
		decay[i] = math.Exp(g)
	}
	for i, x := range p.Q {
		q[i] = p.Scale * x
	}
	output, state := GatedDelta(DeltaNet{
		Q: q, K: p.K, V: p.V, Decay: decay, Beta: p.Beta, State: p.State,
		Seqs: p.B, T: p.T, Hk: p.Hg, Hv: p.H, Dk: p.Chunks.K, Dv: p.Chunks.V, Mapping: BlockHeads,
	}, Contract{})
	o, final = newRigorousAnswer(len(output.Want), "earlier stages", "last stage"),
		newRigorousAnswer(len(state.Want), "earlier stages", "state")
	copy(o.Want, output.Want)
	copy(final.Want, state.Want)
	var rows []pipelineRow
	p.Chunks.each(func(ch chunk) {
		if ch.first == 0 {
			rows = make([]pipelineRow, ch.V)
			for i := range rows {
				rows[i].h = append([]float64(nil), p.State[ch.finalAt(i):ch.finalAt(i)+ch.K]...)
			}
		}
		s := newPipelineChunk(ch, p, e)
		for i := range rows {
			before := rows[i]
			values, errs := s.advance(&rows[i], i)
			s.outputs(before, values, errs, i, o)
			if ch.first+ch.BT == ch.T {
				for d := range ch.K {
					final.set(ch.finalAt(i)+d, state.Want[ch.finalAt(i)+d], rows[i].eps, e.Final[ch.finalAt(i)+d])
				}
			}
		}
	})
	return o, final
}

// ChunkedDelta is the gated delta rule by the six stages of the chunk pipeline,
// in the layout of [Chunks]. G is the log-decay of each token.
type ChunkedDelta struct {
	Chunks
	Q, K, V, G, Beta []float64
	State            []float64 // h0
	Scale            float64   // of the queries
}

// ChunkedDeltaErrors are the errors that each stage may have made, given the
// inputs that it got: bounds by element of its output.
type ChunkedDeltaErrors struct {
	Sums, A, X, W, U, H, VNew, Final, O []float64

	Inverse []float64 // what the third stage made, X̂ itself
}

// tiny is what a rounding of a subnormal bfloat16 may do, flushed or not.
const tiny = 0x1p-126

// pipelineRow is a row of h and a bound on the norm of its error.
type pipelineRow struct {
	h   []float64
	eps float64
}

// pipelineChunk is what all rows of h share in one chunk: exact values, and the
// errors of what the stages made of them.
type pipelineChunk struct {
	chunk
	p                ChunkedDelta
	e                ChunkedDeltaErrors
	sums, sumErrors  []float64 // G
	q, k             [][]float64
	x, ex            [][]float64 // X
	w, ew, u, eu     [][]float64
	gain, keyGain    float64     // ‖M‖₂, ‖K‖₂
	gates, gateDrift []float64   // γ_t, and (1+b)·e^x − 1 of it
	keep             float64     // e^{G_last}
	scores, drift    [][]float64 // |s_ij| without the scale, and (1+b)·e^x − 1 of it

	queryNorms, readNorms, readErrors []float64 // ‖q_t‖, ‖w_t‖, ‖E_w‖ of row t
}

// roundedBy is (1+b)·e^x − 1: what rounding to bfloat16 does to a number that is
// off by a factor within e^{±x}.
func roundedBy(x float64) float64 {
	b := BF16.UnitRoundoff()
	return float64(math.Expm1(x)*(1+b)) + b
}

func newPipelineChunk(ch chunk, p ChunkedDelta, e ChunkedDeltaErrors) *pipelineChunk {
	s := &pipelineChunk{chunk: ch, p: p, e: e, q: ch.keys(p.Q), k: ch.keys(p.K), sumErrors: ch.scalars(e.Sums)}
	var sum accumulator
	for _, g := range ch.scalars(p.G) {
		sum = sum.plus(g)
		s.sums = append(s.sums, sum.value())
	}
	s.inverse()
	beta, v := ch.scalars(p.Beta), ch.rows(p.V, ch.V)
	s.w, s.ew = s.solved(ch.K, e.W, func(t, d int) (z, err float64) {
		z = s.k[t][d] * beta[t] * math.Exp(s.sums[t])
		return z, float64(math.Abs(z)*roundedBy(s.sumErrors[t])) + tiny
	})
	s.u, s.eu = s.solved(ch.V, e.U, func(t, d int) (z, err float64) {
		z = v[t][d] * beta[t]
		return z, float64(math.Abs(z)*roundedBy(0)) + tiny
	})
	last := ch.BT - 1
	s.keep = math.Exp(s.sums[last])
	for t := range ch.BT {
		s.gates = append(s.gates, math.Exp(s.sums[last]-s.sums[t]))
		s.gateDrift = append(s.gateDrift, roundedBy(s.sumErrors[last]+s.sumErrors[t]))
	}
	s.keyGain = largestGain(s.k)
	s.gain = s.rowGain()
	s.queryNorms, s.readNorms, s.readErrors = norms(s.q), norms(s.w), norms(s.ew)
	s.score()
	return s
}

// norms are the norms of rows.
func norms(rows [][]float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = norm(r)
	}
	return out
}

// score is what stage 6 makes of the queries and the keys.
func (s *pipelineChunk) score() {
	s.scores, s.drift = make([][]float64, s.BT), make([][]float64, s.BT)
	for i, q := range s.q {
		for j := range i + 1 {
			s.scores[i] = append(s.scores[i], math.Exp(s.sums[i]-s.sums[j])*math.Abs(dot(q, s.k[j])))
			s.drift[i] = append(s.drift[i], roundedBy(s.sumErrors[i]+s.sumErrors[j]))
		}
	}
}

// inverse is stages 2 and 3.
func (s *pipelineChunk) inverse() {
	n := s.BT
	beta := s.scalars(s.p.Beta)
	a, ea := make([][]float64, n), make([][]float64, n)
	largest := make([]float64, n)
	made, own := s.rows(s.e.Inverse, n), s.rows(s.e.X, n)
	for i := range n {
		a[i], ea[i] = make([]float64, n), make([]float64, n)
		largest[i] = floats.Norm(s.k[i], math.Inf(1))
		for j := range i {
			inner, magnitude, _ := products(s.k[i], s.k[j])
			decay, x := math.Exp(s.sums[i]-s.sums[j]), s.sumErrors[i]+s.sumErrors[j]
			a[i][j] = decay * beta[i] * inner
			ea[i][j] =
				float64(decay*
					(float64(math.Abs(beta[i])*magnitude*roundedBy(x))+
						float64(math.Exp(x)*float64(s.K)*tiny*largest[j]))) + s.e.A[s.at(i, n)+j]
		}
	}
	s.x = lowerInverse(a)
	s.ex = make([][]float64, n)
	for i := range s.ex {
		s.ex[i] = append([]float64(nil), own[i]...)
		for l := range n {
			var reach float64 // (|X|·E_A)_il
			for m := l + 1; m <= i; m++ {
				reach += float64(math.Abs(s.x[i][m]) * ea[m][l])
			}
			for j := 0; j <= l && reach > 0; j++ {
				s.ex[i][j] += float64(reach * (math.Abs(made[l][j]) + own[l][j]))
			}
		}
	}
}

// solved is X·z and its error, for operands z [BT, n].
func (s *pipelineChunk) solved(n int, own []float64, operand func(t, d int) (z, err float64)) (y, ey [][]float64) {
	y, ey = make([][]float64, s.BT), make([][]float64, s.BT)
	for i := range y {
		y[i] = make([]float64, n)
		ey[i] = append([]float64(nil), own[s.at(i, n):s.at(i, n)+n]...)
	}
	for t := range s.BT {
		for d := range n {
			z, ez := operand(t, d)
			for i := t; i < s.BT; i++ {
				y[i][d] += float64(s.x[i][t] * z)
				ey[i][d] += float64(s.ex[i][t]*(math.Abs(z)+ez)) + float64(math.Abs(s.x[i][t])*ez)
			}
		}
	}
	return y, ey
}

// rowGain is ‖M‖₂.
func (s *pipelineChunk) rowGain() float64 {
	rows := make([][]float64, s.K)
	for i := range rows {
		rows[i] = make([]float64, s.K)
		rows[i][i] = s.keep
		for t, k := range s.k {
			f := s.gates[t] * k[i]
			for j, w := range s.w[t] {
				rows[i][j] -= float64(f * w)
			}
		}
	}
	return largestGain(rows)
}

// advance is stage 5 for row i of h: it returns v' by token with its errors.
func (s *pipelineChunk) advance(r *pipelineRow, i int) (values, errs []float64) {
	length := norm(r.h) + r.eps
	next := make([]float64, s.K)
	for d, x := range r.h {
		next[d] = float64(s.keep * x)
	}
	var squares float64
	for t := range s.BT {
		v := s.u[t][i] - dot(s.w[t], r.h)
		passed := s.eu[t][i] + float64(s.readErrors[t]*length)
		err := passed + float64(s.readNorms[t]*r.eps)
		values = append(values, v)
		errs = append(errs, err+s.e.VNew[s.at(t, s.V)+i])
		d := float64(s.gates[t]*(passed+float64(s.gateDrift[t]*(math.Abs(v)+err)))) + tiny
		squares += float64(d * d)
		f := v * s.gates[t]
		for c, k := range s.k[t] {
			next[c] += float64(f * k)
		}
	}
	eps := float64(s.gain*r.eps) + float64(s.keyGain*math.Sqrt(squares)) +
		float64(s.keep*math.Expm1(s.sumErrors[s.BT-1])*length)
	*r = pipelineRow{next, eps * slack}
	return values, errs
}

// outputs is stage 6 for row i of h as it was before the chunk.
func (s *pipelineChunk) outputs(before pipelineRow, values, errs []float64, i int, o Answer) {
	stored := before.eps + norm(s.e.H[s.stateAt(i):s.stateAt(i)+s.K])
	for t := range s.BT {
		q, x := s.q[t], s.sumErrors[t]
		err := math.Exp(s.sums[t]) *
			(float64(math.Exp(x)*s.queryNorms[t]*stored) + float64(math.Expm1(x)*math.Abs(dot(q, before.h))))
		for j, score := range s.scores[t] {
			made := math.Abs(values[j]) + errs[j]
			err += float64(score*(float64(s.drift[t][j]*made)+errs[j])) + float64(tiny*made)
		}
		at := s.at(t, s.V) + i
		o.set(at, o.Want[at], math.Abs(s.p.Scale)*err, s.e.O[at])
	}
}
