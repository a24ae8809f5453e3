package machine

import (
	"slices"
	"unsafe"

	"metalconform/metalrun/internal/ir/analysis"
)

// What is launch-invariant (analysis.LaunchInvariant) is computed once. A machine computes it where it first comes to
// it, so that faults stay where they are, and skips it from then on.

// Partly is a straight run some of whose instructions set what a launch settles.
type Partly struct {
	All    Straight
	rest   *Dense // counts as all
	number int
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Partly) Run(m *Machine) bool {
	if m.settled == nil {
		return n.All.Run(m)
	}
	if m.settled[n.number] {
		return n.rest.Run(m)
	}
	n.All.Run(m)
	m.settled[n.number] = true
	return true
}

// Settle tells the instructions apart in all runs of a list, once loops that are one call have been
// recognised.
func (p *Program) Settle(l List) List {
	for i, n := range l {
		switch n := n.(type) {
		case Straight:
			l[i] = p.parted(n)
		case *UniformIf:
			if n.Settled {
				n.number = p.part()
			}
			n.Then, n.Alse = p.Settle(n.Then), p.Settle(n.Alse)
		case *Branch:
			n.Then, n.Alse = p.Settle(n.Then), p.Settle(n.Alse)
		case *Block:
			n.Body = p.Settle(n.Body)
		case *Counted:
			n.Body = p.Settle(n.Body)
		case *Loop:
			n.Head, n.Body, n.Post = p.Settle(n.Head), p.Settle(n.Body), p.Settle(n.Post)
			l[i] = n.tight(p)
		case *DotLoop:
			p.Settle(List{n.Loop})
		case *AddLoop:
			p.Settle(List{n.Loop})
		case *WeightLoop:
			p.Settle(List{n.Loop})
		case *WideLoop:
			p.Settle(List{n.Otherwise})
		}
	}
	return l
}

func (p *Program) parted(s Straight) Node {
	if p.Stepwise || !p.Does(passSuperinstructions) {
		return s
	}
	rest := slices.DeleteFunc(slices.Clone(s), func(in Instr) bool { return in.Settled })
	n := densely(rest, int64(len(s)), p.Options.Without) // whichever machines have taken the threadgroups before
	if len(rest) == len(s) {
		return n
	}
	return &Partly{All: s, rest: n, number: p.part()}
}

// part numbers something that a machine comes by.
func (p *Program) part() int {
	p.Parts++
	return p.Parts - 1
}

// settling is room for what a machine has settled, by the number of the run or branch; nil if the launch settles
// nothing.
func (p *Program) settling(objects []Memory) []bool {
	if p.Parts == 0 || overlap(objects[:analysis.FirstThreadgroup]) {
		return nil
	}
	return make([]bool, p.Parts)
}

// overlap reports whether some buffers share bytes: then a store to one changes the other.
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
