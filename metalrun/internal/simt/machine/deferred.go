package machine

import (
	"metalconform/metalrun/internal/ir"
)

// Deferred is a value whose evaluation waits for its reader.
type Deferred struct {
	Reg      ir.Reg
	In       Instr    // computes it; its destination is not set yet
	View     *Operand // lanes that are there already: read in place
	Product  *Product // set if the value is x*y
	Products int      // length of the code behind what waited for a fused multiplication and addition; 0 if it is none
	Offset   *Offset  // set if the value is an index that loads and stores add up themselves
	Reads    []ir.Reg // registers that it reads
	Private  bool     // reads private memory
	Memory   bool     // reads device, constant or threadgroup memory
	Frees    []Slot   // slots that its operands release
}

// Product is the operands of a deferred multiplication.
type Product struct{ X, Y Operand }

// Offset is a deferred sum of lanes and a uniform register, modulo 2^32.
type Offset struct {
	X      Operand
	Scalar int
}

// maxDeferred bounds the values that wait: whatever looks for one looks at all.
const MaxDeferred = 256

// Inherit adds to d what an operand that it absorbed reads and frees.
func (d *Deferred) Inherit(o *Deferred) {
	d.Reads = append(d.Reads, o.Reads...)
	d.Private, d.Memory = d.Private || o.Private, d.Memory || o.Memory
}
