package eval

import (
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// The functions of the language by their definitions, which share nothing with
// those that the executor has.

// Functions lists the names of the functions of floats and of integers that are
// defined here.
func Functions() (floats, integers []string) {
	for _, names := range []iter.Seq[string]{maps.Keys(bitFunctions), maps.Keys(oneReal), maps.Keys(twoReals)} {
		floats = slices.AppendSeq(floats, names)
	}
	return floats, slices.Collect(maps.Keys(integerFunctions))
}

// bitFunctions are the functions of floats that are more than a function of real
// numbers: of integers, too, with several results, or with results that the format
// decides.
var bitFunctions = map[string]func(t ir.Type, args []uint64) []uint64{
	"ldexp": func(t ir.Type, args []uint64) []uint64 {
		return []uint64{round(t, math.Ldexp(float(t, args[0]), int(int32(args[1]))))}
	},
	"frexp": func(t ir.Type, args []uint64) []uint64 {
		f, e := math.Frexp(float(t, args[0]))
		return []uint64{round(t, f), uint64(uint32(e))}
	},
	"modf":  modf,
	"ilogb": ilogb,
	"fract": func(t ir.Type, args []uint64) []uint64 {
		x := float(t, args[0])
		most := float(t, round(t, 1)-1) // the largest number below 1
		return []uint64{round(t, math.Min(x-math.Floor(x), most))}
	},
	"nextafter": func(t ir.Type, args []uint64) []uint64 { return []uint64{nextAfter(t, args[0], args[1])} },
	"isfinite":  test(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }),
	"isinf":     test(func(x float64) bool { return math.IsInf(x, 0) }),
	"isnan":     test(func(x float64) bool { return x != x }),
	"isnormal": func(t ir.Type, args []uint64) []uint64 {
		x := math.Abs(float(t, args[0]))
		return []uint64{truth(!math.IsInf(x, 0) && x >= math.Ldexp(1, formats[t].least))}
	},
	"signbit": func(t ir.Type, args []uint64) []uint64 { return []uint64{args[0] >> (bits.Len64(mask(t)) - 1)} },
}

func test(f func(x float64) bool) func(t ir.Type, args []uint64) []uint64 {
	return func(t ir.Type, args []uint64) []uint64 { return []uint64{truth(f(float(t, args[0])))} }
}

func modf(t ir.Type, args []uint64) []uint64 {
	x := float(t, args[0])
	whole := math.Trunc(x)
	fraction := x - whole
	if math.IsInf(x, 0) {
		fraction = 0
	}
	return []uint64{round(t, math.Copysign(fraction, x)), round(t, whole)}
}

func ilogb(t ir.Type, args []uint64) []uint64 {
	x := float(t, args[0])
	switch {
	case x == 0:
		return []uint64{1 << 31}
	case x != x || math.IsInf(x, 0):
		return []uint64{math.MaxInt32}
	}
	return []uint64{uint64(uint32(int32(math.Ilogb(x))))}
}

// nextAfter steps through the encodings of a format.
func nextAfter(t ir.Type, a, b uint64) uint64 {
	x, y := float(t, a), float(t, b)
	sign := (mask(t) >> 1) + 1
	switch {
	case x != x || y != y:
		return round(t, math.NaN())
	case x == y:
		return b
	case x == 0:
		return b&sign | 1
	case (x < y) == (x > 0):
		return a + 1
	}
	return a - 1
}

// realFunction is a function of one or two real numbers.
func realFunction(fn string, x, y float64) float64 {
	if f, ok := oneReal[fn]; ok {
		return f(x)
	}
	f, ok := twoReals[fn]
	if !ok {
		panic("eval: function " + fn)
	}
	return f(x, y)
}

var oneReal = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "exp2": math.Exp2, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh,
	"atanh": math.Atanh,
	"abs":   math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven,
	"round": math.Round,
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"exp10": func(x float64) float64 { return math.Pow(10, x) },
	"sinpi": sinpi,
	"cospi": cospi,
	"tanpi": func(x float64) float64 { return sinpi(x) / cospi(x) },
	"sign": func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		case x != x:
			return 0
		}
		return x
	},
}

var twoReals = map[string]func(x, y float64) float64{
	"pow": math.Pow, "atan2": math.Atan2, "fmod": math.Mod, "copysign": math.Copysign,
	"powr": func(x, y float64) float64 { // e^(y·log x): what 0·∞ makes NaN there is NaN
		if exponent := y * math.Log(x); exponent != exponent {
			return exponent
		}
		return math.Pow(math.Abs(x), y)
	},
	"fdim": func(x, y float64) float64 {
		if x <= y {
			return 0
		}
		return x - y
	},
	"min": func(x, y float64) float64 { return preferred(x, y, y < x) },
	"max": func(x, y float64) float64 { return preferred(x, y, y > x) },
}

// preferred is y if it is to be chosen over x; of a NaN and a number it is the number.
func preferred(x, y float64, second bool) float64 {
	if second || x != x {
		return y
	}
	return x
}

// sinpi is sin(πx): the quarter turn nearest to x is exact, what is left is small.
// Zeros have the sign of x.
func sinpi(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return math.NaN()
	case x == math.Trunc(x):
		return math.Copysign(0, x)
	}
	quarter := math.Round(2 * x)
	rest := math.Pi * (x - quarter/2)
	switch int(math.Mod(quarter, 4)) & 3 {
	case 0:
		return math.Sin(rest)
	case 1:
		return math.Cos(rest)
	case 2:
		return -math.Sin(rest)
	}
	return -math.Cos(rest)
}

// cospi is cos(πx); zeros are positive.
func cospi(x float64) float64 { return sinpi(math.Mod(math.Abs(x), 2) + 0.5) }
