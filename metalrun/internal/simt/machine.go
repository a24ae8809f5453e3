package simt

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// poison fills memory and registers that nobody has written: a quiet NaN as a
// float, far out of any range as an index.
const poison uint32 = 0x7fc0dead

// machine runs one threadgroup at a time. Floats of all three formats are kept as f32 bits, a bool
// is 0 or ^0, narrow integers are extended.
//
// Invariant: slots[s] is the lanes of slot s for n threads. mask[l] is ^0 for active lanes and 0 for others; live holds the
// lanes that have not left the entry point; whole says that all n lanes are
// active, full that all live ones are. Registers of lanes that are not live
// may hold anything, so with full set register writes need no mask.
type machine struct {
	p      *Program
	launch *Launch
	n      int // threads of this threadgroup, or of the simdgroup that the machine is for
	stride int // from one row to the next: as many, unless all but one have ended
	lead   int // threads of the threadgroup before them

	store *store
	u32   []uint32
	slots [][]uint32
	u64   []uint64
	uni32 []uint32 // uniform registers of 32 bits
	uni64 []uint64 // uniform registers of 64 bits

	mask        []uint32
	whole, full bool
	activities  activity   // if that is known
	live        int        // number of live lanes
	jump        int        // where a jump leads, plus 1; 0 if none is under way
	exited      []uint32   // lanes that wait at a construct or have ended
	ended       []uint32   // lanes that have left the entry point
	saved       [][]uint32 // per construct: mask at its entry
	waiting     [][]uint32 // per target of exits: lanes that wait there
	anyWaiting  []bool

	objects          []memory                       // all that pointers reach: buffers, threadgroup arguments, the kernel's own
	private          []uint32                       // [word][lane]
	runsFrom         [MaxThreads / Simdgroup]uint32 // scratch: of each simdgroup
	strides          [2]strides                     // scratch: of one access each
	settled          []bool                         // per run that a launch settles partly, and per branch: that has been done; nil: is not to be
	body             list                           // what a threadgroup executes
	looked, nextLook int64                          // instructions and threadgroups that the body has taken, and how many until it is looked at again
	latest           int                            // number in the grid of the threadgroup that group is the position of
	known            int                            // of settled, when that was done last

	group    Size      // position of the threadgroup
	arrival  int64     // what it takes at least, as instructions of a thread
	size     Size      // its actual size
	sized    Size      // the size that varying inputs were filled for
	first    [3]uint32 // the grid position of the first thread that they were filled for
	steps    int64
	executed int64    // instructions, and turns of loops
	costly   int64    // those that could have been executed while some took longer than others
	patience int64    // until the next look at the clock
	iota     []uint32 // 0, 1, 2, …
	addr     []int64  // scratch: byte offsets of one access
	scratch  []uint32 // scratch: masked results
	scratch8 []uint64

	broad      *machine                 // does several turns of a loop at once; nil: none has so far
	spans      [maxReaches]addressRange // scratch: of a wide loop
	paces      []pace
	alone      *[maxSolo]uint64    // registers of a program for one thread
	aloneBalls *[maxSolo]soloExact // and what is known of them
	aloneNext  soloExact           // of the instruction under way
	arguments  [4]element          // of one lane, for functions of any number

	wait      func(barrier *ir.Instr) // for the other simdgroups; nil: all run together
	join      func(what *collective)  // waits for the rest of the simdgroup, where threads run one by one
	sanitizer *sanitizer              // nil: not observed
	reads     *privateReads           // nil: private memory is not observed
	outcomes  outcomes                // nil: not wanted
	tally     *tally                  // nil: work is not counted
	watch     *watch                  // nil: accesses are not looked at
	balls     *balls                  // nil: none
	tape      *tape                   // nil: nothing is recorded
	affected  *Party                  // the first lane that got an alternative value

	alternative *alternative // to unspecified values, in an open program; nil: none
}

// machineBytes is about what a machine for n threads takes, in bytes.
func (p *Program) machineBytes(n int) int {
	const header = 24 // of a slice
	return 4*len(p.uni32) + 8*len(p.uni64) + header*(p.slots32+2*p.constructs) + n*p.threadMemory()
}

// newMachine makes a machine for at most that many threads at once.
func newMachine(p *Program, l *Launch, buffers []memory, most int) *machine {
	return newPart(p, l, buffers, nil, most)
}

