package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
)

// A variable without an initialiser holds an unspecified value until it is set (ir.Poison). Where each way through the
// kernel sets it before it is read, launches with other values would show nothing.

// MaybeUninitialised are the instructions that leave a variable unspecified for some later read. It follows the sets
// of unspecified values that variables may hold along all ways through the kernel (reaching definitions, of poisons).
// A set only grows from one pass over a loop to the next, so that each loop ends.
func MaybeUninitialised(k *ir.Kernel) map[*ir.Instr]bool {
	u := unspecified{by: map[ir.Reg][]int{}, read: map[*ir.Instr]bool{},
		exits: map[ir.Node]poisons{}, continues: map[ir.Node]poisons{}}
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison {
			for _, d := range in.Dst {
				u.by[d] = append(u.by[d], len(u.sites))
				u.sites = append(u.sites, in)
			}
		}
	}
	if len(u.sites) > 0 {
		u.list(k.Body, u.none())
	}
	if u.work > mostWork {
		for _, in := range u.sites {
			u.read[in] = true
		}
	}
	return u.read
}

// mostWork bounds the nodes that are visited: nested loops multiply the passes over them. If it is not enough, all
// sites count.
const mostWork = 1 << 20

// unspecified follows unspecified values.
type unspecified struct {
	sites     []*ir.Instr         // of each unspecified value
	by        map[ir.Reg][]int    // sites, by the variable that gets one
	exits     map[ir.Node]poisons // at the exits from a construct
	continues map[ir.Node]poisons // at the exits to the end of an iteration of a loop
	read      map[*ir.Instr]bool  // sites whose value may be read
	work      int
}

// poisons is a set of sites whose values variables may hold, a bit for each number.
type poisons []uint64

func (u *unspecified) none() poisons { return make(poisons, (len(u.sites)+63)/64) }

func (s poisons) clone() poisons { return slices.Clone(s) }

// add adds the sites of another set, which may be nil for none, and reports whether some are new.
func (s poisons) add(o poisons) (more bool) {
	for i, w := range o {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

// list gives the set after nodes from the one before them, which it may change.
func (u *unspecified) list(nodes []ir.Node, s poisons) poisons {
	for _, n := range nodes {
		if u.work += 1 + len(s)/8; u.work > mostWork {
			break
		}
		switch n := n.(type) {
		case *ir.Instr:
			u.instr(n, s)
		case *ir.If:
			u.reads(n.Cond, s)
			after := u.list(n.Then, s.clone())
			after.add(u.list(n.Else, s))
			s = after
		case *ir.Loop:
			s = u.loop(n, s)
		case *ir.Block:
			s = u.list(n.Body, s)
			s.add(u.exits[n])
		case *ir.Exit:
			u.exit(n, s)
			s = u.none()
		}
	}
	return s
}

func (u *unspecified) instr(in *ir.Instr, s poisons) {
	for _, r := range in.Reads() {
		u.reads(r, s)
	}
	for _, d := range in.Dst {
		for _, site := range u.by[d] {
			s[site/64] &^= 1 << (site % 64)
			if u.sites[site] == in {
				s[site/64] |= 1 << (site % 64)
			}
		}
	}
}

func (u *unspecified) reads(r ir.Reg, s poisons) {
	for _, site := range u.by[r] {
		if s[site/64]>>(site%64)&1 != 0 {
			u.read[u.sites[site]] = true
		}
	}
}

// loop repeats iterations until none brings other values to the next one.
func (u *unspecified) loop(l *ir.Loop, s poisons) (after poisons) {
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		head := u.list(l.Head, s.clone())
		if l.Cond != ir.None {
			u.reads(l.Cond, head)
		}
		body := u.list(l.Body, head.clone())
		body.add(u.continues[l])
		if s.add(u.list(l.Post, body)) {
			p.Change()
		}
		if after = u.none(); l.Cond != ir.None {
			after = head
		}
		after.add(u.exits[l])
	})
	return after
}

func (u *unspecified) exit(x *ir.Exit, s poisons) {
	note := func(of map[ir.Node]poisons, n ir.Node) {
		if of[n] == nil {
			of[n] = u.none()
		}
		of[n].add(s)
	}
	switch x.Kind {
	case ir.Break:
		note(u.exits, x.Loop)
	case ir.Leave:
		note(u.exits, x.Block)
	case ir.Continue:
		note(u.continues, x.Loop)
	}
}
