package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// instr compiles one instruction.
func (c *compiler) instr(in *ir.Instr) {
	if c.p.exact != nil {
		c.withBalls(in)
	} else {
		c.value(in)
	}
}

// value compiles an instruction for values.
func (c *compiler) value(in *ir.Instr) {
	switch in.Op {
	case ir.Nop:
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
		c.together(in, func(in *ir.Instr) { c.do(func(m *machine) { m.tiles(in, "load or store", func(int, int) {}) }) })
	case observeOp:
		if c.p.options.watched {
			c.sight(in)
		} else {
			c.observe(in)
		}
	case counterOp:
		c.tally(in)
	case samplingOp:
		c.look(in)
	case hitOp:
		c.meet(in)
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe, ir.FLt, ir.FLe:
		c.compare(in)
	default:
		switch t := c.typ(in.Dst[0]); {
		case t.IsFloat():
			c.floating(in, t)
		case t == ir.I64:
			c.integer64(in)
		default:
			c.integer(in)
		}
	}
}

func (c *compiler) typ(r ir.Reg) ir.Type { return c.p.kernel.Regs[r].Type }

func (c *compiler) copyReg(in *ir.Instr) {
	d := in.Dst[0]
	if c.p.slots[d].wide {
		a := c.arg64(in.Args[0], c.uniform(d))
		c.compute64(d, func(m *machine, d []uint64) { copy(d, a(m)) })
		c.numbered(d)
		return
	}
	if c.alias(d, in.Args[0]) {
		return
	}
	if c.uniform(d) && c.uniform(in.Args[0]) {
		c.scalar(scalarCopy, d, in.Args[0])
		return
	}
	if w := c.takeWhole(in.Args[0]); w != nil {
		c.assign(d, w.in)
		return
	}
	c.assign(d, c.copied(c.operand(in.Args[0]), c.uniform(d)))
}

// takeWhole takes a waiting value that can be computed straight into its reader's destination, or gives nil.
func (c *compiler) takeWhole(r ir.Reg) *deferred {
	if d := c.peekDeferred(r); d == nil || d.view != nil {
		return nil
	}
	return c.takeDeferred(r)
}

func (c *compiler) poison(in *ir.Instr) {
	pos := in.Pos
	for _, r := range in.Dst {
		t := c.typ(r)
		if c.p.slots[r].wide {
			c.compute64(r, func(m *machine, d []uint64) {
				v := uint64(m.contents(pos))
				if v |= v << 32; t == ir.Ptr {
					v = 0
				}
				c.t.FillQ(d, v)
			})
			continue
		}
		c.compute(r, func(m *machine, d []uint32) {
			v := m.contents(pos)
			if t == ir.Bool {
				v = lane(v != 0)
			}
			c.t.Fill(d, v)
		})
	}
}

