package simt

import "metalconform/metalrun/internal/ir"

// Weights of a few bits are taken out of words by a shift, a mask and a conversion: one loop, if
// nobody else reads what is between.

// field compiles a mask and the shift before it, if that is what its operand is.
func (c *compiler) field(in *ir.Instr) bool {
	x, mask := in.Args[0], in.Args[1]
	if c.uniform(x) {
		x, mask = mask, x
	}
	shift, ok := c.emittedFor(x, in.Dst[0])
	if !ok || !c.does(passBitFields) || !c.uniform(mask) || shift.shape != vectorScalar || shift.binary != &c.t.LShr {
		return false
	}
	c.instead(x, in.Dst[0], instr{shape: vectorScalarScalar, field: c.t.Field, a: shift.a, b: shift.b, e: operand{kind: isUniform, at: c.read(mask).index}})
	return true
}

// fieldToFloat compiles a conversion of a field that is not negative, if that is what it converts.
func (c *compiler) fieldToFloat(in *ir.Instr) bool {
	x := in.Args[0]
	field, ok := c.emittedFor(x, in.Dst[0])
	if !ok || field.shape != vectorScalarScalar || in.To != ir.R32 || in.From != ir.U32 && in.From != ir.S32 || !c.below31(x) {
		return false
	}
	field.field = c.t.FieldF
	c.instead(x, in.Dst[0], field)
	return true
}

// emittedFor gives the last instruction, if all that it does is to set a register that is read once, for the
// temporary d.
func (c *compiler) emittedFor(r, d ir.Reg) (in instr, ok bool) {
	if c.p.kernel.Regs[d].Kind != ir.Temp {
		return in, false
	}
	return c.emitted(r)
}

// emitted gives the last instruction, if all that it does is to set a register that is read once.
func (c *compiler) emitted(r ir.Reg) (in instr, ok bool) {
	if c.p.exact != nil || len(c.code) == 0 || c.uniform(r) || !c.reusable(r) || c.u.Reads(r) != 1 || c.peekDeferred(r) != nil {
		return in, false
	}
	in = c.code[len(c.code)-1]
	return in, in.do == nil && !in.partial && in.d == operand{at: c.p.slots[r].index}
}

// instead emits an instruction that reads x no more in place of the last, which set it.
func (c *compiler) instead(x, d ir.Reg, in instr) {
	c.code = c.code[:len(c.code)-1]
	c.consumed(x)
	c.assign(d, in)
}
