package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// exactArgmin is an argmin loop whose comparisons other devices may decide otherwise, or whose index has a ball.
type exactArgmin struct {
	*machine.Argmin
	exact         bool // the elements have balls
	known         bool // the index has a ball
	element, held bool // the arrays may hold balls
}

// Argmin gives how an argmin loop runs whose registers have balls.
func (s *scalarExactness) Argmin(q *machine.Argmin, of *codegen.ArgminRegisters) (machine.ArgminExtension, bool) {
	x := &exactArgmin{Argmin: q, exact: s.has(of.Compared), known: s.has(of.Best),
		element: s.x.Of(of.ElementAt).Depends, held: s.x.Of(of.HeldAt).Depends}
	if s.has(of.Counter) || s.has(of.Limit) || x.exact && !(s.has(of.Element) && s.has(of.Held)) {
		return nil, false
	}
	if !x.exact && !x.known {
		return nil, true
	}
	return x, true
}

// Suits reports whether iterations can be done at once.
func (x *exactArgmin) Suits(m *machine.Machine) bool {
	b := BallsOf(m)
	return !x.exact || !(b.anyUncertain || x.known && b.scalars[x.Best].E != 0)
}

// Found gives the index its ball.
func (x *exactArgmin) Found(m *machine.Machine, found int) {
	if x.known {
		BallsOf(m).scalars[x.Best] = scalarBall{ball.Ball{X: float64(int32(found))}, true}
	}
}

// Run does the iterations up to the first one that another device may decide otherwise.
func (x *exactArgmin) Run(m *machine.Machine, from, end, best int) (at, found, changes int) {
	if !x.exact {
		return x.Plain(m, from, end, best)
	}
	q := x.Argmin
	held, heldBall := exactly(q.Held, m, best, x.held)
	for i := from; i < end; i++ {
		element, b := exactly(q.Element, m, i, x.element)
		if !ball.Apart(b, heldBall) {
			return i, best, changes
		}
		if q.Holds(element, held) {
			best, changes = i, changes+1
			held, heldBall = exactly(q.Held, m, best, x.held)
		}
	}
	return end, best, changes
}

// exactly is an element and its ball. holds says that the array may hold balls.
func exactly(a machine.PrivateArray, m *machine.Machine, i int, holds bool) (x float32, b ball.Ball) {
	k := (a.First + i) * m.Stride
	if x = machine.F32frombits(m.Private[k]); holds {
		b = BallsOf(m).private[k]
	}
	if b.None() {
		b = ball.Of(float64(x))
	}
	return x, b
}
