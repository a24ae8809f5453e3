package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Exactness is the extension of a program with Options.Exact. The registers and objects that depend on floats have
// balls.
type Exactness struct {
	codegen.NoExtension
	*analysis.FloatDependence
	PrivateLog     uint // logarithm of the number of bytes of a cell of private memory
	privateCells   int  // number of cells of a thread
	CrossLaneReads *analysis.CrossLane
	snaps          bool // the kernel has constants that may be magic numbers, which round sums
	rewritten      bool // the compiler may rewrite expressions, and bounds allow for that
	rows           *ball.Rows
	retries        map[*ir.Instr]ir.Retry // nil: not asked
}

// layOut lays out the cells of private memory, if any of it has balls. carried are the buffers that have balls when a
// launch begins, by bit.
func (x *Exactness) layOut(k *ir.Kernel, carried uint32) {
	x.FloatDependence, x.PrivateLog = analysis.DependsOnFloats(k, carried), 2
	holds := false
	for i := range k.Objects {
		if c := x.At(analysis.MemoryObject{Space: syntax.Thread, Object: i}); c != nil && c.Depends {
			holds = true
			x.PrivateLog = min(x.PrivateLog, c.Log())
		}
	}
	for _, o := range k.Objects {
		if holds && o.Space == syntax.Thread {
			x.privateCells += (o.Size + 3) / 4 * 4 >> x.PrivateLog
		}
	}
}

var exactSlot = machine.NewStateSlot() // of *exactness, and of *balls

// ExactOf is the Exactness of a program; nil without Options.Exact.
func ExactOf(p *machine.Program) *Exactness {
	x, _ := p.State[exactSlot].(*Exactness)
	return x
}

// BallsOf are the balls of a machine.
func BallsOf(m *machine.Machine) *balls {
	b, _ := m.State[exactSlot].(*balls)
	return b
}

// Source makes floats that are moved as integers floats again.
func (x *Exactness) Source(p *machine.Program, k *ir.Kernel) *ir.Kernel {
	p.State[exactSlot] = x
	return ir.ForwardBitcasts(k)
}

// Begin finds out what depends on floats.
func (x *Exactness) Begin(c *codegen.Compiler) {
	o, k := &c.P.Options, c.P.Kernel
	if x.rows = ball.Native(); o.Portable || !c.Does(machine.PassExactVectors) {
		x.rows = ball.Portable
	}
	x.layOut(k, o.InputShadows)
	x.snaps = snaps(k)
	if o.Traced {
		x.CrossLaneReads = x.CrossLane()
	}
	x.rewritten = !o.Doubles && mayRewrite(k)
	c.Contested = x.Depends
}

// Instr compiles an instruction for values and for balls.
func (x *Exactness) Instr(c *codegen.Compiler, in *ir.Instr) bool {
	withBalls(c, in)
	return true
}

// If lets a branch be executed both ways.
func (x *Exactness) If(c *codegen.Compiler, n *ir.If, cond machine.Slot, id int, inside machine.Node) machine.Node {
	return decision(c, n, cond, id, inside)
}

// Leave lets a function be executed both ways that a decision leaves early.
func (x *Exactness) Leave(c *codegen.Compiler, n ir.Node, id int, inside machine.Node) machine.Node {
	return leftEarly(c, n, id, inside)
}

// Test finds lanes for which another device may leave a loop earlier or later.
func (x *Exactness) Test(c *codegen.Compiler, n *ir.Loop) machine.Op { return doubts(c, n) }

// Counted recognises a loop down rows.
func (x *Exactness) Counted(c *codegen.Compiler, l *machine.Counted, n *ir.Loop) machine.Node {
	return rowLoop(c, l, n)
}

// Bind gives buffers cells.
func (x *Exactness) Bind(p *machine.Program, l *machine.Dispatch, table []machine.Memory) {
	BindCells(p, l, table)
}

// Attach gives a machine its balls.
func (x *Exactness) Attach(m *machine.Machine) {
	b := newBalls(m.P, cap(m.Mask))
	b.x, b.reportTo, b.ranges = x, machine.Wanted[*Notes](m.Launch), bool(machine.Wanted[RangeNotes](m.Launch))
	m.State[exactSlot] = b
	m.Observe(b, 0)
	giveCells(m.P, m)
}

// Recorder records what the instructions of a machine do to balls.
type Recorder interface {
	// Operands records what an instruction is about to read, and Result its result.
	Operands(m *machine.Machine, b *BallInstr)
	Result(m *machine.Machine, b *BallInstr)
	// Event counts an access, and reports whether Load has to record it. Store counts by itself. Places appends the
	// numbers of the places that an access reaches.
	Event() bool
	Load(m *machine.Machine, in *ir.Instr, d machine.Slot, places []int32, crosses bool)
	Store(m *machine.Machine, in *ir.Instr, arg *BallOperand, places []int32, adds float64)
	Places(m *machine.Machine, a *BallAccess, extra int64, into []int32) []int32
	// Moved records which lane of which operand a lane of a permutation reads; of is nil if that is not known.
	Moved(m *machine.Machine, l int, of *BallOperand, from int)
	// Rewind forgets what was recorded since a mark.
	Mark() int
	Rewind(to int)
}

// marked is the current mark of the recorder of a machine.
func marked(m *machine.Machine) int {
	if r := BallsOf(m).Recorder; r != nil {
		return r.Mark()
	}
	return 0
}
