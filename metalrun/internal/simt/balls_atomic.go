package simt

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
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

// atomicBalls compiles an atomic operation.
func (c *compiler) atomicBalls(in *ir.Instr) {
	x := c.p.exact
	if !x.Of(in.Mem).Depends && !c.hasBalls(in.Dst) {
		c.value(in)
		return
	}
	b := atomicBalls{access: c.ballAccess(in), in: in, exact: x}
	for _, r := range in.Args {
		b.args = append(b.args, c.ballOperand(r))
	}
	var before op
	c.do(func(m *machine) { before(m) })
	c.value(in)
	b.dst = c.destinations(in)
	before = b.run
	c.do(c.loadedAtomically(in, b.dst))
}

// atomicBalls is an atomic operation on balls.
type atomicBalls struct {
	access *ballAccess
	in     *ir.Instr
	exact  *exactness
	args   []ballOperand
	dst    []destination
}

func (b *atomicBalls) run(m *machine) {
	if t := m.tape; t != nil && len(b.args) > 0 {
		adds := 0.0
		if b.in.Fn == "add" {
			adds = 1
		} else if b.in.Fn == "sub" {
			adds = -1
		}
		t.store(m, b.in, &b.args[len(b.args)-1], t.places(m, b.access, 0, nil), adds)
	}
	certain := b.certain(m)
	b.access.where(m, 0, false, func(l int, mem *memory, off int64) {
		cell := m.cellAt(mem, off, l)
		if cell == nil || certain {
			b.give(m, l, ball.Ball{})
			return
		}
		e := entry{lane: l, mem: mem, off: off, from: b.in.From}
		_, old := e.look(m)
		var arg ball.Ball
		if len(b.args) > 0 {
			arg = b.arg(m, l)
		}
		left, got := b.apply(m, cell, old, arg)
		if b.access.uncertain(m, l) || b.sampled(m) || m.balls.doubtful && m.balls.doubt[l] != 0 {
			left, got = ball.Unknown(left.X), ball.Unknown(got.X)
		}
		if b.in.Fn != "load" {
			m.hold(mem, off, l, b.in.From, left)
		}
		b.give(m, l, got)
	})
}

// certain reports whether nothing that the lanes work on can be otherwise on another device.
func (b *atomicBalls) certain(m *machine) bool {
	if analysis.SumsFloats(b.in) || b.sampled(m) {
		return false
	}
	all := true
	b.access.where(m, 0, false, func(l int, mem *memory, off int64) {
		cell := m.cellAt(mem, off, l)
		all = all && !b.access.uncertain(m, l) && (cell == nil || m.held(mem, off, l, b.in.From).E <= 0)
		for _, arg := range b.args {
			if arg.has {
				row := m.look(arg.at)
				all = all && row[min(l, len(row)-1)].E == 0
			}
		}
	})
	return all
}

// sampled reports whether the operation is on floats whose errors are drawn: a sample knows no orders.
func (b *atomicBalls) sampled(m *machine) bool {
	return m.p.options.Sample != 0 && b.in.From.Type().IsFloat()
}

// arg is the last operand in a lane.
func (b *atomicBalls) arg(m *machine, l int) ball.Ball {
	o := b.args[len(b.args)-1]
	if o.has {
		row := m.look(o.at)
		if x := row[min(l, len(row)-1)]; !m.p.rewritten {
			return x
		} else {
			return x.Leaf()
		}
	}
	x := m.number(o.at, o.typ, l)
	if o.typ == ir.F32 {
		return ball.Of(x)
	}
	return ball.Ball{X: x}
}

// apply is what an operation leaves in a cell, and what it returns.
func (b *atomicBalls) apply(m *machine, cell *ball.Ball, old, arg ball.Ball) (left, got ball.Ball) {
	integer := func(x ball.Ball) ball.Ball {
		if !(math.Abs(x.X)+x.E < 1<<31) {
			return ball.Unknown(x.X)
		}
		return x
	}
	unordered := ball.Unknown(old.X)
	of, _ := intOf(b.in.From)
	switch {
	case analysis.SumsFloats(b.in):
		return m.addAtomically(cell, old, arg, b.in.Fn == "sub"), unordered
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
	}
	return unordered, unordered
}

// addAtomically adds a term to those of a cell.
func (m *machine) addAtomically(cell *ball.Ball, old, term ball.Ball, negative bool) ball.Ball {
	b := m.balls
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
func (b *atomicBalls) give(m *machine, l int, got ball.Ball) {
	for i, d := range b.dst {
		if b.exact.Depends(b.in.Dst[i]) {
			row := m.row(d.slot)
			row[min(l, len(row)-1)] = got
		}
	}
}

// loadedAtomically gives results that every device has their values.
func (c *compiler) loadedAtomically(in *ir.Instr, dst []destination) op {
	return func(m *machine) {
		for i, d := range dst {
			if !c.p.exact.Depends(in.Dst[i]) {
				continue
			}
			row := m.row(d.slot)
			for l, on := range m.rowMask(row) {
				if on != 0 && l < len(row) && row[l].None() {
					row[l] = ball.Ball{X: m.number(d.slot, c.typ(in.Dst[i]), l)}
				}
			}
			m.doubtRow(row)
		}
	}
}
