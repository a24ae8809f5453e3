package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// weightLoop is a loop around one that adds weighted runs to the rows of a private array, where the weight is that of
// the lane whose number the turn has, and the runs of a turn lie a distance behind those of the one before:
//
//	for (j = first; j < limit; j++) {
//	    float w = simd_broadcast(weights, j);
//	    for (c = 0; c * step + lane < end; c++) rows[c] += w * (base + j * stride)[c * step + lane];
//	}
//
// All turns that every lane takes are a sum of weighted rows for each row of the array. The loop itself does the
// others, and what is uncommon or can fault.
type weightLoop struct {
	loop    node
	body    list // of the loop: what finds the runs, and adds
	adds    *addLoop
	counter int     // uniform register
	limit   operand // slot, with the same number in all lanes of a simdgroup, or uniform register
	signed  bool    // the comparison
	weights int     // slot
	cost    int64
	count   turns
}

func (n *weightLoop) run(m *machine) bool {
	return n.all(m) || n.loop.run(m)
}

// all does the turns that every lane takes, and reports whether none is left.
func (n *weightLoop) all(m *machine) (done bool) {
	first := m.uni32[n.counter]
	turns, last := n.turns(m, first)
	if turns == 0 || !m.whole || m.n < m.stride || m.n%Simdgroup != 0 {
		return false
	}
	var s sums
	ok := n.find(m, &s, turns)
	m.uni32[n.counter] = first
	cost := int64(turns) * (n.cost + int64(s.rows)*n.adds.loop.cost)
	if !ok || cost > m.steps {
		return false
	}
	s.add(m, m.slots[n.weights][first:], turns)
	m.uni32[n.counter] = first + uint32(turns)
	n.take(m, turns, s.rows)
	m.steps -= cost
	m.executed++
	if last {
		m.take(n.count.head, 1)
	}
	return last
}

// turns is how many every lane takes that have a lane's number, and whether none takes another one.
func (n *weightLoop) turns(m *machine, first uint32) (turns int, last bool) {
	limits := m.operand(&n.limit)
	least, most := uint32(Simdgroup), uint32(0)
	for l := 0; l < len(limits); l += Simdgroup {
		limit := limits[l]
		if n.signed && int32(limit) < 0 {
			limit = 0
		}
		least, most = min(least, limit), max(most, limit)
	}
	if first >= least {
		return 0, false
	}
	return int(least - first), most == least
}

// take counts so many turns, each with so many of the loop within.
func (n *weightLoop) take(m *machine, turns, rows int) {
	inner := &n.adds.loop.turns
	m.take(n.count.head, turns)
	m.take(n.count.body, turns)
	m.take(n.count.post, turns)
	m.take(inner.head, turns*(rows+1))
	m.take(inner.body, turns*rows)
	m.take(inner.post, turns*rows)
}

// sums are what is added to some rows of an array.
type sums struct {
	words       []uint32
	first       [MaxThreads / Simdgroup]uint32 // of each simdgroup: where its run for the first row and turn begins
	array       []uint32                       // from the first row on
	rows        int
	step, apart int // from the run of a row to that of the next, and from turn to turn
}

// find finds that for so many turns, and leaves the counter anywhere. ok is false unless every lane adds to all rows, and all
// runs exist.
func (n *weightLoop) find(m *machine, s *sums, turns int) (ok bool) {
	a, last := n.adds, false
	n.body[0].run(m)
	if s.rows, last = a.turns(m); !last {
		return false
	}
	at := wordIndex(m.uni32[a.counter], a.rows.signed) + a.rows.shift
	if at < 0 || at > int64(a.rows.size-s.rows) {
		return false
	}
	s.array, s.step = m.private[(a.rows.first+int(at))*m.stride:], int(m.uni32[a.step])
	heads := m.heads()
	reach := int64(s.rows-1) * int64(s.step)
	mem, ok := n.locate(m, s.first[:heads], reach)
	if !ok {
		return false
	}
	if s.words = mem.words; turns == 1 {
		return true
	}
	m.uni32[n.counter]++
	n.body[0].run(m)
	next := m.runsFrom[:heads]
	if _, ok = n.locate(m, next, reach); !ok {
		return false
	}
	s.apart = int(next[0]) - int(s.first[0])
	room := int64(len(mem.words)-Simdgroup) - int64(turns-1)*int64(s.apart) - reach
	for g, from := range s.first[:heads] {
		if int(next[g])-int(from) != s.apart || int64(from) > room {
			return false
		}
	}
	return s.apart >= 0
}

// locate finds where the runs of a turn begin, which go on for so many words.
func (n *weightLoop) locate(m *machine, first []uint32, reach int64) (*memory, bool) {
	a := n.adds
	return a.from.runsOf(m, first, reach, m.slots[a.lane], m.uni32[a.counter]*m.uni32[a.step])
}

