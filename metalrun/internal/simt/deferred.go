package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// deferred is a value whose evaluation waits for its reader.
type deferred struct {
	reg      ir.Reg
	in       instr    // computes it; its destination is not set yet
	view     *operand // lanes that are there already: read in place
	product  *product // set if the value is x*y
	products int      // length of the code behind what waited for a fused multiplication and addition; 0 if it is none
	offset   *offset  // set if the value is an index that loads and stores add up themselves
	reads    []ir.Reg // registers that it reads
	private  bool     // reads private memory
	memory   bool     // reads device, constant or threadgroup memory
	frees    []slot   // slots that its operands release
}

// product is the operands of a deferred multiplication.
type product struct{ x, y operand }

// offset is a deferred sum of lanes and a uniform register, modulo 2^32.
type offset struct {
	x      operand
	scalar int
}

// maxDeferred bounds the values that wait: whatever looks for one looks at all.
const maxDeferred = 256

// put defers the value of a temporary. The slots that building it released
// stay taken until it is emitted.
func (c *compiler) put(d *deferred, args ...ir.Reg) {
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

// inherit adds to d what an operand that it absorbed reads and frees.
func (d *deferred) inherit(o *deferred) {
	d.reads = append(d.reads, o.reads...)
	d.private, d.memory = d.private || o.private, d.memory || o.memory
}

// takeDeferred removes the value of r from the waiting ones, or gives nil. The
// caller takes over its reads and the duty to emit it now or defer it again.
func (c *compiler) takeDeferred(r ir.Reg) *deferred {
	for i, d := range c.deferred {
		if d.reg != r {
			continue
		}
		if c.left[r]--; c.left[r] > 0 { // a row with more readers
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
func (c *compiler) peekDeferred(r ir.Reg) *deferred {
	for _, d := range c.deferred {
		if d.reg == r {
			return d
		}
	}
	return nil
}

// flush emits the waiting values that match, in order, into their own slots.
func (c *compiler) flush(match func(*deferred) bool) {
	kept := c.deferred[:0]
	for _, d := range c.deferred {
		if !match(d) {
			kept = append(kept, d)
			continue
		}
		if d.view != nil {
			d.in = c.copied(*d.view, false)
		}
		c.emit(d.in.into(operand{at: c.define(d.reg).index}))
		c.released = append(c.released, d.frees...)
	}
	clear(c.deferred[len(kept):])
	c.deferred = kept
}

// protect emits what waits on variable r, which is about to change.
func (c *compiler) protect(r ir.Reg) {
	if c.p.kernel.Regs[r].Kind == ir.Variable && len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return slices.Contains(d.reads, r) })
	}
}

// protectPrivate emits what waits on private memory, which is about to change.
func (c *compiler) protectPrivate() {
	if len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return d.private })
	}
}

// protectMemory emits what waits on memory that threads share, which is about
// to change.
func (c *compiler) protectMemory() {
	if len(c.deferred) > 0 {
		c.flush(func(d *deferred) bool { return d.memory })
	}
}

// defers reports whether the value of r may wait: a lane value with one reader
// in the same list. Where there are balls, none does: both are computed together.
func (c *compiler) defers(r ir.Reg) bool {
	return c.does(passPending) && c.p.exact == nil && c.reusable(r) && c.p.slots[r].varying && c.u.Reads(r) > 0
}

// alias lets d, a temporary, read the lanes of a in place, if d may wait, and
// reports whether it does.
func (c *compiler) alias(d, a ir.Reg) bool {
	if !c.defers(d) || c.uniform(a) || c.peekDeferred(a) != nil {
		return false
	}
	c.put(&deferred{reg: d, view: &operand{at: c.read(a).index}}, a)
	return true
}
