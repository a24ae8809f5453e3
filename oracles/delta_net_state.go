package oracles

import (
	"math"

	"metalconform/oracles/internal/loops"
)

// ChunkState is stage 5, the state from chunk to chunk and the values that each
// chunk adds to it. With h = h0 before the first chunk, each chunk does
//
//	h_out = r(h);   v'_t = u_t − w_t·hᵀ;   v_new = r(v')
//	h ← h·e^{G_last} + Σ_t r(v'_t·e^{G_last − G_t})·k_tᵀ
//
// and the final state is h after the last one.
//
// The budget of a row of h is known in two ways. By elements, e_c: what a chunk
// adds comes from coefficients a_t = r(v'_t·γ_t) with γ_t = e^{G_last − G_t}, each
// exact unless a midpoint of bfloat16 is near, and
//
//	e'_c = e^{G_last}·e_c + Σ_t E_t·|k_tc| + rounding,   E_t the error of a_t
//
// By the norm ε of the whole row, which does not explode over many chunks:
// rounding aside, the error d of a row becomes M·d with
//
//	M = e^{G_last}·I − Σ_t γ_t·k_t·w_tᵀ,   ε' = ‖M‖₂·ε + ‖K‖₂·‖D‖₂ + rounding
//
// where D_t is how far a_t is off that linear map: its own rounding in f32, and
// the difference of two roundings to bfloat16, of at most one ulp. Where a_t is
// exact, D_t is just γ_t·‖w_t‖·ε, the map itself. An element is within the
// smaller of the two.
//
// Statistically the error of h is systematic: nearly all of it comes from jumps of
// roundings to bfloat16, which are few and large. The final state therefore has
// only the rigorous bound.
func ChunkState(k, w, u, g, h0 []float64, p Chunks, c Contract) (h, vNew, final Answer) {
	m := c.arithmetic().coarser()
	states := p.B * p.H * p.V * p.K
	h = newAnswer(states*(p.T/p.BT), storedLabels()...).ofSums()
	vNew = newAnswer(p.B*p.T*p.H*p.V, storedLabels()...).ofSums()
	final = newRigorousAnswer(states, "‖ĥ−h‖₂ of the row").ofSums()
	rows := make([]stateRow, p.V)
	p.each(func(ch chunk) {
		if ch.first == 0 {
			for i := range rows {
				rows[i] = m.startRow(h0[ch.finalAt(i) : ch.finalAt(i)+p.K])
			}
		}
		update := ch.update(m, k, w, g, rows)
		values := columns(ch.rows(u, p.V))
		for i := range rows {
			if i%loops.Panel == 0 {
				update.read(rows[i:min(i+loops.Panel, len(rows))])
			}
			for d := range p.K {
				ch.stored(m, h, ch.stateAt(i)+d, rows[i].element(d))
				h.Scale[ch.stateAt(i)+d] = rows[i].scale[d]
			}
			update.advance(&rows[i], i%loops.Panel, values[i], func(t int, y approx, scale float64) {
				ch.stored(m, vNew, ch.at(t, p.V)+i, y)
				vNew.Scale[ch.at(t, p.V)+i] = scale
			})
			if ch.first+p.BT == p.T {
				for d := range p.K {
					y := rows[i].element(d)
					final.set(ch.finalAt(i)+d, y.v, openUnlessFinite(y.v, y.e))
					final.Scale[ch.finalAt(i)+d] = rows[i].scale[d]
				}
			}
		}
	})
	return h, vNew, final
}

// stateRow is one row of h: exact values, a bound on the error of each, and one
// on the norm of all errors.
type stateRow struct {
	vector
	eps   float64
	scale []float64 // Σ|terms| of each element
}

func (m *arithmetic) startRow(h []float64) stateRow {
	r := stateRow{vector: vector{v: h, e: make([]float64, len(h))}, scale: make([]float64, len(h))}
	for i, x := range h {
		r.e[i], r.scale[i] = m.operand(exactly(x)).e, math.Abs(x)
	}
	r.eps = norm(r.e)
	return r
}

