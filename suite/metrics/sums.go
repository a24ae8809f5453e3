package metrics

import "math"

// Sums are over the elements of an output or of a part of it.
type Sums struct {
	GG, GW, WW float64 // Σ got², Σ got·want, Σ want²
	DD         float64 // Σ (got − want)²
}

// products are the sums of one element, each rounded so that adding it up is the
// same on every machine.
func products(got, want float64) Sums {
	d := got - want
	return Sums{GG: float64(got * got), GW: float64(got * want), WW: float64(want * want), DD: float64(d * d)}
}

func (s *Sums) add(e *Sums) {
	s.GG += e.GG
	s.GW += e.GW
	s.WW += e.WW
	s.DD += e.DD
}

// Cosine is 1 if both vectors are zero, 0 if one is or if squares overflow.
func (s Sums) Cosine() float64 {
	switch {
	case s.GG == 0 && s.WW == 0:
		return 1
	case s.GG == 0 || s.WW == 0, math.IsInf(s.GG, 1), math.IsInf(s.WW, 1):
		return 0
	}
	return s.GW / (math.Sqrt(s.GG) * math.Sqrt(s.WW))
}

// NMSE is 0 if there is no error, infinite if want alone is zero or if squares
// overflow.
func (s Sums) NMSE() float64 {
	switch {
	case s.DD == 0:
		return 0
	case math.IsInf(s.DD, 1):
		return s.DD
	}
	return s.DD / s.WW
}

// RelRMSE is the root of the NMSE.
func (s Sums) RelRMSE() float64 { return math.Sqrt(s.NMSE()) }

// SNR is the NMSE in decibels, the larger the better.
func (s Sums) SNR() float64 { return -10 * math.Log10(s.NMSE()) }
