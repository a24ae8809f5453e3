package machine

// Reach is what an access of a loop reaches in all iterations: consecutive elements from the number of the counter on,
// or one element for all threads.
type Reach struct {
	A      *MemoryAccess
	Single bool
	Index  int     // of a single element: a uniform register, or -1
	Terms  []Shift // are added to the counter
}

// Shift is a uniform register that is added or subtracted.
type Shift struct {
	At       int
	Subtract bool
}

// MaxReaches bounds the accesses of a loop that are compared with each other, in pairs, each time that it begins. A
// loop of this catalogue has at most 3, of candle's kernels 6. Bounds of 4 and 256 change no time of BenchmarkAblation.
const MaxReaches = 16

// addressRange is a range of addresses.
type addressRange struct {
	from, to uintptr
	size     int64 // of an element
	single   bool
	written  bool
}

// span gives the range of an access in count iterations, in the first of which the counter is first. ok is false unless
// all of the range exists.
func (r *Reach) span(m *Machine, first uint32, count int64) (s addressRange, ok bool) {
	a := r.A
	mem, off, ok := a.Whence(m)
	off += a.Disp
	if !ok || off&(a.Size-1) != 0 || a.Write && mem.ReadOnly {
		return s, false
	}
	index := int64(0)
	switch {
	case !r.Single:
		for _, t := range r.Terms {
			if t.Subtract {
				first -= m.Uni32[t.At]
			} else {
				first += m.Uni32[t.At]
			}
		}
		if index = WordIndex(first, a.Sign); index < 0 || index+count > mostIndex {
			return s, false
		}
	case r.Index >= 0:
		index, count = WordIndex(m.Uni32[r.Index], a.Sign), 1
		if off += index * a.In.Mem.Scale; off&(a.Size-1) != 0 {
			return s, false
		}
		index = 0
	default:
		count = 1
	}
	index += off >> a.Log
	if index < 0 || index+count > min(mem.Size>>a.Log, MostElements) {
		return s, false
	}
	from := begin(*mem) + uintptr(index<<a.Log)
	return addressRange{from: from, to: from + uintptr(count<<a.Log), size: a.Size, single: r.Single, written: a.Write},
		true
}

// apart reports whether no range that is written overlaps another. Two ranges with the same elements in the same order
// do not count, because each iteration then has its own element.
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
