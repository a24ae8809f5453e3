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

// operand is where an instruction finds a 32-bit argument or leaves its result.
type operand struct {
	kind operandKind
	at   int  // slot, or uniform register
	row  *row // private array element
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
func (m *machine) operand(o *operand) []uint32 {
	if o.kind != inSlot {
		return m.elsewhere(o)
	}
	return m.slots[o.at]
}

func (m *machine) elsewhere(o *operand) []uint32 {
	switch o.kind {
	case isUniform:
		return m.uni32[o.at : o.at+1 : o.at+1]
	case inMemory:
		return o.run.lanes(m)
	}
	return o.row.lanes(m)
}

func (o operand) uniform() bool { return o.kind == isUniform }

// operand counts as one read of r.
func (c *compiler) operand(r ir.Reg) operand {
	if d := c.takeDeferred(r); d != nil {
		if d.view != nil {
			return *d.view
		}
		slot := operand{at: c.define(r).index}
		c.emit(d.in.into(slot))
		return slot
	}
	at := c.read(r)
	if at.varying {
		return operand{at: at.index}
	}
	return operand{kind: isUniform, at: at.index}
}

// spread gives the lanes of an operand, whatever it is.
func (c *compiler) spread(o operand) operand {
	if !o.uniform() {
		return o
	}
	s := operand{at: c.scratch()}
	c.emit(instr{shape: scalarFill, fill: c.t.Fill, d: s, a: o})
	return s
}

// vec makes a vector of an operand for a result that is uniform or not.
func (o operand) vec(c *compiler, uniform bool) vec {
	if !uniform {
		o = c.spread(o)
	}
	return func(m *machine) []uint32 { return m.operand(&o) }
}

// arg makes a 32-bit operand for a result that is uniform or not. It counts as
// one read.
func (c *compiler) arg(r ir.Reg, uniform bool) vec { return c.operand(r).vec(c, uniform) }

// operand64 is operand for 64-bit arguments.
type operand64 struct {
	uniform bool
	grouped bool // a value for each simdgroup
	at      int
	row     int // slot to spread those in, if the result has one for each lane
}

// operand64 gives an operand of an instruction that has a value for each lane.
func (c *compiler) operand64(r ir.Reg) operand64 {
	o := c.grouped64(r)
	if o.grouped {
		o.row = c.scratch64()
	}
	return o
}

// lanes are those of a varying operand, or the values of the simdgroups where the result is such.
func (o operand64) lanes(m *machine) []uint64 {
	if !o.grouped {
		return m.wide(o.at)
	}
	if o.row < 0 {
		return m.grouped(o.at)
	}
	d := m.wide(o.row)
	m.spread64(d, m.grouped(o.at))
	return d
}

// arg64 is arg for 64-bit operands.
func (c *compiler) arg64(r ir.Reg, uniform bool) vec64 { return c.vec64(c.operand64(r), uniform) }

// vec64 makes a vector of an operand for a result that is uniform or not.
func (c *compiler) vec64(o operand64, uniform bool) vec64 {
	switch {
	case !o.uniform:
		return o.lanes
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

// zipped64 applies a loop to two 64-bit operands.
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
		return func(m *machine, d []uint64) { loop.SV(d, m.uni64[a.at], b.lanes(m)) }
	case b.uniform:
		return func(m *machine, d []uint64) { loop.VS(d, a.lanes(m), m.uni64[b.at]) }
	}
	return func(m *machine, d []uint64) { loop.VV(d, a.lanes(m), b.lanes(m)) }
}

// scratch is a slot for the instruction under construction.
func (c *compiler) scratch() int {
	s := c.newSlot(false)
	c.release(slot{index: s})
	return s
}

// scratch64 is scratch for 64-bit lanes.
func (c *compiler) scratch64() int {
	s := c.newSlot(true)
	c.release(slot{wide: true, index: s})
	return s
}

// uniform reports whether register r lives as one value.
func (c *compiler) uniform(r ir.Reg) bool { return !c.p.slots[r].varying }

// loops is the table for a result that is uniform or not: one value is done
// soonest in Go.
func (c *compiler) loops(uniform bool) *lanes.Table {
	if uniform {
		return lanes.Portable
	}
	return c.t
}

// define gives the slot that an instruction writes, with an index assigned.
func (c *compiler) define(r ir.Reg) slot {
	at := &c.p.slots[r]
	if at.varying && at.index < 0 {
		at.index = c.newSlot(at.wide)
		if c.left[r] == 0 { // never read
			c.release(*at)
		}
	}
	return *at
}
