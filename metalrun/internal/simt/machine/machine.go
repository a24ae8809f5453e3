package machine

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Poison is what memory and registers hold that nobody has written: as a float it is a quiet NaN, as an index it is far
// out of range.
const Poison uint32 = 0x7fc0dead

// Machine runs one threadgroup at a time. Floats of all three formats are kept as f32 bits, a bool is 0 or ^0, narrow
// integers are extended.
//
// Invariant: slots[s] is the lanes of slot s for N threads. Mask[l] is ^0 for active lanes and 0 for the others. Live
// is the number of lanes that have not left the entry point. Whole says that all N lanes are active, Full that all live
// lanes are. Registers of lanes that are not live may hold anything, so register writes need no mask if Full is set.
type Machine struct {
	P      *Program
	Launch *Dispatch
	N      int // threads of this threadgroup, or of the simdgroup that the machine is for
	Stride int // distance between rows: N, except in single-lane mode
	lead   int // number of threads of the threadgroup before those of the machine

	registers
	masks
	scratch
	memories
	placement
	budgets
	specialised
	observing

	broad   *Machine                // does several iterations at once; nil: none has so far
	Scalars *ScalarRegisters        // registers of a program for one thread
	Wait    func(barrier *ir.Instr) // for the other simdgroups; nil: all run together
	Join    func(what *Collective)  // waits for the rest of the simdgroup, where threads run one by one
	State   states                  // of extensions

	Alternative *Alternative // replaces unspecified values in an open program; nil: nothing does
	Affected    *Thread      // the first lane that got an alternative value
}

// registers are rows of lanes, and uniform registers.
type registers struct {
	store *store
	u32   []uint32
	slots [][]uint32
	u64   []uint64
	Uni32 []uint32 // uniform registers of 32 bits
	Uni64 []uint64 // uniform registers of 64 bits
}

// masks are which lanes are active, and where the others wait.
type masks struct {
	Mask        []uint32
	Whole, Full bool
	Activities  activity   // the active threads of each simdgroup, if known
	Live        int        // number of live lanes
	Jump        int        // where a jump leads, plus 1; 0 if none is under way
	Exited      []uint32   // lanes that wait at a construct or have ended
	Ended       []uint32   // lanes that have left the entry point
	saved       [][]uint32 // per construct: mask at its entry
	Waiting     [][]uint32 // per target of exits: lanes that wait there
	AnyWaiting  []bool
}

// scratch is room for the current instruction.
type scratch struct {
	runsFrom   [MaxThreads / Simdgroup]uint32 // where the run of each simdgroup begins
	strides    [2]strides                     // each of one access
	spans      [MaxReaches]addressRange       // of a wide loop
	Arguments  [4]Element                     // of one lane, for functions of any number
	iota       []uint32                       // 0, 1, 2, …
	Addr       []int64                        // byte offsets of one access
	Scratch    []uint32                       // masked results
	Scratch8   []uint64
	predictors []stridePredictor // of accesses of runs
}

// memories are what pointers reach, and the threads' own.
type memories struct {
	Objects []Memory // buffers, threadgroup arguments, the kernel's own
	Private []uint32 // [word][lane]
}

// placement is which threadgroup runs.
type placement struct {
	Group  Size      // position of the threadgroup
	Size   Size      // its actual size
	sized  Size      // the size that varying inputs were filled for
	first  [3]uint32 // the grid position of the first thread that they were filled for
	latest int       // number in the grid of the threadgroup that Group is the position of
}

// budgets are what has been executed, and what may be.
type budgets struct {
	arrival   int64 // least cost of a threadgroup, in instructions of a thread
	Steps     int64
	Executed  int64 // number of instructions and of iterations of loops
	Costly    int64 // additional cost of slow instructions, in instructions
	uncharged int64 // steps of single threads that the launch has not been charged for
}

// specialised is what the machine executes once it knows the launch-invariant values.
type specialised struct {
	// per invariant of the program: whether it has been computed; nil if the launch has none
	computed []bool
	Body     List // what a threadgroup executes
	// number of instructions and threadgroups that the body has taken, and after how many it is specialised again
	taken, nextAt int64
	known         int // how many invariants were computed when the body was specialised last
}

// MachineBytes is the approximate size of a machine for n threads, in bytes.
func (p *Program) MachineBytes(n int) int {
	const header = 24 // of a slice
	return 4*len(p.Uni32) + 8*len(p.Uni64) + header*(p.Slots32+2*p.Constructs) + n*p.threadMemory()
}

// NewMachine makes a machine for at most so many threads at once.
func NewMachine(p *Program, l *Dispatch, buffers []Memory, most int) *Machine {
	return NewPart(p, l, buffers, nil, most)
}

