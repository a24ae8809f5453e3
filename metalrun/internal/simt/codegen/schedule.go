package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// together compiles what the threads of a simdgroup do together. In a program whose
// threads run one by one they wait for each other there.
func (c *Compiler) together(in *ir.Instr, compile func(in *ir.Instr)) {
	if !c.P.Options.Single {
		compile(in)
		return
	}
	c.flush(func(*machine.Pending) bool { return true })
	what := &machine.Collective{In: in, Reads: c.varying(in.Args)}
	first := len(c.code)
	compile(in)
	what.Code, what.Writes = slices.Clone(c.code[first:]), c.varying(in.Dst)
	c.code = append(c.code[:first], machine.Instr{Do: func(m *machine.Machine) { m.Join(what) }})
}

// varying is where those registers are that every thread has its own of.
func (c *Compiler) varying(regs []ir.Reg) []machine.Slot {
	var list []machine.Slot
	for _, r := range regs {
		if at := c.P.Slots[r]; at.Varying {
			list = append(list, at)
		}
	}
	return list
}
