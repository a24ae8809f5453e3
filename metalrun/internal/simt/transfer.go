package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
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
	if c.lookup(in) {
		return
	}
	a := c.access(in)
	if !a.uniform && in.From.Size() < 8 {
		c.loadLanes(a, in.Dst)
		return
	}
	for k, r := range in.Dst {
		extra := int64(k) * a.size
		if in.From.Size() == 8 {
			c.compute64(r, a.load64(extra))
		} else {
			c.loadOne(a, r, extra)
		}
	}
}

// loadOne compiles a load from one address for all threads.
func (c *compiler) loadOne(a *access, r ir.Reg, extra int64) {
	decode, size := decode32(a.in.From), int(a.size)
	if c.uniform(r) && decode == nil && c.loadFixed(a, r, extra) {
		return
	}
	shift, fast := a.inWords(extra)
	if signed := a.in.Mem.IndexSigned; fast && c.uniform(r) {
		c.protect(r)
		d := c.define(r).index
		c.emit(instr{load: &wordLoad{a, extra, d}, do: func(m *machine) {
			mem := &m.objects[a.object]
			words, i := mem.words, mem.word(wordIndex(m.uni32[a.scalar], signed)+shift)
			if uint64(i) >= uint64(len(words)) {
				a.one(m, extra)
			}
			m.uni32[d] = words[i]
		}})
		return
	}
	if a.loadsWord(decode) && c.uniform(r) {
		c.loadWord(a, r, extra)
		return
	}
	c.compute(r, func(m *machine, d []uint32) {
		mem, off := a.one(m, extra)
		v := uint32(mem.raw(off, size))
		if decode != nil {
			v = decode(v)
		}
		fill(d, v)
	})
}

// loadFixed compiles a load of a word at a fixed offset of a known object and
// reports whether it is one.
func (c *compiler) loadFixed(a *access, r ir.Reg, extra int64) bool {
	at := a.in.Mem.Disp + extra
	if a.size != 4 || !a.fixed || a.in.Mem.Index != ir.None || at < 0 || at%4 != 0 {
		return false
	}
	c.protect(r)
	d, i := c.define(r).index, at/4
	c.do(func(m *machine) {
		mem := &m.objects[a.object]
		at := mem.word(i)
		if uint64(at) >= uint64(len(mem.words)) {
			a.one(m, extra)
		}
		m.uni32[d] = mem.words[at]
	})
	return true
}

// loadsWord reports whether the access is of one word through a uniform pointer
// that a program computed, by a uniform 32-bit index of words.
func (a *access) loadsWord(decode func(uint32) uint32) bool {
	mem := a.in.Mem
	return decode == nil && a.size == 4 && !a.fixed && a.scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0
}

// loadWord compiles such a load. Whatever is wrong with the address is left to
// the general path to report.
func (c *compiler) loadWord(a *access, r ir.Reg, extra int64) {
	c.protect(r)
	d, mem, shift := c.define(r).index, a.in.Mem, (a.in.Mem.Disp+extra)/4
	c.emit(instr{load: &wordLoad{a, extra, d}, do: func(m *machine) {
		if from, at, ok := a.whence(m); ok && at&3 == 0 {
			i := wordIndex(m.uni32[a.scalar], mem.IndexSigned) + at>>2 + shift
			if uint64(i) < uint64(len(from.words)) {
				m.uni32[d] = from.words[i]
				return
			}
		}
		from, off := a.one(m, extra)
		m.uni32[d] = uint32(from.raw(off, 4))
	}})
}

// gatherOf is the gather that reads elements of a type as lane values, or nil.
func gatherOf(t *lanes.Table, s ir.Scalar) lanes.Gather {
	switch s {
	case ir.U8:
		return t.Gather8
	case ir.U16:
		return t.Gather16
	case ir.H16:
		return t.GatherHalf
	case ir.T16:
		return t.GatherBfloat
	case ir.S32, ir.U32, ir.R32:
		return t.Gather32
	}
	return nil
}

// wideningOf is gatherOf for narrow elements that follow each other.
func wideningOf(t *lanes.Table, s ir.Scalar) lanes.Widening {
	switch s {
	case ir.U8:
		return t.Widen8
	case ir.U16:
		return t.Widen16
	case ir.H16:
		return t.WidenHalf
	case ir.T16:
		return t.WidenBfloat
	}
	return nil
}

