package syntax

import (
	"fmt"
	"slices"
)

// specifiers is the part of a declaration before its declarators.
type specifiers struct {
	pos     Pos
	specs   Specs
	typedef bool
	attrs   []*Attr
	typ     TypeExpr // nil for constructors, destructors and conversion functions
	entity  *entity  // of a named type; nil if unknown
	defined bool     // typ is a DefinedType, qualified or not
	plain   bool     // nothing but the type was written
}

// specContext says where specifiers stand.
type specContext struct {
	template *Template
	typeOnly bool // a type name: no storage, no attributes, no definition
}

// typeSpecifier parses the specifiers of a type name.
func (p *parser) typeSpecifier() TypeExpr { return p.specifiers(specContext{typeOnly: true}).typ }

// typeID parses a type name: specifiers and an abstract declarator.
func (p *parser) typeID() TypeExpr {
	base := p.typeSpecifier()
	var d declarator
	return p.declarator(base, &d, abstractDeclarator)
}

// specifiers parses what begins a declaration or a type name, in any order.
func (p *parser) specifiers(c specContext) specifiers {
	s := specifiers{pos: p.tok().Pos, plain: true}
	var quals Quals
	var words []string
	var wordsPos Pos
	for {
		t := p.tok()
		switch t.role {
		case roleQual:
			p.qualifier(&quals)
			s.plain = false
			continue
		case roleSpec:
			if !c.typeOnly {
				p.declSpecifier(&s)
				s.plain = false
				continue
			}
		case roleType:
			if s.typ != nil && c.typeOnly {
				break
			}
			if s.typ != nil { // "uint half": the second is no name
				p.report(t.Pos, codeSpecifier,
					"cannot combine with previous 'type-name' declaration specifier: %s is a type, too", t)
				p.advance()
				continue
			}
			if words == nil {
				wordsPos = t.Pos
			}
			words = append(words, t.Text)
			p.advance()
			continue
		case roleElaborated:
			if s.typ == nil && words == nil {
				p.elaborated(&s, c)
				continue
			}
		case roleNone:
			if !c.typeOnly && p.atAttributes() {
				switch {
				case (s.typ != nil || words != nil) && p.kindAt(int(p.match[p.i])+1) == Ident:
					p.failAt(p.toks[min(p.i+2, len(p.toks)-1)].Pos, codeSpecifier,
						"'%s' attribute cannot be applied to types", p.toks[min(p.i+2, len(p.toks)-1)].Text)
				case !s.plain && s.typ == nil && words == nil:
					p.fail(codeSpecifier, "an attribute list cannot appear here: want it ahead of the other specifiers")
				}
				s.attrs = append(s.attrs, p.attributes()...)
				continue
			}
			if p.isCoherent(p.i) {
				p.qualifier(&quals)
				continue
			}
			if s.typ == nil && words == nil && p.startsName(p.i) && (c.typeOnly || !p.isConstructor()) {
				switch n := p.nameAt(p.i); {
				case n.means == meansType, n.opaque && !p.isAt(n.end, "("):
					s.typ = &NamedType{node: node{n.name.pos}, Name: n.name}
					s.entity = n.entity
					p.takeName()
					continue
				case !c.typeOnly && p.meantAsType(p.i):
					s.typ = p.unknown()
					continue
				}
			}
		}
		break
	}
	if words != nil {
		s.typ = p.builtin(words, wordsPos)
	}
	if s.typ != nil && quals != (Quals{}) {
		s.typ = &QualType{node: node{s.pos}, Quals: quals, Base: s.typ}
	}
	if s.typ == nil && (c.typeOnly || quals != (Quals{}) || !p.isConstructor() && !p.at("operator") && !p.at("~")) {
		p.failType()
	}
	return s
}

// failType reports that no type stands here.
func (p *parser) failType() {
	t := p.tok()
	if !p.startsName(p.i) {
		p.fail(codeExpectedType, "got %s, want a type", t)
	}
	n := p.nameAt(p.i)
	p.failName(n)
}

// meantAsType reports whether an undeclared name at token i can only be meant as a type:
// a declarator follows it.
func (p *parser) meantAsType(i int) bool {
	if !p.startsName(i) {
		return false
	}
	n := p.nameAt(i)
	return n.means == meansNothing && !n.untyped && !n.name.Last().HasArgs && p.kindAt(p.skipPointers(n.end)) == Ident
}

