package timing

import (
	"runtime"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Effort is how times are taken.
type Effort struct {
	Times      int     // how many, each with samples of its own
	Confidence float64 // with which an interval holds the median, between 0 and 1
	Within     float64 // of the median, as a fraction, both ends of the interval are to lie
	// of each time on the clock on the wall, for each subject; then it ends with the samples that there are
	Limit time.Duration
	// Clock, if not nil, is looked at between samples. Those around which it moves are dropped.
	Clock Clock
}

// Time is the median of samples in nanoseconds.
type Time struct {
	Samples   int
	Median    float64
	Low, High float64 // ends of the interval of confidence; infinite with too few samples
	Close     bool    // the interval is as narrow as was asked
	Steady    bool    // so were the samples before the first, and the clock
	Clock     float64 // during the samples, as a fraction of the fastest that was seen; 0 if nobody looked
	Dropped   int     // samples around which the clock moved, or for which it was another one
}

// Spread is how far from the median the interval reaches, as a fraction of it.
func (t Time) Spread() float64 {
	if t.Low == t.High {
		return 0
	}
	return max(t.High-t.Median, t.Median-t.Low) / t.Median
}

// Sample is one sample of a subject, in nanoseconds. After false there is no other.
type Sample func() (ns float64, ok bool)

const mostSamples = 10_000 // of one time

// Take has the times of subjects that are to be compared with each other, none of those
// that have given up.
func Take(e Effort, subjects ...Sample) [][]Time {
	g := &group{Effort: e, times: make([][]Time, len(subjects)), watch: watch{Clock: e.Clock}}
	g.Limit *= time.Duration(max(len(subjects), 1))
	for _, s := range subjects {
		g.subjects = append(g.subjects, &subject{take: s})
	}
	g.burnIn()
	runtime.GC() // no garbage is to be collected during the samples
	for range e.Times {
		g.sample()
	}
	for i, s := range g.subjects {
		if s.out {
			g.times[i] = nil
		}
	}
	return g.times
}

// group are subjects that take turns.
type group struct {
	Effort
	subjects []*subject
	watch    watch
	rounds   int
	times    [][]Time
}

// subject is one of a group.
type subject struct {
	take    Sample
	out     bool // it has given up
	samples []float64
	clocks  []float64 // during each sample, if somebody looks
	moved   int       // samples that do not count
	last    float64   // median of the window before, while it burns in
	steady  bool
}

// round takes one sample of each, in the order opposite to the round before.
func (g *group) round() (any bool) {
	g.watch.begin()
	for i := range g.subjects {
		if g.rounds%2 == 1 {
			i = len(g.subjects) - 1 - i
		}
		s := g.subjects[i]
		if s.out {
			continue
		}
		ns, ok := s.take()
		s.out = !ok
		any = any || ok
		if clock, moved := g.watch.tick(); moved {
			s.moved++
		} else {
			s.samples, s.clocks = append(s.samples, ns), append(s.clocks, clock)
		}
	}
	g.rounds++
	return any
}

// window is the number of samples whose medians are compared in the burn-in. A pair
// keeps the device busy for at least six milliseconds.
const window = 8

// burnIn takes samples until two windows of each subject agree, for a quarter of the
// limit at most: a GPU raises its clock under load, and lowers it when it gets hot.
func (g *group) burnIn() {
	for begin := time.Now(); g.round() && time.Since(begin) < g.Limit/4; {
		all := true
		for _, s := range g.subjects {
			all = s.steadyWithin(g.Within) && all
		}
		if all {
			break
		}
	}
	for _, s := range g.subjects {
		s.forget()
	}
}

// forget drops all samples.
func (s *subject) forget() { s.samples, s.clocks, s.moved = nil, nil, 0 }

// steadyWithin reports whether the medians of the last two windows agree.
func (s *subject) steadyWithin(within float64) bool {
	if len(s.samples) < window {
		return s.steady || s.out
	}
	median := middle(s.samples)
	s.steady = s.last > 0 && max(median-s.last, s.last-median) <= within*s.last
	s.last = median
	s.forget()
	return s.steady || s.out
}

// middle is the median, the lower of two.
func middle(samples []float64) float64 {
	return slices.Sorted(slices.Values(samples))[(len(samples)-1)/2]
}

// sample takes one time of each subject. It looks at numbers of samples that grow by
// half whether they are enough: every look is a chance to stop at samples that agree
// by accident.
func (g *group) sample() {
	begin := time.Now()
	for look := 1; g.round(); {
		n := g.most()
		late := n == mostSamples || time.Since(begin) >= g.Limit
		if n < look && !late {
			continue
		}
		look = n + n/2 + 1
		if g.close() || late {
			break
		}
	}
	for i, s := range g.subjects {
		if !s.out {
			g.times[i] = append(g.times[i], g.summary(s))
		}
		s.forget()
	}
}

// most is the number of samples of a subject that has not given up.
func (g *group) most() (n int) {
	for _, s := range g.subjects {
		n = max(n, len(s.samples))
	}
	return n
}

// close reports whether all medians are known well enough.
func (g *group) close() bool {
	return !slices.ContainsFunc(g.subjects, func(s *subject) bool { return !s.out && !g.summary(s).Close })
}

// summary is the median of a subject's samples with its interval.
func (g *group) summary(s *subject) Time {
	samples, clock := s.undisturbed()
	known := benchmath.AssumeNothing.Summary(benchmath.NewSample(samples, &benchmath.DefaultThresholds), g.Confidence)
	t := Time{Samples: len(samples), Median: known.Center, Low: known.Lo, High: known.Hi, Steady: s.steady,
		Dropped: s.moved + len(s.samples) - len(samples)}
	if clock > 0 {
		t.Clock = g.Clock.Best() / clock
	}
	t.Steady = t.Steady && t.Dropped <= t.Samples // of a clock that moves around most samples nothing is steady
	t.Close = t.Median > 0 && t.Spread() <= g.Within
	return t
}

// undisturbed are the samples that were taken by the clock of most of them, and that clock; 0 if nobody looked.
func (s *subject) undisturbed() (samples []float64, clock float64) {
	if len(s.clocks) == 0 || slices.Min(s.clocks) == 0 {
		return slices.Clone(s.samples), 0
	}
	clock = middle(s.clocks)
	for i, ns := range s.samples {
		if !moved(s.clocks[i], clock) {
			samples = append(samples, ns)
		}
	}
	return samples, clock
}
