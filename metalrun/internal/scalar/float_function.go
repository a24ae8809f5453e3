package scalar

import (
	"math"
	"math/big"
)

// FloatFunction is a function of floats that the language computes as a whole,
// not by composition. All that there is to say about it is in its row of
// [FloatFunctions], except its prototype, which package types has, and a second
// definition, independent of this one, in package ir/eval.
//
// One of the fields that follow the names defines it; the others are zero.
type FloatFunction struct {
	Name, Also string // Also is another name of it, or ""

	exact      func(x float32) float32           // the same in every format
	elementary elementary                        // rounded once to the format
	unary      func(f Format, x float32) float32 // for a definition of its own
	binary     func(f Format, x, y float32) float32
	Scale      func(f Format, x float32, n int32) float32
	Test       func(f Format, x float32) bool
	Exponent   func(x float32) int32
	Parts      func(x float32) (a, b float32)
	Frexp      func(x float32) (a float32, n int32)

	// value is the result before it is rounded, of functions that are not elementary.
	value func(x, y float64) float64

	Precise, Fast Limit // in f32
	OneUlp        bool  // the limit in half; else correctly rounded
	// Fixed is an argument whose exact result every known device gives, whatever the
	// limit: exp(0) is 1.
	Fixed float32
	// Neutral says that a second argument of 0 gives 1 on every device, as annex F of C has it
	// for powers: Metal's edge cases are C's.
	Neutral bool

	Constant bool // of constant arguments it is a constant
	Cheap    bool // it costs about one operation, and may be computed in vain
	SeesSign bool // the sign of a NaN shows in the result
}

// elementary is a function as float32 code, as an evaluation in float64 within
// slack, and to any precision.
type elementary struct {
	f32    func(float32) float32
	approx func(float64) float64
	exact  func(wide, *big.Float) *big.Float
}

// FloatFunctions are all of them. Arguments stand in the language's order.
var FloatFunctions = []FloatFunction{
	{Name: "exp", elementary: elementary{Exp, exp64, wide.exp}, Precise: ulps(4), Fast: Limit{Ulps: Ulps{3, 2}},
		OneUlp: true, Constant: true},
	{Name: "exp2", unary: Format.exp2, elementary: elementary{Exp2, exp2of64, wide.exp2}, Precise: ulps(4),
		Fast: Limit{Ulps: Ulps{3, 2}}, OneUlp: true, Constant: true},
	{Name: "exp10", elementary: elementary{Exp10, exp10of64, wide.exp10}, Precise: ulps(4),
		Fast: Limit{As: composedExp10}, OneUlp: true, Constant: true},
	{Name: "log", elementary: elementary{Log, log64, wide.log}, Precise: ulps(4), Fast: Limit{Ulps: Ulps{Max: 3},
		Absolute: Absolute{0x1p-21, 0.5, 2, 0}, Undefined: notPositive}, OneUlp: true, Fixed: 1, Constant: true},
	{Name: "log2", elementary: elementary{Log2, log2of64, wide.log2}, Precise: ulps(4), Fast: Limit{Ulps: Ulps{Max: 2},
		Absolute: Absolute{0x1p-22, 0.5, 2, 0}, Undefined: notPositive}, OneUlp: true, Fixed: 1, Constant: true},
	{Name: "log10", elementary: elementary{Log10, log10of64, wide.log10}, Precise: ulps(4),
		Fast: Limit{As: composedLog10}, OneUlp: true, Fixed: 1, Constant: true},
	{Name: "pow", binary: Format.pow, value: pow64, Precise: ulps(16),
		Fast: Limit{As: composedPow, Undefined: bothZero}, Fixed: 1, Neutral: true, Constant: true},
	{Name: "powr", binary: Format.powr, value: pow64, Precise: ulps(16),
		Fast: Limit{As: composedPow, Undefined: bothZero}, Fixed: 1, Neutral: true, Constant: true},
	{Name: "sqrt", unary: Format.sqrt, value: func(x, _ float64) float64 { return math.Sqrt(x) },
		Fast: Limit{As: composedSqrt}, Fixed: 1, Constant: true},
	{Name: "rsqrt", elementary: elementary{Rsqrt, rsqrt64, wide.rsqrt}, Fast: Limit{Ulps: Ulps{Max: 2}}, Fixed: 1,
		Constant: true},

	{Name: "sin", elementary: elementary{Sin, sin64, wide.sin}, Precise: ulps(4), Fast: withinPi, OneUlp: true,
		Constant: true},
	{Name: "cos", elementary: elementary{Cos, cos64, wide.cos}, Precise: ulps(4), Fast: withinPi, OneUlp: true,
		Constant: true},
	{Name: "tan", elementary: elementary{Tan, tan64, wide.tan}, Precise: ulps(6), Fast: Limit{As: composedTan},
		OneUlp: true, Constant: true},
	{Name: "sinpi", elementary: elementary{Sinpi, sinpi64, wide.sinpi}, Precise: ulps(4), Fast: withinOne, OneUlp: true,
		Constant: true},
	{Name: "cospi", elementary: elementary{Cospi, cospi64, wide.cospi}, Precise: ulps(4), Fast: withinOne, OneUlp: true,
		Constant: true},
	{Name: "tanpi", elementary: elementary{Tanpi, tanpi64, wide.tanpi}, Precise: ulps(6),
		Fast: Limit{As: composedTanpi}, OneUlp: true, Constant: true},
	{Name: "asin", elementary: elementary{Asin, asin64, wide.asin}, Precise: ulps(4), Fast: ulps(5), OneUlp: true,
		Constant: true},
	{Name: "acos", elementary: elementary{Acos, acos64, wide.acos}, Precise: ulps(4), Fast: ulps(5), OneUlp: true,
		Fixed: 1, Constant: true},
	{Name: "atan", elementary: elementary{Atan, atan64, wide.atan}, Precise: ulps(5), Fast: ulps(5), OneUlp: true,
		Constant: true},
	{Name: "atan2", binary: Format.atan2, value: atan2of64, Precise: ulps(6),
		Fast: Limit{As: composedAtan2, Undefined: eitherZero}, OneUlp: true, Constant: true},
	{Name: "sinh", elementary: elementary{Sinh, sinh64, wide.sinh}, Precise: ulps(4), Fast: Limit{As: composedSinh},
		OneUlp: true, Constant: true},
	{Name: "cosh", elementary: elementary{Cosh, cosh64, wide.cosh}, Precise: ulps(4), Fast: Limit{As: composedCosh},
		OneUlp: true, Constant: true},
	{Name: "tanh", elementary: elementary{Tanh, tanh64, wide.tanh}, Precise: ulps(5), Fast: Limit{As: composedTanh},
		OneUlp: true, Constant: true},
	{Name: "asinh", elementary: elementary{Asinh, asinh64, wide.asinh}, Precise: ulps(4),
		Fast: Limit{As: composedAsinh}, OneUlp: true, Constant: true},
	{Name: "acosh", elementary: elementary{Acosh, acosh64, wide.acosh}, Precise: ulps(4),
		Fast: Limit{As: composedAcosh}, OneUlp: true, Fixed: 1, Constant: true},
	{Name: "atanh", elementary: elementary{Atanh, atanh64, wide.atanh}, Precise: ulps(5),
		Fast: Limit{As: composedAtanh}, OneUlp: true, Constant: true},

	{Name: "abs", Also: "fabs", exact: Fabs, Constant: true, Cheap: true},
	{Name: "floor", exact: Floor, Constant: true, Cheap: true},
	{Name: "ceil", exact: Ceil, Constant: true},
	{Name: "trunc", exact: Trunc, Constant: true},
	{Name: "rint", exact: Rint, Constant: true},
	{Name: "round", exact: RoundAway, Constant: true},
	{Name: "sign", exact: Sign, Constant: true, Cheap: true},
	{Name: "fract", unary: Format.fract},
	{Name: "min", Also: "fmin", binary: anyFormat(Fmin), Constant: true, Cheap: true},
	{Name: "max", Also: "fmax", binary: anyFormat(Fmax), Constant: true, Cheap: true},
	{Name: "fmod", binary: anyFormat(Fmod), Fast: Limit{As: composedFmod}, Constant: true},
	{Name: "fdim", binary: Format.fdim, Constant: true},
	{Name: "copysign", binary: anyFormat(Copysign), Constant: true, SeesSign: true},
	{Name: "nextafter", binary: Format.nextafter},

	{Name: "ldexp", Scale: Format.Ldexp},
	{Name: "ilogb", Exponent: Ilogb},
	{Name: "modf", Parts: Modf},
	{Name: "frexp", Frexp: Frexp},

	{Name: "isfinite", Test: isFinite, Constant: true},
	{Name: "isinf", Test: isInf, Constant: true, Cheap: true},
	{Name: "isnan", Test: isNaN, Constant: true, Cheap: true},
	{Name: "isnormal", Test: isNormal},
	{Name: "signbit", Test: signBit, Constant: true, SeesSign: true},
}

