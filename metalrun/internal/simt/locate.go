package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// Gathers and scatters number the elements of one object in 32 bits. locate
// brings an access into this form whenever all lanes mean elements of one
// object that lie in it; addresses that are wrong or uncommon are left to the
// general path, which goes lane by lane.

// mostElements bounds the objects that have numbered elements, so that sums of
// a number and a 32-bit index cannot be mistaken for other numbers.
const mostElements = 1 << 30

// locate gives the object of an access of count consecutive elements per lane,
// and which element is the first of each lane's. ok is false if the general path
// has to be taken.
func (a *access) locate(m *machine, count int64) (mem *memory, idx []uint32, at lanes.Index, ok bool) {
	switch {
	case a.index64 != nil || a.base != nil && (a.numbers == nil || m.uni32[a.numbers.valid] == 0):
		return a.locateWide(m, count)
	case a.base != nil:
		return a.locateNumbered(m, count)
	}
	mem, off, ok := a.whence(m)
	off += a.disp
	if !ok || off&(a.size-1) != 0 || a.mult == 0 {
		return nil, nil, at, false
	}
	at, ok = rangeOf(mem.size>>a.log-count+1, off>>a.log, a.mult, a.sign)
	if a.plus >= 0 {
		at.Lo -= m.uni32[a.plus]
	}
	return mem, m.operand(&a.index), at, ok
}

// whence gives the object that a uniform base points into, and where.
func (a *access) whence(m *machine) (mem *memory, off int64, ok bool) {
	if a.object >= 0 {
		return &m.objects[a.object], int64(m.uni64[a.base64] - a.origin), true
	}
	return m.reach(m.uni64[a.base64], a.in.Mem.Space)
}

// reach is find without faults.
func (m *machine) reach(pointer uint64, space syntax.Space) (mem *memory, off int64, ok bool) {
	n, off := split(pointer)
	object := n - ir.FirstArg
	switch {
	case n >= ir.FirstObject && n-ir.FirstObject < len(m.p.kernel.Objects):
		object = analysis.FirstStatic + n - ir.FirstObject
	case object < 0 || object >= analysis.FirstThreadgroup:
		return nil, 0, false
	case space == syntax.Threadgroup:
		object += analysis.FirstThreadgroup
	}
	return &m.objects[object], off, true
}

// rangeOf says which indices i mean elements i·mult + shift of size that exist.
func rangeOf(size, shift, mult int64, signed bool) (at lanes.Index, ok bool) {
	if mult == 1 && !signed && shift >= 0 && shift < size && size <= mostElements {
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
	at = lanes.Index{Lo: uint32(low), Count: uint32(high - low + 1), Mult: uint32(mult), First: uint32(low*mult + shift)}
	return at, size <= mostElements && mult > 0 && mult < mostElements
}

// floorDiv is the quotient rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	if q := a / b; q*b > a {
		return q - 1
	} else {
		return q
	}
}

// locateNumbered adds the index to the element that each lane's base points to.
func (a *access) locateNumbered(m *machine, count int64) (mem *memory, idx []uint32, at lanes.Index, ok bool) {
	mem = &m.objects[a.object]
	shift := a.in.Mem.Disp >> a.log // the access's form was checked when it got its element slot
	e, signed := m.numbersOf(a.numbers), a.in.Mem.IndexSigned
	if a.index32 == nil || a.scalar >= 0 {
		if a.scalar >= 0 {
			shift += wordIndex(m.uni32[a.scalar], signed)
		}
		at, ok = rangeOf(mem.size>>a.log-count+1, shift, 1, false)
		return mem, e, at, ok
	}
	at, ok = rangeOf(mem.size>>a.log-count+1, shift, 1, signed)
	t, idx, d := m.p.table, a.index32(m), m.lanes(a.elements)
	if signed {
		t.AddI.VV(d, e, idx)
		return mem, d, at, ok
	}
	t.AddIndex(d, e, idx)
	return mem, d, at, ok
}

// locateWide computes the lanes' byte offsets in 64 bits.
func (a *access) locateWide(m *machine, count int64) (mem *memory, idx []uint32, at lanes.Index, ok bool) {
	first := m.firstActive()
	if first < 0 {
		return nil, nil, at, false
	}
	mem, origin, ok := a.start(m, first)
	if !ok || a.size == 8 || mem.size < count*a.size || mem.size>>a.log > mostElements {
		return nil, nil, at, false
	}
	off, d := a.wideOffsets(m), m.lanes(a.elements)
	limit := uint64(mem.size - count*a.size + 1)
	if m.p.table.Narrow(d, off, m.mask, origin, limit, a.log) < len(d) {
		return nil, nil, at, false
	}
	return mem, d, lanes.Index{Count: uint32(mem.size >> a.log), Mult: 1}, true
}

// start gives the object of one lane's pointer, and what to subtract from
// wideOffsets to count from its beginning.
func (a *access) start(m *machine, lane int) (mem *memory, origin uint64, ok bool) {
	disp := uint64(a.in.Mem.Disp)
	if a.base == nil {
		mem, off, ok := a.whence(m)
		return mem, -uint64(off) - disp, ok
	}
	pointer := a.base(m)[lane]
	mem, off, ok := m.reach(pointer, a.in.Mem.Space)
	return mem, pointer - uint64(off) - disp, ok
}

// wideOffsets is Index·Scale, plus the base if that varies.
func (a *access) wideOffsets(m *machine) []uint64 {
	t, d, scale := m.p.table, m.wide(a.offsets), uint64(a.in.Mem.Scale)
	switch {
	case a.index32 == nil && a.index64 == nil:
		return a.base(m)
	case a.index64 != nil:
		t.MulQ.VS(d, a.index64(m), scale)
	case a.in.Mem.IndexSigned:
		t.ExtendS(d, a.index32(m))
		t.MulQ.VS(d, d, scale)
	default:
		t.ExtendU(d, a.index32(m))
		t.MulQ.VS(d, d, scale)
	}
	if a.base != nil {
		t.AddQ.VV(d, d, a.base(m))
	}
	return d
}

// log2 is the logarithm of an element's size.
func log2(size int64) (shift uint, ok bool) {
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
