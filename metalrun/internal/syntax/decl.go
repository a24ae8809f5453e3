package syntax

import (
	"slices"
	"strings"
)

// context is where a declaration stands.
type context uint8

const (
	inFile context = iota // or in a namespace
	inClass
	inBlock
)

// decls parses declarations up to token limit. Each is a boundary of recovery.
func (p *parser) decls(limit int, class bool) []Decl {
	where := inFile
	if class {
		where = inClass
	}
	var list []Decl
	for p.i < limit && len(p.errs.list) < p.errs.max {
		start := p.i
		if p.at("}") {
			p.report(p.advance(), codeExpected, "extraneous closing brace ('}')")
			continue
		}
		if !p.attempt(func() { list = append(list, p.decl(where)...) }) {
			p.skip(start, limit, true)
		}
	}
	p.i = max(p.i, min(limit, len(p.toks)-1))
	return list
}

// decl parses one declaration; one with several declarators is several nodes.
func (p *parser) decl(where context) []Decl {
	p.enter()
	defer func() { p.depth-- }()
	t := p.tok()
	switch {
	case t.Kind == Pragma:
		if isUnroll(t.Text) {
			p.fail(codePragmaPosition, "got %s, want it before a loop", t)
		}
		if !p.packPragma() && where == inClass {
			p.fail(codePragmaPosition, "got %s in a class", t)
		}
		return one(&PragmaDecl{node{p.advance()}, t.Text})
	case p.at(";"):
		return one(&EmptyDecl{node: node{p.advance()}})
	case p.at("template"):
		return p.template(where)
	case p.at("using"):
		return one(p.using(nil))
	case p.at("static_assert"), p.at("_Static_assert"):
		return one(p.staticAssert())
	case p.at("namespace") && where == inFile:
		return one(p.namespace())
	case p.at("inline") && p.peek(1, "namespace") && where == inFile:
		p.advance()
		return one(p.namespace())
	case p.at("extern") && p.kindAt(p.i+1) == String && where == inFile:
		return p.linkage()
	case p.at("extern") && p.peek(1, "template") && !p.peek(2, "<"):
		p.advance()
		d := p.instantiation().(*Instantiation)
		d.Extern = true
		return one(d)
	case where == inFile && p.isGuide():
		return one(p.guide(nil))
	case where == inClass && (p.at("public") || p.at("private") || p.at("protected")):
		p.advance()
		p.expect(":")
		return one(&AccessDecl{node{t.Pos}, t.Text})
	}
	return p.simple(where, nil, true)
}

// linkage parses "extern" "C" with a declaration, or several in braces: all
// functions of Metal have one linkage.
func (p *parser) linkage() []Decl {
	p.advance()
	p.advance()
	if !p.at("{") {
		return p.decl(inFile)
	}
	limit := p.openBrace()
	list := p.decls(limit, false)
	p.closeBrace()
	return list
}

// namespace parses "namespace" [a {:: b}] '{' decls '}', or an alias.
func (p *parser) namespace() Decl {
	if p.kindAt(p.i+1) == Ident && p.peek(2, "=") {
		return p.namespaceAlias()
	}
	inline := p.i > 0 && p.isAt(p.i-1, "inline")
	d := &NamespaceDecl{node: node{p.advance()}, Inline: inline}
	outer, scope := d, p.scope
	p.attributes() // they mean nothing here
	for n := 0; !p.at("{"); n++ {
		d.Name = p.expectName("the name of a namespace").Text
		p.openNamespace(d.Name)
		if inline {
			p.scope.parent.uses = append(p.scope.parent.uses, p.scope)
		}
		if !p.at("::") {
			break
		}
		if n > p.limits.Of(Nesting) {
			p.fail(codeLimit, "%s", p.limits.Exceeded(Nesting, "namespaces nest deeper than %d"))
		}
		p.advance()
		inner := &NamespaceDecl{node: node{p.tok().Pos}}
		d.Decls = one(inner)
		d = inner
		if p.kindAt(p.i) != Ident {
			p.fail(codeExpectedName, "got %s, want the name of a namespace", p.tok())
		}
	}
	if d.Name == "" {
		inner := p.push()
		inner.parent.uses = append(inner.parent.uses, inner)
	}
	limit := p.openBrace()
	d.Decls = p.decls(limit, false)
	p.scope = scope
	p.closeBrace()
	return outer
}

