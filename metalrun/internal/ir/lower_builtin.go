package ir

import (
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/types"
)

// builtin lowers a call of the standard library: to one instruction for each
// component, or to a composition that this package defines. Compositions are
// not contracted.
func (l *lowerer) builtin(e *types.BuiltinCall) []Reg {
	name := e.Name
	switch {
	case strings.HasPrefix(name, "atomic_") && name != "atomic_thread_fence":
		return l.atomic(e)
	case strings.HasPrefix(name, "simd_vote."):
		return []Reg{l.vote(name, l.value(e.Args[0])[0])}
	case strings.HasPrefix(name, "simd_") || strings.HasPrefix(name, "quad_"):
		return l.simd(e)
	case strings.HasPrefix(name, "simdgroup_") && name != "simdgroup_barrier", name == "make_filled_simdgroup_matrix":
		return l.simdgroupMatrix(e)
	}
	switch name {
	case "threadgroup_barrier":
		return l.barrier(e, &Instr{Op: Barrier, Fn: "threadgroup"})
	case "simdgroup_barrier":
		return l.barrier(e, &Instr{Op: Barrier, Fn: "simdgroup"})
	case "atomic_thread_fence":
		return l.barrier(e, &Instr{Op: Fence})
	case "sincos", "frexp", "modf":
		return l.twoResults(e)
	}
	c := &builtinCall{l: l, e: e, args: l.values(e.Args), fast: e.Precision == "fast"}
	if len(e.Args) > 0 {
		c.kind = scalarKind(e.Args[0].Type())
		c.t = registerType(c.kind)
	}
	if regs := c.whole(); regs != nil {
		return regs
	}
	out := make([]Reg, len(c.args[0]))
	for i := range out {
		out[i] = c.component(i)
		if out[i] == None {
			l.fail("unsupported-builtin", "function %s is not supported", name)
		}
	}
	return out
}

// barrier lowers barriers and fences, whose flags are constant.
func (l *lowerer) barrier(e *types.BuiltinCall, in *Instr) []Reg {
	flags, ok := constInt(e.Args[0])
	if !ok {
		l.fail("constant-flags", "the flags of %s have to be constant", e.Name)
	}
	in.Args = []Reg{l.i32(flags)}
	l.emit(in)
	return nil
}

// twoResults lowers the functions that hand back a second value by reference.
func (l *lowerer) twoResults(e *types.BuiltinCall) []Reg {
	x := l.value(e.Args[0])
	if hasEffects(e.Args[1]) {
		x = l.freeze(x)
	}
	p := l.lvalue(e.Args[1])
	t := registerType(scalarKind(e.Args[0].Type()))
	fast := e.Precision == "fast"
	first, second := make([]Reg, len(x)), make([]Reg, len(x))
	for i, r := range x {
		if e.Name == "sincos" {
			first[i], second[i] = l.math("sin", t, fast, r), l.math("cos", t, fast, r)
			continue
		}
		first[i], second[i] = l.temp(t), l.temp(t)
		if e.Name == "frexp" {
			second[i] = l.temp(I32)
		}
		l.emit(&Instr{Op: Math, Fn: e.Name, Fast: fast, Dst: []Reg{first[i], second[i]}, Args: []Reg{r}})
	}
	l.write(p, second)
	return first
}

// builtinCall is a call of a function without effects.
type builtinCall struct {
	l    *lowerer
	e    *types.BuiltinCall
	args [][]Reg
	kind types.Kind // of the first argument's components
	t    Type
	fast bool
}

// elementary are the functions of one floating type that are one instruction
// for each component.
var elementary = []string{
	"exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powr", "sqrt", "rsqrt",
	"sin", "cos", "tan", "sinpi", "cospi", "tanpi", "asin", "acos", "atan", "atan2",
	"sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
	"floor", "ceil", "trunc", "rint", "round", "fract", "ldexp", "nextafter", "copysign", "fmod", "fdim", "sign",
}

// classes are the functions of one floating argument that give a bool.
var classes = []string{"isfinite", "isinf", "isnan", "isnormal", "signbit"}

// integral are the functions of integers that are one instruction for each component.
var integral = []string{"addsat", "subsat", "hadd", "rhadd", "mulhi", "madhi", "madsat", "mul24", "mad24",
	"clz", "ctz", "popcount", "reverse_bits", "rotate", "extract_bits", "insert_bits"}

// arg is component i of argument n; arguments of one component serve all.
func (c *builtinCall) arg(n, i int) Reg { return c.args[n][i%len(c.args[n])] }

func (c *builtinCall) components(i int) []Reg {
	regs := make([]Reg, len(c.args))
	for n := range regs {
		regs[n] = c.arg(n, i)
	}
	return regs
}

