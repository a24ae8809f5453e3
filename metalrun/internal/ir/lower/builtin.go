package lower

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// builtin lowers a call of the standard library: to one instruction for each
// component, or to a composition that this package defines. Compositions are
// not contracted.
func (l *lowerer) builtin(e *hir.BuiltinCall) []ir.Reg {
	defer l.under(e.Math)()
	name := e.Name
	if _, ok := positions[name]; ok {
		return l.positionInput(e.Type(), name)
	}
	switch {
	case strings.HasPrefix(name, "atomic_") && name != "atomic_thread_fence":
		return l.atomic(e)
	case strings.HasPrefix(name, "simd_vote."):
		return []ir.Reg{l.vote(name, l.value(e.Args[0])[0])}
	case strings.HasPrefix(name, "simd_") || strings.HasPrefix(name, "quad_"):
		return l.simd(e)
	case strings.HasPrefix(name, "simdgroup_") && name != "simdgroup_barrier", name == "make_filled_simdgroup_matrix":
		return l.simdgroupMatrix(e)
	}
	switch name {
	case "threadgroup_barrier":
		return l.barrier(e, &ir.Instr{Op: ir.Barrier, Fn: "threadgroup"})
	case "simdgroup_barrier":
		return l.barrier(e, &ir.Instr{Op: ir.Barrier, Fn: "simdgroup"})
	case "atomic_thread_fence":
		return l.barrier(e, &ir.Instr{Op: ir.Fence})
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
	out := make([]ir.Reg, len(c.args[0]))
	for i := range out {
		out[i] = c.component(i)
		if out[i] == ir.None {
			l.fail("unsupported-builtin", "function %s is not supported", name)
		}
	}
	return out
}

// barrier lowers barriers and fences, whose flags are constant.
func (l *lowerer) barrier(e *hir.BuiltinCall, in *ir.Instr) []ir.Reg {
	flags, ok := constInt(e.Args[0])
	if !ok {
		l.fail("constant-flags", "the flags of %s have to be constant", e.Name)
	}
	in.Args = []ir.Reg{l.i32(flags)}
	l.emit(in)
	return nil
}

// twoResults lowers the functions that hand back a second value by reference.
func (l *lowerer) twoResults(e *hir.BuiltinCall) []ir.Reg {
	x := l.value(e.Args[0])
	if l.hasEffects(e.Args[1]) {
		x = l.freeze(x)
	}
	p := l.lvalue(e.Args[1])
	t := registerType(scalarKind(e.Args[0].Type()))
	fast := e.Precision == "fast"
	first, second := make([]ir.Reg, len(x)), make([]ir.Reg, len(x))
	for i, r := range x {
		if e.Name == "sincos" {
			first[i], second[i] = l.math("sin", t, fast, r), l.math("cos", t, fast, r)
			continue
		}
		first[i], second[i] = l.temp(t), l.temp(t)
		if e.Name == "frexp" {
			second[i] = l.temp(ir.I32)
		}
		l.emit(&ir.Instr{Op: ir.Math, Fn: e.Name, Fast: fast, Dst: []ir.Reg{first[i], second[i]}, Args: []ir.Reg{r}})
	}
	l.write(p, second)
	return first
}

// builtinCall is a call of a function without effects.
type builtinCall struct {
	l    *lowerer
	e    *hir.BuiltinCall
	args [][]ir.Reg
	kind hir.Kind // of the first argument's components
	t    ir.Type
	fast bool
}

// arg is component i of argument n; arguments of one component serve all.
func (c *builtinCall) arg(n, i int) ir.Reg { return c.args[n][i%len(c.args[n])] }

func (c *builtinCall) components(i int) []ir.Reg {
	regs := make([]ir.Reg, len(c.args))
	for n := range regs {
		regs[n] = c.arg(n, i)
	}
	return regs
}

// component lowers a function that works component by component; None if e.Name is no such function.
func (c *builtinCall) component(i int) ir.Reg {
	name, a := c.e.Name, c.components(i)
	if f, ok := compositions[name]; ok {
		return f.of(c, a)
	}
	if c.kind.IsFloat() {
		if f := scalar.Float(name); f != nil {
			return c.float(f, a...)
		}
		return ir.None
	}
	switch {
	case name == "abs" && !c.kind.IsSigned():
		return a[0]
	case name == "absdiff":
		return c.absdiff(a[0], a[1])
	}
	return c.integer(name, a...)
}

// composition is a function made of others and of operations.
type composition struct {
	of    func(c *builtinCall, a []ir.Reg) ir.Reg
	cheap bool // it costs a few operations, and may be computed in vain
}

var compositions = map[string]composition{
	"min3":  {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.min(a[0], c.min(a[1], a[2])) }},
	"fmin3": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.min(a[0], c.min(a[1], a[2])) }},
	"max3":  {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.max(a[0], c.max(a[1], a[2])) }},
	"fmax3": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.max(a[0], c.max(a[1], a[2])) }},

	"median3":  {of: (*builtinCall).median},
	"fmedian3": {of: (*builtinCall).median},
	"clamp":    {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.min(c.max(a[0], a[1]), a[2]) }, cheap: true},
	"saturate": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.saturate(a[0]) }, cheap: true},

	"fma":    {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.l.op(ir.FMA, c.t, a...) }, cheap: true},
	"divide": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.l.quotient(c.t, c.fast, a...) }},
	"mix": {of: func(c *builtinCall, a []ir.Reg) ir.Reg {
		return c.l.op(ir.Add, c.t, a[0], c.l.op(ir.Mul, c.t, c.l.op(ir.Sub, c.t, a[1], a[0]), a[2]))
	}},
	"step": {of: func(c *builtinCall, a []ir.Reg) ir.Reg {
		return c.l.op(ir.Select, c.t, c.l.op(ir.FLt, ir.Bool, a[1], a[0]), c.number(0), c.number(1))
	}},
	"smoothstep": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.smoothstep(a[0], a[1], a[2]) }},
	"select": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.l.op(ir.Select, c.t, a[2], a[1], a[0]) },
		cheap: true},
	"isordered": {of: func(c *builtinCall, a []ir.Reg) ir.Reg { return c.ordered(a[0], a[1]) }},
	"isunordered": {of: func(c *builtinCall, a []ir.Reg) ir.Reg {
		return c.l.op(ir.Not, ir.Bool, c.ordered(a[0], a[1]))
	}},
}

