package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// vec gives the lanes of a 32-bit operand: all of the threadgroup's, or one
// where the result is uniform.
type vec func(m *machine) []uint32

// vec64 is vec for 64-bit operands.
type vec64 func(m *machine) []uint64

// asF views lanes as floats.
func asF(u []uint32) []float32 { return lanes.Float32s(u) }

// operand is where an instruction finds a 32-bit argument: a slot, a uniform
// register, or lanes that are made when they are read.
type operand struct {
	uniform bool
	at      int
	made    vec
}

// operand counts as one read of r.
func (c *compiler) operand(r ir.Reg) operand {
	if d := c.takeDeferred(r); d != nil {
		return operand{made: d.operand(c)}
	}
	at := c.read(r)
	return operand{uniform: !at.varying, at: at.index}
}

// lanes gives the lanes of an operand that is not uniform.
func (o *operand) lanes(m *machine) []uint32 {
	if o.made != nil {
		return o.made(m)
	}
	return m.lanes(o.at)
}

// one gives the single value of a uniform operand.
func (o *operand) one(m *machine) []uint32 { return m.uni32[o.at : o.at+1 : o.at+1] }

// vec makes a vector of an operand for a result that is uniform or not.
func (o operand) vec(c *compiler, uniform bool) vec {
	switch {
	case !o.uniform:
		return o.lanes
	case uniform:
		return o.one
	}
	s := c.scratch()
	return func(m *machine) []uint32 {
		d := m.lanes(s)
		c.t.Fill(d, m.uni32[o.at])
		return d
	}
}

// arg makes a 32-bit operand for a result that is uniform or not. It counts as
// one read.
func (c *compiler) arg(r ir.Reg, uniform bool) vec { return c.operand(r).vec(c, uniform) }

// operand64 is operand for 64-bit arguments, which are never made.
type operand64 struct {
	uniform bool
	at      int
}

func (c *compiler) operand64(r ir.Reg) operand64 {
	at := c.read(r)
	return operand64{uniform: !at.varying, at: at.index}
}

// arg64 is arg for 64-bit operands.
func (c *compiler) arg64(r ir.Reg, uniform bool) vec64 {
	o := c.operand64(r)
	switch {
	case !o.uniform:
		return func(m *machine) []uint64 { return m.wide(o.at) }
	case uniform:
		return func(m *machine) []uint64 { return m.uni64[o.at : o.at+1 : o.at+1] }
	}
	s := c.scratch64()
	return func(m *machine) []uint64 {
		d := m.wide(s)
		c.t.FillQ(d, m.uni64[o.at])
		return d
	}
}

