package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// loadPart compiles a load of a part.
func (c *Compiler) loadPart(a *machine.PrivateAccess, r ir.Reg, extra int64) {
	widen := machine.Widened(c.t, a.In.From)
	c.compute(r, func(m *machine.Machine, d []uint32) {
		row, shift := a.Part(m, extra)
		widen(d, row, shift)
	})
}

// storePart compiles a store of a part; values are those of the lanes.
func (c *Compiler) storePart(a *machine.PrivateAccess, values func(m *machine.Machine) machine.Elements, extra int64) {
	low := uint32(1)<<(8*a.Size) - 1
	encode := machine.Narrowed(c.t, a.In.From)
	c.Do(func(m *machine.Machine) {
		row, shift := a.Part(m, extra)
		v := values(m).Narrow
		if encode != nil {
			encode(m.Scratch, v)
			v = m.Scratch
		}
		v = v[:len(row)]
		for l, on := range m.Mask[:len(row)] {
			at := low << shift & on
			row[l] = row[l]&^at | v[l]<<shift&at
		}
	})
}