// add does so many turns. The weights of each simdgroup begin Simdgroup words behind those of the one before.
func (s *sums) add(m *machine, weights []uint32, turns int) {
	for g, from := range s.first[:m.heads()] {
		t := weights[g*Simdgroup:][:turns]
		for k := range s.rows {
			row := s.array[k*m.stride+g*Simdgroup:][:Simdgroup]
			m.p.table.DotRows(row, s.words[int(from)+k*s.step:], s.apart, t)
		}
	}
}

// weightLoop recognises such a loop, n, whose body is compiled, or gives nil.
func (c *compiler) weightLoop(n *ir.Loop, loop node, body list, cost int64, count turns) *weightLoop {
	test, step := onlyInstr(n.Head), onlyInstr(n.Post)
	_, nodes := tallies(n.Body)
	if !c.does(passWeightLoop) || c.p.exact != nil || len(body) != 2 || len(nodes) < 2 || test == nil || step == nil || test.Op != ir.ULt && test.Op != ir.SLt || step.Op != ir.Add {
		return nil
	}
	place, _ := body[0].(straight)
	adds, _ := body[1].(*addLoop)
	inner, _ := nodes[len(nodes)-1].(*ir.Loop)
	counter, limit := test.Args[0], test.Args[1]
	one := c.p.kernel.Regs[step.Args[1]]
	if place == nil || adds == nil || inner == nil || test.Dst[0] != n.Cond || step.Dst[0] != counter || step.Args[0] != counter || one.Kind != ir.Literal || one.Bits != 1 ||
		!c.uniform(counter) || c.simdgroup.Varying(limit) || ir.Sets(n.Body, counter) || ir.Sets(n.Body, limit) || c.outlives(n) {
		return nil
	}
	w := &weightLoop{loop: loop, body: body, adds: adds, signed: test.Op == ir.SLt, cost: cost, count: count}
	if !w.places(c, nodes[:len(nodes)-1], counter, inner) {
		return nil
	}
	w.counter, w.limit = c.p.slots[counter].index, operand{at: c.p.slots[limit].index}
	if c.uniform(limit) {
		w.limit.kind = isUniform
	}
	return w
}

// places reports whether all that instructions in front of a loop do is to broadcast the weight, to set the loop's counter and
// to find a place that moves by the same distance from turn to turn.
func (w *weightLoop) places(c *compiler, nodes []ir.Node, counter ir.Reg, inner *ir.Loop) bool {
	within := func(r ir.Reg) bool { return ir.Sets(nodes, r) }
	moves, numbers := map[ir.Reg]bool{counter: true}, []ir.Reg{counter}
	own, begun := onlyInstr(inner.Post).Dst[0], false
	w.weights = -1
	for _, node := range nodes {
		in, ok := node.(*ir.Instr)
		if !ok || len(in.Dst) != 1 {
			return false
		}
		d, moving := in.Dst[0], 0
		for _, r := range in.Args {
			moving += int(lane(moves[r]) & 1)
		}
		switch {
		case in.Op == ir.Simd && c.p.slots[d].index == w.adds.weight && w.broadcasts(c, in, numbers) && !within(in.Args[0]):
			moves[d] = true
		case !moveOrSum(in) || c.changeable(d) && (d != own || in.Op != ir.Copy || within(in.Args[0])):
			return false
		case d == own && moving == 0:
			begun = true
		case moving == 0:
		case in.Op == ir.Convert && in.Args[0] == counter && in.From.Size() == 4 && in.To.Size() == 2: // the number of a lane
			moves[d], numbers = true, append(numbers, d)
		case in.Op == ir.Convert && in.Args[0] == counter && extension(in, w.signed), !c.typ(d).IsFloat() && linear(in.Op, moving):
			moves[d] = true
		default:
			return false
		}
	}
	_, head := tallies(inner.Head)
	return begun && w.weights >= 0 && !slices.ContainsFunc(head, func(node ir.Node) bool {
		return slices.ContainsFunc(node.(*ir.Instr).Args, func(r ir.Reg) bool { return r != own && within(r) })
	})
}

// broadcasts reports whether an instruction gives all lanes the value of the one with such a number, and notes where it is.
func (w *weightLoop) broadcasts(c *compiler, in *ir.Instr, numbers []ir.Reg) bool {
	if in.Fn != "simd_broadcast" && in.Fn != "simd_shuffle" || !slices.Contains(numbers, in.Args[1]) || c.uniform(in.Args[0]) {
		return false
	}
	w.weights = c.p.slots[in.Args[0]].index
	return true
}

// moveOrSum reports whether an instruction copies, extends, adds or multiplies, none of which can fail.
func moveOrSum(in *ir.Instr) bool {
	switch in.Op {
	case ir.Copy, ir.Add, ir.Sub, ir.Mul, ir.PtrAdd:
		return true
	case ir.Convert:
		_, from := intOf(in.From)
		_, to := intOf(in.To)
		return from && to
	}
	return false
}
