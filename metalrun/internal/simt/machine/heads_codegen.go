package machine

import "metalconform/metalrun/internal/ir"

// head emits an operation.
func (c *Compiler) head(o uniformOp) { c.emit(Instr{uniform: o, do: bytecode{o}.Run}) }

// ofHeads compiles an operation on values of simdgroups, if it is one of these.
func (c *Compiler) ofHeads(in *ir.Instr) bool {
	code := headCodes[in.Op]
	if code == noUniformOp {
		return false
	}
	a, b := in.Args[0], in.Args[1]
	if c.Uniform(a) && (code == headAdd || code == headMul) {
		a, b = b, a
	}
	if c.Uniform(a) {
		return false
	}
	x, y := c.heads64(a), c.heads64(b)
	c.head(uniformOp{code: code, d: int32(c.Define(in.Dst[0]).Index), a: int32(x.at), b: int32(y.at), withB: y.uniform})
	return true
}

// heads64 gives an operand of an instruction that has a value for each simdgroup.
func (c *Compiler) heads64(r ir.Reg) operand64 {
	o := c.grouped64(r)
	if o.uniform || o.grouped {
		return o
	}
	s := c.scratch64()
	c.head(uniformOp{code: headTake, d: int32(s), a: int32(o.at)})
	return operand64{grouped: true, at: s, row: -1}
}

// extendHeads extends the value of each simdgroup in a row of 32-bit lanes.
func (c *Compiler) extendHeads(in *ir.Instr, extend func(d []uint64, a []uint32)) {
	d, x := in.Dst[0], c.operand(in.Args[0])
	if x.kind == inSlot {
		code := headExtendU
		if t, _ := IntOf(in.From); t.Signed {
			code = headExtendS
		}
		c.head(uniformOp{code: code, d: int32(c.Define(d).Index), a: int32(x.At)})
		return
	}
	row := x.vec(c, false)
	c.compute64(d, func(m *Machine, d []uint64) {
		heads, lanes := m.Scratch[:len(d)], row(m)
		for g := range heads {
			heads[g] = lanes[m.head(g)]
		}
		extend(d, heads)
	})
}

// numberHeads is what numbered emits for a pointer that has a value for each simdgroup.
func (c *Compiler) numberHeads(e *elementSlot, from int, shift uint) {
	c.head(uniformOp{code: headNumber, a: int32(from), numbering: &numbering{e, c.origin(e.object), shift}})
}
