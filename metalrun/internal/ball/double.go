package ball

import "math"

// Double is a number carried as the sum of two of float64, 106 bits: where float64 itself may
// have made the difference between an exact value and its definition, the value of a ball is
// carried so. Errors stay what they are.
//
// Source: Dekker, A floating-point technique for extending the available precision, 1971, with
// the sums and products of Hida, Li and Bailey, Library for double-double and quad-double
// arithmetic, 2007.
type Double struct{ Hi, Lo float64 }

// Double is the value of a.
func (a Ball) Double() Double { return Double{a.X, a.L} }

// Valued is a with a value that is known better. What float64 cannot hold of it, no device may
// have: a is not certain then.
func (a Ball) Valued(v Double) Ball {
	if _, special := a.Everywhere(); special || !finite(v.Hi) || !finite(v.Lo) || !finite(a.X) {
		return a
	}
	a.X, a.L = v.Hi, v.Lo
	if a.E == 0 {
		a.E = math.Abs(a.L)
	}
	return a
}

// sumOf is a + b exactly.
func sumOf(a, b float64) Double {
	s := a + b
	t := s - a
	return Double{s, (a - (s - t)) + (b - t)}
}

// renormalised is a + b exactly, for |a| ≥ |b|.
func renormalised(a, b float64) Double {
	s := a + b
	return Double{s, b - (s - a)}
}

// productOf is a·b exactly. It is not inlined, so that a test finds the one fused operation
// that is meant.
//
//go:noinline
func productOf(a, b float64) Double {
	p := float64(a * b)
	return Double{p, math.FMA(a, b, -p)}
}

// AddDouble is a + b.
func AddDouble(a, b Double) Double {
	s, t := sumOf(a.Hi, b.Hi), sumOf(a.Lo, b.Lo)
	s = renormalised(s.Hi, s.Lo+t.Hi)
	return renormalised(s.Hi, s.Lo+t.Lo)
}

// SubDouble is a − b.
func SubDouble(a, b Double) Double { return AddDouble(a, b.neg()) }

func (a Double) neg() Double { return Double{-a.Hi, -a.Lo} }

// MulDouble is a·b.
func MulDouble(a, b Double) Double {
	p := productOf(a.Hi, b.Hi)
	return renormalised(p.Hi, p.Lo+(float64(a.Hi*b.Lo)+float64(a.Lo*b.Hi)))
}

// DivDouble is a/b: a quotient in float64, and twice that of what is left.
func DivDouble(a, b Double) Double {
	var q Double
	for range 3 {
		d := a.Hi / b.Hi
		q = AddDouble(q, Double{Hi: d})
		a = SubDouble(a, MulDouble(b, Double{Hi: d}))
	}
	return q
}

// times2 is a·2ⁿ.
func (a Double) times2(n int) Double { return Double{math.Ldexp(a.Hi, n), math.Ldexp(a.Lo, n)} }

// Constants to 106 bits.
var (
	ln2    = Double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ln10   = Double{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}
	halfPi = Double{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}
	one    = Double{Hi: 1}
)

// doubles are functions of one number in double-double. A value of NaN says that the argument is
// not theirs.
var doubles = map[string]func(x Double) Double{
	"exp":   exponential,
	"exp2":  func(x Double) Double { return exponential(MulDouble(x, ln2)) },
	"exp10": func(x Double) Double { return exponential(MulDouble(x, ln10)) },
	"log":   logarithm,
	"log2":  func(x Double) Double { return DivDouble(logarithm(x), ln2) },
	"log10": func(x Double) Double { return DivDouble(logarithm(x), ln10) },
	"sqrt":  root,
	"rsqrt": func(x Double) Double { return DivDouble(one, root(x)) },
	"sin":   func(x Double) Double { return sine(x, 0) },
	"cos":   func(x Double) Double { return sine(x, 1) },
	"tan":   func(x Double) Double { return DivDouble(sine(x, 0), sine(x, 1)) },
	"sinh":  hyperbolicSine,
	"cosh": func(x Double) Double {
		y := exponential(x)
		return AddDouble(y, DivDouble(one, y)).times2(-1)
	},
	"tanh": func(x Double) Double {
		y := lessOne(x.times2(1))
		return DivDouble(y, AddDouble(y, Double{Hi: 2}))
	},
}

