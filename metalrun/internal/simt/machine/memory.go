package machine

import (
	"fmt"
	"unsafe"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Memory is one object that pointers can reach, as bytes, as 16-bit words and as 32-bit words. All views share storage
// that is aligned to 4 bytes; the narrower ones also show a tail that is no whole word. Cover is Words and a last word
// for that tail, for gathers and scatters.
type Memory struct {
	Bytes           []byte
	halves          []uint16
	Words           []uint32
	Cover           []uint32
	Size            int64
	Before          int64 // number of bytes of the buffer before these, which do not exist
	ReadOnly        bool
	Shadow          any         // what an observer records of the object
	Cells           []ball.Ball // nil: the object has no balls yet
	Later           *LaterCells // makes Cells when there is a ball; nil: nothing does
	CellLog         uint        // logarithm of the bytes of a cell
	Representations []CellKind  // of the cells of objects whose elements have several types
}

// newMemory views b, which must be aligned to 4 bytes.
func newMemory(b []byte) Memory {
	p := unsafe.Pointer(unsafe.SliceData(b))
	return Memory{Bytes: b, Size: int64(len(b)),
		halves: unsafe.Slice((*uint16)(p), len(b)/2), Words: unsafe.Slice((*uint32)(p), len(b)/4),
		Cover: unsafe.Slice((*uint32)(p), (len(b)+3)/4)}
}

// Word is the index in Words of a word of the object, which need not exist.
func (mem *Memory) Word(i int64) int64 { return i - mem.Before>>2 }

// aligned reports whether b begins at a multiple of 4.
func aligned(b []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%4 == 0 }

// CopyMemory copies b into aligned memory.
func CopyMemory(b []byte) Memory {
	words := make([]uint32, (len(b)+3)/4)
	c := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(b))
	copy(c, b)
	return newMemory(c)
}

// Raw reads size bytes at off, zero-extended. off has been checked.
func (mem *Memory) Raw(off int64, size int) uint64 {
	switch size {
	case 1:
		return uint64(mem.Bytes[off])
	case 2:
		return uint64(mem.halves[off>>1])
	case 4:
		return uint64(mem.Words[off>>2])
	}
	return uint64(mem.Words[off>>2]) | uint64(mem.Words[off>>2+1])<<32
}

// SetRaw writes the low size bytes of v at off.
func (mem *Memory) SetRaw(off int64, size int, v uint64) {
	switch size {
	case 1:
		mem.Bytes[off] = byte(v)
	case 2:
		mem.halves[off>>1] = uint16(v)
	case 4:
		mem.Words[off>>2] = uint32(v)
	default:
		mem.Words[off>>2], mem.Words[off>>2+1] = uint32(v), uint32(v>>32)
	}
}

// MemoryAccess is the compiled form of a memory operand.
type MemoryAccess struct {
	In     *ir.Instr
	Size   int64 // of one element
	Log    uint  // its logarithm, of sizes up to 4
	Mult   int64 // scale of the index in elements, or 0 if it is no whole number
	Disp   int64 // In.Mem.Disp
	Sign   bool  // In.Mem.IndexSigned
	Write  bool
	Unread bool // it stores to a buffer that the kernel never loads from

	Uniform bool         // one address for all threads
	Base64  int          // uniform base pointer: register
	Base    Vec64        // varying base pointer, or nil
	Object  int          // the object of the machine that the base points into, -1 if it is not known
	Origin  uint64       // pointer to the beginning of the object
	Fixed   bool         // the base is Origin
	Numbers *ElementSlot // element numbers of a varying base, or nil

	Scalar  int     // uniform 32-bit index: register, or -1
	Index   Operand // 32-bit index per lane, without Plus
	Plus    int     // uniform register to add to index, or -1
	Index32 Vec     // per lane, or one value if uniform; nil if absent
	Index64 Vec64

	Offsets, Elements int // scratch slots: byte offsets, element numbers
}

