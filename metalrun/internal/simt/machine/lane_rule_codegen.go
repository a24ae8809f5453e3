package machine

import "metalconform/metalrun/internal/ir"

// meeting notes that a lane gets an unspecified value from another, nil if that is not
// watched.
func (c *Compiler) meeting(in *ir.Instr) func(m *Machine, l int, why string) {
	site, ok := c.watched(in, otherLane)
	if !ok {
		return nil
	}
	return func(m *Machine, l int, why string) { m.hit(site, "read", why, l) }
}
