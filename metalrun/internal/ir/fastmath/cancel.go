package fastmath

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// Cancelling adds up the terms of a sum that are multiples of one value: (a + b) − a is b, and
// so what a compensated sum takes for the rounding error is 0. Sums are looked through
// although others read them too.
var Cancelling = &Rule{Name: "cancelling of terms in a sum", at: func(p *pass, in *ir.Instr) {
	if !isSum(in) || in.Op == ir.Neg || !p.typ(in.Dst[0]).IsFloat() {
		return
	}
	terms := p.terms(in, p.anySum)
	left, ok := p.collect(terms)
	if !ok || len(left) >= len(terms) || len(left) == 0 && len(terms) == 2 && !may(ir.NoNaNs, in) {
		return
	}
	if _, ok := p.take(in); ok {
		p.total(in, left)
	}
}}

// multiple is a term: a coefficient times a value, or alone, of the value 1.
type multiple struct {
	coefficient float64
	of          ir.Reg // None: 1
	term        Operand
	alone       bool // no other term was added to it
}

// collect adds up terms that are multiples of one value, in the order of the first of each.
// ok is false if a coefficient is no number of the type.
func (p *pass) collect(terms []Operand) (left []multiple, ok bool) {
	index := map[int]int{} // of the multiple of each value
	for _, t := range terms {
		m := p.multiple(t)
		id := -1
		if m.of != ir.None {
			id = p.id(m.of)
		}
		if i, met := index[id]; met {
			left[i].coefficient += m.coefficient
			left[i].alone = false
		} else {
			index[id] = len(left)
			left = append(left, m)
		}
	}
	left = slices.DeleteFunc(left, func(m multiple) bool { return m.coefficient == 0 && !m.alone })
	f := p.typ(terms[0].Reg).Format()
	for _, m := range left {
		if c := m.coefficient; m.of != ir.None && float64(f.Round(c)) != c || math.IsInf(c, 0) || c != c {
			return nil, false
		}
	}
	return left, true
}

// multiple takes a term apart: a literal, a product with one, or anything once.
func (p *pass) multiple(t Operand) multiple {
	sign := 1.0
	if t.Minus {
		sign = -1
	}
	if x, ok := p.literal(t.Reg); ok {
		return multiple{sign * x, ir.None, t, true}
	}
	if m := p.is(t.Reg, anyOrder, ir.Mul); m != nil {
		for i, r := range m.Args {
			if x, ok := p.literal(r); ok {
				return multiple{sign * x, m.Args[1-i], t, true}
			}
		}
	}
	return multiple{sign, t.Reg, t, true}
}

// total makes in the sum of multiples.
func (p *pass) total(in *ir.Instr, left []multiple) {
	t := p.typ(in.Dst[0])
	var terms []Operand
	for _, m := range left {
		switch c := math.Abs(m.coefficient); {
		case m.alone:
			terms = append(terms, m.term)
		case m.of == ir.None:
			terms = append(terms, Operand{p.constant(t, m.coefficient), false})
		case c == 1:
			terms = append(terms, Operand{m.of, m.coefficient < 0})
		default:
			terms = append(terms, Operand{p.emit(in, ir.Mul, t, m.of, p.constant(t, c)), m.coefficient < 0})
		}
	}
	if terms == nil {
		terms = []Operand{{p.constant(t, 0), false}}
	}
	p.combine(in, terms, inTurn(len(terms)), sum)
}

// Ratios of a value to itself are 1: x/x, and x·y/y is x.
var Ratios = &Rule{Name: "cancelling of factors in a quotient", at: func(p *pass, in *ir.Instr) {
	switch {
	case in.Op == ir.Div && may(ir.NoNaNs, in) && p.same(in.Args[0], in.Args[1]):
		if _, ok := p.take(in); ok {
			become(in, ir.Copy, p.constant(p.typ(in.Dst[0]), 1))
		}
	case in.Op == ir.Div && may(ir.NoNaNs|ir.Reassociate, in):
		p.cancel(in, p.is(in.Args[0], ir.Reassociate, ir.Mul), in.Args[1])
	case in.Op == ir.Mul && may(ir.NoNaNs|ir.Reassociate, in):
		for i, r := range in.Args {
			if q := p.is(r, ir.Reassociate|ir.Reciprocal, ir.Div); q != nil && p.same(q.Args[1], in.Args[1-i]) {
				if _, ok := p.take(in); ok {
					become(in, ir.Copy, q.Args[0])
				}
				return
			}
		}
	}
}}

// cancel makes the quotient of a product by one of its factors the other factor.
func (p *pass) cancel(in, m *ir.Instr, by ir.Reg) {
	if m == nil {
		return
	}
	for i, r := range m.Args {
		if p.same(r, by) {
			if _, ok := p.take(in); ok {
				become(in, ir.Copy, m.Args[1-i])
			}
			return
		}
	}
}

// Zeros leave out what adds or multiplies nothing but the sign of a zero: x + 0 is x, 0 − x
// is −x, x·0 and 0/x are 0.
var Zeros = &Rule{Name: "leaving out of a zero", at: func(p *pass, in *ir.Instr) {
	if !may(ir.NoSignedZeros, in) || len(in.Args) != 2 || !p.typ(in.Args[0]).IsFloat() {
		return
	}
	x, y := in.Args[0], in.Args[1]
	left, right := p.equals(x, 0), p.equals(y, 0)
	nought := may(ir.NoNaNs, in)
	switch {
	case in.Op == ir.Add && left:
		p.becomes(in, ir.Copy, y)
	case (in.Op == ir.Add || in.Op == ir.Sub) && right:
		p.becomes(in, ir.Copy, x)
	case in.Op == ir.Sub && left:
		p.becomes(in, ir.Neg, y)
	case nought && in.Op == ir.Mul && (left || right), nought && in.Op == ir.Div && left:
		p.becomes(in, ir.Copy, p.constant(p.typ(x), 0))
	}
}}

// becomes makes in another operation, if the chooser has it so.
func (p *pass) becomes(in *ir.Instr, op ir.Op, args ...ir.Reg) {
	if _, ok := p.take(in); ok {
		become(in, op, args...)
	}
}