// newPart makes a machine for a part of a threadgroup, whose objects others share; nil: they are its own.
func newPart(p *Program, l *Launch, buffers, shared []memory, most int) *machine {
	m := &machine{p: p, launch: l, body: p.body, nextLook: firstLook, latest: -2, objects: make([]memory, analysis.FirstStatic+len(p.kernel.Objects))}
	m.rows(most)
	m.paces = make([]pace, p.paces)
	copy(m.objects, buffers)
	if p.exact != nil {
		m.balls = p.newBalls(most)
	}
	if copy(m.objects, shared) == 0 {
		p.ownObjects(m)
	}
	m.settled = p.settling(m.objects)
	p.giveCells(m)
	if l.Work != nil && p.options.Count {
		m.tally = newTally(p)
	}
	if l.Traffic != nil && p.options.watched {
		m.watch = newWatch(p, l)
	}
	return m
}

// ownObjects gives a machine the memory of a threadgroup, and the constants of the kernel.
func (p *Program) ownObjects(m *machine) {
	for i, bytes := range m.launch.Threadgroup {
		m.objects[analysis.FirstThreadgroup+i] = copyMemory(make([]byte, bytes))
	}
	for i, o := range p.kernel.Objects {
		switch o.Space {
		case syntax.Threadgroup:
			m.objects[analysis.FirstStatic+i] = copyMemory(make([]byte, o.Size))
		case syntax.Constant:
			m.objects[analysis.FirstStatic+i] = p.constants[i]
		}
	}
}

// enter prepares the machine for the threadgroup at group with the given size.
// The one before has ended without a fault: no lane waits at a construct.
func (m *machine) enter(group, size Size) {
	if m.group = group; size != m.sized {
		m.renew(size)
	}
	m.enterAgain()
}

// enterAgain is enter for a threadgroup of the size of the one before.
func (m *machine) enterAgain() {
	if m.live < m.stride || !m.whole {
		m.renew(m.size)
	}
	m.jump, m.steps = 0, m.budget()
	m.full, m.activities.n = true, 0
	if m.balls != nil {
		m.enterBalls()
	}
	m.forget()
	if m.wait == nil {
		m.forgetShared()
	}
	m.setInputs()
}

// renew makes all threads of a threadgroup live and active.
func (m *machine) renew(size Size) {
	ended := m.live < m.stride || size != m.sized
	n := min(size.count()-m.lead, cap(m.mask))
	m.size, m.stride, m.arrival = size, n, m.p.arrival(size)
	if m.size != m.sized || m.n != n {
		m.resize(n)
	}
	m.live, m.whole = n, true
	m.p.table.Fill(m.mask, ^uint32(0))
	if ended {
		clear(m.exited)
		clear(m.ended)
	}
}

// budget is what the threadgroup may execute, in steps.
func (m *machine) budget() int64 {
	if m.launch.steps > 0 {
		return m.launch.steps
	}
	o := &m.p.options
	if o.ThreadSteps > 0 {
		return min(o.Steps, o.ThreadSteps/int64(max(m.n, 1)))
	}
	return o.Steps
}

// forget makes private memory hold what nobody has written.
func (m *machine) forget() {
	t, p := m.p.table, m.p
	if len(m.private) > 0 {
		t.Fill(m.private, p.poison)
	}
	if m.reads != nil {
		clear(m.reads.written)
	}
	if m.alternative == nil {
		return
	}
	for i, o := range p.kernel.Objects {
		if v := m.contents(o.Pos); o.Space == syntax.Thread && v != p.poison {
			t.Fill(m.private[p.privateBase[i]*m.n:][:(o.Size+3)/4*m.n], v)
		}
	}
}

// forgetShared does so with the memory of the threadgroup.
func (m *machine) forgetShared() {
	for _, s := range m.p.shared {
		m.p.table.Fill(m.objects[s.object].words, m.contents(s.pos))
	}
}

// input is an input register that a launch does not settle.
type input struct {
	source ir.Source
	at     slot
}

// moves reports whether it differs between threadgroups of one size.
func (in *input) moves() bool {
	return in.source <= ir.ThreadPositionInGridZ || in.source >= ir.ThreadgroupPositionInGridX && in.source <= ir.ThreadgroupPositionInGridZ
}

// setInputs fills the input registers. Those that vary depend on the size of
// the threadgroup alone, except the position in the grid, which is then moved; those that the launch
// settles are filled once.
func (m *machine) setInputs() {
	resized := m.size != m.sized
	if resized {
		m.setSized()
	}
	for i := range m.p.moving {
		in := &m.p.moving[i]
		if !in.at.varying {
			m.uni32[in.at.index] = uint32(m.group[in.source-ir.ThreadgroupPositionInGridX])
			continue
		}
		a := int(in.source - ir.ThreadPositionInGridX)
		first := uint32(m.group[a] * m.launch.PerGroup[a])
		m.setGridPosition(a, m.lanes(in.at.index), first, resized)
		m.first[a] = first
	}
	m.sized = m.size
}

