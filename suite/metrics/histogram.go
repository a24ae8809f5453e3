package metrics

import (
	"encoding/json"
	"fmt"
	"math"
)

// Histogram counts the elements of an output by their signed error in units in
// the last place, as [Ulps] defines it: bins that hold none are left out. Bin 0
// is for an error of 0, bin k for errors in [2^(k−4), 2^(k−3)), and bin −k for
// the same below 0. Bins 1 and −1 reach down to 0, the last ones to infinity.
type Histogram map[int]int

// UnmarshalJSON refuses bins that no histogram has.
func (h *Histogram) UnmarshalJSON(text []byte) error {
	var bins map[int]int
	if err := json.Unmarshal(text, &bins); err != nil {
		return err
	}
	for k, n := range bins {
		if k < -histogramBins || k > histogramBins || n < 0 {
			return fmt.Errorf("histogram has %d in bin %d, want bins from %d to %d", n, k, -histogramBins,
				histogramBins)
		}
	}
	*h = bins
	return nil
}

// histogramBins is the number of bins on either side of 0: the last begins at
// 2^20 units.
const histogramBins = 24

// Edges are the ends of bin k, in units in the last place, the one nearer to 0
// first.
func (Histogram) Edges(k int) (near, far float64) {
	if k == 0 {
		return 0, 0
	}
	sign, n := math.Copysign(1, float64(k)), max(k, -k)
	far = math.Ldexp(1, n-3)
	if n == histogramBins {
		far = math.Inf(1)
	}
	if n > 1 {
		near = math.Ldexp(1, n-4)
	}
	return sign * near, sign * far
}

// signedErrors collects the errors other than 0 for a histogram, by their bins
// from −histogramBins on.
type signedErrors [2*histogramBins + 1]uint32

// add takes in the error e, which is not 0.
func (s *signedErrors) add(e float64) {
	const one = 1023 // the exponent of 1
	exponent := int(math.Float64bits(e)>>52&0x7ff) - one
	k := min(max(exponent+4, 1), histogramBins)
	if e < 0 {
		k = -k
	}
	s[histogramBins+k]++
}

// histogram is that of so many elements. Those that were not taken in have no
// error.
func (s *signedErrors) histogram(elements int) Histogram {
	h := Histogram{}
	exact := elements
	for i, n := range s {
		if n > 0 {
			h[i-histogramBins] = int(n)
			exact -= int(n)
		}
	}
	if exact > 0 {
		h[0] = exact
	}
	return h
}
