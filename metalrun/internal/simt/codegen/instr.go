package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

func (c *Compiler) emit(in machine.Instr) { c.code = append(c.code, in) }

// Do emits a function.
func (c *Compiler) Do(o machine.Op) { c.emit(machine.Instr{Do: o}) }

// assign emits an instruction that sets a 32-bit register.
func (c *Compiler) assign(r ir.Reg, in machine.Instr) {
	c.protect(r)
	at := c.Define(r)
	in.D = machine.Operand{At: at.Index}
	if !at.Varying {
		in.D.Kind = machine.IsUniform
	}
	in.Partial = at.Varying && c.P.Kernel.Regs[r].Kind != ir.Temp
	c.emit(in)
}

// copied copies lanes.
func (c *Compiler) copied(o machine.Operand, uniform bool) machine.Instr {
	if o.Uniform() && !uniform {
		return machine.Instr{Shape: machine.ScalarFill, Fill: c.t.Fill, A: o}
	}
	return machine.Mapped(func(d, a []uint32) { copy(d, a) }, o)
}

// unary applies a loop to any operand.
func (c *Compiler) unary(loop lanes.Unary, a machine.Operand, uniform bool) machine.Instr {
	if !uniform {
		a = c.spread(a)
	}
	return machine.Mapped(loop, a)
}

// zipped applies a loop to two operands for a result that is uniform or not.
func (c *Compiler) zipped(loop *lanes.Binary, a, b machine.Operand, uniform bool) machine.Instr {
	in := machine.Instr{Shape: machine.VectorVector, Binary: loop, A: a, B: b}
	switch {
	case uniform:
	case b.Uniform():
		in.Shape, in.A = machine.VectorScalar, c.spread(a)
	case a.Uniform():
		in.Shape = machine.ScalarVector
	}
	return in
}

// tripled is zipped for a loop of a·b + e.
func (c *Compiler) tripled(loop *lanes.Ternary, a, b, e machine.Operand, uniform bool) machine.Instr {
	if a.Uniform() {
		a, b = b, a
	}
	in := machine.Instr{Shape: machine.VectorVectorVector, Triple: loop, A: a, B: b, E: e}
	if !uniform {
		in.E = c.spread(e)
		if b.Uniform() {
			in.Shape, in.A = machine.VectorScalarVector, c.spread(a)
		}
	}
	return in
}

// again applies a loop to a register in place.
func (c *Compiler) again(r ir.Reg, loop lanes.Unary) {
	at := c.Define(r)
	o := machine.Operand{At: at.Index}
	if !at.Varying {
		o.Kind = machine.IsUniform
	}
	c.assign(r, machine.Mapped(loop, o))
}

// derived is what a loop makes of an operand.
func (c *Compiler) derived(o machine.Operand, loop lanes.Unary) machine.Operand {
	d := machine.Operand{Kind: machine.IsUniform, At: len(c.P.Uni32)}
	if o.Uniform() {
		c.P.Uni32 = append(c.P.Uni32, 0)
	} else {
		d = machine.Operand{At: c.scratch()}
	}
	c.emit(machine.Mapped(loop, o).Into(d))
	return d
}

// compute emits code that computes a 32-bit register. f writes every lane
// of d from the same lanes of its operands; d may be an operand.
func (c *Compiler) compute(r ir.Reg, f func(m *machine.Machine, d []uint32)) {
	c.protect(r)
	at := c.Define(r)
	i := at.Index
	switch {
	case !at.Varying:
		c.Do(func(m *machine.Machine) { f(m, m.Uni32[i:i+1:i+1]) })
	case c.P.Kernel.Regs[r].Kind == ir.Temp:
		c.Do(func(m *machine.Machine) { f(m, m.Lanes(i)) })
	default:
		c.Do(func(m *machine.Machine) {
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
func (c *Compiler) compute64(r ir.Reg, f func(m *machine.Machine, d []uint64)) {
	c.protect(r)
	at := c.Define(r)
	i := at.Index
	switch {
	case !at.Varying:
		c.Do(func(m *machine.Machine) { f(m, m.Uni64[i:i+1:i+1]) })
	case at.Grouped:
		c.Do(func(m *machine.Machine) { f(m, m.Grouped(i)) })
	case c.P.Kernel.Regs[r].Kind == ir.Temp:
		c.Do(func(m *machine.Machine) { f(m, m.Wide(i)) })
	default:
		c.Do(func(m *machine.Machine) {
			if m.Full {
				f(m, m.Wide(i))
				return
			}
			f(m, m.Scratch8)
			c.t.CopyMaskedQ(m.Wide(i), m.Mask, m.Scratch8)
		})
	}
}
