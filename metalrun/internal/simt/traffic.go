package simt

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// What a launch asks of caches and banks follows from addresses, which cost more to look
// at than the accesses themselves. So a launch that is profiled looks at those of a few
// neighbouring threadgroups in the middle of the grid, which run in a program of their own.

const (
	// CacheLine is how many bytes of device memory are fetched together, in bytes.
	CacheLine = 1 << lineLog
	lineLog   = 7

	// The cache of a core: 8 KiB (Apple 7 and 8: philipturner/metal-benchmarks), here in sets.
	cacheSets = 16
	cacheWays = 4

	banks = 32 // of threadgroup memory, 4 bytes wide: not published, and as many as lanes
)

// Traffic is what the sampled threadgroups of one launch did with memory.
type Traffic struct {
	mu     sync.Mutex
	sites  []Site
	groups []*Sampled
}

// Site is an access to memory, and what simdgroups did there.
type Site struct {
	Access   *ir.Instr // of the kernel as it was lowered
	Requests int64     // instructions of simdgroups
	Lines    int64     // of device memory, each once a request
	Missed   int64     // of these, what the cache of the core did not hold
	Turns    int64     // that threadgroup memory or an atomic takes: 1 a request if no two threads are in each other's way
}

// Sampled is one threadgroup: instructions of all its simdgroups, and of the longest of
// them between one barrier and the next.
type Sampled struct {
	Number          int
	Simdgroups      int64
	Issued, Longest int64
	Lines           []Touched // in ascending order
}

// Touched is a cache line of an object, and whether it was read and written.
type Touched struct {
	At            uint64
	Read, Written bool
}

// Sites are those of a launch, in the order of the source.
func (t *Traffic) Sites() []Site { return t.sites }

// Groups are the sampled threadgroups, in the order of the grid.
func (t *Traffic) Groups() []*Sampled {
	slices.SortFunc(t.groups, func(a, b *Sampled) int { return a.Number - b.Number })
	return t.groups
}

// Sample is which threadgroups of so many are looked at: [first, first+count).
func Sample(total int) (first, count int) {
	count = min(total, max(4, min(48, total/8)))
	return (total - count) / 2, count
}

// watch sees the accesses of one threadgroup at a time.
type watch struct {
	traffic *Traffic
	sites   []Site
	cache   [cacheSets][cacheWays]uint64 // line numbers plus 1, the last used first
	lines   map[uint64]*Touched
	group   *Sampled
	issued  []int64 // by simdgroup, since the last barrier
	held    [banks][]int64
}

func newWatch(p *Program, t *Traffic) *watch {
	w := &watch{traffic: t, sites: make([]Site, len(p.accesses)), issued: make([]int64, MaxThreads/Simdgroup)}
	for i, in := range p.accesses {
		w.sites[i].Access = in
	}
	return w
}

// watched is a kernel with an Observe in front of every access to memory that threads
// share, and these accesses.
func watched(k *ir.Kernel) *ir.Kernel {
	return ir.Observed(k, sharedAccess)
}

func sharedAccess(in *ir.Instr) bool {
	return in.Op.Info().Effects.Has(ir.Reads|ir.Writes) && in.Mem.Space != syntax.Thread
}

// accesses are those that watched sees, as the kernel was lowered.
func accesses(k *ir.Kernel) (list []*ir.Instr) {
	for in := range ir.Instrs(k.Body...) {
		if sharedAccess(in) {
			list = append(list, in)
		}
	}
	return list
}

// begin and end enclose a threadgroup.
func (w *watch) begin(m *machine, number int) {
	if w == nil {
		return
	}
	w.group = &Sampled{Number: number, Simdgroups: int64((m.launch.PerGroup.count() + Simdgroup - 1) / Simdgroup)}
	w.cache = [cacheSets][cacheWays]uint64{}
	w.lines = map[uint64]*Touched{}
	clear(w.issued)
}

func (w *watch) end() {
	if w == nil {
		return
	}
	w.wait()
	for _, l := range w.lines {
		w.group.Lines = append(w.group.Lines, *l)
	}
	slices.SortFunc(w.group.Lines, func(a, b Touched) int {
		if a.At < b.At {
			return -1
		}
		return 1
	})
	w.traffic.mu.Lock()
	defer w.traffic.mu.Unlock()
	w.traffic.groups = append(w.traffic.groups, w.group)
}

// finish hands over what a machine has seen.
func (w *watch) finish() {
	if w == nil {
		return
	}
	t := w.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sites == nil {
		t.sites = w.sites
		return
	}
	for i, s := range w.sites {
		to := &t.sites[i]
		to.Requests, to.Lines, to.Missed, to.Turns = to.Requests+s.Requests, to.Lines+s.Lines, to.Missed+s.Missed, to.Turns+s.Turns
	}
}

// wait is a barrier: the longest simdgroup is what the others wait for.
func (w *watch) wait() {
	var sum, longest int64
	for i, n := range w.issued {
		sum, longest = sum+n, max(longest, n)
		w.issued[i] = 0
	}
	w.group.Issued += sum
	w.group.Longest += longest
}

// issue counts a run of instructions for each simdgroup that takes it.
func (w *watch) issue(m *machine, instructions int64) {
	m.groups(Simdgroup, func(lo, hi int) {
		if m.whole || m.activeIn(lo, hi) > 0 {
			w.issued[lo/Simdgroup] += instructions
		}
	})
}

