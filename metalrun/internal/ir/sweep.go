package ir

import "slices"

// uses counts the readers of each register.
type uses struct {
	k *Kernel
	n []int32
}

func countUses(k *Kernel) *uses {
	u := &uses{k, make([]int32, len(k.Regs))}
	u.add(k.Body)
	return u
}

func (u *uses) add(nodes []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			eachRead(n, func(r Reg) { u.n[r]++ })
		case *If:
			u.n[n.Cond]++
			u.add(n.Then)
			u.add(n.Else)
		case *Loop:
			if n.Cond != None {
				u.n[n.Cond]++
			}
			u.add(n.Head)
			u.add(n.Body)
			u.add(n.Post)
		case *Block:
			u.add(n.Body)
		}
	}
}

// eachRead visits the registers that in reads.
func eachRead(in *Instr, f func(Reg)) {
	for _, a := range in.Args {
		f(a)
	}
	if in.Mem != nil {
		f(in.Mem.Base)
		if in.Mem.Index != None {
			f(in.Mem.Index)
		}
	}
}

func reads(in *Instr, r Reg) bool {
	found := false
	eachRead(in, func(x Reg) { found = found || x == r })
	return found
}

// window is how far back coalesce looks for the instruction behind a copy.
const window = 64

// coalesce turns "t = a + b; …; v = t" into "v = a + b; …" where nothing else
// reads t and nothing in between touches variable v.
func (u *uses) coalesce(nodes []Node) {
	for i, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			if n.Op == Copy {
				u.coalesceCopy(nodes[:i], n)
			}
		case *If:
			u.coalesce(n.Then)
			u.coalesce(n.Else)
		case *Loop:
			u.coalesce(n.Head)
			u.coalesce(n.Body)
			u.coalesce(n.Post)
		case *Block:
			u.coalesce(n.Body)
		}
	}
}

func (u *uses) coalesceCopy(before []Node, copy *Instr) {
	v, t := copy.Dst[0], copy.Args[0]
	if u.k.Regs[v].Kind != Variable || u.k.Regs[t].Kind != Temp || u.n[t] != 1 {
		return
	}
	for i := len(before) - 1; i >= max(0, len(before)-window); i-- {
		in, ok := before[i].(*Instr)
		if !ok {
			return
		}
		if at := slices.Index(in.Dst, t); at >= 0 {
			// Several results are not written at once: one must not replace
			// what the others are computed from. A matrix product needs all of
			// its operands before it has the first result.
			if len(in.Dst) > 1 && (reads(in, v) && in.Op != MatMul || slices.Contains(in.Dst, v)) {
				return
			}
			in.Dst[at] = v
			u.n[t] = 0
			*copy = Instr{Op: Nop, Pos: copy.Pos}
			return
		}
		if reads(in, v) || slices.Contains(in.Dst, v) {
			return
		}
	}
}

// sweep removes instructions without readers, from the last to the first.
func (u *uses) sweep(nodes []Node) []Node {
	kept := make([]Node, 0, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *Instr:
			if u.dead(n) || n.Op == Poison && overwritten(nodes[i+1:], n.Dst[0]) {
				eachRead(n, func(r Reg) { u.n[r]-- })
				continue
			}
		case *If:
			n.Then, n.Else = u.sweep(n.Then), u.sweep(n.Else)
			if len(n.Then)+len(n.Else) == 0 {
				u.n[n.Cond]--
				continue
			}
		case *Loop:
			n.Post = u.sweep(n.Post)
			n.Body = u.sweep(n.Body)
			n.Head = u.sweep(n.Head)
		case *Block:
			n.Body = u.sweep(n.Body)
		}
		kept = append(kept, nodes[i])
	}
	slices.Reverse(kept)
	return kept
}

// dead reports whether in does nothing but set registers that nobody reads.
func (u *uses) dead(in *Instr) bool {
	switch in.Op {
	case Nop:
		return true
	case Load, Store, Atomic, Simd, Barrier, Fence, Converge:
		return false
	}
	for _, d := range in.Dst {
		if u.n[d] > 0 {
			return false
		}
	}
	return true
}

// overwritten reports whether the instructions that follow set v before
// anything can read it.
func overwritten(nodes []Node, v Reg) bool {
	for _, n := range nodes[:min(len(nodes), window)] {
		in, ok := n.(*Instr)
		if !ok || reads(in, v) {
			return false
		}
		if slices.Contains(in.Dst, v) {
			return true
		}
	}
	return false
}

// compact drops registers and objects that the body does not mention.
func compact(k *Kernel) {
	used := make([]bool, len(k.Regs))
	mark := func(r Reg) {
		if r != None {
			used[r] = true
		}
	}
	eachInstr(k.Body, func(in *Instr) {
		eachRead(in, mark)
		for _, d := range in.Dst {
			mark(d)
		}
	})
	eachCond(k.Body, func(r *Reg) { mark(*r) })

	objects, number := k.Objects, make([]int, len(k.Objects))
	k.Objects = nil
	for i, info := range k.Regs {
		if used[i] && info.Kind == Address && number[info.Index] == 0 {
			k.Objects = append(k.Objects, objects[info.Index])
			number[info.Index] = len(k.Objects)
		}
	}
	renamed := make([]Reg, len(k.Regs))
	regs := k.Regs
	k.Regs = nil
	for i, info := range regs {
		renamed[i] = None
		if !used[i] {
			continue
		}
		if info.Kind == Address {
			info.Index = number[info.Index] - 1
		}
		renamed[i] = Reg(len(k.Regs))
		k.Regs = append(k.Regs, info)
	}
	rename(k.Body, renamed)
}

func rename(nodes []Node, to []Reg) {
	eachInstr(nodes, func(in *Instr) {
		for i, d := range in.Dst {
			in.Dst[i] = to[d]
		}
		for i, a := range in.Args {
			in.Args[i] = to[a]
		}
		if m := in.Mem; m != nil {
			m.Base = to[m.Base]
			if m.Index != None {
				m.Index = to[m.Index]
			}
		}
	})
	eachCond(nodes, func(r *Reg) {
		if *r != None {
			*r = to[*r]
		}
	})
}

// eachCond visits the conditions of all constructs in nodes.
func eachCond(nodes []Node, f func(*Reg)) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			f(&n.Cond)
			eachCond(n.Then, f)
			eachCond(n.Else, f)
		case *Loop:
			f(&n.Cond)
			eachCond(n.Head, f)
			eachCond(n.Body, f)
			eachCond(n.Post, f)
		case *Block:
			eachCond(n.Body, f)
		}
	}
}
