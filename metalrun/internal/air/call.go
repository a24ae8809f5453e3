package air

import (
	"strings"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// isMarker reports whether a call only tells a compiler something.
func isMarker(in *bitcode.Instr) bool {
	f := in.Callee.Func
	if f == nil {
		return false
	}
	for _, prefix := range []string{"llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.dbg.",
		"llvm.invariant.", "llvm.sideeffect", "llvm.donothing", "air.assume"} {
		if strings.HasPrefix(f.Name, prefix) {
			return true
		}
	}
	return false
}

// call translates a call: of a function that has a body, or of one that Metal or LLVM has.
func (fr *frame) call(in *bitcode.Instr) {
	f := in.Callee.Func
	switch {
	case f == nil:
		refuse("a call through a pointer to a function is not supported")
	case isMarker(in):
	case fr.funcs[f.Name] != nil:
		fr.inline(in, fr.funcs[f.Name])
	case strings.HasPrefix(f.Name, "llvm."):
		fr.llvm(in, strings.Split(f.Name, ".")[1:])
	case strings.HasPrefix(f.Name, "air."):
		fr.air(in, strings.Split(f.Name, ".")[1:])
	default:
		refuse("the function %s is not in this module", demangled(f.Name))
	}
}

// unsupported refuses a function of Metal or LLVM.
func unsupported(in *bitcode.Instr) { refuse("the function %s is not supported", in.Callee.Func.Name) }

// inline translates the body of a function where it is called.
func (fr *frame) inline(in *bitcode.Instr, f *bitcode.Func) {
	if fr.depth++; fr.depth > maxInlined {
		refuse("calls nest deeper than %d: the function %s calls itself", maxInlined, demangled(f.Name))
	}
	pos := fr.pos
	inner := fr.frame(f)
	inner.block.Name = demangled(f.Name)
	for i, p := range f.Params {
		inner.vals[p] = value{regs: fr.flat(in.Args[i])}
	}
	for _, x := range fr.leaves(f.Type.Elem) {
		inner.returned = append(inner.returned, fr.variable(x.s.Type(), inner.block.Name))
	}
	inner.body()
	fr.depth--
	fr.pos = pos
	*fr.list = append(*fr.list, inner.block)
	out := make([]ir.Reg, len(inner.returned))
	for i, r := range inner.returned {
		out[i] = fr.op(ir.Copy, fr.typeOf(r), r)
	}
	fr.set(in, value{regs: out})
}

// arguments are the operands of a call in registers.
func (fr *frame) arguments(in *bitcode.Instr) (args [][]ir.Reg) {
	for _, a := range in.Args {
		if a.Kind != bitcode.Metadata {
			args = append(args, fr.flat(a))
		}
	}
	return args
}

// elements computes a function for each element of the arguments.
func (fr *frame) elements(in *bitcode.Instr, f func(a []ir.Reg) ir.Reg) {
	args := fr.arguments(in)
	if len(args) == 0 {
		unsupported(in)
	}
	fr.set(in, value{regs: elementwise(args, f)})
}

// math calls a function of floats.
func (l *lowerer) math(fn string, fast bool, t ir.Type, args ...ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: ir.Math, Fn: fn, Fast: fast && t == ir.F32, Args: args})
}

// integer calls a function of integers of type t.
func (l *lowerer) integer(fn string, signed bool, t *bitcode.Type, args ...ir.Reg) ir.Reg {
	s := scalarOf(t)
	if signed {
		s = signedScalar(t)
		list := make([]ir.Reg, len(args))
		for i, a := range args {
			list[i] = l.extend(t, a)
		}
		args = list
	}
	name := fn + "_" + strings.NewReplacer("i", "s").Replace(s.String())
	in := &ir.Instr{Op: ir.Math, Fn: name, Args: args}
	if f, _ := in.Integer(); f == nil || f.Args != len(args) {
		refuse("the function %s of %s is not supported", fn, t)
	}
	return l.narrow(t, l.result(s.Type(), in))
}

