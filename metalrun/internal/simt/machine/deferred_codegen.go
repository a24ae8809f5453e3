package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// put defers the value of a temporary. The slots that building it released
// stay taken until it is emitted.
func (c *Compiler) put(d *deferred, args ...ir.Reg) {
	for _, r := range args {
		if r != ir.None {
			d.reads = append(d.reads, r)
		}
	}
	d.frees = append(d.frees, c.released...)
	c.released = c.released[:0]
	if c.deferred = append(c.deferred, d); len(c.deferred) == maxDeferred {
		c.flush(func(*deferred) bool { return true })
	}
}

// takeDeferred removes the value of r from the waiting ones, or gives nil. The
// caller takes over its reads and the duty to emit it now or defer it again.
func (c *Compiler) takeDeferred(r ir.Reg) *deferred {
	for i, d := range c.deferred {
		if d.reg != r {
			continue
		}
		if c.Left[r]--; c.Left[r] > 0 { // a row with more readers
			return d
		}
		c.deferred = slices.Delete(c.deferred, i, i+1)
		if len(d.frees) > 0 { // what read it before and waits itself reads slots that others may have now
			c.flush(func(w *deferred) bool { return slices.Contains(w.reads, r) })
		}
		c.released = append(c.released, d.frees...)
		d.frees = nil
		return d
	}
	return nil
}

// peekDeferred gives the waiting value of r without taking it, or nil.
func (c *Compiler) peekDeferred(r ir.Reg) *deferred {
	for _, d := range c.deferred {
		if d.reg == r {
			return d
		}
	}
	return nil
}

// flush emits the waiting values that match, in order, into their own slots.
func (c *Compiler) flush(match func(*deferred) bool) {
	kept := c.deferred[:0]
	for _, d := range c.deferred {
		if !match(d) {
			kept = append(kept, d)
			continue
		}
		if d.view != nil {
			d.in = c.copied(*d.view, false)
		}
		c.emit(d.in.into(Operand{At: c.Define(d.reg).Index}))
		c.released = append(c.released, d.frees...)
	}
	clear(c.deferred[len(kept):])
	c.deferred = kept
}

// protect emits what waits on variable r, which is about to change.
func (c *Compiler) protect(r ir.Reg) {
	if c.P.Kernel.Regs[r].Kind == ir.Variable && len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return slices.Contains(d.reads, r) })
	}
}

// protectPrivate emits what waits on private memory, which is about to change.
func (c *Compiler) protectPrivate() {
	if len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return d.private })
	}
}

// protectMemory emits what waits on memory that threads share, which is about
// to change.
func (c *Compiler) protectMemory() {
	if len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return d.memory })
	}
}

// defers reports whether the value of r may wait: a lane value with one reader
// in the same list. Where there are balls, none does: both are computed together.
func (c *Compiler) defers(r ir.Reg) bool {
	return c.Does(passPending) && !c.P.stepwise && c.Reusable(r) && c.P.Slots[r].Varying && c.U.Reads(r) > 0
}

// alias lets d, a temporary, read the lanes of a in place, if d may wait, and
// reports whether it does.
func (c *Compiler) alias(d, a ir.Reg) bool {
	if !c.defers(d) || c.Uniform(a) || c.peekDeferred(a) != nil {
		return false
	}
	c.put(&deferred{reg: d, view: &Operand{At: c.read(a).Index}}, a)
	return true
}
