package fastmath

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// PartialSums split what a loop adds up, or multiplies, into several partial sums that take
// turns, and add them up after it: so do compilers that unroll or vectorise, whether they
// know the number of turns or not.
var PartialSums = &Rule{Name: "partial sums of a loop", around: func(p *pass, l *ir.Loop) (before, after []ir.Node) {
	if leaves(l) {
		return nil, nil
	}
	for _, a := range p.accumulators(l) {
		draw, ok := p.take(a.by)
		if !ok {
			continue
		}
		b, more := p.split(a, 2<<(draw%3))
		before, after = append(before, b...), append(after, more...)
	}
	return before, after
}}

// accumulator is a variable that a loop does nothing with but to add to it.
type accumulator struct {
	variable ir.Reg
	by       *ir.Instr // the sum or product
	last     *ir.Instr // copies it to the variable
	list     *[]ir.Node
}

// leaves reports whether something in a loop leaves more than the loop, so that what stands
// behind it is passed by.
func leaves(l *ir.Loop) bool {
	within := map[ir.Node]bool{l: true}
	found := false
	ir.Walk([]ir.Node{l}, func(n ir.Node) bool {
		within[n] = true
		if e, ok := n.(*ir.Exit); ok {
			found = found || e.Kind == ir.Leave && !within[e.Block] || e.Kind != ir.Leave && !within[e.Loop]
		}
		return !found
	})
	return found
}

// accumulators are those of a loop, in the order in which they are set.
func (p *pass) accumulators(l *ir.Loop) []accumulator {
	reads, sets := map[ir.Reg]int{}, map[ir.Reg]int{}
	for in := range ir.Instrs(l) {
		for _, a := range in.Args {
			reads[a]++
		}
		for _, d := range in.Dst {
			sets[d]++
		}
	}
	var found []accumulator
	var search func(list *[]ir.Node)
	search = func(list *[]ir.Node) {
		for _, n := range *list {
			in, ok := n.(*ir.Instr)
			if ok && in.Op == ir.Copy && sets[in.Dst[0]] == 1 && reads[in.Dst[0]] == 1 &&
				p.k.Regs[in.Dst[0]].Kind == ir.Variable {
				if by := p.accumulates(in, *list); by != nil {
					found = append(found, accumulator{in.Dst[0], by, in, list})
				}
			}
			for _, part := range ir.Parts(n) {
				search(part)
			}
		}
	}
	for _, part := range ir.Parts(l) {
		search(part)
	}
	return found
}

// accumulates is the sum or product that in copies to a variable, if that is the variable's
// value before in the same list, with something added or multiplied, and nobody else sees
// either.
func (p *pass) accumulates(in *ir.Instr, list []ir.Node) *ir.Instr {
	by := p.set(in.Args[0])
	if by == nil || !p.own(in.Args[0]) || !p.typ(in.Dst[0]).IsFloat() {
		return nil
	}
	var operands []Operand
	switch {
	case isSum(by):
		operands = p.terms(by, p.ownSum)
	case isProduct(by):
		operands = p.factors(by)
	}
	i := slices.IndexFunc(operands, func(o Operand) bool {
		c := p.set(o.Reg)
		return c != nil && c.Op == ir.Copy && c.Args[0] == in.Dst[0] && p.own(o.Reg) &&
			slices.Contains(list, ir.Node(c))
	})
	if i < 0 || isSum(by) && operands[i].Minus {
		return nil
	}
	return by
}

// split gives an accumulator so many partial sums.
func (p *pass) split(a accumulator, n int) (before, after []ir.Node) {
	t := p.typ(a.variable)
	op, neutral := ir.Add, 0.0
	if a.by.Op == ir.Mul {
		op, neutral = ir.Mul, 1
	}
	partial := []ir.Reg{a.variable}
	for range n - 1 {
		p.k.Regs = append(p.k.Regs, ir.RegInfo{Kind: ir.Variable, Type: t, Name: p.k.Regs[a.variable].Name})
		partial = append(partial, ir.Reg(len(p.k.Regs)-1))
	}
	set := func(d, r ir.Reg) ir.Node {
		return &ir.Instr{Op: ir.Copy, Pos: a.by.Pos, Dst: []ir.Reg{d}, Args: []ir.Reg{r}}
	}
	zero := p.constant(t, neutral)
	var turn []ir.Node // each takes the place of the one before
	total := a.variable
	for i, r := range partial[1:] {
		before = append(before, set(r, zero))
		held, read, s := p.k.Temporary(t), p.k.Temporary(t), p.k.Temporary(t)
		turn = append(turn, set(held, r), set(partial[i], held))
		if i == 0 {
			first := p.k.Temporary(t)
			after = append(after, set(first, total))
			total = first
		}
		after = append(after, set(read, r),
			&ir.Instr{Op: op, Pos: a.by.Pos, Dst: []ir.Reg{s}, Args: []ir.Reg{total, read}, Allow: a.by.Allow})
		total = s
	}
	at := slices.Index(*a.list, ir.Node(a.last))
	a.last.Dst[0] = partial[n-1]
	*a.list = slices.Insert(*a.list, at, turn...)
	return before, append(after, set(a.variable, total))
}