// unknown passes the name of a type that is declared nowhere and reports it, unless its
// declaration may be in text that was skipped.
func (p *parser) unknown() TypeExpr {
	n := p.takeName()
	if !p.lost[n.name.Parts[0].Ident] {
		p.errs.add(p.unknownType(n.name))
	}
	return &NamedType{node: node{n.name.pos}, Unknown: true, Name: n.name}
}

// similarType proposes a type for a name that is none.
func (p *parser) similarType(name string) string {
	var names []string
	for s := p.scope; s != nil; s = s.parent {
		for n, e := range s.names {
			if e.means == meansType && e.members == nil || e.means == meansType && s.parent != nil {
				names = append(names, n)
			}
		}
	}
	for k, role := range keywords {
		if role == roleType {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return Similar(name, names)
}

// unknownType is the fault of a name that is used as a type and declared nowhere.
func (p *parser) unknownType(n *Name) *Error {
	return &Error{Pos: n.pos, Code: codeUnknownType, Name: n.Parts[0].Ident,
		Msg: fmt.Sprintf("unknown type name '%s'%s", spellName(n), p.similarType(n.Last().Ident))}
}

// failName reports that n was used as a type and is none.
func (p *parser) failName(n *parsedName) {
	switch {
	case n.untyped:
		p.failAt(n.name.pos, codeTypename, `got %q, want "typename" before a type that depends on template parameters`,
			spellName(n.name))
	case n.means == meansNothing:
		panic(p.unknownType(n.name))
	}
	p.failAt(n.name.pos, codeExpectedType, "got %q, want a type", spellName(n.name))
}

// qualifier adds the qualifier at the current token.
func (p *parser) qualifier(q *Quals) {
	t := p.tok()
	space := NoSpace
	switch t.Text {
	case "const":
		q.Const = true
	case "volatile":
		q.Volatile = true
	case "__restrict", "__restrict__":
		q.Restrict = true
	case "coherent":
		q.Coherent = true
		if p.peek(1, "(") {
			p.i += 2
			if !p.at("device") && p.tok().Text != "system" {
				p.fail(codeExpected, `got %s, want "device" or "system"`, p.tok())
			}
			if !p.peek(1, ")") {
				p.advance()
				p.expect(")")
			}
			p.advance()
		}
	case "device":
		space = Device
	case "constant":
		space = Constant
	case "thread":
		space = Thread
	case "threadgroup":
		space = Threadgroup
	case "threadgroup_imageblock":
		space = Imageblock
	case "object_data":
		space = ObjectData
	case "ray_data":
		space = RayData
	}
	switch {
	case space == NoSpace || space == Thread && q.Space != NoSpace: // thread is where objects are by default
	case q.Space != NoSpace && q.Space != Thread && q.Space != space:
		p.fail(codeSpecifier, "got a second address space %s after %s", t.Text, q.Space)
	default:
		q.Space = space
	}
	p.advance()
}

// isCoherent reports whether token i is the qualifier coherent, which is an
// ordinary name elsewhere.
func (p *parser) isCoherent(i int) bool {
	if p.kindAt(i) != Ident || p.toks[i].Text != "coherent" || p.scope.lookup("coherent") != nil {
		return false
	}
	return p.isAt(i+1, "(") && p.isAt(i+3, ")") && (p.kindAt(i+2) == Keyword || p.toks[i+2].Text == "system") ||
		p.isType(i+1)
}

// declSpecifier adds the specifier at the current token.
func (p *parser) declSpecifier(s *specifiers) {
	t := p.tok()
	flag := map[string]*bool{
		"static": &s.specs.Static, "inline": &s.specs.Inline, "constexpr": &s.specs.Constexpr,
		"extern":   &s.specs.Extern,
		"explicit": &s.specs.Explicit, "friend": &s.specs.Friend, "mutable": &s.specs.Mutable,
		"kernel": &s.specs.Kernel, "typedef": &s.typedef,
	}[t.Text]
	if t.Text == "vertex" || t.Text == "fragment" {
		if s.specs.Stage != "" {
			p.fail(codeSpecifier, "got %s after %s", t.Text, s.specs.Stage)
		}
		s.specs.Stage = t.Text
		p.advance()
		return
	}
	if flag == nil {
		s.attrs = append(s.attrs, p.attributes()...)
		return
	}
	if *flag {
		p.fail(codeSpecifier, "got a second %s", t.Text)
	}
	*flag = true
	p.advance()
}

// builtin is the builtin type that words denote together.
func (p *parser) builtin(words []string, pos Pos) TypeExpr {
	count := map[string]int{}
	for _, w := range words {
		count[w]++
	}
	fail := func() {
		p.failAt(pos, codeSpecifier, "the words %v make no type together", words)
	}
	if count["long"] > 1 {
		p.failAt(pos, codeNotMetalType, "long long is not a Metal type")
	}
	for _, w := range words {
		if count[w] > 1 {
			fail()
		}
	}
	name := ""
	for _, w := range []string{"char", "short", "long", "int"} {
		if name == "" && count[w] > 0 {
			name = w
		}
	}
	if count["char"]+count["short"]+count["long"] > 1 || count["char"] > 0 && count["int"] > 0 ||
		count["signed"]+count["unsigned"] > 1 {
		fail()
	}
	for _, w := range []string{"void", "bool", "half", "bfloat", "float"} {
		if count[w] > 0 {
			if len(words) > 1 {
				fail()
			}
			name = w
		}
	}
	if name == "" {
		name = "int"
	}
	if count["unsigned"] > 0 {
		name = "u" + name
	}
	return &NamedType{node: node{pos}, Name: simpleName(pos, name)}
}

func simpleName(pos Pos, ident string) *Name {
	return &Name{node: node{pos}, Parts: []NamePart{{Pos: pos, Ident: ident}}}
}

// elaborated parses a type that begins with a keyword of its own.
func (p *parser) elaborated(s *specifiers, c specContext) {
	t := p.tok()
	switch t.Text {
	case "auto", "__auto_type":
		s.typ = &AutoType{node: node{t.Pos}}
		p.advance()
	case "__typeof__", "__typeof":
		s.typ = p.typeof()
	case "__underlying_type":
		s.typ = p.underlying()
	case "decltype":
		s.typ = p.decltype()
		if p.at("::") {
			n := p.decltypeName(s.typ.(*DecltypeType))
			s.typ = &NamedType{node: node{t.Pos}, Name: n}
		}
	case "typename":
		p.advance()
		if p.at("decltype") {
			n := p.decltypeName(p.decltype().(*DecltypeType))
			s.typ = &NamedType{node: node{t.Pos}, Keyword: "typename", Name: n}
			p.dependent++
			return
		}
		if !p.startsName(p.i) {
			p.fail(codeExpectedName, "got %s, want a name after typename", p.tok())
		}
		n := p.takeName()
		if len(n.name.Parts) == 1 && !n.name.Global {
			p.failAt(n.name.pos, codeExpectedName, `got %q after typename, want a qualified name`, spellName(n.name))
		}
		s.typ, s.entity = &NamedType{node: node{t.Pos}, Keyword: "typename", Name: n.name}, n.entity
		p.dependent++
	case "enum":
		p.enum(s, c)
	default:
		p.record(s, c)
	}
}

func (p *parser) decltype() TypeExpr {
	d := &DecltypeType{node: node{p.advance()}}
	p.expect("(")
	if p.at("auto") && p.peek(1, ")") {
		p.i += 2
		return &AutoType{d.node, true}
	}
	p.relaxed(func() { d.X = p.expr() })
	p.expect(")")
	return d
}

// typeof parses __typeof__ '(' Type ')' or __typeof__ '(' X ')'.
func (p *parser) typeof() TypeExpr {
	d := &DecltypeType{node: node{p.advance()}, Object: true}
	var t TypeExpr
	p.expect("(")
	p.relaxed(func() {
		if end, ok := p.skipType(p.i); ok && p.isAt(end, ")") {
			t = p.typeID()
			return
		}
		t, d.X = d, p.expr()
	})
	p.expect(")")
	return t
}

// underlying parses __underlying_type '(' Type ')'.
func (p *parser) underlying() TypeExpr {
	d := &DecltypeType{node: node{p.advance()}, Underlying: true}
	p.expect("(")
	p.relaxed(func() { d.X = &ConstructExpr{node: node{p.tok().Pos}, Type: p.typeID(), Brace: true} })
	p.expect(")")
	return d
}

// isTypeof reports whether token i is decltype or what is like it.
func (p *parser) isTypeof(i int) bool {
	return p.isAt(i, "decltype") || p.isAt(i, "__typeof__") || p.isAt(i, "__typeof") || p.isAt(i, "__underlying_type")
}

// decltypeName parses what follows "decltype(X)" in a qualified name.
func (p *parser) decltypeName(d *DecltypeType) *Name {
	n := &Name{node: node{d.pos}, Parts: []NamePart{{Pos: d.pos, Ident: "decltype", Decltype: d.X}}}
	for p.accept("::") {
		part := NamePart{Pos: p.tok().Pos, Template: p.accept("template")}
		part.Ident = p.expectName("a name").Text
		if p.at("<") && part.Template {
			p.templateArgs(&part)
		}
		n.Parts = append(n.Parts, part)
	}
	return n
}

// isType reports whether a type begins at token i.
func (p *parser) isType(i int) bool {
	if i >= len(p.toks) {
		return false
	}
	switch p.toks[i].role {
	case roleType, roleQual, roleElaborated:
		return true
	case roleNone:
		return p.startsName(i) && p.nameAt(i).means == meansType || p.isCoherent(i)
	}
	return false
}

// skipType returns the end of the type name at token i, without a
// declarator's name; ok is false if there is none.
func (p *parser) skipType(i int) (end int, ok bool) {
	i, ok = p.skipSpecifiers(i)
	if !ok {
		return i, false
	}
	return p.skipAbstract(i), true
}

// skipSpecifiers returns the end of the type specifiers at token i.
func (p *parser) skipSpecifiers(i int) (end int, ok bool) {
	words := false
	for i < len(p.toks) {
		t := &p.toks[i]
		switch t.role {
		case roleQual:
			i++
			continue
		case roleType:
			if !ok || words {
				i, ok, words = i+1, true, true
				continue
			}
		case roleElaborated:
			if ok {
				return i, ok
			}
			ok = true
			switch {
			case t.Text == "auto", t.Text == "__auto_type":
				i++
			case p.isTypeof(i):
				if p.match[i+1] < 0 {
					return i, false
				}
				i = int(p.match[i+1]) + 1
			case p.startsName(i + 1):
				i = p.nameAt(i + 1).end
			default:
				return i, false
			}
			continue
		case roleNone:
			if p.isCoherent(i) {
				i++
				if p.isAt(i, "(") {
					i += 3
				}
				continue
			}
			if !ok && p.startsName(i) {
				if n := p.nameAt(i); n.means == meansType {
					i, ok = n.end, true
					continue
				}
			}
		}
		break
	}
	return i, ok
}

// skipPointers returns the end of the pointer operators at token i.
func (p *parser) skipPointers(i int) int {
	for p.isAt(i, "*") || p.isAt(i, "&") || p.isAt(i, "&&") || i < len(p.toks) && p.toks[i].role == roleQual {
		i++
	}
	return i
}

// skipAbstract returns the end of the abstract declarator at token i. In it
// parentheses hold pointer operators only: anything else is a call.
func (p *parser) skipAbstract(i int) int {
	i = p.skipPointers(i)
	if p.isNestedAbstract(i) {
		i = int(p.match[i]) + 1
	}
	for (p.isAt(i, "[") && !p.isAt(i+1, "[") || p.isAt(i, "(") && p.isAt(i-1, ")")) && p.match[i] >= 0 {
		i = int(p.match[i]) + 1
	}
	return i
}

// isNestedAbstract reports whether "(*)[…]" or "(*)(…)" stands at token i.
func (p *parser) isNestedAbstract(i int) bool {
	if !p.isAt(i, "(") {
		return false
	}
	j := p.skipPointers(i + 1)
	return j > i+1 && p.isAt(j, ")") && (p.isAt(j+1, "[") || p.isAt(j+1, "("))
}

// isPointerOp reports whether a pointer operator stands at token i.
func (p *parser) isPointerOp(i int) bool {
	return i < len(p.toks) && p.toks[i].Kind == Op && slices.Contains([]string{"*", "&", "&&"}, p.toks[i].Text)
}
