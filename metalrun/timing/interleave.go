package timing

import (
	"math/rand/v2"
	"runtime"
	"time"
)

// Interleave has samples of subjects that are to be told apart, in nanoseconds: when all
// have become steady, rounds of one sample of each, in an order that is drawn anew for
// every round, so that nothing that comes and goes favours one of them. It takes so many
// rounds as the effort has times, within its limit for each subject. Nothing of those that
// have given up.
func Interleave(e Effort, draw *rand.Rand, subjects ...Sample) [][]float64 {
	g := &group{Effort: e, watch: watch{Clock: e.Clock}}
	g.Limit *= time.Duration(max(len(subjects), 1))
	for _, s := range subjects {
		g.subjects = append(g.subjects, &subject{take: s})
	}
	g.burnIn()
	runtime.GC() // no garbage is to be collected during the samples
	begin := time.Now()
	for n := 0; n < e.Times && (n == 0 || time.Since(begin) < g.Limit); n++ {
		g.watch.begin()
		for _, i := range draw.Perm(len(subjects)) {
			if s := g.subjects[i]; !s.out {
				ns, ok := s.take()
				s.samples, s.out = append(s.samples, ns), !ok
			}
		}
		if _, moved := g.watch.tick(); moved && time.Since(begin) < g.Limit { // the round does not count
			for _, s := range g.subjects {
				if !s.out {
					s.samples = s.samples[:len(s.samples)-1]
				}
			}
			n--
		}
	}
	samples := make([][]float64, len(subjects))
	for i, s := range g.subjects {
		if !s.out {
			samples[i] = s.samples
		}
	}
	return samples
}