// llvm translates a call of one of LLVM's functions.
func (fr *frame) llvm(in *bitcode.Instr, name []string) {
	t := elementOf(in.Type)
	integer := func(fn string, signed bool) {
		fr.elements(in, func(a []ir.Reg) ir.Reg { return fr.integer(fn, signed, t, a...) })
	}
	switch fn := name[0]; fn {
	case "umax", "umin", "smax", "smin":
		integer(fn[1:], fn[0] == 's')
	case "uadd", "usub", "sadd", "ssub":
		if len(name) < 2 || name[1] != "sat" {
			unsupported(in)
		}
		integer(fn[1:]+"sat", fn[0] == 's')
	case "abs", "ctlz", "cttz":
		fn = map[string]string{"abs": "abs", "ctlz": "clz", "cttz": "ctz"}[fn]
		fr.elements(in, func(a []ir.Reg) ir.Reg { return fr.integer(fn, fn == "abs", t, a[0]) })
	case "ctpop":
		integer("popcount", false)
	case "bitreverse":
		integer("reverse_bits", false)
	case "fshl":
		fr.elements(in, func(a []ir.Reg) ir.Reg {
			if a[0] != a[1] {
				unsupported(in)
			}
			return fr.integer("rotate", false, t, a[0], a[2])
		})
	case "fma":
		fr.elements(in, func(a []ir.Reg) ir.Reg { return fr.op(ir.FMA, fr.typeOf(a[0]), a...) })
	case "fmuladd":
		fr.elements(in, func(a []ir.Reg) ir.Reg {
			fr.groups++
			t := fr.typeOf(a[0])
			product := fr.result(t, &ir.Instr{Op: ir.Mul, Args: a[:2:2], Group: fr.groups})
			return fr.result(t, &ir.Instr{Op: ir.Add, Args: []ir.Reg{product, a[2]}, Group: fr.groups})
		})
	case "maxnum", "minnum", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round", "copysign", "exp", "exp2",
		"log", "log2", "log10", "sin", "cos", "pow":
		fn = strings.TrimPrefix(strings.TrimSuffix(fn, "num"), "f")
		if fn == "loor" {
			fn = "floor"
		}
		fr.elements(in, func(a []ir.Reg) ir.Reg { return fr.float(in, fn, false, a) })
	case "memcpy", "memmove":
		fr.moveMemory(in, fn == "memmove")
	case "memset":
		fr.setMemory(in)
	default:
		unsupported(in)
	}
}

// float calls a function of floats by its name in source.
func (fr *frame) float(in *bitcode.Instr, fn string, fast bool, a []ir.Reg) ir.Reg {
	f := scalar.Float(fn)
	if f == nil || !fr.typeOf(a[0]).IsFloat() {
		unsupported(in)
	}
	dst, args := ir.FloatTypes(f, fr.typeOf(a[0]))
	if len(dst) != 1 || len(args) != len(a) {
		unsupported(in)
	}
	return fr.math(fn, fast && f.Test == nil, dst[0], a...)
}

// air translates a call of one of Metal's functions: air.NAME.TYPES.
func (fr *frame) air(in *bitcode.Instr, name []string) {
	fn := name[0]
	switch {
	case fn == "convert":
		fr.conversion(in, name)
	case (fn == "wg" || fn == "simdgroup") && len(name) == 2 && name[1] == "barrier":
		scope := "simdgroup"
		if fn == "wg" {
			scope = "threadgroup"
		}
		fr.emit(&ir.Instr{Op: ir.Barrier, Fn: scope, Args: []ir.Reg{fr.fences(in)}})
	case fn == "atomic" && len(name) == 2 && name[1] == "fence":
		fr.emit(&ir.Instr{Op: ir.Fence, Args: []ir.Reg{fr.fences(in)}})
	case fn == "atomic":
		fr.atomic(in, name)
	case strings.HasPrefix(fn, "simdgroup_matrix_8x8_"):
		fr.matrix(in, strings.TrimPrefix(fn, "simdgroup_matrix_8x8_"))
	case strings.HasPrefix(fn, "simd_"), strings.HasPrefix(fn, "quad_"):
		fr.simd(in, name)
	case len(in.Args) > 0 && elementOf(in.Args[0].Type).IsFloat():
		fr.floats(in, fn)
	case len(in.Args) > 0 && elementOf(in.Args[0].Type).Kind == bitcode.Integer:
		fr.integers(in, fn, len(name) > 2 && name[len(name)-2] == "s")
	default:
		unsupported(in)
	}
}

// fences are the flags of a barrier or fence, as in source.
func (fr *frame) fences(in *bitcode.Instr) ir.Reg {
	if len(in.Args) > 0 {
		if flags, ok := in.Args[0].Constant(); ok {
			return fr.i32(int(flags))
		}
	}
	refuse("a barrier has flags that are not constant")
	return 0
}

