package machine

import (
	"metalconform/metalrun/internal/simt/lanes"
)

// A large buffer that a launch writes and never reads is written past the caches: its lines need not be loaded first,
// and the caches could not hold them until the host reads them.

// MostCached is the size of a buffer, in bytes, from which on the caches are assumed not to hold it.
// residual_add_n_tokens takes 12 % less CPU time with outputs of 16 MiB that are written past the caches, 14 % with
// 8 MiB, 8 % with 4 MiB (BenchmarkAblation). The host reads the output afterwards, which these figures leave out.
// Therefore smaller buffers stay in the caches.
const MostCached = 8 << 20

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