// loadLanes compiles a load from an address per lane: all its elements at once
// if they go to temporaries and lie in one object.
func (c *compiler) loadLanes(a *access, dst []ir.Reg) {
	gather := gatherOf(c.t, a.in.From)
	temps := !slices.ContainsFunc(dst, func(r ir.Reg) bool { return c.p.kernel.Regs[r].Kind != ir.Temp })
	if gather == nil || !temps {
		for k, r := range dst {
			c.compute(r, a.gatherOne(gather, k, len(dst)))
		}
		return
	}
	if r := dst[0]; c.does(passLoadsInPlace) && len(dst) == 1 && a.size == 4 && c.consecutive(a) && c.defers(r) && c.u.Reads(r) == 1 {
		s := c.scratch()
		view := operand{kind: inMemory, run: &run{access: a, pace: c.pace(), slot: s, gather: a.gatherInto(gather, []int{s})}}
		c.put(&deferred{reg: r, view: &view, memory: true}, a.in.Reads()...)
		return
	}
	slots := make([]int, len(dst))
	for k, r := range dst {
		slots[k] = c.define(r).index
	}
	load := a.gatherInto(gather, slots)
	if widen := wideningOf(c.t, a.in.From); c.does(passNarrowRuns) && len(dst) == 1 && widen != nil && c.consecutive(a) {
		load = a.loadWidened(widen, slots[0], c.pace(), load)
	}
	c.do(load)
}

// gatherInto loads the elements of each lane into slots.
func (a *access) gatherInto(gather lanes.Gather, slots []int) op {
	count, slow := int64(len(slots)), a.loadSlowly()
	return func(m *machine) {
		if mem, idx, at, ok := a.locate(m, count); ok && m.gatherOnce(gather, m.lanes(slots[0]), mem, idx, at) == m.n {
			for _, s := range slots[1:] {
				at.First++
				m.gatherOnce(gather, m.lanes(s), mem, idx, at)
			}
			return
		}
		for k, s := range slots {
			slow(m, m.lanes(s), int64(k)*a.size)
		}
	}
}

// gatherOne loads element k of the count that follow each other for each lane.
func (a *access) gatherOne(gather lanes.Gather, k, count int) func(m *machine, d []uint32) {
	slow := a.loadSlowly()
	return func(m *machine, d []uint32) {
		if gather != nil {
			if mem, idx, at, ok := a.locate(m, int64(count)); ok {
				at.First += uint32(k)
				if m.gatherOnce(gather, d, mem, idx, at) == m.n {
					return
				}
			}
		}
		slow(m, d, int64(k)*a.size)
	}
}

// loadSlowly reads 1-, 2- and 4-byte elements lane by lane.
func (a *access) loadSlowly() func(m *machine, d []uint32, extra int64) {
	decode := decode32(a.in.From)
	return func(m *machine, d []uint32, extra int64) {
		mem, ok := a.many(m, extra)
		for l, on := range m.mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.addr[l]
			if !ok {
				at, off = a.lane(m, l, extra)
			}
			d[l] = uint32(at.raw(off, int(a.size)))
			if decode != nil {
				d[l] = decode(d[l])
			}
		}
	}
}

func (a *access) load64(extra int64) func(m *machine, d []uint64) {
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
	if !a.uniform && in.From.Size() < 8 {
		c.storeLanes(a, in.Args)
		return
	}
	size, encode := int(a.size), encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.size
		one := a.uniform && c.uniform(r)
		value := c.stored(r, one, encode)
		c.protectMemory()
		if one {
			c.do(func(m *machine) {
				mem, off := a.one(m, extra)
				m.writable(a, mem)
				v := value(m)
				mem.setRaw(off, size, v.at(0))
			})
			continue
		}
		c.do(func(m *machine) { a.scatter(m, extra, value(m)) })
	}
}

