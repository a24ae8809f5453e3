package scalar

import (
	"math"
	"math/big"
	"sync"
)

// The reference evaluates with math/big in 512 bits, of which the conditioning
// of no function below costs more than 200, and shares no method with the
// package: e^x by squaring alone, sines by halving the argument, π by the
// arithmetic-geometric mean, and every inverse function by Newton steps from
// package math.

func bf(x float64) *big.Float               { return new(big.Float).SetPrec(512).SetFloat64(x) }
func bAdd(x, y *big.Float) *big.Float       { return bf(0).Add(x, y) }
func bSub(x, y *big.Float) *big.Float       { return bf(0).Sub(x, y) }
func bMul(x, y *big.Float) *big.Float       { return bf(0).Mul(x, y) }
func bQuo(x, y *big.Float) *big.Float       { return bf(0).Quo(x, y) }
func bSqrt(x *big.Float) *big.Float         { return bf(0).Sqrt(x) }
func bScale(x *big.Float, n int) *big.Float { return bf(0).SetMantExp(x, n) }
func bApprox(x *big.Float) float64          { v, _ := x.Float64(); return v }

var (
	refPi  = sync.OnceValue(gaussLegendre)
	refLn2 = sync.OnceValue(func() *big.Float { return refLog(bf(2)) })
	refLnX = sync.OnceValue(func() *big.Float { return refLog(bf(10)) })
)

// gaussLegendre is π by the arithmetic-geometric mean.
func gaussLegendre() *big.Float {
	a, b, t := bf(1), bSqrt(bf(0.5)), bf(0.25)
	for p := range 9 {
		m := bScale(bAdd(a, b), -1)
		d := bSub(a, m)
		b = bSqrt(bMul(a, b))
		t = bSub(t, bScale(bMul(d, d), p))
		a = m
	}
	s := bAdd(a, b)
	return bQuo(bMul(s, s), bScale(t, 2))
}

// refExpm1 is e^x - 1: the Taylor series at x/2⁴⁰, then forty doublings
// y → y(2+y).
func refExpm1(x *big.Float) *big.Float {
	r := bScale(x, -40)
	y, t := bf(0), bf(1)
	for n := 1; n < 16; n++ {
		t = bQuo(bMul(t, r), bf(float64(n)))
		y = bAdd(y, t)
	}
	for range 40 {
		y = bMul(y, bAdd(y, bf(2)))
	}
	return y
}

func refExp(x *big.Float) *big.Float { return bAdd(refExpm1(x), bf(1)) }

// refLog takes Halley's step y + 2(x-e^y)/(x+e^y), of third order, thrice.
func refLog(x *big.Float) *big.Float {
	y := bf(math.Log(bApprox(x)))
	for range 3 {
		e := refExp(y)
		y = bAdd(y, bQuo(bScale(bSub(x, e), 1), bAdd(x, e)))
	}
	return y
}

// refSincos reduces by whole turns, halves sixteen times, sums the series and
// doubles back with sin 2a = 2 sin a cos a, versin 2a = 2 sin² a, where
// versin = 1 - cos.
func refSincos(x *big.Float) (sin, cos *big.Float) {
	if turn := bScale(refPi(), 1); x.MantExp(nil) > 2 {
		n, _ := bQuo(x, turn).Int(nil)
		x = bSub(x, bMul(bf(0).SetInt(n), turn))
	}
	r := bScale(x, -16)
	z := bMul(r, r)
	s, v := bf(0), bf(0)
	t, w := r, bScale(z, -1)
	for n := 1; n < 20; n++ {
		s, v = bAdd(s, t), bAdd(v, w)
		t = bQuo(bMul(t, z), bf(float64(-2*n*(2*n+1))))
		w = bQuo(bMul(w, z), bf(float64(-(2*n+1)*(2*n+2))))
	}
	for range 16 {
		s, v = bScale(bMul(s, bSub(bf(1), v)), 1), bScale(bMul(s, s), 1)
	}
	return s, bSub(bf(1), v)
}

func refSin(x *big.Float) *big.Float { s, _ := refSincos(x); return s }
func refCos(x *big.Float) *big.Float { _, c := refSincos(x); return c }
func refTan(x *big.Float) *big.Float { s, c := refSincos(x); return bQuo(s, c) }