// component lowers a function that works component by component; None if e.Name is no such function.
func (c *builtinCall) component(i int) Reg {
	l, name, a := c.l, c.e.Name, c.components(i)
	switch {
	case slices.Contains(elementary, name):
		return c.math(name, a...)
	case name == "ilogb":
		return l.math(name, I32, c.fast, a[0])
	case slices.Contains(classes, name):
		return l.math(name, Bool, false, a[0])
	case slices.Contains(integral, name):
		return c.integer(name, a...)
	}
	switch name {
	case "abs", "fabs":
		return c.abs(a[0])
	case "absdiff":
		return c.absdiff(a[0], a[1])
	case "min", "fmin":
		return c.min(a[0], a[1])
	case "max", "fmax":
		return c.max(a[0], a[1])
	case "min3", "fmin3":
		return c.min(a[0], c.min(a[1], a[2]))
	case "max3", "fmax3":
		return c.max(a[0], c.max(a[1], a[2]))
	case "median3", "fmedian3":
		return c.max(c.min(a[0], a[1]), c.min(c.max(a[0], a[1]), a[2]))
	case "clamp":
		return c.min(c.max(a[0], a[1]), a[2])
	case "saturate":
		return c.saturate(a[0])
	case "fma":
		return l.op(FMA, c.t, a...)
	case "divide":
		return l.op(Div, c.t, a...)
	case "mix":
		return l.op(Add, c.t, a[0], l.op(Mul, c.t, l.op(Sub, c.t, a[1], a[0]), a[2]))
	case "step":
		return l.op(Select, c.t, l.op(FLt, Bool, a[1], a[0]), c.number(0), c.number(1))
	case "smoothstep":
		return c.smoothstep(a[0], a[1], a[2])
	case "select":
		return l.op(Select, c.t, a[2], a[1], a[0])
	case "isordered":
		return c.ordered(a[0], a[1])
	case "isunordered":
		return l.op(Not, Bool, c.ordered(a[0], a[1]))
	}
	return None
}

func (c *builtinCall) math(fn string, args ...Reg) Reg { return c.l.math(fn, c.t, c.fast, args...) }

// integer calls the variant of an integer function for the call's type.
func (c *builtinCall) integer(fn string, args ...Reg) Reg {
	return c.l.math(fn+"_"+integerSuffix(c.kind), c.t, false, args...)
}

// integerSuffix is the suffix of integer functions: s8 to u64.
func integerSuffix(k types.Kind) string {
	return [...]string{types.Char: "s8", types.UChar: "u8", types.Short: "s16", types.UShort: "u16",
		types.Int: "s32", types.UInt: "u32", types.Long: "s64", types.ULong: "u64"}[k]
}

func (c *builtinCall) min(a, b Reg) Reg {
	if c.kind.IsFloat() {
		return c.math("min", a, b)
	}
	return c.integer("min", a, b)
}

func (c *builtinCall) max(a, b Reg) Reg {
	if c.kind.IsFloat() {
		return c.math("max", a, b)
	}
	return c.integer("max", a, b)
}

func (c *builtinCall) abs(a Reg) Reg {
	switch {
	case c.kind.IsFloat():
		return c.math("abs", a)
	case c.kind.IsSigned():
		return c.integer("abs", a)
	}
	return a
}

// absdiff gives an unsigned number, which narrow registers hold zero-extended.
func (c *builtinCall) absdiff(a, b Reg) Reg {
	d := c.integer("absdiff", a, b)
	if c.kind.IsSigned() && c.kind.Size() < 4 {
		return c.l.convert(S32, scalarOf(c.kind+1), d)
	}
	return d
}

func (c *builtinCall) saturate(a Reg) Reg { return c.min(c.max(a, c.number(0)), c.number(1)) }

// number is a small whole number in the call's type.
func (c *builtinCall) number(v int) Reg { return c.l.floatLiteral(c.t, v) }

// floatLiteral is a whole number up to 8 in a floating type.
func (l *lowerer) floatLiteral(t Type, v int) Reg {
	f := math.Float32bits(float32(v))
	switch t {
	case F16:
		if f != 0 {
			// Rebias the exponent; the ten highest bits of the fraction suffice.
			f = f>>13 - (127-15)<<10
		}
	case BF16:
		f >>= 16
	}
	return l.literal(t, uint64(f))
}

// smoothstep is t·t·(3 - 2t) with t = saturate((x - lo)/(hi - lo)).
func (c *builtinCall) smoothstep(lo, hi, x Reg) Reg {
	l := c.l
	t := c.saturate(l.op(Div, c.t, l.op(Sub, c.t, x, lo), l.op(Sub, c.t, hi, lo)))
	s := l.op(Sub, c.t, c.number(3), l.op(Mul, c.t, c.number(2), t))
	return l.op(Mul, c.t, l.op(Mul, c.t, t, t), s)
}

func (c *builtinCall) ordered(a, b Reg) Reg {
	l := c.l
	return l.op(And, Bool, l.op(Eq, Bool, a, a), l.op(Eq, Bool, b, b))
}
