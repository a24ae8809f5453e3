package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/scalar"
	"metalconform/metalrun/internal/syntax"
)

// halfToLane is a binary16 value as f32 bits.
func halfToLane(bits uint32) uint32 { return f32bits(scalar.FromHalfBits(uint16(bits))) }

// decode32 turns the raw bits of an element into its lane value.
func decode32(s ir.Scalar) func(raw uint32) uint32 {
	switch s {
	case ir.B8:
		return func(v uint32) uint32 { return lane(v != 0) }
	case ir.S8:
		return func(v uint32) uint32 { return uint32(int32(int8(v))) }
	case ir.S16:
		return func(v uint32) uint32 { return uint32(int32(int16(v))) }
	case ir.H16:
		return halfToLane
	case ir.T16:
		return func(v uint32) uint32 { return v << 16 }
	}
	return nil // the lane value is the raw value
}

// encode32 turns a lane value into the raw bits of an element.
func encode32(s ir.Scalar) func(lane uint32) uint32 {
	switch s {
	case ir.B8:
		return func(v uint32) uint32 { return v & 1 }
	case ir.H16:
		return func(v uint32) uint32 { return uint32(scalar.HalfBits(f32frombits(v))) }
	case ir.T16:
		return func(v uint32) uint32 { return uint32(scalar.BfloatBits(f32frombits(v))) }
	}
	return nil
}

// load compiles a load of one or more consecutive elements.
func (c *compiler) load(in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		c.loadPrivate(in)
		return
	}
	a := c.access(in)
	for k, r := range in.Dst {
		extra := int64(k) * a.size
		shift, fast := a.inWords(extra)
		switch {
		case in.From.Size() == 8:
			c.into64(r, a.load64(extra, c.uniform(r)))
		case a.uniform:
			c.loadOne(a, r, extra)
		case fast:
			c.into(r, a.loadWords(shift))
		default:
			c.into(r, a.loadLanes(extra))
		}
	}
}

// loadOne compiles a load from one address for all threads.
func (c *compiler) loadOne(a *access, r ir.Reg, extra int64) {
	decode, size := decode32(a.in.From), int(a.size)
	shift, fast := a.inWords(extra)
	if signed := a.in.Mem.IndexSigned; fast && c.uniform(r) {
		c.protect(r)
		d := c.define(r).index
		c.emit(func(m *machine) {
			words, i := m.objects[a.object].words, wordIndex(m.uni32[a.scalar], signed)+shift
			if uint64(i) >= uint64(len(words)) {
				a.one(m, extra)
			}
			m.uni32[d] = words[i]
		})
		return
	}
	if a.loadsWord(decode) && c.uniform(r) {
		c.loadWord(a, r, extra)
		return
	}
	c.into(r, func(m *machine, d []uint32) {
		mem, off := a.one(m, extra)
		v := uint32(mem.raw(off, size))
		if decode != nil {
			v = decode(v)
		}
		fill(d, v)
	})
}

// loadsWord reports whether the access is of one word through a uniform pointer
// that a program computed, by a uniform 32-bit index of words.
func (a *access) loadsWord(decode func(uint32) uint32) bool {
	mem := a.in.Mem
	return decode == nil && a.size == 4 && a.object < 0 && a.scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0
}

// loadWord compiles such a load. Whatever is wrong with the address is left to
// the general path to report.
func (c *compiler) loadWord(a *access, r ir.Reg, extra int64) {
	c.protect(r)
	d, mem, shift := c.define(r).index, a.in.Mem, (a.in.Mem.Disp+extra)/4
	first := -ir.FirstArg
	if mem.Space == syntax.Threadgroup {
		first += firstThreadgroup
	}
	c.emit(func(m *machine) {
		n, at := split(m.uni64[a.base64])
		if n > 0 && n < ir.FirstArg+firstThreadgroup && at&3 == 0 {
			words, i := m.objects[first+n].words, wordIndex(m.uni32[a.scalar], mem.IndexSigned)+at>>2+shift
			if uint64(i) < uint64(len(words)) {
				m.uni32[d] = words[i]
				return
			}
		}
		from, off := a.one(m, extra)
		m.uni32[d] = uint32(from.raw(off, 4))
	})
}

// loadWords is the hot gather.
func (a *access) loadWords(shift int64) func(m *machine, d []uint32) {
	signed := a.in.Mem.IndexSigned
	return func(m *machine, d []uint32) {
		mem := &m.objects[a.object]
		words, idx, mask := mem.words, a.index32(m)[:len(d)], m.mask[:len(d)]
		for l := range d {
			i := wordIndex(idx[l], signed) + shift
			if uint64(i) < uint64(len(words)) {
				d[l] = words[i]
			} else if mask[l] != 0 {
				m.outOfRange(a, i*4, mem, m.uni64[a.base64], l)
			}
		}
	}
}

