package syntax

import "slices"

// Members of classes that only the checker knows, as X<int>::type::member, where type is a
// template parameter or made from one. Outside of templates such a name may mean a type
// without saying so, and what stands around it tells.

// opaqueBefore reports whether a name that may be a type stands at token i, and text after it.
func (p *parser) opaqueBefore(i int, text string) bool {
	if !p.startsName(i) {
		return false
	}
	n := p.nameAt(i)
	return n.opaque && p.isAt(n.end, text)
}

// opaqueDeclares reports whether the opaque name at token i is the type of what is declared
// after it: a pointer or reference is told from an operator by what ends its declarator.
func (p *parser) opaqueDeclares(i int) bool {
	if !p.startsName(i) || !p.nameAt(i).opaque {
		return false
	}
	end := p.nameAt(i).end
	j := p.skipPointers(end)
	if p.kindAt(j) != Ident || j == end {
		return p.kindAt(j) == Ident
	}
	return slices.ContainsFunc([]string{"=", ";", ",", "[", "{", ")"},
		func(text string) bool { return p.isAt(j+1, text) })
}

// isOpaqueCast reports whether the parenthesis at token i encloses an opaque name ahead of an
// operand that nothing else could stand before.
func (p *parser) isOpaqueCast(i int) bool {
	if !p.opaqueBefore(i+1, ")") {
		return false
	}
	j := p.nameAt(i+1).end + 1
	switch p.kindAt(j) {
	case Ident, Int, Float, Char:
		return true
	}
	return p.isAt(j, "(") || p.isAt(j, "~") || p.isAt(j, "!") || p.isAt(j, "{") || p.isAt(j, "true") ||
		p.isAt(j, "false")
}
