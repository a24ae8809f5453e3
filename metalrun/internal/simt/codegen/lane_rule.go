package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// meeting notes that a lane gets an unspecified value from another, nil if that is not
// watched.
func (c *Compiler) meeting(in *ir.Instr) func(m *machine.Machine, l int, why string) {
	site, ok := c.reportsHit(in, machine.OtherLane)
	if !ok {
		return nil
	}
	return func(m *machine.Machine, l int, why string) { m.Hit(site, "read", why, l) }
}
