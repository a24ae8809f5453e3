package sanitize

import (
	"fmt"
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Sanitizer is the state of the checks during one launch. Threadgroups then run
// one after the other, in grid order.
type Sanitizer struct {
	machine.NoObserver
	Clock         Clock
	Findings      findings
	Uninitialised map[int]*UninitialisedRead // by object: its first uninitialised read
	hits          map[machine.Choice]hit     // other unspecified values that threads have got
	decisions     decisions
	loops         []loopIteration
	passed        [2]syntax.Pos // by memory: the last barrier that did not order it, if none has since that did
	pairs         [64]pair      // of accesses that race, the last at each of its places
	arrivals      map[arrival]*arrivals
	forgot        bool // shadows do not have all of the launch
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

// reported reports whether a race of two accesses of the source is reported already: most races happen again and again.
func (w *Sanitizer) reported(o *observer, s *shadow, prev *record) bool {
	p := pairOf(o, s, prev)
	return w.pairs[p.at()] == p
}

// UninitialisedRead is a read of a cell that nothing has written.
type UninitialisedRead struct{ Party }

// loopIteration is the iteration of a loop that the threadgroup is in.
type loopIteration struct {
	pos    syntax.Pos
	number int
}

// Begin starts the clock of a threadgroup.
func (w *Sanitizer) Begin(m *machine.Machine, number int) {
	if w.Clock.Now > LastMoment {
		w.forget(m)
	}
	w.Clock.begin(number - m.Launch.Skip)
	w.passed = [2]syntax.Pos{}
}

// forget clears all records when moments run out, in launches of billions of threadgroups and barriers.
func (w *Sanitizer) forget(m *machine.Machine) {
	for i := range m.Objects {
		if s := shadowOf(&m.Objects[i]); s != nil {
			clear(s.writes)
			clear(s.reads)
			s.coarse = coarse{on: s.coarse.on}
		}
	}
	w.arrivals, w.Clock, w.forgot = nil, Clock{}, true
}

// Loop begins a loop. The sanitizer records the loops that the threadgroup is in.
func (w *Sanitizer) Loop(_ *machine.Machine, pos syntax.Pos) {
	w.loops = append(w.loops, loopIteration{pos, 1})
}

// Iteration begins another iteration.
func (w *Sanitizer) Iteration(*machine.Machine) { w.loops[len(w.loops)-1].number++ }

// LoopEnd ends the innermost loop.
func (w *Sanitizer) LoopEnd(*machine.Machine) { w.loops = w.loops[:len(w.loops)-1] }

// Branch records a decision.
func (w *Sanitizer) Branch(_ *machine.Machine, id int, taken []uint32, threads int) {
	w.decisions.note(id, taken, threads)
}

// Where says in which iteration of a loop the active lanes are.
func (w *Sanitizer) Where(*machine.Machine) string {
	if len(w.loops) == 0 {
		return ""
	}
	t := w.loops[len(w.loops)-1]
	return fmt.Sprintf(" in iteration %d of the loop at %s", t.number, t.pos)
}

// uninitialisedRead records the first read of an unwritten object, unless the object had contents before the launch.
func (w *Sanitizer) uninitialisedRead(m *machine.Machine, o *observer, s *shadow, lane int) {
	if s.scope == deviceMemory && !s.undefined || w.Uninitialised[s.object] != nil {
		return
	}
	w.Uninitialised[s.object] = &UninitialisedRead{party(m, o.access.In.Pos, "read", lane)}
}

// cells is how finely the objects of a kernel are shadowed.
type cells struct {
	Size  map[int]int64 // by object: the narrowest access
	Every [2]int64      // by scope: the narrowest access that may go to any object
	read  map[int]bool
	reads [2]bool
}

func scopeOf(space syntax.Space) memoryScope {
	if space == syntax.Threadgroup {
		return ThreadgroupMemory
	}
	return deviceMemory
}

// note counts an access.
func (c *cells) note(space syntax.Space, o *observer) {
	f, size := scopeOf(space), min(o.unit, 4)
	if object := o.object; object >= 0 {
		if c.Size == nil {
			c.Size, c.read = map[int]int64{}, map[int]bool{}
		}
		c.Size[object] = Narrower(c.Size[object], size)
		c.read[object] = c.read[object] || o.reads
		return
	}
	c.Every[f] = Narrower(c.Every[f], size)
	c.reads[f] = c.reads[f] || o.reads
}

// Narrower is the smaller of two sizes; 0 is no size.
func Narrower(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// shadow makes that of an object, nil if no access to it is observed. A fine
// one tells all reads apart.
func (c *cells) shadow(l *pagePool, object int, f memoryScope, size int64, fine bool) *shadow {
	cell := Narrower(c.Size[object], c.Every[f])
	if cell == 0 {
		return nil
	}
	n := int((size + cell - 1) / cell)
	pages := (n + pageCells - 1) / pageCells
	s := &shadow{object: object, scope: f, log: uint(bits.TrailingZeros64(uint64(cell))), cells: n,
		writes: make([]*page[record], pages), pagePool: l}
	s.coarse.on = f == ThreadgroupMemory && c.Every[f] == 0 && !fine
	if s.apart = !s.coarse.on && (c.read[object] || c.reads[f]); s.apart {
		s.reads = make([]*page[[2]record], pages)
	}
	return s
}

// Sanitize gives the objects of a machine their shadows.
func Sanitize(m *machine.Machine, w *Sanitizer, l *pagePool) {
	m.State[sanitizeSlot] = w
	m.Observe(w, machine.Branches|machine.Loops|machine.Accesses)
	p := CheckerOf(m.P)
	c := &p.Cells
	for _, b := range m.Launch.Buffers {
		if mem := &m.Objects[b.Index]; !mem.ReadOnly && m.P.Can[b.Index] {
			if s := c.shadow(l, b.Index, deviceMemory, mem.Size, true); s != nil {
				s.undefined, s.bytes, mem.Shadow = b.Undefined, mem.Bytes, s
			}
		}
	}
	for object := analysis.FirstThreadgroup; object < len(m.Objects); object++ {
		if i := object - analysis.FirstStatic; i >= 0 && m.P.Kernel.Objects[i].Space != syntax.Threadgroup {
			continue
		}
		if s := c.shadow(l, object, ThreadgroupMemory, m.Objects[object].Size, p.fine[object].Load()); s != nil {
			s.undefined, m.Objects[object].Shadow = true, s
		}
	}
}

// pass counts a barrier that the active threads pass, of the threadgroup or of
// their simdgroups.
func (w *Sanitizer) pass(m *machine.Machine, in *ir.Instr) {
	c := &w.Clock
	c.Now++
	for _, f := range []memoryScope{ThreadgroupMemory, deviceMemory} {
		switch {
		case !orders(m.P.Kernel, in, f):
			w.passed[f] = in.Pos
		case in.Fn == "threadgroup":
			c.epoch[f], w.passed[f] = c.Now, syntax.Pos{}
		default:
			m.Groups(machine.Simdgroup, func(lo, hi int) {
				if m.Mask[m.FirstIn(lo, hi)] != 0 {
					c.simdgroupEpoch[f][lo/machine.Simdgroup] = c.Now
				}
			})
		}
	}
	if in.Fn == "threadgroup" && m.Live < m.N {
		w.returned(m, in)
	}
}

// returned records that a barrier is passed without the threads that have ended.
func (w *Sanitizer) returned(m *machine.Machine, in *ir.Instr) {
	first := 0
	for m.Ended[first] == 0 {
		first++
	}
	w.Findings.add(-1, Finding{
		Check: EarlyReturn, Grade: GradeNote, Party: party(m, in.Pos, "barrier", first),
		Msg: "threads return before this threadgroup_barrier: Apple GPUs go on without them, and Metal does not " +
			"promise it of others",
	})
}
