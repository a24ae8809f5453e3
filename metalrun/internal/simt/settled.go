package simt

import (
	"slices"
	"unsafe"

	"metalconform/metalrun/internal/ir/analysis"
)

// What is launch-invariant (analysis.LaunchInvariant) is computed once. A machine computes it where it first comes to it,
// so that faults stay where they are, and skips it from then on.

// partly is a straight run some of whose instructions set what a launch settles.
type partly struct {
	all    straight
	rest   *dense // counts as all
	number int
}

func (n *partly) run(m *machine) bool {
	if m.settled == nil {
		return n.all.run(m)
	}
	if m.settled[n.number] {
		return n.rest.run(m)
	}
	n.all.run(m)
	m.settled[n.number] = true
	return true
}

// settle tells the instructions apart in all runs of a list, once loops that are one call have been
// recognised.
func (p *Program) settle(l list) list {
	for i, n := range l {
		switch n := n.(type) {
		case straight:
			l[i] = p.parted(n)
		case *uniformIf:
			if n.settled {
				n.number = p.part()
			}
			n.then, n.alse = p.settle(n.then), p.settle(n.alse)
		case *branch:
			n.then, n.alse = p.settle(n.then), p.settle(n.alse)
		case *block:
			n.body = p.settle(n.body)
		case *counted:
			n.body = p.settle(n.body)
		case *loop:
			n.head, n.body, n.post = p.settle(n.head), p.settle(n.body), p.settle(n.post)
			l[i] = n.tight(p)
		case *dotLoop:
			p.settle(list{n.loop})
		case *addLoop:
			p.settle(list{n.loop})
		case *weightLoop:
			p.settle(list{n.loop})
		case *wideLoop:
			p.settle(list{n.otherwise})
		}
	}
	return l
}

func (p *Program) parted(s straight) node {
	if p.exact != nil || !p.does(passSuperinstructions) {
		return s
	}
	rest := slices.DeleteFunc(slices.Clone(s), func(in instr) bool { return in.settled })
	n := densely(rest, int64(len(s)), p.options.Without) // whichever machines have taken the threadgroups before
	if len(rest) == len(s) {
		return n
	}
	return &partly{all: s, rest: n, number: p.part()}
}

// part numbers something that a machine comes by.
func (p *Program) part() int {
	p.parts++
	return p.parts - 1
}

// settling is room for what a machine has settled, by the number of the run or branch; nil if the launch settles nothing.
func (p *Program) settling(objects []memory) []bool {
	if p.parts == 0 || overlap(objects[:analysis.FirstThreadgroup]) {
		return nil
	}
	return make([]bool, p.parts)
}

// overlap reports whether some buffers share bytes: then a store to one changes the other.
func overlap(buffers []memory) bool {
	for i, a := range buffers {
		for _, b := range buffers[:i] {
			if len(a.bytes) > 0 && len(b.bytes) > 0 && begin(a) < begin(b)+uintptr(len(b.bytes)) && begin(b) < begin(a)+uintptr(len(a.bytes)) {
				return true
			}
		}
	}
	return false
}

func begin(m memory) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m.bytes))) }