// turns removes whole periods of sin πx from x, exactly.
func turns(x *big.Float) *big.Float {
	n, _ := bScale(x, -1).Int(nil)
	return bMul(refPi(), bSub(x, bScale(bf(0).SetInt(n), 1)))
}

// refAtan corrects a = math.Atan by δ with tan δ = (x cos a - sin a)/(cos a + x sin a).
func refAtan(x *big.Float) *big.Float {
	a := bf(math.Atan(bApprox(x)))
	for range 2 {
		s, c := refSincos(a)
		t := bQuo(bSub(bMul(x, c), s), bAdd(c, bMul(x, s)))
		a = bAdd(a, bSub(t, bQuo(bMul(t, bMul(t, t)), bf(3))))
	}
	return a
}

func refAtan2(y, x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return bMul(bf(float64(y.Sign())), bScale(refPi(), -1))
	}
	a := refAtan(bQuo(y, x))
	switch {
	case x.Sign() > 0:
		return a
	case y.Sign() < 0:
		return bSub(a, refPi())
	}
	return bAdd(a, refPi())
}

func refAsin(x *big.Float) *big.Float {
	return refAtan2(x, bSqrt(bSub(bf(1), bMul(x, x))))
}

func refAcos(x *big.Float) *big.Float {
	return bScale(refAtan2(bSqrt(bSub(bf(1), x)), bSqrt(bAdd(bf(1), x))), 1)
}

func refSinh(x *big.Float) *big.Float {
	p := refExpm1(x)
	return bScale(bAdd(p, bQuo(p, bAdd(p, bf(1)))), -1)
}

func refCosh(x *big.Float) *big.Float {
	e := refExp(x)
	return bScale(bAdd(e, bQuo(bf(1), e)), -1)
}

// refTanh is within 2⁻⁵⁰⁰ of ±1 from 200 on.
func refTanh(x *big.Float) *big.Float {
	if x.MantExp(nil) > 8 {
		return bf(float64(x.Sign()))
	}
	return bQuo(refSinh(x), refCosh(x))
}

// newton improves y towards f(y) = x thrice, given f and its derivative.
func newton(x *big.Float, y float64, f, derivative func(*big.Float) *big.Float) *big.Float {
	z := bf(y)
	for range 3 {
		z = bSub(z, bQuo(bSub(f(z), x), derivative(z)))
	}
	return z
}

func refAsinh(x *big.Float) *big.Float {
	return newton(x, math.Asinh(bApprox(x)), refSinh, refCosh)
}

func refAcosh(x *big.Float) *big.Float {
	return newton(x, math.Acosh(bApprox(x)), refCosh, refSinh)
}

func refAtanh(x *big.Float) *big.Float {
	return newton(x, math.Atanh(bApprox(x)), refTanh, func(y *big.Float) *big.Float {
		t := refTanh(y)
		return bSub(bf(1), bMul(t, t))
	})
}

func refPow(x, y *big.Float) *big.Float { return refExp(bMul(y, refLog(x))) }

// nearly is a function in float64, written with package math, together with the
// function itself. Package math is good to a few units of the last place where
// it is used here; the comparison allows it 2⁻⁴².
type nearly struct {
	name string
	std  func(x float64) float64
	ref  func(x *big.Float) *big.Float
}

const stdError = 0x1p-42

var nearlyAll = []nearly{
	{"acos", func(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }, refAcos},
	{"acosh", math.Acosh, refAcosh},
	{"asin", func(x float64) float64 { return math.Atan2(x, math.Sqrt((1-x)*(1+x))) }, refAsin},
	{"asinh", math.Asinh, refAsinh},
	{"atan", math.Atan, refAtan},
	{"atanh", math.Atanh, refAtanh},
	{"cos", math.Cos, refCos},
	{"cosh", math.Cosh, refCosh},
	{"cospi", stdCospi, func(x *big.Float) *big.Float { return refCos(turns(x)) }},
	{"exp", math.Exp, refExp},
	{"exp10", func(x float64) float64 { return math.Pow(10, x) }, func(x *big.Float) *big.Float {
		return refExp(bMul(x, refLnX()))
	}},
	{"exp2", math.Exp2, func(x *big.Float) *big.Float { return refExp(bMul(x, refLn2())) }},
	{"log", math.Log, refLog},
	{"log10", func(x float64) float64 { return math.Log(x) / math.Ln10 }, func(x *big.Float) *big.Float {
		return bQuo(refLog(x), refLnX())
	}},
	{"log2", func(x float64) float64 { return math.Log(x) / math.Ln2 }, func(x *big.Float) *big.Float {
		return bQuo(refLog(x), refLn2())
	}},
	{"rsqrt", func(x float64) float64 { return 1 / math.Sqrt(x) }, func(x *big.Float) *big.Float {
		return bQuo(bf(1), bSqrt(x))
	}},
	{"sin", math.Sin, refSin},
	{"sinh", math.Sinh, refSinh},
	{"sinpi", stdSinpi, func(x *big.Float) *big.Float { return refSin(turns(x)) }},
	{"sqrt", math.Sqrt, bSqrt},
	{"tan", math.Tan, refTan},
	{"tanh", math.Tanh, refTanh},
	{"tanpi", stdTanpi, func(x *big.Float) *big.Float { return refTan(turns(x)) }},
}

