package suite

import "math"

// Ulps are the errors of an output in units in the last place of its own
// format: (got − want)/ulp(want), with a fraction and a sign, want not rounded.
// At a power of two the unit is the smaller gap, the one below. The error is 0
// where got is want rounded to nearest, and where got is zero and want below
// the normal range, for a device may flush.
//
// P99 and P999 are of the absolute values, rounded up by less than a
// thirty-second part of themselves.
type Ulps struct {
	Max  Peak    `json:"max"` // of the absolute values
	P999 float64 `json:"p999"`
	P99  float64 `json:"p99"`
	Mean float64 `json:"mean"` // of the absolute values
	// Bias is the mean with its sign: below 0 where results are too small, as
	// those that are rounded down.
	Bias float64 `json:"bias"`
	// Outward is the mean with the sign of want taken out: below 0 where results
	// are too near zero, as those that are truncated.
	Outward float64 `json:"outward"`
}

// The bins of a histogram of absolute values: one for 0, then 32 for each power
// of two from 2^-6 on. The first and the last hold what lies beyond, too.
const (
	binBits  = 5                           // of a significand that tell bins apart
	firstKey = (1023 - 6) << binBits       // leading bits of 2^-6 as a float64
	bins     = 1 + 64<<binBits             // up to 2^58
	binShift = 52 - binBits                // from a float64's bits to its key
	lastKey  = uint64(firstKey + bins - 2) // of the last bin
)

// ulps collects the errors of an output in units in the last place.
type ulps struct {
	count                  int
	max                    extreme
	total, signed, outward float64
	bins                   [bins]uint32
}

// exact takes in an element without an error.
func (u *ulps) exact() {
	u.count++
	u.bins[0]++
}

// add takes in the error e of element i.
func (u *ulps) add(i int, e, want float64) {
	a := math.Abs(e)
	u.count++
	u.max.note(i, a)
	u.total += a
	u.signed += e
	if want < 0 {
		u.outward -= e
	} else {
		u.outward += e
	}
	u.bins[bin(a)]++
}

// bin is the bin of an absolute value.
func bin(a float64) int {
	if a == 0 {
		return 0
	}
	key := min(max(math.Float64bits(a)>>binShift, firstKey), lastKey)
	return int(key-firstKey) + 1
}

// figures are those of all elements that were taken in.
func (u *ulps) figures(place func(int) []int) Ulps {
	f := Ulps{Max: u.max.peak(place)}
	if u.count == 0 {
		return f
	}
	n := float64(u.count)
	f.P999, f.P99 = figure(u.quantile(0.999)), figure(u.quantile(0.99))
	f.Mean, f.Bias, f.Outward = figure(u.total/n), figure(u.signed/n), figure(u.outward/n)
	return f
}

// quantile is the smallest bin's end that the fraction p of all elements does
// not exceed.
func (u *ulps) quantile(p float64) float64 {
	left := int(math.Ceil(p * float64(u.count)))
	for b, n := range u.bins[:bins-1] {
		if left -= int(n); left > 0 {
			continue
		}
		if b == 0 {
			return 0
		}
		return min(u.max.value, math.Float64frombits(uint64(firstKey+b)<<binShift))
	}
	return u.max.value
}
