package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// rankAll gives ranks to what stays where it is: arguments in order, then, block by block,
// what depends on more than its operands (memory, calls, and variables that a branch or a
// loop has set). Operations have the rank of their highest operand and one more, so that
// what is computed first is joined first.
func (f *function) rankAll() {
	f.leave()
	f.ranks, f.floor = map[*ir.Instr]int{}, map[*ir.Instr]int{}
	r := ranking{f: f, block: 2 + len(f.k.Regs), joined: map[ir.Reg]int{}}
	r.begin()
	f.entry = r.next
	r.list(f.blocks[0].into)
}

type ranking struct {
	f      *function
	block  int // number of the block
	next   int // rank in it
	joined map[ir.Reg]int
}

func (r *ranking) begin() {
	r.block++
	r.next = r.block << 16
}

func (r *ranking) list(nodes *[]ir.Node) {
	for _, n := range *nodes {
		switch n := n.(type) {
		case *ir.Instr:
			r.instr(n)
		case *ir.Loop:
			r.begin()
			r.join(n)
			r.list(&n.Head)
			r.begin()
			r.list(&n.Body)
			r.begin()
			r.list(&n.Post)
			r.begin()
		default:
			for _, part := range ir.Parts(n) {
				r.begin()
				r.list(part)
			}
			r.begin()
			r.join(n)
		}
	}
}

// join ranks the variables that a construct sets where its paths meet.
func (r *ranking) join(n ir.Node) {
	var set []ir.Reg
	for in := range ir.Instrs(n) {
		for _, d := range in.Dst {
			if r.f.k.Regs[d].Kind == ir.Variable && !slices.Contains(set, d) {
				set = append(set, d)
			}
		}
	}
	slices.Sort(set)
	for _, v := range set {
		r.next++
		r.joined[v] = r.next
	}
}

func (r *ranking) instr(in *ir.Instr) {
	f := r.f
	f.floor[in] = r.block << 16
	switch {
	case in.Op == ir.Copy && f.k.Regs[in.Args[0]].Kind == ir.Variable:
		rank, ok := r.joined[in.Args[0]]
		if !ok {
			rank = r.block << 16
		}
		f.ranks[in] = rank
	case in.Op == ir.Load && !in.Mem.Volatile &&
		!slices.ContainsFunc(in.Dst, func(d ir.Reg) bool { return len(f.users[d]) > 0 }):
		// Nobody reads it: it is gone by now.
	case fixed(in):
		r.next++
		f.ranks[in] = r.next
	}
}

// fixed reports whether an instruction depends on more than its operands, as far as LLVM
// knows: it does not know the functions of the language, and conversions between integers and floating
// numbers are among them (air.convert).
func fixed(in *ir.Instr) bool {
	switch in.Op {
	case ir.Math, ir.FMA, ir.Simd, ir.MatMul:
		return true
	case ir.Convert:
		return in.From != ir.B8 && in.To != ir.B8 && in.From.Type().IsFloat() != in.To.Type().IsFloat()
	}
	return in.Op.Info().Effects != 0 || in.Op.Info().Kept
}

// rank is that of a register.
func (f *function) rank(r ir.Reg) int {
	switch f.k.Regs[r].Kind {
	case ir.Literal, ir.Address:
		return 0
	case ir.Input:
		return 3 + int(r)
	case ir.Variable:
		return 2
	}
	in := f.def[r]
	if in == nil {
		return 2
	}
	if rank, ok := f.ranks[in]; ok {
		return rank
	}
	rank := 0
	for _, a := range reads(in) {
		if rank == f.floor[in] {
			break
		}
		rank = max(rank, f.rank(*a))
	}
	if in.Op != ir.Neg && in.Op != ir.Not {
		rank++
	}
	f.ranks[in] = rank
	return rank
}
