package machine

import (
	"metalconform/metalrun/internal/ir"
)

// deferred is a value whose evaluation waits for its reader.
type deferred struct {
	reg      ir.Reg
	in       Instr    // computes it; its destination is not set yet
	view     *Operand // lanes that are there already: read in place
	product  *product // set if the value is x*y
	products int      // length of the code behind what waited for a fused multiplication and addition; 0 if it is none
	offset   *offset  // set if the value is an index that loads and stores add up themselves
	reads    []ir.Reg // registers that it reads
	private  bool     // reads private memory
	memory   bool     // reads device, constant or threadgroup memory
	frees    []Slot   // slots that its operands release
}

// product is the operands of a deferred multiplication.
type product struct{ x, y Operand }

// offset is a deferred sum of lanes and a uniform register, modulo 2^32.
type offset struct {
	x      Operand
	scalar int
}

// maxDeferred bounds the values that wait: whatever looks for one looks at all.
const maxDeferred = 256

// inherit adds to d what an operand that it absorbed reads and frees.
func (d *deferred) inherit(o *deferred) {
	d.reads = append(d.reads, o.reads...)
	d.private, d.memory = d.private || o.private, d.memory || o.memory
}
