package simt

// Most kernels write each element of an output once, all threads of a threadgroup side by side. Then there is nothing
// to compare with, and what is remembered of the cells is written in one go.

// singleWrites is each for writes to one cell of an object of which reads are not told apart.
func (o *observer) singleWrites(m *machine, s *shadow) {
	c, addr, fresh := &sanitizerOf(m).clock, m.addr[:len(m.mask)], 0
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	for l, on := range m.mask {
		if on == 0 {
			continue
		}
		cell := int(addr[l] >> s.log)
		written := &s.toWrite(cell)[cell&(pageCells-1)]
		switch w := written.when; {
		case w == 0:
			fresh++
		case w < c.group || w >= c.epoch[s.scope]:
			o.behind(m, s, cell, l)
			fallthrough
		default:
			s.wrote(c, written)
		}
		*written = record{c.now, o.site<<threadBits | uint32(l)}
	}
	s.coarse.filled += fresh
}

// freshWrites is singleWrites for cells side by side that nobody has written, false if they are not that.
func (o *observer) freshWrites(m *machine) bool {
	x, ok := o.access.extent(m)
	if !ok || shadowOf(x.mem) == nil || shadowOf(x.mem).apart || shadowOf(x.mem).log != o.access.log {
		return false
	}
	s, c, first := shadowOf(x.mem), &sanitizerOf(m).clock, int(x.origin+x.index)
	for cell := first; cell < first+m.n; {
		end := min(first+m.n, cell|(pageCells-1)+1)
		if p := s.writes[cell>>pageLog]; p != nil && someMade(p[cell&(pageCells-1):][:end-cell]) {
			return false
		}
		cell = end
	}
	who := o.site<<threadBits - uint32(first)
	for cell := first; cell < first+m.n; {
		end := min(first+m.n, cell|(pageCells-1)+1)
		records := s.toWrite(cell)[cell&(pageCells-1):][:end-cell]
		for i := range records {
			records[i] = record{c.now, who + uint32(cell+i)}
		}
		cell = end
	}
	if s.coarse.group != c.group {
		s.coarse.group, s.coarse.filled = c.group, 0
	}
	s.coarse.filled += m.n
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
