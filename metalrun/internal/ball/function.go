package ball

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// unary is a function of one number: its value in float64, within a few units of the
// last place, and a bound on how far it moves within e of x, where it is y.
type unary struct {
	of     func(x float64) float64
	spread func(x, e, y float64) float64 // nil: it never falls or never rises
}

var unaries = map[string]unary{
	"exp":   {math.Exp, expSpread},
	"exp2":  {math.Exp2, nil},
	"exp10": {func(x float64) float64 { return math.Pow(10, x) }, nil},
	"log":   {math.Log, logSpread(1)},
	"log2":  {math.Log2, logSpread(math.Log2E)},
	"log10": {math.Log10, logSpread(math.Log10E)},
	"sqrt":  {math.Sqrt, nil},
	"rsqrt": {func(x float64) float64 { return 1 / math.Sqrt(x) }, nil},
	"sin":   {math.Sin, lipschitz(1)},
	"cos":   {math.Cos, lipschitz(1)},
	"tan":   {math.Tan, tanSpread},
	"sinpi": {sinpi, lipschitz(math.Pi)},
	"cospi": {func(x float64) float64 { return sinpi(math.Abs(x) + 0.5) }, lipschitz(math.Pi)},
	"asin":  {math.Asin, nil},
	"acos":  {math.Acos, nil},
	"atan":  {math.Atan, nil},
	"sinh":  {math.Sinh, nil},
	"cosh":  {math.Cosh, coshSpread},
	"tanh":  {math.Tanh, nil},
	"asinh": {math.Asinh, nil},
	"acosh": {math.Acosh, nil},
	"tanpi": {tanpi, tanpiSpread},
	"atanh": {math.Atanh, nil},
}

// expSpread: e^(x+e) − e^x = y·(e^e − 1), and e^e − 1 ≤ e + e² up to 1.
func expSpread(x, e, y float64) float64 {
	if e < 1 {
		return y * (e + float64(e*e))
	}
	return math.Exp(x+e) - y
}

// logSpread: log x − log(x − e) ≤ e/(x − e).
func logSpread(factor float64) func(x, e, y float64) float64 {
	return func(x, e, _ float64) float64 {
		if !(x > e) {
			return math.Inf(1)
		}
		return factor * e / (x - e)
	}
}

func lipschitz(slope float64) func(x, e, y float64) float64 {
	return func(_, e, _ float64) float64 { return min(slope*e, 2) }
}

// tanSpread: tan rises between two poles.
func tanSpread(x, e, y float64) float64 {
	if math.Floor((x-e)/math.Pi+0.5) != math.Floor((x+e)/math.Pi+0.5) {
		return math.Inf(1)
	}
	return ends(math.Tan, x, e, y)
}

// tanpi is tan πx, with x reduced exactly.
func tanpi(x float64) float64 { return sinpi(x) / sinpi(math.Abs(x)+0.5) }

func tanpiSpread(x, e, y float64) float64 {
	if math.Floor(x-e+0.5) != math.Floor(x+e+0.5) {
		return math.Inf(1)
	}
	return ends(tanpi, x, e, y)
}

// coshSpread: cosh is even and convex.
func coshSpread(x, e, y float64) float64 {
	if math.Abs(x) < e {
		return math.Max(math.Cosh(math.Abs(x)+e)-y, y-1)
	}
	return ends(math.Cosh, x, e, y)
}

// ends is how far a monotonic function moves within e of x.
func ends(of func(float64) float64, x, e, y float64) float64 {
	return math.Max(math.Abs(of(x+e)-y), math.Abs(y-of(x-e)))
}

// sinpi is sin πx, with x reduced exactly.
func sinpi(x float64) float64 {
	x -= float64(2 * math.RoundToEven(x/2))
	switch {
	case x > 0.5:
		x = 1 - x
	case x < -0.5:
		x = -1 - x
	}
	if math.Abs(x) > 0.25 {
		return math.Copysign(math.Cos(math.Pi*(0.5-math.Abs(x))), x)
	}
	return math.Sin(math.Pi * x)
}

// steps are the functions that are constant between steps and never fall.
var steps = map[string]func(x float64) float64{
	"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven, "round": math.Round,
	"sign": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	},
}

