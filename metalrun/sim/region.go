package sim

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt"
)

// region is what threads go through without a jump in what a compiler makes of the source: a
// run, or a turn of a loop, whose condition it moves after the body. What is after a
// condition does not wait for it there.
type region struct {
	parts       []part
	main        int // of the parts, the one that tells how often threads come by
	bodies      int // of a loop that stand in a row
	joined      bool
	independent bool // bodies wait for each other by nothing but what they carry over
}

// part is a run of a stretch.
type part struct {
	number int // of the run
	run    simt.Run
	shared bool   // by bodies in a row: a condition or a step
	guard  ir.Reg // the innermost condition of the stretch that it is after
}

// question is whether at least half as many simdgroups take one run as take another, both by their numbers; -1 is
// a run that none takes.
type question struct {
	run, of int
	yes     bool
}

// mostly answers it for what a launch has counted.
func (q question) mostly(counts []simt.Counted) bool {
	simdgroups := func(run int) int64 {
		if run < 0 {
			return 0
		}
		return counts[run].Simdgroups
	}
	return 2*simdgroups(q.run) >= simdgroups(q.of)
}

// regions puts the runs of a kernel together, as far as simdgroups come to them; the same answers to
// the questions give the same.
func regions(k *ir.Kernel, counts []simt.Counted) ([]region, []question) {
	g := &gatherer{k: k, counts: counts, left: map[*ir.Instr]int{}}
	for i, c := range counts {
		if len(c.Run) > 0 {
			g.left[c.Run[0]] = i
		}
	}
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, ok := n.(*ir.Loop); ok {
			g.iteration(l)
		}
		return true
	})
	g.level(k.Body)
	return g.list, g.questions
}

// gatherer takes runs that are left and puts them into stretches.
type gatherer struct {
	k         *ir.Kernel
	counts    []simt.Counted
	left      map[*ir.Instr]int // number of a run by its first instruction
	list      []region
	questions []question
}

// iteration takes a turn of a loop: all of it if the body is straight, and otherwise what comes before
// its first jump and what comes after the last.
func (g *gatherer) iteration(l *ir.Loop) {
	bodies := max(1, analysis.UnrolledBodies(g.k, l))
	s := region{bodies: bodies, joined: true, independent: analysis.IndependentIterations(g.k, l)}
	if analysis.Straight(l.Head) {
		g.take(&s, l.Head, true, ir.None)
	}
	g.take(&s, beginning(l.Body), false, ir.None)
	if !analysis.Straight(l.Body) {
		g.add(s)
		s = region{bodies: bodies}
		g.take(&s, end(l.Body), false, ir.None)
	}
	if analysis.Straight(l.Post) {
		g.take(&s, l.Post, true, ir.None)
	}
	g.add(s)
}

// level takes what is left of nodes and of what is in them.
func (g *gatherer) level(nodes []ir.Node) {
	for len(nodes) > 0 {
		s := region{bodies: 1}
		first := beginning(nodes)
		g.take(&s, first, false, ir.None)
		g.add(s)
		for _, n := range first {
			g.within(n)
		}
		if nodes = nodes[len(first):]; len(nodes) > 0 {
			g.within(nodes[0])
			nodes = nodes[1:]
		}
	}
}

func (g *gatherer) within(n ir.Node) {
	for _, part := range ir.Parts(n) {
		g.level(*part)
	}
}

func (g *gatherer) add(s region) {
	if len(s.parts) == 0 {
		return
	}
	main := slices.IndexFunc(s.parts, func(p part) bool { return !p.shared && p.guard == ir.None })
	if main < 0 {
		main = slices.IndexFunc(s.parts, func(p part) bool { return !p.shared })
	}
	s.main = max(0, main)
	g.list = append(g.list, s)
}

// take adds the runs of straight nodes to a stretch. An arm that most simdgroups do without is
// none of them: they jump over it.
func (g *gatherer) take(s *region, nodes []ir.Node, shared bool, guard ir.Reg) {
	last := -1 // run by which simdgroups come
	within := false
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			if run, ok := g.left[n]; ok && !within {
				delete(g.left, n)
				s.parts = append(s.parts, part{run, g.counts[run].Run, shared, guard})
				last = run
			}
			within = true
			continue
		case *ir.If:
			for _, arm := range [][]ir.Node{n.Then, n.Else} {
				if g.mostly(arm, last) {
					g.take(s, arm, shared, n.Cond)
				}
			}
		case *ir.Block:
			g.take(s, n.Body, shared, guard)
		}
		within = false
	}
}

// mostly asks whether at least half of the simdgroups that take a run take the first that is left of nodes.
func (g *gatherer) mostly(nodes []ir.Node, of int) bool {
	q := question{run: -1, of: of}
	for in := range ir.Instrs(nodes...) {
		if run, ok := g.left[in]; ok {
			q.run = run
			break
		}
	}
	q.yes = q.mostly(g.counts)
	g.questions = append(g.questions, q)
	return q.yes
}

// beginning is the nodes before the first jump.
func beginning(nodes []ir.Node) []ir.Node {
	if i := slices.IndexFunc(nodes, jumps); i >= 0 {
		return nodes[:i]
	}
	return nodes
}

// end is the nodes after the last jump.
func end(nodes []ir.Node) []ir.Node {
	for i, n := range slices.Backward(nodes) {
		if jumps(n) {
			return nodes[i+1:]
		}
	}
	return nodes
}

func jumps(n ir.Node) bool { return !analysis.Straight([]ir.Node{n}) }

// counters are the variables that count the turns of loops of which bodies stand in a row;
// known are those that are literals in each body, because nothing else is left of the loop.
func counters(k *ir.Kernel) (all, known map[ir.Reg]bool) {
	all, known = map[ir.Reg]bool{}, map[ir.Reg]bool{}
	ir.Walk(k.Body, func(n ir.Node) bool {
		l, ok := n.(*ir.Loop)
		if !ok {
			return true
		}
		bodies := analysis.UnrolledBodies(k, l)
		for in := range ir.Instrs(l.Post...) {
			if bodies > 1 && in.Op == ir.Add && in.Args[0] == in.Dst[0] && k.Regs[in.Args[1]].Kind == ir.Literal &&
				!sets(l.Body, in.Dst[0]) {
				all[in.Dst[0]] = true
				known[in.Dst[0]] = bodies == analysis.TripCount(k, l)
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