// DoubleFunction is a function in double-double, nil if there is none.
func DoubleFunction(name string) func(a, b Double) Double {
	if of := doubles[name]; of != nil {
		return func(a, _ Double) Double { return of(a) }
	}
	switch name {
	case "pow", "powr":
		return func(a, b Double) Double { return exponential(MulDouble(b, logarithm(a))) }
	}
	return nil
}

var noDouble = Double{Hi: math.NaN()}

// root is √x: one step of Newton's method.
func root(x Double) Double {
	if !(x.Hi > 0) {
		return noDouble
	}
	y := math.Sqrt(x.Hi)
	rest := SubDouble(x, productOf(y, y))
	return AddDouble(Double{Hi: y}, Double{Hi: rest.Hi / (2 * y)})
}

// exponential is e^x = 2^k·(e^r)^512 with x = k·ln 2 + 512·r.
func exponential(x Double) Double {
	const squarings = 9
	if !(math.Abs(x.Hi) < 700) {
		return noDouble
	}
	k := math.RoundToEven(x.Hi / ln2.Hi)
	y := series(SubDouble(x, MulDouble(ln2, Double{Hi: k})).times2(-squarings), 1, 1, 1, 10)
	for range squarings { // of e^r − 1
		y = AddDouble(y.times2(1), MulDouble(y, y))
	}
	return AddDouble(y, one).times2(int(k))
}

// hyperbolicSine is odd: (y + y/(y + 1))/2 of y = e^|x| − 1.
func hyperbolicSine(x Double) Double {
	if x.Hi < 0 {
		return hyperbolicSine(x.neg()).neg()
	}
	y := lessOne(x)
	return AddDouble(y, DivDouble(y, AddDouble(y, one))).times2(-1)
}

// lessOne is e^x − 1.
func lessOne(x Double) Double {
	if math.Abs(x.Hi) < 0.5 {
		return series(x, 1, 1, 1, 26)
	}
	return SubDouble(exponential(x), one)
}

// series is the sum of n terms s·xᵏ/k! for k = first, first + step, …, of alternating signs if sign is −1.
func series(x Double, first, step int, sign float64, n int) Double {
	term, sum := one, Double{}
	for k, last := 1, first+step*(n-1); k <= last; k++ {
		term = DivDouble(MulDouble(term, x), Double{Hi: float64(k)})
		if k >= first && (k-first)%step == 0 {
			if sign < 0 && (k-first)/step%2 == 1 {
				sum = SubDouble(sum, term)
			} else {
				sum = AddDouble(sum, term)
			}
		}
	}
	return sum
}

// logarithm is ln x: one step of Newton's method for e^y = x.
func logarithm(x Double) Double {
	if !(x.Hi > 0) || math.IsInf(x.Hi, 1) {
		return noDouble
	}
	m, e := math.Frexp(x.Hi)
	x = x.times2(-e)
	y := Double{Hi: math.Log(m)}
	rest := SubDouble(MulDouble(x, exponential(y.neg())), one)
	y = AddDouble(y, rest)
	return AddDouble(y, MulDouble(ln2, Double{Hi: float64(e)}))
}

// sine is sin(x + quarters·π/2). π/2 has 106 bits here, which is enough for short turns.
func sine(x Double, quarters int) Double {
	if !(math.Abs(x.Hi) < 1<<16) {
		return noDouble
	}
	k := math.RoundToEven(x.Hi / halfPi.Hi)
	r := SubDouble(x, MulDouble(halfPi, Double{Hi: k}))
	quarters += int(k)
	var y Double
	if quarters&1 == 0 {
		y = series(r, 1, 2, -1, 15)
	} else {
		y = SubDouble(one, series(r, 2, 2, -1, 14))
	}
	if quarters&2 != 0 {
		y = y.neg()
	}
	return y
}
