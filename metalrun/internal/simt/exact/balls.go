package exact

import (
	"math"
	"math/bits"
	"sync"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// With Options.Exact every floating register, and every other that follows from one, has a
// row of balls beside its row of lanes (package ball), and so has memory that holds such
// values. An instruction is compiled as ever, but for loops that do several at once, and
// another in front of it or behind it does the same to the balls. Lanes take the path
// that the f32 values take: masks and addresses are those of the values.
//
// A choice between two values takes the one that exact arithmetic takes, and is off by
// their distance. A branch that another device may decide otherwise is tried both ways
// (balls_both.go), or, where lanes act together in it or leave a loop, all that it sets is
// unknown, and what is stored there; what the arm not taken would have stored cannot be
// told then.

// balls are those of a machine.
type balls struct {
	machine.NoObserver
	x *Exactness
	ballRows
	notesOf
	uncertainLanes
	room
	speculation
	Recorder Recorder // nil: nothing is recorded

	aloneBalls *[machine.MaxSolo]soloExact // what is known of the registers of a program for one thread
	aloneNext  soloExact                   // of the instruction under way
	alike      bool                        // the result of the instruction under way is its value on every device
	bare       uint64                      // results, by bit, of the load under way for which memory has no balls …
	complete   uint64                      // … and those for which it has all
	sums       map[*ball.Ball]*atomicSum
	turns      ball.Turns // of the loop under way
	drawn      uint64     // state of the coins of a sample
}

// ballRows are the balls of registers and of private memory.
type ballRows struct {
	n32, n64 []ball.Ball // by slot
	uni32    []ball.Ball
	uni64    []ball.Ball
	private  []ball.Ball // [cell][lane]
	kinds    kinds
	lent     lending
}

// notesOf are the notes of a machine.
type notesOf struct {
	notes  map[Note]int
	told   *Notes // gets them; nil: not wanted
	ranges bool   // those on values that leave the range of their format are wanted too
}

// uncertainLanes are which lanes another device may have sent elsewhere.
type uncertainLanes struct {
	doubt    []uint32
	doubtful bool // there are some
}

// room is scratch of the instruction under way.
type room struct {
	scratch    []ball.Ball // rows of values
	spare      []ball.Ball
	third      []ball.Ball
	doubles    []ball.Double   // with Options.Doubles, a row of values
	everything []uint32        // a mask of one lane
	sure       []bool          // lanes whose results are certain
	kept       [3][]ball.Ball  // operands of an operation that may be rewritten
	tiles      *[4]ball.Matrix // a product of matrices: a, b, c and what it gives; nil: the kernel has none
	anchored   [machine.Simdgroup]ball.Ball
}

// speculation is what is being tried both ways.
type speculation struct {
	journal *journal     // nil: nothing is tried
	pending *pendingFork // nil: no function waits for what may leave it early
	flip    *decided     // to be decided otherwise, once
	alone   fork         // of one thread, where it decides
	trials  []*soloTrial // scratch
	tried   int          // of those in use
}

// Note is something about the exact value that a launch met at a position.
type Note struct {
	Pos  syntax.Pos
	Kind NoteKind
}

// NoteKind says what it is.
type NoteKind uint8

const (
	Unstable   NoteKind = iota // another device may decide otherwise
	TakenApart                 // bits of a float that devices need not have alike are taken for something else
	Overflow                   // a finite value may be infinite on some device
	Underflow                  // a value that is not zero may be zero
	Tied                       // a number is rounded just where it goes either way, as far as float64 tells
	Snapped                    // a constant rounds a sum, as one does that is added for the sake of that
)

// Notes are those of launches, with how often each was made.
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
		n.Count[note] += k
	}
}

// RangeNotes says that notes on values that leave the range of their format are wanted, too.
type RangeNotes bool

// End hands over the notes of a threadgroup.
func (b *balls) End(*machine.Machine) {
	if b.told != nil {
		b.told.add(b.notes)
		clear(b.notes)
	}
}

// newBalls makes the balls of a machine.
func newBalls(p *machine.Program, most int) *balls {
	row := func() []ball.Ball { return make([]ball.Ball, most) }
	b := &balls{}
	b.n32, b.n64 = make([]ball.Ball, p.Slots32*most), make([]ball.Ball, p.Slots64*most)
	b.uni32, b.uni64 = make([]ball.Ball, len(p.Uni32)), make([]ball.Ball, len(p.Uni64))
	b.private, b.kinds, b.lent = make([]ball.Ball, ExactOf(p).privateCells*most), newKinds(p), newLending(p)
	b.doubt, b.notes = make([]uint32, most), map[Note]int{}
	b.scratch, b.spare, b.third = row(), row(), row()
	b.sure, b.everything = make([]bool, most), []uint32{^uint32(0)}
	if p.Options.Doubles {
		b.doubles = make([]ball.Double, most)
	}
	if ir.Contains(p.Kernel.Body, func(n ir.Node) bool { in, ok := n.(*ir.Instr); return ok && in.Op == ir.MatMul }) {
		b.tiles = new([4]ball.Matrix)
	}
	for r, info := range p.Kernel.Regs {
		if at := p.Slots[r]; info.Kind == ir.Literal && info.Type.IsFloat() && !at.Varying {
			x := float64(machine.F32frombits(machine.Literal32(info)))
			b.uni32[at.Index] = ball.Of(x * (1 + moved(p, x, info.Type, at.Index)))
		}
	}
	return b
}

// LiteralPatterns are the patterns of signs in which literals are moved: two neighbours move in
// every combination.
const LiteralPatterns = 4

