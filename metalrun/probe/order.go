package probe

import (
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/scalar"
)

// addends are numbers of either sign and of magnitudes from 2⁻⁶ to 2⁶, whose sums depend
// on every pair that is added.
func addends(n int) func() []uint32 {
	return func() []uint32 {
		words := make([]uint32, n)
		state := uint32(1)
		for i := range words {
			state = state*1664525 + 1013904223
			words[i] = state&0x80000000 | (121+state>>8%13)<<23 | state>>9&0x7fffff
		}
		return words
	}
}

func numbers(words []uint32) []float32 {
	x := make([]float32, len(words))
	for i, w := range words {
		x[i] = math.Float32frombits(w)
	}
	return x
}

// named is a way to sum.
type named struct {
	name string
	sum  func(x []float32) float32
}

// simdOrders are those that are known of a simdgroup.
var simdOrders = []named{
	{"ascending", ascending},
	{"descending", func(x []float32) float32 {
		x = slices.Clone(x)
		slices.Reverse(x)
		return ascending(x)
	}},
	{"distances 16, 8, 4, 2, 1", func(x []float32) float32 { return halving(x) }},
	{"distances 1, 2, 4, 8, 16", neighbours},
	{"quads by neighbours, then ascending", func(x []float32) float32 {
		var quads []float32
		for q := range slices.Chunk(x, 4) {
			quads = append(quads, neighbours(q))
		}
		return ascending(quads)
	}},
	{"halves ascending", func(x []float32) float32 { return ascending(x[:len(x)/2]) + ascending(x[len(x)/2:]) }},
	{"rounded once", func(x []float32) float32 {
		sum := 0.0 // exact: 24 bits and magnitudes within 2¹² of each other
		for _, v := range x {
			sum += float64(v)
		}
		return float32(sum)
	}},
}

func ascending(x []float32) float32 {
	sum := x[0]
	for _, v := range x[1:] {
		sum += v
	}
	return sum
}

// halving adds the upper half to the lower, and again.
func halving(x []float32) float32 {
	x = slices.Clone(x)
	for n := len(x) / 2; n > 0; n /= 2 {
		for i := range n {
			x[i] += x[i+n]
		}
	}
	return x[0]
}

// neighbours adds pairs, then pairs of their sums.
func neighbours(x []float32) float32 {
	x = slices.Clone(x)
	for d := 1; d < len(x); d *= 2 {
		for i := 0; i+d < len(x); i += 2 * d {
			x[i] += x[i+d]
		}
	}
	return x[0]
}

// multiplyAdd is one step of a matrix product.
type multiplyAdd func(a, b, c float32) float32

func rounded(a, b, c float32) float32 { return float32(a*b) + c }

// matrixOrders compute an element from a row, a column, and what is accumulated to.
var matrixOrders = slices.Concat(
	stepwise("fused", scalar.FMA32), stepwise("products rounded", rounded),
	[]named{{"neighbours, then c, products rounded", func(x []float32) float32 {
		products := make([]float32, 8)
		for k := range products {
			products[k] = float32(x[k] * x[8+k])
		}
		return neighbours(products) + x[16]
	}}},
)

// stepwise are orders that add one product after the other.
func stepwise(name string, step multiplyAdd) []named {
	return []named{
		{"ascending from c, " + name, func(x []float32) float32 {
			c := x[16]
			for k := range 8 {
				c = step(x[k], x[8+k], c)
			}
			return c
		}},
		{"descending from c, " + name, func(x []float32) float32 {
			c := x[16]
			for k := 7; k >= 0; k-- {
				c = step(x[k], x[8+k], c)
			}
			return c
		}},
		{"ascending, then c, " + name, func(x []float32) float32 {
			sum := float32(x[0] * x[8])
			for k := 1; k < 8; k++ {
				sum = step(x[k], x[8+k], sum)
			}
			return sum + x[16]
		}},
	}
}

// simdOrder names the order that gives the sum of every simdgroup in all its lanes.
func simdOrder(x, y []uint32) string {
	operands := numbers(x)
	return find(simdOrders, len(y), func(i int) []float32 { return operands[i/32*32 : i/32*32+32] }, y)
}

// matrixOrder names the order that gives every element of the products.
func matrixOrder(x, y []uint32) string {
	operands := numbers(x)
	return find(matrixOrders, len(y), func(i int) []float32 {
		m, i := operands[i/64*192:i/64*192+192], i%64
		terms := slices.Clone(m[i/8*8 : i/8*8+8])
		for k := range 8 {
			terms = append(terms, m[64+8*k+i%8])
		}
		return append(terms, m[128+i])
	}, y)
}

// find names the order that gives all n results.
func find(orders []named, n int, operands func(i int) []float32, got []uint32) string {
	var names []string
	for _, o := range orders {
		if all(n, func(i int) bool { return math.Float32bits(o.sum(operands(i))) == got[i] }) {
			names = append(names, o.name)
		}
	}
	if names == nil {
		return "another order"
	}
	return strings.Join(names, " or ") // one, as operands tell them apart
}

func all(n int, f func(i int) bool) bool {
	for i := range n {
		if !f(i) {
			return false
		}
	}
	return true
}
