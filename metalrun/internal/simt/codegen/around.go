package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Flush emits all pending expressions.
func (c *Compiler) Flush() { c.flush(func(*machine.Pending) bool { return true }) }

// Around compiles an instruction, and has an extension decide when what it is compiled to is executed. run is called
// with the slots of some registers once they are known.
func (c *Compiler) Around(in *ir.Instr, run func(slots []machine.Slot) func(m *machine.Machine,
	inside machine.Straight), dst []ir.Reg) {
	begin := len(c.code)
	c.Value(in)
	c.Flush()
	inside := slices.Clone(c.code[begin:])
	c.code = c.code[:begin]
	var slots []machine.Slot
	for _, r := range dst {
		slots = append(slots, c.P.Slots[r])
	}
	around := run(slots)
	c.Do(func(m *machine.Machine) { around(m, inside) })
}