// moved is the part by which a literal is moved: an ulp, if its digits fill the format so that it
// may stand for a number that the format does not have.
func moved(p *machine.Program, x float64, t ir.Type, place int) float64 {
	digits, top := 24, 128 // of the format
	switch t {
	case ir.F16:
		digits, top = 11, 16
	case ir.BF16:
		digits = 8
	}
	mantissa, exponent := math.Frexp(x)
	if exponent == top { // the end of the range stands for itself
		return 0
	}
	if p.Options.Literals == 0 || math.IsInf(x, 0) || math.IsNaN(x) ||
		math.Trunc(math.Ldexp(mantissa, digits*2/3)) == math.Ldexp(mantissa, digits*2/3) {
		return 0
	}
	sign := 1.0
	if bits.OnesCount(uint(place&(p.Options.Literals-1)))%2 == 1 {
		sign = -1
	}
	return sign * math.Ldexp(1, 1-digits)
}

// Enter begins a threadgroup.
func (b *balls) Enter(m *machine.Machine) {
	clear(b.private[:ExactOf(m.P).privateCells*m.Stride])
	for i := analysis.FirstThreadgroup; i < len(m.Objects); i++ {
		clear(m.Objects[i].Cells)
		clear(m.Objects[i].Kinds)
	}
	clear(b.doubt)
	b.doubtful = false
	b.kinds.clear()
	b.lent.clear()
	enterSample(m)
}

// giveCells gives the memory of a threadgroup cells where the kernel holds balls there.
func giveCells(p *machine.Program, m *machine.Machine) {
	for i := analysis.FirstThreadgroup; i < len(m.Objects); i++ {
		if h := ExactOf(p).At(analysis.Place{Space: syntax.Threadgroup, Object: i}); h != nil && h.Depends {
			m.Objects[i].Cells, m.Objects[i].CellLog = make([]ball.Ball, m.Objects[i].Size>>h.Log()), h.Log()
			if h.Mixed() {
				m.Objects[i].Kinds = make([]machine.CellKind, len(m.Objects[i].Cells))
			}
		}
	}
}

// BindCells gives buffers cells where the kernel may leave balls: those that the caller
// wants to have, or others.
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

// Cells is the logarithm of the bytes that a ball of a buffer stands for, ok false if the
// program leaves none there.
func Cells(p *machine.Program, index int) (log uint, ok bool) {
	if ExactOf(p) == nil {
		return 0, false
	}
	h := ExactOf(p).At(analysis.Place{Space: syntax.Device, Object: index})
	if h == nil || !h.Depends {
		return 0, false
	}
	return h.Log(), true
}

// StoresIntegers reports whether a program that leaves balls in a buffer accesses it as integers alone.
func StoresIntegers(p *machine.Program, index int) bool {
	for s := range ExactOf(p).At(analysis.Place{Space: syntax.Device, Object: index}).Types {
		if s.Type().IsFloat() {
			return false
		}
	}
	return true
}

// ballRow is the balls of a register, to be read and written.
func ballRow(m *machine.Machine, at machine.Slot) []ball.Ball {
	keep(m, at)
	row, kind := Look(m, at), BallsOf(m).kinds.of(at)
	*kind = written
	return row
}

// rawRow is where the balls of a register are, if they are written.
func rawRow(m *machine.Machine, at machine.Slot) []ball.Ball {
	b := BallsOf(m)
	switch {
	case at.Varying && at.Wide:
		return b.n64[at.Index*m.Stride : at.Index*m.Stride+m.N]
	case at.Varying && b.lent.rows[at.Index] != nil:
		return b.lent.rows[at.Index]
	case at.Varying:
		return b.n32[at.Index*m.Stride : at.Index*m.Stride+m.N]
	case at.Wide:
		return b.uni64[at.Index : at.Index+1]
	}
	return b.uni32[at.Index : at.Index+1]
}

// RowMask is the mask for a row: that of the lanes, or of one.
func RowMask(m *machine.Machine, row []ball.Ball) []uint32 {
	if len(row) == 1 && m.N != 1 {
		return BallsOf(m).everything
	}
	return m.Mask
}

// lanesOn is the mask for a row, nil if all lanes are on.
func lanesOn(m *machine.Machine, row []ball.Ball) []uint32 {
	if m.Whole || len(row) == 1 {
		return nil
	}
	return m.Mask
}

// lanesOf is the same for the row of a result that is made without a look at what lanes are for: one
// that nobody reads in lanes that are not active is made in all.
func lanesOf(m *machine.Machine, row []ball.Ball, d destination) []uint32 {
	if d.temp {
		return nil
	}
	return lanesOn(m, row)
}

// note counts a note.
func note(m *machine.Machine, pos syntax.Pos, kind NoteKind) { BallsOf(m).notes[Note{pos, kind}]++ }

// doubt makes what a lane that is in doubt has set unknown.
func doubtRow(m *machine.Machine, d []ball.Ball) {
	b := BallsOf(m)
	if !b.doubtful {
		return
	}
	if len(d) == 1 {
		for l, on := range b.doubt[:m.N] {
			if on&m.Mask[l] != 0 {
				d[0] = ball.Unknown(d[0].X)
				return
			}
		}
		return
	}
	for l, on := range b.doubt[:m.N] {
		if on&m.Mask[l] != 0 {
			d[l] = ball.Unknown(d[l].X)
		}
	}
}

// inDoubt puts lanes of a row that are not certain in doubt, and reports whether there are
// any.
func inDoubt(m *machine.Machine, row []ball.Ball) bool {
	b, any := BallsOf(m), false
	for l, on := range m.Mask {
		if on != 0 && row[min(l, len(row)-1)].E != 0 {
			b.doubt[l], any = ^uint32(0), true
		}
	}
	b.doubtful = b.doubtful || any
	return any
}
