package sim

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt"
)

// region is a straight-line region of the code that a compiler makes of the source: a run, or an iteration of a loop
// whose condition is moved after the body. Instructions under a condition do not wait for it there.
type region struct {
	parts       []part
	main        int // index of the part that tells how often threads execute the region
	bodies      int // number of unrolled bodies of a loop
	joined      bool
	independent bool // unrolled bodies wait for each other only for carried values
}

// part is a run of a region.
type part struct {
	number int // of the run
	run    simt.Run
	shared bool   // by unrolled bodies: a condition or a step
	guard  ir.Reg // its innermost condition in the region
}

// question is whether at least half of the simdgroups that execute run of execute run. -1 is a run that none executes.
type question struct {
	run, of int
	yes     bool
}

// mostly answers the question for the counts of a launch.
func (q question) mostly(counts []simt.Counted) bool {
	simdgroups := func(run int) int64 {
		if run < 0 {
			return 0
		}
		return counts[run].Simdgroups
	}
	return 2*simdgroups(q.run) >= simdgroups(q.of)
}

// regions joins the runs of a kernel that simdgroups execute to regions. The same answers to the questions give the
// same regions.
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

// gatherer puts runs into regions. left are the runs that are in none yet.
type gatherer struct {
	k         *ir.Kernel
	counts    []simt.Counted
	left      map[*ir.Instr]int // number of a run by its first instruction
	list      []region
	questions []question
}

// iteration adds the regions of an iteration of a loop: one if the body is straight, otherwise one before its first
// jump and one after its last.
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

// level adds the remaining regions of nodes and of their parts.
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

// take adds the runs of straight nodes to a region, except arms that most simdgroups do not execute: they jump over
// them.
func (g *gatherer) take(s *region, nodes []ir.Node, shared bool, guard ir.Reg) {
	last := -1 // the run that the simdgroups executed last
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

// counters are the counters of unrolled loops. known are those that are literals in each body, because the loop is
// unrolled completely.
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

// follows reports whether an operation on integers that differ by a constant from body to body gives such integers,
// which an address can contain.
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
