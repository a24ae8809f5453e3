package simt

import "metalconform/metalrun/internal/ball"

// exactSearch is a search whose comparisons other devices may decide otherwise, or whose index has a ball.
type exactSearch struct {
	*soloSearch
	exact         bool // the elements have balls
	known         bool // so has the index
	element, held bool // the arrays may hold balls
}

// Search says how a search goes where registers have balls.
func (s *exactSolo) Search(q *soloSearch, of *searchedRegisters) (SearchExtension, bool) {
	x := &exactSearch{soloSearch: q, exact: s.has(of.compared), known: s.has(of.best), element: s.x.Of(of.elementAt).Depends, held: s.x.Of(of.heldAt).Depends}
	if s.has(of.counter) || s.has(of.limit) || x.exact && !(s.has(of.element) && s.has(of.held)) {
		return nil, false
	}
	if !x.exact && !x.known {
		return nil, true
	}
	return x, true
}

// Suits reports whether iterations can be done at once.
func (x *exactSearch) Suits(m *machine) bool {
	b := ballsOf(m)
	return !x.exact || !(b.doubtful || x.known && b.aloneBalls[x.best].E != 0)
}

// Found gives the index its ball.
func (x *exactSearch) Found(m *machine, found int) {
	if x.known {
		ballsOf(m).aloneBalls[x.best] = soloExact{ball.Ball{X: float64(int32(found))}, true}
	}
}

// Run does iterations up to the first in which devices may decide otherwise.
func (x *exactSearch) Run(m *machine, from, end, best int) (at, found, changes int) {
	if !x.exact {
		return x.plain(m, from, end, best)
	}
	q := x.soloSearch
	held, heldBall := q.held.exactly(m, best, x.held)
	for i := from; i < end; i++ {
		element, b := q.element.exactly(m, i, x.element)
		if !ball.Apart(b, heldBall) {
			return i, best, changes
		}
		if q.holds(element, held) {
			best, changes = i, changes+1
			held, heldBall = q.held.exactly(m, best, x.held)
		}
	}
	return end, best, changes
}

// exactly is an element and its ball, where the array may hold balls.
func (a soloArray) exactly(m *machine, i int, holds bool) (x float32, b ball.Ball) {
	k := (a.first + i) * m.stride
	if x = f32frombits(m.private[k]); holds {
		b = ballsOf(m).private[k]
	}
	if b.None() {
		b = ball.Of(float64(x))
	}
	return x, b
}
