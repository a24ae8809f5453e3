package oracles

import "metalconform/oracles/internal/loops"

// runningSums are those of all channels, in planes, and room for the next. Planes are padded by
// their last sum.
type runningSums struct {
	n            int
	planes, next []float64
}

func newRunningSums(n int) runningSums {
	size := loops.SumPlanes * loops.Padded(n)
	return runningSums{n, make([]float64, size), make([]float64, size)}
}

// at is sum i.
func (s *runningSums) at(i int) runningSum {
	width := len(s.planes) / loops.SumPlanes
	plane := func(j int) float64 { return s.planes[j*width+i] }
	return runningSum{
		approx{plane(loops.SumValue), plane(loops.SumError),
			moments{plane(loops.SumVariance), plane(loops.SumSystematic)}},
		plane(loops.SumScores), plane(loops.SumExponentials), plane(loops.SumCarried),
	}
}

// set makes x sum i.
func (s *runningSums) set(i int, x runningSum) {
	width, last := len(s.planes)/loops.SumPlanes, i+1
	if last == s.n {
		last = width
	}
	for ; i < last; i++ {
		s.planes[loops.SumValue*width+i], s.planes[loops.SumError*width+i] = x.v, x.e
		s.planes[loops.SumVariance*width+i], s.planes[loops.SumSystematic*width+i] = x.variance, x.systematic
		s.planes[loops.SumScores*width+i], s.planes[loops.SumExponentials*width+i] = x.scores, x.exponentials
		s.planes[loops.SumCarried*width+i] = x.carried
	}
}
