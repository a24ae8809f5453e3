package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// together compiles what the threads of a simdgroup do together. In a program whose
// threads run one by one they wait for each other there.
func (c *Compiler) together(in *ir.Instr, compile func(in *ir.Instr)) {
	if !c.P.Options.Single {
		compile(in)
		return
	}
	c.flush(func(*deferred) bool { return true })
	what := &collective{in: in, reads: c.varying(in.Args)}
	first := len(c.code)
	compile(in)
	what.code, what.writes = slices.Clone(c.code[first:]), c.varying(in.Dst)
	c.code = append(c.code[:first], Instr{do: func(m *Machine) { m.join(what) }})
}

// varying is where those registers are that every thread has its own of.
func (c *Compiler) varying(regs []ir.Reg) []Slot {
	var list []Slot
	for _, r := range regs {
		if at := c.P.Slots[r]; at.Varying {
			list = append(list, at)
		}
	}
	return list
}
