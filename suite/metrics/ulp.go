package metrics

import "math"

// Ulps are the errors of an output in units in the last place of its own
// format: (got − want)/ulp(want), with a fraction and a sign, want not rounded.
// At a power of two the unit is the smaller gap, the one below. The error is 0
// where got is want rounded to nearest, and where got is zero and want below
// the normal range, for a device may flush.
type Ulps struct {
	Max Extreme // of the absolute values

	count                  int
	total, signed, outward float64
	zeros                  uint32        // of the first bin
	bins                   *[bins]uint32 // nil while all are 0
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

// exact takes in an element without an error.
func (u *Ulps) exact() {
	u.count++
	u.zeros++
}

// add takes in the error e of element i.
func (u *Ulps) add(i int, e, want float64) {
	a := math.Abs(e)
	u.count++
	u.Max.Note(i, a)
	u.total += a
	u.signed += e
	if want < 0 {
		u.outward -= e
	} else {
		u.outward += e
	}
	if a == 0 {
		u.zeros++
		return
	}
	if u.bins == nil {
		u.bins = new([bins]uint32)
	}
	u.bins[bin(a)]++
}

// bin is the bin of an absolute value above 0.
func bin(a float64) int {
	key := min(max(math.Float64bits(a)>>binShift, firstKey), lastKey)
	return int(key-firstKey) + 1
}

// Mean is that of the absolute values.
func (u *Ulps) Mean() float64 { return u.mean(u.total) }

// Bias is the mean with its sign: below 0 where results are too small, as those
// that are rounded down.
func (u *Ulps) Bias() float64 { return u.mean(u.signed) }

// Outward is the mean with the sign of want taken out: below 0 where results are
// too near zero, as those that are truncated.
func (u *Ulps) Outward() float64 { return u.mean(u.outward) }

func (u *Ulps) mean(sum float64) float64 {
	if u.count == 0 {
		return 0
	}
	return sum / float64(u.count)
}

// Quantile is the absolute value that the fraction p of all elements does not
// exceed, rounded up by less than a thirty-second part of itself: the end of a
// bin.
func (u *Ulps) Quantile(p float64) float64 {
	left := int(math.Ceil(p*float64(u.count))) - int(u.zeros)
	if left <= 0 || u.bins == nil {
		return 0
	}
	for b, n := range u.bins[1 : bins-1] {
		if left -= int(n); left <= 0 {
			return min(u.Max.Value, math.Float64frombits(uint64(firstKey+b+1)<<binShift))
		}
	}
	return u.Max.Value
}
