package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// A compared exchange that is tried again until it succeeds is one update of its element for each thread. The threads
// of a threadgroup contend for it as on a device: a thread that fails gets the ball of the element, computes anew and
// tries again. An exchange also fails if the bits are those expected and the exact values are not, such as after a term
// that rounding has swallowed: Metal's only compared exchange is the weak one, which may fail at any time. So each
// update is that of the exact value that the one before has left.
//
// Other devices update in other orders. Where an update picks one of two values, every order ends with the same. Any
// other is taken for a sum: its term is what it changes the element by, and the bound is that of a sum of all terms in
// any order, or that of this order if it is larger.

// exchangeBalls is a compared exchange on balls.
type exchangeBalls struct {
	atomicBalls
	retry   ir.Retry
	retried bool
}

// exchangeRoom is what a machine keeps of a compared exchange.
type exchangeRoom struct {
	expected, desired []ball.Ball // by lane
	found             []ball.Ball // by lane: what its last failure has told it; unknown after a success
	held              ball.Ball   // of the element, before the exchange
}

// room is what the machine keeps of the exchange.
func (e *exchangeBalls) room(m *machine.Machine) *exchangeRoom {
	b := BallsOf(m)
	r := b.exchanges[e.in]
	if r == nil {
		row := func() []ball.Ball { return make([]ball.Ball, cap(m.Mask)) }
		r = &exchangeRoom{expected: row(), desired: row(), found: row()}
		for l := range r.found {
			r.found[l] = ball.Unknown(math.NaN())
		}
		if b.exchanges == nil {
			b.exchanges = map[*ir.Instr]*exchangeRoom{}
		}
		b.exchanges[e.in] = r
	}
	return r
}

// retriesOf are the compared exchanges of the kernel that are tried again.
func (x *Exactness) retriesOf(k *ir.Kernel) map[*ir.Instr]ir.Retry {
	if x.retries == nil {
		x.retries = ir.Retries(k)
	}
	return x.retries
}

// compileExchange compiles a compared exchange.
func compileExchange(c *codegen.Compiler, b *atomicBalls) {
	e := &exchangeBalls{atomicBalls: *b}
	e.retry, e.retried = b.exact.retriesOf(c.P.Kernel)[b.in]
	c.Do(func(m *machine.Machine) { e.begin(m) })
	c.Contention = e
	c.Value(b.in)
	c.Contention = nil
	e.dst = destinations(c, b.in)
	c.Do(func(m *machine.Machine) {
		for i, d := range e.dst {
			if e.exact.Depends(e.in.Dst[i]) {
				copyActive(m, target(m, d), [...][]ball.Ball{BallsOf(m).spare, BallsOf(m).scratch}[i])
			}
		}
	})
}

// begin keeps what the lanes expect and want to store: results may go to the registers of operands.
func (e *exchangeBalls) begin(m *machine.Machine) {
	if t := BallsOf(m).Recorder; t != nil {
		t.Store(m, e.in, &e.args[1], t.Places(m, e.access, 0, nil), 0)
	}
	r := e.room(m)
	for l, on := range m.Mask {
		if on != 0 {
			r.expected[l], r.desired[l] = e.operand(m, 0, l), e.operand(m, 1, l)
		}
	}
}

// Refuses lets an exchange fail whose element has the bits that are expected, and another exact value. A thread that
// was told of that value already does not ask for what it was told.
func (e *exchangeBalls) Refuses(m *machine.Machine, l int, mem *machine.Memory, off int64) bool {
	at := entry{lane: l, mem: mem, off: off, from: e.in.From}
	r := e.room(m)
	_, r.held = at.contents(m)
	return e.retried && !e.doubtful(m, l) && !alikeBalls(r.held, r.expected[l]) && !alikeBalls(r.held, r.found[l])
}

// Exchanged gives the element and the results their balls.
func (e *exchangeBalls) Exchanged(m *machine.Machine, l int, mem *machine.Memory, off int64, swapped bool) {
	b, r := BallsOf(m), e.room(m)
	success, found := &b.spare[l], &b.scratch[l]
	*success, *found = ball.Ball{}, ball.Unknown(r.held.X)
	if swapped {
		success.X = 1
	}
	doubtful := e.doubtful(m, l)
	cell := cellAt(m, mem, off, l)
	if swapped && cell != nil {
		left := r.desired[l]
		switch {
		case doubtful || e.sampled(m) && left.E != 0 || !e.retried || !alikeBalls(r.held, r.expected[l]):
			left = ball.Unknown(left.X)
		case !e.retry.Picks:
			left = e.summed(m, cell, r.held, left)
		}
		holdAt(m, mem, off, l, e.in.From, left)
	}
	switch {
	case !e.retried || doubtful:
		success.E = 1
	case !swapped:
		*found = r.held
	}
	r.found[l] = *found
}

// doubtful reports whether another device may have the exchange of a lane elsewhere, or not at all.
func (e *exchangeBalls) doubtful(m *machine.Machine, l int) bool {
	b := BallsOf(m)
	return e.access.uncertain(m, l) || b.anyUncertain && b.uncertain[l] != 0
}

// summed is what an update leaves, as far as all orders of the updates are concerned.
func (e *exchangeBalls) summed(m *machine.Machine, cell *ball.Ball, was, left ball.Ball) ball.Ball {
	now := left
	if e.in.From == ir.U32 && e.retry.Floats {
		was, now = ball.FromBits(was, nil), ball.FromBits(now, nil)
	} else if e.in.From != ir.R32 {
		return left
	}
	if !was.Known() || !now.Known() || !finite(was.X) || !finite(now.X) {
		return left
	}
	term := ball.Ball{X: now.X - was.X, E: math.Max(0, now.E-was.E)}
	sum := addAtomically(m, cell, was, term, false)
	if now.E = math.Max(now.E, sum.E); e.in.From == ir.U32 {
		now = ball.Bits(now, nil)
	}
	BallsOf(m).sums[cell].left = now
	return now
}

// alikeBalls reports whether two balls have the same exact value and bound.
func alikeBalls(a, b ball.Ball) bool {
	return math.Float64bits(a.X+0) == math.Float64bits(b.X+0) && a.E == b.E && a.L == b.L
}

// finite reports whether a number is neither infinite nor a NaN.
func finite(x float64) bool { return x-x == 0 }
