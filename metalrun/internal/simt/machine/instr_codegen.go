package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

func (c *Compiler) emit(in Instr) { c.code = append(c.code, in) }

// do emits a function.
func (c *Compiler) Do(o Op) { c.emit(Instr{do: o}) }

// assign emits an instruction that sets a 32-bit register.
func (c *Compiler) assign(r ir.Reg, in Instr) {
	c.protect(r)
	at := c.Define(r)
	in.d = Operand{At: at.Index}
	if !at.Varying {
		in.d.kind = isUniform
	}
	in.partial = at.Varying && c.P.Kernel.Regs[r].Kind != ir.Temp
	c.emit(in)
}

// copied copies lanes.
func (c *Compiler) copied(o Operand, uniform bool) Instr {
	if o.uniform() && !uniform {
		return Instr{Shape: scalarFill, fill: c.t.Fill, a: o}
	}
	return mapped(func(d, a []uint32) { copy(d, a) }, o)
}

// unary applies a loop to any operand.
func (c *Compiler) unary(loop lanes.Unary, a Operand, uniform bool) Instr {
	if !uniform {
		a = c.spread(a)
	}
	return mapped(loop, a)
}

// zipped applies a loop to two operands for a result that is uniform or not.
func (c *Compiler) zipped(loop *lanes.Binary, a, b Operand, uniform bool) Instr {
	in := Instr{Shape: vectorVector, Binary: loop, a: a, b: b}
	switch {
	case uniform:
	case b.uniform():
		in.Shape, in.a = vectorScalar, c.spread(a)
	case a.uniform():
		in.Shape = scalarVector
	}
	return in
}

// tripled is zipped for a loop of a·b + e.
func (c *Compiler) tripled(loop *lanes.Ternary, a, b, e Operand, uniform bool) Instr {
	if a.uniform() {
		a, b = b, a
	}
	in := Instr{Shape: vectorVectorVector, triple: loop, a: a, b: b, e: e}
	if !uniform {
		in.e = c.spread(e)
		if b.uniform() {
			in.Shape, in.a = vectorScalarVector, c.spread(a)
		}
	}
	return in
}

// again applies a loop to a register in place.
func (c *Compiler) again(r ir.Reg, loop lanes.Unary) {
	at := c.Define(r)
	o := Operand{At: at.Index}
	if !at.Varying {
		o.kind = isUniform
	}
	c.assign(r, mapped(loop, o))
}

// derived is what a loop makes of an operand.
func (c *Compiler) derived(o Operand, loop lanes.Unary) Operand {
	d := Operand{kind: isUniform, At: len(c.P.Uni32)}
	if o.uniform() {
		c.P.Uni32 = append(c.P.Uni32, 0)
	} else {
		d = Operand{At: c.scratch()}
	}
	c.emit(mapped(loop, o).into(d))
	return d
}

// compute emits code that computes a 32-bit register. f writes every lane
// of d from the same lanes of its operands; d may be an operand.
func (c *Compiler) compute(r ir.Reg, f func(m *Machine, d []uint32)) {
	c.protect(r)
	at := c.Define(r)
	i := at.Index
	switch {
	case !at.Varying:
		c.Do(func(m *Machine) { f(m, m.Uni32[i:i+1:i+1]) })
	case c.P.Kernel.Regs[r].Kind == ir.Temp:
		c.Do(func(m *Machine) { f(m, m.Lanes(i)) })
	default:
		c.Do(func(m *Machine) {
			if m.Full {
				f(m, m.Lanes(i))
				return
			}
			f(m, m.Scratch)
			c.t.CopyMasked(m.Lanes(i), m.Mask, m.Scratch)
		})
	}
}

// compute64 is compute for 64-bit registers.
func (c *Compiler) compute64(r ir.Reg, f func(m *Machine, d []uint64)) {
	c.protect(r)
	at := c.Define(r)
	i := at.Index
	switch {
	case !at.Varying:
		c.Do(func(m *Machine) { f(m, m.Uni64[i:i+1:i+1]) })
	case at.Grouped:
		c.Do(func(m *Machine) { f(m, m.grouped(i)) })
	case c.P.Kernel.Regs[r].Kind == ir.Temp:
		c.Do(func(m *Machine) { f(m, m.Wide(i)) })
	default:
		c.Do(func(m *Machine) {
			if m.Full {
				f(m, m.Wide(i))
				return
			}
			f(m, m.scratch8)
			c.t.CopyMaskedQ(m.Wide(i), m.Mask, m.scratch8)
		})
	}
}
