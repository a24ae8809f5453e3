package simt

import (
	"slices"
	"unsafe"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// What follows from arguments in constant memory and from the extent of the grid is the same in every
// threadgroup of a launch and in every turn of a loop. A machine computes it where it first
// comes to it, so that faults stay where they are, and skips it from then on.

// settles finds the registers that hold one value all through a launch.
func (u *uniformity) settles() []bool {
	is := make([]bool, len(u.k.Regs))
	for r, info := range u.k.Regs {
		switch info.Kind {
		case ir.Input:
			is[r] = settledInput(info.Input)
		case ir.Literal, ir.Address:
			is[r] = true
		}
	}
	for _, d := range u.defs { // in the order of the source, in which temporaries are set before they are read
		if u.settled(d.in, is) {
			for _, r := range d.in.Dst {
				is[r] = true
			}
		}
	}
	return is
}

// settled reports whether all that an instruction does is to set temporaries to what a launch settles.
func (u *uniformity) settled(in *ir.Instr, is []bool) bool {
	info := in.Op.Info()
	switch {
	case len(in.Dst) == 0 || in.Op == ir.Poison || in.Op == ir.Look || info.Varies:
		return false
	case in.Op == ir.Load:
		if in.Mem.Space != syntax.Constant || in.Mem.Volatile {
			return false
		}
	case info.Effects != 0:
		return false
	}
	temporary := func(r ir.Reg) bool { return u.k.Regs[r].Kind == ir.Temp && !u.varying[r] }
	known := func(r ir.Reg) bool { return r == ir.None || is[r] }
	return !slices.ContainsFunc(in.Dst, func(r ir.Reg) bool { return !temporary(r) }) &&
		!slices.ContainsFunc(reads(in), func(r ir.Reg) bool { return !known(r) })
}

// settledInput reports whether an input is the same in every threadgroup, even in those at the edge of the grid.
func settledInput(s ir.Source) bool {
	switch s {
	case ir.BufferPointer, ir.ThreadgroupPointer, ir.ThreadsPerSimdgroup, ir.DispatchSimdgroupsPerThreadgroup, ir.DispatchQuadgroupsPerThreadgroup:
		return true
	}
	return s >= ir.ThreadsPerGridX && s <= ir.ThreadsPerGridZ ||
		s >= ir.DispatchThreadsPerThreadgroupX && s <= ir.ThreadgroupsPerGridZ
}

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
	if p.exact != nil || !p.does(passDense) {
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
	if p.parts == 0 || overlap(objects[:firstThreadgroup]) {
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