// words reports whether the access is of 4-byte words of one known object at a 32-bit index of words, which is the most
// common form. It gives the constant part of the index.
func (a *MemoryAccess) InWords(extra int64) (shift int64, ok bool) {
	mem := a.In.Mem
	return (mem.Disp + extra) / 4, a.Size == 4 && a.Fixed && a.Index32 != nil && mem.Scale == 4 && mem.Disp%4 == 0
}

// WordIndex extends a 32-bit index.
func WordIndex(i uint32, signed bool) int64 {
	if signed {
		return int64(int32(i))
	}
	return int64(i)
}

// step is Index·Scale + Disp of one lane.
func (a *MemoryAccess) step(m *Machine, lane int) int64 {
	mem := a.In.Mem
	switch {
	case a.Index64 != nil:
		return int64(a.Index64(m)[lane])*mem.Scale + mem.Disp
	case a.Index32 == nil:
		return mem.Disp
	case mem.IndexSigned:
		return int64(int32(a.Index32(m)[lane]))*mem.Scale + mem.Disp
	}
	return int64(a.Index32(m)[lane])*mem.Scale + mem.Disp
}

// One resolves the address of a uniform access, extra bytes further on.
func (a *MemoryAccess) One(m *Machine, extra int64) (*Memory, int64) {
	off := a.step(m, 0) + extra
	var mem *Memory
	if a.Object >= 0 {
		mem = &m.Objects[a.Object]
		off += int64(m.Uni64[a.Base64] - a.Origin)
	} else {
		var at int64
		mem, at = m.find(a.In, m.Uni64[a.Base64], -1)
		off += at
	}
	if uint64(off) > uint64(mem.Size-a.Size) || mem.Size < a.Size || off&(a.Size-1) != 0 {
		m.outOfRange(a, off, mem, m.Uni64[a.Base64], m.FirstActive())
	}
	return mem, off
}

// Many fills m.Addr with the checked byte offsets of the active lanes and gives their object. ok is false if the lanes
// point into different objects: then the caller has to resolve each lane by itself.
func (a *MemoryAccess) Many(m *Machine, extra int64) (mem *Memory, ok bool) {
	a.steps(m, extra)
	first := m.FirstActive()
	var pointer uint64
	if a.Base == nil {
		pointer = m.Uni64[a.Base64]
	}
	if a.Base != nil {
		base := a.Base(m)
		pointer = base[first]
		origin := int64(pointer)<<16>>16 - int64(pointer)
		for l, p := range base {
			m.Addr[l] += int64(p) + origin
		}
		// Addr now counts from the object of the first lane, wherever the other lanes point.
		mem, _ = m.find(a.In, pointer, first)
	} else {
		var at int64
		if a.Object >= 0 {
			mem, at = &m.Objects[a.Object], int64(pointer-a.Origin)
		} else {
			mem, at = m.find(a.In, pointer, first)
		}
		if m.moved(at, mem.Size-a.Size, a.Size-1) {
			return mem, true
		}
	}
	limit, odd := mem.Size-a.Size, a.Size-1
	for l, off := range m.Addr {
		if m.Mask[l] != 0 && (uint64(off) > uint64(limit) || limit < 0 || off&odd != 0) {
			if a.Base != nil && a.Base(m)[l]>>ir.ObjectShift != pointer>>ir.ObjectShift {
				return nil, false
			}
			m.outOfRange(a, off, mem, pointer, l)
		}
	}
	return mem, true
}

// moved adds to all addresses, and reports whether all are aligned and between 0 and a limit.
func (m *Machine) moved(by, limit, odd int64) bool {
	var out, bits int64
	for l := range m.Addr {
		off := m.Addr[l] + by
		m.Addr[l] = off
		out |= off | (limit - off)
		bits |= off
	}
	return out >= 0 && bits&odd == 0
}

// steps fills m.Addr with Index·Scale + Disp + extra.
func (a *MemoryAccess) steps(m *Machine, extra int64) {
	addr, scale, disp := m.Addr, a.In.Mem.Scale, a.In.Mem.Disp+extra
	switch {
	case a.Index64 != nil:
		idx := a.Index64(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(idx[l])*scale + disp
		}
	case a.Index32 == nil:
		for l := range addr {
			addr[l] = disp
		}
	case a.In.Mem.IndexSigned:
		idx := a.Index32(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(int32(idx[l]))*scale + disp
		}
	default:
		idx := a.Index32(m)[:len(addr)]
		for l := range addr {
			addr[l] = int64(idx[l])*scale + disp
		}
	}
}

