package simt

import (
	"math"
	"math/bits"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// sanitizer is the state of the checks during one launch. Threadgroups then run
// one after the other, in grid order.
type sanitizer struct {
	clock         clock
	findings      findings
	uninitialised map[int]*uninitialisedRead // by object: its first uninitialised read
	encounters    map[Choice]encounter       // other unspecified values that threads have got
	outcomes      outcomes
	loops         []turning
	passed        [2]syntax.Pos // by memory: the last barrier that did not order it, if none has since that did
	pairs         [64]pair      // of accesses that race, the last at each of its places
	arrivals      map[arrival]*arrivals
}

// pair is two sites whose accesses to an object race.
type pair struct {
	object        int
	here, earlier uint32 // 1 more than the number of the site
}

func pairOf(o *observer, s *shadow, prev *record) pair {
	return pair{s.object, o.site + 1, uint32(prev.site()) + 1}
}

// at is where a pair is kept.
func (p pair) at() uint32 { return (p.here*31 + p.earlier) % 64 }

// told reports whether it is known already that accesses of two sites to an object race: most do again and again.
func (w *sanitizer) told(o *observer, s *shadow, prev *record) bool {
	p := pairOf(o, s, prev)
	return w.pairs[p.at()] == p
}

// uninitialisedRead is a read of a cell before anyone has written it.
type uninitialisedRead struct{ Party }

// turning is a loop under way, and which turn it is in.
type turning struct {
	pos  syntax.Pos
	turn int
}

// begin starts the clock of a threadgroup.
func (w *sanitizer) begin(i uint32) {
	w.clock.group, w.passed = w.clock.first+i, [2]syntax.Pos{}
}

// enter, turn and leave follow the loops that the threadgroup is in.
func (w *sanitizer) enter(pos syntax.Pos) {
	if w != nil {
		w.loops = append(w.loops, turning{pos, 1})
	}
}

func (w *sanitizer) turn() {
	if w != nil {
		w.loops[len(w.loops)-1].turn++
	}
}

func (w *sanitizer) leave() {
	if w != nil {
		w.loops = w.loops[:len(w.loops)-1]
	}
}

// uninitialisedRead records the first read of an object that nobody had written,
// unless it held something before the launch.
func (w *sanitizer) uninitialisedRead(m *machine, o *observer, s *shadow, lane int) {
	if s.scope == deviceMemory && !s.undefined || w.uninitialised[s.object] != nil {
		return
	}
	w.uninitialised[s.object] = &uninitialisedRead{m.party(o.access.in.Pos, "read", lane)}
}

// cells is how finely the objects of a kernel are shadowed.
type cells struct {
	size  map[int]int64 // by object: the narrowest access
	every [2]int64      // by scope: the narrowest access that may go to any object
	read  map[int]bool
	reads [2]bool
}

func scopeOf(space syntax.Space) memoryScope {
	if space == syntax.Threadgroup {
		return threadgroupMemory
	}
	return deviceMemory
}

// note counts an access.
func (c *cells) note(space syntax.Space, o *observer) {
	f, size := scopeOf(space), min(o.access.size, 4)
	if object := o.access.object; object >= 0 {
		if c.size == nil {
			c.size, c.read = map[int]int64{}, map[int]bool{}
		}
		c.size[object] = narrower(c.size[object], size)
		c.read[object] = c.read[object] || o.reads
		return
	}
	c.every[f] = narrower(c.every[f], size)
	c.reads[f] = c.reads[f] || o.reads
}

// narrower is the smaller of two sizes; 0 is no size.
func narrower(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// ledger is the shadows of a launch, kept for the next one, of whatever program: the numbers of
// threadgroups go on, and records of earlier launches do not count. Copies of buffers have memory of it, too.
type ledger struct {
	used    uint32 // number of the last threadgroup
	shadows map[int]*shadow
	copies  [][]byte
	taken   int // of these, by the launch
}

// ledgers are those that are kept. One that is large is kept by its program alone, until that is done with.
var ledgers sync.Pool

const mostCells = 1 << 20 // of a shadow of a ledger that is not large

// ledger returns one for a launch of a number of threadgroups.
func (p *Program) ledger(groups int) *ledger {
	for _, pool := range []*sync.Pool{&p.ledgers, &ledgers} {
		if l, ok := pool.Get().(*ledger); ok && uint64(l.used)+uint64(groups) <= math.MaxUint32 {
			l.taken = 0
			return l
		}
	}
	return &ledger{shadows: map[int]*shadow{}}
}

// keep keeps a ledger for other launches.
func (p *Program) keep(l *ledger) {
	for _, s := range l.shadows {
		if cap(s.writes) > mostCells {
			p.ledgers.Put(l)
			return
		}
	}
	ledgers.Put(l)
}

// bytes is n bytes that hold anything, for the time of the launch.
func (l *ledger) bytes(n int) []byte {
	if l.taken == len(l.copies) {
		l.copies = append(l.copies, nil)
	}
	b := sized(l.copies[l.taken], n)
	l.copies[l.taken] = b
	l.taken++
	return b
}

// shadow returns that of an object, or nil if no access to it is observed. A fine
// one tells all reads apart.
func (l *ledger) shadow(c *cells, object int, f memoryScope, size int64, undefined, fine bool) *shadow {
	cell := narrower(c.size[object], c.every[f])
	if cell == 0 {
		return nil
	}
	s := l.shadows[object]
	if s == nil {
		s = &shadow{}
		l.shadows[object] = s
	}
	s.object, s.scope, s.log, s.undefined = object, f, uint(bits.TrailingZeros64(uint64(cell))), undefined
	n := int((size + cell - 1) / cell)
	s.writes = sized(s.writes, n)
	s.coarse = coarse{on: f == threadgroupMemory && c.every[f] == 0 && !fine}
	if s.reads = nil; !s.coarse.on && (c.read[object] || c.reads[f]) {
		s.reads = sized(s.spare, n)
		s.spare = s.reads
	}
	return s
}

// sized is a slice of n elements, which are old ones or zero.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// sanitize gives the objects of a machine their shadows.
func (m *machine) sanitize(w *sanitizer, l *ledger) {
	m.sanitizer = w
	c, can := &m.p.cells, writable(m.p.kernel)
	for _, b := range m.launch.Buffers {
		if mem := &m.objects[b.Index]; !mem.readOnly && can[b.Index] {
			mem.shadow = l.shadow(c, b.Index, deviceMemory, mem.size, b.Undefined, true)
		}
	}
	for object := firstThreadgroup; object < len(m.objects); object++ {
		if i := object - firstStatic; i >= 0 && m.p.kernel.Objects[i].Space != syntax.Threadgroup {
			continue
		}
		m.objects[object].shadow = l.shadow(c, object, threadgroupMemory, m.objects[object].size, true, m.p.fine[object].Load())
	}
}

// pass counts a barrier that the active threads pass, of the threadgroup or of
// their simdgroups.
func (w *sanitizer) pass(m *machine, in *ir.Instr) {
	for _, f := range []memoryScope{threadgroupMemory, deviceMemory} {
		switch {
		case !orders(m.p.kernel, in, f):
			w.passed[f] = in.Pos
		case in.Fn == "threadgroup":
			w.clock.epoch[f]++
			w.passed[f] = syntax.Pos{}
		default:
			m.groups(Simdgroup, func(lo, hi int) {
				if m.mask[m.firstIn(lo, hi)] != 0 {
					w.clock.turns[f][lo/Simdgroup]++
				}
			})
		}
	}
	if in.Fn == "threadgroup" && m.live < m.n {
		w.returned(m, in)
	}
}

// returned records that a barrier is passed without the threads that have ended.
func (w *sanitizer) returned(m *machine, in *ir.Instr) {
	first := 0
	for m.ended[first] == 0 {
		first++
	}
	w.findings.add(-1, Finding{
		Check: EarlyReturn, Grade: GradeNote, Party: m.party(in.Pos, "barrier", first),
		Msg: "threads return before this threadgroup_barrier: Apple GPUs go on without them, and Metal does not promise it of others",
	})
}
