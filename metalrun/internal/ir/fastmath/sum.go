package fastmath

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// anyOrder are the flags for another order of a sum or a product: LLVM wants both flags,
// because in another order a zero may have another sign.
const anyOrder = ir.Reassociate | ir.NoSignedZeros

// mostOperands bounds the sums and products that are taken as a whole.
const mostOperands = 64

// Sums are added in another order: all of one expression, or of several statements, whose
// partial sums nobody else reads. Where products may fuse with sums, the order of two
// products decides which is rounded.
var Sums = &Rule{Name: "order of a sum", at: func(p *pass, in *ir.Instr) {
	if !p.root(in, isSum) {
		return
	}
	switch terms := p.terms(in, p.ownSum); {
	case len(terms) > 2:
		p.arrange(in, terms, sum)
	case p.fusesEither(in, terms):
		if _, ok := p.take(in); ok {
			p.exchange(in, terms[0], terms[1])
		}
	}
}}

// isSum reports whether in adds, and its flags allow any order.
func isSum(in *ir.Instr) bool {
	return in != nil && (in.Op == ir.Add || in.Op == ir.Sub || in.Op == ir.Neg) && may(anyOrder, in)
}

// root reports whether in is of a kind, of floats, and no part of another of that kind.
func (p *pass) root(in *ir.Instr, kind func(*ir.Instr) bool) bool {
	return kind(in) && p.typ(in.Dst[0]).IsFloat() && !kind(p.reader[in.Dst[0]])
}

// ownSum is the sum that r is, if its only reader is another.
func (p *pass) ownSum(r ir.Reg) *ir.Instr {
	if in := p.source(r); isSum(in) && p.own(r) && p.own(in.Dst[0]) {
		return in
	}
	return nil
}

// anySum is the sum that r is.
func (p *pass) anySum(r ir.Reg) *ir.Instr {
	if in := p.source(r); isSum(in) {
		return in
	}
	return nil
}

// terms are what in adds up, through the sums that within finds.
func (p *pass) terms(in *ir.Instr, within func(ir.Reg) *ir.Instr) []Operand {
	var list []Operand
	var add func(in *ir.Instr, minus bool)
	add = func(in *ir.Instr, minus bool) {
		for i, r := range in.Args {
			m := minus != (in.Op == ir.Neg || in.Op == ir.Sub && i == 1)
			if inner := within(r); inner != nil && len(list) < mostOperands {
				add(inner, m)
			} else {
				list = append(list, Operand{r, m})
			}
		}
	}
	add(in, false)
	return list
}

// fusesEither reports whether two products are summed, either of which the sum may swallow.
func (p *pass) fusesEither(in *ir.Instr, terms []Operand) bool {
	return len(terms) == 2 && may(ir.ContractFast, in, p.is(terms[0].Reg, ir.ContractFast, ir.Mul),
		p.is(terms[1].Reg, ir.ContractFast, ir.Mul))
}

// exchange makes in the sum of two terms in the other order.
func (p *pass) exchange(in *ir.Instr, a, b Operand) {
	for _, o := range []*Operand{&a, &b} {
		if o.Minus {
			o.Reg = p.emit(in, ir.Neg, p.typ(o.Reg), o.Reg)
		}
	}
	become(in, ir.Add, b.Reg, a.Reg)
}

// joint combines two operands of a sum or a product.
type joint func(p *pass, in *ir.Instr, a, b Operand) (op ir.Op, args []ir.Reg, minus bool)

func sum(_ *pass, _ *ir.Instr, a, b Operand) (op ir.Op, args []ir.Reg, minus bool) {
	switch {
	case a.Minus == b.Minus:
		return ir.Add, []ir.Reg{a.Reg, b.Reg}, a.Minus
	case a.Minus:
		return ir.Sub, []ir.Reg{b.Reg, a.Reg}, false
	}
	return ir.Sub, []ir.Reg{a.Reg, b.Reg}, false
}

func product(_ *pass, _ *ir.Instr, a, b Operand) (op ir.Op, args []ir.Reg, minus bool) {
	return ir.Mul, []ir.Reg{a.Reg, b.Reg}, a.Minus != b.Minus
}

// arrange combines operands in an order that is drawn, if it is to.
func (p *pass) arrange(in *ir.Instr, operands []Operand, join joint) {
	if draw, ok := p.take(in); ok {
		p.combine(in, operands, drawn(draw, len(operands)), join)
	}
}

// combine makes in the combination of operands in the order of the pairs.
func (p *pass) combine(in *ir.Instr, operands []Operand, pairs [][2]int, join joint) {
	operands = slices.Clone(operands)
	t := p.typ(in.Dst[0])
	for n, pair := range pairs {
		op, args, minus := join(p, in, operands[pair[0]], operands[pair[1]])
		if n == len(pairs)-1 && !minus {
			become(in, op, args...)
			return
		}
		operands[pair[0]] = Operand{p.emit(in, op, t, args...), minus}
	}
	last := operands[0]
	if len(pairs) > 0 {
		last = operands[pairs[len(pairs)-1][0]]
	}
	if last.Minus {
		become(in, ir.Neg, last.Reg)
	} else {
		become(in, ir.Copy, last.Reg)
	}
}

// inTurn are the pairs that combine n operands from the first to the last.
func inTurn(n int) [][2]int {
	var pairs [][2]int
	for i := 1; i < n; i++ {
		pairs = append(pairs, [2]int{0, i})
	}
	return pairs
}

// drawn is an order that a draw says: in turn from the last, pairs of neighbours, halves
// apart as vector lanes are, or in turn in any order.
func drawn(draw uint64, n int) [][2]int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	switch draw % 4 {
	case 0:
		slices.Reverse(order)
	case 1:
		return folded(n, 1)
	case 2:
		return folded(n, (n+1)/2)
	default:
		for i := n - 1; i > 0; i-- {
			draw = draw*6364136223846793005 + 1442695040888963407
			j := int(draw >> 33 % uint64(i+1))
			order[i], order[j] = order[j], order[i]
		}
	}
	var pairs [][2]int
	for _, i := range order[1:] {
		pairs = append(pairs, [2]int{order[0], i})
	}
	return pairs
}

// folded combines operands that are so far apart, again and again.
func folded(n, apart int) [][2]int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	var pairs [][2]int
	for len(left) > 1 {
		if apart > 1 {
			apart = (len(left) + 1) / 2
		}
		var next []int
		for i := range left {
			switch {
			case apart == 1 && i%2 == 0 && i+1 < len(left), apart > 1 && i+apart < len(left):
				pairs = append(pairs, [2]int{left[i], left[i+apart]})
				next = append(next, left[i])
			case apart == 1 && i%2 == 0, apart > 1 && i < apart:
				next = append(next, left[i])
			}
		}
		left = next
	}
	return pairs
}
