package ir

import "maps"

// FollowCopies is a copy of k that reads a uniform register in place of a variable which it was copied to and that is
// not uniform, as long as neither changes: threads that set a variable to what they have in common compute with that
// from then on. The copies stay, and so do reads of a variable that is set to a literal: sums begin with one.
func FollowCopies(k *Kernel, uniform func(Reg) bool) *Kernel {
	follows := func(in *Instr) bool {
		return in.Op == Copy && k.Regs[in.Dst[0]].Kind == Variable && !uniform(in.Dst[0]) && uniform(in.Args[0]) &&
			k.Regs[in.Args[0]].Kind != Literal
	}
	for in := range Instrs(k.Body...) {
		if follows(in) {
			out := clone(k)
			f := &follower{follows}
			f.list(out.Body, map[Reg]Reg{})
			return out
		}
	}
	return k
}

type follower struct{ follows func(copy *Instr) bool }

// list goes through nodes. known are registers that hold the values of variables, and becomes what is known after the
// nodes.
func (f *follower) list(nodes []Node, known map[Reg]Reg) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			f.instr(n, known)
			continue
		case *Loop:
			forgetSet(known, n)
			head := maps.Clone(known)
			f.list(n.Head, head)
			if c := Cond(n); c != nil {
				*c = value(*c, head)
			}
			f.list(n.Body, head)
			f.list(n.Post, maps.Clone(known)) // threads may come from anywhere in the body
		default:
			if c := Cond(n); c != nil {
				*c = value(*c, known)
			}
			for _, part := range Parts(n) {
				f.list(*part, maps.Clone(known))
			}
		}
		forgetSet(known, n)
	}
}

func (f *follower) instr(in *Instr, known map[Reg]Reg) {
	for i, r := range in.Args {
		in.Args[i] = value(r, known)
	}
	if m := in.Mem; m != nil {
		m.Base, m.Index = value(m.Base, known), value(m.Index, known)
	}
	forgetSet(known, in)
	if f.follows(in) {
		known[in.Dst[0]] = in.Args[0]
	}
}

// forgetSet takes out what nodes set, and what is a copy of that.
func forgetSet(known map[Reg]Reg, nodes ...Node) {
	if len(known) == 0 {
		return
	}
	for in := range Instrs(nodes...) {
		for _, d := range in.Dst {
			delete(known, d)
			maps.DeleteFunc(known, func(_, from Reg) bool { return from == d })
		}
	}
}