// element is element i with its error.
func (r *stateRow) element(i int) approx { return bounded(r.v[i], min(r.e[i], r.eps)) }

// negative are the elements of −h.
func (r *stateRow) negative() []float64 {
	v := make([]float64, len(r.v))
	for i, x := range r.v {
		v[i] = -x
	}
	return v
}

// chunkUpdate is what all rows of h share in one chunk.
type chunkUpdate struct {
	chunk
	*arithmetic
	keys, reads []vector // k_t and w_t
	readNorms   []float64
	gates       []approx // γ_t
	keep        approx   // e^{G_last}
	keyGrid     float64
	keyGain     float64 // ‖K‖₂
	gain        float64 // ‖M‖₂; not needed while all rows are exact

	products innerPanel // of w_t with the rows of a panel
}

// read multiplies some rows of h, as they are before the chunk, by all w_t.
func (s *chunkUpdate) read(rows []stateRow) {
	list := make([][]float64, len(rows))
	for i := range rows {
		list[i] = rows[i].v
	}
	s.products.right(s.K, list...)
	s.products.left(s.BT, func(t int) []float64 { return s.reads[t].v })
}

func (c chunk) update(m *arithmetic, k, w, g []float64, rows []stateRow) *chunkUpdate {
	sums := c.scalars(g)
	last := sums[c.BT-1]
	s := &chunkUpdate{chunk: c, arithmetic: m, keys: vectors(c.keys(k)), reads: vectors(c.rows(w, c.K)),
		keyGrid: math.Inf(1), products: innerPanel{loops: m.loops}}
	for t := range c.BT {
		s.gates = append(s.gates, m.decayFrom(sums[t], last))
		s.readNorms = append(s.readNorms, norm(s.reads[t].v))
		s.keyGrid = min(s.keyGrid, s.keys[t].grid)
	}
	s.keep = m.exp(exactly(last))
	s.keyGain = largestGain(c.keys(k))
	for i := range rows {
		if rows[i].eps > 0 {
			s.gain = s.rowGain()
			break
		}
	}
	return s
}

// rowGain is ‖M‖₂.
func (s *chunkUpdate) rowGain() float64 {
	rows := make([][]float64, s.K)
	for i := range rows {
		rows[i] = make([]float64, s.K)
		rows[i][i] = s.keep.v
		for t, k := range s.keys {
			f := s.gates[t].v * k.v[i]
			for j, w := range s.reads[t].v {
				rows[i][j] -= float64(f * w)
			}
		}
	}
	return largestGain(rows)
}

// advance takes a row, which is row l of those read, through the chunk, given u by token, and hands v' to
// value with its scale.
func (s *chunkUpdate) advance(r *stateRow, l int, u []float64, value func(t int, y approx, scale float64)) {
	r.vector = vectorOf(r.v, r.e)
	added := make([]approx, s.BT) // a_t
	var squares float64           // ‖D‖₂²
	for t := range added {
		y, carried, scale := s.value(r, l, u[t], t)
		value(t, y, scale)
		z := s.mul(y, s.gates[t])
		added[t] = s.rounded(s.arithmetic, z)
		d := s.departure(z, added[t].e, math.Abs(s.gates[t].v)*carried)
		squares += float64(d * d)
	}
	local := s.apply(r, added)
	eps := float64(s.gain*r.eps) + float64(s.keyGain*math.Sqrt(squares)) + local
	if r.eps = min(norm(r.e), eps) * slack; math.IsNaN(r.eps) {
		r.eps = math.Inf(1)
	}
}

// vectorOf is a vector with known errors.
func vectorOf(v, e []float64) vector {
	x := exactVector(v)
	x.e = e
	return x
}

