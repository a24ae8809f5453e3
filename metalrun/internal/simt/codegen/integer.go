package codegen

import (
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// integer compiles 32-bit integer and boolean arithmetic. A bool's lanes are 0
// or ^0, so its logical operations are the bitwise ones.
func (c *Compiler) integer(in *ir.Instr) {
	d := in.Dst[0]
	if code := machine.ScalarCodes[in.Op]; code != machine.NoUniformOp && c.Uniform(d) {
		c.scalar(code, d, in.Args...)
		return
	}
	if in.Op == ir.Not && c.Uniform(d) {
		c.scalar(machine.ScalarNot, d, in.Args...)
		return
	}
	if in.Op == ir.Add && c.offsets(in) {
		return
	}
	if c.tryDivideUnspecified(in, func() { c.divide(in, c.operand(in.Args[0]), c.operand(in.Args[1])) }) {
		return
	}
	if in.Op == ir.And && c.field(in) {
		return
	}
	table := c.loops(c.Uniform(d))
	a := c.operand(in.Args[0])
	if len(in.Args) == 1 {
		loop := table.Not
		if in.Op == ir.Neg {
			loop = table.NegI
		}
		c.assign(d, c.unary(loop, a, c.Uniform(d)))
		return
	}
	b := c.operand(in.Args[1])
	if loop := machine.IntegerLoop(table, in.Op); loop != nil {
		c.assign(d, c.zipped(loop, a, b, c.Uniform(d)))
		return
	}
	c.divide(in, a, b)
}

// divide compiles division and remainder. Most divisors are uniform powers of two.
func (c *Compiler) divide(in *ir.Instr, a, b machine.Operand) {
	u, divide := c.Uniform(in.Dst[0]), machine.Division(in)
	c.divisionHits(in, reader(a), reader(b))
	if u || !b.Uniform() || !c.Does(machine.PassPowerDivisors) || in.Op == ir.SDiv || in.Op == ir.SRem {
		x, y := vec(a, c, u), vec(b, c, u)
		c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) { divide(d, x(m), y(m)) })
		return
	}
	a, y := c.spread(a), machine.Operand{At: c.scratch()}
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		x, s := m.Operand(&a), m.Uni32[b.At]
		switch {
		case s&(s-1) != 0 || s == 0:
			c.t.Fill(m.Operand(&y), s)
			divide(d, x, m.Operand(&y))
		case in.Op == ir.URem:
			c.t.And.VS(d, x, s-1)
		default:
			c.t.LShr.VS(d, x, uint32(bits.TrailingZeros32(s)))
		}
	})
}

// offsets defers an index whose readers, loads and stores, add up lanes and a
// uniform part themselves.
func (c *Compiler) offsets(in *ir.Instr) bool {
	d, x, s := in.Dst[0], in.Args[0], in.Args[1]
	if c.Uniform(x) {
		x, s = s, x
	}
	if !c.Does(machine.PassOffsets) || !c.defers(d) || c.Uniform(x) || !c.Uniform(s) ||
		c.U.IndexReads(d) != c.U.Reads(d) {
		return false
	}
	w := &machine.Pending{Reg: d}
	w.Offset = &machine.Offset{X: c.within(w, x), Scalar: c.read(s).Index}
	w.In = c.zipped(&c.t.AddI, w.Offset.X, machine.Operand{Kind: machine.IsUniform, At: w.Offset.Scalar}, false)
	c.put(w, in.Args...)
	return true
}

