package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Weights of a few bits are taken out of words by a shift, a mask and a conversion: one loop, if
// nobody else reads what is between.

// field compiles a mask and the shift before it, if that is what its operand is.
func (c *Compiler) field(in *ir.Instr) bool {
	x, mask := in.Args[0], in.Args[1]
	if c.Uniform(x) {
		x, mask = mask, x
	}
	shift, ok := c.emittedFor(x, in.Dst[0])
	if !ok || !c.Does(machine.PassBitFields) || !c.Uniform(mask) || shift.Shape != machine.VectorScalar ||
		shift.Binary != &c.t.LShr {
		return false
	}
	c.instead(x, in.Dst[0], machine.Instr{Shape: machine.VectorScalarScalar, Field: c.t.Field, A: shift.A, B: shift.B,
		E: machine.Operand{Kind: machine.IsUniform, At: c.read(mask).Index}})
	return true
}

// fieldToFloat compiles a conversion of a field that is not negative, if that is what it converts.
func (c *Compiler) fieldToFloat(in *ir.Instr) bool {
	x := in.Args[0]
	field, ok := c.emittedFor(x, in.Dst[0])
	if !ok || field.Shape != machine.VectorScalarScalar || in.To != ir.R32 || in.From != ir.U32 && in.From != ir.S32 ||
		!c.below31(x) {
		return false
	}
	field.Field = c.t.FieldF
	c.instead(x, in.Dst[0], field)
	return true
}

// emittedFor gives the last instruction, if all that it does is to set a register that is read once, for the
// temporary d.
func (c *Compiler) emittedFor(r, d ir.Reg) (in machine.Instr, ok bool) {
	if c.P.Kernel.Regs[d].Kind != ir.Temp {
		return in, false
	}
	return c.emitted(r)
}

// emitted gives the last instruction, if all that it does is to set a register that is read once.
func (c *Compiler) emitted(r ir.Reg) (in machine.Instr, ok bool) {
	if c.P.Stepwise || len(c.code) == 0 || c.Uniform(r) || !c.Reusable(r) || c.U.Reads(r) != 1 ||
		c.peekPending(r) != nil {
		return in, false
	}
	in = c.code[len(c.code)-1]
	return in, in.Do == nil && !in.Partial && in.D == machine.Operand{At: c.P.Slots[r].Index}
}

// instead emits an instruction that reads x no more in place of the last, which set it.
func (c *Compiler) instead(x, d ir.Reg, in machine.Instr) {
	c.code = c.code[:len(c.code)-1]
	c.Consumed(x)
	c.assign(d, in)
}
