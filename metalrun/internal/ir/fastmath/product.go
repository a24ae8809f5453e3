package fastmath

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// Products are multiplied in another order. Where literals are far from 1, it is the large ones first and
// the small ones last, or the reverse: that is the way out of the range.
var Products = &Rule{Name: "order of a product", at: func(p *pass, in *ir.Instr) {
	if !p.root(in, isProduct) {
		return
	}
	factors := p.factors(in)
	if len(factors) < 3 {
		return
	}
	if !slices.ContainsFunc(factors, func(o Operand) bool { return p.farFromOne(o.Reg) != 0 }) {
		p.arrange(in, factors, product)
		return
	}
	if draw, ok := p.take(in); ok {
		slices.SortStableFunc(factors, func(a, b Operand) int { return p.farFromOne(b.Reg) - p.farFromOne(a.Reg) })
		if draw%4 == 0 {
			slices.Reverse(factors)
		}
		p.combine(in, factors, inTurn(len(factors)), product)
	}
}}

// farFromOne is 1 for a literal far above 1, −1 for one far below, and otherwise 0.
func (p *pass) farFromOne(r ir.Reg) int {
	x, ok := p.literal(r)
	switch size := math.Abs(x); {
	case ok && size > 0x1p30 && size-size == 0:
		return 1
	case ok && size < 0x1p-30 && size != 0:
		return -1
	}
	return 0
}

func isProduct(in *ir.Instr) bool { return in != nil && in.Op == ir.Mul && may(anyOrder, in) }

// ownProduct is the product that r is, if its only reader is another operation.
func (p *pass) ownProduct(r ir.Reg) *ir.Instr {
	if in := p.source(r); isProduct(in) && p.own(r) && p.own(in.Dst[0]) {
		return in
	}
	return nil
}

// factors are what in multiplies, through products that nobody else reads, and negations.
func (p *pass) factors(in *ir.Instr) []Operand {
	var list []Operand
	for _, r := range in.Args {
		minus := false
		for neg := p.is(r, anyOrder, ir.Neg); neg != nil; neg = p.is(r, anyOrder, ir.Neg) {
			r, minus = neg.Args[0], !minus
		}
		inner := []Operand{{Reg: r}}
		if m := p.ownProduct(r); m != nil && len(list) < mostOperands {
			inner = p.factors(m)
		}
		inner[0].Minus = inner[0].Minus != minus
		list = append(list, inner...)
	}
	return list
}

// Factoring takes the factor that most products of a sum share out of them: a·b + a·c is
// a·(b + c).
var Factoring = &Rule{Name: "factoring of a sum", at: func(p *pass, in *ir.Instr) {
	if !p.root(in, isSum) {
		return
	}
	terms := p.terms(in, p.ownSum)
	common, ok := p.commonFactor(terms)
	if !ok {
		return
	}
	if _, ok = p.take(in); !ok {
		return
	}
	var others, cofactors []Operand
	for _, t := range terms {
		if m, i := p.hasFactor(t.Reg, common); m != nil {
			cofactors = append(cofactors, Operand{m.Args[1-i], t.Minus})
		} else {
			others = append(others, t)
		}
	}
	within := &ir.Instr{Pos: in.Pos, Dst: []ir.Reg{p.k.Temporary(p.typ(in.Dst[0]))}, Allow: in.Allow}
	p.combine(within, cofactors, inTurn(len(cofactors)), sum)
	p.out = append(p.out, within)
	if others == nil {
		become(in, ir.Mul, common, within.Dst[0])
		return
	}
	m := p.emit(in, ir.Mul, p.typ(in.Dst[0]), common, within.Dst[0])
	p.combine(in, append(others, Operand{Reg: m}), inTurn(len(others)+1), sum)
}}