// cheapBuiltin reports whether a call of the library costs little and cannot fault.
func cheapBuiltin(e *hir.BuiltinCall) bool {
	if len(e.Args) == 0 {
		return false
	}
	kind, f := scalarKind(e.Args[0].Type()), scalar.Float(e.Name)
	if kind.IsFloat() && f != nil {
		return f.Cheap
	}
	i := scalar.Int{Bits: 32}.Function(e.Name)
	return compositions[e.Name].cheap || i != nil && i.Cheap
}

// float calls a function of floats.
func (c *builtinCall) float(f *scalar.FloatFunction, args ...ir.Reg) ir.Reg {
	dst, _ := ir.FloatTypes(f, c.t)
	return c.l.math(f.Name, dst[0], c.fast && f.Test == nil, args...)
}

// math calls a function of floats by its name.
func (c *builtinCall) math(fn string, args ...ir.Reg) ir.Reg {
	return c.float(scalar.Float(fn), args...)
}

// integer calls the variant of an integer function for the call's type; None if
// there is none.
func (c *builtinCall) integer(fn string, args ...ir.Reg) ir.Reg {
	name := fn + "_" + integerSuffix(c.kind)
	if f, _ := (&ir.Instr{Fn: name}).Integer(); f == nil {
		return ir.None
	}
	return c.l.math(name, c.t, false, args...)
}

// integerSuffix is the suffix of integer functions: s8 to u64.
func integerSuffix(k hir.Kind) string {
	return [...]string{hir.Char: "s8", hir.UChar: "u8", hir.Short: "s16", hir.UShort: "u16",
		hir.Int: "s32", hir.UInt: "u32", hir.Long: "s64", hir.ULong: "u64"}[k]
}

func (c *builtinCall) min(a, b ir.Reg) ir.Reg {
	if c.kind.IsFloat() {
		return c.math("min", a, b)
	}
	return c.integer("min", a, b)
}

func (c *builtinCall) max(a, b ir.Reg) ir.Reg {
	if c.kind.IsFloat() {
		return c.math("max", a, b)
	}
	return c.integer("max", a, b)
}

func (c *builtinCall) median(a []ir.Reg) ir.Reg {
	return c.max(c.min(a[0], a[1]), c.min(c.max(a[0], a[1]), a[2]))
}

// absdiff gives an unsigned number, which narrow registers hold zero-extended.
func (c *builtinCall) absdiff(a, b ir.Reg) ir.Reg {
	d := c.integer("absdiff", a, b)
	if c.kind.IsSigned() && c.kind.Size() < 4 {
		return c.l.convert(ir.S32, scalarOf(c.kind+1), d)
	}
	return d
}

func (c *builtinCall) saturate(a ir.Reg) ir.Reg { return c.min(c.max(a, c.number(0)), c.number(1)) }

// number is a small whole number in the call's type.
func (c *builtinCall) number(v int) ir.Reg { return c.l.floatLiteral(c.t, v) }

// floatLiteral is a whole number up to 8 in a floating type.
func (l *lowerer) floatLiteral(t ir.Type, v int) ir.Reg {
	f := math.Float32bits(float32(v))
	switch t {
	case ir.F16:
		if f != 0 {
			// Rebias the exponent; the ten highest bits of the fraction suffice.
			f = f>>13 - (127-15)<<10
		}
	case ir.BF16:
		f >>= 16
	}
	return l.literal(t, uint64(f))
}

// smoothstep is t·t·(3 - 2t) with t = saturate((x - lo)/(hi - lo)).
func (c *builtinCall) smoothstep(lo, hi, x ir.Reg) ir.Reg {
	l := c.l
	t := c.saturate(l.quotient(c.t, l.fast, l.op(ir.Sub, c.t, x, lo), l.op(ir.Sub, c.t, hi, lo)))
	s := l.op(ir.Sub, c.t, c.number(3), l.op(ir.Mul, c.t, c.number(2), t))
	return l.op(ir.Mul, c.t, l.op(ir.Mul, c.t, t, t), s)
}

func (c *builtinCall) ordered(a, b ir.Reg) ir.Reg {
	l := c.l
	return l.op(ir.And, ir.Bool, l.op(ir.Eq, ir.Bool, a, a), l.op(ir.Eq, ir.Bool, b, b))
}
