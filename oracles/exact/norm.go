package exact

import (
	"math/big"

	"metalconform/oracles"
)

// RMSNorm is the high-precision reference of [oracles.RMSNorm].
func RMSNorm(x, weight []float64, eps float64) oracles.Reference {
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

// SumOfSquares is the high-precision reference of [oracles.SumOfSquares].
func SumOfSquares(x []float64) oracles.Reference {
	return func(int) *big.Float { return innerOf(x, x).Float }
}

// RMSNormApply is the high-precision reference of [oracles.RMSNormApply].
func RMSNormApply(x, weight []float64, sumSq float64, n int, eps float64) oracles.Reference {
	return func(i int) *big.Float {
		return num(x[i]).over(rms(num(sumSq), n, eps)).times(num(weight[i])).Float
	}
}

// GatedRMSNorm is the high-precision reference of [oracles.GatedRMSNorm].
func GatedRMSNorm(v, z, weight []float64, eps float64) oracles.Reference {
	norm := RMSNorm(v, weight, eps)
	return func(i int) *big.Float { return number{norm(i)}.times(num(z[i]).silu()).Float }
}

// RMSNormQK is the high-precision reference of [oracles.RMSNormQK].
func RMSNormQK(x []float64, l oracles.QKNorm, scale, eps float64) oracles.Reference {
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

// ResidualAdd is the high-precision reference of [oracles.ResidualAdd], whose
// definition rounds.
func ResidualAdd(x, y []float64, f oracles.Format) oracles.Reference {
	return func(i int) *big.Float { return num(x[i]).plus(num(y[i])).to(f).Float }
}
