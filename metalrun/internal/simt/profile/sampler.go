package profile

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

const (
	// CacheLine is how many bytes of device memory are fetched together, in bytes.
	CacheLine = 1 << lineLog
	lineLog   = 7

	// Lines of the cache of a core: 8 KiB (Apple 7 and 8: philipturner/metal-benchmarks).
	cacheLines = 64

	banks = 16 // of threadgroup memory, 4 bytes wide (the same)
)

// Traffic is what the sampled threadgroups of one launch did with memory.
type Traffic struct {
	mu     sync.Mutex
	sites  []AccessSite
	groups []*Sampled
}

// AccessSite is an access to memory, and what simdgroups did there.
type AccessSite struct {
	Access   *ir.Instr // of the kernel as it was lowered
	Requests int64     // instructions of simdgroups
	Lines    int64     // of device memory, each once a request
	Missed   Misses    // of these, what the cache of the core did not hold
	// of threadgroup memory and atomics: 1 for a request without conflicts
	Transactions int64
}

// Misses are the misses if the threadgroup has the whole cache, a half, a fourth and so on, because other threadgroups
// run on the core.
type Misses [Shares]int64

// Shares is the number of shares of the cache that are simulated.
const Shares = 5

// noted is the size of the table that finds lines of the group again.
const noted = 1 << 10

// Sampled is one threadgroup. Issued is the approximate number of cycles of all simdgroups, and Longest that of the
// longest simdgroup between barriers.
type Sampled struct {
	Number          int
	Simdgroups      int64
	Issued, Longest int64
	Asked           int64              // number of lines of device memory, each once a request
	Lines           []Touched          // in the order in which they were touched; some come twice
	Contended       []ContendedAddress // in the order in which they were found
}

// Touched is a cache line of an object, and where it was read and written first.
type Touched struct {
	At            uint64
	Read, Written int // number of the access in the order of the source, plus 1; 0 for none
}

// Object is the number of the buffer of the line, or a greater number for other objects.
func (t Touched) Object() int { return int(t.At >> objectShift) }

// objectShift is the position of the number of the object in the number of a line.
const objectShift = 40

// Sites are the accesses of a launch, in the order of the source.
func (t *Traffic) Sites() []AccessSite { return t.sites }

// Groups are the sampled threadgroups, in the order of the grid.
func (t *Traffic) Groups() []*Sampled {
	slices.SortFunc(t.groups, func(a, b *Sampled) int { return a.Number - b.Number })
	return t.groups
}

// sample gives the threadgroups of the grid that are sampled: [first, first+count).
func sample(total int) (first, count int) {
	count = max(1, min(48, total/8))
	return (total - count) / 2, count
}

// sampler sees the accesses of one threadgroup at a time.
type sampler struct {
	machine.NoObserver
	of        *Profiler
	traffic   *Traffic
	sites     []AccessSite
	cache     lineCache
	inflight  inflightLines
	noted     [noted]int32 // by the low bits of the number of a line, its index in the lines of the group
	first     int          // the sampled threadgroups: [first, end)
	end       int
	group     *Sampled // the current threadgroup; nil: it is not sampled
	contended ContendedAddresses
	issued    []int64 // by simdgroup, since the last barrier
	held      [banks][]int64
	patterns  []*pattern     // by site, the last of threadgroup memory; nil: none
	loops     []loopSampling // by loop

	latencies  []latency // of each run
	window     int64     // the number of runs of which nobody waits for the one before
	iterations []int64   // of each run that stands in a row with others, since the row began
	loaded     []int64   // by simdgroup, the last window with a load from the device
}

func newSampler(p *Profiler, l *machine.Dispatch, t *Traffic) *sampler {
	w, _ := p.samplers.Get().(*sampler)
	if w == nil {
		w = &sampler{of: p, patterns: make([]*pattern, len(p.accesses)),
			issued: make([]int64, machine.MaxThreads/machine.Simdgroup),
			loaded: make([]int64, machine.MaxThreads/machine.Simdgroup), latencies: p.latencies,
			iterations: make([]int64, len(p.counting.runs)), loops: make([]loopSampling, p.loops)}
	}
	w.traffic, w.sites, w.group = t, make([]AccessSite, len(p.accesses)), nil
	for i, in := range p.accesses {
		w.sites[i].Access = in
	}
	first, count := sample(l.Running())
	w.first, w.end = l.Skip+first, l.Skip+first+count
	return w
}

