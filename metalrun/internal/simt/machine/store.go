package machine

import (
	"math/bits"
	"sync"
)

// The rows of a machine are cut from a store. After the launch, another machine gets the store: most launches are so
// short that clearing and collecting new memory would take much of their time.

// store is memory for rows. The elements of each kind before used are taken.
type store struct {
	words []uint32
	wides []uint64
	spans []int64
}

var stores sync.Pool // of *store

// mostStored is the size of the largest part of a store that is kept, in elements: it bounds the memory of idle stores.
// To keep none costs the quick sweep 4 % (BenchmarkAblation). Bounds of 2¹⁶ and 2²³ change nothing there.
const mostStored = 1 << 21

// newStore is a store of at least so many elements of each kind, all of them 0.
func newStore(words, wides, spans int) *store {
	s, _ := stores.Get().(*store)
	if s == nil {
		s = &store{}
	}
	s.words, s.wides, s.spans = zeros(s.words, words), zeros(s.wides, wides), zeros(s.spans, spans)
	return s
}

// zeros are n of them, where others were if there is room.
func zeros[T uint32 | uint64 | int64](from []T, n int) []T {
	switch {
	case cap(from) >= n:
	case n > mostStored: // it is not kept for another machine
		return make([]T, n)
	default:
		return make([]T, n, 1<<bits.Len(uint(n-1)))
	}
	from = from[:n]
	clear(from)
	return from
}

// cut takes the next n elements.
func cut[T any](from *[]T, n int) []T {
	row := (*from)[:n:n]
	*from = (*from)[n:]
	return row
}

// rows gives a machine for at most so many threads its rows and its scalars. Scalars are in the store because a store
// shares no cache line with memory that another core writes.
func (m *Machine) rows(most int) {
	p := m.P
	m.store = newStore((p.Slots32+5+2*p.Constructs+p.PrivateWords)*most+len(p.Uni32), (p.Slots64+1)*most+len(p.Uni64),
		most)
	s := *m.store
	m.u32, m.u64, m.Scratch8, m.Addr = cut(&s.words, p.Slots32*most), cut(&s.wides, p.Slots64*most),
		cut(&s.wides, most), cut(&s.spans, most)
	m.Mask, m.Exited, m.Ended, m.Scratch, m.iota = cut(&s.words, most), cut(&s.words, most), cut(&s.words, most),
		cut(&s.words, most), cut(&s.words, most)
	for l := range m.iota {
		m.iota[l] = uint32(l)
	}
	m.slots = make([][]uint32, p.Slots32)
	m.saved, m.Waiting, m.AnyWaiting = make([][]uint32, p.Constructs), make([][]uint32, p.Constructs),
		make([]bool, p.Constructs)
	for i := range p.Constructs {
		m.saved[i], m.Waiting[i] = cut(&s.words, most), cut(&s.words, most)
	}
	m.Private = cut(&s.words, p.PrivateWords*most)
	// after the rows, which begin at cache lines
	m.Uni32, m.Uni64 = cut(&s.words, len(p.Uni32)), cut(&s.wides, len(p.Uni64))
	copy(m.Uni32, p.Uni32)
	copy(m.Uni64, p.Uni64)
}

// Retire releases the rows. The machine must not run another threadgroup.
func (m *Machine) Retire() {
	m.charge()
	s := m.store
	m.store, m.slots, m.Mask, m.Private, m.Uni32, m.Uni64 = nil, nil, nil, nil, nil, nil
	if s != nil && m.P.Does(passMachinePool) && max(cap(s.words), cap(s.wides), cap(s.spans)) <= mostStored {
		stores.Put(s)
	}
	if m.broad != nil {
		m.broad.Retire()
		m.broad = nil
	}
}