// zipped applies a loop to two operands, of which at least one must be varying
// if d has more than one lane.
func zipped(loop *lanes.Binary, a, b operand) func(m *machine, d []uint32) {
	switch {
	case a.uniform && b.uniform:
		return func(m *machine, d []uint32) {
			loop.VV(d[:1], a.one(m), b.one(m))
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	case a.uniform:
		return func(m *machine, d []uint32) { loop.SV(d, m.uni32[a.at], b.lanes(m)) }
	case b.uniform:
		return func(m *machine, d []uint32) { loop.VS(d, a.lanes(m), m.uni32[b.at]) }
	case a.made == nil && b.made == nil:
		return func(m *machine, d []uint32) { loop.VV(d, m.lanes(a.at), m.lanes(b.at)) }
	}
	return func(m *machine, d []uint32) { loop.VV(d, a.lanes(m), b.lanes(m)) }
}

// mapped applies a loop to one operand.
func mapped(loop lanes.Unary, a operand) func(m *machine, d []uint32) {
	if a.uniform {
		return func(m *machine, d []uint32) {
			loop(d[:1], a.one(m))
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	}
	return func(m *machine, d []uint32) { loop(d, a.lanes(m)) }
}

// zipped64 is zipped for 64-bit operands.
func zipped64(loop *lanes.BinaryQ, a, b operand64) func(m *machine, d []uint64) {
	switch {
	case a.uniform && b.uniform:
		return func(m *machine, d []uint64) {
			loop.VV(d[:1], m.uni64[a.at:a.at+1], m.uni64[b.at:b.at+1])
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	case a.uniform:
		return func(m *machine, d []uint64) { loop.SV(d, m.uni64[a.at], m.wide(b.at)) }
	case b.uniform:
		return func(m *machine, d []uint64) { loop.VS(d, m.wide(a.at), m.uni64[b.at]) }
	}
	return func(m *machine, d []uint64) { loop.VV(d, m.wide(a.at), m.wide(b.at)) }
}

// ternary applies a loop of a·b + e to three operands of a result that is
// uniform or not.
func (c *compiler) ternary(loop *lanes.Ternary, a, b, e operand, uniform bool) func(m *machine, d []uint32) {
	if a.uniform {
		a, b = b, a
	}
	if b.uniform && !a.uniform {
		z := e.vec(c, false)
		return func(m *machine, d []uint32) { loop.VSV(d, a.lanes(m), m.uni32[b.at], z(m)) }
	}
	x, y, z := a.vec(c, uniform), b.vec(c, uniform), e.vec(c, uniform)
	return func(m *machine, d []uint32) { loop.VVV(d, x(m), y(m), z(m)) }
}

// scratch is a slot for the instruction under construction.
func (c *compiler) scratch() int {
	s := c.newSlot(false)
	c.release(place{index: s})
	return s
}

// scratch64 is scratch for 64-bit lanes.
func (c *compiler) scratch64() int {
	s := c.newSlot(true)
	c.release(place{wide: true, index: s})
	return s
}

// uniform reports whether register r lives as one value.
func (c *compiler) uniform(r ir.Reg) bool { return !c.p.places[r].varying }

// loops is the table for a result that is uniform or not: one value is done
// soonest in Go.
func (c *compiler) loops(uniform bool) *lanes.Table {
	if uniform {
		return lanes.Portable
	}
	return c.t
}

func (c *compiler) emit(o op) { c.code = append(c.code, o) }

// into emits code that computes a 32-bit register. compute writes every lane
// of d from the same lanes of its operands; d may be an operand.
func (c *compiler) into(r ir.Reg, compute func(m *machine, d []uint32)) {
	c.protect(r)
	at := c.define(r)
	i := at.index
	switch {
	case !at.varying:
		c.emit(func(m *machine) { compute(m, m.uni32[i:i+1:i+1]) })
	case c.p.kernel.Regs[r].Kind == ir.Temp:
		c.emit(func(m *machine) { compute(m, m.lanes(i)) })
	default:
		c.emit(func(m *machine) {
			if m.full {
				compute(m, m.lanes(i))
				return
			}
			compute(m, m.scratch)
			c.t.CopyMasked(m.lanes(i), m.mask, m.scratch)
		})
	}
}

// into64 is into for 64-bit registers.
func (c *compiler) into64(r ir.Reg, compute func(m *machine, d []uint64)) {
	c.protect(r)
	at := c.define(r)
	i := at.index
	switch {
	case !at.varying:
		c.emit(func(m *machine) { compute(m, m.uni64[i:i+1:i+1]) })
	case c.p.kernel.Regs[r].Kind == ir.Temp:
		c.emit(func(m *machine) { compute(m, m.wide(i)) })
	default:
		c.emit(func(m *machine) {
			if m.full {
				compute(m, m.wide(i))
				return
			}
			compute(m, m.scratch8)
			c.t.CopyMaskedQ(m.wide(i), m.mask, m.scratch8)
		})
	}
}

// define gives the place that an instruction writes, with a slot assigned.
func (c *compiler) define(r ir.Reg) place {
	at := &c.p.places[r]
	if at.varying && at.index < 0 {
		at.index = c.newSlot(at.wide)
		if c.left[r] == 0 { // never read
			c.release(*at)
		}
	}
	return *at
}
