package eval

import (
	"math"
	"math/bits"
	"strings"

	"metalconform/metalrun/internal/ir"
)

func (t *thread) values(regs []ir.Reg) []uint64 {
	out := make([]uint64, len(regs))
	for i, r := range regs {
		out[i] = t.regs[r]
	}
	return out
}

// poison is what indeterminate registers hold.
const poison = 0xdeadbeefdeadbeef

func (t *thread) instr(in *ir.Instr) {
	switch in.Op {
	case ir.Nop, ir.Fence, ir.Converge:
		return
	case ir.Load:
		t.load(in)
		return
	case ir.Store:
		t.store(in)
		return
	case ir.Atomic:
		t.atomic(in)
		return
	case ir.Barrier:
		t.wait(in, nil)
		return
	}
	args := t.values(in.Args)
	var results []uint64
	switch in.Op {
	case ir.Simd, ir.MatMul:
		results = t.wait(in, args)
	case ir.Math:
		results = t.math(in, args)
	case ir.Unpack:
		results = []uint64{args[0] & math.MaxUint32, args[0] >> 32}
	default:
		results = []uint64{t.single(in, args)}
	}
	for i, d := range in.Dst {
		t.regs[d] = results[i]
	}
}

// single computes the operations with one result.
func (t *thread) single(in *ir.Instr, args []uint64) uint64 {
	typ := t.g.k.Regs[in.Dst[0]].Type
	switch in.Op {
	case ir.Copy:
		return args[0]
	case ir.Poison:
		return poison & mask(typ)
	case ir.Select:
		if args[0] != 0 {
			return args[1]
		}
		return args[2]
	case ir.Convert:
		return convert(in.From, in.To, args[0])
	case ir.Bitcast:
		return args[0] & mask(in.To.Type()) & widthMask(in.To)
	case ir.Pack:
		return args[0] | args[1]<<32
	case ir.PtrAdd:
		return args[0] + args[1]
	case ir.PtrSub:
		return args[0] - args[1]
	case ir.FMA:
		return round(typ, fma(float(typ, args[0]), float(typ, args[1]), float(typ, args[2])))
	case ir.Neg:
		return negate(typ, args[0])
	case ir.Not:
		return ^args[0] & mask(typ)
	}
	operand := t.g.k.Regs[in.Args[0]].Type
	if operand == ir.Bool {
		operand = ir.I64
	}
	if operand == ir.Ptr {
		operand = ir.I64
	}
	return binary(in.Op, operand, args[0], args[1])
}

func mask(t ir.Type) uint64 {
	switch t {
	case ir.Bool:
		return 1
	case ir.I32, ir.F32:
		return math.MaxUint32
	case ir.F16, ir.BF16:
		return math.MaxUint16
	}
	return math.MaxUint64
}

func widthMask(s ir.Scalar) uint64 {
	if s.Size() == 8 {
		return math.MaxUint64
	}
	return 1<<(8*s.Size()) - 1
}

func negate(t ir.Type, v uint64) uint64 {
	switch t {
	case ir.F32:
		return v ^ 1<<31
	case ir.F16, ir.BF16:
		return v ^ 1<<15
	}
	return -v & mask(t)
}

// math computes the elementary and integer functions.
func (t *thread) math(in *ir.Instr, args []uint64) []uint64 {
	if i := strings.LastIndexByte(in.Fn, '_'); i > 0 {
		if s, ok := suffixes[in.Fn[i+1:]]; ok {
			return []uint64{narrow(s, integerFunction(in.Fn[:i], s, args))}
		}
	}
	typ := t.g.k.Regs[in.Args[0]].Type
	x := float(typ, args[0])
	switch in.Fn {
	case "ldexp":
		return []uint64{round(typ, math.Ldexp(x, int(int32(args[1]))))}
	case "frexp":
		f, e := math.Frexp(x)
		return []uint64{round(typ, f), uint64(uint32(e))}
	case "modf":
		whole := math.Trunc(x)
		fraction := x - whole
		if math.IsInf(x, 0) {
			fraction = 0
		}
		return []uint64{round(typ, math.Copysign(fraction, x)), round(typ, whole)}
	case "ilogb":
		switch {
		case x == 0:
			return []uint64{1 << 31}
		case x != x || math.IsInf(x, 0):
			return []uint64{math.MaxInt32}
		}
		return []uint64{uint64(uint32(int32(math.Ilogb(x))))}
	case "fract":
		most := float(typ, round(typ, 1)-1) // the largest number below 1
		return []uint64{round(typ, math.Min(x-math.Floor(x), most))}
	case "nextafter":
		return []uint64{nextAfter(typ, args[0], args[1])}
	case "isfinite":
		return []uint64{truth(!math.IsNaN(x) && !math.IsInf(x, 0))}
	case "isinf":
		return []uint64{truth(math.IsInf(x, 0))}
	case "isnan":
		return []uint64{truth(x != x)}
	case "isnormal":
		return []uint64{truth(!math.IsInf(x, 0) && math.Abs(x) >= math.Ldexp(1, formats[typ].least))}
	case "signbit":
		return []uint64{truth(args[0]>>(bits.Len64(mask(typ))-1) != 0)}
	}
	var y float64
	if len(args) > 1 {
		y = float(typ, args[1])
	}
	return []uint64{round(typ, floatFunction(in.Fn, x, y))}
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

var unary = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "exp": math.Exp, "exp2": math.Exp2, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
	"abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven, "round": math.Round,
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

// sinpi is sin(πx): the quarter turn nearest to x is exact, what is left is small.
func sinpi(x float64) float64 {
	if x == 0 {
		return x
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

// cospi is cos(πx).
func cospi(x float64) float64 { return sinpi(math.Mod(x, 2) + 0.5) }

// floatFunction is a function of real numbers with one result.
func floatFunction(fn string, x, y float64) float64 {
	if f, ok := unary[fn]; ok {
		return f(x)
	}
	switch fn {
	case "powr":
		if x < 0 {
			return math.NaN()
		}
		return math.Pow(x, y)
	case "pow":
		return math.Pow(x, y)
	case "atan2":
		return math.Atan2(x, y)
	case "fmod":
		return math.Mod(x, y)
	case "copysign":
		return math.Copysign(x, y)
	case "fdim":
		if x > y {
			return x - y
		}
		return 0
	case "min", "max":
		switch {
		case x != x:
			return y
		case y != y:
			return x
		case (fn == "min") == (y < x) && x != y:
			return y
		}
		return x
	}
	panic("eval: function " + fn)
}

var suffixes = map[string]ir.Scalar{"s8": ir.S8, "u8": ir.U8, "s16": ir.S16, "u16": ir.U16, "s32": ir.S32, "u32": ir.U32, "s64": ir.S64, "u64": ir.U64}