// Function is a function of one or two numbers, of f32 or, with a narrow format, of
// that. nil stands for one of which no bound is known.
type Function func(a, b Ball) Ball

// Stepped reports whether a function is constant between steps.
func Stepped(fn *scalar.FloatFunction) bool { return steps[fn.Name] != nil }

// Nearest reports whether a stepped function rounds to the nearest whole number.
func Nearest(fn *scalar.FloatFunction) bool { return fn.Name == "rint" || fn.Name == "round" }

// Float is the function that a row of [scalar.FloatFunctions] describes, in a format (nil:
// f32). fast says that the kernel asks for the fast one.
func Float(fn *scalar.FloatFunction, f *Format, fast bool) Function {
	if f != nil {
		return narrowed(fn, f, fast)
	}
	switch fn.Name {
	case "abs":
		return func(a, _ Ball) Ball { return Abs(a) }
	case "min":
		return Min
	case "max":
		return Max
	case "copysign":
		return copysign
	case "fdim":
		return func(a, b Ball) Ball { return Max(Sub(a, b), Ball{}) }
	}
	if of := steps[fn.Name]; of != nil {
		return func(a, _ Ball) Ball { return stepped(a, of) }
	}
	limit := fn.Limit(scalar.F32, fast)
	if of, ok := unaries[fn.Name]; ok {
		if limit.As != nil {
			return limited(limit, func(a, _ Ball) Ball { return of.composed(fn.Name, a) })
		}
		fixed := float64(fn.Fixed)
		return limited(limit, func(a, _ Ball) Ball { return of.evaluated(a, fixed, &limit) })
	}
	switch fn.Name {
	case "pow", "powr":
		return limited(limit, func(a, b Ball) Ball { return power(a, b, &limit) })
	case "atan2":
		if limit.As != nil {
			return composedAngle
		}
		return func(a, b Ball) Ball { return angle(a, b, &limit) }
	case "fmod":
		if limit.As != nil {
			return composedRemainder
		}
	}
	return nil
}

// narrowed is a function in a narrow format: its result is rounded by its reader, after it
// erred by an ulp where the table of half allows that.
func narrowed(fn *scalar.FloatFunction, f *Format, fast bool) Function {
	of := Float(fn, nil, false)
	if of == nil {
		return nil
	}
	limit := fn.Limit(f.scalar, fast)
	return func(a, b Ball) Ball {
		y := of(f.operand(a), f.operand(b))
		if limit.Ulps.Max > 0 && y.Known() && finite(y.X) {
			y.E += float64(2*f.unit*limit.Ulps.Max*(math.Abs(y.X)+y.E)) + 2*f.last
		}
		return y
	}
}

// limited is a function whose table says for which arguments it is undefined.
func limited(limit scalar.Limit, of Function) Function {
	if limit.Undefined == nil {
		return of
	}
	return func(a, b Ball) Ball {
		if limit.Undefined(float32(a.X-a.E), float32(b.X)) || limit.Undefined(float32(a.X), float32(b.X)) {
			return Unknown(of(a, b).X)
		}
		return of(a, b)
	}
}

// evaluated is a function of a with a limit of its error.
func (f unary) evaluated(a Ball, fixed float64, limit *scalar.Limit) Ball {
	y := f.of(a.X)
	if v, ok := a.Everywhere(); ok {
		v = f.of(v)
		return instead(y, v, float64(limit.Ulps.Max*ulp(math.Abs(v))))
	}
	switch {
	case !finite(y):
		return special(y, a.E == 0 || f.overflows(a))
	case !finite(a.X):
		return Ball{X: y, E: a.E}
	case !a.Known():
		return Unknown(y)
	case a.E == 0 && a.X == fixed && y == float64(float32(y)):
		return Ball{X: y, E: 0} // every known device has it
	}
	spread := 0.0
	if a.E > 0 {
		if f.spread != nil {
			spread = f.spread(a.X, a.E, y)
		} else {
			spread = ends(f.of, a.X, a.E, y)
		}
		if spread != spread {
			return Unknown(y)
		}
	}
	return within(y, spread, math.Abs(a.X)+a.E, a.X, limit)
}

