package ir

import "slices"

// Rewrite is a copy of k whose instructions f may change. f gets the copy, the
// instruction, and what precedes it in its new list; it may append to that list
// and turn its members into Nops.
func Rewrite(k *Kernel, f func(out *Kernel, before []Node, in *Instr) []Node) *Kernel {
	out := *k
	out.Regs = slices.Clone(k.Regs)
	r := &rewriter{k: &out, f: f, loops: map[*Loop]*Loop{nil: nil}, blocks: map[*Block]*Block{nil: nil}}
	out.Body = r.list(k.Body)
	return &out
}

type rewriter struct {
	k      *Kernel
	f      func(out *Kernel, before []Node, in *Instr) []Node
	loops  map[*Loop]*Loop
	blocks map[*Block]*Block
}

func (r *rewriter) list(nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			in := n.Clone()
			out = append(r.f(r.k, out, in), in)
		case *If:
			out = append(out, &If{Pos: n.Pos, Cond: n.Cond, Then: r.list(n.Then), Else: r.list(n.Else)})
		case *Loop:
			l := &Loop{Pos: n.Pos, Cond: n.Cond, Unroll: n.Unroll}
			r.loops[n] = l
			l.Head, l.Body, l.Post = r.list(n.Head), r.list(n.Body), r.list(n.Post)
			out = append(out, l)
		case *Block:
			b := &Block{Pos: n.Pos, Name: n.Name}
			r.blocks[n] = b
			b.Body = r.list(n.Body)
			out = append(out, b)
		case *Exit:
			out = append(out, &Exit{Pos: n.Pos, Kind: n.Kind, Loop: r.loops[n.Loop], Block: r.blocks[n.Block]})
		}
	}
	return slices.DeleteFunc(out, func(n Node) bool { in, ok := n.(*Instr); return ok && in.Op == Nop })
}

// Clone is a copy that shares nothing.
func (in *Instr) Clone() *Instr {
	c := *in
	c.Dst, c.Args = slices.Clone(in.Dst), slices.Clone(in.Args)
	if in.Mem != nil {
		m := *in.Mem
		c.Mem = &m
	}
	return &c
}

// Temporary is a new temporary register.
func (k *Kernel) Temporary(t Type) Reg { return k.Register(RegInfo{Kind: Temp, Type: t}) }

// Register is a new register.
func (k *Kernel) Register(info RegInfo) Reg {
	k.Regs = append(k.Regs, info)
	return Reg(len(k.Regs) - 1)
}
