package syntax

import (
	"fmt"
)

// typ writes a type round a declarator's core: nil for none.
func (p *printer) typ(t TypeExpr, core func()) {
	p.base(t)
	p.declarator(t, core)
}

// base writes the specifiers of t: what stands before its declarator.
func (p *printer) base(t TypeExpr) {
	switch t := baseOf(t).(type) {
	case *QualType:
		p.quals("", t.Quals, " ")
		p.base(t.Base)
	case *NamedType:
		if t.Keyword != "" {
			p.write(t.Keyword, " ")
		}
		p.name(t.Name)
	case *AutoType:
		if t.Decltype {
			p.write("decltype(auto)")
		} else {
			p.write("auto")
		}
	case *DecltypeType:
		if t.Underlying {
			p.write("__underlying_type(")
			p.typ(t.X.(*ConstructExpr).Type, nil)
			p.write(")")
			return
		}
		p.write([]string{"decltype(", "__typeof__("}[b2i(t.Object)])
		p.brackets(func() { p.expr(t.X, 0) })
		p.write(")")
	case *DefinedType:
		switch d := t.Decl.(type) {
		case *StructDecl:
			p.record(d)
		case *EnumDecl:
			p.enum(d)
		default:
			panic(fmt.Sprintf("syntax: type defined by %T", d))
		}
	default:
		panic(fmt.Sprintf("syntax: unknown type %T", t))
	}
}

// baseOf is the part of t that specifiers express.
func baseOf(t TypeExpr) TypeExpr {
	for {
		e := elem(t)
		if e == nil {
			return t
		}
		t = e
	}
}

// elem is the type that a declarator builds t from; nil if t is written by
// specifiers alone.
func elem(t TypeExpr) TypeExpr {
	switch t := t.(type) {
	case *QualType:
		if elem(t.Base) != nil {
			return t.Base
		}
	case *PointerType:
		return t.Elem
	case *ReferenceType:
		return t.Elem
	case *ArrayType:
		return t.Elem
	case *FuncType:
		return t.Result
	}
	return nil
}

// declarator writes the declarator of t round core.
func (p *printer) declarator(t TypeExpr, core func()) {
	var layers []TypeExpr // from the core outwards
	for e := elem(t); e != nil; t, e = e, elem(e) {
		layers = append(layers, t)
	}
	if core == nil && len(layers) == 0 {
		return
	}
	p.write(" ")
	for i := len(layers) - 1; i >= 0; i-- {
		switch l := layers[i].(type) {
		case *PointerType:
			p.openNested(layers, i)
			p.write("*")
			if i > 0 {
				if q, ok := layers[i-1].(*QualType); ok {
					p.quals("", q.Quals, "")
					if i > 1 || core != nil {
						p.write(" ")
					}
				}
			}
		case *ReferenceType:
			p.openNested(layers, i)
			p.write("&")
			if l.RValue {
				p.write("&")
			}
		}
	}
	if core != nil {
		core()
	}
	for i, l := range layers {
		switch l := l.(type) {
		case *ArrayType:
			p.write("[")
			if l.Len != nil {
				p.brackets(func() { p.expr(l.Len, 0) })
			}
			p.write("]")
		case *FuncType:
			p.params(l.Params)
		case *PointerType, *ReferenceType:
			if isNestedLayer(layers, i) {
				p.write(")")
			}
		}
	}
}

// isNestedLayer reports whether the pointer layer i needs parentheses: what it points to is written after it.
func isNestedLayer(layers []TypeExpr, i int) bool {
	if i+1 == len(layers) {
		return false
	}
	switch layers[i+1].(type) {
	case *ArrayType, *FuncType:
		return true
	}
	return false
}

func (p *printer) openNested(layers []TypeExpr, i int) {
	if isNestedLayer(layers, i) {
		p.write("(")
	}
}

// quals writes qualifiers separated by spaces, between before and after if
// there are any.
func (p *printer) quals(before string, q Quals, after string) {
	if q == (Quals{}) {
		return
	}
	sep := before
	for _, x := range []struct {
		set  bool
		word string
	}{
		{q.Space != NoSpace, q.Space.String()}, {q.Coherent, "coherent(device)"}, {q.Const, "const"},
		{q.Volatile, "volatile"}, {q.Restrict, "__restrict"},
	} {
		if x.set {
			p.write(sep, x.word)
			sep = " "
		}
	}
	p.write(after)
}

func (p *printer) name(n *Name) {
	if n.Global {
		p.write("::")
	}
	for i := range n.Parts {
		part := &n.Parts[i]
		if i > 0 {
			p.write("::")
		}
		if part.Template {
			p.write("template ")
		}
		p.write(part.Ident)
		if part.Decltype != nil {
			p.write("(")
			p.brackets(func() { p.expr(part.Decltype, 0) })
			p.write(")")
		}
		if part.Conversion != nil {
			p.write(" ")
			p.typ(part.Conversion, nil)
		}
		if part.Trait {
			p.write("(")
			list(p, part.Args, p.templateArg)
			p.write(")")
			continue
		}
		if part.HasArgs {
			p.write("<")
			saved := p.noGreater
			p.noGreater = true
			list(p, part.Args, p.templateArg)
			p.noGreater = saved
			p.write(">")
		}
	}
}

func (p *printer) templateArg(a TemplateArg) {
	if a.Type != nil {
		p.typ(a.Type, nil)
	} else {
		p.expr(a.X, precConditional)
	}
	if a.Pack && a.Type == nil {
		p.write(" ")
	}
	if a.Pack {
		p.write("...")
	}
}
