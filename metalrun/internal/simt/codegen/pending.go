package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// put makes the value of a temporary pending. The slots that its operands release stay taken until it is emitted.
func (c *Compiler) put(d *machine.Pending, args ...ir.Reg) {
	for _, r := range args {
		if r != ir.None {
			d.Reads = append(d.Reads, r)
		}
	}
	d.Frees = append(d.Frees, c.Released...)
	c.Released = c.Released[:0]
	if c.pending = append(c.pending, d); len(c.pending) == machine.MaxPending {
		c.flush(func(*machine.Pending) bool { return true })
	}
}

// takePending removes the value of r from the pending ones, or gives nil. The caller takes over its reads, and has to
// emit it or make it pending again.
func (c *Compiler) takePending(r ir.Reg) *machine.Pending {
	for i, d := range c.pending {
		if d.Reg != r {
			continue
		}
		if c.Left[r]--; c.Left[r] > 0 { // a row in place with more readers
			return d
		}
		c.pending = slices.Delete(c.pending, i, i+1)
		if len(d.Frees) > 0 { // a pending reader of it would read slots that other values may now take
			c.flush(func(w *machine.Pending) bool { return slices.Contains(w.Reads, r) })
		}
		c.Released = append(c.Released, d.Frees...)
		d.Frees = nil
		return d
	}
	return nil
}

// peekPending gives the pending value of r without removing it, or nil.
func (c *Compiler) peekPending(r ir.Reg) *machine.Pending {
	for _, d := range c.pending {
		if d.Reg == r {
			return d
		}
	}
	return nil
}

// flush emits the pending values that match, in order, into their own slots.
func (c *Compiler) flush(match func(*machine.Pending) bool) {
	kept := c.pending[:0]
	for _, d := range c.pending {
		if !match(d) {
			kept = append(kept, d)
			continue
		}
		if d.View != nil {
			d.In = c.copied(*d.View, false)
		}
		c.emit(d.In.Into(machine.Operand{At: c.Define(d.Reg).Index}))
		c.Released = append(c.Released, d.Frees...)
	}
	clear(c.pending[len(kept):])
	c.pending = kept
}

// protect emits the pending values that read the variable r, which is about to change.
func (c *Compiler) protect(r ir.Reg) {
	if c.P.Kernel.Regs[r].Kind == ir.Variable && len(c.pending) > 0 {
		c.flush(func(d *machine.Pending) bool { return slices.Contains(d.Reads, r) })
	}
}

// protectPrivate emits the pending values that read private memory, which is about to change.
func (c *Compiler) protectPrivate() {
	if len(c.pending) > 0 {
		c.flush(func(d *machine.Pending) bool { return d.Private })
	}
}

// protectMemory emits the pending values that read shared memory, which is about to change.
func (c *Compiler) protectMemory() {
	if len(c.pending) > 0 {
		c.flush(func(d *machine.Pending) bool { return d.Memory })
	}
}

// defers reports whether the value of r may be pending: a lane value with one reader in the same list. With balls, no
// value may, because each instruction computes its value and its balls together.
func (c *Compiler) defers(r ir.Reg) bool {
	return c.Does(machine.PassPending) && !c.P.Stepwise && c.Reusable(r) && c.P.Slots[r].Varying && c.U.Reads(r) > 0
}

// alias makes d, a temporary, a pending view of the lanes of a, if d may be pending. It reports whether d is.
func (c *Compiler) alias(d, a ir.Reg) bool {
	if !c.defers(d) || c.Uniform(a) || c.peekPending(a) != nil {
		return false
	}
	c.put(&machine.Pending{Reg: d, View: &machine.Operand{At: c.read(a).Index}}, a)
	return true
}