// value is v'_t, the part ‖w_t‖·ε of its error, and Σ|terms|.
func (s *chunkUpdate) value(r *stateRow, l int, u float64, t int) (y approx, carried, magnitude float64) {
	w, sums := s.reads[t], &s.products.sums[t]
	squares := sums.Squares[l]
	y.v = u - sums.Value[l]
	magnitude = sums.Magnitude[l] + math.Abs(u)
	own := exactly(y.v)
	if r.eps != 0 || !s.exactSum(min(w.grid*r.grid, lowestBit(u)), magnitude) {
		carried = float64(s.readNorms[t] * r.eps)
		own = s.added(y.v, 0, magnitude+carried, squares+float64(u*u), terms(w, r.vector)+1, w.total+r.total+carried)
	}
	if s.tracer != nil {
		own = s.tracer.formed(inAnyOrder("read"), own, 0,
			func() []float64 { return append(termwise(w.v, r.negative()), u) })
	}
	y.e = carried + own.e
	y.moments = own.plus(moments{systematic: carried})
	return y, carried, magnitude
}

// departure is D_t, given v'·γ before it is rounded, the error of a_t, and
// γ·‖w_t‖·ε.
func (s *chunkUpdate) departure(z approx, e, linear float64) float64 {
	if math.IsInf(e, 1) || !finite(z.v) {
		return math.Inf(1)
	}
	own := max(z.e-linear, 0)
	rounding := min(e+z.e, BF16.spacing(math.Abs(z.v)+z.e))
	return min(own+rounding, e+linear)
}

// apply turns h into h·e^{G_last} + Σ a_t·k_tᵀ with the errors of the elements,
// and returns the norm of the errors made here.
func (s *chunkUpdate) apply(r *stateRow, added []approx) (local float64) {
	sum, inherited, magnitude := make([]float64, s.K), make([]float64, s.K), make([]float64, s.K)
	counts, all := make([]int, s.K), 0 // of products that are not 0 for certain; all counts for each
	a := roundedVector(added)
	var factors float64
	for t, x := range added {
		keys := s.keys[t]
		factors += math.Abs(x.v) + x.e + keys.largest
		for d, k := range keys.v {
			p := float64(x.v * k)
			sum[d] += p
			magnitude[d] += math.Abs(p)
		}
		if x.e != 0 {
			for d, k := range keys.v {
				inherited[d] += float64(x.e * math.Abs(k))
			}
		}
		switch {
		case a.zero(t):
		case keys.dense:
			all++
		default:
			for d, k := range keys.v {
				if k != 0 {
					counts[d]++
				}
			}
		}
	}
	certain := r.eps == 0 && a.e == nil && s.keep == exactly(1)
	grid := min(a.grid*s.keyGrid, r.grid)
	v, e := make([]float64, s.K), make([]float64, s.K)
	for d := range v {
		old := r.element(d)
		r.scale[d] = magnitude[d] + math.Abs(s.keep.v*old.v)
		v[d] = float64(s.keep.v*old.v) + sum[d]
		total := magnitude[d] + inherited[d] + float64((s.keep.v+s.keep.e)*(math.Abs(old.v)+old.e))
		rounded := exactly(v[d])
		if !certain || !s.exactSum(grid, total) {
			rounded = s.added(v[d], 0, total, 0, all+counts[d]+1, factors+s.keep.v+math.Abs(old.v))
		}
		if s.tracer != nil {
			rounded = s.tracer.formed(inAnyOrder("update"), rounded, 0,
				func() []float64 { return s.updates(old.v, added, d) })
		}
		own := float64(s.keep.e*(math.Abs(old.v)+old.e)) + rounded.e
		e[d] = float64(s.keep.v*old.e) + inherited[d] + own
		local += float64(own * own)
	}
	r.v, r.e = v, e
	return math.Sqrt(local)
}

// updates are the terms of channel d of h after the chunk, given what it was.
func (s *chunkUpdate) updates(old float64, added []approx, d int) []float64 {
	terms := []float64{s.keep.v * old}
	for t, a := range added {
		terms = append(terms, a.v*s.keys[t].v[d])
	}
	return terms
}
