package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// scalar emits an operation that sets uniform register d, which has as many arguments as there are: one or two.
func (c *Compiler) scalar(code machine.UniformCode, d ir.Reg, args ...ir.Reg) {
	c.protect(d)
	op := machine.UniformOp{Code: code, D: int32(c.Define(d).Index)}
	op.A = int32(c.read(args[0]).Index)
	if len(args) > 1 {
		op.B = int32(c.read(args[1]).Index)
	}
	c.emit(machine.Instr{Uniform: op, Do: machine.Bytecode{op}.Run})
}
