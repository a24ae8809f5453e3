package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Quantised values are looked up in tables of constants, by some bits of a number: one loop, which has nothing to
// check where the table has a word for whatever the bits are.

// lookup compiles such a load, if the bits are what the last instruction has left for it alone, and reports whether it
// is one.
func (c *compiler) lookup(in *ir.Instr) bool {
	words, mask, ok := c.tableOf(in)
	if !ok || !c.does(passLookup) {
		return false
	}
	index, d := in.Mem.Index, in.Dst[0]
	bits, ok := c.emitted(index)
	changes := slices.ContainsFunc(c.deferred, func(w *deferred) bool { return slices.Contains(w.reads, d) }) // they come in between
	if !ok || changes || bits.shape != vectorScalar || bits.binary != &c.t.And {
		return false
	}
	c.code = c.code[:len(c.code)-1]
	c.consumed(index)
	object := analysis.KnownObject(c.p.kernel, in.Mem.Base, in.Mem.Space)
	c.compute(d, func(m *machine, d []uint32) {
		c.t.Lookup(d, m.operand(&bits.a), m.objects[object].words[words:], mask)
	})
	return true
}

// tableOf tells whether a load is of a word of constants by a masked number: from which word on, and the mask.
func (c *compiler) tableOf(in *ir.Instr) (first int64, mask uint32, ok bool) {
	m := in.Mem
	if m.Space != syntax.Constant || m.Index == ir.None || m.Scale != 4 || m.Disp < 0 || m.Disp%4 != 0 || m.Volatile || len(in.Dst) != 1 ||
		in.From != ir.R32 && in.From != ir.U32 && in.From != ir.S32 || c.p.kernel.Regs[m.Base].Kind != ir.Address || c.p.slots[m.Index].wide {
		return 0, 0, false
	}
	and := c.u.Setter(m.Index)
	if and == nil || and.Op != ir.And {
		return 0, 0, false
	}
	bits, size := c.p.kernel.Regs[and.Args[1]], int64(c.p.kernel.Objects[c.p.kernel.Regs[m.Base].Index].Size)
	mask = uint32(bits.Bits)
	if bits.Kind != ir.Literal || int32(mask) < 0 || m.Disp+4*int64(mask)+4 > size {
		return 0, 0, false
	}
	return m.Disp / 4, mask, true
}