// commonFactor is the factor that most of the terms have, if several have one.
func (p *pass) commonFactor(terms []Operand) (common ir.Reg, ok bool) {
	most, count := 1, map[int]int{}
	for _, t := range terms {
		m := p.ownProduct(t.Reg)
		if m == nil {
			continue
		}
		for i, r := range m.Args {
			if i == 1 && p.same(r, m.Args[0]) {
				continue
			}
			id := p.id(r)
			if count[id]++; count[id] > most {
				common, most = r, count[id]
			}
		}
	}
	return common, most > 1
}

// hasFactor is the product that r is, if it has a factor, and which it is.
func (p *pass) hasFactor(r, factor ir.Reg) (m *ir.Instr, i int) {
	if m = p.ownProduct(r); m != nil {
		for i, r := range m.Args {
			if p.same(r, factor) {
				return m, i
			}
		}
	}
	return nil, 0
}

// Distributing multiplies the terms of a sum of which one is a literal, where that saves an operation:
// (a + 2)·3 is a·3 + 6, and (a + 1)·b is a·b + b, for a later fma, unless b may be infinite. That is
// all that LLVM distributes (InstCombine's foldFMulReassoc, DAGCombiner's
// visitFMULForFMADistributiveCombine): (a − b)·c stays, so that a scaled difference is one of
// neighbours, not of large products.
var Distributing = &Rule{Name: "distributing of a product", at: func(p *pass, in *ir.Instr) {
	if !isProduct(in) || !p.typ(in.Dst[0]).IsFloat() {
		return
	}
	for i, r := range in.Args {
		s := p.ownSum(r)
		if s == nil || s.Op == ir.Neg || !p.distributes(s, in, in.Args[1-i]) {
			continue
		}
		if _, ok := p.take(in); ok {
			become(in, s.Op, p.times(in, s.Args[0], in.Args[1-i]), p.times(in, s.Args[1], in.Args[1-i]))
		}
		return
	}
}}

// distributes reports whether the sum s times a factor saves an operation as a sum of products.
func (p *pass) distributes(s, product *ir.Instr, factor ir.Reg) bool {
	for _, r := range s.Args {
		if p.number(r) && p.number(factor) || p.unit(r) && may(ir.NoInfs, product) {
			return true
		}
	}
	return false
}

// times is the product of r and a factor, for an operation of the type of in.
func (p *pass) times(in *ir.Instr, r, factor ir.Reg) ir.Reg {
	t := p.typ(in.Dst[0])
	switch x, ok := p.literal(r); {
	case ok && x == 1:
		return factor
	case ok && x == -1:
		return p.emit(in, ir.Neg, t, factor)
	}
	return p.emit(in, ir.Mul, t, r, factor)
}

// number reports whether r is a finite literal.
func (p *pass) number(r ir.Reg) bool {
	x, ok := p.literal(r)
	return ok && x-x == 0
}

// unit reports whether r is the literal 1 or −1.
func (p *pass) unit(r ir.Reg) bool {
	x, ok := p.literal(r)
	return ok && (x == 1 || x == -1)
}

// Fusing swallows a product that others read too, which so is rounded for them alone: then
// x − floor(x) of a product x may lie outside of [0, 1). What no others read, [ir.Contract]
// fuses.
var Fusing = &Rule{Name: "fusing of a product that others read", at: func(p *pass, in *ir.Instr) {
	if in.Op != ir.Add && in.Op != ir.Sub || !may(ir.ContractFast, in) {
		return
	}
	for i, r := range in.Args {
		m := p.is(r, ir.ContractFast, ir.Mul)
		if m == nil || p.own(r) || p.same(r, in.Args[1-i]) {
			continue
		}
		if _, ok := p.take(in); ok {
			t, x, z := p.typ(in.Dst[0]), m.Args[0], in.Args[1-i]
			switch {
			case in.Op == ir.Sub && i == 0:
				z = p.emit(in, ir.Neg, t, z)
			case in.Op == ir.Sub:
				x = p.emit(in, ir.Neg, t, x)
			}
			become(in, ir.FMA, x, m.Args[1], z)
		}
		return
	}
}}
