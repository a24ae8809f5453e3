package syntax

import "strings"

// classContext is the class whose members are being parsed.
type classContext struct {
	name    string
	outer   *classContext
	waiting []deferredBody
}

// isConstructor reports whether the declarator of a constructor stands here, or outside of
// its class that of a destructor.
func (p *parser) isConstructor() bool {
	if p.kindAt(p.i) != Ident {
		return false
	}
	if p.peek(1, "(") {
		return p.class != nil && p.class.name == p.tok().Text
	}
	if p.class != nil && p.class.name == p.tok().Text && p.peek(1, "<") {
		n := p.nameAt(p.i)
		return len(n.name.Parts) == 1 && p.isAt(n.end, "(") && p.match[n.end] >= 0 && !p.isPointerOp(n.end+1)
	}
	if p.class != nil || !p.peek(1, "::") && !p.peek(1, "<") {
		return false
	}
	n := p.nameAt(p.i)
	k := len(n.name.Parts)
	return k > 1 && strings.TrimPrefix(n.name.Parts[k-1].Ident, "~") == n.name.Parts[k-2].Ident && p.isAt(n.end, "(")
}

// record parses "struct", "class" or "union" with a name, a body or both.
func (p *parser) record(s *specifiers, c specContext) {
	keyword := p.tok().Text
	d := &StructDecl{node: node{p.advance()}, Template: c.template, Keyword: keyword}
	if !c.typeOnly {
		d.Attrs = p.attributes()
	}
	var found *entity
	if p.startsName(p.i) {
		n := p.takeName()
		d.Name, found = n.name, n.entity
	}
	if p.kindAt(p.i) == Ident && p.tok().Text == "final" && (p.peek(1, "{") || p.peek(1, ":")) {
		p.advance() // nothing could be overridden
	}
	defines := p.at("{") || p.at(":") && d.Name != nil
	switch {
	case defines && c.typeOnly:
		p.fail(codeSpecifier, "got the definition of a type, want a type")
	case d.Name == nil && !defines:
		p.fail(codeExpectedName, `got %s, want a name or "{" after %s`, p.tok(), keyword)
	case !defines && !(p.at(";") && s.plain && !c.typeOnly):
		if d.Attrs != nil {
			p.failAt(d.pos, codeSpecifier, "got attributes on the use of a type")
		}
		if len(d.Name.Parts) == 1 && (found == nil || found.means != meansType) {
			home := p.home()
			if s.specs.Friend {
				home = p.namespaceScope()
			}
			found = home.declare(d.Name.Last().Ident,
				&entity{means: meansType, template: c.template != nil, members: newScope(home)})
		}
		s.typ, s.entity = &NamedType{node: node{d.pos}, Keyword: keyword, Name: d.Name}, found
		return
	}
	e := p.declareClass(d, found)
	if defines {
		p.classBody(d, e)
	}
	s.typ, s.entity, s.defined = &DefinedType{node: node{d.pos}, Decl: d}, e, true
}

// declareClass declares the class that d begins and returns it.
func (p *parser) declareClass(d *StructDecl, found *entity) *entity {
	if d.Name == nil {
		return &entity{means: meansType}
	}
	last := d.Name.Last()
	if last.HasArgs {
		if found == nil || !found.template || d.Template == nil {
			p.failAt(last.Pos, codeSpecifier,
				"got template arguments on %q, want them on a specialisation of a class template", last.Ident)
		}
		return found
	}
	if len(d.Name.Parts) > 1 || d.Name.Global {
		p.failAt(d.Name.pos, codeUnsupported, "the definition of %q outside its class or namespace is not supported",
			spellName(d.Name))
	}
	return p.home().declare(last.Ident, &entity{means: meansType, template: d.Template != nil})
}

// classBody parses bases and members of d, the definition of class e.
func (p *parser) classBody(d *StructDecl, e *entity) {
	scope := newScope(p.scope)
	specialised := d.Name != nil && d.Name.Last().HasArgs
	if d.Name != nil {
		scope.class = d.Name.Last().Ident
	}
	if p.accept(":") {
		p.bases(d, scope)
	}
	if !specialised {
		e.members = scope
	}
	outer, jumps := p.scope, p.jumps
	p.scope = scope
	class := &classContext{name: scope.class, outer: p.class}
	p.class = class
	limit := p.openBrace()
	d.Body, d.Pack = true, p.packed
	d.Members = p.decls(limit, true)
	p.closeBrace()
	after := p.i
	p.class = class.outer
	if class.outer != nil {
		class.outer.waiting = append(class.outer.waiting, class.waiting...)
	} else {
		for _, b := range class.waiting {
			p.attempt(func() { p.body(b) })
		}
	}
	p.i, p.scope, p.jumps = after, outer, jumps
	if specialised {
		p.joinMembers(e, scope)
	}
}