// sampledKernel is a kernel with an ObserveOp before every access to shared memory, in the first iterations of loops.
func sampledKernel(k *ir.Kernel) *ir.Kernel {
	return sampledLoops(k, sharedAccess)
}

func sharedAccess(in *ir.Instr) bool {
	return in.Op.Info().Effects.Has(ir.Reads|ir.Writes) && in.Mem.Space != syntax.Thread
}

// accesses are the accesses that sampledKernel observes, in the lowered kernel.
func accesses(k *ir.Kernel) (list []*ir.Instr) {
	for in := range ir.Instrs(k.Body...) {
		if sharedAccess(in) {
			list = append(list, in)
		}
	}
	return list
}

// ProfiledAccesses are the accesses that are sampled, in the order of [Traffic.Sites].
func ProfiledAccesses(p *machine.Program) []*ir.Instr { return accesses(p.Source) }

// Begin and End enclose a threadgroup.
func (w *sampler) Begin(m *machine.Machine, number int) {
	w.group = nil
	if number < w.first || number >= w.end {
		return
	}
	w.group = &Sampled{Number: number,
		Simdgroups: int64((m.Launch.PerGroup.Count() + machine.Simdgroup - 1) / machine.Simdgroup),
		Lines:      make([]Touched, 0, cacheLines)}
	w.inflight.before += w.window + 1
	w.cache, w.window = emptyCache, 0
	clear(w.loaded)
	clear(w.issued)
	w.contended.take()
	clear(w.iterations)
	clear(w.loops)
	m.Seen |= machine.Order
}

// End adds the threadgroup to the traffic.
func (w *sampler) End(m *machine.Machine) {
	m.Seen &^= machine.Order
	if !w.active() {
		return
	}
	w.barrier()
	w.group.Contended = w.contended.take()
	w.traffic.mu.Lock()
	defer w.traffic.mu.Unlock()
	w.traffic.groups = append(w.traffic.groups, w.group)
	w.group = nil
}

// active reports whether the current threadgroup is sampled.
func (w *sampler) active() bool { return w != nil && w.group != nil }

// Blocks adds the latencies of runs of instructions.
func (w *sampler) Blocks(m *machine.Machine, runs []int, times int) {
	if !w.active() {
		return
	}
	active := m.Activity()
	for _, run := range runs {
		w.issue(run, active, int64(times))
	}
}

// Finish adds the accesses of a machine to the traffic, and keeps the sampler for another launch.
func (w *sampler) Finish(m *machine.Machine) {
	m.State[profileSlot] = nil
	defer w.of.samplers.Put(w)
	t := w.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sites == nil {
		t.sites = w.sites
		return
	}
	for i, s := range w.sites {
		to := &t.sites[i]
		to.Requests, to.Lines = to.Requests+s.Requests, to.Lines+s.Lines
		to.Transactions += s.Transactions
		for share, n := range s.Missed {
			to.Missed[share] += n
		}
	}
}

// observeOp compiles an ObserveOp.
func (p *Profiler) observeOp(c *codegen.Compiler, in *ir.Instr) {
	a := c.Access(in)
	a.Write = in.Fn != "load"
	for _, r := range in.Args {
		c.Consumed(r)
	}
	v := p.view(a)
	v.inLine = c.Consecutive(a) && machine.ObservationOf(a.In).Count == 1 && a.In.Fn != "atomic"
	if mem := a.In.Mem; !a.Uniform && mem.Index != ir.None && a.Index64 == nil && a.Scalar < 0 && mem.Scale > 0 &&
		mem.Scale%a.Size == 0 &&
		(a.Base == nil || a.Numbers != nil && a.Numbers.Simdgroups >= 0) && a.In.Fn != "atomic" {
		v.consecutiveInSimdgroup = c.ConsecutiveInSimdgroup[mem.Index]
		v.consecutiveInLine = c.ConsecutiveInLine[mem.Index]
	}
	c.Do(v.see)
}

