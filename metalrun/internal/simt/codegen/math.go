package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// math compiles elementary and integer functions. They are evaluated for
// active lanes only: some are slow on the arguments that idle lanes hold.
func (c *Compiler) math(in *ir.Instr) {
	if f, t := in.Integer(); f != nil {
		c.integerFunction(in, f, t)
		return
	}
	c.floatFunction(in, scalar.Float(in.Fn))
}

// integerFunction compiles a function of integers.
func (c *Compiler) integerFunction(in *ir.Instr, f *scalar.IntegerFunction, t scalar.Int) {
	if loop := machine.ExtremeLoop(c.loops(c.Uniform(in.Dst[0])), f.Name, t); loop != nil {
		c.assign(in.Dst[0], c.zipped(loop, c.operand(in.Args[0]), c.operand(in.Args[1]), c.Uniform(in.Dst[0])))
		return
	}
	c.lanewise(in, f.Of)
}

// lanewise compiles d = f(args) for the active lanes.
func (c *Compiler) lanewise(in *ir.Instr, f func(v []machine.Element) machine.Element) {
	u := c.Uniform(in.Dst[0])
	args := make([]func(m *machine.Machine) machine.Elements, len(in.Args))
	for i, r := range in.Args {
		args[i] = c.Values(r, u, nil)
	}
	c.setElements(in.Dst[0], func(m *machine.Machine, d machine.Elements, n int) {
		var at [4]machine.Elements
		for i, a := range args {
			at[i] = a(m)
		}
		v := m.Arguments[:len(args)]
		for l := range n {
			if !u && m.Mask[l] == 0 {
				continue
			}
			for i := range v {
				v[i] = at[i].At(l)
			}
			d.Set(l, f(v))
		}
	})
}

// floatFunction compiles a function of floats.
func (c *Compiler) floatFunction(in *ir.Instr, fn *scalar.FloatFunction) {
	t := c.Typ(in.Args[0])
	format, u := t.Format(), c.Uniform(in.Dst[0])
	x := c.flushed(c.functionOperand(in.Args[0], fn), t)
	switch {
	case fn.Test != nil:
		c.active(in.Dst[0], vec(x, c, u), nil,
			func(a, _ uint32) uint32 { return machine.Lane(fn.Test(format, machine.F32frombits(a))) })
	case fn.Exponent != nil:
		c.active(in.Dst[0], vec(x, c, u), nil,
			func(a, _ uint32) uint32 { return uint32(fn.Exponent(machine.F32frombits(a))) })
	case fn.Frexp != nil:
		c.pair(in, vec(x, c, u),
			func(x float32) (uint32, uint32) { y, n := fn.Frexp(x); return machine.F32bits(y), uint32(n) })
	case fn.Parts != nil:
		c.pair(in, vec(x, c, u), func(x float32) (uint32, uint32) {
			y, z := fn.Parts(x)
			return machine.F32bits(y), machine.F32bits(z)
		})
	default:
		c.floatResult(in, fn, x, t)
	}
}

// functionOperand is an argument of a function.
func (c *Compiler) functionOperand(r ir.Reg, fn *scalar.FloatFunction) machine.Operand {
	if fn.SeesSign {
		return c.quieted(r)
	}
	return c.operand(r)
}

// floatResult compiles a function that gives a float.
func (c *Compiler) floatResult(in *ir.Instr, fn *scalar.FloatFunction, x machine.Operand, t ir.Type) {
	d, u, format := in.Dst[0], c.Uniform(in.Dst[0]), t.Format()
	_, hostile := c.adversary.takes(in.Pos, machine.Accuracy+in.Fn)
	flush := c.flushes(t)
	rounded := t == ir.F32 && !flush
	if loop := machine.FunctionLoop(c.loops(u), in.Fn, rounded); loop != nil && !hostile {
		c.assign(d, c.unary(loop, x, u))
		return
	}
	if loop := machine.ChoiceLoop(c.loops(u), in.Fn, flush); loop != nil {
		c.assign(d, c.zipped(loop, x, c.operand(in.Args[1]), u))
		return
	}
	if loop := machine.WholeLoop(c.t, in.Fn, rounded); loop != nil && !hostile && !u {
		c.wholly(d, loop, x, fn.Unary(format))
		return
	}
	finish := func(v float32) uint32 { return machine.F32bits(v) }
	if flush {
		finish = func(v float32) uint32 { return machine.F32bits(format.Flush(v)) }
	}
	var f func(a, b uint32) uint32
	y := machine.Vec(nil)
	if of := c.unaryOf(in, fn, t); of != nil {
		f = func(a, _ uint32) uint32 { return finish(of(machine.F32frombits(a))) }
	} else if of := fn.Binary(format); of != nil {
		y = vec(c.flushed(c.functionOperand(in.Args[1], fn), t), c, u)
		f = func(a, b uint32) uint32 { return finish(of(machine.F32frombits(a), machine.F32frombits(b))) }
	} else {
		y = c.arg(in.Args[1], u)
		f = func(a, n uint32) uint32 { return finish(fn.Scale(format, machine.F32frombits(a), int32(n))) }
	}
	if hostile {
		f = errant{c.adversary, c.P.Options.FlushSubnormals}.function(f, fn, in.Fast, t)
	}
	c.active(d, vec(x, c, u), y, f)
}

// unaryOf is a function of one float, nil for another: of the fast ones, Apple's build leaves sines to the GPU.
func (c *Compiler) unaryOf(in *ir.Instr, fn *scalar.FloatFunction, t ir.Type) func(x float32) float32 {
	if c.P.Options.DefaultBuild && in.Fast && t == ir.F32 {
		switch fn.Name {
		case "sinpi":
			return scalar.TurnSinpi
		case "cospi":
			return scalar.TurnCospi
		}
	}
	return fn.Unary(t.Format())
}

// wholly writes a 32-bit register by a loop if all lanes are active, and otherwise its active lanes by the function.
func (c *Compiler) wholly(r ir.Reg, loop lanes.Unary, x machine.Operand, f func(x float32) float32) {
	v := vec(x, c, false)
	c.compute(r, func(m *machine.Machine, d []uint32) {
		a := v(m)
		if m.Whole {
			loop(d, a)
		} else {
			machine.EachActive(d, a, a, m.Mask,
				func(a, _ uint32) uint32 { return machine.F32bits(f(machine.F32frombits(a))) })
		}
	})
}

// active writes the active lanes of a 32-bit register: f of one or two arguments.
func (c *Compiler) active(r ir.Reg, x, y machine.Vec, f func(a, b uint32) uint32) {
	if y == nil {
		y = x
	}
	if c.Uniform(r) {
		c.compute(r, func(m *machine.Machine, d []uint32) { d[0] = f(x(m)[0], y(m)[0]) })
		return
	}
	c.compute(r, func(m *machine.Machine, d []uint32) { machine.EachActive(d, x(m), y(m), m.Mask, f) })
}

// pair compiles a function with two results.
func (c *Compiler) pair(in *ir.Instr, x machine.Vec, f func(x float32) (uint32, uint32)) {
	c.active(in.Dst[0], x, nil, func(a, _ uint32) uint32 { first, _ := f(machine.F32frombits(a)); return first })
	c.active(in.Dst[1], x, nil, func(a, _ uint32) uint32 { _, second := f(machine.F32frombits(a)); return second })
}