// openBrace passes "{" and returns the index of its partner, or of the end
// of the program.
func (p *parser) openBrace() int {
	i := p.i
	p.expect("{")
	if p.match[i] < 0 {
		if end, ok := p.margin[int32(i)]; ok {
			return end
		}
		return len(p.toks) - 1
	}
	return int(p.match[i])
}

// closeBrace passes the "}" that ends a list. When errors have stopped the
// parse early, it goes there.
func (p *parser) closeBrace() Pos { return p.expect("}") }

// namespaceAlias parses "namespace" Alias '=' Name ';'.
func (p *parser) namespaceAlias() Decl {
	d := &UsingDecl{node: node{p.advance()}, Namespace: true, Alias: p.expectName("the name of a namespace").Text}
	p.expect("=")
	n := p.usedName()
	d.Name = n.name
	if n.entity != nil && n.entity.means == meansNamespace {
		p.home().declare(d.Alias, n.entity)
	}
	p.expect(";")
	return d
}

// openNamespace enters namespace name, which may be open already.
func (p *parser) openNamespace(name string) {
	if e := p.scope.names[name]; e != nil && e.means == meansNamespace {
		p.scope = e.members
		return
	}
	outer := p.scope
	p.push()
	outer.declare(name, &entity{means: meansNamespace, members: p.scope})
}

// using parses using-directives, using-declarations and aliases.
func (p *parser) using(tmpl *Template) Decl {
	pos := p.advance()
	if p.at("namespace") && tmpl == nil {
		p.advance()
		n := p.usedName()
		if n.entity != nil && n.entity.members != nil {
			p.home().uses = append(p.home().uses, n.entity.members)
		}
		p.expect(";")
		return &UsingDecl{node: node{pos}, Namespace: true, Name: n.name}
	}
	if p.at("enum") && tmpl == nil {
		return p.usingEnum(pos)
	}
	typename := p.accept("typename") && tmpl == nil
	if p.kindAt(p.i) == Ident && (p.peek(1, "=") || p.peek(1, "[") || p.peek(1, "__attribute__")) {
		return p.alias(pos, tmpl)
	}
	if tmpl != nil {
		p.fail(codeExpected, `got %s, want a name and "="`, p.tok())
	}
	n := p.usedName()
	if len(n.name.Parts) == 1 && !n.name.Global {
		p.failAt(n.name.pos, codeExpectedName, "got %q, want a qualified name", spellName(n.name))
	}
	e := n.entity
	if e == nil {
		e = &entity{means: meansValue}
		if typename {
			e.means = meansType
		}
	}
	pack := p.accept("...")
	p.home().declare(n.name.Last().Ident, e)
	p.expect(";")
	return &UsingDecl{node: node{pos}, Name: n.name, Pack: pack}
}

// usingEnum parses "enum Name;".
func (p *parser) usingEnum(pos Pos) Decl {
	p.advance()
	n := p.usedName()
	if n.entity != nil && n.entity.members != nil {
		p.home().uses = append(p.home().uses, n.entity.members)
	}
	p.expect(";")
	return &UsingDecl{node: node{pos}, Enum: true, Name: n.name}
}

func (p *parser) usedName() *parsedName {
	if !p.startsName(p.i) {
		p.fail(codeExpectedName, "got %s, want a name", p.tok())
	}
	return p.takeName()
}

// alias parses Name [Attrs] '=' Type ';'.
func (p *parser) alias(pos Pos, tmpl *Template) Decl {
	d := &TypedefDecl{node: node{pos}, Template: tmpl, Using: true, Name: p.expectName("a name").Text}
	named := p.attributes()
	p.expect("=")
	before := p.dependent
	s := p.specifiers(specContext{typeOnly: !p.definesType()})
	if s.specs != (Specs{}) || s.typedef || s.typ == nil {
		p.failAt(s.pos, codeSpecifier, "got a specifier that no alias may have")
	}
	var dcl declarator
	d.Type = p.declarator(s.typ, &dcl, abstractDeclarator)
	for _, a := range slices.Concat(named, s.attrs, dcl.attrs, p.attributes()) {
		d.Type = p.attributedType(a, d.Type)
	}
	p.expect(";")
	e := &entity{means: meansType, template: tmpl != nil, dependent: tmpl == nil && p.dependent > before}
	if s.entity != nil && d.Type == s.typ {
		e.members = s.entity.members
	}
	p.home().declare(d.Name, e)
	return d
}

