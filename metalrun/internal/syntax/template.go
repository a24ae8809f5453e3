package syntax

import "slices"

// template parses what begins with "template": a template, a specialisation
// or an explicit instantiation.
func (p *parser) template(where context) []Decl {
	pos := p.tok().Pos
	if !p.peek(1, "<") {
		return one(p.instantiation())
	}
	if where == inBlock {
		p.fail(codeSpecifier, "got a template inside a function")
	}
	outer := p.scope
	t := p.templateHead()
	var classes []*Template // of a member defined outside of class templates
	for p.at("template") && p.peek(1, "<") {
		classes = append(classes, t)
		t = p.templateHead()
	}
	var d []Decl
	switch {
	case p.at("template"):
		p.fail(codeExpected, "got an explicit instantiation after template parameters")
	case p.at("using"):
		d = one(p.using(t))
	case p.isGuide():
		d = one(p.guide(t))
	default:
		d = p.simple(where, t, true)
	}
	p.scope = outer
	if classes != nil {
		f, ok := d[0].(*FuncDecl)
		if !ok {
			p.failAt(pos, codeUnsupported, "a second template head is supported on member functions only")
		}
		f.Outer = classes
	}
	if d, ok := d[0].(*TypedefDecl); ok && !d.Using {
		p.report(pos, codeSpecifier, "got a typedef after template parameters")
	}
	return d
}

// isGuide reports whether a deduction guide stands here: the name of a class template,
// parameters and "->".
func (p *parser) isGuide() bool {
	if p.kindAt(p.i) != Ident || !p.peek(1, "(") || p.match[p.i+1] < 0 {
		return false
	}
	n := p.nameAt(p.i)
	return n.means == meansType && p.isAt(int(p.match[p.i+1])+1, "->")
}

// guide parses Name '(' Params ')' "->" Type ';'.
func (p *parser) guide(t *Template) Decl {
	d := &FuncDecl{node: node{p.tok().Pos}, Template: t, Guide: true, Name: p.takeName().name}
	outer := p.push()
	d.Params = p.params()
	p.expect("->")
	d.Result = p.typeID()
	p.scope = outer.parent
	p.expect(";")
	return d
}

// templateHead parses "template" '<' … '>' and opens the scope of its parameters.
func (p *parser) templateHead() *Template {
	t := &Template{node: node{p.advance()}}
	p.push().template = true
	p.templateParams(t)
	return t
}

// templateParams parses '<' [param {, param}] '>'.
func (p *parser) templateParams(t *Template) {
	p.expect("<")
	saved := p.noGreater
	p.noGreater = true
	for !p.at(">") {
		t.Params = append(t.Params, p.templateParam())
		if !p.accept(",") {
			break
		}
	}
	p.noGreater = saved
	p.expect(">")
}

func (p *parser) templateParam() *TemplateParam {
	x := &TemplateParam{node: node{p.tok().Pos}}
	if p.at("template") {
		return p.templateTemplateParam(x)
	}
	if !p.isTypeParam() {
		return p.valueParam(x)
	}
	p.advance()
	x.Variadic = p.accept("...")
	if p.kindAt(p.i) == Ident {
		x.Name = p.expectName("a name").Text
		p.scope.declare(x.Name, &entity{means: meansType, dependent: true})
	}
	if p.accept("=") {
		x.DefaultType = p.typeID()
	}
	return x
}

// templateTemplateParam parses "template" '<' … '>' "class" ["..."] [Name] [= Type].
func (p *parser) templateTemplateParam(x *TemplateParam) *TemplateParam {
	outer := p.scope
	x.Template = p.templateHead()
	p.scope = outer
	if !p.accept("class") {
		p.expect("typename")
	}
	x.Variadic = p.accept("...")
	if p.kindAt(p.i) == Ident {
		x.Name = p.expectName("a name").Text
		p.scope.declare(x.Name, &entity{means: meansType, template: true, dependent: true})
	}
	if p.accept("=") {
		x.DefaultType = p.templateName()
	}
	return x
}

