package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

func f32bits(x float32) uint32     { return math.Float32bits(x) }
func f32frombits(u uint32) float32 { return math.Float32frombits(u) }

// intOf is the integer type of a scalar, and whether it is one.
func intOf(s ir.Scalar) (t scalar.Int, ok bool) {
	switch s {
	case ir.S8, ir.S16, ir.S32, ir.S64:
		return scalar.Int{Bits: uint8(8 * s.Size()), Signed: true}, true
	case ir.U8, ir.U16, ir.U32, ir.U64, ir.P64:
		return scalar.Int{Bits: uint8(8 * s.Size())}, true
	}
	return scalar.Int{}, false
}

// element is a lane value of either width: integers canonical in 64 bits
// or in the low 32, floats as f32 bits, a bool 0 or ^0 in the low 32.
type element = uint64

// conversion converts one element.
func conversion(from, to ir.Scalar) func(v element) element {
	in, fromInt := intOf(from)
	out, toInt := intOf(to)
	format := to.Type().Format()
	switch {
	case to == ir.B8 && from == ir.B8:
		return func(v element) element { return v }
	case to == ir.B8 && fromInt:
		return func(v element) element { return element(lane(in.Canonical(v) != 0)) }
	case to == ir.B8:
		return func(v element) element { return element(lane(f32frombits(uint32(v)) != 0)) }
	case from == ir.B8 && toInt:
		return func(v element) element { return v & 1 }
	case from == ir.B8:
		return func(v element) element { return element(f32bits(float32(v & 1))) }
	case fromInt && toInt:
		return func(v element) element { return out.Canonical(in.Canonical(v)) }
	case fromInt:
		return func(v element) element { return element(f32bits(format.FromInteger(in, in.Canonical(v)))) }
	case toInt:
		return func(v element) element { return out.Truncate(f32frombits(uint32(v))) }
	}
	return func(v element) element { return element(f32bits(format.Narrow(f32frombits(uint32(v))))) }
}

// convert compiles conversions between scalar types.
func (c *compiler) convert(in *ir.Instr) {
	d, a := in.Dst[0], in.Args[0]
	if sameLanes(in.From, in.To) {
		if !c.alias(d, a) {
			c.assign(d, c.copied(c.operand(a), c.uniform(d)))
		}
		return
	}
	open := choiceOf(c.p.kernel, in) == outOfRange // another conversion may stand at the same place
	if open && c.p.options.open {
		c.convertUnspecified(in, func() { c.converted(in, open) })
		return
	}
	c.converted(in, open)
}

// converted compiles such a conversion. One that is open may be of a number that the integer type does not have.
func (c *compiler) converted(in *ir.Instr, open bool) {
	d, a := in.Dst[0], in.Args[0]
	if draw, ok := c.adversary.takes(in.Pos, outOfRange); open && ok {
		c.each(d, a, unspecified(in.From, in.To, draw))
		return
	}
	if c.fieldToFloat(in) {
		return
	}
	from := in.From
	if from == ir.U32 && c.below31(a) {
		from = ir.S32
	}
	if loop := hotConversion(c.loops(c.uniform(d)), from, in.To); loop != nil {
		x := c.operand(a)
		c.watchConversion(in, x)
		c.assign(d, c.unary(loop, x, c.uniform(d)))
		return
	}
	if wide, extend := c.extension(in.From, in.To); extend {
		switch {
		case c.uniform(d):
			c.extendUniform(d, a, in.From)
			return
		case c.p.slots[d].grouped:
			c.extendHeads(in, wide)
			return
		}
		x := c.arg(a, false)
		c.compute64(d, func(m *machine, d []uint64) { wide(d, x(m)) })
		return
	}
	if in.From.Type().IsFloat() {
		x := c.operand(a)
		c.watchConversion(in, x)
		c.eachOf(d, x, conversion(in.From, in.To))
		return
	}
	c.each(d, a, conversion(in.From, in.To))
}

// unspecified converts floats to integers, those that are no number of the
// integer type to whatever is drawn.
func unspecified(from, to ir.Scalar, draw uint64) func(v element) element {
	f, fits := conversion(from, to), representable(to)
	of, _ := intOf(to)
	return func(v element) element {
		if fits(v) {
			return f(v)
		}
		return of.Canonical(element(hostile(draw, v)))
	}
}

// each compiles d = f(a) lane by lane, between registers of any widths.
func (c *compiler) each(d, a ir.Reg, f func(v element) element) {
	u := c.uniform(d)
	from, to := c.p.slots[a].wide, c.p.slots[d].wide
	switch {
	case !from:
		c.eachOf(d, c.operand(a), f)
	case to:
		x := c.arg64(a, u)
		c.compute64(d, func(m *machine, d []uint64) {
			v := x(m)
			for i := range d {
				d[i] = f(v[i])
			}
		})
	default:
		x := c.arg64(a, u)
		c.compute(d, func(m *machine, d []uint32) {
			v := x(m)
			for i := range d {
				d[i] = uint32(f(v[i]))
			}
		})
	}
}

