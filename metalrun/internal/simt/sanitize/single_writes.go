package sanitize

import (
	"metalconform/metalrun/internal/simt/machine"
)

// Most kernels write each element of an output once, all threads of a threadgroup side by side. Then there is nothing
// to compare with, and what is remembered of the cells is written in one go.

// singleWrites is each for writes to one cell of an object of which reads are not told apart.
func (o *observer) singleWrites(m *machine.Machine, s *shadow) {
	c, addr, fresh := &sanitizerOf(m).Clock, m.Addr[:len(m.Mask)], 0
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		cell := int(addr[l] >> s.log)
		written := &s.toWrite(cell)[cell&(pageCells-1)]
		switch w := written.when; {
		case w == 0:
			fresh++
		case w < c.group || w >= c.epoch[s.scope]:
			o.afterWrite(m, s, cell, l)
			fallthrough
		default:
			s.wrote(c, written)
		}
		*written = record{c.Now, o.site<<threadBits | uint32(l)}
	}
	s.coarse.filled += fresh
}

// freshWrites is singleWrites for cells side by side that nobody has written, false if they are not that.
func (o *observer) freshWrites(m *machine.Machine) bool {
	x, ok := o.access.Extent(m)
	if !ok || shadowOf(x.Mem) == nil || shadowOf(x.Mem).apart || shadowOf(x.Mem).log != o.access.Log {
		return false
	}
	s, c, first := shadowOf(x.Mem), &sanitizerOf(m).Clock, int(x.Origin+x.Index)
	for cell := first; cell < first+m.N; {
		end := min(first+m.N, cell|(pageCells-1)+1)
		if p := s.writes[cell>>pageLog]; p != nil && someMade(p[cell&(pageCells-1):][:end-cell]) {
			return false
		}
		cell = end
	}
	who := o.site<<threadBits - uint32(first)
	for cell := first; cell < first+m.N; {
		end := min(first+m.N, cell|(pageCells-1)+1)
		records := s.toWrite(cell)[cell&(pageCells-1):][:end-cell]
		for i := range records {
			records[i] = record{c.Now, who + uint32(cell+i)}
		}
		cell = end
	}
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	s.coarse.filled += m.N
	return true
}

// someMade reports whether one of the accesses was made.
func someMade(records []record) bool {
	var when uint32
	for i := range records {
		when |= records[i].when
	}
	return when != 0
}
