package exact

import (
	"math"
	"math/big"

	"metalconform/oracles"
	"slices"
)

// RouterTopK are the high-precision references of [oracles.RouterTopK]. The softmax
// is monotonic, so logits choose as their probabilities do.
func RouterTopK(logits []float64, experts, k int) (indices, weights oracles.Reference) {
	row := func(i int) []float64 { return logits[i/k*experts : i/k*experts+experts] }
	indices = func(i int) *big.Float { return num(float64(max(chosen(row(i), k)[i%k], 0))).Float }
	weights = func(i int) *big.Float {
		expert := chosen(row(i), k)[i%k]
		if expert < 0 {
			return num(float64(float32(-1e30))).Float
		}
		w, sum := softmaxOf(nums(row(i)))
		return w[expert].over(sum).Float
	}
	return indices, weights
}

// chosen are the experts in k slots, −1 for none: expert after expert, one
// whose logit is above the smallest of the slots takes the first that has it.
// Where the softmax is NaN, no expert takes a slot.
func chosen(logits []float64, k int) []int {
	slots := make([]int, k)
	for s := range slots {
		slots[s] = -1
	}
	least := func() int {
		at := 0
		for s, e := range slots {
			if slots[at] >= 0 && (e < 0 || logits[e] < logits[slots[at]]) {
				at = s
			}
		}
		return at
	}
	if largest := slices.Max(logits); math.IsNaN(largest) || math.IsInf(largest, 0) {
		return slots
	}
	for e, x := range logits {
		if s := least(); slots[s] < 0 || x > logits[slots[s]] {
			slots[s] = e
		}
	}
	return slots
}

// NormalizeRows is the high-precision reference of [oracles.NormalizeRows]. A sum
// that is NaN is not above 0.
func NormalizeRows(weights []float64, k int) oracles.Reference {
	return func(i int) *big.Float {
		row := weights[i/k*k : i/k*k+k]
		if math.IsNaN(total(row)) {
			return num(weights[i]).Float
		}
		sum := sumOf(k, func(j int) number { return num(row[j]) })
		if sum.Sign() <= 0 {
			return num(weights[i]).Float
		}
		return num(weights[i]).over(sum).Float
	}
}

// total is the sum of x in float64.
func total(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += v
	}
	return s
}

// WeightedSum is the high-precision reference of [oracles.WeightedSum].
func WeightedSum(x, weights []float64, dim int) oracles.Reference {
	return func(i int) *big.Float {
		return sumOf(len(weights), func(k int) number { return num(weights[k]).times(num(x[k*dim+i])) }).Float
	}
}

// Combine is the high-precision reference of [oracles.Combine].
func Combine(h, shared, x, weights []float64, gate *float64) oracles.Reference {
	experts := WeightedSum(x, weights, len(h))
	return func(i int) *big.Float {
		own := num(shared[i])
		if gate != nil {
			own = own.times(num(*gate).sigmoid())
		}
		return num(h[i]).plus(number{experts(i)}).plus(own).Float
	}
}

// CombineTokens is the high-precision reference of [oracles.CombineTokens].
func CombineTokens(h, routed, shared, gate []float64) oracles.Reference {
	dim := len(h) / len(gate)
	return func(i int) *big.Float {
		own := num(shared[i]).times(num(gate[i/dim]).sigmoid())
		return num(h[i]).plus(num(routed[i])).plus(own).Float
	}
}

// BucketAccumulate is the high-precision reference of [oracles.BucketAccumulate].
func BucketAccumulate(sum, bucket []float64, token []int, weights []float64, dim int) oracles.Reference {
	return func(i int) *big.Float {
		y := num(sum[i])
		for b, t := range token {
			if t == i/dim {
				y = y.plus(num(weights[b]).times(num(bucket[b*dim+i%dim])))
			}
		}
		return y.Float
	}
}