// stdSinpi folds x, exactly, into [-1/2, 1/2].
func stdSinpi(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	r := x - 2*math.RoundToEven(x/2)
	if math.Abs(r) > 0.5 {
		r = math.Copysign(1, r) - r
	}
	if r == 0 {
		return math.Copysign(0, x)
	}
	return math.Sin(math.Pi * r)
}

func stdCospi(x float64) float64 {
	r := math.Abs(x - 2*math.RoundToEven(x/2))
	return math.Sin(math.Pi*(0.5-r)) + 0
}

func stdTanpi(x float64) float64 {
	switch n := math.Trunc(x); {
	case math.IsInf(x, 0):
		return math.NaN()
	case n == x:
		return math.Copysign(0, x*(1-2*math.Abs(math.Mod(n, 2))))
	}
	r := x - 2*math.RoundToEven(x/2)
	if math.Abs(r) == 0.5 {
		return math.Copysign(math.Inf(1), r)
	}
	return stdSinpi(x) / stdCospi(x)
}

// round is rounding to a format by definition: to its precision at the
// magnitude of y.
func round(f Format, y *big.Float) float32 {
	precision, smallest, overflow := 24, -149, 0x1.ffffffp127
	switch f {
	case Half:
		precision, smallest, overflow = 11, -24, 65520
	case Bfloat:
		precision, smallest, overflow = 8, -133, 0x1.ffp127
	}
	bits := min(precision, y.MantExp(nil)-smallest)
	v := 0.0
	switch {
	case new(big.Float).Abs(y).Cmp(bf(overflow)) >= 0:
		v = math.Inf(1)
	case bits > 0:
		v = math.Abs(bApprox(new(big.Float).SetPrec(uint(bits)).Set(y)))
	case bits == 0 && new(big.Float).Abs(y).Cmp(bf(math.Ldexp(1, smallest-1))) > 0:
		v = math.Ldexp(1, smallest)
	}
	if y.Signbit() {
		v = -v
	}
	return float32(v)
}

// want is the function rounded to the format. Most arguments are decided by
// package math, whose value with its error rounds to one number; the others,
// and every argument if exact is set, by the reference.
func (n nearly) want(f Format, x float32, exact bool) float32 {
	y := n.std(float64(x))
	if y == 0 || math.IsInf(y, 0) || y != y || math.IsInf(float64(x), 0) {
		return f.Round(y)
	}
	e := math.Abs(y) * stdError
	if lo, hi := f.Round(y-e), f.Round(y+e); lo == hi && !exact && !n.crude(x, y) {
		return lo
	}
	if n.name == "exp2" && x == float32(math.Trunc(float64(x))) {
		return round(f, bScale(bf(1), int(x)))
	}
	return round(f, n.ref(bf(float64(x))))
}

// crude reports whether package math's value y is not as good as stdError: its
// reduction of arguments from 2²⁹ on keeps 64 bits of the fraction, of which those
// near a multiple of π/2 lose the first.
func (n nearly) crude(x float32, y float64) bool {
	large := math.Abs(float64(x)) >= 1<<28 && (n.name == "sin" || n.name == "cos" || n.name == "tan")
	return large && (math.Abs(y) < 0x1p-16 || math.Abs(y) > 0x1p16)
}

// same compares bits, all NaN being one.
func same(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}