// definesType reports whether a struct, union or enumeration is defined here.
func (p *parser) definesType() bool {
	t := p.tok()
	if t.role != roleElaborated || t.Text == "auto" || t.Text == "__auto_type" || p.isTypeof(p.i) ||
		t.Text == "typename" {
		return false
	}
	i := p.i + 1
	for p.kindAt(i) == Ident || p.isAt(i, "class") {
		i++
	}
	return p.isAt(i, "{") || p.isAt(i, ":") && !p.isAt(i, "::")
}

func (p *parser) staticAssert() Decl {
	d := &StaticAssert{node: node{p.advance()}}
	p.expect("(")
	p.relaxed(func() { d.X = p.conditional() })
	if p.accept(",") {
		if p.kindAt(p.i) != String {
			p.fail(codeExpected, "got %s, want a message in quotes", p.tok())
		}
		d.Msg = p.stringLit().Value
	}
	p.expect(")")
	p.expect(";")
	return d
}

// simple parses specifiers, declarators and the semicolon or body after
// them. The condition of an if and the head of a for end without one.
func (p *parser) simple(where context, tmpl *Template, terminated bool) []Decl {
	before := p.dependent
	s := p.specifiers(specContext{template: tmpl})
	if p.at(";") && s.typ != nil {
		d := p.loneType(&s, where, tmpl)
		if terminated {
			p.advance()
		}
		return d
	}
	if s.defined && tmpl != nil {
		p.fail(codeExpected, `got %s, want ";" after a template`, p.tok())
	}
	var list []Decl
	for {
		d := declarator{ctor: s.typ == nil}
		var t TypeExpr
		if where == inClass && p.at(":") && s.typ != nil {
			t, d.pos = s.typ, p.tok().Pos
		} else {
			t = p.declarator(s.typ, &d, namedDeclarator)
		}
		if f, ok := t.(*FuncType); ok && d.fn != nil && d.fn.typ == f && !s.typedef {
			if len(list) > 0 && p.at("{") {
				p.failAt(d.pos, codeExpected, "got the body of a function after another declarator")
			}
			fn := p.function(&s, &d, where, tmpl)
			if fn.Body != nil || fn.Default || fn.Delete {
				return one(fn)
			}
			list = append(list, fn)
		} else if s.typedef {
			list = append(list, p.typedef(&s, &d, t, list, p.dependent > before))
		} else {
			list = append(list, p.variable(&s, &d, t, where, tmpl, list))
		}
		if !p.at(",") {
			break
		}
		if tmpl != nil {
			p.fail(codeExpected, `got ",", want one declaration after template parameters`)
		}
		p.advance()
	}
	if terminated {
		p.endDecl(list)
	}
	return list
}

// endDecl passes the semicolon of a declaration.
func (p *parser) endDecl(list []Decl) {
	if p.at("{") {
		if _, ok := list[len(list)-1].(*FuncDecl); !ok {
			p.fail(codeExpected, `got "{", want ";" after a variable`)
		}
	}
	p.expect(";")
}

// loneType makes the declaration of a type without declarators.
func (p *parser) loneType(s *specifiers, where context, tmpl *Template) []Decl {
	if s.specs == (Specs{Friend: true}) && where == inClass && !s.defined {
		return one(&FriendDecl{node{s.pos}, tmpl, s.typ})
	}
	dt, ok := s.typ.(*DefinedType)
	switch {
	case ok && s.specs == (Specs{}) && !s.typedef:
	case tmpl == nil && !s.specs.Friend && !s.specs.Kernel:
		return one(&EmptyDecl{node{s.pos}, true})
	default:
		p.fail(codeExpectedName, "got %s, want a name to declare", p.tok())
	}
	switch d := dt.Decl.(type) {
	case *StructDecl:
		if d.Name == nil {
			if where == inFile || where == inBlock && d.Keyword != "union" {
				p.failAt(d.pos, codeSpecifier, "anonymous structs and classes must be class members")
			}
			return one(&VarDecl{node: node{s.pos}, Type: dt, Attrs: s.attrs})
		}
		d.Attrs = append(s.attrs, d.Attrs...)
	case *EnumDecl:
		if s.attrs != nil {
			p.failAt(s.pos, codeUnsupported, "attributes of an enumeration are not supported")
		}
	}
	return one(dt.Decl)
}