// storeLanes compiles a store to an address per lane. A run of words is computed where it is to lie.
func (c *compiler) storeLanes(a *access, args []ir.Reg) {
	scatter := map[int64]lanes.Scatter{1: c.t.Scatter8, 2: c.t.Scatter16, 4: c.t.Scatter32}[a.size]
	for k, r := range args {
		v, encode, slow := c.arg(r, false), c.encoder(a.in.From, r), a.storeSlowly()
		extra := int64(k) * a.size
		c.protectMemory()
		pace := c.pace()
		run, s := c.does(passStoresInPlace) && len(args) == 1 && a.size == 4 && c.consecutive(a), c.scratch()
		c.do(func(m *machine) {
			v := v(m)
			if run {
				if mem, words, ok := a.words(m); ok && !mem.readOnly {
					if a.streams(mem) {
						m.stream(words, v, encode, s)
					} else {
						m.foresee(pace, words)
						encoded(words, v, encode)
					}
					return
				}
			}
			raw := v
			if encode != nil {
				raw = m.lanes(s)
				encode(raw, v)
			}
			mem, idx, at, ok := a.locate(m, int64(len(args)))
			if ok {
				m.writable(a, mem)
				at.First += uint32(k)
				ok = scatter(mem.cover, idx, m.mask, raw, at) == m.n
			}
			if !ok {
				slow(m, raw, extra)
			}
		})
	}
}

// encoder is the loop that makes raw bits of elements to store, nil if lanes are these.
func (c *compiler) encoder(s ir.Scalar, r ir.Reg) lanes.Unary {
	var quiet, encode lanes.Unary
	if c.made[r] {
		quiet = c.t.QuietNaN
	}
	switch s {
	case ir.H16:
		encode = c.t.HalfBits
	case ir.T16:
		encode = c.t.BfloatBits
	case ir.B8:
		encode = func(d, a []uint32) { c.t.And.VS(d, a, 1) }
	default:
		return quiet
	}
	if quiet == nil {
		return encode
	}
	return func(d, a []uint32) {
		quiet(d, a)
		encode(d, d)
	}
}

// encoded sets raw bits to what a loop makes of lanes.
func encoded(raw, v []uint32, encode lanes.Unary) {
	if encode == nil {
		copy(raw, v)
	} else {
		encode(raw, v)
	}
}

// storeSlowly writes raw bits lane by lane.
func (a *access) storeSlowly() func(m *machine, v []uint32, extra int64) {
	return func(m *machine, v []uint32, extra int64) {
		mem, ok := a.many(m, extra)
		for l, on := range m.mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.addr[l]
			if !ok {
				at, off = a.lane(m, l, extra)
			}
			m.writable(a, at)
			at.setRaw(off, int(a.size), uint64(v[l]))
		}
	}
}

// elements are lanes of either width.
type elements struct {
	narrow []uint32
	wide   []uint64
	encode func(uint32) uint32 // what at makes of a narrow lane; nil: nothing
}

func (e *elements) at(l int) element {
	switch {
	case e.wide != nil:
		return e.wide[l]
	case e.encode != nil:
		return element(e.encode(e.narrow[l]))
	}
	return element(e.narrow[l])
}

func (e *elements) set(l int, v element) {
	if e.wide != nil {
		e.wide[l] = v
	} else {
		e.narrow[l] = uint32(v)
	}
}

// values gives the lanes of a register, or their raw bits.
func (c *compiler) values(r ir.Reg, uniform bool, encode func(uint32) uint32) func(m *machine) elements {
	if c.p.slots[r].wide {
		v := c.arg64(r, uniform)
		return func(m *machine) elements { return elements{wide: v(m)} }
	}
	v := c.arg(r, uniform)
	return func(m *machine) elements { return elements{narrow: v(m), encode: encode} }
}

// stored is values for a store.
func (c *compiler) stored(r ir.Reg, uniform bool, encode func(uint32) uint32) func(m *machine) elements {
	if c.p.slots[r].wide {
		return c.values(r, uniform, encode)
	}
	v := c.quieted(r).vec(c, uniform)
	return func(m *machine) elements { return elements{narrow: v(m), encode: encode} }
}

func (a *access) scatter(m *machine, extra int64, value elements) {
	size := int(a.size)
	if a.uniform {
		mem, off := a.one(m, extra)
		m.writable(a, mem)
		for l := m.n - 1; l >= 0; l-- {
			if m.mask[l] != 0 {
				mem.setRaw(off, size, value.at(l))
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
		at.setRaw(off, size, value.at(l))
	}
}

func (m *machine) writable(a *access, mem *memory) {
	if mem.readOnly {
		m.fail(ReadOnly, a.in.Pos, m.firstActive(), "write to memory that the host bound read-only")
	}
}
