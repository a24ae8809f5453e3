package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// What a compiler makes of loops decides how many registers a thread needs and which of its waits coincide. These are
// guesses at LLVM's defaults, for estimates alone. A loop whose trip count the compiler does not know stays as it is:
// times of GPUs show it.
const (
	unrollInstrs  = 300 // instructions up to which a loop with a known trip count is unrolled completely
	unrollAsked   = 8   // bodies where the source asks without a number, and the trip count is not known
	unrollLongest = 512 // largest trip count of a loop that is unrolled completely because the source asks
)

// UnrolledBodies is how many bodies of a loop a compiler is likely to put in a row.
func UnrolledBodies(k *ir.Kernel, l *ir.Loop) int {
	trips := TripCount(k, l)
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
	for range ir.Instrs(l.Body...) {
		size++
	}
	if Straight(l.Body) && !barred(l.Body) && trips > 0 && trips*size <= unrollInstrs {
		return trips
	}
	return 1
}

// IndependentIterations reports whether the iterations of a loop wait for each other by nothing except the values that
// they carry over: the body is straight, it writes no shared memory that it may read, and it uses no value under the
// condition under which it is loaded.
func IndependentIterations(k *ir.Kernel, l *ir.Loop) bool {
	if len(l.Body) == 0 || !Straight(l.Body) || barred(l.Body) || ir.Contains(l.Body, waitsWithin) {
		return false
	}
	var read, written []*ir.Mem
	for in := range ir.Instrs(l.Body...) {
		if in.Mem == nil || in.Mem.Space == syntax.Thread {
			continue
		}
		e := in.Op.Info().Effects
		if e.Has(ir.Reads) {
			read = append(read, in.Mem)
		}
		if e.Has(ir.Writes) {
			written = append(written, in.Mem)
		}
	}
	return !slices.ContainsFunc(written, func(w *ir.Mem) bool {
		return slices.ContainsFunc(read, func(r *ir.Mem) bool { return !Apart(k, w, r) })
	})
}

// waitsWithin reports whether a node has an arm that uses what is loaded there: a compiler moves nothing out of the
// arm, so that the thread waits for the load before the arm ends.
func waitsWithin(n ir.Node) bool {
	f, ok := n.(*ir.If)
	return ok && (usesLoaded(f.Then) || usesLoaded(f.Else))
}

func usesLoaded(nodes []ir.Node) bool {
	var loaded []ir.Reg
	for in := range ir.Instrs(nodes...) {
		if in.Op != ir.Copy && slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return slices.Contains(loaded, r) }) {
			return true
		}
		if in.Op == ir.Load && in.Mem.Space != syntax.Constant && in.Mem.Space != syntax.Thread {
			loaded = append(loaded, in.Dst...)
		}
	}
	return false
}

// Apart reports whether two accesses are known to be of different memory: buffers of a kernel do not overlap (MSL 5.2).
func Apart(k *ir.Kernel, a, b *ir.Mem) bool {
	if a.Space != b.Space {
		return true
	}
	whole := func(r ir.Reg) bool { return k.Regs[r].Kind == ir.Input || k.Regs[r].Kind == ir.Address }
	return a.Base != b.Base && whole(a.Base) && whole(b.Base)
}

// TripCount is how many iterations a loop makes that counts up to a literal, 0 for any other loop.
func TripCount(k *ir.Kernel, l *ir.Loop) int {
	if len(l.Head) == 0 || l.Cond == ir.None {
		return 0
	}
	test, ok := l.Head[len(l.Head)-1].(*ir.Instr)
	compares := ok && (test.Op == ir.ULt || test.Op == ir.SLt || test.Op == ir.ULe || test.Op == ir.SLe)
	if !compares || k.Regs[test.Args[1]].Kind != ir.Literal {
		return 0
	}
	count := int(int64(k.Regs[test.Args[1]].Bits))
	for _, n := range l.Post {
		in, ok := n.(*ir.Instr)
		if ok && in.Op == ir.Add && in.Dst[0] == test.Args[0] && k.Regs[in.Args[1]].Kind == ir.Literal {
			if step := int(int64(k.Regs[in.Args[1]].Bits)); step > 1 {
				count = (count + step - 1) / step
			}
		}
	}
	return max(count, 0)
}
