package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// A thread that is alone mostly searches: it goes through an array of its own for the index of the
// least or greatest element, turn by turn
//
//	if (x[i] < x[best]) best = i;
//
// Such turns are done at once, as long as they are ordinary: elements exist, steps are left, and all
// devices decide alike. Whatever is not is left to the loop as it was compiled.

// soloSearch is such a loop.
type SoloSearch struct {
	counter, limit, step, Best uint8
	Element, Held              SoloArray       // what the counter leads to, and what the best index does
	swapped                    bool            // the element of the best index is on the left
	orEqual                    bool            // equal ones count
	how                        SearchExtension // nil: there is none
	branch                     int             // of those whose outcomes are noted, or -1
	runs                       []int           // that are counted where the index is set
}

// soloArray is an array of the thread.
type SoloArray struct {
	First, size int
}

// search recognises a loop whose head, but for loads that are done before it, is given.
func (s *SoloCompiler) search(n *ir.Loop, head []ir.Node) *SoloSearch {
	_, body := tallies(n.Body)
	test, step, branch := OnlyInstr(head), OnlyInstr(n.Post), lastBranch(body)
	if !s.Does(passArgmin) || test == nil || step == nil || branch == nil || len(body) != 4 || test.Op != ir.ULt || test.Dst[0] != n.Cond ||
		step.Op != ir.Add || s.Typ(step.Dst[0]) != ir.I32 || step.Dst[0] != step.Args[0] || step.Dst[0] != test.Args[0] {
		return nil
	}
	set := OnlyInstr(branch.Then)
	first, second, compared := instrAt(body, 0), instrAt(body, 1), instrAt(body, 2)
	if set == nil || set.Op != ir.Copy || set.Args[0] != step.Dst[0] || first == nil || second == nil || compared == nil ||
		compared.Op != ir.FLt && compared.Op != ir.FLe || compared.Dst[0] != branch.Cond || s.reads[branch.Cond] != 1 ||
		ir.Sets(body, test.Args[1]) || ir.Sets(n.Post, test.Args[1]) || ir.Sets(body, step.Args[1]) || test.Args[1] == step.Dst[0] ||
		step.Args[1] == step.Dst[0] {
		return nil
	}
	q := &SoloSearch{counter: s.Register(step.Dst[0]), limit: s.Register(test.Args[1]), step: s.Register(step.Args[1]), Best: s.Register(set.Dst[0]),
		orEqual: compared.Op == ir.FLe, branch: -1}
	q.runs, _ = tallies(branch.Then)
	if first.Dst[0] == compared.Args[1] {
		first, second = second, first
	}
	if q.swapped = first.Mem != nil && first.Mem.Index == set.Dst[0]; q.swapped {
		first, second = second, first
	}
	ok := s.element(&q.Element, first, step.Dst[0]) && s.element(&q.Held, second, set.Dst[0])
	left, right := first.Dst[0], second.Dst[0]
	if q.swapped {
		left, right = right, left
	}
	if !ok || compared.Args[0] != left || compared.Args[1] != right || s.reads[left] != 1 || s.reads[right] != 1 || left == right {
		return nil
	}
	of := &SearchedRegisters{step.Dst[0], test.Args[1], set.Dst[0], branch.Cond, left, right, first.Mem, second.Mem}
	for _, x := range s.add {
		how, ok := x.Search(q, of)
		if !ok {
			return nil
		}
		if how != nil {
			q.how = how
		}
	}
	return q
}

// lastBranch is the branch of one arm that ends a list, or nil.
func lastBranch(nodes []ir.Node) *ir.If {
	if len(nodes) == 0 {
		return nil
	}
	n, _ := nodes[len(nodes)-1].(*ir.If)
	if n == nil || len(n.Else) > 0 {
		return nil
	}
	return n
}

func instrAt(nodes []ir.Node, i int) *ir.Instr {
	in, _ := nodes[i].(*ir.Instr)
	return in
}

// element reports whether a load is one of a float of an array of the thread, by an index alone, and which array that is.
func (s *SoloCompiler) element(at *SoloArray, in *ir.Instr, index ir.Reg) bool {
	if in.Op != ir.Load || in.From.Type() != ir.F32 || len(in.Dst) != 1 || in.Mem.Space != syntax.Thread || in.Mem.Volatile || in.Mem.Disp != 0 ||
		in.Mem.Scale != 4 || in.Mem.IndexSigned || in.Mem.Index != index || s.Wide(index) {
		return false
	}
	base := s.P.Kernel.Regs[in.Mem.Base]
	if base.Kind != ir.Address {
		return false
	}
	at.First, at.size = s.P.PrivateBase[base.Index], s.P.Kernel.Objects[base.Index].Size/4
	return true
}

// run does ordinary turns.
func (q *SoloSearch) Run(m *Machine, s *Solo, turn *soloTurn) {
	r := m.Alone
	from, best := int(uint32(r[q.counter])), int(uint32(r[q.Best]))
	end := min(int(uint32(r[q.limit])), q.Element.size, q.Held.size)
	all := int64(end-from) * turn.cost
	if end <= from || best >= q.Held.size || r[q.step] != 1 || m.Steps < all || m.patience < all ||
		m.sees(Order) && turn.runs == nil {
		return
	}
	at, found, changes := from, best, 0
	switch {
	case q.how != nil:
		if !q.how.Suits(m) {
			return
		}
		at, found, changes = q.how.Run(m, from, end, best)
	case m.sees(Branches):
		at, found, changes = q.noting(m, s.branches[q.branch].id, from, end, best)
	default:
		at, found, changes = q.Plain(m, from, end, best)
	}
	turns := int64(at - from)
	m.Steps -= turns * turn.cost
	m.patience -= turns * turn.cost
	m.Executed += turns
	m.take(q.runs, changes)
	m.take(turn.runs, int(turns))
	r[q.counter] = uint64(at)
	if changes > 0 {
		r[q.Best] = uint64(found)
		if q.how != nil {
			q.how.Found(m, found)
		}
	}
}

// holds is the comparison.
func (q *SoloSearch) Holds(element, held float32) bool {
	if q.swapped {
		element, held = held, element
	}
	return element < held || q.orEqual && element == held
}

// plain does turns up to the one before end, and gives where it has come to, the index that it has found and how
// often it has set it.
func (q *SoloSearch) Plain(m *Machine, from, end, best int) (at, found, changes int) {
	words, stride := m.Private, m.Stride
	held := F32frombits(words[(q.Held.First+best)*stride])
	for i := from; i < end; i++ {
		if q.Holds(F32frombits(words[(q.Element.First+i)*stride]), held) {
			best, changes = i, changes+1
			held = F32frombits(words[(q.Held.First+best)*stride])
		}
	}
	return end, best, changes
}

// noting does so and tells observers of the outcomes of the branch.
func (q *SoloSearch) noting(m *Machine, branch, from, end, best int) (at, found, changes int) {
	words, stride := m.Private, m.Stride
	held := F32frombits(words[(q.Held.First+best)*stride])
	for i := from; i < end; i++ {
		holds := q.Holds(F32frombits(words[(q.Element.First+i)*stride]), held)
		if m.noteAlone(branch, uint64(Lane(holds))); holds {
			best, changes = i, changes+1
			held = F32frombits(words[(q.Held.First+best)*stride])
		}
	}
	return end, best, changes
}
