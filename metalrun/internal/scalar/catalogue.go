package scalar

import (
	"math"
	"math/big"
)

// Unary returns MSL's function of one argument of the given name for values of
// the format, correctly rounded to it, or nil if there is none.
func (f Format) Unary(name string) func(x float32) float32 {
	if g := unaryExact(name); g != nil {
		return g
	}
	switch {
	case name == "exp2" && f != F32:
		return f.exp2
	case name == "fract":
		return f.fract
	case name == "sqrt":
		return func(x float32) float32 { return f.Round(math.Sqrt(float64(x))) }
	}
	e, ok := elementaryNamed(name)
	switch {
	case !ok:
		return nil
	case f == F32:
		return e.f32
	}
	return func(x float32) float32 { return resolve(f, float64(x), e.approx(float64(x)), e.exact) }
}

// unaryExact holds the functions whose result is exact, hence one for all formats.
func unaryExact(name string) func(x float32) float32 {
	switch name {
	case "abs", "fabs":
		return Fabs
	case "ceil":
		return Ceil
	case "floor":
		return Floor
	case "rint":
		return Rint
	case "round":
		return RoundAway
	case "saturate":
		return Saturate
	case "sign":
		return Sign
	case "trunc":
		return Trunc
	}
	return nil
}

// elementary is a function as float32 code, as an evaluation in float64 within
// slack, and to any precision.
type elementary struct {
	f32    func(float32) float32
	approx func(float64) float64
	exact  func(wide, *big.Float) *big.Float
}

func elementaryNamed(name string) (elementary, bool) {
	switch name {
	case "acos":
		return elementary{Acos, acos64, wide.acos}, true
	case "acosh":
		return elementary{Acosh, acosh64, wide.acosh}, true
	case "asin":
		return elementary{Asin, asin64, wide.asin}, true
	case "asinh":
		return elementary{Asinh, asinh64, wide.asinh}, true
	case "atan":
		return elementary{Atan, atan64, wide.atan}, true
	case "atanh":
		return elementary{Atanh, atanh64, wide.atanh}, true
	case "cos":
		return elementary{Cos, cos64, wide.cos}, true
	case "cosh":
		return elementary{Cosh, cosh64, wide.cosh}, true
	case "cospi":
		return elementary{Cospi, cospi64, wide.cospi}, true
	case "degrees":
		return elementary{Degrees, degrees64, wide.degrees}, true
	case "exp":
		return elementary{Exp, exp64, wide.exp}, true
	case "exp10":
		return elementary{Exp10, exp10of64, wide.exp10}, true
	case "exp2":
		return elementary{Exp2, exp2of64, wide.exp2}, true
	case "log":
		return elementary{Log, log64, wide.log}, true
	case "log10":
		return elementary{Log10, log10of64, wide.log10}, true
	case "log2":
		return elementary{Log2, log2of64, wide.log2}, true
	case "radians":
		return elementary{Radians, radians64, wide.radians}, true
	case "rsqrt":
		return elementary{Rsqrt, rsqrt64, wide.rsqrt}, true
	case "sin":
		return elementary{Sin, sin64, wide.sin}, true
	case "sinh":
		return elementary{Sinh, sinh64, wide.sinh}, true
	case "sinpi":
		return elementary{Sinpi, sinpi64, wide.sinpi}, true
	case "tan":
		return elementary{Tan, tan64, wide.tan}, true
	case "tanh":
		return elementary{Tanh, tanh64, wide.tanh}, true
	case "tanpi":
		return elementary{Tanpi, tanpi64, wide.tanpi}, true
	}
	return elementary{}, false
}

// Binary returns MSL's function of two arguments of the given name for values
// of the format, or nil if there is none. Arguments stand in MSL's order.
func (f Format) Binary(name string) func(x, y float32) float32 {
	switch name {
	case "atan2":
		return f.atan2
	case "copysign":
		return Copysign
	case "divide":
		return func(x, y float32) float32 { return f.Round(float64(x) / float64(y)) }
	case "fdim":
		return f.fdim
	case "fmax", "max":
		return Fmax
	case "fmin", "min":
		return Fmin
	case "fmod":
		return Fmod
	case "nextafter":
		return f.nextafter
	case "pow":
		return f.pow
	case "powr":
		return f.powr
	case "step":
		return Step
	}
	return nil
}

// Ternary returns MSL's function of three arguments of the given name for
// values of the format, or nil if there is none.
func (f Format) Ternary(name string) func(x, y, z float32) float32 {
	switch name {
	case "clamp":
		return Clamp
	case "fma":
		if f == F32 {
			return FMA32
		}
		return f.fma
	case "fmax3", "max3":
		return Fmax3
	case "fmedian3", "median3":
		return Fmedian3
	case "fmin3", "min3":
		return Fmin3
	case "mix":
		return f.mix
	case "smoothstep":
		return f.smoothstep
	}
	return nil
}
