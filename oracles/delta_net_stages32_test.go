package oracles

import "math"

// stages32 evaluates the stages of the chunk pipeline in f32, with sums in
// ascending order; fault tells which mistake to make, acc what an accumulator
// holds.
type stages32 struct {
	Chunks
	fault string
	acc   rounding
}

func truncated(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ 0xffff) }

// r is the rounding of an operand, stored that of an output.
func (s stages32) r(x float32) float32 {
	switch s.fault {
	case "operands not rounded":
		return x
	case "operands truncated":
		return truncated(x)
	}
	return bfloat(x)
}

func (s stages32) stored(x float32) float32 {
	if s.fault == "outputs truncated" {
		return truncated(x)
	}
	return bfloat(x)
}

// each calls do for all chunks; with the fault of a tiled mapping the chunk's
// key head is another.
func (s stages32) each(do func(chunk)) {
	s.Chunks.each(do)
}

func (s stages32) keys(c chunk, x []float64) [][]float32 {
	if s.fault == "tiled heads" {
		c.head = c.head % c.Hg * (c.H / c.Hg)
	}
	return narrowRows(c.keys(x))
}

func narrowRows(rows [][]float64) [][]float32 {
	out := make([][]float32, len(rows))
	for i, r := range rows {
		out[i] = narrow(r)
	}
	return out
}

func (s stages32) dot(a, b []float32) (sum float32) {
	for i, x := range a {
		sum = s.acc(sum + float32(x*b[i]))
	}
	return sum
}

func (s stages32) cumsum(g []float64) []float32 {
	out := make([]float32, len(g))
	var carried float32
	s.each(func(c chunk) {
		if s.fault != "no reset" || c.first == 0 {
			carried = 0
		}
		for t, x := range narrow(c.scalars(g)) {
			if s.fault == "exclusive" {
				out[c.at(t, 1)] = carried
			}
			carried = s.acc(carried + x)
			if s.fault != "exclusive" {
				out[c.at(t, 1)] = carried
			}
		}
	})
	return out
}

// masked is x where keep holds, else 0.
func (s stages32) masked(keep bool, x float32) float32 {
	if s.fault == "mask by multiplication" {
		if keep {
			return x * 1
		}
		return x * 0
	}
	if keep {
		return x
	}
	return 0
}

func (s stages32) decay(from, to float32) float32 {
	if s.fault == "no decay" {
		return 1
	}
	return exp32(to - from)
}

func (s stages32) kkt(k, beta, g []float64) []float32 {
	out := make([]float32, len(beta)*s.BT)
	s.each(func(c chunk) {
		keys, gates, sums := s.keys(c, k), narrow(c.scalars(beta)), narrow(c.scalars(g))
		for i := range s.BT {
			scaled := make([]float32, s.K)
			for d, x := range keys[i] {
				scaled[d] = s.r(x * gates[i])
			}
			for j := range s.BT {
				keep := i > j || s.fault == "diagonal" && i == j
				out[c.at(i, s.BT)+j] = s.masked(keep, s.decay(sums[j], sums[i])*s.dot(scaled, keys[j]))
			}
		}
	})
	return out
}

func (s stages32) inverse(a []float64) []float32 {
	out := make([]float32, len(a))
	s.each(func(c chunk) {
		rows := narrowRows(c.rows(a, s.BT))
		for j := range s.BT {
			x := make([]float32, s.BT)
			for i := range x {
				if i == j && s.fault != "no diagonal" {
					x[i] = 1
				}
				for l := j; l < i; l++ {
					if s.fault == "one sign" {
						x[i] = s.acc(x[i] + float32(rows[i][l]*x[l]))
					} else {
						x[i] = s.acc(x[i] - float32(rows[i][l]*x[l]))
					}
				}
				out[c.at(i, s.BT)+j] = x[i]
			}
		}
	})
	return out
}