// floating compiles floating arithmetic. F16 and BF16 values are exact in f32:
// one f32 operation and a second rounding give the correctly rounded result,
// since 24 ≥ 2·11+2 significand bits; only FMA needs care of its own.
func (c *compiler) floating(in *ir.Instr, t ir.Type) {
	if in.Op == ir.Div {
		if _, hostile := c.adversary.takes(in.Pos, accuracy+quotient); hostile && choiceOf(c.p.kernel, in) != "" {
			c.fastQuotient(in, t)
			return
		}
	}
	if t == ir.F32 && !c.p.options.FlushSubnormals {
		c.single(in)
		return
	}
	d, u := in.Dst[0], c.uniform(in.Dst[0])
	args := make([]operand, len(in.Args))
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
func (c *compiler) fastQuotient(in *ir.Instr, t ir.Type) {
	d, format := in.Dst[0], t.Format()
	limit := scalar.Quotients(format, true).Ulps.Max
	if one := c.p.kernel.Regs[in.Args[0]]; t == ir.F32 && one.Kind == ir.Literal && f32frombits(uint32(one.Bits)) == 1 {
		limit = 1 // Metal Shading Language Specification, Table 8.2, 1/x
	}
	divide := errant{c.adversary, c.p.options.FlushSubnormals}.divide(format, limit)
	x, y := c.flushed(c.operand(in.Args[0]), t).vec(c, c.uniform(d)), c.flushed(c.operand(in.Args[1]), t).vec(c, c.uniform(d))
	flush := c.flushes(t)
	c.active(d, x, y, func(a, b uint32) uint32 {
		q := divide(f32frombits(a), f32frombits(b))
		if flush {
			q = format.Flush(q)
		}
		return f32bits(q)
	})
}

// plainFloat is one operation in f32, before the rounding to a narrower format.
func (c *compiler) plainFloat(in *ir.Instr, a []operand) instr {
	u := c.uniform(in.Dst[0])
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
	panic(unknown(in))
}

// narrowFMA compiles the fma of a narrow format, which rounds only once. Of lanes it is that of f32, which is rounded again, but
// for what is in doubt then.
func (c *compiler) narrowFMA(in *ir.Instr, a []operand, t ir.Type) {
	u, format := c.uniform(in.Dst[0]), t.Format()
	x, y, z := a[0].vec(c, u), a[1].vec(c, u), a[2].vec(c, u)
	if u {
		c.compute(in.Dst[0], func(m *machine, d []uint32) {
			d[0] = f32bits(format.FMA(f32frombits(x(m)[0]), f32frombits(y(m)[0]), f32frombits(z(m)[0])))
		})
		return
	}
	multiply, round, doubts, wide := c.t.FMA.VVV, c.t.RoundHalf, format.Doubts(), c.scratch()
	if t == ir.BF16 {
		round = c.t.RoundBfloat
	}
	c.compute(in.Dst[0], func(m *machine, d []uint32) {
		x, y, z, sums := x(m), y(m), z(m), m.lanes(wide)[:len(d)]
		multiply(sums, x, y, z)
		for i, s := range sums {
			if doubts.Has(s) {
				sums[i] = f32bits(format.FMA(f32frombits(x[i]), f32frombits(y[i]), f32frombits(z[i])))
			}
		}
		round(d, sums)
	})
}

// flushed is an operand whose subnormals read as zero, where the options ask for it.
func (c *compiler) flushed(a operand, t ir.Type) operand {
	if !c.flushes(t) {
		return a
	}
	return c.derived(a, c.flushLoop(t, a.uniform()))
}

// flushes reports whether arithmetic on a type flushes subnormals.
func (c *compiler) flushes(t ir.Type) bool {
	if t == ir.F16 {
		return c.p.options.flushHalf
	}
	return c.p.options.FlushSubnormals
}

// flushLoop is the loop that flushes subnormals of a type.
func (c *compiler) flushLoop(t ir.Type, uniform bool) lanes.Unary {
	if t != ir.F16 {
		return c.loops(uniform).Flush
	}
	return func(d, a []uint32) {
		for i, x := range a[:len(d)] {
			d[i] = f32bits(scalar.Half.Flush(f32frombits(x)))
		}
	}
}

// finish is the loops that round results to the format of t and flush them
// where the options ask for it, in place.
func (c *compiler) finish(t ir.Type, uniform bool) (loops []lanes.Unary) {
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
func (c *compiler) single(in *ir.Instr) {
	if code, ok := scalarCodesF[in.Op]; ok && c.p.exact == nil && c.uniform(in.Dst[0]) {
		c.scalar(code, in.Dst[0], in.Args...)
		return
	}
	d := &deferred{reg: in.Dst[0]}
	switch in.Op {
	case ir.Mul:
		c.multiply(d, in)
	case ir.Add:
		if !(c.does(passAffine) && c.scaledSum(d, in)) && !c.sum(d, in) {
			c.plain(d, in)
		}
	case ir.FMA:
		c.fuse(d, in)
	default:
		c.plain(d, in)
	}
	r := in.Dst[0]
	if c.defers(r) && c.u.Reads(r) == 1 {
		c.put(d, in.Args...)
		return
	}
	c.assign(r, d.in)
}

func (c *compiler) plain(d *deferred, in *ir.Instr) {
	args := make([]operand, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.within(d, r)
	}
	d.in = c.plainFloat(in, args)
}

// within is operand for an argument of a value that may wait itself.
func (c *compiler) within(d *deferred, r ir.Reg) operand {
	if w := c.peekDeferred(r); w != nil {
		d.inherit(w)
	}
	return c.operand(r)
}

func (c *compiler) multiply(d *deferred, in *ir.Instr) {
	if c.products(d, in) {
		return
	}
	x, y, u := c.within(d, in.Args[0]), c.within(d, in.Args[1]), c.uniform(in.Dst[0])
	if c.does(passFusedProducts) {
		d.product = &product{x, y}
	}
	d.in = c.zipped(&c.loops(u).MulF, x, y, u)
}

// productIn finds the operand of an instruction that is a product which is not computed yet, b, and the other one; w is
// nil if there is none.
func (c *compiler) productIn(in *ir.Instr) (a, b ir.Reg, w *deferred) {
	a, b = in.Args[0], in.Args[1]
	for range 2 {
		if w = c.peekDeferred(b); w != nil && w.product != nil {
			return a, b, w
		}
		a, b = b, a
	}
	return a, b, nil
}

// products swallows a product that one factor is, if any, and if one loop does both multiplications.
func (c *compiler) products(d *deferred, in *ir.Instr) bool {
	a, b, w := c.productIn(in)
	if w == nil {
		return false
	}
	if c.uniform(a) && !w.product.x.uniform() && !w.product.y.uniform() {
		return false
	}
	d.inherit(w)
	p := c.takeDeferred(b).product
	if !c.uniform(a) {
		d.in = c.tripled(&c.t.MulMul, p.x, p.y, c.within(d, a), false)
		return true
	}
	if p.x.uniform() {
		p.x, p.y = p.y, p.x
	}
	d.in = instr{shape: vectorScalarScalar, field: c.t.MulScalars, a: p.x, b: p.y, e: c.within(d, a)}
	return true
}

// sum swallows a product that one operand is, if any: one loop, in which the
// product is rounded before the addition.
func (c *compiler) sum(d *deferred, in *ir.Instr) bool {
	a, b, w := c.productIn(in)
	if w == nil {
		return false
	}
	d.inherit(w)
	p := c.takeDeferred(b).product
	d.in = c.tripled(&c.t.MulAdd, p.x, p.y, c.within(d, a), false)
	return true
}