// view makes the view of an access.
func (p *Profiler) view(a *machine.MemoryAccess) *view {
	v := &view{access: a, site: machine.ObservationOf(a.In).Number,
		bytes: int64(machine.ObservationOf(a.In).Count) * a.Size, in: a.In}
	atomic := p.accesses[v.site]
	v.serialises, v.races = a.In.Fn == "atomic" && !atomic.Plain(), atomic.Races()
	return v
}

// view is one access that is sampled.
type view struct {
	access *machine.MemoryAccess
	in     *ir.Instr
	site   int
	bytes  int64 // that a thread accesses
	inLine bool  // lane-consecutive elements, most likely

	serialises bool // threads at one address come one after the other
	races      bool // and only one of those that have read the same value succeeds

	// the index is the next in the next thread, of a simdgroup or of a threadgroup in one line
	consecutiveInSimdgroup, consecutiveInLine bool
}

func (v *view) see(m *machine.Machine) {
	if !samplerOf(m).active() || m.FirstActive() < 0 {
		return
	}
	a := v.access
	if a.Uniform {
		mem, off := a.One(m, 0)
		for g, n := range m.Activity() {
			if n > 0 {
				v.together(m, g, mem, off, n)
			}
		}
		return
	}
	if v.inLine {
		if x, ok := a.Extent(m); ok {
			v.row(m, x)
			return
		}
	}
	if v.spans(m) {
		return
	}
	mem, ok := a.Many(m, 0)
	for lo := 0; lo < m.N; lo += machine.Simdgroup {
		hi := min(lo+machine.Simdgroup, m.N)
		switch {
		case !ok:
			v.scattered(m, mem, lo, hi)
		case m.Whole:
			v.request(m, lo/machine.Simdgroup, mem, m.Addr[lo:hi])
		default:
			var room [machine.Simdgroup]int64
			if offsets := activeAddresses(m, room[:0], lo, hi); len(offsets) > 0 {
				v.request(m, lo/machine.Simdgroup, mem, offsets)
			}
		}
	}
}

// row is a request of each simdgroup for consecutive elements of up to a word.
func (v *view) row(m *machine.Machine, x machine.Extent) {
	s, size := &samplerOf(m).sites[v.site], v.access.Size
	for lo := 0; lo < m.N; lo += machine.Simdgroup {
		n := min(machine.Simdgroup, m.N-lo)
		first := size * (x.Origin + x.Index + int64(lo))
		last := first + size*int64(n) - 1
		s.Requests++
		if v.in.Mem.Space == syntax.Threadgroup {
			s.Transactions += (last>>2 - first>>2 + banks) / banks
			continue
		}
		s.Transactions++
		v.lines(m, lo/machine.Simdgroup, s, object(m, x.Mem), first>>lineLog, last>>lineLog)
	}
}

// span is a request of a simdgroup for equidistant elements: the offsets of the first and of the last.
type span struct{ first, last int64 }

// spans samples requests for equidistant elements. It is false if the elements may not be equidistant, or if there may
// be lines between them that are not requested.
func (v *view) spans(m *machine.Machine) bool {
	if !v.consecutiveInSimdgroup && (!v.consecutiveInLine || m.Size[0] < m.N && m.Size[0]%machine.Simdgroup != 0) {
		return false
	}
	var room [machine.MaxThreads / machine.Simdgroup]span
	activity := m.Activity()
	mem, ok := v.span(m, activity, room[:len(activity)])
	if !ok {
		return false
	}
	s := &samplerOf(m).sites[v.site]
	shared, object := v.in.Mem.Space == syntax.Threadgroup, object(m, mem)
	for g, n := range activity {
		switch x := &room[g]; {
		case n == 0:
		case shared:
			s.Requests++
			s.Transactions += ((x.last+v.bytes-1)>>2 - x.first>>2 + banks) / banks
		default:
			s.Requests++
			s.Transactions++
			v.lines(m, g, s, object, x.first>>lineLog, (x.last+v.bytes-1)>>lineLog)
		}
	}
	return true
}

