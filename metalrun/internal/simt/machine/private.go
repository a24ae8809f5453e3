package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// Private memory has the words of all lanes side by side: byte off of lane l is in Private[(off/4)*Stride + l]. An
// element of 4 bytes at a uniform offset is a row, which is used in place.

// PrivateAccess addresses private memory. Offsets count from the start of the private memory of the thread, in which
// objects follow each other.
type PrivateAccess struct {
	MemoryAccess
	Own int // the kernel's object, if known; otherwise -1
}

// at gives the word offset of the object that a pointer points into, its size
// in bytes, and the pointer's offset.
func (a *PrivateAccess) at(m *Machine, pointer uint64, lane int) (object int, off int64) {
	if a.Own >= 0 {
		return a.Own, 0
	}
	n, off := Split(pointer)
	if n < ir.FirstObject || n-ir.FirstObject >= len(m.P.PrivateBase) {
		m.fail(Astray, a.In.Pos, lane, "access through a null pointer or one that points to no object")
	}
	return n - ir.FirstObject, off
}

// offset checks one lane's offset in an object and gives it in private memory.
func (a *PrivateAccess) offset(m *Machine, object int, off int64, lane int) int64 {
	size := int64(m.P.Kernel.Objects[object].Size)
	if uint64(off) > uint64(size-a.Size) || size < a.Size || off&(a.Size-1) != 0 {
		m.outOfRange(&a.MemoryAccess, off, &Memory{Size: size}, uint64(object+ir.FirstObject)<<ir.ObjectShift, lane)
	}
	return int64(m.P.PrivateBase[object])*4 + off
}

// One is the offset in private memory of a uniform access.
func (a *PrivateAccess) One(m *Machine, extra int64) int64 {
	var pointer uint64
	if a.Own < 0 {
		pointer = m.Uni64[a.Base64]
	}
	object, off := a.at(m, pointer, 0)
	size := int64(m.P.Kernel.Objects[object].Size)
	off += a.step(m, 0) + extra
	if uint64(off) > uint64(size-a.Size) || size < a.Size || off&(a.Size-1) != 0 {
		a.offset(m, object, off, m.FirstActive())
	}
	return int64(m.P.PrivateBase[object])*4 + off
}

// Many fills m.Addr with the offsets in private memory of the active lanes.
func (a *PrivateAccess) Many(m *Machine, extra int64) {
	m.Costly += 2 * Lanewise
	a.steps(m, extra)
	var base []uint64
	if a.Base != nil {
		base = a.Base(m)
	}
	object, last := -1, uint64(0) // most lanes point into the same object as the lane before
	var off, first, end int64
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		var pointer uint64
		if base != nil {
			pointer = base[l]
		} else {
			pointer = m.Uni64[a.Base64]
		}
		if object < 0 || pointer != last {
			object, off = a.at(m, pointer, l)
			last, first, end = pointer, int64(m.P.PrivateBase[object])*4, int64(m.P.Kernel.Objects[object].Size)-a.Size
		}
		at := off + m.Addr[l]
		if uint64(at) > uint64(end) || end < 0 || at&(a.Size-1) != 0 {
			a.offset(m, object, at, l) // faults
		}
		m.Addr[l] = first + at
	}
}

// Row is a 4-byte element at a uniform offset: a row of all lanes.
type Row struct {
	Access *PrivateAccess
	Extra  int64

	// The common form: element Scalar + Shift of the Size words from First on. If Size is 0, the access is general.
	First, Size, Scalar int
	Shift               int64
	Signed              bool
}

func (r *Row) lanes(m *Machine) []uint32 {
	if r.Size > 0 {
		if i := WordIndex(m.Uni32[r.Scalar], r.Signed) + r.Shift; uint64(i) < uint64(r.Size) {
			w := (r.First + int(i)) * m.Stride
			return m.Private[w : w+m.N : w+m.N]
		}
	}
	w := int(r.Access.One(m, r.Extra)>>2) * m.Stride
	return m.Private[w : w+m.N : w+m.N]
}

// Indexed reports whether the access is of words of one array at a varying 32-bit index.
func (a *PrivateAccess) Indexed() bool {
	mem := a.In.Mem
	return a.Own >= 0 && !a.Uniform && a.Index64 == nil && a.Size == 4 && mem.Scale == 4 && mem.Disp%4 == 0
}

// Words gives the numbers of the words of private memory that the lanes access. ok is false if the general path has to
// do the access.
func (a *PrivateAccess) Words(m *Machine, extra int64) (idx []uint32, at lanes.Index, ok bool) {
	size, shift := int64(m.P.Kernel.Objects[a.Own].Size)/4, (a.In.Mem.Disp+extra)/4
	in, ok := rangeOf(size, shift, 1, a.In.Mem.IndexSigned)
	if !ok {
		return nil, at, false
	}
	t, d := m.P.Table, m.Lanes(a.Elements)
	t.SubI.VS(d, a.Index32(m), in.Lo)
	t.LtU.VS(m.Scratch, d, in.Count)
	if t.AndNotMask(m.Scratch, m.Mask, m.Scratch) > 0 {
		return nil, at, false
	}
	t.MulI.VS(d, d, uint32(m.Stride))
	t.AddI.VV(d, d, m.iota)
	first := (m.P.PrivateBase[a.Own] + int(in.First)) * m.Stride
	return d, lanes.Index{Count: in.Count * uint32(m.Stride), Mult: 1, First: uint32(first)}, true
}

// Slowly visits the word of every active lane.
func (a *PrivateAccess) Slowly(m *Machine, extra int64, visit func(l int, w *uint32)) {
	a.Many(m, extra)
	for l, on := range m.Mask {
		if on != 0 {
			visit(l, &m.Private[int(m.Addr[l]>>2)*m.Stride+l])
		}
	}
}

// raw and SetRaw read and write an element of one lane.
func (m *Machine) RawPrivate(off int64, size, lane int) uint64 {
	w := &m.Private[int(off>>2)*m.Stride+lane]
	shift := uint(off&3) * 8
	switch size {
	case 1:
		return uint64(*w >> shift & 0xff)
	case 2:
		return uint64(*w >> shift & 0xffff)
	case 4:
		return uint64(*w)
	}
	return uint64(*w) | uint64(m.Private[int(off>>2+1)*m.Stride+lane])<<32
}

// SetRawPrivate writes the low bytes of a value to the private memory of a lane.
func (m *Machine) SetRawPrivate(off int64, size, lane int, v uint64) {
	w := &m.Private[int(off>>2)*m.Stride+lane]
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
		m.Private[int(off>>2+1)*m.Stride+lane] = uint32(v >> 32)
	}
}
