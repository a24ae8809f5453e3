package ir

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// What a compiler makes of loops decides how many registers a thread needs and which of its
// waits coincide. These are guesses at LLVM's defaults, for estimates alone. A loop of which
// the compiler does not know the number of turns stays as it is: times of GPUs show it.
const (
	unrollInstrs  = 300 // a loop of a known number of turns becomes that many bodies up to so many instructions
	unrollAsked   = 8   // bodies where the source asks without a number, and the turns are not known
	unrollLongest = 512 // turns that are taken apart
)

// Bodies is how many bodies of a loop a compiler is likely to put in a row.
func (k *Kernel) Bodies(l *Loop) int {
	trips := k.Turns(l)
	switch {
	case l.Unroll > 0 && trips > 0:
		return min(l.Unroll, trips)
	case l.Unroll > 0:
		return l.Unroll
	case l.Unroll == syntax.UnrollFully && trips > 0 && trips <= unrollLongest:
		return trips
	case l.Unroll == syntax.UnrollFully:
		return unrollAsked
	}
	size := 0
	for range Instrs(l.Body...) {
		size++
	}
	if Straight(l.Body) && !barred(l.Body) && trips > 0 && trips*size <= unrollInstrs {
		return trips
	}
	return 1
}

// Independent reports whether the turns of a loop wait for each other by nothing but what
// they carry over: its body is straight, writes no memory that it may read, but the thread's own, and
// nothing that it loads behind a condition is used there.
func (k *Kernel) Independent(l *Loop) bool {
	if len(l.Body) == 0 || !Straight(l.Body) || barred(l.Body) || Contains(l.Body, waitsWithin) {
		return false
	}
	var read, written []*Mem
	for in := range Instrs(l.Body...) {
		if in.Mem == nil || in.Mem.Space == syntax.Thread {
			continue
		}
		e := in.Op.Info().Effects
		if e.Has(Reads) {
			read = append(read, in.Mem)
		}
		if e.Has(Writes) {
			written = append(written, in.Mem)
		}
	}
	return !slices.ContainsFunc(written, func(w *Mem) bool {
		return slices.ContainsFunc(read, func(r *Mem) bool { return !k.Apart(w, r) })
	})
}

// waitsWithin reports whether a node has an arm that uses what is loaded there: a compiler moves nothing out
// of it, so that the load is waited for before the arm ends.
func waitsWithin(n Node) bool {
	f, ok := n.(*If)
	return ok && (usesLoaded(f.Then) || usesLoaded(f.Else))
}

func usesLoaded(nodes []Node) bool {
	var loaded []Reg
	for in := range Instrs(nodes...) {
		if in.Op != Copy && slices.ContainsFunc(in.Args, func(r Reg) bool { return slices.Contains(loaded, r) }) {
			return true
		}
		if in.Op == Load && in.Mem.Space != syntax.Constant && in.Mem.Space != syntax.Thread {
			loaded = append(loaded, in.Dst...)
		}
	}
	return false
}

// Apart reports whether two accesses are known to be of different memory: buffers of a kernel do not
// overlap (MSL 5.2).
func (k *Kernel) Apart(a, b *Mem) bool {
	if a.Space != b.Space {
		return true
	}
	whole := func(r Reg) bool { return k.Regs[r].Kind == Input || k.Regs[r].Kind == Address }
	return a.Base != b.Base && whole(a.Base) && whole(b.Base)
}

// Turns is the literal that a loop counts up to, 0 if it does something else.
func (k *Kernel) Turns(l *Loop) int {
	if len(l.Head) == 0 || l.Cond == None {
		return 0
	}
	test, ok := l.Head[len(l.Head)-1].(*Instr)
	if !ok || test.Op != ULt && test.Op != SLt && test.Op != ULe && test.Op != SLe || k.Regs[test.Args[1]].Kind != Literal {
		return 0
	}
	turns := int(int64(k.Regs[test.Args[1]].Bits))
	for _, n := range l.Post {
		if in, ok := n.(*Instr); ok && in.Op == Add && in.Dst[0] == test.Args[0] && k.Regs[in.Args[1]].Kind == Literal {
			if step := int(int64(k.Regs[in.Args[1]].Bits)); step > 1 {
				turns = (turns + step - 1) / step
			}
		}
	}
	return max(turns, 0)
}