// loadLanes reads 1-, 2- and 4-byte elements at any address.
func (a *access) loadLanes(extra int64) func(m *machine, d []uint32) {
	decode := decode32(a.in.From)
	return func(m *machine, d []uint32) {
		if mem, ok := a.many(m, extra); ok {
			a.gather(m, mem, d)
		} else {
			for l, on := range m.mask {
				if on != 0 {
					mem, off := a.lane(m, l, extra)
					d[l] = uint32(mem.raw(off, int(a.size)))
				}
			}
		}
		if decode != nil {
			for l, v := range d {
				d[l] = decode(v)
			}
		}
	}
}

func (a *access) gather(m *machine, mem *memory, d []uint32) {
	mask, addr := m.mask[:len(d)], m.addr[:len(d)]
	switch a.size {
	case 1:
		for l, on := range mask {
			if on != 0 {
				d[l] = uint32(mem.bytes[addr[l]])
			}
		}
	case 2:
		for l, on := range mask {
			if on != 0 {
				d[l] = uint32(mem.halves[addr[l]>>1])
			}
		}
	default:
		for l, on := range mask {
			if on != 0 {
				d[l] = mem.words[addr[l]>>2]
			}
		}
	}
}

func (a *access) load64(extra int64, uniform bool) func(m *machine, d []uint64) {
	if a.uniform {
		return func(m *machine, d []uint64) {
			mem, off := a.one(m, extra)
			v := mem.raw(off, 8)
			for l := range d {
				d[l] = v
			}
		}
	}
	return func(m *machine, d []uint64) {
		mem, ok := a.many(m, extra)
		for l, on := range m.mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.addr[l]
			if !ok {
				at, off = a.lane(m, l, extra)
			}
			d[l] = at.raw(off, 8)
		}
	}
}

// store compiles a store of one or more consecutive elements. Where several
// lanes write one address the highest lane's value stays.
func (c *compiler) store(in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		c.storePrivate(in)
		return
	}
	a := c.access(in)
	size, encode := int(a.size), encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.size
		wide := c.p.places[r].wide
		one := a.uniform && c.uniform(r)
		if !a.uniform && size == 4 && encode == nil {
			v := c.arg(r, false)
			c.emit(func(m *machine) { a.scatterWords(m, extra, v(m)) })
			continue
		}
		value := c.values(r, one, wide, encode)
		if one {
			c.emit(func(m *machine) {
				mem, off := a.one(m, extra)
				m.writable(a, mem)
				mem.setRaw(off, size, value(m)(0))
			})
			continue
		}
		c.emit(func(m *machine) { a.scatter(m, extra, value(m)) })
	}
}

// values gives the raw bits to store, lane by lane.
func (c *compiler) values(r ir.Reg, uniform, wide bool, encode func(uint32) uint32) func(m *machine) func(lane int) uint64 {
	if wide {
		v := c.arg64(r, uniform)
		return func(m *machine) func(int) uint64 {
			x := v(m)
			return func(l int) uint64 { return x[l] }
		}
	}
	v := c.arg(r, uniform)
	if encode != nil {
		return func(m *machine) func(int) uint64 {
			x := v(m)
			return func(l int) uint64 { return uint64(encode(x[l])) }
		}
	}
	return func(m *machine) func(int) uint64 {
		x := v(m)
		return func(l int) uint64 { return uint64(x[l]) }
	}
}

func (a *access) scatter(m *machine, extra int64, value func(lane int) uint64) {
	size := int(a.size)
	if a.uniform {
		mem, off := a.one(m, extra)
		m.writable(a, mem)
		for l := m.n - 1; l >= 0; l-- {
			if m.mask[l] != 0 {
				mem.setRaw(off, size, value(l))
				return
			}
		}
		return
	}
	mem, ok := a.many(m, extra)
	if ok {
		m.writable(a, mem)
	}
	for l, on := range m.mask {
		if on == 0 {
			continue
		}
		at, off := mem, m.addr[l]
		if !ok {
			at, off = a.lane(m, l, extra)
			m.writable(a, at)
		}
		at.setRaw(off, size, value(l))
	}
}

// scatterWords is the hot scatter: 4-byte elements of one object.
func (a *access) scatterWords(m *machine, extra int64, v []uint32) {
	mem, ok := a.many(m, extra)
	if !ok {
		for l, on := range m.mask {
			if on != 0 {
				at, off := a.lane(m, l, extra)
				m.writable(a, at)
				at.words[off>>2] = v[l]
			}
		}
		return
	}
	m.writable(a, mem)
	words, addr, mask := mem.words, m.addr[:len(v)], m.mask[:len(v)]
	for l, x := range v {
		if mask[l] != 0 {
			words[addr[l]>>2] = x
		}
	}
}

func (m *machine) writable(a *access, mem *memory) {
	if mem.readOnly {
		m.fail(a.in.Pos, m.firstActive(), "write to memory that the host bound read-only")
	}
}
