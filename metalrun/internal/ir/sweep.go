package ir

import "slices"

// uses counts the readers of each register.
type uses struct {
	k *Kernel
	n []int32
}

func countUses(k *Kernel) *uses { return &uses{k, Readers(k)} }

// Readers is how many instructions and conditions of a kernel read each register.
func Readers(k *Kernel) []int32 {
	n := make([]int32, len(k.Regs))
	Walk(k.Body, func(node Node) bool {
		if in, ok := node.(*Instr); ok {
			EachRead(in, func(r Reg) { n[r]++ })
		} else if c := Cond(node); c != nil {
			n[*c]++
		}
		return true
	})
	return n
}

// EachRead visits the registers that in reads.
func EachRead(in *Instr, f func(Reg)) {
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
	EachRead(in, func(x Reg) { found = found || x == r })
	return found
}

// window is how far back coalesce looks for the instruction that a copy copies. It bounds the time for a long body, in
// which each copy would go through all instructions before it. With 16 or 256, the quick sweep of the attention, delta
// net, MLA and router kernels takes as long within 10 %.
const window = 64

// coalesce turns "t = a + b; …; v = t" into "v = a + b; …" where nothing else
// reads t and nothing in between touches variable v.
func (u *uses) coalesce(nodes []Node) {
	for i, n := range nodes {
		if in, ok := n.(*Instr); ok && in.Op == Copy {
			u.coalesceCopy(nodes[:i], in)
		}
		for _, part := range Parts(n) {
			u.coalesce(*part)
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
			// what the others are computed from.
			if len(in.Dst) > 1 && (reads(in, v) && !in.Op.Info().ReadsFirst || slices.Contains(in.Dst, v)) {
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
		n := nodes[i]
		if in, ok := n.(*Instr); ok && (u.dead(in) || in.Op == Poison && overwritten(nodes[i+1:], in.Dst[0])) {
			EachRead(in, func(r Reg) { u.n[r]-- })
			continue
		}
		for _, part := range slices.Backward(Parts(n)) {
			*part = u.sweep(*part)
		}
		if branch, ok := n.(*If); ok && len(branch.Then)+len(branch.Else) == 0 {
			u.n[branch.Cond]--
			continue
		}
		kept = append(kept, n)
	}
	slices.Reverse(kept)
	return kept
}

// dead reports whether in does nothing but set registers that nothing reads.
func (u *uses) dead(in *Instr) bool {
	return (!in.Op.Info().Kept || u.absent(in)) && !slices.ContainsFunc(in.Dst, func(d Reg) bool { return u.n[d] > 0 })
}

// absent reports whether in loads through a pointer that is null when the program is compiled, such as that of an
// argument that a function constant leaves out. A read of it whose result is not used is no access on any device.
func (u *uses) absent(in *Instr) bool {
	if in.Op != Load || in.Mem.Index != None {
		return false
	}
	base := u.k.Regs[in.Mem.Base]
	return base.Kind == Literal && base.Bits == 0
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
	mark := func(r Reg) { used[r] = true }
	Walk(k.Body, func(n Node) bool {
		if in, ok := n.(*Instr); ok {
			EachRead(in, mark)
			for _, d := range in.Dst {
				mark(d)
			}
		} else if c := Cond(n); c != nil {
			mark(*c)
		}
		return true
	})

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
	Walk(nodes, func(n Node) bool {
		if in, ok := n.(*Instr); ok {
			in.rename(to)
		} else if c := Cond(n); c != nil {
			*c = to[*c]
		}
		return true
	})
}

func (in *Instr) rename(to []Reg) {
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
}