// airScalars are types in the names of functions.
var airScalars = map[string]ir.Scalar{"u.i1": ir.B8, "s.i1": ir.B8, "f.f32": ir.R32, "f.f16": ir.H16, "f.bf16": ir.T16,
	"s.i8": ir.S8, "u.i8": ir.U8, "s.i16": ir.S16, "u.i16": ir.U16, "s.i32": ir.S32, "u.i32": ir.U32, "s.i64": ir.S64,
	"u.i64": ir.U64}

// conversion translates air.convert.f.f32.u.i32: to float from an integer without a sign.
func (fr *frame) conversion(in *bitcode.Instr, name []string) {
	if len(name) < 5 {
		unsupported(in)
	}
	to, ok1 := airScalars[name[1]+"."+withoutVector(name[2])]
	from, ok2 := airScalars[name[3]+"."+withoutVector(name[4])]
	if !ok1 || !ok2 || len(in.Args) == 0 {
		unsupported(in)
	}
	f, t := elementOf(in.Args[0].Type), elementOf(in.Type)
	if from.Type() != scalarOf(f).Type() || to.Type() != scalarOf(t).Type() {
		unsupported(in)
	}
	fr.elements(in, func(a []ir.Reg) ir.Reg {
		r := a[0]
		if name[3] == "s" {
			r = fr.extend(f, r)
		}
		if r = fr.convert(from, to, r); name[1] == "s" {
			r = fr.narrow(t, r)
		}
		return r
	})
}

// withoutVector makes v4f32 f32.
func withoutVector(s string) string {
	if strings.HasPrefix(s, "v") {
		return strings.TrimLeft(s[1:], "0123456789")
	}
	return s
}

// integers translates a function of integers, element by element.
func (fr *frame) integers(in *bitcode.Instr, fn string, signed bool) {
	t := elementOf(in.Type)
	call := func(fn string, a ...ir.Reg) ir.Reg { return fr.integer(fn, signed, t, a...) }
	fr.elements(in, func(a []ir.Reg) ir.Reg {
		switch fn {
		case "clamp":
			if len(a) == 3 {
				return call("min", call("max", a[0], a[1]), a[2])
			}
		case "min3", "max3":
			if len(a) == 3 {
				return call(fn[:3], a[0], call(fn[:3], a[1], a[2]))
			}
		case "median3":
			if len(a) == 3 {
				return call("max", call("min", a[0], a[1]), call("min", call("max", a[0], a[1]), a[2]))
			}
		case "abs":
			if !signed {
				return a[0]
			}
		case "abs_diff":
			return call("absdiff", a...)
		case "add_sat", "sub_sat", "mul_hi", "mad_hi", "mad_sat":
			return call(strings.Replace(fn, "_", "", 1), a...)
		case "clz", "ctz", "popcount", "reverse_bits":
			return call(fn, a[0]) // the rest says what of zero
		}
		return call(fn, a...)
	})
}

// floats translates a function of floats.
func (fr *frame) floats(in *bitcode.Instr, fn string) {
	name, fast := strings.CutPrefix(fn, "fast_")
	name, _ = strings.CutPrefix(name, "precise_")
	switch name {
	case "fmax", "fmin", "fabs", "fmax3", "fmin3", "fmedian3":
		name = name[1:]
	}
	c := &floatCall{frame: fr, in: in, fast: fast, args: fr.arguments(in)}
	c.t = fr.typeOf(c.args[0][0])
	if fr.twoResults(c, name) {
		return
	}
	if regs := c.whole(name); regs != nil {
		fr.set(in, value{regs: regs})
		return
	}
	fr.set(in, value{regs: elementwise(c.args, func(a []ir.Reg) ir.Reg { return c.element(name, a) })})
}

