package simt

import (
	"math/bits"
	"sync"
)

// Rows of a machine are cut from a store, which the next machine gets once a launch has ended: most launches are so
// short that new memory, which the system has to clear and Go to collect, would take much of their time.

// store is memory for rows. Its first used elements of each kind belong to somebody.
type store struct {
	words []uint32
	wides []uint64
	spans []int64
}

var stores sync.Pool // of *store

// mostStored is the size of the largest part of a store that is kept, in elements.
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
	case n > mostStored: // nobody gets it after this machine
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

// rows gives a machine for at most that many threads its rows, and its scalars: a store shares no line of a cache with
// what another core writes.
func (m *machine) rows(most int) {
	p := m.p
	m.store = newStore((p.slots32+5+2*p.constructs+p.privateWords)*most+len(p.uni32), (p.slots64+1)*most+len(p.uni64), most)
	s := *m.store
	m.u32, m.u64, m.scratch8, m.addr = cut(&s.words, p.slots32*most), cut(&s.wides, p.slots64*most), cut(&s.wides, most), cut(&s.spans, most)
	m.mask, m.exited, m.ended, m.scratch, m.iota = cut(&s.words, most), cut(&s.words, most), cut(&s.words, most), cut(&s.words, most), cut(&s.words, most)
	for l := range m.iota {
		m.iota[l] = uint32(l)
	}
	m.slots = make([][]uint32, p.slots32)
	m.saved, m.waiting, m.anyWaiting = make([][]uint32, p.constructs), make([][]uint32, p.constructs), make([]bool, p.constructs)
	for i := range p.constructs {
		m.saved[i], m.waiting[i] = cut(&s.words, most), cut(&s.words, most)
	}
	m.private = cut(&s.words, p.privateWords*most)
	m.uni32, m.uni64 = cut(&s.words, len(p.uni32)), cut(&s.wides, len(p.uni64)) // behind rows, which begin where lines do
	copy(m.uni32, p.uni32)
	copy(m.uni64, p.uni64)
}

// retire gives the rows back. The machine has run its last threadgroup.
func (m *machine) retire() {
	s := m.store
	m.store, m.slots, m.mask, m.private, m.uni32, m.uni64 = nil, nil, nil, nil, nil, nil
	if s != nil && m.p.does(passMachinePool) && max(cap(s.words), cap(s.wides), cap(s.spans)) <= mostStored {
		stores.Put(s)
	}
	if m.broad != nil {
		m.broad.retire()
		m.broad = nil
	}
}
