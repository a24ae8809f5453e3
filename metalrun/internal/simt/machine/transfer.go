package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/lanes"
)

// HalfToLane is a binary16 value as f32 bits.
func HalfToLane(bits uint32) uint32 { return F32bits(scalar.FromHalfBits(uint16(bits))) }

// Decode32 turns the raw bits of an element into its lane value.
func Decode32(s ir.Scalar) func(raw uint32) uint32 {
	switch s {
	case ir.B8:
		return func(v uint32) uint32 { return Lane(v != 0) }
	case ir.S8:
		return func(v uint32) uint32 { return uint32(int32(int8(v))) }
	case ir.S16:
		return func(v uint32) uint32 { return uint32(int32(int16(v))) }
	case ir.H16:
		return HalfToLane
	case ir.T16:
		return func(v uint32) uint32 { return v << 16 }
	}
	return nil // the lane value is the raw value
}

// Encode32 turns a lane value into the raw bits of an element.
func Encode32(s ir.Scalar) func(lane uint32) uint32 {
	switch s {
	case ir.B8:
		return func(v uint32) uint32 { return v & 1 }
	case ir.H16:
		return func(v uint32) uint32 { return uint32(scalar.HalfBits(F32frombits(v))) }
	case ir.T16:
		return func(v uint32) uint32 { return uint32(scalar.BfloatBits(F32frombits(v))) }
	}
	return nil
}

// LoadsWord reports whether the access is of one word through a computed uniform pointer, at a uniform 32-bit index of
// words.
func (a *MemoryAccess) LoadsWord(decode func(uint32) uint32) bool {
	mem := a.In.Mem
	return decode == nil && a.Size == 4 && !a.Fixed && a.Scalar >= 0 && mem.Scale == 4 && mem.Disp%4 == 0
}

// GatherOf is the gather that reads elements of a type as lane values, or nil.
func GatherOf(t *lanes.Table, s ir.Scalar) lanes.Gather {
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

// WideningOf is GatherOf for narrow elements that follow each other.
func WideningOf(t *lanes.Table, s ir.Scalar) lanes.Widening {
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

// GatherInto loads the elements of each lane into slots.
func (a *MemoryAccess) GatherInto(gather lanes.Gather, slots []int) Op {
	count, slow := int64(len(slots)), a.loadSlowly()
	return func(m *Machine) {
		if mem, idx, at, ok := a.Locate(m, count); ok && m.gatherOnce(gather, m.Lanes(slots[0]), mem, idx, at) == m.N {
			for _, s := range slots[1:] {
				at.First++
				m.gatherOnce(gather, m.Lanes(s), mem, idx, at)
			}
			return
		}
		for k, s := range slots {
			slow(m, m.Lanes(s), int64(k)*a.Size)
		}
	}
}

// GatherOne loads element k of count consecutive elements for each lane.
func (a *MemoryAccess) GatherOne(gather lanes.Gather, k, count int) func(m *Machine, d []uint32) {
	slow := a.loadSlowly()
	return func(m *Machine, d []uint32) {
		if gather != nil {
			if mem, idx, at, ok := a.Locate(m, int64(count)); ok {
				at.First += uint32(k)
				if m.gatherOnce(gather, d, mem, idx, at) == m.N {
					return
				}
			}
		}
		slow(m, d, int64(k)*a.Size)
	}
}

// loadSlowly reads 1-, 2- and 4-byte elements lane by lane.
func (a *MemoryAccess) loadSlowly() func(m *Machine, d []uint32, extra int64) {
	decode := Decode32(a.In.From)
	return func(m *Machine, d []uint32, extra int64) {
		mem, ok := a.Many(m, extra)
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.Addr[l]
			if !ok {
				at, off = a.Lane(m, l, extra)
			}
			d[l] = uint32(at.Raw(off, int(a.Size)))
			if decode != nil {
				d[l] = decode(d[l])
			}
		}
	}
}

// Load64 reads 8-byte elements.
func (a *MemoryAccess) Load64(extra int64) func(m *Machine, d []uint64) {
	if a.Uniform {
		return func(m *Machine, d []uint64) {
			mem, off := a.One(m, extra)
			v := mem.Raw(off, 8)
			for l := range d {
				d[l] = v
			}
		}
	}
	return func(m *Machine, d []uint64) {
		mem, ok := a.Many(m, extra)
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.Addr[l]
			if !ok {
				at, off = a.Lane(m, l, extra)
			}
			d[l] = at.Raw(off, 8)
		}
	}
}

// Encoded sets raw bits to the result of a loop over lanes.
func Encoded(raw, v []uint32, encode lanes.Unary) {
	if encode == nil {
		copy(raw, v)
	} else {
		encode(raw, v)
	}
}

// StoreSlowly writes raw bits lane by lane.
func (a *MemoryAccess) StoreSlowly() func(m *Machine, v []uint32, extra int64) {
	return func(m *Machine, v []uint32, extra int64) {
		mem, ok := a.Many(m, extra)
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			at, off := mem, m.Addr[l]
			if !ok {
				at, off = a.Lane(m, l, extra)
			}
			m.Writable(a, at)
			at.SetRaw(off, int(a.Size), uint64(v[l]))
		}
	}
}

// Elements are lanes of either width.
type Elements struct {
	Narrow []uint32
	Wide   []uint64
	Encode func(uint32) uint32 // encodes a narrow lane in At; nil: the bits are those of the lane
}

// At is the value of a lane.
func (e *Elements) At(l int) Element {
	switch {
	case e.Wide != nil:
		return e.Wide[l]
	case e.Encode != nil:
		return Element(e.Encode(e.Narrow[l]))
	}
	return Element(e.Narrow[l])
}

// Set gives a lane its value.
func (e *Elements) Set(l int, v Element) {
	if e.Wide != nil {
		e.Wide[l] = v
	} else {
		e.Narrow[l] = uint32(v)
	}
}

// Scatter writes the raw bits of elements to the addresses of the lanes.
func (a *MemoryAccess) Scatter(m *Machine, extra int64, value Elements) {
	size := int(a.Size)
	if a.Uniform {
		mem, off := a.One(m, extra)
		m.Writable(a, mem)
		for l := m.N - 1; l >= 0; l-- {
			if m.Mask[l] != 0 {
				mem.SetRaw(off, size, value.At(l))
				return
			}
		}
		return
	}
	mem, ok := a.Many(m, extra)
	if ok {
		m.Writable(a, mem)
	}
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		at, off := mem, m.Addr[l]
		if !ok {
			at, off = a.Lane(m, l, extra)
			m.Writable(a, at)
		}
		at.SetRaw(off, size, value.At(l))
	}
}

// Writable faults if memory is read-only.
func (m *Machine) Writable(a *MemoryAccess, mem *Memory) {
	if mem.ReadOnly {
		m.fail(ReadOnly, a.In.Pos, m.FirstActive(), "write to memory that the host bound read-only")
	}
}