func ulps(n float64) Limit { return Limit{Ulps: Ulps{Max: n}} }

var (
	withinPi  = Limit{Absolute: Absolute{0x1p-13, -math.Pi, math.Pi, 2}}
	withinOne = Limit{Absolute: Absolute{0x1p-13, -1, 1, 2}}
)

// Float finds a function of floats by its name, nil if there is none.
func Float(name string) *FloatFunction { return floatFunctions[name] }

var floatFunctions = func() map[string]*FloatFunction {
	index := map[string]*FloatFunction{}
	for i := range FloatFunctions {
		f := &FloatFunctions[i]
		index[f.Name] = f
		if f.Also != "" {
			index[f.Also] = f
		}
	}
	return index
}()

// Unary is the function for values of a format, or nil if it is not one of one
// argument and one result in the format.
func (fn *FloatFunction) Unary(f Format) func(x float32) float32 {
	e := &fn.elementary
	switch {
	case fn.exact != nil:
		return fn.exact
	case f == F32 && e.f32 != nil:
		return e.f32
	case fn.unary != nil:
		return func(x float32) float32 { return fn.unary(f, x) }
	case e.approx != nil:
		return func(x float32) float32 { return resolve(f, float64(x), e.approx(float64(x)), e.exact) }
	}
	return nil
}

// Binary is the same for a function of two arguments.
func (fn *FloatFunction) Binary(f Format) func(x, y float32) float32 {
	if fn.binary == nil {
		return nil
	}
	return func(x, y float32) float32 { return fn.binary(f, x, y) }
}

// Value is the function of one or two arguments before its result is rounded, within
// 2⁻⁴² of that; nil if the function is exact, or not one of floats alone. Of pow and powr
// it holds for x > 0.
func (fn *FloatFunction) Value() func(x, y float64) float64 {
	if approx := fn.elementary.approx; approx != nil {
		return func(x, _ float64) float64 { return approx(x) }
	}
	return fn.value
}

// anyFormat is a function whose results are exact.
func anyFormat(f func(x, y float32) float32) func(_ Format, x, y float32) float32 {
	return func(_ Format, x, y float32) float32 { return f(x, y) }
}
