package machine

import (
	"metalconform/metalrun/internal/ir"
)

func (c *Compiler) PrivateAccess(in *ir.Instr) *PrivateAccess {
	a := &PrivateAccess{MemoryAccess: *c.Access(in), own: -1}
	if info := c.P.Kernel.Regs[in.Mem.Base]; info.Kind == ir.Address {
		a.own = info.Index
	}
	return a
}

func (a *PrivateAccess) Row(c *Compiler, extra int64) Operand {
	r := &row{access: a, extra: extra}
	if mem := a.In.Mem; a.own >= 0 && a.Scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0 {
		r.First, r.Size = c.P.PrivateBase[a.own], c.P.Kernel.Objects[a.own].Size/4
		r.scalar, r.shift, r.signed = a.Scalar, (mem.Disp+extra)/4, mem.IndexSigned
	}
	return Operand{kind: inRow, Row: r}
}

func (c *Compiler) loadPrivate(in *ir.Instr) {
	a := c.PrivateAccess(in)
	size, decode := int(a.Size), Decode32(in.From)
	for k, r := range in.Dst {
		extra := int64(k) * a.Size
		if a.Uniform && size == 4 {
			row := a.Row(c, extra)
			if len(in.Dst) == 1 && c.Does(passRowsInPlace) && c.defers(r) {
				c.put(&deferred{reg: r, view: &row, private: true}, in.Reads()...)
				return
			}
			c.assign(r, c.copied(row, c.Uniform(r)))
			continue
		}
		if a.indexed() && decode == nil {
			c.compute(r, func(m *Machine, d []uint32) {
				if m.N == 1 && m.P.Does(passSingleLaneBranches) {
					a.slowly(m, extra, func(_ int, w *uint32) { d[0] = *w })
					return
				}
				idx, at, ok := a.words(m, extra)
				if !ok || c.t.Gather32(d, m.Private, idx, m.Mask, at) < m.N {
					a.slowly(m, extra, func(l int, w *uint32) { d[l] = *w })
				}
			})
			continue
		}
		if a.Uniform && size < 4 && c.Does(passNarrowRows) {
			c.loadPart(a, r, extra)
			continue
		}
		read := func(m *Machine, set func(l int, v uint64)) {
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
			c.compute64(r, func(m *Machine, d []uint64) { read(m, func(l int, v uint64) { d[l] = v }) })
			continue
		}
		c.compute(r, func(m *Machine, d []uint32) {
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
	size, encode := int(a.Size), Encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.Size
		seen := c.punned(a.own) && c.made[r] // the bits of a NaN are
		if a.Uniform && size == 4 {
			c.storeRow(a.Row(c, extra), r, seen)
			continue
		}
		if a.indexed() && encode == nil {
			v := c.arg(r, false)
			if seen {
				v = c.quieted(r).vec(c, false)
			}
			c.protectPrivate()
			c.Do(func(m *Machine) {
				v := v(m)
				idx, at, ok := a.words(m, extra)
				if !ok || c.t.Scatter32(m.Private, idx, m.Mask, v, at) < m.N {
					a.slowly(m, extra, func(l int, w *uint32) { *w = v[l] })
				}
			})
			continue
		}
		read := c.Values
		if c.punned(a.own) {
			read = c.stored
		}
		value := read(r, false, encode)
		c.protectPrivate()
		if a.Uniform && size < 4 {
			c.storePart(a, value, extra)
			continue
		}
		c.Do(func(m *Machine) {
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
func (c *Compiler) storeRow(row Operand, r ir.Reg, quiet bool) {
	var in Instr
	if quiet {
		in = c.unary(c.t.QuietNaN, c.operand(r), false)
	} else if w := c.takeWhole(r); w != nil {
		in = w.in
	} else {
		in = c.copied(c.operand(r), false)
	}
	c.protectPrivate()
	in.partial = true
	c.emit(in.into(row))
}
