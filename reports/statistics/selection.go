package statistics

import (
	"cmp"
	"math"
	"slices"
)

// nth is the number of x that has k numbers before it in order, by Hoare's selection (1961). It moves the numbers of x.
// A pivot is the median of three of them, and the work is that of a few passes.
func nth(x []float64, k int) float64 {
	low, high := 0, len(x)-1
	for low < high {
		pivot := middleOf(x[low], x[(low+high)/2], x[high])
		i, j := low, high
		for i <= j {
			for cmp.Less(x[i], pivot) {
				i++
			}
			for cmp.Less(pivot, x[j]) {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return x[k]
		}
	}
	return x[k]
}

// middleOf is the median of three.
func middleOf(a, b, c float64) float64 {
	if cmp.Less(b, a) {
		a, b = b, a
	}
	if cmp.Less(c, b) {
		b = c
	}
	if cmp.Less(b, a) {
		return a
	}
	return b
}

// Median is that of samples in any order, of which there is at least one.
func Median(x []float64) float64 {
	x = slices.Clone(x)
	upper := nth(x, len(x)/2)
	if len(x)%2 == 1 {
		return (upper + upper) / 2
	}
	return (slices.MaxFunc(x[:len(x)/2], cmp.Compare) + upper) / 2 // which selection has moved ahead of it
}

// differences are those of all pairs of two samples, h - b of head and base. There may be very many: they are counted,
// and never made.
type differences struct{ base, head []float64 } // each in order

func differencesOf(base, head []float64) differences {
	d := differences{slices.Clone(base), slices.Clone(head)}
	slices.Sort(d.base)
	slices.Sort(d.head)
	return d
}

// len is how many there are.
func (d differences) len() int { return len(d.base) * len(d.head) }

// nth is the difference that has k before it in order: the least number that more than k differences do not exceed.
// It is found by halving the range of all float64, in the order of their bits: 64 counts, each of one walk along the
// staircase between the differences that exceed a number and those that do not. Differences are rounded, as they are
// where they are made one by one, which keeps them in order. The samples are finite.
func (d differences) nth(k int) float64 {
	low, high := ordinal(math.Inf(-1)), ordinal(math.Inf(1))
	for low < high {
		half := low + (high-low)/2
		if d.upTo(ofOrdinal(half)) > k {
			high = half
		} else {
			low = half + 1
		}
	}
	return ofOrdinal(low) + 0 // not -0, which stands before 0 and is equal to it
}

// upTo counts the differences that do not exceed x.
func (d differences) upTo(x float64) (n int) {
	h := 0
	for _, b := range d.base {
		for h < len(d.head) && d.head[h]-b <= x {
			h++
		}
		n += h
	}
	return n
}

// ordinal numbers float64 in order; NaNs stand at both ends.
func ordinal(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

// ofOrdinal is the float64 of a number.
func ofOrdinal(n uint64) float64 {
	if n>>63 != 0 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}