// span finds the spans of simdgroups of which so many threads are active.
func (v *view) span(m *machine.Machine, activity []int, spans []span) (mem *machine.Memory, ok bool) {
	a := v.access
	at, heads, scale := int64(0), []uint32(nil), a.In.Mem.Scale
	switch {
	case a.Base == nil:
		if mem, at, ok = a.Whence(m); !ok {
			return nil, false
		}
	case m.Uni32[a.Numbers.Valid] == 0:
		return nil, false
	default:
		mem, heads = &m.Objects[a.Object], m.Lanes(a.Numbers.Simdgroups)
	}
	at += a.Disp
	index, plus := m.Operand(&a.Index), uint32(0)
	if a.Plus >= 0 {
		plus = m.Uni32[a.Plus]
	}
	for g, n := range activity {
		if n == 0 {
			continue
		}
		lo, hi := g*machine.Simdgroup, min(g*machine.Simdgroup+machine.Simdgroup, m.N)-1
		for ; m.Mask[lo] == 0; lo++ {
		}
		for ; m.Mask[hi] == 0; hi-- {
		}
		first, apart := machine.WordIndex(index[lo]+plus, a.Sign), int64(hi-lo)
		x := span{first: at + first*scale}
		if heads != nil {
			x.first += int64(heads[g]) << a.Log
		}
		x.last = x.first + apart*scale
		if machine.WordIndex(index[hi]+plus, a.Sign)-first != apart || x.first < 0 || x.last > mem.Size-v.bytes ||
			x.first&(a.Size-1) != 0 || !v.covers(int64(n), apart) {
			return nil, false
		}
		spans[g] = x
	}
	return mem, true
}

// covers reports whether n threads request every line, or every word of threadgroup memory, from the first to the last
// thread, which are apart threads apart.
func (v *view) covers(n, apart int64) bool {
	switch scale := v.in.Mem.Scale; {
	case v.in.Mem.Space == syntax.Threadgroup:
		return n == apart+1 && scale == v.bytes
	case n == apart+1:
		return scale <= CacheLine
	default:
		return scale*apart <= CacheLine
	}
}

// activeAddresses appends the addresses of the active threads in [lo, hi).
func activeAddresses(m *machine.Machine, offsets []int64, lo, hi int) []int64 {
	for l := lo; l < hi; l++ {
		if m.Mask[l] != 0 {
			offsets = append(offsets, m.Addr[l])
		}
	}
	return offsets
}

// scattered samples a simdgroup that accesses several objects: a request for each run of threads with the same object.
func (v *view) scattered(m *machine.Machine, object *machine.Memory, lo, hi int) {
	var room [machine.Simdgroup]int64
	offsets := room[:0]
	for l := lo; l < hi; l++ {
		if m.Mask[l] == 0 {
			continue
		}
		mem, off := v.access.Lane(m, l, 0)
		if len(offsets) > 0 && mem != object {
			v.request(m, lo/machine.Simdgroup, object, offsets)
			offsets = offsets[:0]
		}
		object = mem
		offsets = append(offsets, off)
	}
	if len(offsets) > 0 {
		v.request(m, lo/machine.Simdgroup, object, offsets)
	}
}

// one is a request in single-lane mode.
func (v *view) one(m *machine.Machine, mem *machine.Memory, off int64) {
	if v.access.Uniform {
		v.together(m, 0, mem, off, 1)
		return
	}
	v.request(m, 0, mem, []int64{off})
}

// together is a request of n threads of a simdgroup for the same bytes.
func (v *view) together(m *machine.Machine, simdgroup int, mem *machine.Memory, off int64, n int) {
	s := &samplerOf(m).sites[v.site]
	s.Requests++
	switch {
	case v.serialises && v.in.Mem.Space == syntax.Threadgroup:
		s.Transactions += int64(n)
	case v.serialises:
		var room [machine.Simdgroup]int64
		for l := range n {
			room[l] = off
		}
		s.Transactions += v.contention(m, object(m, mem), room[:n])
	case v.in.Mem.Space == syntax.Threadgroup:
		s.Transactions += (v.bytes + 4*banks - 1) / (4 * banks)
		return
	case v.in.Mem.Space == syntax.Constant: // uniform registers: no cache holds it
		s.Transactions++
		s.Lines++
		return
	default:
		s.Transactions++
	}
	if v.in.Mem.Space != syntax.Threadgroup {
		v.lines(m, simdgroup, s, object(m, mem), off>>lineLog, (off+v.bytes-1)>>lineLog)
	}
}

