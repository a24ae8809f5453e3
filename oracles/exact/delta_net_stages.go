package exact

import (
	"math/big"

	"metalconform/oracles"
)

// chunk is one chunk of one batch and value head.
type chunk struct {
	oracles.Chunks
	batch, head, first int // first token in the batch
}

// chunkOf is the chunk of element i of an array [B, T, H, n], with its token and
// its index in the innermost dimension.
func chunkOf(p oracles.Chunks, i, n int) (c chunk, t, d int) {
	token := i / n / p.H
	return chunk{p, token / p.T, i / n % p.H, token % p.T / p.BT * p.BT}, token % p.BT, i % n
}

// token is row t of the chunk in an array [B, T, H, n].
func (c chunk) token(x []float64, t, n int) []float64 {
	at := ((c.batch*c.T+c.first+t)*c.H + c.head) * n
	return x[at : at+n]
}

// scalar is token t of the chunk in an array [B, T, H].
func (c chunk) scalar(x []float64, t int) float64 { return c.token(x, t, 1)[0] }

// key is row t of the chunk in an array [B, T, Hg, K].
func (c chunk) key(x []float64, t int) []float64 {
	at := ((c.batch*c.T+c.first+t)*c.Hg + c.head*c.Hg/c.H) * c.K
	return x[at : at+c.K]
}

// start is row i of the chunk's state in an array [B, T/BT, H, V, K].
func (c chunk) start(h []float64, i int) []float64 {
	at := (((c.batch*c.T+c.first)/c.BT*c.H+c.head)*c.V + i) * c.K
	return h[at : at+c.K]
}

// decay is e^{to − from} for two running sums of log-decays.
func decay(from, to float64) number { return num(to).minus(num(from)).exp() }

// ChunkCumsum is the high-precision reference of [oracles.ChunkCumsum].
func ChunkCumsum(g []float64, p oracles.Chunks) oracles.Reference {
	return func(i int) *big.Float {
		c, t, _ := chunkOf(p, i, 1)
		return sumOf(t+1, func(j int) number { return num(c.scalar(g, j)) }).Float
	}
}

// ChunkKKT is the high-precision reference of [oracles.ChunkKKT].
func ChunkKKT(k, beta, g []float64, p oracles.Chunks) oracles.Reference {
	return func(at int) *big.Float {
		c, i, j := chunkOf(p, at, p.BT)
		if j >= i {
			return num(0).Float
		}
		left, right, gate := c.key(k, i), c.key(k, j), num(c.scalar(beta, i))
		return sumOf(p.K, func(d int) number {
			return num(left[d]).times(gate).to(oracles.BF16).times(num(right[d]))
		}).times(decay(c.scalar(g, j), c.scalar(g, i))).Float
	}
}

// ChunkInverse is the high-precision reference of [oracles.ChunkInverse]: column j
// of the inverse by substitution.
func ChunkInverse(a []float64, p oracles.Chunks) oracles.Reference {
	return func(at int) *big.Float {
		c, i, j := chunkOf(p, at, p.BT)
		if i < j {
			return num(0).Float
		}
		x := []number{num(1)} // from row j on
		for m := j + 1; m <= i; m++ {
			x = append(x, innerNumbers(x, c.token(a, m, p.BT)[j:]).negated())
		}
		return x[i-j].Float
	}
}

// ChunkWU are the high-precision references of [oracles.ChunkWU].
func ChunkWU(k, v, beta, g, x []float64, p oracles.Chunks) (w, u oracles.Reference) {
	solved := func(at, n int, operand func(c chunk, t, d int) number) *big.Float {
		c, i, d := chunkOf(p, at, n)
		row := c.token(x, i, p.BT)
		return sumOf(i+1, func(t int) number { return num(row[t]).times(operand(c, t, d).to(oracles.BF16)) }).Float
	}
	w = func(at int) *big.Float {
		return solved(at, p.K, func(c chunk, t, d int) number {
			return num(c.key(k, t)[d]).times(num(c.scalar(beta, t))).times(num(c.scalar(g, t)).exp())
		})
	}
	u = func(at int) *big.Float {
		return solved(at, p.V, func(c chunk, t, d int) number {
			return num(c.token(v, t, p.V)[d]).times(num(c.scalar(beta, t)))
		})
	}
	return w, u
}

// ChunkOutput is the high-precision reference of [oracles.ChunkOutput].
func ChunkOutput(q, k, v, h, g []float64, scale float64, p oracles.Chunks) oracles.Reference {
	return func(at int) *big.Float {
		c, i, d := chunkOf(p, at, p.V)
		query, sum := c.key(q, i), c.scalar(g, i)
		carried := innerOf(query, c.start(h, d)).times(num(sum).exp())
		within := sumOf(i+1, func(j int) number {
			score := innerOf(query, c.key(k, j)).times(decay(c.scalar(g, j), sum)).to(oracles.BF16)
			return score.times(num(c.token(v, j, p.V)[d]))
		})
		return carried.plus(within).times(num(scale)).Float
	}
}

// ChunkState are the high-precision references of [oracles.ChunkState].
func ChunkState(k, w, u, g, h0 []float64, p oracles.Chunks) (h, vNew, final oracles.Reference) {
	run := chunkState{p, k, w, u, g, h0}
	h = func(at int) *big.Float {
		row := at / p.K
		batch, block, head := row/p.V/p.H/(p.T/p.BT), row/p.V/p.H%(p.T/p.BT), row/p.V%p.H
		return run.before(chunk{p, batch, head, block * p.BT}, row%p.V)[at%p.K].Float
	}
	vNew = func(at int) *big.Float {
		c, t, i := chunkOf(p, at, p.V)
		return run.added(c, run.before(c, i), t, i).Float
	}
	final = func(at int) *big.Float {
		row := at / p.K
		return run.before(chunk{p, row / p.V / p.H, row / p.V % p.H, p.T}, row%p.V)[at%p.K].Float
	}
	return h, vNew, final
}

// chunkState is the recurrence of [oracles.ChunkState] for one row at a time.
type chunkState struct {
	oracles.Chunks
	k, w, u, g, h0 []float64
}

// before is row i of h at the start of a chunk.
func (s *chunkState) before(c chunk, i int) []number {
	first := ((c.batch*c.H+c.head)*c.V + i) * c.K
	row := nums(s.h0[first : first+s.K])
	for at := (chunk{c.Chunks, c.batch, c.head, 0}); at.first < c.first; at.first += s.BT {
		row = s.after(at, row, i)
	}
	return row
}

// after is row i of h at the end of a chunk, given it at the start.
func (s *chunkState) after(c chunk, row []number, i int) []number {
	last := c.scalar(s.g, s.BT-1)
	next, keep := make([]number, s.K), num(last).exp()
	for d := range next {
		next[d] = row[d].times(keep)
	}
	for t := range s.BT {
		a := s.added(c, row, t, i).times(decay(c.scalar(s.g, t), last)).to(oracles.BF16)
		addProducts(next, a, reading(c.key(s.k, t)))
	}
	return next
}

// added is v'_t for row i of h.
func (s *chunkState) added(c chunk, row []number, t, i int) number {
	return num(c.token(s.u, t, s.V)[i]).minus(innerNumbers(row, c.token(s.w, t, s.K)))
}
