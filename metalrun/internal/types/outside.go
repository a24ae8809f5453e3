package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Members that are defined, or specialised, outside of their class.

// outsideMember is the definition of a member outside of its class template.
type outsideMember struct {
	decl *syntax.FuncDecl
	definitionPoint
}

// outsideDefinition is "T S::f(…) { … }", with template heads where S or f is a template.
func (c *checker) outsideDefinition(d *syntax.FuncDecl) {
	if slices.ContainsFunc(append(slices.Clone(d.Outer), d.Template), isHead) {
		c.outsideTemplate(d)
		return
	}
	q, ok := c.qualify(d.Name)
	if !ok || q.scope == nil {
		c.errorf(d.Pos(), codeUndeclared, "no namespace or type named %s", qualifierText(d.Name))
		return
	}
	set := c.memberSet(q.scope, d)
	if set == nil {
		return
	}
	if d.Template != nil && slices.ContainsFunc(set.list, (*function).isTemplate) && c.specialisesMember(set, d) {
		return
	}
	f := &function{name: set.name, decl: d, def: d, scope: q.scope, owner: q.scope.str}
	r := &routine{of: f, decl: d, def: d, scope: q.scope}
	if !c.readSignature(r) {
		return
	}
	old := c.sameFunction(set, r)
	switch {
	case old == nil:
		c.unmatched(d)
	case d.Template != nil: // "template <>": what this instance of the class does instead
		if old.state != bodyUnchecked {
			c.errorf(d.Pos(), codeSpecialisation, "%s is specialised after it has been used", old.fn.Name)
			return
		}
		old.def, old.of.def, old.special = d, d, true
		old.of.definitionPoint = c.here()
		if old.def.Body != nil {
			c.ensureBody(old, d.Pos())
		}
	default:
		c.redeclare(old, r)
	}
}

// specialisesMember records "template <> R S::f(…) { … }" if it specialises a member template.
func (c *checker) specialisesMember(set *funcSet, d *syntax.FuncDecl) bool {
	var targs []templateArg
	if name := d.Name.Last(); name.HasArgs {
		var ok bool
		if targs, ok = c.templateArgs(name); !ok {
			return true
		}
	}
	if f, _ := c.specialised(set, targs, d); f == nil {
		return false
	}
	c.specialise(set, d)
	return true
}

// memberSet is the functions of the name of d in a scope, nil after an error.
func (c *checker) memberSet(s *scope, d *syntax.FuncDecl) *funcSet {
	last := d.Name.Last()
	set, ok := s.names[last.Ident].(*funcSet)
	if s.kind == structScope {
		switch {
		case last.Conversion != nil:
			set, ok = &funcSet{name: "operator", list: s.str.convs}, true
		case !ok && last.Ident == lastPart(bare(s.str.typ.Name)):
			set, ok = &funcSet{name: last.Ident, list: s.str.ctors}, true
		}
	}
	if !ok {
		c.unmatched(d)
		return nil
	}
	return set
}

// outsideTemplate records the definition of a member of a class template, or of a member
// template, for the instances to find.
func (c *checker) outsideTemplate(d *syntax.FuncDecl) {
	members, nested := c.nestedMembers(d.Name)
	var ent entity
	if !nested {
		var ok bool
		if ent, ok = c.owner(d.Name); !ok {
			c.errorf(d.Pos(), codeUndeclared, "no namespace or type named %s", qualifierText(d.Name))
			return
		}
	}
	switch e := ent.(type) {
	case *classTemplate:
		if e.decl == nil {
			break
		}
		members = e.decl.Members
		for _, s := range e.special {
			if args := d.Name.Parts[len(d.Name.Parts)-2].Args; sameSpecial(s, classHead(d), args) {
				members = s.decl.Members
			}
		}
	case *typeEntity:
		if s, isStruct := e.q.typ.(*hir.Struct); isStruct && c.structs[s] != nil {
			members = c.structs[s].decl.Members
		}
	}
	for _, m := range members {
		if f, ok := m.(*syntax.FuncDecl); ok && declares(f, d) && (nested || hasHeads(f, d)) {
			if f.Body != nil || c.outside[f].decl != nil {
				continue
			}
			c.outside[f] = outsideMember{d, c.here()}
			return
		}
	}
	c.unmatched(d)
}

// unmatched reports a definition of a member that nothing declares.
func (c *checker) unmatched(d *syntax.FuncDecl) {
	c.errorf(d.Name.Last().Pos, codeUndeclared, "out-of-line definition of '%s' does not match any declaration in '%s'",
		d.Name.Last().Ident, qualifierText(d.Name))
}

// nestedMembers are the members of a class in a class template, which have no scope before
// that is used.
func (c *checker) nestedMembers(n *syntax.Name) (members []syntax.Decl, nested bool) {
	for k := 1; k < len(n.Parts)-1; k++ {
		outer := *n
		outer.Parts = n.Parts[:k+1]
		var ent entity
		c.attempt(func() { ent, _ = c.owner(&outer) })
		t, ok := ent.(*classTemplate)
		if !ok || t.decl == nil {
			continue
		}
		members := t.decl.Members
		for _, part := range n.Parts[k : len(n.Parts)-1] {
			i := slices.IndexFunc(members, func(m syntax.Decl) bool {
				s, ok := m.(*syntax.StructDecl)
				return ok && s.Body && s.Name != nil && simpleIdent(s.Name) == part.Ident
			})
			if i < 0 {
				return nil, false
			}
			members = members[i].(*syntax.StructDecl).Members
		}
		return members, true
	}
	return nil, false
}

