package bench

import (
	"math/rand/v2"
	"metalconform/suite"

	"metalconform/metalrun/timing"
)

// Version is a case of some shaders, as they declare it.
type Version struct {
	Case     suite.Case
	Shaders  *suite.Shaders
	Declared *suite.Declarations // nil for nothing
}

// Samples are times of two versions of a case on one device, in nanoseconds: of the base
// and of the head, taken in turns, and of the base against itself, in buffers of its
// own, which shows what the device makes of nothing.
type Samples struct {
	Self [2][]float64
	Base []float64
	Head []float64
	// Failed is the result of the version that did not conform; nil if both did. It has no
	// samples then.
	Failed *suite.Result
}

// Compare judges two versions of a case and takes samples of both, launches in an order
// that draw decides: first of the base against itself, then of the head against the base.
// It takes so many of each as the meter's effort has times. One run of each version is
// judged before the first sample, and one after the last.
func (m *Meter) Compare(base, head Version, draw *rand.Rand) Samples {
	versions := []Version{base, base, head}
	s := &session{Meter: m, versions: versions, measured: make([]Measurement, len(versions))}
	var got Samples
	s.take = func() {
		if len(s.watches) < len(versions) {
			return
		}
		all := s.samples()
		self := timing.Interleave(m.effort.Effort, draw, all[0], all[1])
		pair := timing.Interleave(m.effort.Effort, draw, all[0], all[2])
		got.Self, got.Base, got.Head = [2][]float64{self[0], self[1]}, pair[0], pair[1]
	}
	s.from(0)
	for _, x := range s.measured {
		if x.Status != suite.Pass {
			return Samples{Failed: &x.Result}
		}
	}
	return got
}
