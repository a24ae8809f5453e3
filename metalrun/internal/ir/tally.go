package ir

// Run is a sequence of instructions without control flow between them: threads that take
// the first take all of them.
type Run []*Instr

// Tallied is a copy of k with a Tally in front of each run, and the runs, whose
// instructions are k's own.
func Tallied(k *Kernel) (*Kernel, []Run) {
	number := 0
	return rewrite(k, func(_ *Kernel, before []Node, in *Instr) []Node {
		if len(before) > 0 {
			if _, within := before[len(before)-1].(*Instr); within {
				return before
			}
		}
		number++
		return append(before, &Instr{Op: Tally, Pos: in.Pos, Number: number - 1})
	}), runs(k.Body)
}

// runs are those of nodes and their parts, in the order of the source.
func runs(nodes []Node) []Run {
	var list []Run
	within := false
	for _, n := range nodes {
		in, ok := n.(*Instr)
		switch {
		case !ok:
			for _, part := range Parts(n) {
				list = append(list, runs(*part)...)
			}
		case within:
			list[len(list)-1] = append(list[len(list)-1], in)
		default:
			list = append(list, Run{in})
		}
		within = ok
	}
	return list
}
