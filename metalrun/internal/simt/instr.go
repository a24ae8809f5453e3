package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// instr is one compiled instruction: a loop and where its operands are, or a
// function of its own.
type instr struct {
	shape   shape
	partial bool // lanes of d that are not active must keep their values
	settled bool // sets what is the same all through a launch

	d, a, b, e operand

	do      op
	uniform uniformOp // what do does, if it is that
	load    *wordLoad // what do does, if it is that
	unary   lanes.Unary
	binary  *lanes.Binary
	triple  *lanes.Ternary
	fill    func(d []uint32, s uint32)
	field   func(d, a []uint32, s, t uint32)
	term    *affineTerm
}

// op is an instruction that is a function of its own.
type op func(m *machine)

// shape says which loop an instruction runs, and on which operands; a scalar
// operand is uniform.
type shape uint8

const (
	function   shape = iota
	scalarFill       // d = scalar a
	vector           // unary
	vectorVector
	vectorScalar
	scalarVector
	vectorVectorVector
	vectorScalarVector
	vectorScalarScalar
	affineSum
)

// run executes an instruction that has a loop.
func (in *instr) run(m *machine) {
	d := m.operand(&in.d)
	masked := in.partial && !m.full
	if masked {
		d = m.scratch
	}
	switch in.shape {
	case scalarFill:
		in.fill(d, m.uni32[in.a.at])
	case vector:
		in.unary(d, m.operand(&in.a))
	case vectorVector:
		in.binary.VV(d, m.operand(&in.a), m.operand(&in.b))
	case vectorScalar:
		in.binary.VS(d, m.operand(&in.a), m.uni32[in.b.at])
	case scalarVector:
		in.binary.SV(d, m.uni32[in.a.at], m.operand(&in.b))
	case vectorVectorVector:
		in.triple.VVV(d, m.operand(&in.a), m.operand(&in.b), m.operand(&in.e))
	case vectorScalarVector:
		in.triple.VSV(d, m.operand(&in.a), m.uni32[in.b.at], m.operand(&in.e))
	case vectorScalarScalar:
		in.field(d, m.operand(&in.a), m.uni32[in.b.at], m.uni32[in.e.at])
	case affineSum:
		t := in.term
		m.p.table.Affine(d, m.lanes(t.q), m.lanes(t.s), m.lanes(t.c), m.lanes(t.x), m.lanes(t.e))
	}
	if masked {
		m.p.table.CopyMasked(m.operand(&in.d), m.mask, d)
	}
}

// into is the instruction with a destination.
func (in instr) into(d operand) instr {
	in.d = d
	return in
}

func (c *compiler) emit(in instr) { c.code = append(c.code, in) }

// do emits a function.
func (c *compiler) do(o op) { c.emit(instr{do: o}) }

// assign emits an instruction that sets a 32-bit register.
func (c *compiler) assign(r ir.Reg, in instr) {
	c.protect(r)
	at := c.define(r)
	in.d = operand{at: at.index}
	if !at.varying {
		in.d.kind = isUniform
	}
	in.partial = at.varying && c.p.kernel.Regs[r].Kind != ir.Temp
	c.emit(in)
}

// copied copies lanes.
func (c *compiler) copied(o operand, uniform bool) instr {
	if o.uniform() && !uniform {
		return instr{shape: scalarFill, fill: c.t.Fill, a: o}
	}
	return mapped(func(d, a []uint32) { copy(d, a) }, o)
}

// mapped applies a loop to an operand that is as uniform as the result.
func mapped(loop lanes.Unary, a operand) instr { return instr{shape: vector, unary: loop, a: a} }

// unary applies a loop to any operand.
func (c *compiler) unary(loop lanes.Unary, a operand, uniform bool) instr {
	if !uniform {
		a = c.spread(a)
	}
	return mapped(loop, a)
}

// zipped applies a loop to two operands for a result that is uniform or not.
func (c *compiler) zipped(loop *lanes.Binary, a, b operand, uniform bool) instr {
	in := instr{shape: vectorVector, binary: loop, a: a, b: b}
	switch {
	case uniform:
	case b.uniform():
		in.shape, in.a = vectorScalar, c.spread(a)
	case a.uniform():
		in.shape = scalarVector
	}
	return in
}

// tripled is zipped for a loop of a·b + e.
func (c *compiler) tripled(loop *lanes.Ternary, a, b, e operand, uniform bool) instr {
	if a.uniform() {
		a, b = b, a
	}
	in := instr{shape: vectorVectorVector, triple: loop, a: a, b: b, e: e}
	if !uniform {
		in.e = c.spread(e)
		if b.uniform() {
			in.shape, in.a = vectorScalarVector, c.spread(a)
		}
	}
	return in
}

// again applies a loop to a register in place.
func (c *compiler) again(r ir.Reg, loop lanes.Unary) {
	at := c.define(r)
	o := operand{at: at.index}
	if !at.varying {
		o.kind = isUniform
	}
	c.assign(r, mapped(loop, o))
}

// derived is what a loop makes of an operand.
func (c *compiler) derived(o operand, loop lanes.Unary) operand {
	d := operand{kind: isUniform, at: len(c.p.uni32)}
	if o.uniform() {
		c.p.uni32 = append(c.p.uni32, 0)
	} else {
		d = operand{at: c.scratch()}
	}
	c.emit(mapped(loop, o).into(d))
	return d
}

// compute emits code that computes a 32-bit register. f writes every lane
// of d from the same lanes of its operands; d may be an operand.
func (c *compiler) compute(r ir.Reg, f func(m *machine, d []uint32)) {
	c.protect(r)
	at := c.define(r)
	i := at.index
	switch {
	case !at.varying:
		c.do(func(m *machine) { f(m, m.uni32[i:i+1:i+1]) })
	case c.p.kernel.Regs[r].Kind == ir.Temp:
		c.do(func(m *machine) { f(m, m.lanes(i)) })
	default:
		c.do(func(m *machine) {
			if m.full {
				f(m, m.lanes(i))
				return
			}
			f(m, m.scratch)
			c.t.CopyMasked(m.lanes(i), m.mask, m.scratch)
		})
	}
}

// compute64 is compute for 64-bit registers.
func (c *compiler) compute64(r ir.Reg, f func(m *machine, d []uint64)) {
	c.protect(r)
	at := c.define(r)
	i := at.index
	switch {
	case !at.varying:
		c.do(func(m *machine) { f(m, m.uni64[i:i+1:i+1]) })
	case at.grouped:
		c.do(func(m *machine) { f(m, m.grouped(i)) })
	case c.p.kernel.Regs[r].Kind == ir.Temp:
		c.do(func(m *machine) { f(m, m.wide(i)) })
	default:
		c.do(func(m *machine) {
			if m.full {
				f(m, m.wide(i))
				return
			}
			f(m, m.scratch8)
			c.t.CopyMaskedQ(m.wide(i), m.mask, m.scratch8)
		})
	}
}
