package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Quantised values are looked up in tables of constants, by some bits of a number: one loop, which has nothing to
// check where the table has a word for whatever the bits are.

// lookup compiles such a load, if the bits are what the last instruction has left for it alone, and reports whether it
// is one.
func (c *Compiler) lookup(in *ir.Instr) bool {
	words, mask, ok := c.tableOf(in)
	if !ok || !c.Does(machine.PassLookup) {
		return false
	}
	index, d := in.Mem.Index, in.Dst[0]
	bits, ok := c.emitted(index)
	// they come in between
	changes := slices.ContainsFunc(c.pending, func(w *machine.Pending) bool { return slices.Contains(w.Reads, d) })
	if !ok || changes || bits.Shape != machine.VectorScalar || bits.Binary != &c.t.And {
		return false
	}
	c.code = c.code[:len(c.code)-1]
	c.Consumed(index)
	object := analysis.KnownObject(c.P.Kernel, in.Mem.Base, in.Mem.Space)
	c.compute(d, func(m *machine.Machine, d []uint32) {
		c.t.Lookup(d, m.Operand(&bits.A), m.Objects[object].Words[words:], mask)
	})
	return true
}

// tableOf tells whether a load is of a word of constants by a masked number: from which word on, and the mask.
func (c *Compiler) tableOf(in *ir.Instr) (first int64, mask uint32, ok bool) {
	m := in.Mem
	if m.Space != syntax.Constant || m.Index == ir.None || m.Scale != 4 || m.Disp < 0 || m.Disp%4 != 0 || m.Volatile ||
		len(in.Dst) != 1 ||
		in.From != ir.R32 && in.From != ir.U32 && in.From != ir.S32 || c.P.Kernel.Regs[m.Base].Kind != ir.Address ||
		c.P.Slots[m.Index].Wide {
		return 0, 0, false
	}
	and := c.U.Setter(m.Index)
	if and == nil || and.Op != ir.And {
		return 0, 0, false
	}
	bits, size := c.P.Kernel.Regs[and.Args[1]], int64(c.P.Kernel.Objects[c.P.Kernel.Regs[m.Base].Index].Size)
	mask = uint32(bits.Bits)
	if bits.Kind != ir.Literal || int32(mask) < 0 || m.Disp+4*int64(mask)+4 > size {
		return 0, 0, false
	}
	return m.Disp / 4, mask, true
}
