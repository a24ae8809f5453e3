package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// Access compiles a memory operand.
func (c *Compiler) Access(in *ir.Instr) *machine.MemoryAccess {
	mem := in.Mem
	a := &machine.MemoryAccess{In: in, Disp: mem.Disp, Sign: mem.IndexSigned, Size: int64(in.From.Size()),
		Write: in.Op != ir.Load, Object: -1, Scalar: -1, Plus: -1}
	a.Log, _ = machine.Log2(a.Size)
	if a.Size < 8 && mem.Scale&(a.Size-1) == 0 {
		a.Mult = mem.Scale >> a.Log
	}
	a.Uniform = c.Uniform(mem.Base) && (mem.Index == ir.None || c.Uniform(mem.Index))
	if c.Uniform(mem.Base) {
		a.Fixed = analysis.KnownObject(c.P.Kernel, mem.Base, mem.Space) >= 0
		if a.Object = c.U.PointsInto(mem.Base, mem.Space); a.Object >= 0 {
			a.Origin = c.origin(a.Object)
		}
		a.Base64 = c.read(mem.Base).Index
	} else {
		if e := c.numbers[machine.ElementKey{Pointer: mem.Base, Size: a.Size}]; e != nil && c.counts(in) {
			a.Numbers, a.Object = e, e.Object
		}
		a.Base = c.arg64(mem.Base, false)
	}
	a.Unread = c.unread(a)
	if mem.Index != ir.None {
		c.index(a, mem)
	}
	if !a.Uniform {
		a.Offsets, a.Elements = c.scratch64(), c.scratch()
	}
	return a
}

func (c *Compiler) index(a *machine.MemoryAccess, mem *ir.Mem) {
	if c.P.Slots[mem.Index].Wide {
		a.Index64 = c.arg64(mem.Index, a.Uniform)
		return
	}
	if c.Uniform(mem.Index) {
		one := machine.Operand{Kind: machine.IsUniform, At: c.read(mem.Index).Index}
		a.Scalar = one.At
		a.Index32 = func(m *machine.Machine) []uint32 { return m.Elsewhere(&one) }
		if !a.Uniform {
			s := c.scratch()
			a.Index32 = func(m *machine.Machine) []uint32 {
				d := m.Lanes(s)
				c.t.Fill(d, m.Uni32[one.At])
				return d
			}
		}
		return
	}
	if d := c.peekPending(mem.Index); d != nil && d.Offset != nil {
		c.takePending(mem.Index)
		a.Index, a.Plus = d.Offset.X, d.Offset.Scalar
		s := c.scratch()
		a.Index32 = func(m *machine.Machine) []uint32 {
			lanes := m.Lanes(s)
			c.t.AddI.VS(lanes, m.Operand(&a.Index), m.Uni32[a.Plus])
			return lanes
		}
		return
	}
	a.Index = c.operand(mem.Index)
	a.Index32 = func(m *machine.Machine) []uint32 { return m.Operand(&a.Index) }
}
