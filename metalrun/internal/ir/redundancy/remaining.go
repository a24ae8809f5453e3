package redundancy

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

// Remaining is an instruction that the compiled code executes.
type Remaining struct {
	In *ir.Instr
	// Before is the loop or the branch that the instruction was moved in front of; nil if it stays in its place.
	Before ir.Node
	// Times is how often it is executed whenever threads reach that loop.
	Times int
	// Speculated: all threads that reach the branch execute it. Otherwise it is executed at most as often as in its
	// place.
	Speculated bool
	Elements   int  // of memory that a load or a store accesses
	Joined     bool // a part of an access that another instruction makes
}

// Of finds the instructions that a compiler leaves of a kernel, in the order of the source.
func Of(k *ir.Kernel) []Remaining {
	n := newNumbering(k)
	n.list(k.Body, n.open(nil, nil))
	if n.effort > mostEffort {
		return asWritten(k)
	}
	n.markLive()
	n.combine()
	unrolled := n.unrolled()
	var list []Remaining
	for _, c := range n.computations {
		if !c.live || c.free || c.overwritten {
			continue
		}
		r := Remaining{In: c.in, Before: c.before, Times: 1, Speculated: c.speculated, Elements: c.elements,
			Joined: c.vector != nil && c.vector.live}
		if u, ok := unrolled[c.in]; ok && c.before == nil {
			if u.times == 0 {
				continue
			}
			r.Before, r.Times = u.loop, u.times
		}
		list = append(list, r)
	}
	return list
}

// asWritten are all instructions of a kernel.
func asWritten(k *ir.Kernel) (list []Remaining) {
	for in := range ir.Instrs(k.Body...) {
		list = append(list, Remaining{In: in, Times: 1, Elements: len(in.Dst) + len(in.Args)})
	}
	return list
}

// repeated is in how many iterations of a loop an instruction is left.
type repeated struct {
	loop  *ir.Loop
	times int
}

// unrolled are the instructions of loops that are unrolled completely. The counters of such loops are literals.
func (n *numbering) unrolled() map[*ir.Instr]repeated {
	list := map[*ir.Instr]repeated{}
	ir.Walk(n.k.Body, func(node ir.Node) bool {
		l, ok := node.(*ir.Loop)
		if !ok {
			return true
		}
		times := analysis.RepeatedWork(n.k, l)
		for in, t := range times {
			list[in] = repeated{l, t}
		}
		if times != nil {
			test := l.Head[len(l.Head)-1].(*ir.Instr)
			list[test] = repeated{l, 0}
		}
		return true
	})
	return list
}
