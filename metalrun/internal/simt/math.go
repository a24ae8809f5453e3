package simt

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/scalar"
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

// lanewise compiles d = f(args) for the active lanes.
func (c *compiler) lanewise(in *ir.Instr, f func(v []element) element, missing bool) {
	if missing {
		panic(unknown(in))
	}
	u := c.uniform(in.Dst[0])
	args := make([]func(m *machine) func(lane int) element, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.values(r, u, c.p.places[r].wide, nil)
	}
	run := func(m *machine, n int, set func(l int, v element)) {
		var at [4]func(int) element
		var v [4]element
		for i, a := range args {
			at[i] = a(m)
		}
		for l := range n {
			if !u && m.mask[l] == 0 {
				continue
			}
			for i := range args {
				v[i] = at[i](l)
			}
			set(l, f(v[:len(args)]))
		}
	}
	if c.p.places[in.Dst[0]].wide {
		c.into64(in.Dst[0], func(m *machine, d []uint64) { run(m, len(d), func(l int, v element) { d[l] = v }) })
		return
	}
	c.into(in.Dst[0], func(m *machine, d []uint32) { run(m, len(d), func(l int, v element) { d[l] = uint32(v) }) })
}

// floatFunction compiles a function of floats.
func (c *compiler) floatFunction(in *ir.Instr) {
	t := c.typ(in.Args[0])
	format, u := formatOf(t), c.uniform(in.Dst[0])
	x := c.flushed(c.arg(in.Args[0], u), t, u)
	finish := func(v float32) float32 { return v }
	if c.p.options.FlushSubnormals && t != ir.F16 {
		finish = scalar.FlushF32
	}
	switch in.Fn {
	case "isfinite", "isinf", "isnan", "isnormal", "signbit":
		test := classTest(in.Fn, format)
		c.active(in.Dst[0], func(m *machine) func(int) uint32 {
			a := asF(x(m))
			return func(l int) uint32 { return lane(test(a[l])) }
		})
		return
	case "ilogb":
		c.active(in.Dst[0], func(m *machine) func(int) uint32 {
			a := asF(x(m))
			return func(l int) uint32 { return uint32(scalar.Ilogb(a[l])) }
		})
		return
	case "ldexp":
		n := c.arg(in.Args[1], u)
		c.active(in.Dst[0], func(m *machine) func(int) uint32 {
			a, e := asF(x(m)), n(m)
			return func(l int) uint32 { return f32bits(finish(format.Ldexp(a[l], int32(e[l])))) }
		})
		return
	case "frexp", "modf":
		c.pair(in, x)
		return
	}
	if len(in.Args) == 1 {
		f := format.Unary(in.Fn)
		if f == nil {
			panic(unknown(in))
		}
		c.active(in.Dst[0], func(m *machine) func(int) uint32 {
			a := asF(x(m))
			return func(l int) uint32 { return f32bits(finish(f(a[l]))) }
		})
		return
	}
	f := format.Binary(in.Fn)
	if f == nil {
		panic(unknown(in))
	}
	y := c.flushed(c.arg(in.Args[1], u), t, u)
	c.active(in.Dst[0], func(m *machine) func(int) uint32 {
		a, b := asF(x(m)), asF(y(m))
		return func(l int) uint32 { return f32bits(finish(f(a[l], b[l]))) }
	})
}

// active writes the active lanes of a 32-bit register.
func (c *compiler) active(r ir.Reg, value func(m *machine) func(lane int) uint32) {
	if c.uniform(r) {
		c.into(r, func(m *machine, d []uint32) { d[0] = value(m)(0) })
		return
	}
	c.into(r, func(m *machine, d []uint32) {
		v := value(m)
		for l, on := range m.mask {
			if on != 0 {
				d[l] = v(l)
			}
		}
	})
}

// pair compiles the functions with two results.
func (c *compiler) pair(in *ir.Instr, x vec) {
	for part, r := range in.Dst {
		c.active(r, func(m *machine) func(int) uint32 {
			a := asF(x(m))
			return func(l int) uint32 {
				if in.Fn == "frexp" {
					fraction, exponent := scalar.Frexp(a[l])
					if part == 1 {
						return uint32(exponent)
					}
					return f32bits(fraction)
				}
				fraction, whole := scalar.Modf(a[l])
				if part == 1 {
					return f32bits(whole)
				}
				return f32bits(fraction)
			}
		})
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
