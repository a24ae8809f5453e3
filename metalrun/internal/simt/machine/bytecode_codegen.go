package machine

import "metalconform/metalrun/internal/ir"

// scalar emits an operation that sets uniform register d, which has as many arguments as there are: one or two.
func (c *Compiler) scalar(code uniformCode, d ir.Reg, args ...ir.Reg) {
	c.protect(d)
	op := uniformOp{code: code, d: int32(c.Define(d).Index)}
	op.a = int32(c.read(args[0]).Index)
	if len(args) > 1 {
		op.b = int32(c.read(args[1]).Index)
	}
	c.emit(Instr{uniform: op, do: bytecode{op}.Run})
}
