package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// uniformOp emits an operation of the bytecode.
func (c *Compiler) uniformOp(o machine.UniformOp) {
	c.emit(machine.Instr{Uniform: o, Do: machine.Bytecode{o}.Run})
}

// simdgroupUniform compiles an operation on simdgroup-uniform values, if the bytecode has it.
func (c *Compiler) simdgroupUniform(in *ir.Instr) bool {
	code := machine.SimdgroupCodes[in.Op]
	if code == machine.NoUniformOp {
		return false
	}
	a, b := in.Args[0], in.Args[1]
	if c.Uniform(a) && (code == machine.SimdgroupAdd || code == machine.SimdgroupMul) {
		a, b = b, a
	}
	if c.Uniform(a) {
		return false
	}
	x, y := c.simdgroupUniform64(a), c.simdgroupUniform64(b)
	c.uniformOp(machine.UniformOp{Code: code, D: int32(c.Define(in.Dst[0]).Index), A: int32(x.At), B: int32(y.At),
		WithB: y.Uniform})
	return true
}

// simdgroupUniform64 gives an operand of an instruction whose result is simdgroup-uniform.
func (c *Compiler) simdgroupUniform64(r ir.Reg) machine.Operand64 {
	o := c.grouped64(r)
	if o.Uniform || o.Grouped {
		return o
	}
	s := c.scratch64()
	c.uniformOp(machine.UniformOp{Code: machine.SimdgroupTake, D: int32(s), A: int32(o.At)})
	return machine.Operand64{Grouped: true, At: s, Row: -1}
}

// extendSimdgroups extends 32-bit lanes to one 64-bit value for each simdgroup.
func (c *Compiler) extendSimdgroups(in *ir.Instr, extend func(d []uint64, a []uint32)) {
	d, x := in.Dst[0], c.operand(in.Args[0])
	if x.Kind == machine.InSlot {
		code := machine.SimdgroupExtendU
		if t, _ := machine.IntOf(in.From); t.Signed {
			code = machine.SimdgroupExtendS
		}
		c.uniformOp(machine.UniformOp{Code: code, D: int32(c.Define(d).Index), A: int32(x.At)})
		return
	}
	row := vec(x, c, false)
	c.compute64(d, func(m *machine.Machine, d []uint64) {
		groups, lanes := m.Scratch[:len(d)], row(m)
		for g := range groups {
			groups[g] = lanes[m.Leader(g)]
		}
		extend(d, groups)
	})
}

// numberSimdgroups is what numbered emits for a simdgroup-uniform pointer.
func (c *Compiler) numberSimdgroups(e *machine.ElementSlot, from int, shift uint) {
	c.uniformOp(machine.UniformOp{Code: machine.SimdgroupNumber, A: int32(from),
		Numbering: &machine.Numbering{Numbers: e, Origin: c.origin(e.Object), Shift: shift}})
}
