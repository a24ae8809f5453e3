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

// arg makes a 32-bit operand for a result that is uniform or not. It counts as
// one read.
func (c *compiler) arg(r ir.Reg, uniform bool) vec {
	if d := c.takeDeferred(r); d != nil {
		return d.operand(c)
	}
	at := c.read(r)
	i := at.index
	switch {
	case at.varying:
		return func(m *machine) []uint32 { return m.lanes(i) }
	case uniform:
		return func(m *machine) []uint32 { return m.uni32[i : i+1 : i+1] }
	}
	s := c.scratch()
	return func(m *machine) []uint32 {
		d := m.lanes(s)
		fill(d, m.uni32[i])
		return d
	}
}

// arg64 is arg for 64-bit operands.
func (c *compiler) arg64(r ir.Reg, uniform bool) vec64 {
	at := c.read(r)
	i := at.index
	switch {
	case at.varying:
		return func(m *machine) []uint64 { return m.wide(i) }
	case uniform:
		return func(m *machine) []uint64 { return m.uni64[i : i+1 : i+1] }
	}
	s := c.newSlot(true)
	c.release(place{wide: true, index: s})
	return func(m *machine) []uint64 {
		d := m.wide(s)
		v := m.uni64[i]
		for l := range d {
			d[l] = v
		}
		return d
	}
}

// scratch is a slot for the instruction under construction.
func (c *compiler) scratch() int {
	s := c.newSlot(false)
	c.release(place{index: s})
	return s
}

// uniform reports whether register r lives as one value.
func (c *compiler) uniform(r ir.Reg) bool { return !c.p.places[r].varying }

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
			lanes.CopyMasked(m.lanes(i), m.mask, m.scratch)
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
			lanes.CopyMasked64(m.wide(i), m.mask, m.scratch8)
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
