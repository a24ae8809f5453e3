package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// Atomic operations of different threads have no order. What is known of a cell after them
// is what holds in every order: for sums of floats the bound of any order of all that has been
// added to the cell, for integers the sum or the extreme of balls. What a single operation
// returns depends on the order, and is known only if no device can have it otherwise.

// atomicSum is what has been added to a cell, which held left after that.
type atomicSum struct {
	sum  ball.Sum
	left ball.Ball
}

// compileAtomic compiles an atomic operation.
func compileAtomic(c *codegen.Compiler, in *ir.Instr) {
	x := ExactOf(c.P)
	if !x.Of(in.Mem).Depends && !hasBalls(c, in.Dst) {
		c.Value(in)
		return
	}
	b := atomicBalls{access: ballAccess(c, in), in: in, exact: x}
	for _, r := range in.Args {
		b.args = append(b.args, ballOperand(c, r))
	}
	if in.Fn == "compare_exchange" {
		compileExchange(c, &b)
		return
	}
	var before machine.Op
	c.Do(func(m *machine.Machine) { before(m) })
	c.Value(in)
	b.dst = destinations(c, in)
	before = b.Run
	c.Do(loadedAtomically(c, in, b.dst))
}

// atomicBalls is an atomic operation on balls.
type atomicBalls struct {
	access *BallAccess
	in     *ir.Instr
	exact  *Exactness
	args   []BallOperand
	dst    []destination
}

// Run executes the operations.
func (b *atomicBalls) Run(m *machine.Machine) {
	if t := BallsOf(m).Recorder; t != nil && len(b.args) > 0 {
		adds := 0.0
		if b.in.Fn == "add" {
			adds = 1
		} else if b.in.Fn == "sub" {
			adds = -1
		}
		t.Store(m, b.in, &b.args[len(b.args)-1], t.Places(m, b.access, 0, nil), adds)
	}
	certain := b.certain(m)
	var exactly map[*ball.Ball]ball.Ball // cells that hold no ball, as an earlier lane of this operation left them
	b.access.Where(m, 0, false, func(l int, mem *machine.Memory, off int64) {
		cell := cellAt(m, mem, off, l)
		if cell == nil || certain {
			if certain && b.in.Fn != "load" { // memory gets the value that every device has
				holdAt(m, mem, off, l, b.in.From, ball.Ball{})
			}
			b.give(m, l, ball.Ball{})
			return
		}
		e := entry{lane: l, mem: mem, off: off, from: b.in.From}
		_, old := e.contents(m)
		if left, ok := exactly[cell]; ok && cell.None() {
			old = left // memory has the value from before the operation
		}
		var arg ball.Ball
		if len(b.args) > 0 {
			arg = b.arg(m, l)
		}
		if b.access.uncertain(m, l) && b.scatter(m, l, mem, off, arg) {
			b.give(m, l, ball.Unknown(old.X))
			return
		}
		left, got := b.apply(m, cell, old, arg)
		if b.access.uncertain(m, l) || b.sampled(m) || BallsOf(m).anyUncertain && BallsOf(m).uncertain[l] != 0 {
			left, got = ball.Unknown(left.X), ball.Unknown(got.X)
		}
		if b.in.Fn != "load" {
			holdAt(m, mem, off, l, b.in.From, left)
			if cell.None() {
				if exactly == nil {
					exactly = map[*ball.Ball]ball.Ball{}
				}
				exactly[cell] = left
			}
		}
		b.give(m, l, got)
	})
}

// mostReach is how many elements on each side an address may be off by for a count to be followed.
const mostReach = 64

// scatter follows a count whose address may be another one on some device: each element that its index may lead to may
// have got it or not. It reports whether that is all that is to be done.
func (b *atomicBalls) scatter(m *machine.Machine, l int, mem *machine.Memory, off int64, arg ball.Ball) bool {
	reach := b.access.reach(m, l)
	if b.in.Fn != "add" && b.in.Fn != "sub" || b.in.From.Type().IsFloat() || mem == nil || !(reach <= mostReach) {
		return false
	}
	if b.in.Fn == "sub" {
		arg = ball.Neg(arg)
	}
	size := b.in.Mem.Scale
	for k := -int64(reach); k <= int64(reach); k++ {
		at := off + k*size
		if at < 0 || at+size > mem.Size {
			continue
		}
		if cell := cellAt(m, mem, at, l); cell == nil {
			return false
		}
		e := entry{lane: l, mem: mem, off: at, from: b.in.From}
		_, held := e.contents(m)
		if held.E += math.Abs(arg.X) + arg.E; k == 0 {
			held.X += arg.X
		}
		holdAt(m, mem, at, l, b.in.From, held)
	}
	return true
}