// twoResults translates the functions that store a second result.
func (fr *frame) twoResults(c *floatCall, name string) bool {
	if name != "sincos" && name != "frexp" && name != "modf" || len(c.in.Args) != 2 || len(c.args[0]) > 4 {
		return false
	}
	first, second := make([]ir.Reg, len(c.args[0])), make([]ir.Reg, len(c.args[0]))
	s := scalarOf(elementOf(c.in.Args[0].Type))
	for i, x := range c.args[0] {
		if name == "sincos" {
			first[i], second[i] = fr.math("sin", c.fast, c.t, x), fr.math("cos", c.fast, c.t, x)
			continue
		}
		first[i], second[i] = fr.temp(c.t), fr.temp(c.t)
		if name == "frexp" {
			s = ir.S32
			second[i] = fr.temp(ir.I32)
		}
		fr.emit(&ir.Instr{Op: ir.Math, Fn: name, Fast: c.fast && c.t == ir.F32, Dst: []ir.Reg{first[i], second[i]},
			Args: []ir.Reg{x}})
	}
	fr.emit(&ir.Instr{Op: ir.Store, Args: second, From: s, Mem: fr.mem(c.in.Args[1], 0, s.Size(), false)})
	fr.set(c.in, value{regs: first})
	return true
}

// floatCall is a call of a function of floats.
type floatCall struct {
	*frame
	in   *bitcode.Instr
	fast bool
	t    ir.Type
	args [][]ir.Reg
}

// whole computes a function whose result depends on several elements; nil if it is none.
func (c *floatCall) whole(name string) []ir.Reg {
	x, y := c.args[0], c.args[len(c.args)-1]
	if len(x) != len(y) {
		return nil
	}
	switch name {
	case "dot":
		return []ir.Reg{c.dot(x, y)}
	case "length_squared":
		return []ir.Reg{c.dot(x, x)}
	case "length":
		return []ir.Reg{c.float(c.in, "sqrt", c.fast, []ir.Reg{c.dot(x, x)})}
	case "distance", "distance_squared":
		d := make([]ir.Reg, len(x))
		for i := range x {
			d[i] = c.op(ir.Sub, c.t, x[i], y[i])
		}
		if name == "distance_squared" {
			return []ir.Reg{c.dot(d, d)}
		}
		return []ir.Reg{c.float(c.in, "sqrt", c.fast, []ir.Reg{c.dot(d, d)})}
	case "normalize":
		s := c.float(c.in, "rsqrt", c.fast, []ir.Reg{c.dot(x, x)})
		out := make([]ir.Reg, len(x))
		for i := range x {
			out[i] = c.op(ir.Mul, c.t, x[i], s)
		}
		return out
	case "cross":
		if len(x) == 3 {
			out := make([]ir.Reg, 3)
			for i := range out {
				j, k := (i+1)%3, (i+2)%3
				out[i] = c.op(ir.Sub, c.t, c.op(ir.Mul, c.t, x[j], y[k]), c.op(ir.Mul, c.t, x[k], y[j]))
			}
			return out
		}
	}
	return nil
}

// dot adds the products in ascending order, as the front end for source does.
func (c *floatCall) dot(x, y []ir.Reg) ir.Reg {
	products := make([]ir.Reg, len(x))
	for i := range x {
		products[i] = c.op(ir.Mul, c.t, x[i], y[i])
	}
	sum := products[0]
	for _, p := range products[1:] {
		sum = c.op(ir.Add, c.t, sum, p)
	}
	return sum
}

// element computes one element of a function.
func (c *floatCall) element(name string, a []ir.Reg) ir.Reg {
	call := func(fn string, a ...ir.Reg) ir.Reg { return c.float(c.in, fn, c.fast, a) }
	switch {
	case name == "fma" && len(a) == 3:
		return c.op(ir.FMA, c.t, a...)
	case name == "divide" && len(a) == 2:
		return c.result(c.t, &ir.Instr{Op: ir.Div, Fast: c.fast && c.t == ir.F32, Args: a})
	case name == "mix" && len(a) == 3:
		return c.op(ir.Add, c.t, a[0], c.op(ir.Mul, c.t, c.op(ir.Sub, c.t, a[1], a[0]), a[2]))
	case name == "clamp" && len(a) == 3:
		return call("min", call("max", a[0], a[1]), a[2])
	case name == "saturate" && len(a) == 1:
		one := map[ir.Type]uint64{ir.F32: 0x3f800000, ir.F16: 0x3c00, ir.BF16: 0x3f80}[c.t]
		return call("min", call("max", a[0], c.literal(c.t, 0)), c.literal(c.t, one))
	case (name == "min3" || name == "max3") && len(a) == 3:
		return call(name[:3], a[0], call(name[:3], a[1], a[2]))
	case name == "median3" && len(a) == 3:
		return call("max", call("min", a[0], a[1]), call("min", call("max", a[0], a[1]), a[2]))
	}
	return call(name, a...)
}
