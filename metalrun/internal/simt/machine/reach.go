package machine

// reach is what an access of a loop comes to in all turns: elements one after the other, from the counter's number on,
// or one element for all threads.
type reach struct {
	a      *MemoryAccess
	single bool
	index  int     // of a single one: uniform register, or -1
	terms  []shift // what is added to the counter
}

// shift is a uniform register that is added or subtracted.
type shift struct {
	at       int
	subtract bool
}

// maxReaches bounds the accesses of a loop that are compared with each other.
const maxReaches = 16

// addressRange is a range of addresses.
type addressRange struct {
	from, to uintptr
	size     int64 // of an element
	single   bool
	written  bool
}

// span gives the range of an access in so many elements from the counter's number first on. ok is false unless all of it
// exists.
func (r *reach) span(m *Machine, first uint32, count int64) (s addressRange, ok bool) {
	a := r.a
	mem, off, ok := a.Whence(m)
	off += a.Disp
	if !ok || off&(a.Size-1) != 0 || a.Write && mem.ReadOnly {
		return s, false
	}
	index := int64(0)
	switch {
	case !r.single:
		for _, t := range r.terms {
			if t.subtract {
				first -= m.Uni32[t.at]
			} else {
				first += m.Uni32[t.at]
			}
		}
		if index = WordIndex(first, a.Sign); index < 0 || index+count > mostIndex {
			return s, false
		}
	case r.index >= 0:
		index, count = WordIndex(m.Uni32[r.index], a.Sign), 1
		if off += index * a.In.Mem.Scale; off&(a.Size-1) != 0 {
			return s, false
		}
		index = 0
	default:
		count = 1
	}
	index += off >> a.Log
	if index < 0 || index+count > min(mem.Size>>a.Log, mostElements) {
		return s, false
	}
	from := begin(*mem) + uintptr(index<<a.Log)
	return addressRange{from: from, to: from + uintptr(count<<a.Log), size: a.Size, single: r.single, written: a.Write}, true
}

// apart reports whether none of these ranges that are written shares bytes with another, unless both are the same
// elements in the same order: then each turn has its own.
func apart(spans []addressRange) bool {
	for i, s := range spans {
		for _, t := range spans[:i] {
			same := s.from == t.from && s.size == t.size && !s.single && !t.single
			if (s.written || t.written) && !same && s.from < t.to && t.from < s.to {
				return false
			}
		}
	}
	return true
}