// sight compiles an Observe of a program that is watched.
func (c *compiler) sight(in *ir.Instr) {
	a := c.access(in)
	a.write = in.Fn != "load"
	for _, r := range in.Args {
		c.consumed(r)
	}
	v := &view{access: a, site: in.Number, bytes: int64(in.Count) * a.size, in: in}
	c.do(v.see)
}

// view is one access that is watched.
type view struct {
	access *access
	in     *ir.Instr
	site   int
	bytes  int64 // that a thread accesses
}

func (v *view) see(m *machine) {
	if m.watch == nil || m.firstActive() < 0 {
		return
	}
	a := v.access
	if a.uniform {
		mem, off := a.one(m, 0)
		m.groups(Simdgroup, func(lo, hi int) {
			n := hi - lo
			if !m.whole {
				n = m.activeIn(lo, hi)
			}
			if n > 0 {
				v.together(m, mem, off, n)
			}
		})
		return
	}
	mem, ok := a.many(m, 0)
	var room [Simdgroup]int64
	m.groups(Simdgroup, func(lo, hi int) {
		offsets := room[:0]
		object := mem
		for l := lo; l < hi; l++ {
			if m.mask[l] == 0 {
				continue
			}
			off := m.addr[l]
			if !ok {
				at, byLane := a.lane(m, l, 0)
				if off = byLane; len(offsets) > 0 && at != object {
					v.request(m, object, offsets)
					offsets = offsets[:0]
				}
				object = at
			}
			offsets = append(offsets, off)
		}
		if len(offsets) > 0 {
			v.request(m, object, offsets)
		}
	})
}

// together is a request of n threads for the same bytes.
func (v *view) together(m *machine, mem *memory, off int64, n int) {
	s := &m.watch.sites[v.site]
	s.Requests++
	switch {
	case v.in.Fn == "atomic":
		s.Turns += int64(n)
	case v.in.Mem.Space == syntax.Threadgroup:
		s.Turns += (v.bytes + 4*banks - 1) / (4 * banks)
		return
	default:
		s.Turns++
	}
	if v.in.Mem.Space != syntax.Threadgroup {
		v.lines(m, s, m.object(mem), off>>lineLog, (off+v.bytes-1)>>lineLog)
	}
}

// request is one of threads of a simdgroup that access the bytes at offsets of an object.
func (v *view) request(m *machine, mem *memory, offsets []int64) {
	s := &m.watch.sites[v.site]
	s.Requests++
	if v.in.Fn == "atomic" {
		s.Turns += most(offsets)
	}
	if v.in.Mem.Space == syntax.Threadgroup {
		if v.in.Fn != "atomic" {
			s.Turns += m.watch.turns(offsets, v.bytes)
		}
		return
	}
	if v.in.Fn != "atomic" {
		s.Turns++
	}
	object := m.object(mem)
	var room [2 * Simdgroup]int64
	seen := room[:0]
	last := int64(-1)
	for _, off := range offsets {
		for line, end := off>>lineLog, (off+v.bytes-1)>>lineLog; line <= end; line++ {
			if line == last || slices.Contains(seen, line) {
				continue
			}
			last = line
			seen = append(seen, line)
			v.lines(m, s, object, line, line)
		}
	}
}

// lines looks for cache lines of an object in the cache of the core. Atomics go past it.
func (v *view) lines(m *machine, s *Site, object uint64, first, last int64) {
	for line := first; line <= last; line++ {
		s.Lines++
		at := object<<40 | uint64(line)
		hit := v.in.Fn != "atomic" && m.watch.hit(at)
		if !hit {
			s.Missed++
		}
		if !hit || v.in.Fn == "store" {
			m.watch.note(at, v.in.Fn != "store", v.in.Fn != "load")
		}
	}
}

// hit reports whether the cache holds a line, and takes it in if not.
func (w *watch) hit(at uint64) bool {
	set := &w.cache[(at^at>>4)%cacheSets]
	for i, tag := range set {
		if tag == at+1 {
			copy(set[1:i+1], set[:i])
			set[0] = at + 1
			return true
		}
	}
	copy(set[1:], set[:])
	set[0] = at + 1
	return false
}

// note records a line that the threadgroup touches.
func (w *watch) note(at uint64, read, written bool) {
	l := w.lines[at]
	if l == nil {
		l = &Touched{At: at}
		w.lines[at] = l
	}
	l.Read, l.Written = l.Read || read, l.Written || written
}

// turns is how often the busiest bank is needed for different words.
func (w *watch) turns(offsets []int64, bytes int64) int64 {
	for i := range w.held {
		w.held[i] = w.held[i][:0]
	}
	busiest := 0
	for _, off := range offsets {
		for word := off >> 2; word<<2 < off+bytes; word++ {
			b := &w.held[word%banks]
			if !slices.Contains(*b, word) {
				*b = append(*b, word)
				busiest = max(busiest, len(*b))
			}
		}
	}
	return int64(busiest)
}

// most is the largest number of equal offsets.
func most(offsets []int64) int64 {
	var room [Simdgroup]int64
	sorted := append(room[:0], offsets...)
	slices.Sort(sorted)
	best, run := 0, 0
	for i, off := range sorted {
		if i == 0 || off != sorted[i-1] {
			run = 0
		}
		run++
		best = max(best, run)
	}
	return int64(best)
}

// object is the number of an object of the machine.
func (m *machine) object(mem *memory) uint64 {
	for i := range m.objects {
		if mem == &m.objects[i] {
			return uint64(i)
		}
	}
	panic("simt: memory of no object")
}
