package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// operand counts as one read of r.
func (c *Compiler) operand(r ir.Reg) Operand {
	if d := c.takeDeferred(r); d != nil {
		if d.view != nil {
			return *d.view
		}
		slot := Operand{At: c.Define(r).Index}
		c.emit(d.in.into(slot))
		return slot
	}
	at := c.read(r)
	if at.Varying {
		return Operand{At: at.Index}
	}
	return Operand{kind: isUniform, At: at.Index}
}

// spread gives the lanes of an operand, whatever it is.
func (c *Compiler) spread(o Operand) Operand {
	if !o.uniform() {
		return o
	}
	s := Operand{At: c.scratch()}
	c.emit(Instr{Shape: scalarFill, fill: c.t.Fill, d: s, a: o})
	return s
}

// vec makes a vector of an operand for a result that is uniform or not.
func (o Operand) vec(c *Compiler, uniform bool) vec {
	if !uniform {
		o = c.spread(o)
	}
	return func(m *Machine) []uint32 { return m.Operand(&o) }
}

// arg makes a 32-bit operand for a result that is uniform or not. It counts as
// one read.
func (c *Compiler) arg(r ir.Reg, uniform bool) vec { return c.operand(r).vec(c, uniform) }

// operand64 gives an operand of an instruction that has a value for each lane.
func (c *Compiler) operand64(r ir.Reg) operand64 {
	o := c.grouped64(r)
	if o.grouped {
		o.row = c.scratch64()
	}
	return o
}

// arg64 is arg for 64-bit operands.
func (c *Compiler) arg64(r ir.Reg, uniform bool) vec64 { return c.vec64(c.operand64(r), uniform) }

// vec64 makes a vector of an operand for a result that is uniform or not.
func (c *Compiler) vec64(o operand64, uniform bool) vec64 {
	switch {
	case !o.uniform:
		return o.lanes
	case uniform:
		return func(m *Machine) []uint64 { return m.Uni64[o.at : o.at+1 : o.at+1] }
	}
	s := c.scratch64()
	return func(m *Machine) []uint64 {
		d := m.Wide(s)
		c.t.FillQ(d, m.Uni64[o.at])
		return d
	}
}

// scratch is a slot for the instruction under construction.
func (c *Compiler) scratch() int {
	s := c.newSlot(false)
	c.release(Slot{Index: s})
	return s
}

// scratch64 is scratch for 64-bit lanes.
func (c *Compiler) scratch64() int {
	s := c.newSlot(true)
	c.release(Slot{Wide: true, Index: s})
	return s
}

// uniform reports whether register r lives as one value.
func (c *Compiler) Uniform(r ir.Reg) bool { return !c.P.Slots[r].Varying }

// loops is the table for a result that is uniform or not: one value is done
// soonest in Go.
func (c *Compiler) loops(uniform bool) *lanes.Table {
	if uniform {
		return lanes.Portable
	}
	return c.t
}

// define gives the slot that an instruction writes, with an index assigned.
func (c *Compiler) Define(r ir.Reg) Slot {
	at := &c.P.Slots[r]
	if at.Varying && at.Index < 0 {
		at.Index = c.newSlot(at.Wide)
		if c.Left[r] == 0 { // never read
			c.release(*at)
		}
	}
	return *at
}
