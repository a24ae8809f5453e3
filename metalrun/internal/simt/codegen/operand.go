package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// operand counts as one read of r.
func (c *Compiler) operand(r ir.Reg) machine.Operand {
	if d := c.takePending(r); d != nil {
		if d.View != nil {
			return *d.View
		}
		slot := machine.Operand{At: c.Define(r).Index}
		c.emit(d.In.Into(slot))
		return slot
	}
	at := c.read(r)
	if at.Varying {
		return machine.Operand{At: at.Index}
	}
	return machine.Operand{Kind: machine.IsUniform, At: at.Index}
}

// spread gives the lanes of an operand, whatever it is.
func (c *Compiler) spread(o machine.Operand) machine.Operand {
	if !o.Uniform() {
		return o
	}
	s := machine.Operand{At: c.scratch()}
	c.emit(machine.Instr{Shape: machine.ScalarFill, Fill: c.t.Fill, D: s, A: o})
	return s
}

// vec makes a vector of an operand for a result that is uniform or not.
func vec(o machine.Operand, c *Compiler, uniform bool) machine.Vec {
	if !uniform {
		o = c.spread(o)
	}
	return func(m *machine.Machine) []uint32 { return m.Operand(&o) }
}

// arg makes a 32-bit operand for a result that is uniform or not. It counts as
// one read.
func (c *Compiler) arg(r ir.Reg, uniform bool) machine.Vec { return vec(c.operand(r), c, uniform) }

// operand64 gives an operand of an instruction that has a value for each lane.
func (c *Compiler) operand64(r ir.Reg) machine.Operand64 {
	o := c.grouped64(r)
	if o.Grouped {
		o.Row = c.scratch64()
	}
	return o
}

// arg64 is arg for 64-bit operands.
func (c *Compiler) arg64(r ir.Reg, uniform bool) machine.Vec64 {
	return c.vec64(c.operand64(r), uniform)
}

// vec64 makes a vector of an operand for a result that is uniform or not.
func (c *Compiler) vec64(o machine.Operand64, uniform bool) machine.Vec64 {
	switch {
	case !o.Uniform:
		return o.Lanes
	case uniform:
		return func(m *machine.Machine) []uint64 { return m.Uni64[o.At : o.At+1 : o.At+1] }
	}
	s := c.scratch64()
	return func(m *machine.Machine) []uint64 {
		d := m.Wide(s)
		c.t.FillQ(d, m.Uni64[o.At])
		return d
	}
}

// scratch is a slot for the instruction under construction.
func (c *Compiler) scratch() int {
	s := c.newSlot(false)
	c.release(machine.Slot{Index: s})
	return s
}

// scratch64 is scratch for 64-bit lanes.
func (c *Compiler) scratch64() int {
	s := c.newSlot(true)
	c.release(machine.Slot{Wide: true, Index: s})
	return s
}

// Uniform reports whether register r lives as one value.
func (c *Compiler) Uniform(r ir.Reg) bool { return !c.P.Slots[r].Varying }

// loops is the table for a result that is uniform or not: one value is done
// soonest in Go.
func (c *Compiler) loops(uniform bool) *lanes.Table {
	if uniform {
		return lanes.Portable
	}
	return c.t
}

// Define gives the slot that an instruction writes, with an index assigned.
func (c *Compiler) Define(r ir.Reg) machine.Slot {
	at := &c.P.Slots[r]
	if at.Varying && at.Index < 0 {
		at.Index = c.newSlot(at.Wide)
		if c.Left[r] == 0 { // never read
			c.release(*at)
		}
	}
	return *at
}
