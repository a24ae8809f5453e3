package machine

import (
	"metalconform/metalrun/internal/ir"
)

// In single-lane mode, a thread mostly searches an array of its own for the index of the least or greatest element:
//
//	if (x[i] < x[best]) best = i;
//
// Such iterations are done at once while all elements exist, steps are left, and all devices decide alike. The loop as
// it was compiled does the other iterations.

// Argmin is such a loop.
type Argmin struct {
	Counter, Limit, Step, Best uint8
	Element, Held              PrivateArray    // the arrays at the counter and at the best index
	Swapped                    bool            // the element at the best index is the left operand
	OrEqual                    bool            // an equal element replaces the best one
	How                        ArgminExtension // nil: there is none
	Branch                     int             // index in ScalarProgram.Branches, or -1
	Runs                       []int           // numbers of the runs that are counted when the index is set
}

// PrivateArray is an array of the thread.
type PrivateArray struct {
	First, Size int
}

// LastBranch is the branch without an else that ends a list, or nil.
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

// InstrAt is the node at index i if it is an instruction, or nil.
func InstrAt(nodes []ir.Node, i int) *ir.Instr {
	in, _ := nodes[i].(*ir.Instr)
	return in
}

// Run does as many iterations at once as it can.
func (q *Argmin) Run(m *Machine, s *ScalarProgram, iteration *ScalarLoop) {
	r := m.Scalars
	from, best := int(uint32(r[q.Counter])), int(uint32(r[q.Best]))
	end := min(int(uint32(r[q.Limit])), q.Element.Size, q.Held.Size)
	all := int64(end-from) * iteration.Cost
	if end <= from || best >= q.Held.Size || r[q.Step] != 1 || m.Steps < all || m.uncharged+all >= chargedAtOnce ||
		m.sees(Order) && iteration.Runs == nil {
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
	trips := int64(at - from)
	m.Steps -= trips * iteration.Cost
	m.uncharged += trips * iteration.Cost
	m.Executed += trips
	m.Take(q.Runs, changes)
	m.Take(iteration.Runs, int(trips))
	r[q.Counter] = uint64(at)
	if changes > 0 {
		r[q.Best] = uint64(found)
		if q.How != nil {
			q.How.Found(m, found)
		}
	}
}

// Holds reports the result of the comparison.
func (q *Argmin) Holds(element, held float32) bool {
	if q.Swapped {
		element, held = held, element
	}
	return element < held || q.OrEqual && element == held
}

// Plain does the iterations from one index up to end. It gives the index where it has stopped, the best index, and how
// often it has set the best index.
func (q *Argmin) Plain(m *Machine, from, end, best int) (at, found, changes int) {
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

// noting is Plain, and tells observers of each branch.
func (q *Argmin) noting(m *Machine, branch, from, end, best int) (at, found, changes int) {
	words, stride := m.Private, m.Stride
	held := F32frombits(words[(q.Held.First+best)*stride])
	for i := from; i < end; i++ {
		holds := q.Holds(F32frombits(words[(q.Element.First+i)*stride]), held)
		if m.branchedScalar(branch, uint64(Lane(holds))); holds {
			best, changes = i, changes+1
			held = F32frombits(words[(q.Held.First+best)*stride])
		}
	}
	return end, best, changes
}

// ArgminExtension does the iterations of an argmin loop.
type ArgminExtension interface {
	// Suits reports whether iterations can be done at once.
	Suits(m *Machine) bool
	// Run does the iterations from one index up to end. It gives the index where it has stopped, the best index, and
	// how often it has set the best index.
	Run(m *Machine, from, end, best int) (at, found, changes int)
	// Found follows a Run that has set the best index.
	Found(m *Machine, found int)
}
