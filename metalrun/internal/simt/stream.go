package simt

import (
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/lanes"
)

// What a launch writes and never reads goes past the caches if they cannot hold it until the host reads it: lines that are
// overwritten need not come from memory first.

// mostCached is the size of the largest buffer, in bytes, that caches are taken to hold.
const mostCached = 16 << 20

// unread reports whether a store leads to a buffer from which the kernel loads nothing.
func (c *compiler) unread(a *access) bool {
	return c.does(passStream) && a.write && a.object >= 0 && a.object < analysis.FirstThreadgroup && c.readable()&(1<<a.object) == 0
}

// streams reports whether words that a store writes are not to stay in caches.
func (a *access) streams(mem *memory) bool { return a.unread && mem.size >= mostCached }

// stream is encoded for such words. Scratch is a slot.
func (m *machine) stream(words, v []uint32, encode lanes.Unary, scratch int) {
	if encode != nil {
		raw := m.lanes(scratch)
		encode(raw, v)
		v = raw
	}
	m.p.table.Stream(words, v)
}
