package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// PrivateAccess compiles an operand in private memory.
func (c *Compiler) PrivateAccess(in *ir.Instr) *machine.PrivateAccess {
	a := &machine.PrivateAccess{MemoryAccess: *c.Access(in), Own: -1}
	if info := c.P.Kernel.Regs[in.Mem.Base]; info.Kind == ir.Address {
		a.Own = info.Index
	}
	return a
}

// Row is an operand that is a row of private memory.
func Row(a *machine.PrivateAccess, c *Compiler, extra int64) machine.Operand {
	r := &machine.Row{Access: a, Extra: extra}
	if mem := a.In.Mem; a.Own >= 0 && a.Scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0 {
		r.First, r.Size = c.P.PrivateBase[a.Own], c.P.Kernel.Objects[a.Own].Size/4
		r.Scalar, r.Shift, r.Signed = a.Scalar, (mem.Disp+extra)/4, mem.IndexSigned
	}
	return machine.Operand{Kind: machine.InRow, Row: r}
}

func (c *Compiler) loadPrivate(in *ir.Instr) {
	a := c.PrivateAccess(in)
	size, decode := int(a.Size), machine.Decode32(in.From)
	for k, r := range in.Dst {
		extra := int64(k) * a.Size
		if a.Uniform && size == 4 {
			row := Row(a, c, extra)
			if len(in.Dst) == 1 && c.Does(machine.PassRowsInPlace) && c.defers(r) {
				c.put(&machine.Pending{Reg: r, View: &row, Private: true}, in.Reads()...)
				return
			}
			c.assign(r, c.copied(row, c.Uniform(r)))
			continue
		}
		if a.Indexed() && decode == nil {
			c.compute(r, func(m *machine.Machine, d []uint32) {
				if m.N == 1 && m.P.Does(machine.PassSingleLaneBranches) {
					a.Slowly(m, extra, func(_ int, w *uint32) { d[0] = *w })
					return
				}
				idx, at, ok := a.Words(m, extra)
				if !ok || c.t.Gather32(d, m.Private, idx, m.Mask, at) < m.N {
					a.Slowly(m, extra, func(l int, w *uint32) { d[l] = *w })
				}
			})
			continue
		}
		if a.Uniform && size < 4 && c.Does(machine.PassNarrowRows) {
			c.loadPart(a, r, extra)
			continue
		}
		read := func(m *machine.Machine, set func(l int, v uint64)) {
			if a.Uniform {
				off := a.One(m, extra)
				for l := range m.N {
					set(l, m.RawPrivate(off, size, l))
				}
				return
			}
			a.Many(m, extra)
			for l, on := range m.Mask {
				if on != 0 {
					set(l, m.RawPrivate(m.Addr[l], size, l))
				}
			}
		}
		if size == 8 {
			c.compute64(r, func(m *machine.Machine, d []uint64) { read(m, func(l int, v uint64) { d[l] = v }) })
			continue
		}
		c.compute(r, func(m *machine.Machine, d []uint32) {
			read(m, func(l int, v uint64) {
				d[l] = uint32(v)
				if decode != nil {
					d[l] = decode(d[l])
				}
			})
		})
	}
}

func (c *Compiler) storePrivate(in *ir.Instr) {
	a := c.PrivateAccess(in)
	size, encode := int(a.Size), machine.Encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.Size
		seen := c.Punned(a.Own) && c.Made[r] // the bits of a NaN are
		if a.Uniform && size == 4 {
			c.storeRow(Row(a, c, extra), r, seen)
			continue
		}
		if a.Indexed() && encode == nil {
			v := c.arg(r, false)
			if seen {
				v = vec(c.quieted(r), c, false)
			}
			c.protectPrivate()
			c.Do(func(m *machine.Machine) {
				v := v(m)
				idx, at, ok := a.Words(m, extra)
				if !ok || c.t.Scatter32(m.Private, idx, m.Mask, v, at) < m.N {
					a.Slowly(m, extra, func(l int, w *uint32) { *w = v[l] })
				}
			})
			continue
		}
		read := c.Values
		if c.Punned(a.Own) {
			read = c.stored
		}
		value := read(r, false, encode)
		c.protectPrivate()
		if a.Uniform && size < 4 {
			c.storePart(a, value, extra)
			continue
		}
		c.Do(func(m *machine.Machine) {
			if a.Uniform {
				off := a.One(m, extra)
				v := value(m)
				for l, on := range m.Mask {
					if on != 0 {
						m.SetRawPrivate(off, size, l, v.At(l))
					}
				}
				return
			}
			v := value(m)
			a.Many(m, extra)
			for l, on := range m.Mask {
				if on != 0 {
					m.SetRawPrivate(m.Addr[l], size, l, v.At(l))
				}
			}
		})
	}
}

// storeRow writes a row, computing a waiting value straight into it, unless each NaN has to get the same bits.
func (c *Compiler) storeRow(row machine.Operand, r ir.Reg, quiet bool) {
	var in machine.Instr
	if quiet {
		in = c.unary(c.t.QuietNaN, c.operand(r), false)
	} else if w := c.takeWhole(r); w != nil {
		in = w.In
	} else {
		in = c.copied(c.operand(r), false)
	}
	c.protectPrivate()
	in.Partial = true
	c.emit(in.Into(row))
}
