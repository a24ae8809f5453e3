package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A variable without an initialiser holds an unspecified value until it is set. Where each way through the kernel sets
// it before it is read, launches with other values would show nothing.

// exposed are the instructions that leave a variable unspecified for some later read.
func exposed(k *ir.Kernel) map[*ir.Instr]bool {
	p := poisoning{by: map[ir.Reg][]int{}, exits: map[ir.Node]poisoned{}, turns: map[ir.Node]poisoned{}, exposed: map[*ir.Instr]bool{}}
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison {
			for _, d := range in.Dst {
				p.by[d] = append(p.by[d], len(p.sites))
				p.sites = append(p.sites, in)
			}
		}
	}
	if len(p.sites) > 0 {
		p.list(k.Body, p.none())
	}
	if p.work > mostPoisoning {
		for _, in := range p.sites {
			p.exposed[in] = true
		}
	}
	return p.exposed
}

// mostPoisoning bounds the nodes that are gone over, loops within loops again and again. Where it is not enough, all
// sites count.
const mostPoisoning = 1 << 20

// poisoning follows unspecified values along all ways through a kernel.
type poisoning struct {
	sites   []*ir.Instr          // of each unspecified value
	by      map[ir.Reg][]int     // sites, by the variable that gets one
	exits   map[ir.Node]poisoned // of ways that leave a construct
	turns   map[ir.Node]poisoned // of ways to the end of a turn of a loop
	exposed map[*ir.Instr]bool
	work    int
}

// poisoned is the set of sites whose values variables may hold, by number.
type poisoned []uint64

func (p *poisoning) none() poisoned { return make(poisoned, (len(p.sites)+63)/64) }

func (s poisoned) clone() poisoned { return slices.Clone(s) }

// add adds the sites of another set, which may be nil for none, and reports whether some are new.
func (s poisoned) add(o poisoned) (more bool) {
	for i, w := range o {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

func (p *poisoning) list(nodes []ir.Node, s poisoned) poisoned {
	for _, n := range nodes {
		if p.work += 1 + len(s)/8; p.work > mostPoisoning {
			break
		}
		switch n := n.(type) {
		case *ir.Instr:
			p.instr(n, s)
		case *ir.If:
			p.read(n.Cond, s)
			after := p.list(n.Then, s.clone())
			after.add(p.list(n.Else, s))
			s = after
		case *ir.Loop:
			s = p.loop(n, s)
		case *ir.Block:
			s = p.list(n.Body, s)
			s.add(p.exits[n])
		case *ir.Exit:
			p.exit(n, s)
			s = p.none()
		}
	}
	return s
}

func (p *poisoning) instr(in *ir.Instr, s poisoned) {
	for _, r := range in.Args {
		p.read(r, s)
	}
	if in.Mem != nil {
		p.read(in.Mem.Base, s)
		p.read(in.Mem.Index, s)
	}
	for _, d := range in.Dst {
		for _, site := range p.by[d] {
			s[site/64] &^= 1 << (site % 64)
			if p.sites[site] == in {
				s[site/64] |= 1 << (site % 64)
			}
		}
	}
}

func (p *poisoning) read(r ir.Reg, s poisoned) {
	for _, site := range p.by[r] {
		if s[site/64]>>(site%64)&1 != 0 {
			p.exposed[p.sites[site]] = true
		}
	}
}

// loop goes over turns until no further one brings other values.
func (p *poisoning) loop(l *ir.Loop, s poisoned) poisoned {
	for {
		head := p.list(l.Head, s.clone())
		if l.Cond != ir.None {
			p.read(l.Cond, head)
		}
		body := p.list(l.Body, head.clone())
		body.add(p.turns[l])
		if !s.add(p.list(l.Post, body)) {
			after := p.none()
			if l.Cond != ir.None {
				after = head
			}
			after.add(p.exits[l])
			return after
		}
	}
}

func (p *poisoning) exit(x *ir.Exit, s poisoned) {
	note := func(of map[ir.Node]poisoned, n ir.Node) {
		if of[n] == nil {
			of[n] = p.none()
		}
		of[n].add(s)
	}
	switch x.Kind {
	case ir.Break:
		note(p.exits, x.Loop)
	case ir.Leave:
		note(p.exits, x.Block)
	case ir.Continue:
		note(p.turns, x.Loop)
	}
}
