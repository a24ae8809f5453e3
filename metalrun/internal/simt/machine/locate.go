package machine

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// Gathers and scatters number the elements of one object in 32 bits. locate converts an access to this form if all
// lanes access elements of one object. The general path, lane by lane, does accesses that are invalid or uncommon.

// MostElements bounds the objects whose elements are numbered: the sum of a number and a 32-bit index then never wraps
// around to another valid number.
const MostElements = 1 << 30

// Locate gives the object of an access of count consecutive elements per lane, and the number of the first element of
// each lane. ok is false if the general path has to do the access.
func (a *MemoryAccess) Locate(m *Machine, count int64) (mem *Memory, idx []uint32, at lanes.Index, ok bool) {
	switch {
	case a.Index64 != nil || a.Base != nil && (a.Numbers == nil || m.Uni32[a.Numbers.Valid] == 0):
		return a.locateWide(m, count)
	case a.Base != nil:
		return a.locateNumbered(m, count)
	}
	mem, off, ok := a.Whence(m)
	off += a.Disp
	if !ok || off&(a.Size-1) != 0 || a.Mult == 0 {
		return nil, nil, at, false
	}
	at, ok = rangeOf(mem.Size>>a.Log-count+1, off>>a.Log, a.Mult, a.Sign)
	if a.Plus >= 0 {
		at.Lo -= m.Uni32[a.Plus]
	}
	return mem, m.Operand(&a.Index), at, ok
}

// Whence gives the object that a uniform base points into, and the offset.
func (a *MemoryAccess) Whence(m *Machine) (mem *Memory, off int64, ok bool) {
	if a.Object >= 0 {
		return &m.Objects[a.Object], int64(m.Uni64[a.Base64] - a.Origin), true
	}
	return m.reach(m.Uni64[a.Base64], a.In.Mem.Space)
}

// reach is find without faults.
func (m *Machine) reach(pointer uint64, space syntax.Space) (mem *Memory, off int64, ok bool) {
	n, off := Split(pointer)
	object := n - ir.FirstArg
	switch {
	case n >= ir.FirstObject && n-ir.FirstObject < len(m.P.Kernel.Objects):
		object = analysis.FirstStatic + n - ir.FirstObject
	case object < 0 || object >= analysis.FirstThreadgroup:
		return nil, 0, false
	case space == syntax.Threadgroup:
		object += analysis.FirstThreadgroup
	}
	return &m.Objects[object], off, true
}

// rangeOf gives the range of indices i for which the element i·mult + shift exists.
func rangeOf(size, shift, mult int64, signed bool) (at lanes.Index, ok bool) {
	if mult == 1 && !signed && shift >= 0 && shift < size && size <= MostElements {
		return lanes.Index{Count: uint32(size - shift), Mult: 1, First: uint32(shift)}, true
	}
	low, high := int64(0), int64(math.MaxUint32)
	if signed {
		low, high = math.MinInt32, math.MaxInt32
	}
	if mult == 1 {
		low, high = max(low, -shift), min(high, size-1-shift)
	} else {
		low, high = max(low, -floorDiv(shift, mult)), min(high, floorDiv(size-1-shift, mult))
	}
	if high < low {
		return at, false
	}
	at = lanes.Index{Lo: uint32(low), Count: uint32(high - low + 1), Mult: uint32(mult),
		First: uint32(low*mult + shift)}
	return at, size <= MostElements && mult > 0 && mult < MostElements
}

// floorDiv is the quotient rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	if q := a / b; q*b > a {
		return q - 1
	} else {
		return q
	}
}

// locateNumbered adds the index to the number of the element that the base of each lane points to.
func (a *MemoryAccess) locateNumbered(m *Machine, count int64) (mem *Memory, idx []uint32, at lanes.Index, ok bool) {
	mem = &m.Objects[a.Object]
	shift := a.In.Mem.Disp >> a.Log // the access's form was checked when it got its element slot
	e, signed := m.numbersOf(a.Numbers), a.In.Mem.IndexSigned
	if a.Index32 == nil || a.Scalar >= 0 {
		if a.Scalar >= 0 {
			shift += WordIndex(m.Uni32[a.Scalar], signed)
		}
		at, ok = rangeOf(mem.Size>>a.Log-count+1, shift, 1, false)
		return mem, e, at, ok
	}
	at, ok = rangeOf(mem.Size>>a.Log-count+1, shift, 1, signed)
	t, idx, d := m.P.Table, a.Index32(m), m.Lanes(a.Elements)
	if signed {
		t.AddI.VV(d, e, idx)
		return mem, d, at, ok
	}
	t.AddIndex(d, e, idx)
	return mem, d, at, ok
}

