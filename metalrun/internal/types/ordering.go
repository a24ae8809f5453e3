package types

import (
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Partial ordering: of two templates that match, the one whose patterns match fewer types
// is the more special one.

// specialises reports whether template a is at least as special as b: each
// parameter type of b, as a pattern, matches that of a.
func (c *checker) specialises(a, b *function) bool {
	m := newMatch(b.decl.Template, a.decl.Template)
	pa, pb := a.decl.Params, b.decl.Params
	defer func() { c.spend(c.at, specialWork+m.work) }()
	for i := range min(len(pa), len(pb)) {
		if pb[i].Variadic {
			return true
		}
		if pa[i].Variadic || !m.typ(stripReference(pb[i].Type), stripReference(pa[i].Type)) {
			return false
		}
	}
	return len(pa) <= len(pb) || !isVariadic(a.decl)
}

func stripReference(x syntax.TypeExpr) syntax.TypeExpr {
	if r, ok := x.(*syntax.ReferenceType); ok {
		return r.Elem
	}
	return x
}

// A match compares patterns that mention x's parameters with types whose own parameters,
// y's, are opaque.
type match struct {
	x, y  *binding
	bound map[int]string // what the parameters of x have become
	work  int            // that this has taken
}

func newMatch(x, y *syntax.Template) *match {
	return &match{newBinding(x, nil), newBinding(y, nil), map[int]string{}, 0}
}

// bind reports whether parameter i of x can become y: whatever it became before.
func (m *match) bind(i int, y syntax.Node) bool {
	var text strings.Builder
	if y == nil || syntax.Fprint(&text, y) != nil {
		return true
	}
	m.work += 2 + text.Len()/bytesPerStep
	if old, ok := m.bound[i]; ok {
		return old == text.String()
	}
	m.bound[i] = text.String()
	return true
}

// typ reports whether pattern x can become y.
func (m *match) typ(x, y syntax.TypeExpr) bool {
	if n, ok := x.(*syntax.NamedType); ok {
		if i := m.x.index(n.Name); i >= 0 {
			return m.bind(i, y)
		}
	}
	switch x := x.(type) {
	case *syntax.QualType:
		q, ok := qualifiedElements(y).(*syntax.QualType)
		if !ok || x.Quals.Const && !q.Quals.Const || x.Quals.Volatile && !q.Quals.Volatile ||
			x.Quals.Space != syntax.NoSpace && x.Quals.Space != q.Quals.Space {
			return false
		}
		return m.typ(x.Base, unqualified(q, x.Quals))
	case *syntax.NamedType:
		n, ok := y.(*syntax.NamedType)
		if !ok || m.y.index(n.Name) >= 0 || nameText(x.Name) != nameText(n.Name) {
			return false
		}
		return m.args(x.Name.Last().Args, n.Name.Last().Args)
	case *syntax.PointerType:
		p, ok := y.(*syntax.PointerType)
		return ok && m.typ(x.Elem, p.Elem)
	case *syntax.ReferenceType:
		r, ok := y.(*syntax.ReferenceType)
		return ok && m.typ(x.Elem, r.Elem)
	case *syntax.ArrayType:
		a, ok := y.(*syntax.ArrayType)
		return ok && m.typ(x.Elem, a.Elem) && m.arg(syntax.TemplateArg{X: x.Len}, syntax.TemplateArg{X: a.Len})
	case *syntax.FuncType:
		f, ok := y.(*syntax.FuncType)
		return ok && m.typ(x.Result, f.Result) && m.params(x.Params, f.Params)
	}
	return true
}

// params reports whether the parameters of a function type can become those of another.
func (m *match) params(x, y []*syntax.Param) bool {
	for i, p := range x {
		if p.Variadic {
			return true
		}
		if i >= len(y) || y[i].Variadic || !m.typ(p.Type, y[i].Type) {
			return false
		}
	}
	return len(x) == len(y)
}

// qualifiedElements is an array of qualified elements as the qualified array that it is, too.
func qualifiedElements(t syntax.TypeExpr) syntax.TypeExpr {
	a, ok := t.(*syntax.ArrayType)
	if !ok {
		return t
	}
	elem, ok := qualifiedElements(a.Elem).(*syntax.QualType)
	if !ok {
		return t
	}
	array, q := *a, *elem
	array.Elem = elem.Base
	q.Base = &array
	return &q
}

// unqualified is the type q without the qualifiers that a pattern has, too.
func unqualified(q *syntax.QualType, pattern syntax.Quals) syntax.TypeExpr {
	rest := *q
	rest.Quals.Const = q.Quals.Const && !pattern.Const
	rest.Quals.Volatile = q.Quals.Volatile && !pattern.Volatile
	if pattern.Space != syntax.NoSpace {
		rest.Quals.Space = syntax.NoSpace
	}
	if rest.Quals == (syntax.Quals{}) {
		return q.Base
	}
	return &rest
}

func (m *match) args(x, y []syntax.TemplateArg) bool {
	for i, a := range x {
		if a.Pack {
			return true
		}
		if i >= len(y) || y[i].Pack || !m.arg(a, y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

func (m *match) arg(x, y syntax.TemplateArg) bool {
	if x.Type != nil {
		return y.Type != nil && m.typ(x.Type, y.Type)
	}
	if n, ok := x.X.(*syntax.NameExpr); ok {
		if i := m.x.index(n.Name); i >= 0 {
			return m.bind(i, y.X)
		}
	}
	n, ok := y.X.(*syntax.NameExpr)
	return !ok || m.y.index(n.Name) < 0
}
