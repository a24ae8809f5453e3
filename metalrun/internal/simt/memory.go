package simt

import (
	"fmt"
	"unsafe"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// memory is one object that pointers can reach, seen as bytes, as 16-bit and
// as 32-bit words. All views share storage that is aligned to 4 bytes; the
// narrower ones also show a tail that is no whole word. cover is words and that
// tail, which the object does not fill, for gathers and scatters.
type memory struct {
	bytes    []byte
	halves   []uint16
	words    []uint32
	cover    []uint32
	size     int64
	before   int64 // bytes of a buffer in front of these, which do not exist
	readOnly bool
	shadow   *shadow     // nil: not observed
	cells    []ball.Ball // nil: elements are what they are
	later    *laterCells // that cells will be once there is a ball; nil: there are no others
	cellLog  uint        // of the bytes of a cell
	kinds    []cellKind  // of the cells, where elements have several types
}

// newMemory views b, which must be aligned to 4 bytes.
func newMemory(b []byte) memory {
	p := unsafe.Pointer(unsafe.SliceData(b))
	return memory{bytes: b, size: int64(len(b)),
		halves: unsafe.Slice((*uint16)(p), len(b)/2), words: unsafe.Slice((*uint32)(p), len(b)/4),
		cover: unsafe.Slice((*uint32)(p), (len(b)+3)/4)}
}

// word is the place among words of a word of the object. It need not be there.
func (mem *memory) word(i int64) int64 { return i - mem.before>>2 }

// aligned reports whether b begins at a multiple of 4.
func aligned(b []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%4 == 0 }

// copyMemory copies b into aligned memory.
func copyMemory(b []byte) memory {
	words := make([]uint32, (len(b)+3)/4)
	c := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(c, b)
	return newMemory(c)
}

// raw reads size bytes at off, zero-extended. off has been checked.
func (mem *memory) raw(off int64, size int) uint64 {
	switch size {
	case 1:
		return uint64(mem.bytes[off])
	case 2:
		return uint64(mem.halves[off>>1])
	case 4:
		return uint64(mem.words[off>>2])
	}
	return uint64(mem.words[off>>2]) | uint64(mem.words[off>>2+1])<<32
}

// setRaw writes the low size bytes of v at off.
func (mem *memory) setRaw(off int64, size int, v uint64) {
	switch size {
	case 1:
		mem.bytes[off] = byte(v)
	case 2:
		mem.halves[off>>1] = uint16(v)
	case 4:
		mem.words[off>>2] = uint32(v)
	default:
		mem.words[off>>2], mem.words[off>>2+1] = uint32(v), uint32(v>>32)
	}
}

// access is the compiled form of a memory operand.
type access struct {
	in     *ir.Instr
	size   int64 // of one element
	log    uint  // its logarithm, of sizes up to 4
	mult   int64 // the index's scale in elements, or 0 if it is none
	disp   int64 // what Mem of in says
	sign   bool  // likewise of the index
	write  bool
	unread bool // a store to a buffer from which the kernel loads nothing

	uniform bool         // one address for all threads
	base64  int          // uniform base pointer: register
	base    vec64        // varying base pointer, or nil
	object  int          // which of the machine's objects base points into, -1 if that is not known
	origin  uint64       // pointer to its beginning
	fixed   bool         // base is that pointer
	numbers *elementSlot // of the elements that a varying base points to, or nil

	scalar  int     // uniform 32-bit index: register, or -1
	index   operand // 32-bit index per lane, without what plus adds
	plus    int     // uniform register to add to index, or -1
	index32 vec     // per lane, or one value if uniform; nil if absent
	index64 vec64

	offsets, elements int // scratch slots: byte offsets, element numbers
}

func (c *compiler) access(in *ir.Instr) *access {
	mem := in.Mem
	a := &access{in: in, disp: mem.Disp, sign: mem.IndexSigned, size: int64(in.From.Size()), write: in.Op != ir.Load, object: -1, scalar: -1, plus: -1}
	a.log, _ = log2(a.size)
	if a.size < 8 && mem.Scale&(a.size-1) == 0 {
		a.mult = mem.Scale >> a.log
	}
	a.uniform = c.uniform(mem.Base) && (mem.Index == ir.None || c.uniform(mem.Index))
	if c.uniform(mem.Base) {
		a.fixed = analysis.KnownObject(c.p.kernel, mem.Base, mem.Space) >= 0
		if a.object = c.u.PointsInto(mem.Base, mem.Space); a.object >= 0 {
			a.origin = c.origin(a.object)
		}
		a.base64 = c.read(mem.Base).index
	} else {
		if e := c.numbers[elementKey{mem.Base, a.size}]; e != nil && c.counts(in) {
			a.numbers, a.object = e, e.object
		}
		a.base = c.arg64(mem.Base, false)
	}
	a.unread = c.unread(a)
	if mem.Index != ir.None {
		c.index(a, mem)
	}
	if !a.uniform {
		a.offsets, a.elements = c.scratch64(), c.scratch()
	}
	return a
}

func (c *compiler) index(a *access, mem *ir.Mem) {
	if c.p.slots[mem.Index].wide {
		a.index64 = c.arg64(mem.Index, a.uniform)
		return
	}
	if c.uniform(mem.Index) {
		one := operand{kind: isUniform, at: c.read(mem.Index).index}
		a.scalar = one.at
		a.index32 = func(m *machine) []uint32 { return m.elsewhere(&one) }
		if !a.uniform {
			s := c.scratch()
			a.index32 = func(m *machine) []uint32 {
				d := m.lanes(s)
				c.t.Fill(d, m.uni32[one.at])
				return d
			}
		}
		return
	}
	if d := c.peekDeferred(mem.Index); d != nil && d.offset != nil {
		c.takeDeferred(mem.Index)
		a.index, a.plus = d.offset.x, d.offset.scalar
		s := c.scratch()
		a.index32 = func(m *machine) []uint32 {
			lanes := m.lanes(s)
			c.t.AddI.VS(lanes, m.operand(&a.index), m.uni32[a.plus])
			return lanes
		}
		return
	}
	a.index = c.operand(mem.Index)
	a.index32 = func(m *machine) []uint32 { return m.operand(&a.index) }
}

// words reports whether the access is of 4-byte words of one known object by a
// 32-bit index of words, the hot case, and gives the constant part in words.
func (a *access) inWords(extra int64) (shift int64, ok bool) {
	mem := a.in.Mem
	return (mem.Disp + extra) / 4, a.size == 4 && a.fixed && a.index32 != nil && mem.Scale == 4 && mem.Disp%4 == 0
}

// wordIndex extends a 32-bit index.
func wordIndex(i uint32, signed bool) int64 {
	if signed {
		return int64(int32(i))
	}
	return int64(i)
}

// step is Index·Scale + Disp of one lane.
func (a *access) step(m *machine, lane int) int64 {
	mem := a.in.Mem
	switch {
	case a.index64 != nil:
		return int64(a.index64(m)[lane])*mem.Scale + mem.Disp
	case a.index32 == nil:
		return mem.Disp
	case mem.IndexSigned:
		return int64(int32(a.index32(m)[lane]))*mem.Scale + mem.Disp
	}
	return int64(a.index32(m)[lane])*mem.Scale + mem.Disp
}

// one resolves the address of a uniform access, extra bytes further on.
func (a *access) one(m *machine, extra int64) (*memory, int64) {
	off := a.step(m, 0) + extra
	var mem *memory
	if a.object >= 0 {
		mem = &m.objects[a.object]
		off += int64(m.uni64[a.base64] - a.origin)
	} else {
		var at int64
		mem, at = m.find(a.in, m.uni64[a.base64], -1)
		off += at
	}
	if uint64(off) > uint64(mem.size-a.size) || mem.size < a.size || off&(a.size-1) != 0 {
		m.outOfRange(a, off, mem, m.uni64[a.base64], m.firstActive())
	}
	return mem, off
}

// many fills m.addr with the checked byte offsets of the active lanes and
// gives their object. ok is false if the lanes point into different objects:
// then each lane must be resolved on its own.
func (a *access) many(m *machine, extra int64) (mem *memory, ok bool) {
	a.steps(m, extra)
	first := m.firstActive()
	var pointer uint64
	if a.base == nil {
		pointer = m.uni64[a.base64]
	}
	if a.base != nil {
		base := a.base(m)
		pointer = base[first]
		origin := int64(pointer)<<16>>16 - int64(pointer)
		for l, p := range base {
			m.addr[l] += int64(p) + origin
		}
		// Now addr counts from the first lane's object, wherever the others point.
		mem, _ = m.find(a.in, pointer, first)
	} else {
		var at int64
		if a.object >= 0 {
			mem, at = &m.objects[a.object], int64(pointer-a.origin)
		} else {
			mem, at = m.find(a.in, pointer, first)
		}
		if m.moved(at, mem.size-a.size, a.size-1) {
			return mem, true
		}
	}
	limit, odd := mem.size-a.size, a.size-1
	for l, off := range m.addr {
		if m.mask[l] != 0 && (uint64(off) > uint64(limit) || limit < 0 || off&odd != 0) {
			if a.base != nil && a.base(m)[l]>>ir.ObjectShift != pointer>>ir.ObjectShift {
				return nil, false
			}
			m.outOfRange(a, off, mem, pointer, l)
		}
	}
	return mem, true
}

// moved adds to all addresses, and reports whether they lie from 0 to a limit and have no odd bits.
func (m *machine) moved(by, limit, odd int64) bool {
	var out, bits int64
	for l := range m.addr {
		off := m.addr[l] + by
		m.addr[l] = off
		out |= off | (limit - off)
		bits |= off
	}
	return out >= 0 && bits&odd == 0
}

// steps fills m.addr with Index·Scale + Disp + extra.
func (a *access) steps(m *machine, extra int64) {
	addr, scale, disp := m.addr, a.in.Mem.Scale, a.in.Mem.Disp+extra
	switch {
	case a.index64 != nil:
		idx := a.index64(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(idx[l])*scale + disp
		}
	case a.index32 == nil:
		for l := range addr {
			addr[l] = disp
		}
	case a.in.Mem.IndexSigned:
		idx := a.index32(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(int32(idx[l]))*scale + disp
		}
	default:
		idx := a.index32(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(idx[l])*scale + disp
		}
	}
}

// lane resolves one lane's address on its own.
func (a *access) lane(m *machine, l int, extra int64) (*memory, int64) {
	p := a.base(m)[l]
	off := extra + a.in.Mem.Disp
	switch {
	case a.index64 != nil:
		off += int64(a.index64(m)[l]) * a.in.Mem.Scale
	case a.index32 != nil && a.in.Mem.IndexSigned:
		off += int64(int32(a.index32(m)[l])) * a.in.Mem.Scale
	case a.index32 != nil:
		off += int64(a.index32(m)[l]) * a.in.Mem.Scale
	}
	mem, at := m.find(a.in, p, l)
	off += at
	if uint64(off) > uint64(mem.size-a.size) || mem.size < a.size || off&(a.size-1) != 0 {
		m.outOfRange(a, off, mem, p, l)
	}
	return mem, off
}

// split takes a pointer apart into object number and offset.
func split(p uint64) (object int, off int64) {
	off = int64(p<<16) >> 16
	return int((p - uint64(off)) >> ir.ObjectShift), off
}

// find gives what a pointer points into.
func (m *machine) find(in *ir.Instr, p uint64, lane int) (*memory, int64) {
	n, off := split(p)
	if lane < 0 {
		lane = m.firstActive()
	}
	object := n - ir.FirstArg
	if in.Mem.Space == syntax.Threadgroup {
		object += analysis.FirstThreadgroup
	}
	switch {
	case n >= ir.FirstObject && n-ir.FirstObject < len(m.p.kernel.Objects):
		return &m.objects[analysis.FirstStatic+n-ir.FirstObject], off
	case n == 0:
		m.fail(Astray, in.Pos, lane, "access through a null pointer")
	case n < 0 || n >= ir.FirstArg+analysis.FirstThreadgroup:
		m.fail(Astray, in.Pos, lane, "access through a pointer that points to no object")
	}
	return &m.objects[object], off
}

// outOfRange reports an access that its object does not contain, or that is misaligned.
func (m *machine) outOfRange(a *access, off int64, mem *memory, pointer uint64, lane int) {
	verb := "read"
	if a.write {
		verb = "write"
	}
	n, _ := split(pointer)
	if i := n - ir.FirstObject; a.in.Mem.Space == syntax.Thread && m.p.kernel.Objects[i].Deeper != "" {
		m.fail(Recursion, a.in.Pos, lane, "%s", m.p.kernel.Objects[i].Deeper)
	}
	at := Access{m.p.objectIn(a.in.Mem.Space, n), off + mem.before, a.size, mem.before + mem.size}
	kind, text := OutOfRange, fmt.Sprintf("%s of %d bytes at offset %d is out of range of %s, which has %d bytes", verb, at.Bytes, at.Offset, at.Object, at.Size)
	switch {
	case mem.size == 0:
		kind, text = Unbound, fmt.Sprintf("%s of %s, which has no memory bound", verb, at)
	case off >= 0 && off+a.size <= mem.size:
		kind, text = Misaligned, fmt.Sprintf("misaligned %s of %s", verb, at)
	case mem.before > 0:
		text = fmt.Sprintf("%s of %s, whose bytes from %d to %d alone belong to the threadgroups that run", verb, at, mem.before, at.Size-1)
	}
	f := m.fault(kind, a.in.Pos, lane, "%s", text)
	f.Access = &at
	panic(f)
}
