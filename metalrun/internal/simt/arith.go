package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/scalar"
)

// instr compiles one instruction.
func (c *compiler) instr(in *ir.Instr) {
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
	case ir.Math:
		c.math(in)
	case ir.Simd:
		c.simd(in)
	case ir.MatMul:
		c.matmul(in)
	case ir.Barrier:
		c.barrier(in)
	case ir.Fence:
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
	if c.p.places[d].wide {
		a := c.arg64(in.Args[0], c.uniform(d))
		c.into64(d, func(m *machine, d []uint64) { copy(d, a(m)) })
		return
	}
	if w := c.takeWhole(in.Args[0]); w != nil {
		c.into(d, w.compute)
		return
	}
	a := c.arg(in.Args[0], c.uniform(d))
	c.into(d, func(m *machine, d []uint32) { copy(d, a(m)) })
}

// takeWhole takes a waiting value that can be computed straight into its reader's destination, or gives nil.
func (c *compiler) takeWhole(r ir.Reg) *deferred {
	if d := c.peekDeferred(r); d == nil || d.row != nil {
		return nil
	}
	return c.takeDeferred(r)
}

func (c *compiler) poison(in *ir.Instr) {
	for _, r := range in.Dst {
		if c.p.places[r].wide {
			v := uint64(poison)<<32 | uint64(poison)
			if c.typ(r) == ir.Ptr {
				v = 0
			}
			c.into64(r, func(m *machine, d []uint64) {
				for i := range d {
					d[i] = v
				}
			})
			continue
		}
		v := poison
		if c.typ(r) == ir.Bool {
			v = ^uint32(0)
		}
		c.into(r, func(m *machine, d []uint32) { fill(d, v) })
	}
}

// floating compiles floating arithmetic. F16 and BF16 values are exact in f32:
// one f32 operation and a second rounding give the correctly rounded result,
// since 24 ≥ 2·11+2 significand bits; only FMA needs care of its own.
func (c *compiler) floating(in *ir.Instr, t ir.Type) {
	if t == ir.F32 && !c.p.options.FlushSubnormals {
		c.single(in)
		return
	}
	d := in.Dst[0]
	args := make([]vec, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.flushed(c.arg(r, c.uniform(d)), t, c.uniform(d))
	}
	compute := plainFloat(in, args, t)
	finish := c.finish(t)
	c.into(d, func(m *machine, d []uint32) {
		compute(m, asF(d))
		finish(asF(d))
	})
}

// plainFloat is one operation in f32, before the rounding to a narrower format.
func plainFloat(in *ir.Instr, a []vec, t ir.Type) func(m *machine, d []float32) {
	switch in.Op {
	case ir.Add:
		return func(m *machine, d []float32) { lanes.AddVV(d, asF(a[0](m)), asF(a[1](m))) }
	case ir.Sub:
		return func(m *machine, d []float32) { lanes.SubVV(d, asF(a[0](m)), asF(a[1](m))) }
	case ir.Mul:
		return func(m *machine, d []float32) { lanes.MulVV(d, asF(a[0](m)), asF(a[1](m))) }
	case ir.Div:
		return func(m *machine, d []float32) { lanes.DivVV(d, asF(a[0](m)), asF(a[1](m))) }
	case ir.Neg:
		return func(m *machine, d []float32) { lanes.NegV(d, asF(a[0](m))) }
	case ir.FMA:
		if t == ir.F32 {
			return func(m *machine, d []float32) { lanes.FMAVVV(d, asF(a[0](m)), asF(a[1](m)), asF(a[2](m))) }
		}
		fma := formatOf(t).Ternary("fma")
		return func(m *machine, d []float32) {
			x, y, z := asF(a[0](m)), asF(a[1](m)), asF(a[2](m))
			for i := range d {
				d[i] = fma(x[i], y[i], z[i])
			}
		}
	}
	panic(unknown(in))
}