// integer64 compiles 64-bit integer and pointer arithmetic.
func (c *Compiler) integer64(in *ir.Instr) {
	d := in.Dst[0]
	u := c.Uniform(d)
	if code := machine.ScalarCodesQ[in.Op]; code != machine.NoUniformOp && u {
		c.scalar(code, d, in.Args...)
		return
	}
	if c.tryDivideUnspecified(in, func() { c.zip64(in) }) {
		return
	}
	if c.P.Slots[d].Grouped {
		if c.simdgroupUniform(in) {
			return
		}
		c.compute64(d,
			machine.Zipped64(machine.Integer64Loop(c.t, in.Op), c.simdgroupUniform64(in.Args[0]),
				c.simdgroupUniform64(in.Args[1])))
		return
	}
	if loop := machine.Integer64Loop(c.loops(u), in.Op); loop != nil && len(in.Args) == 2 {
		c.compute64(d, machine.Zipped64(loop, c.operand64(in.Args[0]), c.operand64(in.Args[1])))
		return
	}
	if len(in.Args) == 2 {
		c.zip64(in)
		return
	}
	f, a := machine.Integer64Func(in), c.vec64(c.operand64(in.Args[0]), u)
	c.compute64(d, func(m *machine.Machine, d []uint64) {
		x := a(m)
		for i := range d {
			d[i] = f(x[i], 0)
		}
	})
}

// zip64 compiles an operation on two operands that no table has.
func (c *Compiler) zip64(in *ir.Instr) {
	d, u := in.Dst[0], c.Uniform(in.Dst[0])
	f, first, second := machine.Integer64Func(in), c.operand64(in.Args[0]), c.operand64(in.Args[1])
	c.divisionHits(in, wideReader(first), wideReader(second))
	a, b := c.vec64(first, u), c.vec64(second, u)
	c.compute64(d, func(m *machine.Machine, d []uint64) {
		x, y := a(m), b(m)
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	})
}

// compare compiles comparisons.
func (c *Compiler) compare(in *ir.Instr) {
	d := in.Dst[0]
	u := c.Uniform(d)
	if c.P.Slots[in.Args[0]].Wide {
		a, b, f := c.arg64(in.Args[0], u), c.arg64(in.Args[1], u), machine.Compare64(in)
		c.compute(d, func(m *machine.Machine, d []uint32) {
			x, y := a(m), b(m)
			for i := range d {
				d[i] = machine.Lane(f(x[i], y[i]))
			}
		})
		return
	}
	t := c.Typ(in.Args[0])
	if code := machine.ScalarComparisons[in.Op]; u && code != machine.NoUniformOp && !t.IsFloat() {
		c.scalar(code, d, in.Args...)
		return
	}
	a, b := c.operand(in.Args[0]), c.operand(in.Args[1])
	if t.IsFloat() {
		a, b = c.flushed(a, t), c.flushed(b, t)
	}
	c.assign(d, c.zipped(machine.Comparison(c.loops(u), in, t.IsFloat()), a, b, u))
}

func (c *Compiler) selectOp(in *ir.Instr) {
	d := in.Dst[0]
	u := c.Uniform(d)
	cond := c.arg(in.Args[0], u)
	if c.P.Slots[d].Wide {
		a, b := c.arg64(in.Args[1], u), c.arg64(in.Args[2], u)
		c.compute64(d, func(m *machine.Machine, d []uint64) { c.t.SelectQ(d, cond(m), a(m), b(m)) })
		return
	}
	a, b := c.arg(in.Args[1], u), c.arg(in.Args[2], u)
	c.compute(d, func(m *machine.Machine, d []uint32) { c.t.Select(d, cond(m), a(m), b(m)) })
}

// halves compiles Pack and Unpack.
func (c *Compiler) halves(in *ir.Instr) {
	u := c.Uniform(in.Dst[0])
	if in.Op == ir.Pack {
		lo, hi := c.arg(in.Args[0], u), c.arg(in.Args[1], u)
		c.compute64(in.Dst[0], func(m *machine.Machine, d []uint64) {
			l, h := lo(m), hi(m)
			for i := range d {
				d[i] = uint64(l[i]) | uint64(h[i])<<32
			}
		})
		return
	}
	a := c.arg64(in.Args[0], u)
	for part, r := range in.Dst {
		take := c.t.Low
		if part == 1 {
			take = c.t.High
		}
		c.compute(r, func(m *machine.Machine, d []uint32) { take(d, a(m)) })
	}
}
