package machine

import (
	"metalconform/metalrun/internal/ir"
)

// A thread that is alone mostly searches: it goes through an array of its own for the index of the
// least or greatest element, turn by turn
//
//	if (x[i] < x[best]) best = i;
//
// Such turns are done at once, as long as they are ordinary: elements exist, steps are left, and all
// devices decide alike. Whatever is not is left to the loop as it was compiled.

// SoloSearch is such a loop.
type SoloSearch struct {
	Counter, Limit, Step, Best uint8
	Element, Held              SoloArray       // what the counter leads to, and what the best index does
	Swapped                    bool            // the element of the best index is on the left
	OrEqual                    bool            // equal ones count
	How                        SearchExtension // nil: there is none
	Branch                     int             // of those whose outcomes are noted, or -1
	Runs                       []int           // that are counted where the index is set
}

// SoloArray is an array of the thread.
type SoloArray struct {
	First, Size int
}

// LastBranch is the branch of one arm that ends a list, or nil.
func LastBranch(nodes []ir.Node) *ir.If {
	if len(nodes) == 0 {
		return nil
	}
	n, _ := nodes[len(nodes)-1].(*ir.If)
	if n == nil || len(n.Else) > 0 {
		return nil
	}
	return n
}

// InstrAt is a node if it is an instruction, or nil.
func InstrAt(nodes []ir.Node, i int) *ir.Instr {
	in, _ := nodes[i].(*ir.Instr)
	return in
}

// Run does ordinary turns.
func (q *SoloSearch) Run(m *Machine, s *Solo, turn *SoloTurn) {
	r := m.Alone
	from, best := int(uint32(r[q.Counter])), int(uint32(r[q.Best]))
	end := min(int(uint32(r[q.Limit])), q.Element.Size, q.Held.Size)
	all := int64(end-from) * turn.Cost
	if end <= from || best >= q.Held.Size || r[q.Step] != 1 || m.Steps < all || m.uncharged+all >= chargedAtOnce ||
		m.sees(Order) && turn.Runs == nil {
		return
	}
	at, found, changes := from, best, 0
	switch {
	case q.How != nil:
		if !q.How.Suits(m) {
			return
		}
		at, found, changes = q.How.Run(m, from, end, best)
	case m.sees(Branches):
		at, found, changes = q.noting(m, s.Branches[q.Branch].Id, from, end, best)
	default:
		at, found, changes = q.Plain(m, from, end, best)
	}
	turns := int64(at - from)
	m.Steps -= turns * turn.Cost
	m.uncharged += turns * turn.Cost
	m.Executed += turns
	m.Take(q.Runs, changes)
	m.Take(turn.Runs, int(turns))
	r[q.Counter] = uint64(at)
	if changes > 0 {
		r[q.Best] = uint64(found)
		if q.How != nil {
			q.How.Found(m, found)
		}
	}
}

// Holds is the comparison.
func (q *SoloSearch) Holds(element, held float32) bool {
	if q.Swapped {
		element, held = held, element
	}
	return element < held || q.OrEqual && element == held
}

// Plain does turns up to the one before end, and gives where it has come to, the index that it has found and how
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

// SearchExtension does the turns of a search.
type SearchExtension interface {
	// Suits reports whether they can be done at once.
	Suits(m *Machine) bool
	// Run does turns up to the one before end, and gives where it has come to, the index found and how often it was
	// set.
	Run(m *Machine, from, end, best int) (at, found, changes int)
	// Found says that the search has set the index.
	Found(m *Machine, found int)
}