// owner is what the last but one part of a name denotes, without its template arguments.
func (c *checker) owner(n *syntax.Name) (entity, bool) {
	k := len(n.Parts) - 2
	outer := *n
	outer.Parts = slices.Clone(n.Parts[:k+1])
	outer.Parts[k].HasArgs, outer.Parts[k].Args = false, nil
	ent, _, ok := c.resolve(&outer)
	return ent, ok && ent != nil
}

// isHead reports whether a template head has parameters.
func isHead(t *syntax.Template) bool { return t != nil && len(t.Params) > 0 }

// classHead is the template head of the class of a member that is defined outside.
func classHead(d *syntax.FuncDecl) *syntax.Template {
	for _, t := range slices.Backward(d.Outer) {
		if isHead(t) {
			return t
		}
	}
	return d.Template
}

// declares reports whether member m looks like what d defines. Overloads of one number of
// parameters are told apart by how their types are written.
func declares(m, d *syntax.FuncDecl) bool {
	ml, dl := m.Name.Last(), d.Name.Last()
	if ml.Ident != dl.Ident || (ml.Conversion == nil) != (dl.Conversion == nil) || len(m.Params) != len(d.Params) ||
		m.Quals.Const != d.Quals.Const || m.Quals.Space != d.Quals.Space || m.Ref != d.Ref {
		return false
	}
	for i, p := range m.Params {
		if !sameForm(p.Type, d.Params[i].Type) {
			return false
		}
	}
	return true
}

// hasHeads reports whether d has a template head for member m if that is a template, in addition to
// the one of its class.
func hasHeads(m, d *syntax.FuncDecl) bool {
	return (m.Template != nil) == (slices.ContainsFunc(d.Outer, isHead) || isMemberTemplate(m, d))
}

// isMemberTemplate reports whether the only template head of d belongs to the member: its
// class is written without arguments.
func isMemberTemplate(m, d *syntax.FuncDecl) bool {
	return m.Template != nil && !slices.ContainsFunc(d.Outer, isHead) && !d.Name.Parts[len(d.Name.Parts)-2].HasArgs
}

// sameForm reports whether two types are built alike. Names may differ: those of
// template parameters do.
func sameForm(a, b syntax.TypeExpr) bool {
	switch a := a.(type) {
	case *syntax.QualType:
		b, ok := b.(*syntax.QualType)
		return ok && a.Quals == b.Quals && sameForm(a.Base, b.Base)
	case *syntax.PointerType:
		b, ok := b.(*syntax.PointerType)
		return ok && sameForm(a.Elem, b.Elem)
	case *syntax.ReferenceType:
		b, ok := b.(*syntax.ReferenceType)
		return ok && sameForm(a.Elem, b.Elem)
	case *syntax.ArrayType:
		b, ok := b.(*syntax.ArrayType)
		return ok && sameForm(a.Elem, b.Elem)
	case *syntax.NamedType:
		b, ok := b.(*syntax.NamedType)
		if !ok {
			return false
		}
		ka, builtinA := scalarNames[simpleIdent(a.Name)]
		kb, builtinB := scalarNames[simpleIdent(b.Name)]
		return !builtinA || !builtinB || ka == kb
	}
	return true
}

// definition is the declaration of r that has its body, nil if there is none so far.
func (c *checker) definition(r *routine) *syntax.FuncDecl {
	if r.def == nil {
		if o := c.outside[r.decl]; o.decl != nil {
			r.def, r.point = o.decl, &o.definitionPoint
		}
	}
	if r.def == nil {
		r.def = c.labelledDefinition(r)
	}
	return r.def
}

// outsideScope declares template parameters by the names that a definition outside of the
// class gives them.
func (c *checker) outsideScope(r *routine) *scope {
	d := r.def
	if d == r.decl || c.outside[r.decl].decl != d {
		return r.scope
	}
	s := newScope(r.scope, blockScope)
	heads := append(slices.Clone(d.Outer), d.Template)
	if r.decl.Template != nil && d.Template != nil {
		heads = d.Outer
		for i, p := range d.Template.Params {
			if p.Name != "" && i < len(r.targs) {
				s.names[p.Name] = r.targs[i].entity()
			}
		}
	}
	for i, class := range classesAround(r.of.owner) {
		if i < len(heads) && heads[i] != nil {
			c.renamed(s, class, heads[i])
		}
	}
	return s
}

// classesAround are the instances of class templates that a member of owner lies in, the
// outermost first.
func classesAround(owner *structInfo) (list []*structInfo) {
	for ; owner != nil; owner = classOf(owner.scope.parent) {
		if isHead(owner.decl.Template) {
			list = append(list, owner)
		}
	}
	slices.Reverse(list)
	return list
}

// classOf is the class that a scope is in, nil if it is in none.
func classOf(s *scope) *structInfo {
	for ; s != nil; s = s.parent {
		if s.kind == structScope {
			return s.str
		}
	}
	return nil
}

// renamed declares the parameters of a class template by the names that head gives them.
func (c *checker) renamed(s *scope, class *structInfo, head *syntax.Template) {
	for i, p := range head.Params {
		params := class.decl.Template.Params
		if p.Name == "" || i >= len(params) {
			continue
		}
		if name := params[i].Name; name != "" {
			s.names[p.Name] = c.lookupFrom(class.scope.parent, name).ent
		} else if i < len(class.targs) {
			s.names[p.Name] = class.targs[i].entity()
		}
	}
}

// specialiseMember is "template <> R f(…) { … }" inside of a class.
func (c *checker) specialiseMember(info *structInfo, d *syntax.FuncDecl) {
	set, ok := info.scope.names[d.Name.Last().Ident].(*funcSet)
	if !ok {
		c.errorf(d.Pos(), codeUndeclared, "no function template %s to specialise", d.Name.Last().Ident)
		return
	}
	c.specialise(set, d)
}
