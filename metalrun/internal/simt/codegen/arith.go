package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// instr compiles one instruction.
func (c *Compiler) instr(in *ir.Instr) {
	for _, e := range c.extensions {
		if e.Instr(c, in) {
			return
		}
	}
	c.Value(in)
}

// Value compiles an instruction, and what has to be next to it.
func (c *Compiler) Value(in *ir.Instr) {
	for _, e := range c.extensions {
		if e.Op(c, in) {
			return
		}
		e.Before(c, in)
	}
	c.operation(in)
	for _, e := range c.extensions {
		e.After(c, in)
	}
}

// operation compiles an operation of a kernel.
func (c *Compiler) operation(in *ir.Instr) {
	switch in.Op {
	case ir.Nop, ir.Cover:
	case ir.Copy:
		c.copyReg(in)
	case ir.Poison:
		c.poison(in)
	case ir.Load:
		c.load(in)
	case ir.Store:
		c.store(in)
	case ir.Atomic:
		c.atomic(in)
	case ir.Convert:
		c.convert(in)
	case ir.Bitcast:
		c.bitcast(in)
	case ir.Pack, ir.Unpack:
		c.halves(in)
	case ir.Select:
		c.selectOp(in)
	case ir.PtrAdd, ir.PtrSub:
		c.integer64(in)
		c.numbered(in.Dst[0])
	case ir.Math:
		c.math(in)
	case ir.Simd:
		c.together(in, c.simd)
	case ir.MatMul:
		c.together(in, c.matmul)
	case ir.Barrier:
		c.barrier(in)
	case ir.Fence:
	case ir.Converge:
		c.together(in, func(in *ir.Instr) {
			c.Do(func(m *machine.Machine) { m.Tiles(in, "load or store", func(int, int) {}) })
		})
	case machine.CounterOp:
		blocks := []int{machine.NumberOf(in)}
		c.Do(func(m *machine.Machine) { m.Take(blocks, 1) })
	case machine.HitOp:
		c.notFiniteHits(in)
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe, ir.FLt, ir.FLe:
		c.compare(in)
	default:
		switch t := c.Typ(in.Dst[0]); {
		case t.IsFloat():
			c.floating(in, t)
		case t == ir.I64:
			c.integer64(in)
		default:
			c.integer(in)
		}
	}
}

// Typ is the type of a register.
func (c *Compiler) Typ(r ir.Reg) ir.Type { return c.P.Kernel.Regs[r].Type }

func (c *Compiler) copyReg(in *ir.Instr) {
	d := in.Dst[0]
	if c.P.Slots[d].Wide {
		a := c.arg64(in.Args[0], c.Uniform(d))
		c.compute64(d, func(m *machine.Machine, d []uint64) { copy(d, a(m)) })
		c.numbered(d)
		return
	}
	if c.alias(d, in.Args[0]) {
		return
	}
	if c.Uniform(d) && c.Uniform(in.Args[0]) {
		c.scalar(machine.ScalarCopy, d, in.Args[0])
		return
	}
	if w := c.takeWhole(in.Args[0]); w != nil {
		c.assign(d, w.In)
		return
	}
	c.assign(d, c.copied(c.operand(in.Args[0]), c.Uniform(d)))
}

// takeWhole takes a waiting value that can be computed straight into its reader's destination, or gives nil.
func (c *Compiler) takeWhole(r ir.Reg) *machine.Pending {
	if d := c.peekPending(r); d == nil || d.View != nil {
		return nil
	}
	return c.takePending(r)
}

func (c *Compiler) poison(in *ir.Instr) {
	pos := in.Pos
	for _, r := range in.Dst {
		t := c.Typ(r)
		if c.P.Slots[r].Wide {
			c.compute64(r, func(m *machine.Machine, d []uint64) {
				v := uint64(m.Contents(pos))
				if v |= v << 32; t == ir.Ptr {
					v = 0
				}
				c.t.FillQ(d, v)
			})
			continue
		}
		c.compute(r, func(m *machine.Machine, d []uint32) {
			v := m.Contents(pos)
			if t == ir.Bool {
				v = machine.Lane(v != 0)
			}
			c.t.Fill(d, v)
		})
	}
}

