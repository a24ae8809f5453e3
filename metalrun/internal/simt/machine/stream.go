package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// What a launch writes and never reads goes past the caches if they cannot hold it until the host reads it: lines that
// are overwritten need not come from memory first.

// mostCached is the size of the largest buffer, in bytes, that caches are taken to hold.
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
