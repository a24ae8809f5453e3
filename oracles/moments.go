package oracles

import "math"

// moments say how the error of a computed number comes about. The number is its
// exact value, something systematic, and the sum of all roundings on the way:
//
//	x̂ = x + s + r,   |s| ≤ systematic,   E[r] = 0,   E[r²] ≤ variance
//
// Systematic is whatever does not average out, at its full size: what a
// function's class allows at every call, flushed subnormals, the rounding of an
// output to bfloat16. A rounding of y in the arithmetic's own format is an
// independent error, uniform within ±u|y| at most, of variance u²y²/3.
//
// Two numbers may have been made from the same third one, so that their errors
// are correlated. Operations therefore add the standard deviations of their
// operands, which is right for every correlation (Minkowski), and add in
// quadrature only their own rounding, which is independent of all else.
type moments struct{ variance, systematic float64 }

// scaled is the moments of f·x.
func (s moments) scaled(f float64) moments {
	return moments{float64(f * f * s.variance), float64(math.Abs(f) * s.systematic)}
}

// plus is the moments of a sum of two numbers, whatever their correlation.
func (s moments) plus(t moments) moments {
	return moments{minkowski(s.variance, t.variance), s.systematic + t.systematic}
}

// minkowski is the largest variance of the sum of two random numbers with the
// variances a and b: (√a + √b)².
func minkowski(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return a + b + float64(2*math.Sqrt(a*b))
}

// sigma is the standard deviation.
func (s moments) sigma() float64 { return math.Sqrt(s.variance) }

// through is the moments of f(x̂) given those of x̂, which is known to within e, and
// the most that f moves while its argument moves by e. The functions here are
// convex or concave, so that no shorter chord from x is steeper than the one of
// length e towards the steeper side: moved/e is a Lipschitz constant at x.
func (s moments) through(e, moved float64) moments {
	if e == 0 {
		return moments{}
	}
	return s.scaled(moved / e)
}

// scattered is s after one more rounding, of a number whose exact value is v. What
// is rounded is the kernel's number, hence
//
//	σ'² = σ² + u²/3·E[x̂²],   E[x̂²] ≤ (|v| + systematic)² + σ²
func (m *arithmetic) scattered(v float64, s moments) moments {
	largest := math.Abs(v) + s.systematic
	return moments{s.variance + float64(m.scatter*(float64(largest*largest)+s.variance)), s.systematic}
}

// limited is s after a function whose relative error is at most rel.
func (s moments) limited(v, rel float64) moments {
	return moments{float64(s.variance * (1 + rel) * (1 + rel)), s.systematic + float64(rel*(math.Abs(v)+s.systematic))}
}