// templateName parses the name of a class template without arguments.
func (p *parser) templateName() TypeExpr {
	n := p.usedName()
	return &NamedType{node: node{n.name.pos}, Name: n.name}
}

// isTypeParam distinguishes "typename T" from "typename T::type value".
func (p *parser) isTypeParam() bool {
	if !p.at("typename") && !p.at("class") {
		return false
	}
	i := p.i + 1
	if p.isAt(i, "...") {
		i++
	}
	if p.kindAt(i) == Ident {
		i++
	}
	return !p.isAt(i, "::") && !p.isAt(i, "<")
}

// valueParam parses Type [Name] [= X].
func (p *parser) valueParam(x *TemplateParam) *TemplateParam {
	s := p.specifiers(specContext{typeOnly: true})
	var d declarator
	x.Type = p.declarator(s.typ, &d, paramDeclarator)
	x.Variadic = d.pack
	if d.name != nil {
		x.Name = d.name.Last().Ident
		p.scope.declare(x.Name, &entity{means: meansValue, dependent: true})
	}
	if d.attrs != nil {
		p.failAt(x.pos, codeSpecifier, "got attributes on a template parameter")
	}
	if p.accept("=") {
		x.Default = p.conditional()
	}
	return x
}

// templateArgs parses '<' [arg {, arg}] '>' of a name's part.
func (p *parser) templateArgs(part *NamePart) {
	p.enter()
	saved := p.noGreater
	p.noGreater = true
	p.expect("<")
	part.HasArgs = true
	for !p.at(">") {
		part.Args = append(part.Args, p.templateArg())
		if !p.accept(",") {
			break
		}
	}
	p.noGreater = saved
	if !p.at(">") {
		p.fail(codeExpected, `got %s, want "," or ">" in template arguments of %q`, p.tok(), part.Ident)
	}
	p.advance()
	p.depth--
}

// templateArg parses a type if one begins here that is not called, and an
// expression otherwise.
func (p *parser) templateArg() TemplateArg {
	var a TemplateArg
	if p.isTypeArg() {
		a.Type = p.typeID()
	} else {
		a.X = p.conditional()
	}
	a.Pack = p.accept("...")
	return a
}

// isTypeArg reports whether a template argument is a type. "T()" and "T(U)"
// are function types there, "T(x)" and "T{x}" are values.
func (p *parser) isTypeArg() bool {
	if !p.isType(p.i) {
		return false
	}
	end, ok := p.skipType(p.i)
	if !ok {
		return true // a faulty type; parsing it will say how
	}
	if p.isAt(end, "(") {
		return p.isAt(end+1, ")") || p.isType(end+1)
	}
	return !p.isAt(end, "{")
}

// instantiation parses "template" [Attrs] Type Name ['(' Params ')'] ';'.
func (p *parser) instantiation() Decl {
	d := &Instantiation{node: node{p.advance()}}
	switch t := p.tok(); t.Text {
	case "struct", "class", "union":
		d.Keyword = t.Text
		p.advance()
		p.attributes()
		d.Name = p.usedName().name
		p.expect(";")
		return d
	}
	s := p.specifiers(specContext{})
	if s.typ == nil || s.defined || s.typedef {
		p.failAt(s.pos, codeSpecifier, "got this, want the type of the instantiated function")
	}
	var dcl declarator
	t := p.declarator(s.typ, &dcl, namedDeclarator)
	d.Attrs = append(append(d.Attrs, s.attrs...), dcl.attrs...)
	d.Specs, d.Type, d.Name = s.specs, t, dcl.name
	if f, ok := t.(*FuncType); ok && dcl.fn != nil && dcl.fn.typ == f {
		if dcl.fn.quals != (Quals{}) || dcl.fn.ref != "" {
			p.failAt(dcl.pos, codeUnsupported, "instantiation of member functions is not supported")
		}
		d.HasParams, d.Type, d.Params = true, f.Result, f.Params
	}
	p.expect(";")
	return d
}

// Dependent objects: what a template declares with a type that only its arguments tell. Their members are unknown, so
// that "<" after one opens template arguments only where the keyword template says so.

