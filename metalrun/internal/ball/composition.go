package ball

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// Functions that table 8.2 has "implemented as" others err as the formula does: its error is
// that of the formula in balls, with fast functions. The exact value is the function's.

// Quotient is a/b with a limit of its error, such as that of fast division, of which a
// device may make a product with the reciprocal. The table promises nothing for
// divisors beyond 2¹²⁶.
func Quotient(a, b Ball, limit *scalar.Limit) Ball {
	if limit.Ulps.Max == 0 {
		return Div(a, b)
	}
	q := over(a, b)
	size := math.Abs(b.X)
	switch {
	case !finite(q.X) || !finite(b.X) || !q.Known():
		return q
	case !(size-b.E >= 0x1p-126 && size+b.E <= 0x1p126):
		return Unknown(q.X)
	case a == Ball{}:
		return Ball{}
	}
	return edgeless(q.X, q.E+float64(limit.Ulps.Max*ulp(math.Abs(q.X)+q.E)))
}

// fastQuotient is fast division.
func fastQuotient(a, b Ball) Ball {
	limit := scalar.Quotients(scalar.F32, true)
	return Quotient(a, b, &limit)
}

// fast is a fast function of the table that is no composition.
func fast(name string, a Ball) Ball { return Float(scalar.Float(name), nil, true)(a, Ball{}) }

func number(x float64) Ball { return Ball{X: float64(float32(x)), E: 0} }

// composed is a function of one number that the table has made of others, false if it
// is none of those whose error is known.
func composed(name string, a Ball) (y Ball, ok bool) {
	double := func(y Ball) Ball { return Ball{X: 2 * y.X, E: 2 * y.E} }
	half := func(y Ball) Ball { return Ball{X: y.X / 2, E: y.E / 2} }
	switch one := number(1); name {
	case "sqrt":
		if a == (Ball{}) || math.IsInf(a.X, 1) && a.E == 0 {
			return a, true
		}
		return Mul(a, fast("rsqrt", a)), true
	case "tanh":
		t := fast("exp", double(a))
		return fastQuotient(Sub(t, one), Add(t, one)), true
	case "sinh":
		return half(Sub(fast("exp", a), fast("exp", Neg(a)))), true
	case "cosh":
		return half(Add(fast("exp", a), fast("exp", Neg(a)))), true
	case "asinh":
		return fast("log", Add(a, fast("sqrt", Add(Mul(a, a), one)))), true
	case "acosh":
		return fast("log", Add(a, fast("sqrt", Sub(Mul(a, a), one)))), true
	case "atanh":
		return half(fast("log", fastQuotient(Add(one, a), Sub(one, a)))), true
	case "exp10":
		return fast("exp2", Mul(a, number(math.Ln10/math.Ln2))), true
	case "log10":
		return Mul(fast("log2", a), number(math.Ln2/math.Ln10)), true
	case "tan":
		return Mul(fast("sin", a), fastQuotient(one, fast("cos", a))), true
	case "tanpi":
		return fast("tan", Mul(a, number(math.Pi))), true
	}
	return Ball{}, false
}

// composedPower is exp2(b·log2 a).
func composedPower(a, b Ball) Ball { return fast("exp2", Mul(b, fast("log2", a))) }

// composedAngle is the arc tangent of a quotient, moved by π in the left half. Where either may be 0 nothing is
// promised.
func composedAngle(a, b Ball) Ball {
	exact := math.Atan2(a.X, b.X)
	if !(math.Abs(a.X) > a.E && math.Abs(b.X) > b.E) {
		return Unknown(exact)
	}
	y := fast("atan", fastQuotient(a, b))
	if b.X < 0 {
		y = Add(y, number(math.Copysign(math.Pi, a.X)))
	}
	return y.insteadOf(exact)
}

// composedRemainder is a − b·trunc(a/b). Of a multiple of b as written the quotient is that whole number, as where fmod
// is exact; a device that has one less relies on fast division.
func composedRemainder(a, b Ball) Ball {
	exact, n := math.Mod(a.X, b.X), fastQuotient(a, b)
	if a.E == 0 && b.E == 0 && n.X == math.Trunc(n.X) {
		n.E = 0
	}
	return Sub(a, Mul(b, stepped(n, math.Trunc))).insteadOf(exact)
}

// insteadOf is what a device has that computes y for an exact value: constants of the formula are rounded.
func (y Ball) insteadOf(exact float64) Ball {
	e := y.E + math.Abs(y.X-exact)
	if e != e {
		return Unknown(exact)
	}
	return Ball{X: exact, E: e}
}