// typedef makes one name of a typedef.
func (p *parser) typedef(s *specifiers, d *declarator, t TypeExpr, list []Decl, dependent bool) Decl {
	if s.specs != (Specs{}) {
		p.failAt(s.pos, codeSpecifier, "got a specifier that no typedef may have")
	}
	for _, a := range slices.Concat(s.attrs, d.attrs) {
		t = p.attributedType(a, t)
	}
	if len(d.name.Parts) > 1 || d.name.Global || d.name.Last().HasArgs {
		p.failAt(d.name.pos, codeExpectedName, "got %q, want a plain name to declare", spellName(d.name))
	}
	x := &TypedefDecl{node: node{s.pos}, Name: d.name.Last().Ident, Type: t}
	if len(list) > 0 {
		x.pos = d.pos
		p.shareDefinition(s, x, list[0].(*TypedefDecl))
	}
	e := &entity{means: meansType, dependent: dependent}
	if s.entity != nil && t == s.typ {
		e.members = s.entity.members
	}
	p.home().declare(x.Name, e)
	return x
}

// attributedType is what attribute a of a typedef makes of type t.
func (p *parser) attributedType(a *Attr, t TypeExpr) TypeExpr {
	switch a.Name {
	case "ext_vector_type":
		if len(a.Args) == 1 {
			name := &Name{node: node{a.pos}, Global: true, Parts: []NamePart{{Pos: a.pos, Ident: "metal"},
				{Pos: a.pos, Ident: "vec", HasArgs: true, Args: []TemplateArg{{Type: t}, {X: a.Args[0]}}}}}
			return &NamedType{node: node{a.pos}, Name: name}
		}
	case "unused", "maybe_unused", "deprecated", "used", "availability", "swift_name", "may_alias", "nodebug":
		return t
	}
	p.failAt(a.pos, codeUnsupported, "the attribute '%s' of a typedef is not supported", a.Name)
	return nil
}

// shareDefinition lets a later name of "typedef struct {…} A, *B;" stand for
// the first instead of defining the struct again.
func (p *parser) shareDefinition(s *specifiers, x, first *TypedefDecl) {
	if !s.defined {
		return
	}
	if first.Type != s.typ {
		p.failAt(x.pos, codeUnsupported, "a typedef of several names is not supported unless the first is a plain name")
	}
	named := &NamedType{node: node{x.pos}, Name: simpleName(x.pos, first.Name)}
	x.Type = replaceBase(x.Type, s.typ, named)
}

// replaceBase rebuilds the type t with old, its base, replaced.
func replaceBase(t, old, with TypeExpr) TypeExpr {
	if t == old {
		return with
	}
	switch t := t.(type) {
	case *QualType:
		t.Base = replaceBase(t.Base, old, with)
	case *PointerType:
		t.Elem = replaceBase(t.Elem, old, with)
	case *ReferenceType:
		t.Elem = replaceBase(t.Elem, old, with)
	case *ArrayType:
		t.Elem = replaceBase(t.Elem, old, with)
	case *FuncType:
		t.Result = replaceBase(t.Result, old, with)
	}
	return t
}

