package simt

import (
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
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
func (w *sanitizer) begin(m *machine, number int) {
	if w.clock.now > lastMoment {
		w.forget(m)
	}
	w.clock.begin(number)
	w.passed = [2]syntax.Pos{}
}

// forget begins anew when moments run out, in launches of billions of threadgroups and barriers: what threadgroups before have
// done is not known any more.
func (w *sanitizer) forget(m *machine) {
	for i := range m.objects {
		if s := m.objects[i].shadow; s != nil {
			clear(s.writes)
			clear(s.reads)
			s.coarse = coarse{on: s.coarse.on}
		}
	}
	w.arrivals, w.clock = nil, clock{}
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
	f, size := scopeOf(space), min(o.unit, 4)
	if object := o.object; object >= 0 {
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

// shadow makes that of an object, nil if no access to it is observed. A fine
// one tells all reads apart.
func (c *cells) shadow(l *ledger, object int, f memoryScope, size int64, fine bool) *shadow {
	cell := narrower(c.size[object], c.every[f])
	if cell == 0 {
		return nil
	}
	n := int((size + cell - 1) / cell)
	pages := (n + pageCells - 1) / pageCells
	s := &shadow{object: object, scope: f, log: uint(bits.TrailingZeros64(uint64(cell))), cells: n, writes: make([]*page[record], pages), ledger: l}
	s.coarse.on = f == threadgroupMemory && c.every[f] == 0 && !fine
	if s.apart = !s.coarse.on && (c.read[object] || c.reads[f]); s.apart {
		s.reads = make([]*page[[2]record], pages)
	}
	return s
}

// sanitize gives the objects of a machine their shadows.
func (m *machine) sanitize(w *sanitizer, l *ledger) {
	m.sanitizer = w
	c := &m.p.cells
	for _, b := range m.launch.Buffers {
		if mem := &m.objects[b.Index]; !mem.readOnly && m.p.can[b.Index] {
			if s := c.shadow(l, b.Index, deviceMemory, mem.size, true); s != nil {
				s.undefined, s.bytes, mem.shadow = b.Undefined, mem.bytes, s
			}
		}
	}
	for object := analysis.FirstThreadgroup; object < len(m.objects); object++ {
		if i := object - analysis.FirstStatic; i >= 0 && m.p.kernel.Objects[i].Space != syntax.Threadgroup {
			continue
		}
		if s := c.shadow(l, object, threadgroupMemory, m.objects[object].size, m.p.fine[object].Load()); s != nil {
			s.undefined, m.objects[object].shadow = true, s
		}
	}
}

// pass counts a barrier that the active threads pass, of the threadgroup or of
// their simdgroups.
func (w *sanitizer) pass(m *machine, in *ir.Instr) {
	c := &w.clock
	c.now++
	for _, f := range []memoryScope{threadgroupMemory, deviceMemory} {
		switch {
		case !orders(m.p.kernel, in, f):
			w.passed[f] = in.Pos
		case in.Fn == "threadgroup":
			c.epoch[f], w.passed[f] = c.now, syntax.Pos{}
		default:
			m.groups(Simdgroup, func(lo, hi int) {
				if m.mask[m.firstIn(lo, hi)] != 0 {
					c.turn[f][lo/Simdgroup] = c.now
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
