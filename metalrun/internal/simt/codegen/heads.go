package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// head emits an operation.
func (c *Compiler) head(o machine.UniformOp) {
	c.emit(machine.Instr{Uniform: o, Do: machine.Bytecode{o}.Run})
}

// ofHeads compiles an operation on values of simdgroups, if it is one of these.
func (c *Compiler) ofHeads(in *ir.Instr) bool {
	code := machine.HeadCodes[in.Op]
	if code == machine.NoUniformOp {
		return false
	}
	a, b := in.Args[0], in.Args[1]
	if c.Uniform(a) && (code == machine.HeadAdd || code == machine.HeadMul) {
		a, b = b, a
	}
	if c.Uniform(a) {
		return false
	}
	x, y := c.heads64(a), c.heads64(b)
	c.head(machine.UniformOp{Code: code, D: int32(c.Define(in.Dst[0]).Index), A: int32(x.At), B: int32(y.At),
		WithB: y.Uniform})
	return true
}

// heads64 gives an operand of an instruction that has a value for each simdgroup.
func (c *Compiler) heads64(r ir.Reg) machine.Operand64 {
	o := c.grouped64(r)
	if o.Uniform || o.Grouped {
		return o
	}
	s := c.scratch64()
	c.head(machine.UniformOp{Code: machine.HeadTake, D: int32(s), A: int32(o.At)})
	return machine.Operand64{Grouped: true, At: s, Row: -1}
}

// extendHeads extends the value of each simdgroup in a row of 32-bit lanes.
func (c *Compiler) extendHeads(in *ir.Instr, extend func(d []uint64, a []uint32)) {
	d, x := in.Dst[0], c.operand(in.Args[0])
	if x.Kind == machine.InSlot {
		code := machine.HeadExtendU
		if t, _ := machine.IntOf(in.From); t.Signed {
			code = machine.HeadExtendS
		}
		c.head(machine.UniformOp{Code: code, D: int32(c.Define(d).Index), A: int32(x.At)})
		return
	}
	row := vec(x, c, false)
	c.compute64(d, func(m *machine.Machine, d []uint64) {
		heads, lanes := m.Scratch[:len(d)], row(m)
		for g := range heads {
			heads[g] = lanes[m.Head(g)]
		}
		extend(d, heads)
	})
}

// numberHeads is what numbered emits for a pointer that has a value for each simdgroup.
func (c *Compiler) numberHeads(e *machine.ElementSlot, from int, shift uint) {
	c.head(machine.UniformOp{Code: machine.HeadNumber, A: int32(from),
		Numbering: &machine.Numbering{Numbers: e, Origin: c.origin(e.Object), Shift: shift}})
}
