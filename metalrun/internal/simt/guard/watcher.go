package guard

import (
	"unsafe"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// watcher sees the accesses of one machine.
type watcher struct {
	machine.NoObserver
	report    *Report
	accessed  [][buffers]spans // by site and buffer
	tolerated map[fault]*Tolerated
	bad       bool // the access that follows is to be made by the guard
}

// Finish reports what the machine has seen.
func (w *watcher) Finish(*machine.Machine) { w.report.join(w) }

// watcherOf is what watches a machine.
func watcherOf(m *machine.Machine) *watcher { return m.State[guardSlot].(*watcher) }

// site is an access of the source.
type site struct {
	number int
	access *machine.MemoryAccess
	count  int64 // of consecutive elements
	align  int64 // of the whole access, or 1 if it is not to be checked
	writes bool
	atomic bool
	stored []func(m *machine.Machine) machine.Elements // values to store, one for each element
}

// see looks at the addresses of the active lanes before the access.
func (s *site) see(m *machine.Machine) {
	w := watcherOf(m)
	w.bad = false
	first := m.FirstActive()
	if first < 0 {
		return
	}
	width := s.count * s.access.Size
	if s.access.Uniform {
		mem, off := s.access.Target(m, first)
		s.check(m, w, mem, off, first)
		return
	}
	mem, ok := s.access.Targets(m)
	if !ok || !s.inside(m, mem) {
		for l, on := range m.Mask {
			if on != 0 {
				at, off := s.access.Target(m, l)
				s.check(m, w, at, off, l)
			}
		}
		return
	}
	if to := s.spansIn(m, w, mem); to != nil {
		for l, off := range m.Addr[:len(m.Mask)] {
			if m.Mask[l] != 0 {
				to.add(off, off+width)
			}
		}
	}
}

// inside reports whether all active lanes, whose addresses are in m.Addr, access an object where they may.
func (s *site) inside(m *machine.Machine, mem *machine.Memory) bool {
	limit, odd, wide, at := mem.Size-s.count*s.access.Size, s.access.Size-1, s.align-1, s.phase(mem)
	if limit < 0 || s.writes && mem.ReadOnly {
		return false
	}
	for l, off := range m.Addr[:len(m.Mask)] {
		if m.Mask[l] != 0 && (uint64(off) > uint64(limit) || off&odd|(off+at)&wide != 0) {
			return false
		}
	}
	return true
}

// check records an access of one lane, and what is wrong with it.
func (s *site) check(m *machine.Machine, w *watcher, mem *machine.Memory, off int64, lane int) {
	a, width := s.access, s.count*s.access.Size
	switch {
	case mem == nil:
		w.tolerate(s, m.Fault(machine.Astray, a.In.Pos, lane, "access through a pointer that points to no object"),
			true)
		return
	case s.writes && mem.ReadOnly:
		w.tolerate(s, m.Fault(machine.ReadOnly, a.In.Pos, lane, "write to memory that the host bound read-only"), true)
		return
	case off < 0 || off > mem.Size-width:
		wrong := off // the first element outside
		for k := range s.count {
			if wrong = off + k*a.Size; wrong < 0 || wrong > mem.Size-a.Size {
				break
			}
		}
		w.tolerate(s, m.Misplaced(a, wrong, mem, a.Pointer(m, lane), lane), true)
	case off&(a.Size-1) != 0 && (off+s.phase(mem))&(a.Size-1) == 0: // the object begins elsewhere
		w.bad = true
	case off&(a.Size-1) != 0:
		w.tolerate(s, m.Misplaced(a, off, mem, a.Pointer(m, lane), lane), true)
	case (off+s.phase(mem))&(s.align-1) != 0:
		w.tolerate(s, m.Fault(machine.Misaligned, a.In.Pos, lane,
			"%s of %d bytes at offset %d of %s, which is no multiple "+
				"of their alignment of %d", verb(s), width, off, m.ObjectOf(mem), s.align), false)
	}
	if to := s.spansIn(m, w, mem); to != nil {
		if from, end := max(off, 0), min(off+width, mem.Size); from < end {
			to.add(from, end)
		}
	}
}

// phase is where an object begins between two multiples of 64 bytes. The window of a binding may begin anywhere in its
// buffer.
func (s *site) phase(mem *machine.Memory) int64 {
	if s.access.In.Mem.Space == syntax.Threadgroup || mem.ReadOnly {
		return 0
	}
	return int64(uintptr(unsafe.Pointer(unsafe.SliceData(mem.Bytes))) % 64)
}

func verb(s *site) string {
	switch {
	case s.atomic:
		return "atomic access"
	case s.writes:
		return "write"
	}
	return "read"
}

// spansIn is where accesses to an object are recorded; nil if it is no buffer.
func (s *site) spansIn(m *machine.Machine, w *watcher, mem *machine.Memory) *spans {
	if space := s.access.In.Mem.Space; space == syntax.Threadgroup || mem.ReadOnly {
		return nil
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.Objects)))
	i := (uintptr(unsafe.Pointer(mem)) - first) / unsafe.Sizeof(*mem)
	if i >= buffers {
		return nil
	}
	return &w.accessed[s.number][i]
}

