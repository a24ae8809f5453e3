package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// A large buffer that a launch writes and never reads is written past the caches: its lines need not be loaded first,
// and the caches could not hold them until the host reads them.

// MostCached is the largest size of a buffer, in bytes, that the caches are assumed to hold.
const MostCached = 16 << 20

// Streams reports whether words that a store writes are not to stay in caches.
func (a *MemoryAccess) Streams(mem *Memory) bool { return a.Unread && mem.Size >= MostCached }

// Stream is encoded for such words. Scratch is a slot.
func (m *Machine) Stream(words, v []uint32, encode lanes.Unary, scratch int) {
	if encode != nil {
		raw := m.Lanes(scratch)
		encode(raw, v)
		v = raw
	}
	m.P.Table.Stream(words, v)
}
