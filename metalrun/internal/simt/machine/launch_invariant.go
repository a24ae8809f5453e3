package machine

import (
	"slices"
	"unsafe"

	"metalconform/metalrun/internal/ir/analysis"
)

// A machine computes launch-invariant values (analysis.LaunchInvariant) once: where it first reaches them, so that
// faults stay where they are.

// PartlyInvariant is a straight run with some launch-invariant instructions.
type PartlyInvariant struct {
	All    Straight
	rest   *Superinstructions // without the launch-invariant instructions; counts as All
	number int
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *PartlyInvariant) Run(m *Machine) bool {
	if m.computed == nil {
		return n.All.Run(m)
	}
	if m.computed[n.number] {
		return n.rest.Run(m)
	}
	n.All.Run(m)
	m.computed[n.number] = true
	return true
}

// SplitInvariant separates the launch-invariant instructions in all runs of a list. It follows the recognition of loops
// that are one call.
func (p *Program) SplitInvariant(l List) List {
	for i, n := range l {
		switch n := n.(type) {
		case Straight:
			l[i] = p.splitRun(n)
		case *UniformIf:
			if n.LaunchInvariant {
				n.number = p.numberInvariant()
			}
			n.Then, n.Alse = p.SplitInvariant(n.Then), p.SplitInvariant(n.Alse)
		case *Branch:
			n.Then, n.Alse = p.SplitInvariant(n.Then), p.SplitInvariant(n.Alse)
		case *Block:
			n.Body = p.SplitInvariant(n.Body)
		case *Counted:
			n.Body = p.SplitInvariant(n.Body)
		case *Loop:
			n.Head, n.Body, n.Post = p.SplitInvariant(n.Head), p.SplitInvariant(n.Body), p.SplitInvariant(n.Post)
			l[i] = n.tight(p)
		case *DotLoop:
			p.SplitInvariant(List{n.Loop})
		case *AddLoop:
			p.SplitInvariant(List{n.Loop})
		case *WeightLoop:
			p.SplitInvariant(List{n.Loop})
		case *WideLoop:
			p.SplitInvariant(List{n.Otherwise})
		}
	}
	return l
}

func (p *Program) splitRun(s Straight) Node {
	if p.Stepwise || !p.Does(passSuperinstructions) {
		return s
	}
	rest := slices.DeleteFunc(slices.Clone(s), func(in Instr) bool { return in.LaunchInvariant })
	n := newSuperinstructions(rest, int64(len(s)), p.Options.Without) // counts as s in each threadgroup
	if len(rest) == len(s) {
		return n
	}
	return &PartlyInvariant{All: s, rest: n, number: p.numberInvariant()}
}

// numberInvariant gives the next number of an invariant.
func (p *Program) numberInvariant() int {
	p.Invariants++
	return p.Invariants - 1
}

// invariantState is room for whether each invariant has been computed; nil if the launch has none.
func (p *Program) invariantState(objects []Memory) []bool {
	if p.Invariants == 0 || overlap(objects[:analysis.FirstThreadgroup]) {
		return nil
	}
	return make([]bool, p.Invariants)
}

// overlap reports whether some buffers share bytes: a store to one then changes the other.
func overlap(buffers []Memory) bool {
	for i, a := range buffers {
		for _, b := range buffers[:i] {
			if len(a.Bytes) > 0 && len(b.Bytes) > 0 && begin(a) < begin(b)+uintptr(len(b.Bytes)) &&
				begin(b) < begin(a)+uintptr(len(a.Bytes)) {
				return true
			}
		}
	}
	return false
}

func begin(m Memory) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes))) }
