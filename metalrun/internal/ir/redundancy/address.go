package redundancy

import (
	"cmp"
	"encoding/binary"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// sum is a value as a sum of multiples of other values.
type sum struct {
	terms []term // by value
	plus  int64
}

type term struct {
	id     int
	factor int64
}

// A sum has at most mostTerms. Of a longer one, and of a signed index that is one of more than mostLiterals literals, a
// part is a term.
const mostTerms, mostLiterals = 16, 16

// addressOf is the sum of an address: its terms as a text, and its constant.
func (n *numbering) addressOf(m *ir.Mem) (terms string, plus int64) {
	all := n.sumOf(n.read(m.Base))
	if m.Index != ir.None {
		all = all.with(n.indexSum(n.read(m.Index), m.IndexSigned), m.Scale)
	}
	text := []byte{byte(m.Space)}
	for _, t := range all.terms {
		text = binary.AppendVarint(text, int64(t.id))
		text = binary.AppendVarint(text, t.factor)
	}
	return string(text), all.plus + m.Disp
}

// sumOf is a value of 64 bits as a sum.
func (n *numbering) sumOf(v *value) sum {
	if v.sum == nil {
		s := n.newSum(v)
		if len(s.terms) > mostTerms {
			s = sum{terms: []term{{v.id, 1}}}
		}
		v.sum = &s
	}
	return *v.sum
}

func (n *numbering) newSum(v *value) sum {
	alone := sum{terms: []term{{v.id, 1}}}
	switch {
	case v.literal:
		return sum{plus: int64(v.bits)}
	case v.of == nil:
		return alone
	}
	args := v.of.args
	switch v.of.in.Op {
	case ir.Convert:
		if args[0].typ == ir.I32 && v.typ == ir.I64 {
			return n.indexSum(args[0], v.of.in.From == ir.S32)
		}
	case ir.Add, ir.PtrAdd:
		return n.sumOf(args[0]).with(n.sumOf(args[1]), 1)
	case ir.Sub:
		return n.sumOf(args[0]).with(n.sumOf(args[1]), -1)
	case ir.Mul:
		for i, a := range args {
			if a.literal {
				return sum{}.with(n.sumOf(args[1-i]), int64(a.bits))
			}
		}
	case ir.Shl:
		if args[1].literal && args[1].bits < 63 {
			return sum{}.with(n.sumOf(args[0]), 1<<args[1].bits)
		}
	}
	return alone
}

// indexSum is an index as a sum of 64 bits.
func (n *numbering) indexSum(v *value, signed bool) sum {
	switch {
	case v.typ != ir.I32:
		return n.sumOf(v)
	case signed:
		return n.signedSum(v)
	case v.literal:
		return sum{plus: int64(uint32(v.bits))}
	}
	return sum{terms: []term{{wideTerm(v, false), 1}}}
}

// signedSum is a signed value of 32 bits as a sum in 64: signed integers do not overflow.
func (n *numbering) signedSum(v *value) sum {
	plus := int64(0)
	for range mostLiterals {
		if v.literal || v.of == nil || len(v.of.args) != 2 || !v.of.args[1].literal {
			break
		}
		literal := int64(int32(v.of.args[1].bits))
		if v.of.in.Op == ir.Sub {
			literal = -literal
		} else if v.of.in.Op != ir.Add {
			break
		}
		v, plus = v.of.args[0], plus+literal
	}
	if v.literal {
		return sum{plus: plus + int64(int32(v.bits))}
	}
	return sum{terms: []term{{wideTerm(v, true), 1}}, plus: plus}
}

// wideTerm is the number of the term for a value of 32 bits in 64. Values of 64 bits have positive numbers.
func wideTerm(v *value, signed bool) int {
	if signed {
		return -2 * v.id
	}
	return -2*v.id - 1
}

// with is a sum and a multiple of another one.
func (s sum) with(other sum, factor int64) sum {
	out := sum{plus: s.plus + other.plus*factor}
	out.terms = slices.Clone(s.terms)
	for _, t := range other.terms {
		t.factor *= factor
		i, found := slices.BinarySearchFunc(out.terms, t, func(a, b term) int { return cmp.Compare(a.id, b.id) })
		if found {
			if out.terms[i].factor += t.factor; out.terms[i].factor == 0 {
				out.terms = slices.Delete(out.terms, i, i+1)
			}
		} else {
			out.terms = slices.Insert(out.terms, i, t)
		}
	}
	return out
}
