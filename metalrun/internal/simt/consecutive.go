package simt

import "metalconform/metalrun/internal/simt/lanes"

// Accesses at a lane-consecutive index (analysis.ConsecutiveInLine) are runs of memory.

// run is an access of words at consecutive indices from a uniform base.
type run struct {
	access *access
	pace   int // number
	slot   int // for what is no run when it comes to it
	gather op  // loads into slot
}

// extent is where a run lies: index elements after origin, which is an element of mem
// or not.
type extent struct {
	mem           *memory
	origin, index int64
}

// mostIndex bounds the indices of runs, so that they mean the same with and
// without sign.
const mostIndex = 1 << 31

// extent gives the run of elements that all threads of the threadgroup access, if
// they are active and it is one that lies in its object.
func (a *access) extent(m *machine) (x extent, ok bool) {
	if !m.inLine() {
		return x, false
	}
	mem, off, ok := a.whence(m)
	off += a.disp
	if !ok || off&(a.size-1) != 0 {
		return x, false
	}
	first := m.operand(&a.index)[0]
	if a.plus >= 0 {
		first += m.uni32[a.plus]
	}
	x = extent{mem, off >> a.log, wordIndex(first, a.sign)}
	if x.index < 0 || x.index+int64(m.n) > mostIndex {
		return x, false
	}
	i := x.origin + x.index
	return x, i >= 0 && i <= mem.size>>a.log-int64(m.n)
}

// inLine reports whether all threads of the threadgroup are active and in one line: then registers
// that are consecutive are so from the first lane to the last.
func (m *machine) inLine() bool { return m.whole && (m.size[0] == m.n || m.n == 1) }

// words gives that run's object and its words.
func (a *access) words(m *machine) (mem *memory, words []uint32, ok bool) {
	x, ok := a.extent(m)
	if !ok {
		return nil, nil, false
	}
	i := x.origin + x.index
	return x.mem, x.mem.words[i : i+int64(m.n) : i+int64(m.n)], true
}

// rows gives the words from the run x of a loop's first turn to that of its last,
// if y is that of the second one and origin and index change from turn to turn
// by the same amount; ok is false unless all runs lie in one object, in
// ascending order.
func (x extent) rows(y extent, turns, n int) (words []uint32, stride int, ok bool) {
	step, first := y.index-x.index, x.origin+x.index
	apart, room := y.origin-x.origin+step, int64(len(x.mem.words)-n)-first
	last := int64(turns - 1)
	if index := x.index + last*step; x.mem != y.mem || apart < 0 || index < 0 || index+int64(n) > mostIndex || apart > room/max(last, 1) {
		return nil, 0, false
	}
	return x.mem.words[first : first+last*apart+int64(n)], int(apart), true
}

// consecutive reports whether an access is of elements of up to 4 bytes at consecutive indices from
// a uniform base.
func (c *compiler) consecutive(a *access) bool {
	mem := a.in.Mem
	return !a.uniform && a.base == nil && a.size <= 4 && mem.Scale == a.size && a.index64 == nil && c.following[mem.Index]
}

// loadWidened loads a run of narrow elements, or leaves it to a gather.
func (a *access) loadWidened(widen lanes.Widening, slot, pace int, gather op) op {
	return func(m *machine) {
		x, ok := a.extent(m)
		if i := x.origin + x.index; ok && i <= mostElements {
			m.foresee(pace, x.mem.cover[i>>(2-a.log):][:m.n>>(2-a.log)])
			widen(m.lanes(slot), x.mem.cover, uint32(i))
			return
		}
		gather(m)
	}
}

func (r *run) lanes(m *machine) []uint32 {
	if _, words, ok := r.access.words(m); ok {
		m.foresee(r.pace, words)
		return words
	}
	r.gather(m)
	return m.lanes(r.slot)
}
