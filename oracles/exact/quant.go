package exact

import (
	"math/big"

	"metalconform/oracles"
)

// weight is the decoded weight at a row and a column of a matrix of in columns.
func weight(f oracles.Affine, w oracles.Weights, row, column, in int) number {
	at, perWord := row*in+column, 32/f.Bits
	q := w.Packed[at/perWord] >> (at % perWord * f.Bits) % (1 << f.Bits)
	g := at / f.Group
	return num(float64(q)).times(num(w.Scales[g])).plus(num(w.Biases[g]))
}

// product is row·x.
func product(f oracles.Affine, w oracles.Weights, row int, x []float64) number {
	return sumOf(len(x), func(i int) number { return weight(f, w, row, i, len(x)).times(num(x[i])) })
}

// DequantMatvec is the high-precision reference of [oracles.DequantMatvec].
func DequantMatvec(f oracles.Affine, w oracles.Weights, x []float64, in, out int) oracles.Reference {
	return func(i int) *big.Float {
		t := i / out
		return product(f, w, i%out, x[t*in:(t+1)*in]).Float
	}
}

// DequantExperts is the high-precision reference of [oracles.DequantExperts].
func DequantExperts(f oracles.Affine, experts []oracles.Expert, in, out int) oracles.Reference {
	return func(i int) *big.Float {
		e := experts[i/out]
		return product(f, e.Weights, i%out, e.X[:in]).Float
	}
}

// GatherRows is the high-precision reference of [oracles.GatherRows].
func GatherRows(f oracles.Affine, w oracles.Weights, tokens []uint32, dim int) oracles.Reference {
	return func(i int) *big.Float { return weight(f, w, int(tokens[i/dim]), i%dim, dim).Float }
}

// MatVec is the high-precision reference of [oracles.MatVec].
func MatVec(w, x []float64, in, out int) oracles.Reference {
	return func(i int) *big.Float {
		t, r := i/out, i%out
		return innerOf(w[r*in:(r+1)*in], x[t*in:(t+1)*in]).Float
	}
}

// GateUpSwiGLU is the high-precision reference of [oracles.GateUpSwiGLU].
func GateUpSwiGLU(f oracles.Affine, gate, up oracles.Weights, x []float64) oracles.Reference {
	return func(i int) *big.Float { return product(f, gate, i, x).silu().times(product(f, up, i, x)).Float }
}