// flushed wraps an operand so that subnormals read as zero, where the options ask for it.
func (c *compiler) flushed(a vec, t ir.Type, uniform bool) vec {
	if !c.p.options.FlushSubnormals || t == ir.F16 {
		return a
	}
	if uniform {
		return func(m *machine) []uint32 {
			return []uint32{math.Float32bits(scalar.FlushF32(math.Float32frombits(a(m)[0])))}
		}
	}
	s := c.scratch()
	return func(m *machine) []uint32 {
		d, x := asF(m.lanes(s)), asF(a(m))
		for i := range d {
			d[i] = scalar.FlushF32(x[i])
		}
		return m.lanes(s)
	}
}

// finish rounds results to the format of t and flushes them where the options ask for it.
func (c *compiler) finish(t ir.Type) func(d []float32) {
	round := func(x float32) float32 { return x }
	switch t {
	case ir.F16:
		round = scalar.RoundHalf
	case ir.BF16:
		round = scalar.RoundBfloat
	}
	if c.p.options.FlushSubnormals && t != ir.F16 {
		inner := round
		round = func(x float32) float32 { return scalar.FlushF32(inner(x)) }
	}
	return func(d []float32) {
		for i, x := range d {
			d[i] = round(x)
		}
	}
}

// single compiles f32 arithmetic, the hot case: it may wait for its reader,
// and a product that a sum reads becomes one loop with it.
func (c *compiler) single(in *ir.Instr) {
	d := &deferred{reg: in.Dst[0]}
	switch in.Op {
	case ir.Mul:
		c.multiply(d, in)
	case ir.Add:
		if !c.sum(d, in) {
			c.plain(d, in)
		}
	default:
		c.plain(d, in)
	}
	r := in.Dst[0]
	if c.defers(r) && c.u.uses[r] == 1 {
		c.put(d, in.Args...)
		return
	}
	c.into(r, d.compute)
}

func (c *compiler) plain(d *deferred, in *ir.Instr) {
	args := make([]vec, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.within(d, r, in)
	}
	compute := plainFloat(in, args, ir.F32)
	d.compute = func(m *machine, d []uint32) { compute(m, asF(d)) }
}

// within is arg for an operand of a value that may wait itself.
func (c *compiler) within(d *deferred, r ir.Reg, in *ir.Instr) vec {
	if w := c.peekDeferred(r); w != nil {
		d.inherit(w)
	}
	return c.arg(r, c.uniform(in.Dst[0]))
}

func (c *compiler) multiply(d *deferred, in *ir.Instr) {
	p := &product{}
	x, y := in.Args[0], in.Args[1]
	if c.uniform(x) && !c.uniform(y) {
		x, y = y, x
	}
	p.x = c.within(d, x, in)
	d.product = p
	if c.uniform(y) {
		p.scalar = c.read(y).index
		d.compute = func(m *machine, d []uint32) {
			lanes.MulVS(asF(d), asF(p.x(m)), math.Float32frombits(m.uni32[p.scalar]))
		}
		return
	}
	p.y = c.within(d, y, in)
	d.compute = func(m *machine, d []uint32) { lanes.MulVV(asF(d), asF(p.x(m)), asF(p.y(m))) }
}

// sum swallows a product that one operand is, if any: one loop, in which the
// product is rounded before the addition.
func (c *compiler) sum(d *deferred, in *ir.Instr) bool {
	a, b := in.Args[0], in.Args[1]
	w := c.peekDeferred(b)
	if w == nil || w.product == nil {
		a, b = b, a
		if w = c.peekDeferred(b); w == nil || w.product == nil {
			return false
		}
	}
	d.inherit(w)
	p := c.takeDeferred(b).product
	acc := c.within(d, a, in)
	if p.y == nil {
		d.compute = func(m *machine, d []uint32) {
			lanes.MulAddVSV(asF(d), asF(p.x(m)), math.Float32frombits(m.uni32[p.scalar]), asF(acc(m)))
		}
	} else {
		d.compute = func(m *machine, d []uint32) { lanes.MulAddVVV(asF(d), asF(p.x(m)), asF(p.y(m)), asF(acc(m))) }
	}
	return true
}
