package ir

import "slices"

// hoist moves computations that are the same in every iteration of a loop in front
// of it, innermost loops first. What moves is what reuse may share and cannot
// fault: a loop without iterations only wastes it. Floating
// arithmetic stays next to the instructions that it may be contracted with.
func hoist(k *Kernel, nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		for _, part := range Parts(n) {
			*part = hoist(k, *part)
		}
		if loop, ok := n.(*Loop); ok {
			out = append(out, invariants(k, loop)...)
		}
		out = append(out, n)
	}
	return out
}

// invariants takes the computations out of n that do not change in it.
func invariants(k *Kernel, n *Loop) []Node {
	p := puller{k: k, varies: map[Reg]bool{}}
	for in := range Instrs(n) {
		for _, d := range in.Dst {
			p.varies[d] = true
		}
	}
	for _, part := range Parts(n) {
		*part = p.pull(*part)
	}
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
		if in, ok := n.(*Instr); ok && p.invariant(in) {
			p.pulled = append(p.pulled, in)
			delete(p.varies, in.Dst[0])
			continue
		}
		for _, part := range Parts(n) {
			*part = p.pull(*part)
		}
		kept = append(kept, n)
	}
	return kept
}

func (p *puller) invariant(in *Instr) bool {
	if len(in.Dst) != 1 || p.k.Regs[in.Dst[0]].Kind != Temp || in.Op.Info().Effects.Has(Faults) || !shareable(p.k, in) {
		return false
	}
	return !slices.ContainsFunc(in.Args, func(a Reg) bool { return p.varies[a] })
}
