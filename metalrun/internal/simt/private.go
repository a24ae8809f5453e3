package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// Private memory is words of all lanes side by side: byte off of lane l is in
// word off/4 at private[(off/4)*n + l]. An element of 4 bytes at a uniform
// offset is a row, used in place.

// privateAccess addresses private memory. Offsets count from the start of the
// thread's private memory, objects one after another.
type privateAccess struct {
	access
	own int // the kernel's object, if known; otherwise -1
}

func (c *compiler) privateAccess(in *ir.Instr) *privateAccess {
	a := &privateAccess{access: *c.access(in), own: -1}
	if info := c.p.kernel.Regs[in.Mem.Base]; info.Kind == ir.Address {
		a.own = info.Index
	}
	return a
}

// at gives the word offset of the object that a pointer points into, its size
// in bytes, and the pointer's offset.
func (a *privateAccess) at(m *machine, pointer uint64, lane int) (object int, off int64) {
	if a.own >= 0 {
		return a.own, 0
	}
	n, off := split(pointer)
	if n < ir.FirstObject || n-ir.FirstObject >= len(m.p.privateBase) {
		m.fail(Astray, a.in.Pos, lane, "access through a null pointer or one that points to no object")
	}
	return n - ir.FirstObject, off
}

// offset checks one lane's offset in an object and gives it in private memory.
func (a *privateAccess) offset(m *machine, object int, off int64, lane int) int64 {
	size := int64(m.p.kernel.Objects[object].Size)
	if uint64(off) > uint64(size-a.size) || size < a.size || off&(a.size-1) != 0 {
		m.outOfRange(&a.access, off, &memory{size: size}, uint64(object+ir.FirstObject)<<ir.ObjectShift, lane)
	}
	return int64(m.p.privateBase[object])*4 + off
}

// one is the offset in private memory of a uniform access.
func (a *privateAccess) one(m *machine, extra int64) int64 {
	var pointer uint64
	if a.own < 0 {
		pointer = m.uni64[a.base64]
	}
	object, off := a.at(m, pointer, 0)
	size := int64(m.p.kernel.Objects[object].Size)
	off += a.step(m, 0) + extra
	if uint64(off) > uint64(size-a.size) || size < a.size || off&(a.size-1) != 0 {
		a.offset(m, object, off, m.firstActive())
	}
	return int64(m.p.privateBase[object])*4 + off
}

// many fills m.addr with the offsets in private memory of the active lanes.
func (a *privateAccess) many(m *machine, extra int64) {
	m.costly += 2 * lanewise
	a.steps(m, extra)
	var base []uint64
	if a.base != nil {
		base = a.base(m)
	}
	object, last := -1, uint64(0) // most lanes mean the object that the one before means
	var off, first, end int64
	for l, on := range m.mask {
		if on == 0 {
			continue
		}
		var pointer uint64
		if base != nil {
			pointer = base[l]
		} else {
			pointer = m.uni64[a.base64]
		}
		if object < 0 || pointer != last {
			object, off = a.at(m, pointer, l)
			last, first, end = pointer, int64(m.p.privateBase[object])*4, int64(m.p.kernel.Objects[object].Size)-a.size
		}
		at := off + m.addr[l]
		if uint64(at) > uint64(end) || end < 0 || at&(a.size-1) != 0 {
			a.offset(m, object, at, l) // which says what is wrong
		}
		m.addr[l] = first + at
	}
}

// row is a 4-byte element at a uniform offset: a row of all lanes.
type row struct {
	access *privateAccess
	extra  int64

	// The common form: element scalar + shift of size words from first on. A size
	// of 0 leaves all to the access.
	first, size, scalar int
	shift               int64
	signed              bool
}

func (a *privateAccess) row(c *compiler, extra int64) operand {
	r := &row{access: a, extra: extra}
	if mem := a.in.Mem; a.own >= 0 && a.scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0 {
		r.first, r.size = c.p.privateBase[a.own], c.p.kernel.Objects[a.own].Size/4
		r.scalar, r.shift, r.signed = a.scalar, (mem.Disp+extra)/4, mem.IndexSigned
	}
	return operand{kind: inRow, row: r}
}

func (r *row) lanes(m *machine) []uint32 {
	if r.size > 0 {
		if i := wordIndex(m.uni32[r.scalar], r.signed) + r.shift; uint64(i) < uint64(r.size) {
			w := (r.first + int(i)) * m.stride
			return m.private[w : w+m.n : w+m.n]
		}
	}
	w := int(r.access.one(m, r.extra)>>2) * m.stride
	return m.private[w : w+m.n : w+m.n]
}

// indexed reports whether the access is of words of one array by a 32-bit index
// that varies.
func (a *privateAccess) indexed() bool {
	mem := a.in.Mem
	return a.own >= 0 && !a.uniform && a.index64 == nil && a.size == 4 && mem.Scale == 4 && mem.Disp%4 == 0
}

// words numbers the words of private memory that the lanes mean. ok is false if
// the general path has to be taken.
func (a *privateAccess) words(m *machine, extra int64) (idx []uint32, at lanes.Index, ok bool) {
	size, shift := int64(m.p.kernel.Objects[a.own].Size)/4, (a.in.Mem.Disp+extra)/4
	in, ok := rangeOf(size, shift, 1, a.in.Mem.IndexSigned)
	if !ok {
		return nil, at, false
	}
	t, d := m.p.table, m.lanes(a.elements)
	t.SubI.VS(d, a.index32(m), in.Lo)
	t.LtU.VS(m.scratch, d, in.Count)
	if t.AndNotMask(m.scratch, m.mask, m.scratch) > 0 {
		return nil, at, false
	}
	t.MulI.VS(d, d, uint32(m.stride))
	t.AddI.VV(d, d, m.iota)
	first := (m.p.privateBase[a.own] + int(in.First)) * m.stride
	return d, lanes.Index{Count: in.Count * uint32(m.stride), Mult: 1, First: uint32(first)}, true
}

