package kernels

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// usage says how much of a bound errors use: the distribution of error/bound
// over elements, 32 bins to a power of two.
type usage struct {
	count   int
	largest float64
	bins    map[uint16]int // by exponent and the first bits of the significand
}

const usageShift = 52 - 5 // from the bits of a positive float64 to its bin

// add takes in an element that uses the fraction x of its bound.
func (u *usage) add(x float64) {
	if u.bins == nil {
		u.bins = map[uint16]int{}
	}
	u.count++
	u.largest = max(u.largest, x)
	u.bins[uint16(math.Float64bits(x)>>usageShift)]++
}

// join takes in all elements of another.
func (u *usage) join(o usage) {
	if u.bins == nil {
		u.bins = map[uint16]int{}
	}
	u.count += o.count
	u.largest = max(u.largest, o.largest)
	for bin, n := range o.bins {
		u.bins[bin] += n
	}
}

// median is exceeded by at most half of the elements, rounded up by less than a
// thirty-second part of itself; NaN without elements.
func (u *usage) median() float64 {
	left := (u.count + 1) / 2
	for _, bin := range slices.Sorted(maps.Keys(u.bins)) {
		if left -= u.bins[bin]; left > 0 {
			continue
		}
		if bin == 0 {
			return 0
		}
		return min(u.largest, math.Float64frombits((uint64(bin)+1)<<usageShift))
	}
	return math.NaN()
}

// usages are those of one output, or of many.
type usages struct {
	elements    int   // judged
	rigorous    usage // of the elements whose rigorous bound is positive
	random      usage // of those that are outputs of random inputs
	statistical usage // of the statistical bound, of the same that have one
}

// add takes in an output that conforms. random says that its inputs are.
func (u *usages) add(t tensor, random bool) {
	stays := t.stays()
	for i, got := range t.got {
		if stays[i] {
			continue
		}
		u.elements++
		want, bound := t.answer.Want[i], t.answer.Bound(i)
		if !finite(want) || !finite(got) || !finite(bound) || bound == 0 {
			continue
		}
		diff := math.Abs(got - want)
		u.rigorous.add(diff / bound)
		if s, ok := t.answer.Statistical(i); random && ok {
			u.random.add(diff / bound)
			u.statistical.add(diff / s)
		}
	}
}

// join takes in all outputs of another.
func (u *usages) join(o usages) {
	u.elements += o.elements
	u.rigorous.join(o.rigorous)
	u.random.join(o.random)
	u.statistical.join(o.statistical)
}

// TestUsage checks medians of distributions whose median is known.
func TestUsage(t *testing.T) {
	var none, zeros, even, both usage
	for i := range 1001 {
		zeros.add(0)
		even.add(float64(i) / 1000)
	}
	both.join(zeros)
	both.join(even)
	if m := none.median(); !math.IsNaN(m) {
		t.Errorf("median of nothing is %v", m)
	}
	if m := zeros.median(); m != 0 {
		t.Errorf("median of zeros is %v", m)
	}
	if m := even.median(); m < 0.5 || m > 0.5*(1+1./32) {
		t.Errorf("median of [0, 1] is %v", m)
	}
	if m := both.median(); m != 0 || both.count != 2002 || both.largest != 1 {
		t.Errorf("with as many zeros: %d elements, median %v, largest %v", both.count, m, both.largest)
	}
}
