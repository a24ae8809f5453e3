package exact

import (
	"math"
	"math/big"

	"metalconform/oracles"
)

// AttentionScores is the high-precision reference of [oracles.AttentionScores].
func AttentionScores(q, keys, prior []float64, p oracles.Cached, scale float64) oracles.Reference {
	return func(i int) *big.Float {
		h, pos := i/p.Stride, i%p.Stride
		if pos >= p.Len {
			return num(prior[i]).Float
		}
		first := (pos*p.Hg + keyHead(p.Mapping, h, p.H, p.Hg)) * p.D
		return num(scale).times(innerOf(q[h*p.D:(h+1)*p.D], keys[first:first+p.D])).Float
	}
}

// SoftmaxRows is the high-precision reference of [oracles.SoftmaxRows].
func SoftmaxRows(x []float64, stride, n int) oracles.Reference {
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

// AttentionValues is the high-precision reference of [oracles.AttentionValues].
func AttentionValues(weights, values []float64, p oracles.Cached) oracles.Reference {
	return func(i int) *big.Float {
		h, d := i/p.D, i%p.D
		return sumOf(p.Len, func(pos int) number {
			v := values[(pos*p.Hg+keyHead(p.Mapping, h, p.H, p.Hg))*p.D+d]
			return num(weights[h*p.Stride+pos]).times(num(v))
		}).Float
	}
}

// GroupedQuery is the high-precision reference of [oracles.GroupedQuery].
func GroupedQuery(p oracles.Attention) oracles.Reference {
	return func(i int) *big.Float {
		t, h, d := i/(p.H*p.D), i/p.D%p.H, i%p.D
		scores := make([]number, visible(p, t))
		for pos := range scores {
			scores[pos] = num(p.Scale).times(innerOf(query(p, t, h), row(p, p.K, pos, h)))
		}
		weights, sum := softmaxOf(scores)
		return sumOf(len(weights), func(pos int) number {
			if weights[pos].isZero() {
				return weights[pos] // a score of −∞ contributes nothing, whatever its value
			}
			return weights[pos].times(num(row(p, p.V, pos, h)[d]))
		}).over(sum).Float
	}
}

// visible is the number of keys that query t sees.
func visible(p oracles.Attention, t int) int {
	if p.Causal {
		return min(p.S, p.Start+t+1)
	}
	return p.S
}

// query is q[t, h].
func query(p oracles.Attention, t, h int) []float64 {
	first := (t*p.H + h) * p.D
	return p.Q[first : first+p.D]
}

// row is k or v at position pos for head h.
func row(p oracles.Attention, x []float64, pos, h int) []float64 {
	first := (pos*p.Hg + keyHead(p.Mapping, h, p.H, p.Hg)) * p.D
	return x[first : first+p.D]
}

// keyHead is the key head that head h of heads reads.
func keyHead(m oracles.Mapping, h, heads, keyHeads int) int {
	if m == oracles.TiledHeads {
		return h % keyHeads
	}
	return h * keyHeads / heads
}