// slowly visits the word of every active lane.
func (a *privateAccess) slowly(m *machine, extra int64, visit func(l int, w *uint32)) {
	a.many(m, extra)
	for l, on := range m.mask {
		if on != 0 {
			visit(l, &m.private[int(m.addr[l]>>2)*m.stride+l])
		}
	}
}

// raw and setRaw read and write an element of one lane.
func (m *machine) rawPrivate(off int64, size, lane int) uint64 {
	w := &m.private[int(off>>2)*m.stride+lane]
	shift := uint(off&3) * 8
	switch size {
	case 1:
		return uint64(*w >> shift & 0xff)
	case 2:
		return uint64(*w >> shift & 0xffff)
	case 4:
		return uint64(*w)
	}
	return uint64(*w) | uint64(m.private[int(off>>2+1)*m.stride+lane])<<32
}

func (m *machine) setRawPrivate(off int64, size, lane int, v uint64) {
	w := &m.private[int(off>>2)*m.stride+lane]
	shift := uint(off&3) * 8
	switch size {
	case 1:
		*w = *w&^(0xff<<shift) | uint32(v&0xff)<<shift
	case 2:
		*w = *w&^(0xffff<<shift) | uint32(v&0xffff)<<shift
	case 4:
		*w = uint32(v)
	default:
		*w = uint32(v)
		m.private[int(off>>2+1)*m.stride+lane] = uint32(v >> 32)
	}
}

func (c *compiler) loadPrivate(in *ir.Instr) {
	a := c.privateAccess(in)
	size, decode := int(a.size), decode32(in.From)
	for k, r := range in.Dst {
		extra := int64(k) * a.size
		if a.uniform && size == 4 {
			row := a.row(c, extra)
			if len(in.Dst) == 1 && c.does(passRowsInPlace) && c.defers(r) {
				c.put(&deferred{reg: r, view: &row, private: true}, in.Reads()...)
				return
			}
			c.assign(r, c.copied(row, c.uniform(r)))
			continue
		}
		if a.indexed() && decode == nil {
			c.compute(r, func(m *machine, d []uint32) {
				if m.n == 1 && m.p.does(passSingleLaneBranches) {
					a.slowly(m, extra, func(_ int, w *uint32) { d[0] = *w })
					return
				}
				idx, at, ok := a.words(m, extra)
				if !ok || c.t.Gather32(d, m.private, idx, m.mask, at) < m.n {
					a.slowly(m, extra, func(l int, w *uint32) { d[l] = *w })
				}
			})
			continue
		}
		if a.uniform && size < 4 && c.does(passNarrowRows) {
			c.loadPart(a, r, extra)
			continue
		}
		read := func(m *machine, set func(l int, v uint64)) {
			if a.uniform {
				off := a.one(m, extra)
				for l := range m.n {
					set(l, m.rawPrivate(off, size, l))
				}
				return
			}
			a.many(m, extra)
			for l, on := range m.mask {
				if on != 0 {
					set(l, m.rawPrivate(m.addr[l], size, l))
				}
			}
		}
		if size == 8 {
			c.compute64(r, func(m *machine, d []uint64) { read(m, func(l int, v uint64) { d[l] = v }) })
			continue
		}
		c.compute(r, func(m *machine, d []uint32) {
			read(m, func(l int, v uint64) {
				d[l] = uint32(v)
				if decode != nil {
					d[l] = decode(d[l])
				}
			})
		})
	}
}

func (c *compiler) storePrivate(in *ir.Instr) {
	a := c.privateAccess(in)
	size, encode := int(a.size), encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.size
		seen := c.punned(a.own) && c.made[r] // the bits of a NaN are
		if a.uniform && size == 4 {
			c.storeRow(a.row(c, extra), r, seen)
			continue
		}
		if a.indexed() && encode == nil {
			v := c.arg(r, false)
			if seen {
				v = c.quieted(r).vec(c, false)
			}
			c.protectPrivate()
			c.do(func(m *machine) {
				v := v(m)
				idx, at, ok := a.words(m, extra)
				if !ok || c.t.Scatter32(m.private, idx, m.mask, v, at) < m.n {
					a.slowly(m, extra, func(l int, w *uint32) { *w = v[l] })
				}
			})
			continue
		}
		read := c.values
		if c.punned(a.own) {
			read = c.stored
		}
		value := read(r, false, encode)
		c.protectPrivate()
		if a.uniform && size < 4 {
			c.storePart(a, value, extra)
			continue
		}
		c.do(func(m *machine) {
			if a.uniform {
				off := a.one(m, extra)
				v := value(m)
				for l, on := range m.mask {
					if on != 0 {
						m.setRawPrivate(off, size, l, v.at(l))
					}
				}
				return
			}
			v := value(m)
			a.many(m, extra)
			for l, on := range m.mask {
				if on != 0 {
					m.setRawPrivate(m.addr[l], size, l, v.at(l))
				}
			}
		})
	}
}

// storeRow writes a row, computing a waiting value straight into it, unless each NaN has to get the same bits.
func (c *compiler) storeRow(row operand, r ir.Reg, quiet bool) {
	var in instr
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