// eachOf is each for a 32-bit operand.
func (c *compiler) eachOf(d ir.Reg, a operand, f func(v element) element) {
	x := a.vec(c, c.uniform(d))
	if c.p.slots[d].wide {
		c.compute64(d, func(m *machine, d []uint64) {
			v := x(m)
			for i := range d {
				d[i] = f(uint64(v[i]))
			}
		})
		return
	}
	c.compute(d, func(m *machine, d []uint32) {
		v := x(m)
		for i := range d {
			d[i] = uint32(f(uint64(v[i])))
		}
	})
}

// sameLanes reports whether a conversion leaves 32-bit lanes as they are.
func sameLanes(from, to ir.Scalar) bool {
	return to == ir.R32 && from.Type().IsFloat() && from != ir.R32 ||
		to == from && to.Type() != ir.I64 && to.Type() != ir.Ptr ||
		from.Type() == ir.I32 && (to == ir.S32 || to == ir.U32)
}

// hotConversion is the table's loop for a conversion of inner loops, or nil.
func hotConversion(t *lanes.Table, from, to ir.Scalar) lanes.Unary {
	switch {
	case to == ir.R32 && from == ir.U32:
		return t.FromU32
	case to == ir.R32 && from.Type() == ir.I32:
		return t.FromI32
	case from.Type().IsFloat() && to == ir.H16:
		return t.RoundHalf
	case from.Type().IsFloat() && to == ir.T16:
		return t.RoundBfloat
	case from.Type().IsFloat() && to == ir.S32:
		return t.ToI32
	case from.Type().IsFloat() && to == ir.U32:
		return t.ToU32
	case from.Type() == ir.I32 && (to == ir.U8 || to == ir.U16):
		return func(d, a []uint32) { t.And.VS(d, a, 1<<(8*to.Size())-1) }
	case from.Type() == ir.I32 && (to == ir.S8 || to == ir.S16):
		return func(d, a []uint32) {
			t.Shl.VS(d, a, uint32(32-8*to.Size()))
			t.AShr.VS(d, d, uint32(32-8*to.Size()))
		}
	}
	return nil
}

// below31 reports whether an integer is known to be less than 2^31: then it is the same with a sign, which
// is soonest converted.
func (c *compiler) below31(r ir.Reg) bool {
	in := c.u.Setter(r)
	if in == nil || c.p.kernel.Regs[r].Kind != ir.Temp {
		return false
	}
	literal := func(i int) uint64 {
		if info := c.p.kernel.Regs[in.Args[i]]; info.Kind == ir.Literal {
			return info.Bits & math.MaxUint32
		}
		return math.MaxUint32
	}
	switch in.Op {
	case ir.And:
		return min(literal(0), literal(1)) < 1<<31
	case ir.LShr:
		return literal(1)%32 > 0 && literal(1) != math.MaxUint32
	case ir.Load:
		return in.From == ir.U8 || in.From == ir.U16
	}
	return false
}

// extendUniform extends one value for all threads.
func (c *compiler) extendUniform(d, a ir.Reg, from ir.Scalar) {
	if from == ir.S8 || from == ir.S16 || from == ir.S32 {
		c.scalar(scalarExtendS, d, a)
	} else {
		c.scalar(scalarExtendU, d, a)
	}
}

// extension is the loop that makes 64-bit integers of 32-bit ones.
func (c *compiler) extension(from, to ir.Scalar) (loop func(d []uint64, a []uint32), ok bool) {
	switch {
	case from.Type() != ir.I32 || to.Type() != ir.I64:
		return nil, false
	case from == ir.S8 || from == ir.S16 || from == ir.S32:
		return c.t.ExtendS, true
	}
	return c.t.ExtendU, true
}

// bitcast compiles reinterpretations of equal size.
func (c *compiler) bitcast(in *ir.Instr) {
	d, a := in.Dst[0], in.Args[0]
	if c.p.slots[d].wide {
		c.each(d, a, func(v element) element { return v })
		return
	}
	table := c.loops(c.uniform(d))
	switch {
	case in.To == ir.H16:
		c.assign(d, c.unary(table.FromHalfBits, c.operand(a), c.uniform(d)))
	case in.To == ir.T16:
		c.assign(d, c.unary(func(d, a []uint32) { table.Shl.VS(d, a, 16) }, c.operand(a), c.uniform(d)))
	case in.From == ir.H16:
		c.assign(d, c.unary(canonical(table, in.To, table.HalfBits), c.quieted(a), c.uniform(d)))
	case in.From == ir.T16:
		c.assign(d, c.unary(canonical(table, in.To, table.BfloatBits), c.quieted(a), c.uniform(d)))
	case in.From == ir.R32 && c.made[a]:
		c.assign(d, c.unary(table.QuietNaN, c.operand(a), c.uniform(d)))
	case !c.alias(d, a):
		c.assign(d, c.copied(c.operand(a), c.uniform(d)))
	}
}

// canonical is a loop that gives 16 bits, extended as the integer type to asks for.
func canonical(t *lanes.Table, to ir.Scalar, loop lanes.Unary) lanes.Unary {
	if to != ir.S16 {
		return loop
	}
	return func(d, a []uint32) {
		loop(d, a)
		t.Shl.VS(d, d, 16)
		t.AShr.VS(d, d, 16)
	}
}
