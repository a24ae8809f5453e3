package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// put defers the value of a temporary. The slots that building it released
// stay taken until it is emitted.
func (c *Compiler) put(d *machine.Deferred, args ...ir.Reg) {
	for _, r := range args {
		if r != ir.None {
			d.Reads = append(d.Reads, r)
		}
	}
	d.Frees = append(d.Frees, c.Released...)
	c.Released = c.Released[:0]
	if c.deferred = append(c.deferred, d); len(c.deferred) == machine.MaxDeferred {
		c.flush(func(*machine.Deferred) bool { return true })
	}
}

// takeDeferred removes the value of r from the waiting ones, or gives nil. The
// caller takes over its reads and the duty to emit it now or defer it again.
func (c *Compiler) takeDeferred(r ir.Reg) *machine.Deferred {
	for i, d := range c.deferred {
		if d.Reg != r {
			continue
		}
		if c.Left[r]--; c.Left[r] > 0 { // a row with more readers
			return d
		}
		c.deferred = slices.Delete(c.deferred, i, i+1)
		if len(d.Frees) > 0 { // what read it before and waits itself reads slots that others may have now
			c.flush(func(w *machine.Deferred) bool { return slices.Contains(w.Reads, r) })
		}
		c.Released = append(c.Released, d.Frees...)
		d.Frees = nil
		return d
	}
	return nil
}

// peekDeferred gives the waiting value of r without taking it, or nil.
func (c *Compiler) peekDeferred(r ir.Reg) *machine.Deferred {
	for _, d := range c.deferred {
		if d.Reg == r {
			return d
		}
	}
	return nil
}

// flush emits the waiting values that match, in order, into their own slots.
func (c *Compiler) flush(match func(*machine.Deferred) bool) {
	kept := c.deferred[:0]
	for _, d := range c.deferred {
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
	clear(c.deferred[len(kept):])
	c.deferred = kept
}

// protect emits what waits on variable r, which is about to change.
func (c *Compiler) protect(r ir.Reg) {
	if c.P.Kernel.Regs[r].Kind == ir.Variable && len(c.deferred) > 0 {
		c.flush(func(d *machine.Deferred) bool { return slices.Contains(d.Reads, r) })
	}
}

// protectPrivate emits what waits on private memory, which is about to change.
func (c *Compiler) protectPrivate() {
	if len(c.deferred) > 0 {
		c.flush(func(d *machine.Deferred) bool { return d.Private })
	}
}

// protectMemory emits what waits on memory that threads share, which is about
// to change.
func (c *Compiler) protectMemory() {
	if len(c.deferred) > 0 {
		c.flush(func(d *machine.Deferred) bool { return d.Memory })
	}
}

// defers reports whether the value of r may wait: a lane value with one reader
// in the same list. Where there are balls, none does: both are computed together.
func (c *Compiler) defers(r ir.Reg) bool {
	return c.Does(machine.PassPending) && !c.P.Stepwise && c.Reusable(r) && c.P.Slots[r].Varying && c.U.Reads(r) > 0
}

// alias lets d, a temporary, read the lanes of a in place, if d may wait, and
// reports whether it does.
func (c *Compiler) alias(d, a ir.Reg) bool {
	if !c.defers(d) || c.Uniform(a) || c.peekDeferred(a) != nil {
		return false
	}
	c.put(&machine.Deferred{Reg: d, View: &machine.Operand{At: c.read(a).Index}}, a)
	return true
}
