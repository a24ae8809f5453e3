package machine

import "metalconform/metalrun/internal/simt/lanes"

// Accesses at a lane-consecutive index (analysis.ConsecutiveInLine) are runs of memory.

// Run is an access of words at consecutive indices from a uniform base.
type Run struct {
	Access    *MemoryAccess
	Predictor int // number
	Slot      int // takes the elements if they turn out to be no run
	Gather    Op  // loads them into Slot
}

// Extent is where a run lies: Index elements after Origin, which need not be an element of Mem itself.
type Extent struct {
	Mem           *Memory
	Origin, Index int64
}

// mostIndex bounds the indices of runs: below it, they mean the same with and without sign.
const mostIndex = 1 << 31

// Extent gives the run of elements that the threads of the threadgroup access. ok is false unless all threads are
// active and the run lies in its object.
func (a *MemoryAccess) Extent(m *Machine) (x Extent, ok bool) {
	if !m.inLine() {
		return x, false
	}
	mem, off, ok := a.Whence(m)
	off += a.Disp
	if !ok || off&(a.Size-1) != 0 {
		return x, false
	}
	first := m.Operand(&a.Index)[0]
	if a.Plus >= 0 {
		first += m.Uni32[a.Plus]
	}
	x = Extent{mem, off >> a.Log, WordIndex(first, a.Sign)}
	if x.Index < 0 || x.Index+int64(m.N) > mostIndex {
		return x, false
	}
	i := x.Origin + x.Index
	return x, i >= 0 && i <= mem.Size>>a.Log-int64(m.N)
}

// inLine reports whether all threads of the threadgroup are active and in one line: then a lane-consecutive register is
// consecutive from the first lane to the last.
func (m *Machine) inLine() bool { return m.Whole && (m.Size[0] == m.N || m.N == 1) }

// Words gives the object of such a run, and the words of the run.
func (a *MemoryAccess) Words(m *Machine) (mem *Memory, words []uint32, ok bool) {
	x, ok := a.Extent(m)
	if !ok {
		return nil, nil, false
	}
	i := x.Origin + x.Index
	return x.Mem, x.Mem.Words[i : i+int64(m.N) : i+int64(m.N)], true
}

// rows gives the words from the run of the first iteration of a loop to the run of the last. x and y are the runs of
// the first two iterations; the others follow at the same distance. ok is false unless all runs lie in one object, in
// ascending order.
func (x Extent) rows(y Extent, trips, n int) (words []uint32, stride int, ok bool) {
	step, first := y.Index-x.Index, x.Origin+x.Index
	apart, room := y.Origin-x.Origin+step, int64(len(x.Mem.Words)-n)-first
	last := int64(trips - 1)
	if index := x.Index + last*step; x.Mem != y.Mem || apart < 0 || index < 0 || index+int64(n) > mostIndex ||
		apart > room/max(last, 1) {
		return nil, 0, false
	}
	return x.Mem.Words[first : first+last*apart+int64(n)], int(apart), true
}

// LoadWidened loads a run of narrow elements, or gathers them if they are no run.
func (a *MemoryAccess) LoadWidened(widen lanes.Widening, slot, predictor int, gather Op) Op {
	return func(m *Machine) {
		x, ok := a.Extent(m)
		if i := x.Origin + x.Index; ok && i <= MostElements {
			m.Prefetch(predictor, x.Mem.Cover[i>>(2-a.Log):][:m.N>>(2-a.Log)])
			widen(m.Lanes(slot), x.Mem.Cover, uint32(i))
			return
		}
		gather(m)
	}
}

func (r *Run) lanes(m *Machine) []uint32 {
	if _, words, ok := r.Access.Words(m); ok {
		m.Prefetch(r.Predictor, words)
		return words
	}
	r.Gather(m)
	return m.Lanes(r.Slot)
}
