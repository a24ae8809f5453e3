package oracles

import "math/big"

// ExactRMSNorm is the exact twin of [RMSNorm].
func ExactRMSNorm(x, weight []float64, eps float64) Exact {
	n := len(weight)
	return func(i int) *big.Float {
		row := x[i/n*n : i/n*n+n]
		return normalised(row, i%n, eps).times(num(weight[i%n])).Float
	}
}

// normalised is row[i]/√(Σ row²/n + ε).
func normalised(row []float64, i int, eps float64) number {
	return num(row[i]).over(rms(innerOf(row, row), len(row), eps))
}

// rms is √(sum/n + ε).
func rms(sum number, n int, eps float64) number {
	return sum.over(num(float64(n))).plus(num(eps)).root()
}

// ExactSumOfSquares is the exact twin of [SumOfSquares].
func ExactSumOfSquares(x []float64) Exact {
	return func(int) *big.Float { return innerOf(x, x).Float }
}

// ExactRMSNormApply is the exact twin of [RMSNormApply].
func ExactRMSNormApply(x, weight []float64, sumSq, eps float64) Exact {
	return func(i int) *big.Float {
		return num(x[i]).over(rms(num(sumSq), len(x), eps)).times(num(weight[i])).Float
	}
}

// ExactGatedRMSNorm is the exact twin of [GatedRMSNorm].
func ExactGatedRMSNorm(v, z, weight []float64, eps float64) Exact {
	norm := ExactRMSNorm(v, weight, eps)
	return func(i int) *big.Float { return number{norm(i)}.times(num(z[i]).silu()).Float }
}

// ExactRMSNormQK is the exact twin of [RMSNormQK].
func ExactRMSNormQK(x []float64, l QKNorm, scale, eps float64) Exact {
	return func(i int) *big.Float {
		token, at := i/l.Stride*l.Stride, i%l.Stride
		factor := num(scale)
		switch {
		case at < l.Heads*l.Dim:
			factor = factor.times(factor)
		case at >= l.KeyOffset && at < l.KeyOffset+l.Heads*l.Dim:
			at -= l.KeyOffset
			token += l.KeyOffset
		default:
			return num(x[i]).Float
		}
		first := token + at/l.Dim*l.Dim
		return normalised(x[first:first+l.Dim], at%l.Dim, eps).times(factor).Float
	}
}

// ExactResidualAdd is the exact twin of [ResidualAdd], whose definition rounds.
func ExactResidualAdd(x, y []float64, f Format) Exact {
	return func(i int) *big.Float { return num(x[i]).plus(num(y[i])).to(f).Float }
}