// request is one of threads of a simdgroup that access the bytes at offsets of an object.
func (v *view) request(m *machine.Machine, simdgroup int, mem *machine.Memory, offsets []int64) {
	s := &samplerOf(m).sites[v.site]
	s.Requests++
	switch shared := v.in.Mem.Space == syntax.Threadgroup; {
	case v.serialises && shared:
		s.Transactions += bankConflicts(offsets)
		return
	case v.serialises:
		s.Transactions += v.contention(m, object(m, mem), offsets)
	case shared:
		s.Transactions += samplerOf(m).conflicts(v.site, offsets, v.bytes)
		return
	default:
		s.Transactions++
	}
	v.distinct(m, simdgroup, s, object(m, mem), offsets)
}

// distinct finds the cache lines at offsets, each once. Offsets at most a line apart form a span without gaps.
func (v *view) distinct(m *machine.Machine, simdgroup int, s *AccessSite, object uint64, offsets []int64) {
	var room [2 * machine.Simdgroup]int64
	seen := room[:0]
	first, last, highest := offsets[0], offsets[0], int64(-1)
	addLines := func() {
		for line, end := first>>lineLog, (last+v.bytes-1)>>lineLog; line <= end; line++ {
			if line > highest || !slices.Contains(seen, line) {
				highest, seen = max(highest, line), append(seen, line)
				v.lines(m, simdgroup, s, object, line, line)
			}
		}
	}
	for _, off := range offsets[1:] {
		if uint64(off-last) > CacheLine {
			addLines()
			first = off
		}
		last = off
	}
	addLines()
}

// lines looks up cache lines of an object in the cache of the core. Atomics bypass it.
func (v *view) lines(m *machine.Machine, simdgroup int, s *AccessSite, object uint64, first, last int64) {
	for line := first; line <= last; line++ {
		s.Lines++
		samplerOf(m).group.Asked++
		at := object<<objectShift | uint64(line)
		held := 0 // shares of the cache that hold the line
		if v.in.Fn != "atomic" {
			held = samplerOf(m).cache.use(at, samplerOf(m).window)
			if samplerOf(m).inflight.ask(simdgroup, at, samplerOf(m).window) {
				held = Shares
			}
		}
		for share := held; share < Shares; share++ {
			s.Missed[share]++
		}
		if held == 0 || v.in.Fn == "store" {
			samplerOf(m).note(at, v)
		}
	}
}

// note records a line that an access of the threadgroup touches.
func (w *sampler) note(at uint64, v *view) {
	lines := w.group.Lines
	last := &w.noted[at%noted]
	if int(*last) >= len(lines) || lines[*last].At != at {
		*last = int32(len(lines))
		lines = append(lines, Touched{At: at})
		w.group.Lines = lines
	}
	l := &lines[*last]
	if l.Read == 0 && v.in.Fn != "store" {
		l.Read = v.site + 1
	}
	if l.Written == 0 && v.in.Fn != "load" {
		l.Written = v.site + 1
	}
}

// pattern is the offsets of one request to threadgroup memory, and its number of transactions.
type pattern struct {
	offsets      [machine.Simdgroup]int64
	n            int
	transactions int64
}

// conflicts is the largest number of different words in one bank. It does not change if all threads move by the same
// number of words.
func (w *sampler) conflicts(site int, offsets []int64, bytes int64) int64 {
	s := w.patterns[site]
	if s == nil {
		s = &pattern{}
		w.patterns[site] = s
	}
	if s.n == len(offsets) && s.moved(offsets) {
		return s.transactions
	}
	s.n, s.transactions = copy(s.offsets[:], offsets), w.busiest(offsets, bytes)
	return s.transactions
}

// moved reports whether offsets are those of the pattern, moved by some words.
func (s *pattern) moved(offsets []int64) bool {
	by := offsets[0] - s.offsets[0]
	var differ int64
	for i, off := range offsets {
		differ |= off - s.offsets[i] ^ by
	}
	return differ == 0 && by&3 == 0
}

// busiest is the largest number of different words of one bank.
func (w *sampler) busiest(offsets []int64, bytes int64) int64 {
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

// object is the number of an object of the machine.
func object(m *machine.Machine, mem *machine.Memory) uint64 {
	for i := range m.Objects {
		if mem == &m.Objects[i] {
			return uint64(i)
		}
	}
	panic("simt: memory of no object")
}
