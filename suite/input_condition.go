package suite

import (
	"math"
	"math/rand/v2"

	"metalconform/oracles"
)

// Condition prescribes how much of a buffer's sums cancels. A sum is
//
//	Σ wᵢ·xᵢ   over n terms, with weights that the kernel has from elsewhere,
//
// and its condition
//
//	κ = Σ|wᵢ·xᵢ| / |Σ wᵢ·xᵢ|
//
// is the factor by which a relative error of its terms, or of a partial sum,
// appears in the result. A sum of one term has a condition of 1, whatever is
// prescribed.
type Condition struct {
	Kappa  float64
	Terms  Extent              // n
	Apart  Extent              // elements from one term of a sum to the next; nil: 1
	Weight func(i int) float64 // wᵢ, not 0; nil: 1
	Format oracles.Format      // of the elements
}

// Fill draws the sums of a buffer, one after the other; elements behind the last
// whole sum are normal.
func (c Condition) Fill(r *rand.Rand, s Shape, x []float64) {
	n, apart := c.Terms.Size(s), 1
	if c.Apart != nil {
		apart = c.Apart.Size(s)
	}
	sum := make([]float64, n)
	for ; n > 0 && len(x) >= n*apart; x = x[n*apart:] {
		for j := range apart {
			c.draw(r, sum)
			for i, v := range sum {
				x[j+i*apart] = v
			}
		}
	}
	Normal(r, s, x)
}

// draw makes one sum, its terms in random order. The first half are numbers of
// exponents up to half of that of κ; each of the second takes back its share of
// what the terms before it come to, and the last leaves just Σ|wᵢ·xᵢ|/κ. As every
// term knows the rounded ones before it, κ is met to the rounding of the last.
//
// Source: Ogita, Rump and Oishi, Accurate Sum and Dot Product, 2005, section 6,
// for the two halves.
func (c Condition) draw(r *rand.Rand, x []float64) {
	n, spread := len(x), max(int(math.Log2(c.Kappa)/2), 1)
	var sum, magnitude float64
	for done, i := range r.Perm(n) {
		w := 1.0
		if c.Weight != nil {
			w = c.Weight(i)
		}
		var term float64
		switch left := n - done; {
		case left == 1 && n > 1:
			rest := (magnitude + math.Abs(sum)) / c.Kappa
			term = math.Copysign(rest, float64(r.IntN(2))-0.5) - sum
		case left > n/2:
			term = math.Copysign(math.Ldexp(1+float64(r.Float64()), r.IntN(spread)), float64(r.IntN(2))-0.5)
		default:
			term = -sum * (0.5 + float64(r.Float64())) / float64(left)
		}
		x[i] = c.Format.Round(term / w)
		sum += float64(w * x[i])
		magnitude += math.Abs(w * x[i])
	}
}
