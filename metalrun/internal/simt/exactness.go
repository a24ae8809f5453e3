package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// exactness is what a program with Options.Exact knows of its kernel: registers and objects that depend on floats have
// balls.
type exactness struct {
	NoExtension
	*analysis.FloatDependence
	privateLog   uint // logarithm of the bytes of a cell of a thread's memory
	privateCells int  // of a thread
	crossing     *analysis.CrossLane
	snaps        bool // there are constants that may round sums
	rewritten    bool // balls are those of expressions that a compiler may rewrite
	rows         *ball.Rows
}

// layOut lays out the cells of a thread's memory, if any of it has balls. carried are buffers that have balls when a
// launch begins.
func (x *exactness) layOut(k *ir.Kernel, carried uint32) {
	x.FloatDependence, x.privateLog = analysis.DependsOnFloats(k, carried), 2
	holds := false
	for i := range k.Objects {
		if c := x.At(analysis.Place{Space: syntax.Thread, Object: i}); c != nil && c.Depends {
			holds = true
			x.privateLog = min(x.privateLog, c.Log())
		}
	}
	for _, o := range k.Objects {
		if holds && o.Space == syntax.Thread {
			x.privateCells += (o.Size + 3) / 4 * 4 >> x.privateLog
		}
	}
}

var exactSlot = newStateSlot() // of *exactness, and of *balls

// exactOf is what is known of a program that executes exactly, nil for others.
func exactOf(p *program) *exactness {
	x, _ := p.state[exactSlot].(*exactness)
	return x
}

// ballsOf are those of a machine.
func ballsOf(m *machine) *balls {
	b, _ := m.state[exactSlot].(*balls)
	return b
}

// Source takes floats that are moved as bits for floats.
func (x *exactness) Source(p *program, k *ir.Kernel) *ir.Kernel {
	p.state[exactSlot] = x
	return ir.Undisguised(k)
}

// Begin finds out what depends on floats.
func (x *exactness) Begin(c *compiler) {
	o, k := &c.p.options, c.p.kernel
	if x.rows = ball.Native(); o.Portable || !c.does(passExactVectors) {
		x.rows = ball.Portable
	}
	x.layOut(k, o.carried)
	x.snaps = snaps(k)
	if o.taped {
		x.crossing = x.CrossLane()
	}
	x.rewritten = !o.Doubles && mayRewrite(k)
	c.contested = x.Depends
}

// Instr compiles an instruction for values and for balls.
func (x *exactness) Instr(c *compiler, in *ir.Instr) bool {
	c.withBalls(in)
	return true
}

// If lets a branch be tried both ways.
func (x *exactness) If(c *compiler, n *ir.If, cond slot, id int, inside node) node {
	return c.decision(n, cond, id, inside)
}

// Leave lets a function or a loop be tried both ways that a decision leaves early.
func (x *exactness) Leave(c *compiler, n ir.Node, id int, inside node) node {
	return c.leftEarly(n, id, inside)
}

// Test sees where another device may go on otherwise.
func (x *exactness) Test(c *compiler, n *ir.Loop) op { return c.doubts(n) }

// Counted takes several iterations of a loop at once.
func (x *exactness) Counted(c *compiler, l *counted, n *ir.Loop) node { return c.ballTurns(l, n) }

// Bind gives buffers cells.
func (x *exactness) Bind(p *program, l *dispatch, table []memory) { p.bindCells(l, table) }

// Attach gives a machine its balls.
func (x *exactness) Attach(m *machine) {
	b := m.p.newBalls(cap(m.mask))
	b.x, b.told, b.ranges = x, wanted[*Notes](m.launch), bool(wanted[RangeNotes](m.launch))
	m.state[exactSlot] = b
	m.observe(b, 0)
	m.p.giveCells(m)
}

// Recorder records what the instructions of a machine do to balls.
type Recorder interface {
	// Operands takes what an instruction is about to read, and Result what it has given.
	Operands(m *machine, b *ballInstr)
	Result(m *machine, b *ballInstr)
	// Event counts an access, and reports whether Load is to record it. Store counts by itself. Places are those of an access.
	Event() bool
	Load(m *machine, in *ir.Instr, d slot, places []int32, crosses bool)
	Store(m *machine, in *ir.Instr, arg *ballOperand, places []int32, adds float64)
	Places(m *machine, a *ballAccess, extra int64, into []int32) []int32
	// Moved says which lane of which operand a lane of a permutation reads; of nil, none that is known.
	Moved(m *machine, l int, of *ballOperand, from int)
	// Rewind forgets what was recorded since a mark.
	Mark() int
	Rewind(to int)
}

// marked is the mark of what a machine has recorded.
func marked(m *machine) int {
	if r := ballsOf(m).recorder; r != nil {
		return r.Mark()
	}
	return 0
}