// NewPart makes a machine for a part of a threadgroup. shared are the objects of the threadgroup; nil: the machine
// makes its own.
func NewPart(p *Program, l *Dispatch, buffers, shared []Memory, most int) *Machine {
	m := &Machine{P: p, Launch: l}
	m.predictors = make([]stridePredictor, p.Predictors)
	m.Body, m.nextAt, m.latest, m.Objects = p.Body, FirstSpecialisation, -2,
		make([]Memory, analysis.FirstStatic+len(p.Kernel.Objects))
	m.rows(most)
	copy(m.Objects, buffers)
	if copy(m.Objects, shared) == 0 {
		p.ownObjects(m)
	}
	m.computed = p.invariantState(m.Objects)
	for _, e := range p.Attachments {
		e.Attach(m)
	}
	return m
}

// ownObjects gives a machine the memory of a threadgroup, and the constants of the kernel.
func (p *Program) ownObjects(m *Machine) {
	for i, bytes := range m.Launch.Threadgroup {
		m.Objects[analysis.FirstThreadgroup+i] = CopyMemory(make([]byte, bytes))
	}
	for i, o := range p.Kernel.Objects {
		switch o.Space {
		case syntax.Threadgroup:
			m.Objects[analysis.FirstStatic+i] = CopyMemory(make([]byte, o.Size))
		case syntax.Constant:
			m.Objects[analysis.FirstStatic+i] = p.constants[i]
		}
	}
}

// enter prepares the machine for the threadgroup at group with the given size.
// The one before has ended without a fault: no lane waits at a construct.
func (m *Machine) enter(group, size Size) {
	if m.Group = group; size != m.sized {
		m.renew(size)
	}
	m.enterAgain()
}

// enterAgain is enter for a threadgroup of the size of the one before.
func (m *Machine) enterAgain() {
	if m.Live < m.Stride || !m.Whole {
		m.renew(m.Size)
	}
	m.Jump, m.Steps = 0, m.Budget()
	m.Full, m.Activities.N = true, 0
	m.forget()
	for _, o := range m.observers {
		o.Enter(m)
	}
	if m.Wait == nil {
		m.forgetShared()
	}
	m.setInputs()
}

// renew makes all threads of a threadgroup live and active.
func (m *Machine) renew(size Size) {
	ended := m.Live < m.Stride || size != m.sized
	n := min(size.Count()-m.lead, cap(m.Mask))
	m.Size, m.Stride, m.arrival = size, n, m.P.arrival(size)
	if m.Size != m.sized || m.N != n {
		m.resize(n)
	}
	m.Live, m.Whole = n, true
	m.P.Table.Fill(m.Mask, ^uint32(0))
	if ended {
		clear(m.Exited)
		clear(m.Ended)
	}
}

// Budget is what the threadgroup may execute, in steps.
func (m *Machine) Budget() int64 {
	if m.Launch.Steps > 0 {
		return m.Launch.Steps
	}
	o := &m.P.Options
	if o.ThreadSteps > 0 {
		return min(o.Steps, o.ThreadSteps/int64(max(m.N, 1)))
	}
	return o.Steps
}

// forget fills private memory with poison.
func (m *Machine) forget() {
	t, p := m.P.Table, m.P
	if len(m.Private) > 0 {
		t.Fill(m.Private, p.Poison)
	}
	if m.Alternative == nil {
		return
	}
	for i, o := range p.Kernel.Objects {
		if v := m.Contents(o.Pos); o.Space == syntax.Thread && v != p.Poison {
			t.Fill(m.Private[p.PrivateBase[i]*m.N:][:(o.Size+3)/4*m.N], v)
		}
	}
}

// forgetShared fills the memory of the threadgroup with poison.
func (m *Machine) forgetShared() {
	for _, s := range m.P.shared {
		m.P.Table.Fill(m.Objects[s.object].Words, m.Contents(s.pos))
	}
}

// Input is an input register that is not launch-invariant.
type Input struct {
	Source ir.Source
	At     Slot
}

// Moves reports whether the input differs between threadgroups of one size.
func (in *Input) Moves() bool {
	return in.Source <= ir.ThreadPositionInGridZ ||
		in.Source >= ir.ThreadgroupPositionInGridX && in.Source <= ir.ThreadgroupPositionInGridZ
}

