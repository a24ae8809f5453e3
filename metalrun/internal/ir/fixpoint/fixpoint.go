// Package fixpoint repeats passes over facts until no pass changes any.
//
// A fact is an element of a lattice of finite height: whether a register varies, the set of objects that a pointer
// may lead to. A pass applies the transfer function of every instruction, in the order of the source, to the facts as
// they are by then (chaotic iteration). If the transfer functions are monotone and every change moves a fact in one
// direction, the result is the least fixpoint above the first facts, or the greatest one below them, in whichever
// order the instructions are visited. Iteration ends because each pass except the last one moves at least one fact, and
// a fact moves at most as often as its lattice is high.
//
// The order of the source needs few passes: without loops a fact reaches all that depends on it within one pass, and
// each level of nested loops adds about one. Therefore there is no list of work to be done, which would need the users
// of every register.
//
// Invariant: a pass changes facts by the functions of this package alone, or calls [Pass.Change].
//
// The rule of the layer: this package knows nothing of the facts and imports nothing of this module.
package fixpoint

// Pass is what the passes of one iteration have changed.
type Pass struct{ changed bool }

// Iterate repeats pass until it changes nothing.
func Iterate(pass func(p *Pass)) {
	for p := (&Pass{changed: true}); p.changed; {
		p.changed = false
		pass(p)
	}
}

// Change says that the pass has changed a fact.
func (p *Pass) Change() { p.changed = true }

// Raise makes a fact true, and reports whether it was false.
func (p *Pass) Raise(fact *bool) bool { return Move(p, fact, true) }

// Lower makes a fact false, and reports whether it was true.
func (p *Pass) Lower(fact *bool) bool { return Move(p, fact, false) }

// Move gives a fact another value, and reports whether it had a different one.
func Move[F comparable](p *Pass, fact *F, to F) bool {
	if *fact == to {
		return false
	}
	*fact = to
	p.changed = true
	return true
}

// MoveIn gives the fact of a key another value, and reports whether it had a different one. A key without a fact has
// the zero value.
func MoveIn[K, F comparable](p *Pass, facts map[K]F, key K, to F) bool {
	if facts[key] == to {
		return false
	}
	facts[key] = to
	p.changed = true
	return true
}
