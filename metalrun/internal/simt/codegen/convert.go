package codegen

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// convert compiles conversions between scalar types.
func (c *Compiler) convert(in *ir.Instr) {
	d, a := in.Dst[0], in.Args[0]
	if machine.SameLanes(in.From, in.To) {
		if !c.alias(d, a) {
			c.assign(d, c.copied(c.operand(a), c.Uniform(d)))
		}
		return
	}
	open := choiceOf(c.P.Kernel, in) == machine.OutOfInteger // another conversion may stand at the same place
	if open && c.P.Options.Open {
		c.convertUnspecified(in, func() { c.converted(in, open) })
		return
	}
	c.converted(in, open)
}

// converted compiles such a conversion. One that is open may be of a number that the integer type does not have.
func (c *Compiler) converted(in *ir.Instr, open bool) {
	d, a := in.Dst[0], in.Args[0]
	if draw, ok := c.adversary.takes(in.Pos, machine.OutOfInteger); open && ok {
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
	if loop := machine.HotConversion(c.loops(c.Uniform(d)), from, in.To); loop != nil {
		x := c.operand(a)
		c.conversionHits(in, x)
		c.assign(d, c.unary(loop, x, c.Uniform(d)))
		return
	}
	if wide, extend := c.extension(in.From, in.To); extend {
		switch {
		case c.Uniform(d):
			c.extendUniform(d, a, in.From)
			return
		case c.P.Slots[d].Grouped:
			c.extendSimdgroups(in, wide)
			return
		}
		x := c.arg(a, false)
		c.compute64(d, func(m *machine.Machine, d []uint64) { wide(d, x(m)) })
		return
	}
	if in.From.Type().IsFloat() {
		x := c.operand(a)
		c.conversionHits(in, x)
		c.eachOf(d, x, machine.Conversion(in.From, in.To))
		return
	}
	c.each(d, a, machine.Conversion(in.From, in.To))
}

// each compiles d = f(a) lane by lane, between registers of any widths.
func (c *Compiler) each(d, a ir.Reg, f func(v machine.Element) machine.Element) {
	u := c.Uniform(d)
	from, to := c.P.Slots[a].Wide, c.P.Slots[d].Wide
	switch {
	case !from:
		c.eachOf(d, c.operand(a), f)
	case to:
		x := c.arg64(a, u)
		c.compute64(d, func(m *machine.Machine, d []uint64) {
			v := x(m)
			for i := range d {
				d[i] = f(v[i])
			}
		})
	default:
		x := c.arg64(a, u)
		c.compute(d, func(m *machine.Machine, d []uint32) {
			v := x(m)
			for i := range d {
				d[i] = uint32(f(v[i]))
			}
		})
	}
}

// eachOf is each for a 32-bit operand.
func (c *Compiler) eachOf(d ir.Reg, a machine.Operand, f func(v machine.Element) machine.Element) {
	x := vec(a, c, c.Uniform(d))
	if c.P.Slots[d].Wide {
		c.compute64(d, func(m *machine.Machine, d []uint64) {
			v := x(m)
			for i := range d {
				d[i] = f(uint64(v[i]))
			}
		})
		return
	}
	c.compute(d, func(m *machine.Machine, d []uint32) {
		v := x(m)
		for i := range d {
			d[i] = uint32(f(uint64(v[i])))
		}
	})
}

// below31 reports whether an integer is known to be less than 2^31: then it is the same with a sign, which
// is soonest converted.
func (c *Compiler) below31(r ir.Reg) bool {
	in := c.U.Setter(r)
	if in == nil || c.P.Kernel.Regs[r].Kind != ir.Temp {
		return false
	}
	literal := func(i int) uint64 {
		if info := c.P.Kernel.Regs[in.Args[i]]; info.Kind == ir.Literal {
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
func (c *Compiler) extendUniform(d, a ir.Reg, from ir.Scalar) {
	if from == ir.S8 || from == ir.S16 || from == ir.S32 {
		c.scalar(machine.ScalarExtendS, d, a)
	} else {
		c.scalar(machine.ScalarExtendU, d, a)
	}
}

// extension is the loop that makes 64-bit integers of 32-bit ones.
func (c *Compiler) extension(from, to ir.Scalar) (loop func(d []uint64, a []uint32), ok bool) {
	switch {
	case from.Type() != ir.I32 || to.Type() != ir.I64:
		return nil, false
	case from == ir.S8 || from == ir.S16 || from == ir.S32:
		return c.t.ExtendS, true
	}
	return c.t.ExtendU, true
}

// bitcast compiles reinterpretations of equal size.
func (c *Compiler) bitcast(in *ir.Instr) {
	d, a := in.Dst[0], in.Args[0]
	if c.P.Slots[d].Wide {
		c.each(d, a, func(v machine.Element) machine.Element { return v })
		return
	}
	table := c.loops(c.Uniform(d))
	switch {
	case in.To == ir.H16:
		c.assign(d, c.unary(table.FromHalfBits, c.operand(a), c.Uniform(d)))
	case in.To == ir.T16:
		c.assign(d, c.unary(func(d, a []uint32) { table.Shl.VS(d, a, 16) }, c.operand(a), c.Uniform(d)))
	case in.From == ir.H16:
		c.assign(d, c.unary(machine.Canonical(table, in.To, table.HalfBits), c.quieted(a), c.Uniform(d)))
	case in.From == ir.T16:
		c.assign(d, c.unary(machine.Canonical(table, in.To, table.BfloatBits), c.quieted(a), c.Uniform(d)))
	case in.From == ir.R32 && c.Made[a]:
		c.assign(d, c.unary(table.QuietNaN, c.operand(a), c.Uniform(d)))
	case !c.alias(d, a):
		c.assign(d, c.copied(c.operand(a), c.Uniform(d)))
	}
}