// markDependent notes that an object just declared is dependent, if its type is.
func (p *parser) markDependent(name string, t TypeExpr) {
	if e := p.home().names[name]; e != nil && p.dependentType(t) {
		e.dependent = true
	}
}

// dependentType reports whether a type is a parameter of a template, a member of one, or the instance of another class
// template for parameters. It looks through qualifiers, pointers, references and arrays.
func (p *parser) dependentType(t TypeExpr) bool {
	switch t := t.(type) {
	case *QualType:
		return p.dependentType(t.Base)
	case *PointerType:
		return p.dependentType(t.Elem)
	case *ReferenceType:
		return p.dependentType(t.Elem)
	case *ArrayType:
		return p.dependentType(t.Elem)
	case *NamedType:
		first := &t.Name.Parts[0]
		if p.isParameter(first.Ident) {
			return true
		}
		e := p.scope.lookup(first.Ident)
		return e != nil && e.template && e.members != nil && !p.scope.within(e.members) && len(t.Name.Parts) == 1 &&
			p.mentionsParameter(first.Args)
	}
	return false
}

// isParameter reports whether a name is a parameter of a template around it.
func (p *parser) isParameter(name string) bool {
	for s := p.scope; s != nil; s = s.parent {
		if e := s.member(name); e != nil {
			return s.template && e.dependent
		}
	}
	return false
}

// mentionsParameter reports whether template arguments name parameters of a template around them.
func (p *parser) mentionsParameter(args []TemplateArg) (found bool) {
	for _, a := range args {
		var n Node = a.X
		if a.Type != nil {
			n = a.Type
		}
		Inspect(n, func(n Node) bool {
			if name, ok := n.(*Name); ok && p.isParameter(name.Parts[0].Ident) {
				found = true
			}
			if t, ok := n.(*NamedType); ok && p.isParameter(t.Name.Parts[0].Ident) {
				found = true
			}
			if x, ok := n.(*NameExpr); ok && p.isParameter(x.Name.Parts[0].Ident) {
				found = true
			}
			return !found
		})
	}
	return found
}

// dependentObject reports whether an expression is a dependent object, a part of one or what one points to.
func (p *parser) dependentObject(x Expr) bool {
	switch x := x.(type) {
	case *ParenExpr:
		return p.dependentObject(x.X)
	case *UnaryExpr:
		return p.dependentObject(x.X)
	case *IndexExpr:
		return p.dependentObject(x.X)
	case *MemberExpr:
		return p.dependentObject(x.X)
	case *CallExpr:
		if _, method := x.Fun.(*MemberExpr); method && p.dependentObject(x.Fun) {
			return true
		}
		f, named := x.Fun.(*NameExpr)
		return named && p.callsFunction(f.Name) && slices.ContainsFunc(x.Args, p.dependentObject)
	case *NameExpr:
		if len(x.Name.Parts) > 1 || x.Name.Global {
			return false
		}
		e := p.scope.lookup(x.Name.Parts[0].Ident)
		return e != nil && e.means == meansValue && e.dependent
	}
	return false
}

// callsFunction reports whether a name before arguments is no type.
func (p *parser) callsFunction(n *Name) bool {
	e := p.scope.lookup(n.Parts[0].Ident)
	return len(n.Parts) == 1 && (e == nil || e.means == meansValue)
}

// holdsAuto reports whether a type is auto, or a reference or pointer to it.
func holdsAuto(t TypeExpr) bool {
	switch t := t.(type) {
	case *AutoType:
		return true
	case *QualType:
		return holdsAuto(t.Base)
	case *ReferenceType:
		return holdsAuto(t.Elem)
	case *PointerType:
		return holdsAuto(t.Elem)
	}
	return false
}

// isTypeList reports whether "<" at token i opens a list that begins with a type and ends after it or goes on.
func (p *parser) isTypeList(i int) bool {
	if !p.isAt(i, "<") || !p.isType(i+1) {
		return false
	}
	end, ok := p.skipType(i + 1)
	return ok && (p.isAt(end, ">") || p.isAt(end, ","))
}