// setInputs fills the input registers. Launch-invariant inputs are filled once. The others depend only on the size of
// the threadgroup, except for the position in the grid.
func (m *Machine) setInputs() {
	resized := m.Size != m.sized
	if resized {
		m.setSized()
	}
	for i := range m.P.Moving {
		in := &m.P.Moving[i]
		if !in.At.Varying {
			m.Uni32[in.At.Index] = uint32(m.Group[in.Source-ir.ThreadgroupPositionInGridX])
			continue
		}
		a := int(in.Source - ir.ThreadPositionInGridX)
		first := uint32(m.Group[a] * m.Launch.PerGroup[a])
		m.setGridPosition(a, m.Lanes(in.At.Index), first, resized)
		m.first[a] = first
	}
	m.sized = m.Size
}

// setSized fills the inputs that are the same in all threadgroups of one size.
func (m *Machine) setSized() {
	if m.sized == (Size{}) {
		m.setLaunched()
	}
	for _, in := range m.P.Inputs {
		if !in.At.Varying {
			m.Uni32[in.At.Index] = uint32(m.input(in.Source, 0))
			continue
		}
		d := m.Lanes(in.At.Index)
		for l := range d {
			d[l] = uint32(m.input(in.Source, l))
		}
	}
}

// setLaunched fills the launch-invariant inputs.
func (m *Machine) setLaunched() {
	for _, r := range m.P.Launched {
		info, at := &m.P.Kernel.Regs[r], m.P.Slots[r]
		switch info.Input {
		case ir.BufferPointer:
			m.Uni64[at.Index] = uint64(ir.FirstArg+info.Index)<<ir.ObjectShift - uint64(m.Objects[info.Index].Before)
		case ir.ThreadgroupPointer:
			m.Uni64[at.Index] = uint64(ir.FirstArg+info.Index) << ir.ObjectShift
		default:
			m.Uni32[at.Index] = uint32(m.input(info.Input, 0))
		}
	}
}

// setGridPosition fills one axis of the position in the grid. first is the position of the first thread.
func (m *Machine) setGridPosition(axis int, d []uint32, first uint32, resized bool) {
	if !resized {
		m.P.Table.AddI.VS(d, d, first-m.first[axis])
		return
	}
	for l := range d {
		d[l] = first + uint32(m.Thread(l)[axis])
	}
}

// input is the value of an input register for one lane.
func (m *Machine) input(s ir.Source, lane int) int {
	axis := func(first ir.Source) int { return int(s - first) }
	switch {
	case s <= ir.ThreadPositionInGridZ:
		a := axis(ir.ThreadPositionInGridX)
		return m.Group[a]*m.Launch.PerGroup[a] + m.Thread(lane)[a]
	case s <= ir.ThreadPositionInThreadgroupZ:
		return m.Thread(lane)[axis(ir.ThreadPositionInThreadgroupX)]
	case s <= ir.ThreadgroupPositionInGridZ:
		return m.Group[axis(ir.ThreadgroupPositionInGridX)]
	case s <= ir.ThreadsPerGridZ:
		return m.Launch.Threads[axis(ir.ThreadsPerGridX)]
	case s <= ir.ThreadsPerThreadgroupZ:
		return m.Size[axis(ir.ThreadsPerThreadgroupX)]
	case s <= ir.DispatchThreadsPerThreadgroupZ:
		return m.Launch.PerGroup[axis(ir.DispatchThreadsPerThreadgroupX)]
	case s <= ir.ThreadgroupsPerGridZ:
		return m.Launch.Groups[axis(ir.ThreadgroupsPerGridX)]
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
		return (m.Size.Count() + Simdgroup - 1) / Simdgroup
	case ir.QuadgroupsPerThreadgroup:
		return (m.Size.Count() + 3) / 4
	case ir.ThreadsPerSimdgroup:
		return Simdgroup
	case ir.DispatchSimdgroupsPerThreadgroup:
		return (m.Launch.PerGroup.Count() + Simdgroup - 1) / Simdgroup
	case ir.DispatchQuadgroupsPerThreadgroup:
		return (m.Launch.PerGroup.Count() + 3) / 4
	}
	panic(fmt.Sprintf("simt: unknown input %d", s))
}

// Thread is the position of a lane's thread in the threadgroup.
func (m *Machine) Thread(lane int) Size { return Position(m.lead+lane, m.Size) }

// Lanes is slot s of 32-bit values.
func (m *Machine) Lanes(s int) []uint32 { return m.slots[s] }

// Wide is slot s of 64-bit values.
func (m *Machine) Wide(s int) []uint64 {
	return m.u64[s*m.Stride : s*m.Stride+m.N : s*m.Stride+m.N]
}

// FirstActive is the first active lane, or -1.
func (m *Machine) FirstActive() int {
	for l, on := range m.Mask {
		if on != 0 {
			return l
		}
	}
	return -1
}
