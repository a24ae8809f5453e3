package machine

import (
	"metalconform/metalrun/internal/ir"
)

// loadPart compiles a load of a part.
func (c *Compiler) loadPart(a *PrivateAccess, r ir.Reg, extra int64) {
	widen := widened(c.t, a.In.From)
	c.compute(r, func(m *Machine, d []uint32) {
		row, shift := a.part(m, extra)
		widen(d, row, shift)
	})
}

// storePart compiles a store of a part; values are those of the lanes.
func (c *Compiler) storePart(a *PrivateAccess, values func(m *Machine) Elements, extra int64) {
	low := uint32(1)<<(8*a.Size) - 1
	encode := narrowed(c.t, a.In.From)
	c.Do(func(m *Machine) {
		row, shift := a.part(m, extra)
		v := values(m).narrow
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
