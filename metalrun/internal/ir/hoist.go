package ir

import "slices"

// hoist moves computations that are the same in every turn of a loop in front
// of it, innermost loops first. What moves is what reuse may share, but for
// loads: it cannot fault, and a loop without turns only wastes it. Floating
// arithmetic stays beside the instructions that it may be contracted with.
func hoist(k *Kernel, nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			n.Then, n.Else = hoist(k, n.Then), hoist(k, n.Else)
		case *Block:
			n.Body = hoist(k, n.Body)
		case *Loop:
			n.Head, n.Body, n.Post = hoist(k, n.Head), hoist(k, n.Body), hoist(k, n.Post)
			out = append(out, invariants(k, n)...)
		}
		out = append(out, n)
	}
	return out
}

// invariants takes the computations out of n that do not change in it.
func invariants(k *Kernel, n *Loop) []Node {
	p := puller{k: k, varies: map[Reg]bool{}}
	for _, list := range [][]Node{n.Head, n.Body, n.Post} {
		eachInstr(list, func(in *Instr) {
			for _, d := range in.Dst {
				p.varies[d] = true
			}
		})
	}
	n.Head, n.Body, n.Post = p.pull(n.Head), p.pull(n.Body), p.pull(n.Post)
	return p.pulled
}

// puller collects the invariants of one loop. An instruction comes after those
// that set its operands, so one pass in order finds whole chains.
type puller struct {
	k      *Kernel
	varies map[Reg]bool // registers that the loop sets
	pulled []Node
}

func (p *puller) pull(nodes []Node) []Node {
	kept := nodes[:0]
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			if p.invariant(n) {
				p.pulled = append(p.pulled, n)
				delete(p.varies, n.Dst[0])
				continue
			}
		case *If:
			n.Then, n.Else = p.pull(n.Then), p.pull(n.Else)
		case *Loop:
			n.Head, n.Body, n.Post = p.pull(n.Head), p.pull(n.Body), p.pull(n.Post)
		case *Block:
			n.Body = p.pull(n.Body)
		}
		kept = append(kept, n)
	}
	return kept
}

func (p *puller) invariant(in *Instr) bool {
	if len(in.Dst) != 1 || p.k.Regs[in.Dst[0]].Kind != Temp || in.Op == Load || !shareable(p.k, in) {
		return false
	}
	return !slices.ContainsFunc(in.Args, func(a Reg) bool { return p.varies[a] })
}
