package simt

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// math compiles elementary and integer functions. They are evaluated for
// active lanes only: some are slow on the arguments that idle lanes hold.
func (c *compiler) math(in *ir.Instr) {
	name, suffix, integer := strings.Cut(in.Fn, "_")
	for integer && !isIntSuffix(suffix) { // extract_bits_u32, reverse_bits_s8
		var more string
		base := suffix
		base, more, integer = strings.Cut(suffix, "_")
		name, suffix = name+"_"+base, more
	}
	if integer {
		c.integerFunction(in, name, intNamed(suffix))
		return
	}
	c.floatFunction(in)
}

func isIntSuffix(s string) bool {
	switch s {
	case "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64":
		return true
	}
	return false
}

func intNamed(suffix string) scalar.Int {
	bits := map[string]uint8{"8": 8, "16": 16, "32": 32, "64": 64}[suffix[1:]]
	return scalar.Int{Bits: bits, Signed: suffix[0] == 's'}
}

// integerFunction compiles a function of one to four integers.
func (c *compiler) integerFunction(in *ir.Instr, name string, t scalar.Int) {
	if loop := extremeLoop(c.loops(c.uniform(in.Dst[0])), name, t); loop != nil {
		c.assign(in.Dst[0], c.zipped(loop, c.operand(in.Args[0]), c.operand(in.Args[1]), c.uniform(in.Dst[0])))
		return
	}
	switch len(in.Args) {
	case 1:
		f := t.Unary(name)
		c.lanewise(in, func(v []element) element { return f(t.Canonical(v[0])) }, f == nil)
	case 2:
		f := t.Binary(name)
		c.lanewise(in, func(v []element) element { return f(t.Canonical(v[0]), t.Canonical(v[1])) }, f == nil)
	case 3:
		f := t.Ternary(name)
		third := t
		if name == "extract_bits" {
			third = scalar.Int{Bits: 32}
		}
		c.lanewise(in, func(v []element) element {
			second := t.Canonical(v[1])
			if name == "extract_bits" {
				second = third.Canonical(v[1])
			}
			return f(t.Canonical(v[0]), second, third.Canonical(v[2]))
		}, f == nil)
	default:
		c.lanewise(in, func(v []element) element {
			return t.InsertBits(t.Canonical(v[0]), t.Canonical(v[1]), uint32(v[2]), uint32(v[3]))
		}, name != "insert_bits")
	}
}

// extremeLoop is the table's loop for the lesser or greater of two integers of
// at most 32 bits, or nil.
func extremeLoop(t *lanes.Table, name string, of scalar.Int) *lanes.Binary {
	switch {
	case of.Bits > 32:
	case name == "min" && of.Signed:
		return &t.MinS
	case name == "max" && of.Signed:
		return &t.MaxS
	case name == "min":
		return &t.MinU
	case name == "max":
		return &t.MaxU
	}
	return nil
}

// lanewise compiles d = f(args) for the active lanes.
func (c *compiler) lanewise(in *ir.Instr, f func(v []element) element, missing bool) {
	if missing {
		panic(unknown(in))
	}
	u := c.uniform(in.Dst[0])
	args := make([]func(m *machine) elements, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.values(r, u, nil)
	}
	c.setElements(in.Dst[0], func(m *machine, d elements, n int) {
		var at [4]elements
		for i, a := range args {
			at[i] = a(m)
		}
		v := m.arguments[:len(args)]
		for l := range n {
			if !u && m.mask[l] == 0 {
				continue
			}
			for i := range v {
				v[i] = at[i].at(l)
			}
			d.set(l, f(v))
		}
	})
}

// floatFunction compiles a function of floats.
func (c *compiler) floatFunction(in *ir.Instr) {
	t := c.typ(in.Args[0])
	u := c.uniform(in.Dst[0])
	read := c.operand
	if in.Fn == "signbit" {
		read = c.quieted
	}
	x := c.flushed(read(in.Args[0]), t)
	switch in.Fn {
	case "isfinite", "isinf", "isnan", "isnormal", "signbit":
		test := classTest(in.Fn, formatOf(t))
		c.active(in.Dst[0], x.vec(c, u), nil, func(a, _ uint32) uint32 { return lane(test(f32frombits(a))) })
	case "ilogb":
		c.active(in.Dst[0], x.vec(c, u), nil, func(a, _ uint32) uint32 { return uint32(scalar.Ilogb(f32frombits(a))) })
	case "frexp", "modf":
		c.pair(in, x.vec(c, u))
	default:
		c.floatResult(in, x, t)
	}
}

