package sim

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
)

// stretch is what threads go through without a jump in what a compiler makes of the source: a
// run, or a turn of a loop, whose condition it moves behind the body. What is behind a
// condition does not wait for it there.
type stretch struct {
	parts       []part
	main        int // of the parts, the one that tells how often threads come by
	bodies      int // of a loop that stand in a row
	joined      bool
	independent bool // bodies wait for each other by nothing but what they carry over
}

// part is a run of a stretch.
type part struct {
	simt.Counted
	shared bool // by bodies in a row: a condition or a step
}

// stretches puts the runs of a kernel together.
func stretches(k *ir.Kernel, counts []simt.Counted) (list []stretch) {
	left := map[*ir.Instr]simt.Counted{}
	for _, c := range counts {
		if len(c.Run) > 0 {
			left[c.Run[0]] = c
		}
	}
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, ok := n.(*ir.Loop); ok {
			list = append(list, turn(k, l, left)...)
		}
		return true
	})
	for _, c := range counts {
		if len(c.Run) > 0 && left[c.Run[0]].Run != nil {
			list = append(list, stretch{parts: []part{{Counted: c}}, bodies: 1})
		}
	}
	return list
}

// turn takes a turn of a loop out of the runs that are left: all of it if the body is straight, and
// otherwise what comes before its first branch and what comes after the last.
func turn(k *ir.Kernel, l *ir.Loop, left map[*ir.Instr]simt.Counted) (list []stretch) {
	bodies := max(1, k.Bodies(l))
	s := stretch{bodies: bodies, joined: true, independent: ir.Independent(l)}
	take := func(nodes []ir.Node, shared bool) bool {
		if len(nodes) == 0 {
			return false
		}
		in := nodes[0].(*ir.Instr)
		c, ok := left[in]
		delete(left, in)
		if ok {
			s.parts = append(s.parts, part{c, shared})
		}
		return ok
	}
	first, last := beginning(l.Body), end(l.Body)
	if straight(l.Head) && take(l.Head, true) && len(first) > 0 {
		s.main = 1
	}
	take(first, false)
	if !straight(l.Body) {
		if len(s.parts) > 0 {
			list = append(list, s)
		}
		s = stretch{bodies: bodies}
		take(last, false)
	}
	if straight(l.Post) {
		take(l.Post, true)
	}
	if len(s.parts) > 0 {
		list = append(list, s)
	}
	return list
}

func straight(nodes []ir.Node) bool { return len(beginning(nodes)) == len(nodes) }

// beginning is the instructions before the first branch.
func beginning(nodes []ir.Node) []ir.Node {
	if i := slices.IndexFunc(nodes, branches); i >= 0 {
		return nodes[:i]
	}
	return nodes
}

// end is the instructions behind the last branch.
func end(nodes []ir.Node) []ir.Node {
	for i, n := range slices.Backward(nodes) {
		if branches(n) {
			return nodes[i+1:]
		}
	}
	return nodes
}

func branches(n ir.Node) bool {
	_, ok := n.(*ir.Instr)
	return !ok
}

// counters are the variables that count the turns of loops of which bodies stand in a row;
// known are those that are literals in each body, because nothing else is left of the loop.
func counters(k *ir.Kernel) (all, known map[ir.Reg]bool) {
	all, known = map[ir.Reg]bool{}, map[ir.Reg]bool{}
	ir.Walk(k.Body, func(n ir.Node) bool {
		l, ok := n.(*ir.Loop)
		if !ok {
			return true
		}
		bodies := k.Bodies(l)
		for in := range ir.Instrs(l.Post...) {
			if bodies > 1 && in.Op == ir.Add && in.Args[0] == in.Dst[0] && k.Regs[in.Args[1]].Kind == ir.Literal && !sets(l.Body, in.Dst[0]) {
				all[in.Dst[0]] = true
				known[in.Dst[0]] = bodies == k.Turns(l)
			}
		}
		return true
	})
	return all, known
}

func sets(nodes []ir.Node, r ir.Reg) bool {
	for in := range ir.Instrs(nodes...) {
		if slices.Contains(in.Dst, r) {
			return true
		}
	}
	return false
}

// follows reports whether an operation on integers that differ by the same from body to body gives
// such integers, which an address takes in.
func follows(k *ir.Kernel, in *ir.Instr, of func(ir.Reg) (stepped, constant bool)) bool {
	if len(in.Dst) != 1 || k.Regs[in.Dst[0]].Kind != ir.Temp || k.Regs[in.Dst[0]].Type.IsFloat() {
		return false
	}
	varying := 0
	for _, r := range in.Args {
		stepped, constant := of(r)
		if !stepped && !constant {
			return false
		}
		if stepped && !constant {
			varying++
		}
	}
	switch in.Op {
	case ir.Add, ir.Sub, ir.Convert, ir.PtrAdd:
		return varying > 0
	case ir.Mul:
		return varying == 1
	case ir.Shl:
		_, constant := of(in.Args[1])
		return varying == 1 && constant
	}
	return false
}