// floating compiles floating arithmetic. F16 and BF16 values are exact in f32:
// one f32 operation and a second rounding give the correctly rounded result,
// since 24 ≥ 2·11+2 significand bits; only FMA needs care of its own.
func (c *Compiler) floating(in *ir.Instr, t ir.Type) {
	if in.Op == ir.Div {
		if _, hostile := c.adversary.takes(in.Pos, machine.Accuracy+quotient); hostile &&
			choiceOf(c.P.Kernel, in) != "" {
			c.fastQuotient(in, t)
			return
		}
	}
	if t == ir.F32 && !c.P.Options.FlushSubnormals {
		c.single(in)
		return
	}
	d, u := in.Dst[0], c.Uniform(in.Dst[0])
	args := make([]machine.Operand, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.flushed(c.operand(r), t)
	}
	if in.Op == ir.FMA && t != ir.F32 {
		c.narrowFMA(in, args, t)
	} else {
		c.assign(d, c.plainFloat(in, args))
	}
	for _, loop := range c.finish(t, u) {
		c.again(d, loop)
	}
}

// fastQuotient is the quotient of fast division as the adversary's device has it.
func (c *Compiler) fastQuotient(in *ir.Instr, t ir.Type) {
	d, format := in.Dst[0], t.Format()
	limit := scalar.Quotients(format, true).Ulps.Max
	if one := c.P.Kernel.Regs[in.Args[0]]; t == ir.F32 && one.Kind == ir.Literal &&
		machine.F32frombits(uint32(one.Bits)) == 1 {
		limit = 1 // Metal Shading Language Specification, Table 8.2, 1/x
	}
	divide := errant{c.adversary, c.P.Options.FlushSubnormals}.divide(format, limit)
	x, y := vec(c.flushed(c.operand(in.Args[0]), t), c, c.Uniform(d)),
		vec(c.flushed(c.operand(in.Args[1]), t), c, c.Uniform(d))
	flush := c.flushes(t)
	c.active(d, x, y, func(a, b uint32) uint32 {
		q := divide(machine.F32frombits(a), machine.F32frombits(b))
		if flush {
			q = format.Flush(q)
		}
		return machine.F32bits(q)
	})
}

// plainFloat is one operation in f32, before the rounding to a narrower format.
func (c *Compiler) plainFloat(in *ir.Instr, a []machine.Operand) machine.Instr {
	u := c.Uniform(in.Dst[0])
	table := c.loops(u)
	switch in.Op {
	case ir.Add:
		return c.zipped(&table.AddF, a[0], a[1], u)
	case ir.Sub:
		return c.zipped(&table.SubF, a[0], a[1], u)
	case ir.Mul:
		return c.zipped(&table.MulF, a[0], a[1], u)
	case ir.Div:
		return c.zipped(&table.DivF, a[0], a[1], u)
	case ir.Neg:
		return c.unary(table.NegF, a[0], u)
	case ir.FMA:
		return c.tripled(&table.FMA, a[0], a[1], a[2], u)
	}
	panic(machine.Unknown(in))
}

// narrowFMA compiles the fma of a narrow format, which rounds only once. Of lanes it is that of f32, which is rounded
// again, but for what is in doubt then.
func (c *Compiler) narrowFMA(in *ir.Instr, a []machine.Operand, t ir.Type) {
	u, format := c.Uniform(in.Dst[0]), t.Format()
	x, y, z := vec(a[0], c, u), vec(a[1], c, u), vec(a[2], c, u)
	if u {
		c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
			d[0] = machine.F32bits(format.FMA(machine.F32frombits(x(m)[0]), machine.F32frombits(y(m)[0]),
				machine.F32frombits(z(m)[0])))
		})
		return
	}
	multiply, round, doubts, wide := c.t.FMA.VVV, c.t.RoundHalf, format.Doubts(), c.scratch()
	if t == ir.BF16 {
		round = c.t.RoundBfloat
	}
	c.compute(in.Dst[0], func(m *machine.Machine, d []uint32) {
		x, y, z, sums := x(m), y(m), z(m), m.Lanes(wide)[:len(d)]
		multiply(sums, x, y, z)
		for i, s := range sums {
			if doubts.Has(s) {
				sums[i] = machine.F32bits(format.FMA(machine.F32frombits(x[i]), machine.F32frombits(y[i]),
					machine.F32frombits(z[i])))
			}
		}
		round(d, sums)
	})
}

// flushed is an operand whose subnormals read as zero, where the options ask for it.
func (c *Compiler) flushed(a machine.Operand, t ir.Type) machine.Operand {
	if !c.flushes(t) {
		return a
	}
	return c.derived(a, c.flushLoop(t, a.Uniform()))
}

// flushes reports whether arithmetic on a type flushes subnormals.
func (c *Compiler) flushes(t ir.Type) bool {
	if t == ir.F16 {
		return c.P.Options.FlushHalf
	}
	return c.P.Options.FlushSubnormals
}

