package oracles

import "math"

// accumulator adds float64 numbers with Neumaier's correction: the result is
// as accurate as if the sum had been carried in twice the precision, so that
// the oracle's own error stays far below the kernel's.
type accumulator struct{ sum, correction float64 }

// plus is the accumulator once it has taken x. It is passed by value, so that a
// loop keeps it in registers. The conversion stops a product x from being fused into
// one of its uses.
func (s accumulator) plus(x float64) accumulator {
	x = float64(x)
	t := s.sum + x
	return accumulator{t, s.correction + twoSumResidual(s.sum, x, t)}
}

// value is the sum. A partial sum that is not finite has spoilt the correction,
// but then the sum is not finite either and needs none.
func (s accumulator) value() float64 {
	if !finite(s.sum) {
		return s.sum
	}
	return s.sum + s.correction
}

// dot is Σ aᵢ·bᵢ in float64.
func dot(a, b []float64) float64 {
	var s accumulator
	b = b[:len(a)]
	for i, x := range a {
		s = s.plus(x * b[i])
	}
	return s.value()
}

// norm is ‖a‖₂.
func norm(a []float64) float64 {
	var s float64
	for _, x := range a {
		s += float64(x * x)
	}
	return math.Sqrt(s)
}

// twoSumResidual is a + b − s for s = fl(a+b) in float64, exactly.
func twoSumResidual(a, b, s float64) float64 {
	t := s - a
	return (a - (s - t)) + (b - t)
}
