package types

import "metalconform/metalrun/internal/syntax"

// substitute is what an alias template stands for with the arguments as written: a
// pattern to deduce from. ok is false where it has a form that is not taken apart.
func substitute(alias *classTemplate, args []syntax.TemplateArg) (syntax.TypeExpr, bool) {
	s := substitution{}
	for i, p := range alias.tmpl.Params {
		switch {
		case p.Name == "":
			return nil, false
		case p.Variadic:
			s[p.Name] = replacement{rest: args[min(i, len(args)):]}
		case i < len(args):
			s[p.Name] = replacement{TemplateArg: args[i]}
		case p.DefaultType != nil:
			s[p.Name] = replacement{TemplateArg: syntax.TemplateArg{Type: p.DefaultType}}
		case p.Default != nil:
			s[p.Name] = replacement{TemplateArg: syntax.TemplateArg{X: p.Default}}
		}
	}
	return s.typ(alias.alias.Type), true
}

// substitution gives parameters of an alias template their arguments.
type substitution map[string]replacement

// replacement is the argument of one parameter, or the arguments of a pack.
type replacement struct {
	syntax.TemplateArg
	rest []syntax.TemplateArg
}

func (s substitution) typ(x syntax.TypeExpr) syntax.TypeExpr {
	switch x := x.(type) {
	case *syntax.NamedType:
		if a, ok := s[simpleIdent(x.Name)]; ok && a.Type != nil {
			return a.Type
		}
		t := *x
		t.Name = s.name(x.Name)
		return &t
	case *syntax.QualType:
		t := *x
		t.Base = s.typ(x.Base)
		return &t
	case *syntax.PointerType:
		t := *x
		t.Elem = s.typ(x.Elem)
		return &t
	case *syntax.ReferenceType:
		t := *x
		t.Elem = s.typ(x.Elem)
		return &t
	case *syntax.ArrayType:
		t := *x
		t.Elem, t.Len = s.typ(x.Elem), s.expr(x.Len)
		return &t
	}
	return x
}

// simpleIdent is a name of one part without arguments, or "".
func simpleIdent(n *syntax.Name) string {
	if len(n.Parts) != 1 || n.Global || n.Parts[0].HasArgs {
		return ""
	}
	return n.Parts[0].Ident
}

func (s substitution) name(n *syntax.Name) *syntax.Name {
	out := *n
	out.Parts = nil
	for _, p := range n.Parts {
		args := p.Args
		p.Args = nil
		for _, a := range args {
			if a.Pack {
				if pack, ok := s[argIdent(a)]; ok {
					p.Args = append(p.Args, pack.rest...)
					continue
				}
			}
			if a.Type != nil {
				a.Type = s.typ(a.Type)
			} else if replaced, ok := s[exprIdent(a.X)]; ok {
				a.Type, a.X = replaced.Type, replaced.X
			}
			p.Args = append(p.Args, a)
		}
		out.Parts = append(out.Parts, p)
	}
	return &out
}

func (s substitution) expr(x syntax.Expr) syntax.Expr {
	if a, ok := s[exprIdent(x)]; ok && a.X != nil {
		return a.X
	}
	return x
}

func exprIdent(x syntax.Expr) string {
	if n, ok := x.(*syntax.NameExpr); ok {
		return simpleIdent(n.Name)
	}
	return ""
}

// argIdent is the name that a template argument is, or "".
func argIdent(a syntax.TemplateArg) string {
	if n, ok := a.Type.(*syntax.NamedType); ok {
		return simpleIdent(n.Name)
	}
	return exprIdent(a.X)
}