// joinMembers makes the members of a specialisation known as members of its
// template: which specialisation X<int>::type means is not decided here.
func (p *parser) joinMembers(e *entity, scope *scope) {
	if e.members == nil {
		e.members = newScope(p.home())
		e.members.class = scope.class
	}
	for name, m := range scope.names {
		if e.members.names[name] == nil {
			e.members.declare(name, m)
		}
	}
}

// bases parses base {, base}.
func (p *parser) bases(d *StructDecl, scope *scope) {
	if d.Keyword == "union" {
		p.fail(codeSpecifier, "unions cannot have base classes")
	}
	for {
		b := Base{Pos: p.tok().Pos}
		if p.at("public") || p.at("private") || p.at("protected") {
			b.Access = p.tok().Text
			p.advance()
		}
		if p.at("virtual") {
			p.fail(codeNotMetal, "virtual base classes are not supported in Metal")
		}
		b.Type = p.base(scope)
		b.Pack = p.accept("...")
		d.Bases = append(d.Bases, b)
		if !p.accept(",") {
			return
		}
	}
}

// base parses the type of a base, which is a type without typename, and
// makes its members visible in the class.
func (p *parser) base(scope *scope) TypeExpr {
	if !p.startsName(p.i) {
		return p.typeSpecifier()
	}
	n := p.nameAt(p.i)
	if n.means != meansType && !n.dependent {
		p.failName(n)
	}
	p.takeName()
	if n.entity != nil && n.entity.members != nil {
		members := n.entity.members
		if scope.levels = max(scope.levels, members.levels+1); scope.levels > p.limits.Of(Nesting) {
			p.failAt(n.name.pos, codeLimit, "%s",
				p.limits.Exceeded(Nesting, "classes derive from each other deeper than %d"))
		}
		scope.bases = append(scope.bases, members)
	}
	return &NamedType{node: node{n.name.pos}, Name: n.name}
}

// enum parses "enum" ["class"] [Name] [':' Type] ['{' … '}'].
func (p *parser) enum(s *specifiers, c specContext) {
	d := &EnumDecl{node: node{p.advance()}}
	if p.at("class") || p.at("struct") {
		p.advance()
		d.Scoped = true
	}
	p.attributes() // they mean nothing here
	var n *parsedName
	if p.startsName(p.i) {
		n = p.takeName()
		d.Name = n.name.Last().Ident
	}
	if !p.at("{") && !p.at(":") {
		if n == nil || d.Scoped {
			p.fail(codeExpected, `got %s, want "{"`, p.tok())
		}
		if n.means != meansType {
			p.failName(n)
		}
		s.typ, s.entity = &NamedType{node: node{d.pos}, Keyword: "enum", Name: n.name}, n.entity
		return
	}
	switch {
	case c.typeOnly:
		p.fail(codeSpecifier, "got the definition of a type, want a type")
	case c.template != nil:
		p.failAt(d.pos, codeSpecifier, "got an enumeration after template parameters")
	case n != nil && (len(n.name.Parts) > 1 || n.name.Global):
		p.failAt(n.name.pos, codeUnsupported, "the definition of %q outside its class or namespace is not supported",
			spellName(n.name))
	case d.Scoped && d.Name == "":
		p.fail(codeExpectedName, "got %s, want a name after enum class", p.tok())
	}
	if p.accept(":") {
		d.Underlying = p.typeSpecifier()
	}
	members := newScope(nil)
	e := &entity{means: meansType, members: members}
	if d.Name != "" {
		e = p.home().declare(d.Name, e)
	}
	if p.at("{") {
		p.enumerators(d, members)
	}
	s.typ, s.entity, s.defined = &DefinedType{node: node{d.pos}, Decl: d}, e, true
}

func (p *parser) enumerators(d *EnumDecl, members *scope) {
	d.Body = true
	p.advance()
	scope := p.scope
	if d.Scoped {
		members.parent = scope
		p.scope = members
	}
	p.relaxed(func() {
		for !p.at("}") {
			t := p.expectName("the name of an enumerator")
			v := Enumerator{Pos: t.Pos, Name: t.Text}
			p.attributes()
			if p.accept("=") {
				v.Value = p.conditional()
			}
			p.declareValue(t.Text, false)
			members.declare(t.Text, &entity{means: meansValue})
			d.Values = append(d.Values, v)
			if !p.accept(",") {
				break
			}
		}
	})
	p.scope = scope
	p.expect("}")
}