// locateWide computes the lanes' byte offsets in 64 bits.
func (a *MemoryAccess) locateWide(m *Machine, count int64) (mem *Memory, idx []uint32, at lanes.Index, ok bool) {
	first := m.FirstActive()
	if first < 0 {
		return nil, nil, at, false
	}
	mem, origin, ok := a.start(m, first)
	if !ok || a.Size == 8 || mem.Size < count*a.Size || mem.Size>>a.Log > MostElements {
		return nil, nil, at, false
	}
	off, d := a.wideOffsets(m), m.Lanes(a.Elements)
	limit := uint64(mem.Size - count*a.Size + 1)
	if m.P.Table.Narrow(d, off, m.Mask, origin, limit, a.Log) < len(d) {
		return nil, nil, at, false
	}
	return mem, d, lanes.Index{Count: uint32(mem.Size >> a.Log), Mult: 1}, true
}

// start gives the object of the pointer of one lane, and what to subtract from wideOffsets for offsets in it.
func (a *MemoryAccess) start(m *Machine, lane int) (mem *Memory, origin uint64, ok bool) {
	disp := uint64(a.In.Mem.Disp)
	if a.Base == nil {
		mem, off, ok := a.Whence(m)
		return mem, -uint64(off) - disp, ok
	}
	pointer := a.Base(m)[lane]
	mem, off, ok := m.reach(pointer, a.In.Mem.Space)
	return mem, pointer - uint64(off) - disp, ok
}

// wideOffsets is Index·Scale, plus the base if that varies.
func (a *MemoryAccess) wideOffsets(m *Machine) []uint64 {
	t, d, scale := m.P.Table, m.Wide(a.Offsets), uint64(a.In.Mem.Scale)
	switch {
	case a.Index32 == nil && a.Index64 == nil:
		return a.Base(m)
	case a.Index64 != nil:
		t.MulQ.VS(d, a.Index64(m), scale)
	case a.In.Mem.IndexSigned:
		t.ExtendS(d, a.Index32(m))
		t.MulQ.VS(d, d, scale)
	default:
		t.ExtendU(d, a.Index32(m))
		t.MulQ.VS(d, d, scale)
	}
	if a.Base != nil {
		t.AddQ.VV(d, d, a.Base(m))
	}
	return d
}

// Log2 is the logarithm of an element's size.
func Log2(size int64) (shift uint, ok bool) {
	switch size {
	case 1:
		return 0, true
	case 2:
		return 1, true
	case 4:
		return 2, true
	}
	return 0, false
}

// Pointer is the pointer that an access of a lane starts from.
func (a *MemoryAccess) Pointer(m *Machine, lane int) uint64 {
	if a.Base != nil {
		return a.Base(m)[lane]
	}
	return m.Uni64[a.Base64]
}

// Target is where an access of a lane goes, whether that exists or not. mem is nil if the pointer points to no object.
func (a *MemoryAccess) Target(m *Machine, lane int) (mem *Memory, off int64) {
	pointer := a.Pointer(m, lane)
	if a.Uniform {
		lane = 0
	}
	mem, at, ok := m.reach(pointer, a.In.Mem.Space)
	if !ok {
		return nil, 0
	}
	return mem, at + a.step(m, lane)
}

// Targets fills m.Addr with the offsets of all lanes from the object of the first active lane, and gives that object.
// An offset of a lane that points into another object is far out of range. ok is false if the first lane points to no
// object.
func (a *MemoryAccess) Targets(m *Machine) (mem *Memory, ok bool) {
	a.steps(m, 0)
	first := m.FirstActive()
	pointer := a.Pointer(m, first)
	mem, at, ok := m.reach(pointer, a.In.Mem.Space)
	if !ok {
		return nil, false
	}
	if a.Base == nil {
		for l := range m.Addr {
			m.Addr[l] += at
		}
		return mem, true
	}
	origin := at - int64(pointer)
	for l, p := range a.Base(m) {
		m.Addr[l] += int64(p) + origin
	}
	return mem, true
}
