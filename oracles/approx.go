package oracles

import "math"

// approx is a number that a kernel computes: v is its exact value, and the
// kernel's is within e of it. e is +Inf where nothing is known.
//
// Its moments say how the error comes about. They are a statement of their own, to
// first order in u, and may be worse than e.
//
// Invariant: e is not NaN; e is 0 or +Inf where v is not finite; the moments
// are 0 where e is.
type approx struct {
	v, e float64
	moments
}

// exactly is a number that the kernel reads from its inputs.
func exactly(v float64) approx { return approx{v: v} }

// bounded is a number whose error is at most e, and systematic for all that is known.
func bounded(v, e float64) approx { return approx{v, e, moments{systematic: e}} }

// negated is −a.
func (a approx) negated() approx { return approx{-a.v, a.e, a.moments} }

// most is the largest size of the kernel's number.
func (a approx) most() float64 { return math.Abs(a.v) + a.e }

// product is what a·b inherits:
//
//	âb̂ − ab = (a + s_a)·r_b + (b + s_b)·r_a + r_a·r_b + a·s_b + b·s_a + s_a·s_b
//
// The third term is of second order and left out.
func (a approx) product(b approx) moments {
	x, y := math.Abs(a.v)+a.systematic, math.Abs(b.v)+b.systematic
	return moments{
		minkowski(float64(x*x*b.variance), float64(y*y*a.variance)),
		float64(x*b.systematic) + float64(math.Abs(b.v)*a.systematic),
	}
}

// undecided is the error of an operand of a product with a non-finite one: a
// finite number that may be zero or of either sign leaves open whether the product
// is NaN, and the sign of Inf.
func undecided(a approx) float64 {
	if a.e != 0 && (!finite(a.v) || math.Abs(a.v) <= a.e) {
		return math.Inf(1)
	}
	return 0
}

// likely is the statistical bound of the error of a.
func (a approx) likely() float64 { return min(a.e, a.systematic+float64(deviations*a.sigma())) }