// variable makes one variable or field.
func (p *parser) variable(s *specifiers, d *declarator, t TypeExpr, where context, tmpl *Template, list []Decl) Decl {
	v := &VarDecl{node: node{s.pos}, Template: tmpl, Specs: s.specs, Type: t, Joined: len(list) > 0}
	v.Attrs = append(append(v.Attrs, s.attrs...), d.attrs...)
	if s.specs.Kernel || s.specs.Explicit || s.specs.Inline && where == inClass && !s.specs.Static {
		p.failAt(s.pos, codeSpecifier, "got a specifier that no variable may have")
	}
	if s.specs.Mutable {
		p.mutable(s, t, where)
	}
	if v.Joined {
		v.pos = d.pos
	}
	if d.name != nil {
		last := d.name.Last()
		switch {
		case !isPlainIdent(last.Ident):
			p.failAt(d.name.pos, codeExpectedName, "got %q, want the name of a variable", last.Ident)
		case len(d.name.Parts) > 1 || d.name.Global || last.HasArgs:
			v.Written = d.name
		}
		v.Name, v.NamePos = last.Ident, d.name.pos
		if v.Written == nil {
			p.declareValue(v.Name, tmpl != nil)
			p.markDependent(v.Name, t)
		}
	}
	for _, b := range d.bindings {
		v.Bindings = append(v.Bindings, b)
		p.declareValue(b.Name, false)
	}
	if where == inClass && p.accept(":") {
		v.Bits = p.conditional()
	}
	p.variableInit(v)
	if e := p.home().names[v.Name]; e != nil && v.Init != nil && holdsAuto(t) && p.dependentObject(v.Init) {
		e.dependent = true
	}
	return v
}

// mutable refuses what cannot be mutable.
func (p *parser) mutable(s *specifiers, t TypeExpr, where context) {
	why := ""
	q, _ := t.(*QualType)
	_, ref := t.(*ReferenceType)
	switch {
	case where != inClass:
		why = "'mutable' can only be applied to member variables"
	case s.specs.Static || s.specs.Constexpr:
		why = "a static member cannot be 'mutable'"
	case ref:
		why = "'mutable' cannot be applied to references"
	case q != nil && q.Quals.Const:
		why = "'mutable' and 'const' cannot be mixed"
	default:
		return
	}
	p.failAt(s.pos, codeSpecifier, "%s", why)
}

// isPlainIdent distinguishes x from operator+ and ~X.
func isPlainIdent(s string) bool {
	rest, ok := strings.CutPrefix(s, "operator")
	return s[0] != '~' && !(ok && (rest == "" || !isWord(rest[0])))
}

// variableInit parses '=' init, '{' … '}' or '(' … ')'.
func (p *parser) variableInit(v *VarDecl) {
	switch {
	case p.accept("="):
		p.recovered(v)
	case p.at("{"):
		v.Direct, v.Init = true, p.initList()
	case p.at("("):
		pos := p.advance()
		args := p.args(")")
		v.Direct = true
		if len(args) == 1 {
			if _, list := args[0].(*InitList); !list {
				v.Init = args[0]
				return
			}
		}
		v.Init = &InitList{node: node{pos}, Elems: args, Fields: make([]string, len(args)), Paren: true}
	}
}

// recovered parses the initialiser of a variable. If it is broken, the declaration goes on after it, so uses of the
// variable are not reported.
func (p *parser) recovered(v *VarDecl) {
	scope, noGreater, depth, class, jumps := p.scope, p.noGreater, p.depth, p.class, p.jumps
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		err, fault := r.(*Error)
		end := p.endOfInit()
		if !fault || end < 0 {
			panic(r)
		}
		p.errs.add(err)
		p.scope, p.noGreater, p.depth, p.class, p.jumps = scope, noGreater, depth, class, jumps
		v.Init = &BadExpr{node{p.tok().Pos}}
		p.i = end
	}()
	v.Init = p.initializer()
}

// endOfInit is the semicolon of the line where a broken initialiser ends, -1 if none is
// to be found.
func (p *parser) endOfInit() int {
	for i := p.i; i < len(p.toks); i++ {
		switch t := &p.toks[i]; {
		case t.is(";"):
			return i
		case i > p.i && t.Line, t.is("}"), t.is(")"), t.is("]"), t.Kind == EOF:
			return -1
		case p.isOpening(i):
			if end := int(p.match[i]); end > i {
				i = end
			}
		}
	}
	return -1
}