// Lane resolves the address of one lane.
func (a *MemoryAccess) Lane(m *Machine, l int, extra int64) (*Memory, int64) {
	p := a.Base(m)[l]
	off := extra + a.In.Mem.Disp
	switch {
	case a.Index64 != nil:
		off += int64(a.Index64(m)[l]) * a.In.Mem.Scale
	case a.Index32 != nil && a.In.Mem.IndexSigned:
		off += int64(int32(a.Index32(m)[l])) * a.In.Mem.Scale
	case a.Index32 != nil:
		off += int64(a.Index32(m)[l]) * a.In.Mem.Scale
	}
	mem, at := m.find(a.In, p, l)
	off += at
	if uint64(off) > uint64(mem.Size-a.Size) || mem.Size < a.Size || off&(a.Size-1) != 0 {
		m.outOfRange(a, off, mem, p, l)
	}
	return mem, off
}

// Split splits a pointer into the number of its object and an offset.
func Split(p uint64) (object int, off int64) {
	off = int64(p<<16) >> 16
	return int((p - uint64(off)) >> ir.ObjectShift), off
}

// find gives the object that a pointer points into.
func (m *Machine) find(in *ir.Instr, p uint64, lane int) (*Memory, int64) {
	n, off := Split(p)
	if lane < 0 {
		lane = m.FirstActive()
	}
	object := n - ir.FirstArg
	if in.Mem.Space == syntax.Threadgroup {
		object += analysis.FirstThreadgroup
	}
	switch {
	case n >= ir.FirstObject && n-ir.FirstObject < len(m.P.Kernel.Objects):
		return &m.Objects[analysis.FirstStatic+n-ir.FirstObject], off
	case n == 0:
		m.fail(Astray, in.Pos, lane, "access through a null pointer")
	case n < 0 || n >= ir.FirstArg+analysis.FirstThreadgroup:
		m.fail(Astray, in.Pos, lane, "access through a pointer that points to no object")
	}
	return &m.Objects[object], off
}

// outOfRange reports an access outside its object, or a misaligned one.
func (m *Machine) outOfRange(a *MemoryAccess, off int64, mem *Memory, pointer uint64, lane int) {
	panic(m.Misplaced(a, off, mem, pointer, lane))
}

// Misplaced is the fault of an access outside its object, or of a misaligned one.
func (m *Machine) Misplaced(a *MemoryAccess, off int64, mem *Memory, pointer uint64, lane int) *Fault {
	verb := "read"
	if a.Write {
		verb = "write"
	}
	n, _ := Split(pointer)
	if i := n - ir.FirstObject; a.In.Mem.Space == syntax.Thread && m.P.Kernel.Objects[i].Deeper != "" {
		m.fail(Recursion, a.In.Pos, lane, "%s", m.P.Kernel.Objects[i].Deeper)
	}
	at := Access{m.P.objectIn(a.In.Mem.Space, n), off + mem.Before, a.Size, mem.Before + mem.Size}
	kind, text := OutOfRange, fmt.Sprintf("%s of %d bytes at offset %d is out of range of %s, which has %d bytes", verb,
		at.Bytes, at.Offset, at.Object, at.Size)
	switch {
	case mem.Size == 0:
		kind, text = Unbound, fmt.Sprintf("%s of %s, which has no memory bound", verb, at)
	case off >= 0 && off+a.Size <= mem.Size:
		kind, text = Misaligned, fmt.Sprintf("misaligned %s of %s", verb, at)
	case mem.Before > 0:
		text = fmt.Sprintf("%s of %s, whose bytes from %d to %d alone belong to the threadgroups that run", verb, at,
			mem.Before, at.Size-1)
	}
	f := m.Fault(kind, a.In.Pos, lane, "%s", text)
	f.Access = &at
	return f
}