// certain reports whether nothing that the lanes work on can be otherwise on another device.
func (b *atomicBalls) certain(m *machine.Machine) bool {
	if analysis.SumsFloats(b.in) || b.sampled(m) {
		return false
	}
	all := true
	b.access.Where(m, 0, false, func(l int, mem *machine.Memory, off int64) {
		cell := cellAt(m, mem, off, l)
		all = all && !b.access.uncertain(m, l) && (cell == nil || heldBall(m, mem, off, l, b.in.From).E <= 0)
		for _, arg := range b.args {
			if arg.Has {
				row := ReadRow(m, arg.At)
				all = all && row[min(l, len(row)-1)].E == 0
			}
		}
	})
	return all
}

// sampled reports whether the operation is on floats whose errors are drawn: a sample knows no orders.
func (b *atomicBalls) sampled(m *machine.Machine) bool {
	return m.P.Options.Sample != 0 && b.in.From.Type().IsFloat()
}

// arg is the last operand in a lane.
func (b *atomicBalls) arg(m *machine.Machine, l int) ball.Ball { return b.operand(m, len(b.args)-1, l) }

// operand is an operand in a lane.
func (b *atomicBalls) operand(m *machine.Machine, k, l int) ball.Ball {
	o := b.args[k]
	if o.Has {
		row := ReadRow(m, o.At)
		if x := row[min(l, len(row)-1)]; !ExactOf(m.P).rewritten {
			return x
		} else {
			return x.Leaf()
		}
	}
	x := Number(m, o.At, o.Typ, l)
	if o.Typ == ir.F32 {
		return ball.Of(x)
	}
	return ball.Ball{X: x}
}

// apply is what an operation leaves in a cell, and what it returns.
func (b *atomicBalls) apply(m *machine.Machine, cell *ball.Ball, old, arg ball.Ball) (left, got ball.Ball) {
	integer := func(x ball.Ball) ball.Ball {
		if !(math.Abs(x.X)+x.E < 1<<31) {
			return ball.Unknown(x.X)
		}
		return x
	}
	unordered := ball.Unknown(old.X)
	of, _ := machine.IntOf(b.in.From)
	switch {
	case analysis.SumsFloats(b.in):
		return addAtomically(m, cell, old, arg, b.in.Fn == "sub"), unordered
	case b.in.Fn == "load":
		return old, old
	case b.in.Fn == "store", b.in.Fn == "exchange":
		return arg, unordered
	case b.in.Fn == "add":
		return integer(integerBalls(ir.Add)(old, arg)), unordered
	case b.in.Fn == "sub":
		return integer(integerBalls(ir.Sub)(old, arg)), unordered
	case b.in.Fn == "min" && of.Signed:
		return ball.Min(old, arg), unordered
	case b.in.Fn == "max" && of.Signed:
		return ball.Max(old, arg), unordered
	case b.in.Fn == "min" && of.Bits == 32:
		return withoutSign(ball.Min)(old, arg), unordered
	case b.in.Fn == "max" && of.Bits == 32:
		return withoutSign(ball.Max)(old, arg), unordered
	}
	return unordered, unordered
}

// addAtomically adds a term to those of a cell.
func addAtomically(m *machine.Machine, cell *ball.Ball, old, term ball.Ball, negative bool) ball.Ball {
	b := BallsOf(m)
	if b.sums == nil {
		b.sums = map[*ball.Ball]*atomicSum{}
	}
	s := b.sums[cell]
	if s == nil || s.left != old {
		s = &atomicSum{sum: ball.NewSum()}
		s.sum.Add(old)
		b.sums[cell] = s
	}
	if negative {
		term = ball.Neg(term)
	}
	s.sum.Add(term)
	s.left = s.sum.Ball(0)
	return s.left
}

// give sets the results in a lane.
func (b *atomicBalls) give(m *machine.Machine, l int, got ball.Ball) {
	for i, d := range b.dst {
		if b.exact.Depends(b.in.Dst[i]) {
			row := writableRow(m, d.Slot)
			row[min(l, len(row)-1)] = got
		}
	}
}

// loadedAtomically gives results that every device has their values.
func loadedAtomically(c *codegen.Compiler, in *ir.Instr, dst []destination) machine.Op {
	return func(m *machine.Machine) {
		for i, d := range dst {
			if !ExactOf(c.P).Depends(in.Dst[i]) {
				continue
			}
			row := writableRow(m, d.Slot)
			for l, on := range RowMask(m, row) {
				if on != 0 && l < len(row) && row[l].None() {
					row[l] = ball.Ball{X: Number(m, d.Slot, c.Typ(in.Dst[i]), l)}
				}
			}
			doubtRow(m, row)
		}
	}
}