// composed is the function where a device makes it of others.
func (f unary) composed(name string, a Ball) Ball {
	y, ok := composed(name, a)
	exact := f.of(a.X)
	switch {
	case !ok || !finite(exact) && a.E > 0:
		return Unknown(exact)
	case !finite(exact):
		return Ball{X: exact, E: 0}
	}
	return y.insteadOf(exact)
}

// within is a result that is off by up to spread and by as much as the limit allows for
// an argument of up to size.
func within(y, spread, size, x float64, limit *scalar.Limit) Ball {
	if absolute, ok := limit.Absolute.At(x); ok {
		if beyond, ok := limit.Absolute.At(math.Copysign(size, x)); ok {
			absolute = math.Max(absolute, beyond)
		}
		return rounded(y, spread+absolute)
	}
	if limit.Ulps.Max == 0 {
		return rounded(y, spread)
	}
	if y == 0 && spread == 0 {
		return Ball{X: y, E: 0}
	}
	most := math.Abs(y) + spread
	if least := math.Abs(y) - spread - float64(limit.Ulps.At(size)*most*0x1p-23); least >= largest*(1+Allowance) {
		return beyondRange(y)
	}
	return edgeless(y, spread+float64(limit.Ulps.At(size)*ulp(most)))
}

// overflows reports whether a function that is beyond the range of float64 is far beyond that of f32 wherever its
// argument may be, as exponentials are.
func (f unary) overflows(a Ball) bool {
	const far = 2 * largest
	low, high := f.of(a.X-a.E), f.of(a.X+a.E)
	return finite(a.X) && a.Known() && (low >= far && high >= far || low <= -far && high <= -far)
}

// ulp is the distance of numbers of f32 at a size. One that rounds to a power of two counts as
// that: devices and the specification may mean either side.
func ulp(size float64) float64 {
	const exponent = 0x7ff0 << 48
	return math.Float64frombits(math.Float64bits(float64(float32(size)))&exponent) * 0x1p-23
}

func copysign(a, b Ball) Ball {
	y := a
	if math.Signbit(a.X) != math.Signbit(b.X) {
		y = Neg(a)
	}
	if b.signed() && (b.X != 0 || b.E == 0) {
		return y
	}
	return Either(y, Neg(y))
}

// power is a to the power of b, for a > 0: monotonic in each.
func power(a, b Ball, limit *scalar.Limit) Ball {
	y := math.Pow(a.X, b.X)
	switch {
	case !a.Known() || !b.Known() || !finite(y) && !(a.E == 0 && b.E == 0):
		return Unknown(y)
	case a.E == 0 && b.E == 0 && (!finite(y) || a.X == 1 || b.X == 0):
		return Ball{X: y, E: 0}
	case !(a.X > a.E) && (a.E > 0 || b.E > 0):
		return Unknown(y)
	}
	spread := 0.0
	if a.E > 0 || b.E > 0 {
		for _, p := range [...]float64{a.X - a.E, a.X + a.E} {
			for _, q := range [...]float64{b.X - b.E, b.X + b.E} {
				spread = math.Max(spread, math.Abs(math.Pow(p, q)-y))
			}
		}
	}
	if limit.As != nil { // exp2(b·log2 a)
		return Ball{X: y, E: math.Max(composedPower(a, b).E, spread)}
	}
	return within(y, spread, math.Abs(a.X)+a.E, a.X, limit)
}

// angle is atan2(a, b): it turns by no more than the distance over what is left of the
// radius, away from the cut along the negative half of the axis.
func angle(a, b Ball, limit *scalar.Limit) Ball {
	y := math.Atan2(a.X, b.X)
	if a.E == 0 && b.E == 0 {
		return within(y, 0, math.Abs(a.X), a.X, limit)
	}
	left := math.Hypot(a.X, b.X) - (a.E + b.E)
	if !(left > 0) || b.X < b.E && math.Abs(a.X) <= a.E {
		return Unknown(y)
	}
	return within(y, math.Pi/2*(a.E+b.E)/left, math.Abs(a.X), a.X, limit)
}