func (s stages32) wu(k, v, beta, g, x []float64) (w, u []float32) {
	w, u = make([]float32, s.B*s.T*s.H*s.K), make([]float32, s.B*s.T*s.H*s.V)
	s.each(func(c chunk) {
		keys, values, inverse := s.keys(c, k), narrowRows(c.rows(v, s.V)), narrowRows(c.rows(x, s.BT))
		gates, sums := narrow(c.scalars(beta)), narrow(c.scalars(g))
		for t := range s.BT {
			for d := range keys[t] {
				switch e := s.decay(0, sums[t]); s.fault {
				case "rounded before the decay":
					keys[t][d] = bfloat(bfloat(keys[t][d]*gates[t]) * e)
				case "other order":
					keys[t][d] = s.r(keys[t][d] * float32(gates[t]*e))
				default:
					keys[t][d] = s.r(float32(keys[t][d]*gates[t]) * e)
				}
			}
			for d := range values[t] {
				values[t][d] = s.r(values[t][d] * gates[t])
			}
		}
		for i := range s.BT {
			solve := func(rows [][]float32, d int) float32 {
				var sum float32
				for j := range s.BT {
					sum = s.acc(sum + float32(inverse[i][j]*rows[j][d]))
				}
				return s.stored(sum)
			}
			for d := range s.K {
				w[c.at(i, s.K)+d] = solve(keys, d)
			}
			for d := range s.V {
				u[c.at(i, s.V)+d] = solve(values, d)
			}
		}
	})
	return w, u
}

func (s stages32) state(k, w, u, g, h0 []float64) (h, vNew, final []float32) {
	h, vNew = make([]float32, s.B*s.T/s.BT*s.H*s.V*s.K), make([]float32, s.B*s.T*s.H*s.V)
	final = narrow(h0)
	s.each(func(c chunk) {
		keys, reads, values := s.keys(c, k), narrowRows(c.rows(w, s.K)), narrowRows(c.rows(u, s.V))
		sums := narrow(c.scalars(g))
		last := sums[s.BT-1]
		for i := range s.V {
			row := final[c.finalAt(i) : c.finalAt(i)+s.K]
			before := append([]float32(nil), row...)
			added := make([]float32, s.BT)
			for t := range added {
				v := values[t][i] - s.dot(reads[t], before)
				gated := v * s.decay(sums[t], last)
				added[t] = s.r(gated)
				if s.fault == "gated values" {
					v = gated
				}
				vNew[c.at(t, s.V)+i] = s.stored(v)
			}
			for d := range row {
				var sum float32
				for t, a := range added {
					sum = s.acc(sum + float32(a*keys[t][d]))
				}
				row[d] = float32(row[d]*s.decay(0, last)) + sum
				if s.fault == "state in bf16" {
					row[d] = bfloat(row[d])
				}
				out := before[d]
				if s.fault == "state after the update" {
					out = row[d]
				}
				h[c.stateAt(i)+d] = s.stored(out)
			}
		}
	})
	return h, vNew, final
}

func (s stages32) output(q, k, v, h, g []float64, scale float32) []float32 {
	out := make([]float32, s.B*s.T*s.H*s.V)
	s.each(func(c chunk) {
		queries, keys, values, state := s.keys(c, q), s.keys(c, k), narrowRows(c.rows(v, s.V)), narrowRows(c.state(h))
		sums := narrow(c.scalars(g))
		for i := range s.BT {
			scores := make([]float32, s.BT)
			for j := range scores {
				keep := i > j || i == j && s.fault != "no diagonal"
				scores[j] = s.r(s.masked(keep, s.decay(sums[j], sums[i])*s.dot(queries[i], keys[j])))
			}
			for d := range s.V {
				sum := s.decay(0, sums[i]) * s.dot(queries[i], state[d])
				for j := range s.BT {
					sum = s.acc(sum + float32(scores[j]*values[j][d]))
				}
				out[c.at(i, s.V)+d] = s.stored(scale * sum)
			}
		}
	})
	return out
}
