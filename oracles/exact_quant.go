package oracles

import "math/big"

// weight is the decoded weight at a row and a column of a matrix of in columns.
func (f Affine) weight(w Weights, row, column, in int) number {
	at := row*in + column
	q := f.Value(w.Packed[at/f.PerWord()], at%f.PerWord())
	g := at / f.Group
	return num(q).times(num(w.Scales[g])).plus(num(w.Biases[g]))
}

// product is row·x.
func (f Affine) product(w Weights, row int, x []float64) number {
	return sumOf(len(x), func(i int) number { return f.weight(w, row, i, len(x)).times(num(x[i])) })
}

// ExactDequantMatvec is the exact twin of [DequantMatvec].
func ExactDequantMatvec(f Affine, w Weights, x []float64, in, out int) Exact {
	return func(i int) *big.Float {
		t := i / out
		return f.product(w, i%out, x[t*in:(t+1)*in]).Float
	}
}

// ExactDequantExperts is the exact twin of [DequantExperts].
func ExactDequantExperts(f Affine, experts []Expert, in, out int) Exact {
	return func(i int) *big.Float {
		e := experts[i/out]
		return f.product(e.Weights, i%out, e.X[:in]).Float
	}
}

// ExactGatherRows is the exact twin of [GatherRows].
func ExactGatherRows(f Affine, w Weights, tokens []uint32, dim int) Exact {
	return func(i int) *big.Float { return f.weight(w, int(tokens[i/dim]), i%dim, dim).Float }
}

// ExactMatVec is the exact twin of [MatVec].
func ExactMatVec(w, x []float64, in, out int) Exact {
	return func(i int) *big.Float {
		t, r := i/out, i%out
		return innerOf(w[r*in:(r+1)*in], x[t*in:(t+1)*in]).Float
	}
}

// ExactGateUpSwiGLU is the exact twin of [GateUpSwiGLU].
func ExactGateUpSwiGLU(f Affine, gate, up Weights, x []float64) Exact {
	return func(i int) *big.Float { return f.product(gate, i, x).silu().times(f.product(up, i, x)).Float }
}
