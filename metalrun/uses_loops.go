package metalrun

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// endingLoops reports whether each loop of a kernel counts: a variable moves by a step in one direction, up to an end
// that the loop's body does not move. Such a kernel ends, however long that takes.
func endingLoops(k *ir.Kernel) bool {
	ends := true
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, is := n.(*ir.Loop); is && !counts(k, l) {
			ends = false
		}
		return ends
	})
	return ends
}

// counts reports whether a loop does. One that goes down to zero has to stop there: unsigned numbers are never less.
func counts(k *ir.Kernel, l *ir.Loop) bool {
	if len(l.Head) == 0 || l.Cond == ir.None {
		return false
	}
	test, is := l.Head[len(l.Head)-1].(*ir.Instr)
	if !is || len(test.Args) != 2 {
		return false
	}
	strict := test.Op == ir.ULt || test.Op == ir.SLt || test.Op == ir.SLe
	if !strict && test.Op != ir.ULe {
		return false
	}
	up, down := test.Args[0], test.Args[1]
	return steps(k, l, up, true) && !moves(l, down) || strict && steps(k, l, down, false) && !moves(l, up)
}

// steps reports whether a variable of a loop moves up, or down, after each iteration, and in no other way.
func steps(k *ir.Kernel, l *ir.Loop, v ir.Reg, up bool) bool {
	if k.Regs[v].Kind != ir.Variable || sets(v, slices.Concat(l.Head, l.Body)) > 0 || sets(v, l.Post) != 1 {
		return false
	}
	i := slices.IndexFunc(l.Post, func(n ir.Node) bool {
		in, is := n.(*ir.Instr)
		return is && slices.Contains(in.Dst, v)
	})
	if i < 0 {
		return false // under a condition
	}
	in := l.Post[i].(*ir.Instr)
	if in.Op == ir.Copy {
		made := slices.IndexFunc(l.Post[:i], func(n ir.Node) bool {
			from, is := n.(*ir.Instr)
			return is && slices.Contains(from.Dst, in.Args[0])
		})
		if made < 0 {
			return false
		}
		in = l.Post[made].(*ir.Instr)
	}
	if len(in.Args) != 2 || in.Args[0] != v || sets(in.Args[1], slices.Concat(l.Head, l.Body, l.Post)) > 0 {
		return false
	}
	by := k.Regs[in.Args[1]]
	if by.Kind != ir.Literal {
		return up && in.Op == ir.Add
	}
	n := int32(by.Bits)
	switch in.Op {
	case ir.Add:
		return n != 0 && n > 0 == up
	case ir.Sub:
		return n != 0 && n < 0 == up
	case ir.Shl, ir.Mul:
		return up && n > 0
	case ir.LShr, ir.AShr, ir.UDiv, ir.SDiv:
		return !up && n > 0
	}
	return false
}

// moves reports whether a loop's body sets a register, or what it has after an iteration does. What the head computes
// anew each time is as good as the end of a loop.
func moves(l *ir.Loop, r ir.Reg) bool { return sets(r, slices.Concat(l.Body, l.Post)) > 0 }

// sets is how many instructions set a register.
func sets(r ir.Reg, nodes []ir.Node) (n int) {
	for in := range ir.Instrs(nodes...) {
		if slices.Contains(in.Dst, r) {
			n++
		}
	}
	return n
}