// setSized fills those that are the same in all threadgroups of one size.
func (m *machine) setSized() {
	if m.sized == (Size{}) {
		m.setLaunched()
	}
	for _, in := range m.p.inputs {
		if !in.at.varying {
			m.uni32[in.at.index] = uint32(m.input(in.source, 0))
			continue
		}
		d := m.lanes(in.at.index)
		for l := range d {
			d[l] = uint32(m.input(in.source, l))
		}
	}
}

// setLaunched fills the input registers that a launch settles.
func (m *machine) setLaunched() {
	for _, r := range m.p.launched {
		info, at := &m.p.kernel.Regs[r], m.p.slots[r]
		switch info.Input {
		case ir.BufferPointer:
			m.uni64[at.index] = uint64(ir.FirstArg+info.Index)<<ir.ObjectShift - uint64(m.objects[info.Index].before)
		case ir.ThreadgroupPointer:
			m.uni64[at.index] = uint64(ir.FirstArg+info.Index) << ir.ObjectShift
		default:
			m.uni32[at.index] = uint32(m.input(info.Input, 0))
		}
	}
}

// setGridPosition fills one axis of the position in the grid, first being that
// of the first thread.
func (m *machine) setGridPosition(axis int, d []uint32, first uint32, resized bool) {
	if !resized {
		m.p.table.AddI.VS(d, d, first-m.first[axis])
		return
	}
	for l := range d {
		d[l] = first + uint32(m.thread(l)[axis])
	}
}

// input is the value of an input register for one lane.
func (m *machine) input(s ir.Source, lane int) int {
	axis := func(first ir.Source) int { return int(s - first) }
	switch {
	case s <= ir.ThreadPositionInGridZ:
		a := axis(ir.ThreadPositionInGridX)
		return m.group[a]*m.launch.PerGroup[a] + m.thread(lane)[a]
	case s <= ir.ThreadPositionInThreadgroupZ:
		return m.thread(lane)[axis(ir.ThreadPositionInThreadgroupX)]
	case s <= ir.ThreadgroupPositionInGridZ:
		return m.group[axis(ir.ThreadgroupPositionInGridX)]
	case s <= ir.ThreadsPerGridZ:
		return m.launch.Threads[axis(ir.ThreadsPerGridX)]
	case s <= ir.ThreadsPerThreadgroupZ:
		return m.size[axis(ir.ThreadsPerThreadgroupX)]
	case s <= ir.DispatchThreadsPerThreadgroupZ:
		return m.launch.PerGroup[axis(ir.DispatchThreadsPerThreadgroupX)]
	case s <= ir.ThreadgroupsPerGridZ:
		return m.launch.Groups[axis(ir.ThreadgroupsPerGridX)]
	}
	switch s {
	case ir.ThreadIndexInThreadgroup:
		return m.lead + lane
	case ir.ThreadIndexInSimdgroup:
		return (m.lead + lane) % Simdgroup
	case ir.ThreadIndexInQuadgroup:
		return (m.lead + lane) % 4
	case ir.SimdgroupIndexInThreadgroup:
		return (m.lead + lane) / Simdgroup
	case ir.QuadgroupIndexInThreadgroup:
		return (m.lead + lane) / 4
	case ir.SimdgroupsPerThreadgroup:
		return (m.size.count() + Simdgroup - 1) / Simdgroup
	case ir.QuadgroupsPerThreadgroup:
		return (m.size.count() + 3) / 4
	case ir.ThreadsPerSimdgroup:
		return Simdgroup
	case ir.DispatchSimdgroupsPerThreadgroup:
		return (m.launch.PerGroup.count() + Simdgroup - 1) / Simdgroup
	case ir.DispatchQuadgroupsPerThreadgroup:
		return (m.launch.PerGroup.count() + 3) / 4
	}
	panic(fmt.Sprintf("simt: unknown input %d", s))
}

// thread is the position of a lane's thread in the threadgroup.
func (m *machine) thread(lane int) Size { return position(m.lead+lane, m.size) }

// lanes is slot s of 32-bit values.
func (m *machine) lanes(s int) []uint32 { return m.slots[s] }

// wide is slot s of 64-bit values.
func (m *machine) wide(s int) []uint64 {
	return m.u64[s*m.stride : s*m.stride+m.n : s*m.stride+m.n]
}

// firstActive is the first active lane, or -1.
func (m *machine) firstActive() int {
	for l, on := range m.mask {
		if on != 0 {
			return l
		}
	}
	return -1
}
