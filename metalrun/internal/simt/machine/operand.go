package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// vec gives the lanes of a 32-bit operand: all of the threadgroup's, or one
// where the result is uniform.
type vec func(m *Machine) []uint32

// vec64 is vec for 64-bit operands.
type vec64 func(m *Machine) []uint64

// asF views lanes as floats.
func AsF(u []uint32) []float32 { return lanes.Float32s(u) }

// operand is where an instruction finds a 32-bit argument or leaves its result.
type Operand struct {
	kind operandKind
	At   int  // slot, or uniform register
	Row  *row // private array element
	run  *run // run of memory
}

type operandKind uint8

const (
	inSlot operandKind = iota
	inRow
	inMemory
	isUniform
)

// operand gives an operand's lanes; those of a uniform operand are one.
func (m *Machine) Operand(o *Operand) []uint32 {
	if o.kind != inSlot {
		return m.elsewhere(o)
	}
	return m.slots[o.At]
}

func (m *Machine) elsewhere(o *Operand) []uint32 {
	switch o.kind {
	case isUniform:
		return m.Uni32[o.At : o.At+1 : o.At+1]
	case inMemory:
		return o.run.lanes(m)
	}
	return o.Row.lanes(m)
}

func (o Operand) uniform() bool { return o.kind == isUniform }

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

// operand64 is operand for 64-bit arguments.
type operand64 struct {
	uniform bool
	grouped bool // a value for each simdgroup
	at      int
	row     int // slot to spread those in, if the result has one for each lane
}

// operand64 gives an operand of an instruction that has a value for each lane.
func (c *Compiler) operand64(r ir.Reg) operand64 {
	o := c.grouped64(r)
	if o.grouped {
		o.row = c.scratch64()
	}
	return o
}

// lanes are those of a varying operand, or the values of the simdgroups where the result is such.
func (o operand64) lanes(m *Machine) []uint64 {
	if !o.grouped {
		return m.Wide(o.at)
	}
	if o.row < 0 {
		return m.grouped(o.at)
	}
	d := m.Wide(o.row)
	m.spread64(d, m.grouped(o.at))
	return d
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

// zipped64 applies a loop to two 64-bit operands.
func zipped64(loop *lanes.BinaryQ, a, b operand64) func(m *Machine, d []uint64) {
	switch {
	case a.uniform && b.uniform:
		return func(m *Machine, d []uint64) {
			loop.VV(d[:1], m.Uni64[a.at:a.at+1], m.Uni64[b.at:b.at+1])
			for l := 1; l < len(d); l++ {
				d[l] = d[0]
			}
		}
	case a.uniform:
		return func(m *Machine, d []uint64) { loop.SV(d, m.Uni64[a.at], b.lanes(m)) }
	case b.uniform:
		return func(m *Machine, d []uint64) { loop.VS(d, a.lanes(m), m.Uni64[b.at]) }
	}
	return func(m *Machine, d []uint64) { loop.VV(d, a.lanes(m), b.lanes(m)) }
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
