package machine

import (
	"metalconform/metalrun/internal/ir"
)

// Pending is a value that is evaluated where it is read.
type Pending struct {
	Reg      ir.Reg
	In       Instr    // computes it; its destination is not set yet
	View     *Operand // lanes that exist already and are read in place
	Product  *Product // set if the value is x*y
	Products int      // of a fused multiplication and addition: length of the code after its operands; otherwise 0
	Offset   *Offset  // set if the value is an index whose sum loads and stores compute
	Reads    []ir.Reg // registers that it reads
	Private  bool     // reads private memory
	Memory   bool     // reads device, constant or threadgroup memory
	Frees    []Slot   // slots that its operands release
}

// Product is the operands of a pending multiplication.
type Product struct{ X, Y Operand }

// Offset is a pending sum of lanes and a uniform register, modulo 2^32.
type Offset struct {
	X      Operand
	Scalar int
}

// MaxPending bounds the number of pending values, because each search for one goes through all of them. The kernels of
// the catalogue have at most 4 at once. A call with 8,000 arguments takes 0.5 CPU seconds to check with this bound, 0.8
// without.
const MaxPending = 256

// Inherit adds to d what an operand reads that it has absorbed.
func (d *Pending) Inherit(o *Pending) {
	d.Reads = append(d.Reads, o.Reads...)
	d.Private, d.Memory = d.Private || o.Private, d.Memory || o.Memory
}
