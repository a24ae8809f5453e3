package ir

import "slices"

// Looked is a copy of k with an Observe in front of every access that is wanted, in the first turns of each
// loop. A Look in front of a loop begins it ("begin"), and one in front of each turn says whether enough
// turns have been looked at ("enough"). Then a loop without any Observe takes the rest, and a Look behind it
// ends it ("end").
func Looked(k *Kernel, wanted func(access *Instr) bool) *Kernel {
	out := Observed(k, wanted)
	l := &looker{k: out, mentions: mentions(out.Body)}
	l.begins = l.beginnings()
	out.Body = l.list(out.Body)
	return out
}

// LookedTurns is how many turns of a loop are looked at: as many as elements of 32 bits are in a cache line,
// so that a row that is read one by one is seen to need a new line once in that many turns.
const LookedTurns = 32

type looker struct {
	k        *Kernel
	mentions map[Reg]int    // of each register, in the kernel that is observed
	begins   map[Reg]*Instr // what sets a variable before any other mention, each time: nothing is left of it from the time before
	loops    int
}

func (l *looker) list(nodes []Node) []Node {
	var out []Node
	for i, n := range nodes {
		loop, ok := n.(*Loop)
		if !ok || !Contains([]Node{n}, observes) || l.k.Turns(loop) > 0 && l.k.Turns(loop) <= LookedTurns {
			l.parts(n)
			out = append(out, n)
			continue
		}
		number := l.loops
		l.loops++
		look := func(fn string, dst ...Reg) *Instr {
			return &Instr{Op: Look, Pos: loop.Pos, Fn: fn, Dst: dst, Number: number}
		}
		rest, enough := l.unseen(loop, nodes[:i]), l.k.Temporary(Bool)
		l.parts(loop)
		then := append(rest, look("end"), &Exit{Pos: loop.Pos, Kind: Break, Loop: loop})
		loop.Head = append([]Node{look("enough", enough), &If{Pos: loop.Pos, Cond: enough, Then: then}}, loop.Head...)
		out = append(out, look("begin"), loop)
	}
	return out
}

func (l *looker) parts(n Node) {
	for _, part := range Parts(n) {
		*part = l.list(*part)
	}
}

func observes(n Node) bool {
	in, ok := n.(*Instr)
	return ok && in.Op == Observe
}

// unseen is a copy of a loop without any Observe, behind what it needs. Temporaries that the loop alone mentions are
// others in the copy; those that are read behind it become variables, because both set them. Variables of
// which nothing is left behind the loop are others, too, so that they are set nowhere else: what is known of the indices of
// a loop is known of the copy's.
func (l *looker) unseen(loop *Loop, before []Node) []Node {
	within, ahead := mentions([]Node{loop}), map[Reg]int{}
	front := map[*Instr]bool{}
	for _, n := range before {
		if in, ok := n.(*Instr); ok {
			front[in] = true
			for _, r := range mentioned(n) {
				ahead[*r]++
			}
		}
	}
	var out []Node
	others, inside := map[Reg]Reg{}, map[*Instr]bool{}
	for in := range Instrs(loop) {
		inside[in] = true
	}
	for in := range Instrs(loop) {
		for _, r := range in.Dst {
			begin := l.begins[r]
			switch info := l.k.Regs[r]; {
			case others[r] != 0:
			case info.Kind == Variable && within[r] == l.mentions[r] && inside[begin]:
				others[r] = l.k.register(info)
			case info.Kind == Variable && within[r]+ahead[r] == l.mentions[r] && front[begin]:
				others[r] = l.k.register(info)
				out = append(out, &Instr{Op: Copy, Pos: loop.Pos, Dst: []Reg{others[r]}, Args: []Reg{r}})
			case info.Kind != Temp:
			case within[r] == l.mentions[r]:
				others[r] = l.k.Temporary(info.Type)
			default:
				l.k.Regs[r].Kind = Variable
			}
		}
	}
	c := &copier{others: others, loops: map[*Loop]*Loop{}, blocks: map[*Block]*Block{}}
	return append(out, c.list([]Node{loop})...)
}

// beginnings finds, of each variable that has one, the instruction that sets it in a list of nodes in front of all other
// mentions, which are in what follows in that list.
func (l *looker) beginnings() map[Reg]*Instr {
	begins, done := map[Reg]*Instr{}, map[Reg]bool{}
	var count func(list []Node) map[Reg]int
	count = func(list []Node) map[Reg]int {
		sum, first := map[Reg]int{}, map[Reg]Node{}
		for _, n := range list {
			within := map[Reg]int{}
			for _, r := range mentioned(n) {
				within[*r]++
			}
			for _, part := range Parts(n) {
				for r, times := range count(*part) {
					within[r] += times
				}
			}
			for r, times := range within {
				if sum[r] += times; first[r] == nil {
					first[r] = n
				}
			}
		}
		for r, times := range sum {
			if times < l.mentions[r] || done[r] {
				continue
			}
			done[r] = true
			if in, ok := first[r].(*Instr); ok && slices.Contains(in.Dst, r) && mentions([]Node{in})[r] == 1 {
				begins[r] = in
			}
		}
		return sum
	}
	count(l.k.Body)
	return begins
}

// mentions counts how often nodes mention each register.
func mentions(nodes []Node) map[Reg]int {
	count := map[Reg]int{}
	Walk(nodes, func(n Node) bool {
		for _, r := range mentioned(n) {
			count[*r]++
		}
		return true
	})
	return count
}

// mentioned are the places of a node itself that hold registers.
func mentioned(n Node) (list []*Reg) {
	if r := cond(n); r != nil {
		return []*Reg{r}
	}
	in, ok := n.(*Instr)
	if !ok {
		return nil
	}
	for _, regs := range [][]Reg{in.Dst, in.Args} {
		for i := range regs {
			list = append(list, &regs[i])
		}
	}
	if in.Mem != nil {
		list = append(list, &in.Mem.Base, &in.Mem.Index)
	}
	return list
}

// copier copies nodes without any Observe, with other registers. Exits lead to what was copied, or out of it.
type copier struct {
	others map[Reg]Reg
	loops  map[*Loop]*Loop
	blocks map[*Block]*Block
}

func (c *copier) list(nodes []Node) []Node {
	var out []Node
	for _, n := range nodes {
		if !observes(n) {
			out = append(out, c.node(n))
		}
	}
	return out
}

func (c *copier) node(n Node) Node {
	var out Node
	switch n := n.(type) {
	case *Instr:
		out = n.clone()
	case *If:
		x := *n
		out = &x
	case *Loop:
		x := *n
		c.loops[n] = &x
		out = &x
	case *Block:
		x := *n
		c.blocks[n] = &x
		out = &x
	case *Exit:
		x := *n
		if to, ok := c.loops[n.Loop]; ok {
			x.Loop = to
		}
		if to, ok := c.blocks[n.Block]; ok {
			x.Block = to
		}
		return &x
	}
	for _, r := range mentioned(out) {
		if other, ok := c.others[*r]; ok {
			*r = other
		}
	}
	for _, part := range Parts(out) {
		*part = c.list(*part)
	}
	return out
}
