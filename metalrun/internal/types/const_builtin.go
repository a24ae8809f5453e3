package types

import (
	"math"
	"math/bits"

	"metalconform/metalrun/internal/scalar"
)

// builtin evaluates a call of the standard library on constants. Functions
// that work component by component are folded where the language leaves no
// choice of result; sums over components, exchanges between lanes and memory
// operations are no constants.
func (v *evaluator) builtin(e *BuiltinCall) []byte {
	if e.Name == "all" || e.Name == "any" {
		return v.allOrAny(e)
	}
	f, ok := pointwiseBuiltins[e.Name]
	if !ok {
		v.fail(e.Pos(), e.Name+" is not a constexpr function")
	}
	k, outs := components(e.Type())
	args := make([][]byte, len(e.Args))
	kinds, offs := make([]Kind, len(args)), make([][]int, len(args))
	for i, a := range e.Args {
		args[i] = v.value(a)
		kinds[i], offs[i] = components(a.Type())
	}
	out := make([]byte, e.Type().Size())
	x := make([]uint64, len(args))
	for c := range outs {
		for i := range args {
			x[i] = getBits(args[i][offs[i][min(c, len(offs[i])-1)]:], kinds[i])
		}
		r, ok := f(kinds[0], x)
		if !ok {
			v.fail(e.Pos(), e.Name+" has no constant value here")
		}
		putBits(out[outs[c]:], k, r)
	}
	return out
}

func (v *evaluator) allOrAny(e *BuiltinCall) []byte {
	data := v.value(e.Args[0])
	_, offs := components(e.Args[0].Type())
	all, some := true, false
	for _, off := range offs {
		set := getBits(data[off:], Bool) != 0
		all, some = all && set, some || set
	}
	if e.Name == "all" {
		return bytesOf(truth(all), Bool)
	}
	return bytesOf(truth(some), Bool)
}

// pointwise is a function of scalars of kind k (of the first argument), in the
// form of [Const]. It reports false where it has no defined value.
type pointwise func(k Kind, x []uint64) (uint64, bool)

var pointwiseBuiltins = map[string]pointwise{
	"exp": float1(scalar.Exp), "exp2": float1(scalar.Exp2), "exp10": float1(scalar.Exp10),
	"log": float1(scalar.Log), "log2": float1(scalar.Log2), "log10": float1(scalar.Log10),
	"sqrt": float1(scalar.Sqrt), "rsqrt": float1(scalar.Rsqrt), "pow": float2(scalar.Pow), "powr": float2(scalar.Powr),
	"sin": float1(scalar.Sin), "cos": float1(scalar.Cos), "tan": float1(scalar.Tan),
	"sinpi": float1(scalar.Sinpi), "cospi": float1(scalar.Cospi), "tanpi": float1(scalar.Tanpi),
	"asin": float1(scalar.Asin), "acos": float1(scalar.Acos), "atan": float1(scalar.Atan), "atan2": float2(scalar.Atan2),
	"sinh": float1(scalar.Sinh), "cosh": float1(scalar.Cosh), "tanh": float1(scalar.Tanh),
	"asinh": float1(scalar.Asinh), "acosh": float1(scalar.Acosh), "atanh": float1(scalar.Atanh),
	"floor": float1(scalar.Floor), "ceil": float1(scalar.Ceil), "trunc": float1(scalar.Trunc),
	"rint": float1(scalar.Rint), "round": float1(scalar.RoundAway), "sign": float1(scalar.Sign),
	"fabs": float1(scalar.Fabs), "saturate": float1(scalar.Saturate), "copysign": float2(scalar.Copysign),
	"fmod": float2(scalar.Fmod), "fdim": float2(scalar.Fdim), "step": float2(scalar.Step), "divide": float2(scalar.Divide),
	"fmin": float2(scalar.Fmin), "fmax": float2(scalar.Fmax), "fmin3": float3(scalar.Fmin3), "fmax3": float3(scalar.Fmax3),
	"fma": foldFMA,

	"abs": either(float1(scalar.Fabs), foldAbs), "min": either(float2(scalar.Fmin), foldMin), "max": either(float2(scalar.Fmax), foldMax),
	"min3": either(float3(scalar.Fmin3), twice(foldMin)), "max3": either(float3(scalar.Fmax3), twice(foldMax)),
	"clamp": either(float3(scalar.Clamp), foldClamp),

	"isnan": predicate(func(x float64) bool { return x != x }), "isinf": predicate(func(x float64) bool { return math.IsInf(x, 0) }),
	"isfinite": predicate(func(x float64) bool { return x-x == 0 }), "signbit": predicate(math.Signbit),
	"select": func(_ Kind, x []uint64) (uint64, bool) {
		if x[2] != 0 {
			return x[1], true
		}
		return x[0], true
	},

	"clz": func(k Kind, x []uint64) (uint64, bool) {
		return uint64(bits.LeadingZeros64(low(k, x[0])) - 64 + 8*k.Size()), true
	},
	"ctz": func(k Kind, x []uint64) (uint64, bool) {
		return uint64(min(bits.TrailingZeros64(x[0]), 8*k.Size())), true
	},
	"popcount":     func(k Kind, x []uint64) (uint64, bool) { return uint64(bits.OnesCount64(low(k, x[0]))), true },
	"reverse_bits": func(k Kind, x []uint64) (uint64, bool) { return wrap(k, bits.Reverse64(x[0])>>(64-8*k.Size())), true },
	"rotate":       foldRotate,
	"mulhi":        foldMulhi,
}

