package simt

import (
	"math"
	"math/bits"
	"sync"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
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
	n32, n64   []ball.Ball // by slot
	uni32      []ball.Ball
	uni64      []ball.Ball
	private    []ball.Ball // [cell][lane]
	kinds      kinds
	alike      bool     // the result of the instruction under way is its value on every device
	bare       uint64   // results, by bit, of the load under way for which memory has no balls …
	complete   uint64   // … and those for which it has all
	doubt      []uint32 // lanes that another device may have sent elsewhere
	doubtful   bool     // there are some
	notes      map[Note]int
	scratch    []ball.Ball // rows of values
	spare      []ball.Ball
	third      []ball.Ball
	doubles    []ball.Double // with Options.Doubles, a row of values
	everything []uint32      // a mask of one lane
	sure       []bool        // lanes whose results are certain, of the instruction under way
	sums       map[*ball.Ball]*atomicSum
	journal    *journal     // nil: nothing is tried
	pending    *pendingFork // nil: no function waits for what may leave it early
	flip       *decided     // to be decided otherwise, once
	alone      fork         // of one thread, where it decides
	trials     []*soloTrial // scratch
	tried      int          // of those in use
	lent       lending
	turns      ball.Turns      // of the loop under way
	drawn      uint64          // state of the coins of a sample
	kept       [3][]ball.Ball  // operands of an operation that may be rewritten
	tiles      *[4]ball.Matrix // a product of matrices: a, b, c and what it gives; nil: the kernel has none
	anchored   [Simdgroup]ball.Ball
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

// newBalls makes the balls of a machine.
func (p *Program) newBalls(most int) *balls {
	b := &balls{
		n32: make([]ball.Ball, p.slots32*most), n64: make([]ball.Ball, p.slots64*most),
		uni32: make([]ball.Ball, len(p.uni32)), uni64: make([]ball.Ball, len(p.uni64)),
		private: make([]ball.Ball, p.exact.privateCells*most), kinds: p.newKinds(), lent: p.newLending(), doubt: make([]uint32, most),
		notes: map[Note]int{}, scratch: make([]ball.Ball, most), spare: make([]ball.Ball, most), third: make([]ball.Ball, most), sure: make([]bool, most), everything: []uint32{^uint32(0)},
	}
	if p.options.Doubles {
		b.doubles = make([]ball.Double, most)
	}
	if ir.Contains(p.kernel.Body, func(n ir.Node) bool { in, ok := n.(*ir.Instr); return ok && in.Op == ir.MatMul }) {
		b.tiles = new([4]ball.Matrix)
	}
	for r, info := range p.kernel.Regs {
		if at := p.slots[r]; info.Kind == ir.Literal && info.Type.IsFloat() && !at.varying {
			x := float64(f32frombits(literal32(info)))
			b.uni32[at.index] = ball.Of(x * (1 + p.moved(x, info.Type, at.index)))
		}
	}
	return b
}

// LiteralPatterns are the patterns of signs in which literals are moved: two neighbours move in
// every combination.
const LiteralPatterns = 4

// moved is the part by which a literal is moved: an ulp, if its digits fill the format so that it
// may stand for a number that the format does not have.
func (p *Program) moved(x float64, t ir.Type, place int) float64 {
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
	if p.options.Literals == 0 || math.IsInf(x, 0) || math.IsNaN(x) || math.Trunc(math.Ldexp(mantissa, digits*2/3)) == math.Ldexp(mantissa, digits*2/3) {
		return 0
	}
	sign := 1.0
	if bits.OnesCount(uint(place&(p.options.Literals-1)))%2 == 1 {
		sign = -1
	}
	return sign * math.Ldexp(1, 1-digits)
}

// enterBalls begins a threadgroup.
func (m *machine) enterBalls() {
	b := m.balls
	clear(b.private[:m.p.exact.privateCells*m.stride])
	for i := analysis.FirstThreadgroup; i < len(m.objects); i++ {
		clear(m.objects[i].cells)
		clear(m.objects[i].kinds)
	}
	clear(b.doubt)
	b.doubtful = false
	b.kinds.clear()
	b.lent.clear()
	m.enterSample()
}

// giveCells gives the memory of a threadgroup cells where the kernel holds balls there.
func (p *Program) giveCells(m *machine) {
	if p.exact == nil {
		return
	}
	for i := analysis.FirstThreadgroup; i < len(m.objects); i++ {
		if h := p.exact.At(analysis.Place{Space: syntax.Threadgroup, Object: i}); h != nil && h.Depends {
			m.objects[i].cells, m.objects[i].cellLog = make([]ball.Ball, m.objects[i].size>>h.Log()), h.Log()
			if h.Mixed() {
				m.objects[i].kinds = make([]cellKind, len(m.objects[i].cells))
			}
		}
	}
}

// bindCells gives buffers cells where the kernel may leave balls: those that the caller
// wants to have, or others.
func (p *Program) bindCells(l *Launch, table []memory) {
	if p.exact == nil {
		return
	}
	for _, b := range l.Buffers {
		log, ok := p.Cells(b.Index)
		if !ok || b.ReadOnly {
			continue
		}
		mem := &table[b.Index]
		if mem.cells, mem.cellLog = b.Exact, log; b.Exact == nil {
			mem.later = &laterCells{make: b.Balls}
			if b.Balls == nil {
				mem.later.make = func() []ball.Ball { return make([]ball.Ball, len(b.Bytes)>>log) }
			}
		}
	}
}

// carrying are programs for launches that begin with balls in buffers which the kernel itself
// leaves none in, by those buffers.
type carrying struct {
	mu       sync.Mutex
	programs map[uint32]*Program
}

// Carrying is the program for a launch whose buffers of these indices, by bit, hold balls of
// launches before.
func (p *Program) Carrying(buffers uint32) *Program {
	if buffers == 0 {
		return p
	}
	c := &p.carrying
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.programs == nil {
		c.programs = map[uint32]*Program{}
	}
	if c.programs[buffers] == nil {
		o := p.given
		o.carried = buffers
		c.programs[buffers] = Compile(p.source, o)
	}
	return c.programs[buffers]
}

// Cells is the logarithm of the bytes that a ball of a buffer stands for, ok false if the
// program leaves none there.
func (p *Program) Cells(index int) (log uint, ok bool) {
	if p.exact == nil {
		return 0, false
	}
	h := p.exact.At(analysis.Place{Space: syntax.Device, Object: index})
	if h == nil || !h.Depends {
		return 0, false
	}
	return h.Log(), true
}

// StoresIntegers reports whether a program that leaves balls in a buffer accesses it as integers alone.
func (p *Program) StoresIntegers(index int) bool {
	for s := range p.exact.At(analysis.Place{Space: syntax.Device, Object: index}).Types {
		if s.Type().IsFloat() {
			return false
		}
	}
	return true
}

// row is the balls of a register, to be read and written.
func (m *machine) row(at slot) []ball.Ball {
	m.keep(at)
	row, kind := m.look(at), m.balls.kinds.of(at)
	*kind = written
	return row
}

// rawRow is where the balls of a register are, if they are written.
func (m *machine) rawRow(at slot) []ball.Ball {
	b := m.balls
	switch {
	case at.varying && at.wide:
		return b.n64[at.index*m.stride : at.index*m.stride+m.n]
	case at.varying && b.lent.rows[at.index] != nil:
		return b.lent.rows[at.index]
	case at.varying:
		return b.n32[at.index*m.stride : at.index*m.stride+m.n]
	case at.wide:
		return b.uni64[at.index : at.index+1]
	}
	return b.uni32[at.index : at.index+1]
}

// rowMask is the mask for a row: that of the lanes, or of one.
func (m *machine) rowMask(row []ball.Ball) []uint32 {
	if len(row) == 1 && m.n != 1 {
		return m.balls.everything
	}
	return m.mask
}

// lanesOn is the mask for a row, nil if all lanes are on.
func (m *machine) lanesOn(row []ball.Ball) []uint32 {
	if m.whole || len(row) == 1 {
		return nil
	}
	return m.mask
}

// lanesOf is the same for the row of a result that is made without a look at what lanes are for: one
// that nobody reads in lanes that are not active is made in all.
func (m *machine) lanesOf(row []ball.Ball, d destination) []uint32 {
	if d.temp {
		return nil
	}
	return m.lanesOn(row)
}

// note counts a note.
func (m *machine) note(pos syntax.Pos, kind NoteKind) { m.balls.notes[Note{pos, kind}]++ }

// doubt makes what a lane that is in doubt has set unknown.
func (m *machine) doubtRow(d []ball.Ball) {
	b := m.balls
	if !b.doubtful {
		return
	}
	if len(d) == 1 {
		for l, on := range b.doubt[:m.n] {
			if on&m.mask[l] != 0 {
				d[0] = ball.Unknown(d[0].X)
				return
			}
		}
		return
	}
	for l, on := range b.doubt[:m.n] {
		if on&m.mask[l] != 0 {
			d[l] = ball.Unknown(d[l].X)
		}
	}
}

// inDoubt puts lanes of a row that are not certain in doubt, and reports whether there are
// any.
func (m *machine) inDoubt(row []ball.Ball) bool {
	b, any := m.balls, false
	for l, on := range m.mask {
		if on != 0 && row[min(l, len(row)-1)].E != 0 {
			b.doubt[l], any = ^uint32(0), true
		}
	}
	b.doubtful = b.doubtful || any
	return any
}