// floatResult compiles a function that gives a float.
func (c *compiler) floatResult(in *ir.Instr, x operand, t ir.Type) {
	d, u, format := in.Dst[0], c.uniform(in.Dst[0]), formatOf(t)
	draw, hostile := c.adversary.takes(in.Pos, accuracy+in.Fn)
	flush := c.p.options.FlushSubnormals && t != ir.F16
	rounded := t == ir.F32 && !flush
	if loop := functionLoop(c.loops(u), in.Fn, rounded); loop != nil && len(in.Args) == 1 && !hostile {
		c.assign(d, c.unary(loop, x, u))
		return
	}
	if loop := choiceLoop(c.loops(u), in.Fn, flush); loop != nil && len(in.Args) == 2 {
		c.assign(d, c.zipped(loop, x, c.operand(in.Args[1]), u))
		return
	}
	finish := func(v float32) uint32 { return f32bits(v) }
	if flush {
		finish = func(v float32) uint32 { return f32bits(scalar.FlushF32(v)) }
	}
	var f func(a, b uint32) uint32
	y := vec(nil)
	switch {
	case in.Fn == "ldexp":
		y = c.arg(in.Args[1], u)
		f = func(a, e uint32) uint32 { return finish(format.Ldexp(f32frombits(a), int32(e))) }
	case len(in.Args) == 1:
		of := format.Unary(in.Fn)
		if of == nil {
			panic(unknown(in))
		}
		f = func(a, _ uint32) uint32 { return finish(of(f32frombits(a))) }
	default:
		of := format.Binary(in.Fn)
		if of == nil {
			panic(unknown(in))
		}
		read := c.operand
		if in.Fn == "copysign" {
			read = c.quieted
		}
		y = c.flushed(read(in.Args[1]), t).vec(c, u)
		f = func(a, b uint32) uint32 { return finish(of(f32frombits(a), f32frombits(b))) }
	}
	if hostile {
		f = displaced(f, in, t, draw)
	}
	c.active(d, x.vec(c, u), y, f)
}

// functionLoop is the table's loop for a function of one float, or nil. All but
// abs round, and are those of f32.
func functionLoop(t *lanes.Table, name string, rounded bool) lanes.Unary {
	switch {
	case name == "abs":
		return t.AbsF
	case !rounded:
	case name == "sqrt":
		return t.SqrtF
	case name == "floor":
		return t.FloorF
	case name == "ceil":
		return t.CeilF
	case name == "trunc":
		return t.TruncF
	case name == "rint":
		return t.RintF
	}
	return nil
}

// choiceLoop is the table's loop for a function that gives one of two floats of
// any format, or nil.
func choiceLoop(t *lanes.Table, name string, flush bool) *lanes.Binary {
	switch {
	case flush:
	case name == "min":
		return &t.MinF
	case name == "max":
		return &t.MaxF
	}
	return nil
}

// active writes the active lanes of a 32-bit register: f of one or two arguments.
func (c *compiler) active(r ir.Reg, x, y vec, f func(a, b uint32) uint32) {
	if y == nil {
		y = x
	}
	if c.uniform(r) {
		c.compute(r, func(m *machine, d []uint32) { d[0] = f(x(m)[0], y(m)[0]) })
		return
	}
	c.compute(r, func(m *machine, d []uint32) {
		a, b, mask := x(m)[:len(d)], y(m)[:len(d)], m.mask[:len(d)]
		var a0, b0, v uint32 // the last arguments and their value: neighbours often have the same
		begun := false
		for l := range d {
			if mask[l] == 0 {
				continue
			}
			if p, q := a[l], b[l]; !begun || p != a0 || q != b0 {
				a0, b0, v, begun = p, q, f(p, q), true
			}
			d[l] = v
		}
	})
}

// pair compiles the functions with two results.
func (c *compiler) pair(in *ir.Instr, x vec) {
	parts := [2]func(a, _ uint32) uint32{
		func(a, _ uint32) uint32 { fraction, _ := scalar.Modf(f32frombits(a)); return f32bits(fraction) },
		func(a, _ uint32) uint32 { _, whole := scalar.Modf(f32frombits(a)); return f32bits(whole) },
	}
	if in.Fn == "frexp" {
		parts = [2]func(a, _ uint32) uint32{
			func(a, _ uint32) uint32 { fraction, _ := scalar.Frexp(f32frombits(a)); return f32bits(fraction) },
			func(a, _ uint32) uint32 { _, exponent := scalar.Frexp(f32frombits(a)); return uint32(exponent) },
		}
	}
	for part, r := range in.Dst {
		c.active(r, x, nil, parts[part])
	}
}

// classTest is a predicate on values of a format.
func classTest(name string, f scalar.Format) func(x float32) bool {
	smallest := map[scalar.Format]float64{scalar.F32: 0x1p-126, scalar.Half: 0x1p-14, scalar.Bfloat: 0x1p-126}[f]
	switch name {
	case "isnan":
		return func(x float32) bool { return x != x }
	case "isinf":
		return func(x float32) bool { return math.IsInf(float64(x), 0) }
	case "signbit":
		return func(x float32) bool { return math.Signbit(float64(x)) }
	case "isnormal":
		return func(x float32) bool {
			return math.Abs(float64(x)) >= smallest && math.Abs(float64(x)) <= math.MaxFloat32
		}
	}
	return func(x float32) bool { return math.Abs(float64(x)) <= math.MaxFloat32 }
}