// function makes a function and parses its body. In a class the body waits
// until the whole class is known.
func (p *parser) function(s *specifiers, d *declarator, where context, tmpl *Template) *FuncDecl {
	f := &FuncDecl{node: node{s.pos}, Template: tmpl, Specs: s.specs, Result: d.fn.typ.Result, Name: d.name,
		Params: d.fn.typ.Params, Quals: d.fn.quals, Ref: d.fn.ref, Trailing: d.fn.trailing != nil}
	f.Attrs = append(append(f.Attrs, s.attrs...), d.attrs...)
	f.After, f.Broken = d.fn.after, d.fn.broken
	if s.specs.Mutable {
		p.failAt(s.pos, codeSpecifier, "'mutable' cannot be applied to functions")
	}
	if s.defined {
		p.failAt(s.pos, codeSpecifier, "got the definition of a type in the result of a function")
	}
	last := d.name.Last()
	if len(d.name.Parts) == 1 && !d.name.Global && f.Result != nil {
		p.declareValue(last.Ident, tmpl != nil && !last.HasArgs)
		if where == inClass && tmpl != nil {
			p.methods[last.Ident] = true
		}
	}
	if p.accept("=") {
		p.functionDefault(f)
		return f
	}
	if !p.at("{") && !p.at(":") {
		return f
	}
	if where == inBlock {
		p.fail(codeSpecifier, "function definition is not allowed here")
	}
	body := deferredBody{f: f, scope: d.fn.scope, start: p.i, template: p.scope}
	if where == inClass {
		p.skipBody()
		p.class.waiting = append(p.class.waiting, body)
		f.Body = &BlockStmt{node: node{p.toks[body.start].Pos}}
		return f
	}
	p.body(body)
	return f
}

// functionDefault parses what follows "=": default or delete.
func (p *parser) functionDefault(f *FuncDecl) {
	switch {
	case p.accept("default"):
		f.Default = true
	case p.at("delete"):
		p.advance()
		f.Delete = true
	case p.kindAt(p.i) == Int:
		p.fail(codeNotMetal, "pure virtual functions are not supported in Metal")
	default:
		p.fail(codeExpected, `got %s, want "default" or "delete"`, p.tok())
	}
	p.expect(";")
}

// deferredBody is the body of a function, from its "{" or the ":" before it.
type deferredBody struct {
	f        *FuncDecl
	scope    *scope // of the parameters
	template *scope // around them
	start    int
}

// skipBody passes a constructor's initialisers and a body in braces.
func (p *parser) skipBody() {
	if p.accept(":") {
		for {
			if !p.startsName(p.i) {
				p.fail(codeExpectedName, "got %s, want a member's name", p.tok())
			}
			p.takeName()
			if !p.at("(") && !p.at("{") {
				p.fail(codeExpected, `got %s, want "(" or "{"`, p.tok())
			}
			p.skipGroup()
			if !p.accept(",") {
				break
			}
		}
	}
	if !p.at("{") {
		p.fail(codeExpected, `got %s, want "{"`, p.tok())
	}
	p.skipGroup()
}

func (p *parser) skipGroup() {
	end := p.match[p.i]
	if end < 0 {
		p.i = len(p.toks) - 1
		p.fail(codeExpected, "got %s, want the partner of an open bracket", p.tok())
	}
	p.i = int(end) + 1
}

// body parses the initialisers and the block of a function.
func (p *parser) body(b deferredBody) {
	outer, class, jumps := p.scope, p.class, p.jumps
	p.i, p.scope, p.class, p.jumps = b.start, b.scope, nil, jumpContext{function: true}
	if p.accept(":") {
		for {
			b.f.Inits = append(b.f.Inits, p.fieldInit())
			if !p.accept(",") {
				break
			}
		}
	}
	b.f.Body = p.block()
	p.scope, p.class, p.jumps = outer, class, jumps
}

func (p *parser) fieldInit() FieldInit {
	if !p.startsName(p.i) {
		p.fail(codeExpectedName, "got %s, want a member's name", p.tok())
	}
	n := p.takeName().name
	x := FieldInit{Pos: n.pos, Name: n.Last().Ident}
	switch {
	case p.accept("("):
		x.Args = p.args(")")
	case p.at("{"):
		p.advance()
		x.Brace, x.Args = true, p.args("}")
	default:
		p.fail(codeExpected, `got %s, want "(" or "{"`, p.tok())
	}
	return x
}
