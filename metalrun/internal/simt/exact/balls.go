package exact

import (
	"sync"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// With Options.Exact, every register that depends on floats has a row of balls in addition to its row of lanes (package
// ball). Memory that holds such values has balls, too. An instruction is compiled as without Options.Exact, except that
// no loop does several at once; another instruction before it or after it does the same to the balls. Masks and
// addresses are those of the f32 values.
//
// A selection between two values takes the value that exact arithmetic selects; its bound includes their distance. A
// branch that another device may decide otherwise is executed both ways (speculation.go). If lanes act together in the
// branch or leave a loop there, all that it sets and stores is unknown instead; what the other arm would have stored is
// then lost.

// balls are the balls of a machine, and what exact execution keeps there.
type balls struct {
	machine.NoObserver
	x *Exactness
	ballRows
	notesOf
	uncertainLanes
	room
	speculation
	Recorder Recorder // nil: nothing is recorded

	scalars    *scalarBalls // balls of the registers of a scalar program
	nextScalar scalarBall   // of the current instruction
	alike      bool         // the current instruction has the same result on every device
	bare       uint64       // by bit, the results of the current load for which memory has no balls …
	complete   uint64       // … and the results for which memory has all balls
	sums       map[*ball.Ball]*atomicSum
	exchanges  map[*ir.Instr]*exchangeRoom
	rowLoop    ball.RowLoop // room for the current loop
	drawn      uint64       // state of the random numbers of a sample
}

// ballRows are the balls of registers and of private memory.
type ballRows struct {
	n32, n64        []ball.Ball // by slot
	uni32           []ball.Ball
	uni64           []ball.Ball
	private         []ball.Ball // [cell][lane]
	representations representations
	aliases         rowAliases
}

// notesOf are the notes of a machine.
type notesOf struct {
	notes    map[Note]int
	reportTo *Notes // gets them; nil: not wanted
	ranges   bool   // notes on values that leave the range of their format are wanted, too
}

// uncertainLanes are the lanes that another device may have sent elsewhere.
type uncertainLanes struct {
	uncertain    []uint32 // a mask
	anyUncertain bool     // there are such lanes
}

// room is scratch of the current instruction.
type room struct {
	scratch    []ball.Ball // rows of values
	spare      []ball.Ball
	third      []ball.Ball
	doubles    []ball.Double   // with Options.Doubles, a row of values
	everything []uint32        // a mask of one lane
	sure       []bool          // lanes whose results are certain
	kept       [3][]ball.Ball  // operands of an operation that may be rewritten
	tiles      *[4]ball.Matrix // of a product of matrices: a, b, c and the result; nil: the kernel has no such product
	anchored   [machine.Simdgroup]ball.Ball
}

// speculation is the state of branches that are executed both ways.
type speculation struct {
	journal      *journal       // nil: nothing is speculative
	pending      *pendingFork   // nil: no function is executed that a decision may leave early
	flip         *decided       // the branch to be decided otherwise, once
	scalarFork   fork           // of a scalar program
	scalarTrials []*scalarTrial // scratch, by depth
	depth        int            // number of nested speculations of a scalar program
}

// Note is a remark on an exact value at a position of the source.
type Note struct {
	Pos  syntax.Pos
	Kind NoteKind
}

// NoteKind is a kind of notes.
type NoteKind uint8

const (
	Unstable   NoteKind = iota // another device may decide otherwise
	TakenApart                 // bits of a float that may differ between devices are used as another type
	Overflow                   // a finite value may be infinite on some device
	Underflow                  // a nonzero value may be zero on some device
	Tied                       // a number lies at a tie of its rounding, as far as float64 can tell
	Snapped                    // a sum with a constant is rounded as if the constant were a magic number
	Decimal                    // the text of a literal says another number than its format has
	Digits                     // of so many digits that a number between may be meant; Pos.Line counts such literals
	Folded                     // a constant of literals has another number in its format than exact arithmetic makes
)

// Notes are the notes of launches, with how often each was made. Those on literals are made once, on however many
// machines threadgroups run.
type Notes struct {
	mu    sync.Mutex
	Count map[Note]int
}

func (n *Notes) add(of map[Note]int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.Count == nil {
		n.Count = map[Note]int{}
	}
	for note, k := range of {
		if note.Kind == Decimal || note.Kind == Digits {
			n.Count[note] = k
			continue
		}
		n.Count[note] += k
	}
}

// RangeNotes says that notes on values outside the range of their format are wanted, too.
type RangeNotes bool

// End hands over the notes of a threadgroup.
func (b *balls) End(*machine.Machine) {
	if b.reportTo != nil {
		b.reportTo.add(b.notes)
		clear(b.notes)
	}
}

// newBalls makes the balls of a machine.
func newBalls(p *machine.Program, most int) *balls {
	row := func() []ball.Ball { return make([]ball.Ball, most) }
	b := &balls{}
	b.n32, b.n64 = make([]ball.Ball, p.Slots32*most), make([]ball.Ball, p.Slots64*most)
	b.uni32, b.uni64 = make([]ball.Ball, len(p.Uni32)), make([]ball.Ball, len(p.Uni64))
	b.private = make([]ball.Ball, ExactOf(p).privateCells*most)
	b.representations, b.aliases = newRepresentations(p), newRowAliases(p)
	b.uncertain, b.notes = make([]uint32, most), map[Note]int{}
	b.scratch, b.spare, b.third = row(), row(), row()
	b.sure, b.everything = make([]bool, most), []uint32{^uint32(0)}
	if p.Options.Doubles {
		b.doubles = make([]ball.Double, most)
	}
	if ir.Contains(p.Kernel.Body, func(n ir.Node) bool { in, ok := n.(*ir.Instr); return ok && in.Op == ir.MatMul }) {
		b.tiles = new([4]ball.Matrix)
	}
	b.literals(p)
	return b
}

// Enter begins a threadgroup.
func (b *balls) Enter(m *machine.Machine) {
	clear(b.private[:ExactOf(m.P).privateCells*m.Stride])
	for i := analysis.FirstThreadgroup; i < len(m.Objects); i++ {
		clear(m.Objects[i].Cells)
		clear(m.Objects[i].Representations)
	}
	clear(b.uncertain)
	b.anyUncertain = false
	clear(b.exchanges)
	b.representations.clear()
	b.aliases.clear()
	enterSample(m)
}

// giveCells gives cells to the objects of a threadgroup in which the kernel holds balls.
func giveCells(p *machine.Program, m *machine.Machine) {
	for i := analysis.FirstThreadgroup; i < len(m.Objects); i++ {
		if h := ExactOf(p).At(analysis.MemoryObject{Space: syntax.Threadgroup, Object: i}); h != nil && h.Depends {
			m.Objects[i].Cells, m.Objects[i].CellLog = make([]ball.Ball, m.Objects[i].Size>>h.Log()), h.Log()
			if h.Mixed() {
				m.Objects[i].Representations = make([]machine.CellKind, len(m.Objects[i].Cells))
			}
		}
	}
}

// BindCells gives cells to the buffers in which the kernel may store balls: the caller's, or new ones.
func BindCells(p *machine.Program, l *machine.Dispatch, table []machine.Memory) {
	for _, b := range l.Buffers {
		log, ok := Cells(p, b.Index)
		if !ok || b.ReadOnly {
			continue
		}
		mem := &table[b.Index]
		if mem.Cells, mem.CellLog = b.Exact, log; b.Exact == nil {
			mem.Later = &machine.LaterCells{Make: b.Balls}
			if b.Balls == nil {
				mem.Later.Make = func() []ball.Ball { return make([]ball.Ball, len(b.Bytes)>>log) }
			}
		}
	}
}

// Cells is the logarithm of the number of bytes of a cell of a buffer. ok is false if the program stores no balls
// there.
func Cells(p *machine.Program, index int) (log uint, ok bool) {
	if ExactOf(p) == nil {
		return 0, false
	}
	h := ExactOf(p).At(analysis.MemoryObject{Space: syntax.Device, Object: index})
	if h == nil || !h.Depends {
		return 0, false
	}
	return h.Log(), true
}

// StoresIntegers reports whether a program that stores balls in a buffer accesses it only as integers.
func StoresIntegers(p *machine.Program, index int) bool {
	for s := range ExactOf(p).At(analysis.MemoryObject{Space: syntax.Device, Object: index}).Types {
		if s.Type().IsFloat() {
			return false
		}
	}
	return true
}

// writableRow is the balls of a register, to be read and written.
func writableRow(m *machine.Machine, at machine.Slot) []ball.Ball {
	detach(m, at)
	row, kind := ReadRow(m, at), BallsOf(m).representations.of(at)
	*kind = written
	return row
}

// rawRow is where the balls of a register are, if they are materialised.
func rawRow(m *machine.Machine, at machine.Slot) []ball.Ball {
	b := BallsOf(m)
	switch {
	case at.Varying && at.Wide:
		return b.n64[at.Index*m.Stride : at.Index*m.Stride+m.N]
	case at.Varying && b.aliases.rows[at.Index] != nil:
		return b.aliases.rows[at.Index]
	case at.Varying:
		return b.n32[at.Index*m.Stride : at.Index*m.Stride+m.N]
	case at.Wide:
		return b.uni64[at.Index : at.Index+1]
	}
	return b.uni32[at.Index : at.Index+1]
}

// RowMask is the mask for a row: that of the lanes, or that of the one lane of a uniform row.
func RowMask(m *machine.Machine, row []ball.Ball) []uint32 {
	if len(row) == 1 && m.N != 1 {
		return BallsOf(m).everything
	}
	return m.Mask
}

// lanesOn is the mask for a row; nil if all lanes are active.
func lanesOn(m *machine.Machine, row []ball.Ball) []uint32 {
	if m.Whole || len(row) == 1 {
		return nil
	}
	return m.Mask
}

// lanesOf is the mask for the row of a result. It is nil for a temporary: nothing reads its inactive lanes, so all
// lanes may be written.
func lanesOf(m *machine.Machine, row []ball.Ball, d destination) []uint32 {
	if d.temp {
		return nil
	}
	return lanesOn(m, row)
}

// note counts a note.
func note(m *machine.Machine, pos syntax.Pos, kind NoteKind) { BallsOf(m).notes[Note{pos, kind}]++ }

// doubtRow makes the results of uncertain lanes unknown.
func doubtRow(m *machine.Machine, d []ball.Ball) {
	b := BallsOf(m)
	if !b.anyUncertain {
		return
	}
	if len(d) == 1 {
		for l, on := range b.uncertain[:m.N] {
			if on&m.Mask[l] != 0 {
				d[0] = ball.Unknown(d[0].X)
				return
			}
		}
		return
	}
	for l, on := range b.uncertain[:m.N] {
		if on&m.Mask[l] != 0 {
			d[l] = ball.Unknown(d[l].X)
		}
	}
}

// inDoubt makes the lanes uncertain whose decision in a row is uncertain, and reports whether there are any.
func inDoubt(m *machine.Machine, row []ball.Ball) bool {
	b, any := BallsOf(m), false
	for l, on := range m.Mask {
		if on != 0 && row[min(l, len(row)-1)].E != 0 {
			b.uncertain[l], any = ^uint32(0), true
		}
	}
	b.anyUncertain = b.anyUncertain || any
	return any
}