// low is the bits of x that a k has.
func low(k Kind, x uint64) uint64 {
	shift := 64 - 8*uint(k.Size())
	return x << shift >> shift
}

// either chooses by the kind of the first argument.
func either(float, integer pointwise) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) {
		if k.IsFloat() {
			return float(k, x)
		}
		return integer(k, x)
	}
}

func float1(f func(float32) float32) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) { return roundOnce(k, f(float32(floatValue(k, x[0])))) }
}

func float2(f func(x, y float32) float32) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) {
		return roundOnce(k, f(float32(floatValue(k, x[0])), float32(floatValue(k, x[1]))))
	}
}

func float3(f func(x, y, z float32) float32) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) {
		return roundOnce(k, f(float32(floatValue(k, x[0])), float32(floatValue(k, x[1])), float32(floatValue(k, x[2]))))
	}
}

// roundOnce is y, which was rounded to float already, in the kind k. It is
// undecided if y lies just between two values of a shorter kind: the exact
// value may have been on either side.
func roundOnce(k Kind, y float32) (uint64, bool) {
	r := roundBits(k, float64(y))
	if k == Float || y != y {
		return r, true
	}
	below := roundBits(k, float64(math.Nextafter32(y, float32(math.Inf(-1)))))
	above := roundBits(k, float64(math.Nextafter32(y, float32(math.Inf(1)))))
	exact := floatValue(k, r) == float64(y)
	return r, exact || below == above
}

func foldFMA(k Kind, x []uint64) (uint64, bool) {
	f := map[Kind]func(a, b, c float32) float32{Float: scalar.FMA32, Half: scalar.HalfFMA}[k]
	if f == nil {
		return 0, false
	}
	return roundBits(k, float64(f(float32(floatValue(k, x[0])), float32(floatValue(k, x[1])), float32(floatValue(k, x[2]))))), true
}

func predicate(f func(float64) bool) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) { return truth(f(floatValue(k, x[0]))), true }
}

func foldMin(k Kind, x []uint64) (uint64, bool) {
	if compare(Lt, k, x[1], x[0]) {
		return x[1], true
	}
	return x[0], true
}

func foldMax(k Kind, x []uint64) (uint64, bool) {
	if compare(Lt, k, x[0], x[1]) {
		return x[1], true
	}
	return x[0], true
}

func twice(f pointwise) pointwise {
	return func(k Kind, x []uint64) (uint64, bool) {
		y, _ := f(k, x[1:3])
		return f(k, []uint64{x[0], y})
	}
}

func foldClamp(k Kind, x []uint64) (uint64, bool) {
	if compare(Gt, k, x[1], x[2]) {
		return 0, false // undefined
	}
	y, _ := foldMax(k, x[:2])
	return foldMin(k, []uint64{y, x[2]})
}

func foldAbs(k Kind, x []uint64) (uint64, bool) {
	if k.IsSigned() && int64(x[0]) < 0 {
		return wrap(k, -x[0]), true
	}
	return x[0], true
}

func foldRotate(k Kind, x []uint64) (uint64, bool) {
	width := uint64(8 * k.Size())
	n, v := x[1]&(width-1), low(k, x[0])
	return wrap(k, v<<n|v>>(width-n)), true
}

func foldMulhi(k Kind, x []uint64) (uint64, bool) {
	if k.Size() < 8 {
		if k.IsSigned() {
			return uint64(int64(x[0]) * int64(x[1]) >> (8 * k.Size())), true
		}
		return x[0] * x[1] >> (8 * k.Size()), true
	}
	hi, _ := bits.Mul64(x[0], x[1])
	if k.IsSigned() {
		hi -= x[1] & uint64(int64(x[0])>>63)
		hi -= x[0] & uint64(int64(x[1])>>63)
	}
	return hi, true
}
