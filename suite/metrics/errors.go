package metrics

import "math"

// Errors is the distribution of the errors of an output. Each error is a fraction r of the rigorous bound of its
// element, with a sign. Two runs are compared by it. Its size does not depend on the output, and the distributions of
// several outputs can be added. Elements whose bound is 0 and whose r is infinite count in the last bins and in none of
// the sums.
type Errors struct {
	Elements int     `json:"elements"`
	Sum      float64 `json:"sum"`     // Σr: below 0 where results are too small
	Outward  float64 `json:"outward"` // Σr·sign(want): below 0 where results are too near zero
	Squares  float64 `json:"squares"` // Σr²
	// Bins count elements by r in units of ErrorUnit of the bound.
	Bins Histogram `json:"bins"`
}

// ErrorUnit is the unit of the bins of [Errors], as a fraction of the bound. The last bin
// begins at 2^20 of them, which is the bound.
const ErrorUnit = 0x1p-20

// Add adds the errors of another output.
func (e *Errors) Add(other Errors) {
	e.Elements += other.Elements
	e.Sum += other.Sum
	e.Outward += other.Outward
	e.Squares += other.Squares
	if e.Bins == nil {
		e.Bins = Histogram{}
	}
	for bin, n := range other.Bins {
		e.Bins[bin] += n
	}
}

// RMS is the root mean square of r, 0 of none.
func (e Errors) RMS() float64 { return math.Sqrt(max(0, e.mean(e.Squares))) }

// Bias is the mean of r over its root mean square: the part of the errors that is
// systematic, from −1 to 1.
func (e Errors) Bias() float64 { return e.part(e.Sum) }

// Inward is the part of the errors that is toward zero, from −1 to 1: above 0 where
// results are truncated.
func (e Errors) Inward() float64 { return -e.part(e.Outward) }

func (e Errors) part(sum float64) float64 {
	if rms := e.RMS(); rms > 0 {
		return e.mean(sum) / rms
	}
	return 0
}

func (e Errors) mean(sum float64) float64 {
	if e.Elements == 0 {
		return 0
	}
	return sum / float64(e.Elements)
}

// errorMeter collects the errors of an output.
type errorMeter struct {
	sum, outward, squares float64
	bins                  signedErrors
}

// add takes in an element with the error |got − want| = ratio · bound.
func (m *errorMeter) add(ratio, got, want float64) {
	if ratio == 0 {
		return
	}
	r := math.Copysign(ratio, got-want)
	m.bins.add(r / ErrorUnit)
	if math.IsInf(r, 0) {
		return
	}
	m.sum += r
	if want < 0 {
		m.outward -= r
	} else {
		m.outward += r
	}
	m.squares += float64(r * r)
}

// errors are those of so many elements; nil if none of them has one.
func (m *errorMeter) errors(elements int) *Errors {
	if m.bins == (signedErrors{}) {
		return nil
	}
	return &Errors{Elements: elements, Sum: m.sum, Outward: m.outward, Squares: m.squares,
		Bins: m.bins.histogram(elements)}
}