// flushLoop is the loop that flushes subnormals of a type.
func (c *Compiler) flushLoop(t ir.Type, uniform bool) lanes.Unary {
	if t != ir.F16 {
		return c.loops(uniform).Flush
	}
	return func(d, a []uint32) {
		for i, x := range a[:len(d)] {
			d[i] = machine.F32bits(scalar.Half.Flush(machine.F32frombits(x)))
		}
	}
}

// finish is the loops that round results to the format of t and flush them
// where the options ask for it, in place.
func (c *Compiler) finish(t ir.Type, uniform bool) (loops []lanes.Unary) {
	table := c.loops(uniform)
	switch t {
	case ir.F16:
		loops = append(loops, table.RoundHalf)
	case ir.BF16:
		loops = append(loops, table.RoundBfloat)
	}
	if c.flushes(t) {
		loops = append(loops, c.flushLoop(t, uniform))
	}
	return loops
}

// single compiles f32 arithmetic, the hot case: it may wait for its reader,
// and a product that a sum reads becomes one loop with it.
func (c *Compiler) single(in *ir.Instr) {
	if code, ok := machine.ScalarCodesF[in.Op]; ok && !c.P.Stepwise && c.Uniform(in.Dst[0]) {
		c.scalar(code, in.Dst[0], in.Args...)
		return
	}
	d := &machine.Pending{Reg: in.Dst[0]}
	switch in.Op {
	case ir.Mul:
		c.multiply(d, in)
	case ir.Add:
		if !(c.Does(machine.PassAffine) && c.scaledSum(d, in)) && !c.sum(d, in) {
			c.plain(d, in)
		}
	case ir.FMA:
		c.fuse(d, in)
	default:
		c.plain(d, in)
	}
	r := in.Dst[0]
	if c.defers(r) && c.U.Reads(r) == 1 {
		c.put(d, in.Args...)
		return
	}
	c.assign(r, d.In)
}

func (c *Compiler) plain(d *machine.Pending, in *ir.Instr) {
	args := make([]machine.Operand, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.within(d, r)
	}
	d.In = c.plainFloat(in, args)
}

// within is operand for an argument of a value that may wait itself.
func (c *Compiler) within(d *machine.Pending, r ir.Reg) machine.Operand {
	if w := c.peekPending(r); w != nil {
		d.Inherit(w)
	}
	return c.operand(r)
}

func (c *Compiler) multiply(d *machine.Pending, in *ir.Instr) {
	if c.products(d, in) {
		return
	}
	x, y, u := c.within(d, in.Args[0]), c.within(d, in.Args[1]), c.Uniform(in.Dst[0])
	if c.Does(machine.PassFusedProducts) {
		d.Product = &machine.Product{X: x, Y: y}
	}
	d.In = c.zipped(&c.loops(u).MulF, x, y, u)
}

// productIn finds the operand of an instruction that is a product which is not computed yet, b, and the other one; w is
// nil if there is none.
func (c *Compiler) productIn(in *ir.Instr) (a, b ir.Reg, w *machine.Pending) {
	a, b = in.Args[0], in.Args[1]
	for range 2 {
		if w = c.peekPending(b); w != nil && w.Product != nil {
			return a, b, w
		}
		a, b = b, a
	}
	return a, b, nil
}

// products swallows a product that one factor is, if any, and if one loop does both multiplications.
func (c *Compiler) products(d *machine.Pending, in *ir.Instr) bool {
	a, b, w := c.productIn(in)
	if w == nil {
		return false
	}
	if c.Uniform(a) && !w.Product.X.Uniform() && !w.Product.Y.Uniform() {
		return false
	}
	d.Inherit(w)
	p := c.takePending(b).Product
	if !c.Uniform(a) {
		d.In = c.tripled(&c.t.MulMul, p.X, p.Y, c.within(d, a), false)
		return true
	}
	if p.X.Uniform() {
		p.X, p.Y = p.Y, p.X
	}
	d.In = machine.Instr{Shape: machine.VectorScalarScalar, Field: c.t.MulScalars, A: p.X, B: p.Y, E: c.within(d, a)}
	return true
}

// sum swallows a product that one operand is, if any: one loop, in which the
// product is rounded before the addition.
func (c *Compiler) sum(d *machine.Pending, in *ir.Instr) bool {
	a, b, w := c.productIn(in)
	if w == nil {
		return false
	}
	d.Inherit(w)
	p := c.takePending(b).Product
	d.In = c.tripled(&c.t.MulAdd, p.X, p.Y, c.within(d, a), false)
	return true
}
