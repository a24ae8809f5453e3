package oracles

import (
	"math"
	"math/big"
)

// ExactAttentionScores is the exact twin of [AttentionScores].
func ExactAttentionScores(q, keys, prior []float64, p Cached, scale float64) Exact {
	return func(i int) *big.Float {
		h, pos := i/p.Stride, i%p.Stride
		if pos >= p.Len {
			return num(prior[i]).Float
		}
		first := (pos*p.Hg + p.Mapping.Head(h, p.H, p.Hg)) * p.D
		return num(scale).times(innerOf(q[h*p.D:(h+1)*p.D], keys[first:first+p.D])).Float
	}
}

// ExactSoftmaxRows is the exact twin of [SoftmaxRows].
func ExactSoftmaxRows(x []float64, stride, n int) Exact {
	return func(i int) *big.Float {
		if i%stride >= n {
			return num(x[i]).Float
		}
		first := i / stride * stride
		weights, sum := softmaxOf(nums(x[first : first+n]))
		return weights[i%stride].over(sum).Float
	}
}

// softmaxOf is e^{x_i − max x} and the sum of all of them.
func softmaxOf(x []number) (weights []number, sum number) {
	weights, sum = make([]number, len(x)), num(0)
	largest := largestOf(x)
	for i, v := range x {
		weights[i] = v.minus(largest).exp()
		sum = sum.plus(weights[i])
	}
	return weights, sum
}

// largestOf is the largest of x, −∞ for none.
func largestOf(x []number) number {
	largest := num(math.Inf(-1))
	for _, v := range x {
		largest = largest.larger(v)
	}
	return largest
}

// ExactAttentionValues is the exact twin of [AttentionValues].
func ExactAttentionValues(weights, values []float64, p Cached) Exact {
	return func(i int) *big.Float {
		h, d := i/p.D, i%p.D
		return sumOf(p.Len, func(pos int) number {
			v := values[(pos*p.Hg+p.Mapping.Head(h, p.H, p.Hg))*p.D+d]
			return num(weights[h*p.Stride+pos]).times(num(v))
		}).Float
	}
}

// ExactGroupedQuery is the exact twin of [GroupedQuery].
func ExactGroupedQuery(p Attention) Exact {
	return func(i int) *big.Float {
		t, h, d := i/(p.H*p.D), i/p.D%p.H, i%p.D
		scores := make([]number, p.visible(t))
		for pos := range scores {
			scores[pos] = num(p.Scale).times(innerOf(p.query(t, h), p.row(p.K, pos, h)))
		}
		weights, sum := softmaxOf(scores)
		return sumOf(len(weights), func(pos int) number {
			if weights[pos].isZero() {
				return weights[pos] // a score of −∞ contributes nothing, whatever its value
			}
			return weights[pos].times(num(p.row(p.V, pos, h)[d]))
		}).over(sum).Float
	}
}