// tolerate records a wrong access. In a bad one the guard has to take the place of the access.
func (w *watcher) tolerate(s *site, f *machine.Fault, bad bool) {
	w.bad = w.bad || bad
	at := fault{s.number, f.Kind}
	if known := w.tolerated[at]; known != nil {
		known.Times++
		return
	}
	w.tolerated[at] = &Tolerated{Fault: f, Times: 1}
}

// load makes a load in the place of the access.
func (s *site) load(m *machine.Machine, dst []machine.Slot) {
	decode, size := machine.Decode32(s.access.In.From), s.access.Size
	element := func(l int, k int) uint64 {
		mem, off := s.access.Target(m, l)
		raw := raw(mem, off+int64(k)*size, size)
		if size < 8 && decode != nil {
			return uint64(decode(uint32(raw)))
		}
		return raw
	}
	for k, d := range dst {
		if !d.Varying {
			v := element(m.FirstActive(), k)
			if d.Wide {
				m.Uni64[d.Index] = v
			} else {
				m.Uni32[d.Index] = uint32(v)
			}
			continue
		}
		for l, on := range m.Mask {
			switch {
			case on == 0:
			case d.Grouped:
				m.Grouped(d.Index)[l/machine.Simdgroup] = element(l, k)
			case d.Wide:
				m.Wide(d.Index)[l] = element(l, k)
			default:
				m.Lanes(d.Index)[l] = uint32(element(l, k))
			}
		}
	}
}

// store makes a store in the place of the access. Where several lanes write one address, the value of the last stays.
func (s *site) store(m *machine.Machine) {
	size := s.access.Size
	for k, values := range s.stored {
		v := values(m)
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			mem, off := s.access.Target(m, l)
			if mem == nil || mem.ReadOnly {
				continue
			}
			setRaw(mem, off+int64(k)*size, size, v.At(l))
		}
	}
}

// atomically has the lanes whose address is right make an atomic access, and gives the others 0.
func (s *site) atomically(m *machine.Machine, inside machine.Straight, dst []machine.Slot) {
	mask := append([]uint32(nil), m.Mask...)
	left := 0
	for l, on := range mask {
		if on == 0 {
			continue
		}
		mem, off := s.access.Target(m, l)
		if mem == nil || mem.ReadOnly || off < 0 || off > mem.Size-s.access.Size || off&(s.access.Size-1) != 0 {
			m.Mask[l] = 0
			continue
		}
		left++
	}
	for _, d := range dst {
		for l, on := range mask {
			switch {
			case on == 0 || m.Mask[l] != 0 || !d.Varying:
			case d.Wide:
				m.Wide(d.Index)[l] = 0
			default:
				m.Lanes(d.Index)[l] = 0
			}
		}
	}
	whole, full := m.Whole, m.Full
	if left > 0 {
		m.Counted(left)
		inside.Run(m)
	}
	copy(m.Mask, mask)
	m.Whole, m.Full, m.Activities.N = whole, full, 0
}

// raw reads an element byte by byte. What lies outside of the object is 0.
func raw(mem *machine.Memory, off, size int64) (v uint64) {
	if mem == nil || off < 0 || off > mem.Size-size {
		return 0
	}
	for i := range size {
		v |= uint64(mem.Bytes[off+i]) << (8 * i)
	}
	return v
}

// setRaw writes an element byte by byte, unless it lies outside of the object.
func setRaw(mem *machine.Memory, off, size int64, v uint64) {
	if off < 0 || off > mem.Size-size {
		return
	}
	for i := range size {
		mem.Bytes[off+i] = byte(v >> (8 * i))
	}
}

// guarded reports whether an instruction accesses memory that threads share.
func guarded(in *ir.Instr) bool {
	return in.Op.Info().Effects.Has(ir.Reads|ir.Writes) && in.Mem != nil && in.Mem.Space != syntax.Thread
}
