package oracles

import "math/big"

// of is the chunk of element i of an array [B, T, H, n], with its token and its
// place in the innermost dimension.
func (p *Chunks) of(i, n int) (c chunk, t, at int) {
	token := i / n / p.H
	return chunk{p, token / p.T, i / n % p.H, token % p.T / p.BT * p.BT}, token % p.BT, i % n
}

// decay is e^{to − from} for two running sums of log-decays.
func decay(from, to float64) number { return num(to).minus(num(from)).exp() }

// ExactChunkCumsum is the exact twin of [ChunkCumsum].
func ExactChunkCumsum(g []float64, p Chunks) Exact {
	return func(i int) *big.Float {
		c, t, _ := p.of(i, 1)
		logs := c.scalars(g)
		return sumOf(t+1, func(j int) number { return num(logs[j]) }).Float
	}
}

// ExactChunkKKT is the exact twin of [ChunkKKT].
func ExactChunkKKT(k, beta, g []float64, p Chunks) Exact {
	return func(at int) *big.Float {
		c, i, j := p.of(at, p.BT)
		if j >= i {
			return num(0).Float
		}
		keys, sums, gate := c.keys(k), c.scalars(g), num(c.scalars(beta)[i])
		return sumOf(p.K, func(d int) number {
			return num(keys[i][d]).times(gate).to(BF16).times(num(keys[j][d]))
		}).times(decay(sums[j], sums[i])).Float
	}
}

// ExactChunkInverse is the exact twin of [ChunkInverse]: column j of the inverse
// by substitution.
func ExactChunkInverse(a []float64, p Chunks) Exact {
	return func(at int) *big.Float {
		c, i, j := p.of(at, p.BT)
		if i < j {
			return num(0).Float
		}
		rows, x := c.rows(a, p.BT), []number{num(1)} // from row j on
		for m := j + 1; m <= i; m++ {
			x = append(x, innerNumbers(x, rows[m][j:]).negated())
		}
		return x[i-j].Float
	}
}

// ExactChunkWU are the exact twins of [ChunkWU].
func ExactChunkWU(k, v, beta, g, x []float64, p Chunks) (w, u Exact) {
	solved := func(at, n int, operand func(c chunk, t, d int) number) *big.Float {
		c, i, d := p.of(at, n)
		row := c.rows(x, p.BT)[i]
		return sumOf(i+1, func(t int) number { return num(row[t]).times(operand(c, t, d).to(BF16)) }).Float
	}
	w = func(at int) *big.Float {
		return solved(at, p.K, func(c chunk, t, d int) number {
			return num(c.keys(k)[t][d]).times(num(c.scalars(beta)[t])).times(num(c.scalars(g)[t]).exp())
		})
	}
	u = func(at int) *big.Float {
		return solved(at, p.V, func(c chunk, t, d int) number {
			return num(c.rows(v, p.V)[t][d]).times(num(c.scalars(beta)[t]))
		})
	}
	return w, u
}

// ExactChunkOutput is the exact twin of [ChunkOutput].
func ExactChunkOutput(q, k, v, h, g []float64, scale float64, p Chunks) Exact {
	return func(at int) *big.Float {
		c, i, d := p.of(at, p.V)
		query, keys, values, sums := c.keys(q)[i], c.keys(k), c.rows(v, p.V), c.scalars(g)
		carried := innerOf(query, c.state(h)[d]).times(num(sums[i]).exp())
		within := sumOf(i+1, func(j int) number {
			score := innerOf(query, keys[j]).times(decay(sums[j], sums[i])).to(BF16)
			return score.times(num(values[j][d]))
		})
		return carried.plus(within).times(num(scale)).Float
	}
}

// ExactChunkState are the exact twins of [ChunkState].
func ExactChunkState(k, w, u, g, h0 []float64, p Chunks) (h, vNew, final Exact) {
	run := exactState{p, k, w, u, g, h0}
	h = func(at int) *big.Float {
		row := at / p.K
		batch, block, head := row/p.V/p.H/(p.T/p.BT), row/p.V/p.H%(p.T/p.BT), row/p.V%p.H
		return run.before(chunk{&p, batch, head, block * p.BT}, row%p.V)[at%p.K].Float
	}
	vNew = func(at int) *big.Float {
		c, t, i := p.of(at, p.V)
		return run.added(c, run.before(c, i), t, i).Float
	}
	final = func(at int) *big.Float {
		row := at / p.K
		return run.before(chunk{&p, row / p.V / p.H, row / p.V % p.H, p.T}, row%p.V)[at%p.K].Float
	}
	return h, vNew, final
}

// exactState is the recurrence of [ChunkState] for one row at a time.
type exactState struct {
	Chunks
	k, w, u, g, h0 []float64
}

// before is row i of h at the start of a chunk.
func (s *exactState) before(c chunk, i int) []number {
	first := c.finalAt(i)
	row := nums(s.h0[first : first+s.K])
	for at := (chunk{c.Chunks, c.batch, c.head, 0}); at.first < c.first; at.first += s.BT {
		row = s.after(at, row, i)
	}
	return row
}

// after is row i of h at the end of a chunk, given it at the start.
func (s *exactState) after(c chunk, row []number, i int) []number {
	sums, keys := c.scalars(s.g), c.keys(s.k)
	last := sums[s.BT-1]
	next, keep := make([]number, s.K), num(last).exp()
	for d := range next {
		next[d] = row[d].times(keep)
	}
	for t := range s.BT {
		a := s.added(c, row, t, i).times(decay(sums[t], last)).to(BF16)
		for d := range next {
			next[d] = next[d].plus(a.times(num(keys[t][d])))
		}
	}
	return next
}

// added is v'_t for row i of h.
func (s *exactState) added(c chunk, row []number, t, i int) number {
	return num(c.rows(s.u, s.V)[t][i]).minus(innerNumbers(row, c.rows(s.w, s.K)[t]))
}
