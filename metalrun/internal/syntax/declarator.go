package syntax

import "slices"

// declarator is what follows the specifiers: a name with pointers, arrays
// and parameters around it.
type declarator struct {
	pos      Pos
	name     *Name
	attrs    []*Attr
	pack     bool      // "..." before the name
	bindings []Binding // of a structured binding, which has no name
	fn       *function // of the innermost parameter list
	ctor     bool      // a constructor or conversion function: "(" opens parameters
}

// function is what a parameter list declares in addition to its type.
type function struct {
	typ      *FuncType
	scope    *scope // of its parameters
	quals    Quals
	ref      string   // "&" or "&&" after them
	trailing TypeExpr // after "->"
	after    []*Attr  // [[…]] after the parameters
	broken   bool     // the parameters are faulty
}

// declaratorKind says what a declarator may look like.
type declaratorKind uint8

const (
	namedDeclarator    declaratorKind = iota // a variable, function or type: must have a name
	paramDeclarator                          // may have one
	abstractDeclarator                       // has none
)

// declarator parses a declarator round base and returns the whole type.
func (p *parser) declarator(base TypeExpr, d *declarator, kind declaratorKind) TypeExpr {
	p.enter()
	defer func() { p.depth-- }()
	if !d.pos.IsValid() {
		d.pos = p.tok().Pos
	}
	base = p.pointers(base)
	if kind == paramDeclarator && p.at("...") {
		p.advance()
		d.pack = true
	}
	if p.at("(") && p.isNested(kind) {
		return p.nestedDeclarator(base, d, kind)
	}
	if kind != abstractDeclarator && (p.startsName(p.i) || p.at("operator") || p.at("~")) {
		d.name = p.declaratorName(kind)
		if p.atAttributes() || p.at("alignas") || p.at("__attribute__") {
			d.attrs = append(d.attrs, p.attributes()...)
		}
	} else if kind == namedDeclarator {
		if p.at("[") && isAuto(base) {
			p.bindings(d)
			return base
		}
		p.fail(codeExpectedName, "expected unqualified-id, got %s: want a name to declare", p.tok())
	}
	if d.name != nil && len(d.name.Parts) > 1 {
		p.push()
		defer p.pop()
		p.openClass(d.name)
	}
	return p.suffixes(base, d, kind, d.name != nil)
}

// isAuto reports whether t is auto with qualifiers or as a reference.
func isAuto(t TypeExpr) bool {
	switch t := t.(type) {
	case *AutoType:
		return true
	case *QualType:
		return isAuto(t.Base)
	case *ReferenceType:
		return isAuto(t.Elem)
	}
	return false
}

// bindings parses the names of a structured binding in brackets.
func (p *parser) bindings(d *declarator) {
	p.advance()
	for {
		t := p.expectName("the name of a binding")
		d.bindings = append(d.bindings, Binding{t.Pos, t.Text})
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
}

func (p *parser) declaratorName(kind declaratorKind) *Name {
	if kind == paramDeclarator {
		t := p.expectName("a parameter's name")
		return simpleName(t.Pos, t.Text)
	}
	if p.startsName(p.i) {
		return p.takeName().name
	}
	return p.qualified().name
}

// pointers parses pointer operators with their qualifiers.
func (p *parser) pointers(t TypeExpr) TypeExpr {
	for n := 0; p.isPointerOp(p.i); n++ {
		if n > p.limits.Of(Nesting) {
			p.fail(codeLimit, "%s", p.limits.Exceeded(Nesting, "type nests deeper than %d"))
		}
		op := p.tok()
		p.advance()
		if op.Text != "*" {
			t = &ReferenceType{node: node{op.Pos}, Elem: t, RValue: op.Text == "&&"}
		} else {
			t = &PointerType{node: node{op.Pos}, Elem: t}
		}
		var q Quals
		pos := p.tok().Pos
		for p.tok().role == roleQual {
			p.qualifier(&q)
		}
		if op.Text != "*" && q != (Quals{Restrict: q.Restrict}) {
			p.failAt(pos, codeExpected, "qualifiers other than __restrict may not be applied to a reference")
		}
		if q != (Quals{}) {
			t = &QualType{node: node{pos}, Quals: q, Base: t}
		}
	}
	return t
}

// isNested reports whether the parenthesis here encloses a declarator rather
// than parameters.
func (p *parser) isNested(kind declaratorKind) bool {
	switch kind {
	case namedDeclarator:
		return true
	case abstractDeclarator:
		return p.isNestedAbstract(p.i)
	}
	return p.isPointerOp(p.i+1) || p.kindAt(p.i+1) == Ident && !p.isType(p.i+1)
}

// nestedDeclarator parses '(' declarator ')' suffixes: the suffixes bind
// first, so they are parsed before what is inside.
func (p *parser) nestedDeclarator(base TypeExpr, d *declarator, kind declaratorKind) TypeExpr {
	open, end := p.i, int(p.match[p.i])
	if end < 0 {
		p.i = len(p.toks) - 1
		p.fail(codeExpected, `got %s, want ")"`, p.tok())
	}
	p.i = end + 1
	t := p.suffixes(base, d, kind, false)
	after := p.i
	p.i = open + 1
	t = p.declarator(t, d, kind)
	if p.i != end {
		p.fail(codeExpected, `got %s, want ")"`, p.tok())
	}
	p.i = after
	return t
}

// suffixes parses arrays and parameters after a declarator's core.
func (p *parser) suffixes(base TypeExpr, d *declarator, kind declaratorKind, named bool) TypeExpr {
	var arrays []*ArrayType
	for {
		switch {
		case p.at("[") && !p.atAttributes():
			if len(arrays) > p.limits.Of(Nesting) {
				p.fail(codeLimit, "%s", p.limits.Exceeded(Nesting, "type nests deeper than %d"))
			}
			a := &ArrayType{node: node{p.advance()}}
			if !p.at("]") {
				p.relaxed(func() { a.Len = p.expr() })
			}
			p.expect("]")
			arrays = append(arrays, a)
			continue
		case p.at("(") && len(arrays) == 0 && (d.ctor || p.isParameters(kind)):
			return p.functionSuffix(base, d, named)
		case (p.atAttributes() || p.at("__attribute__")) && kind != abstractDeclarator:
			d.attrs = append(d.attrs, p.attributes()...)
			continue
		}
		break
	}
	for i := len(arrays) - 1; i >= 0; i-- {
		arrays[i].Elem = base
		base = arrays[i]
	}
	return base
}

// functionSuffix parses parameters and what may follow those of a function.
func (p *parser) functionSuffix(result TypeExpr, d *declarator, named bool) TypeExpr {
	f := &FuncType{node: node{p.tok().Pos}, Result: result}
	fn := &function{typ: f, scope: p.push()}
	f.Params, fn.broken = p.definitionParams()
	if named {
		for p.tok().role == roleQual {
			p.qualifier(&fn.quals)
		}
		if p.at("&") || p.at("&&") {
			fn.ref = p.tok().Text
			p.advance()
		}
		p.noexcept()
		p.asmLabel(d)
		for p.atAttributes() || p.at("__attribute__") {
			if p.atAttributes() {
				fn.after = append(fn.after, p.attributeBlock()...)
			} else {
				d.attrs = append(d.attrs, p.attributes()...)
			}
		}
		if p.at("->") {
			if _, ok := result.(*AutoType); !ok {
				p.fail(codeSpecifier, `got a trailing result type, want "auto" before the function's name`)
			}
			p.advance()
			fn.trailing = p.typeID()
			f.Result = fn.trailing
		}
	}
	d.fn = fn
	p.pop()
	return f
}

// asmLabel parses __asm("name"), by which the library's headers declare functions of the
// compiler.
func (p *parser) asmLabel(d *declarator) {
	if !p.at("__asm") && !p.at("__asm__") && !p.at("asm") {
		return
	}
	a := &Attr{node: node{p.advance()}, Scope: "gnu", Name: AsmLabel}
	p.expect("(")
	if p.tok().Kind != String {
		p.fail(codeExpected, "got %s, want the name of a function as a string", p.tok())
	}
	a.Args = []Expr{p.stringLit()}
	p.expect(")")
	d.attrs = append(d.attrs, a)
}

// AsmLabel is the attribute that __asm("name") after a declaration becomes.
const AsmLabel = "asm"

// noexcept passes an exception specification: Metal has no exceptions.
func (p *parser) noexcept() {
	if p.accept("noexcept") && p.at("(") {
		p.skipGroup()
	}
}

// openClass makes the members of the class that qualifies name, and of those around it,
// visible in the current scope.
func (p *parser) openClass(name *Name) {
	in := p.scope
	var e *entity
	var around []*scope
	for i := range name.Parts[:len(name.Parts)-1] {
		switch {
		case i == 0 && !name.Global:
			e = p.scope.lookup(name.Parts[i].Ident)
		case i == 0:
			e = p.global().member(name.Parts[i].Ident)
		default:
			e = e.members.member(name.Parts[i].Ident)
		}
		if e == nil || e.members == nil {
			return
		}
		around = append(around, e.members)
	}
	slices.Reverse(around)
	in.bases = append(in.bases, around...)
}

// isParameters reports whether the parenthesis here opens parameters rather
// than an initialiser.
func (p *parser) isParameters(kind declaratorKind) bool {
	i := p.i + 1
	if kind != namedDeclarator {
		return kind == paramDeclarator || p.isAt(i, ")") || p.isType(i)
	}
	if p.isAt(i, ")") || p.isAt(i, "...") || p.isAt(i, "[") && p.isAt(i+1, "[") {
		return true
	}
	switch t := &p.toks[i]; {
	case p.meantAsType(i), p.opaqueDeclares(i):
		return true
	case t.role == roleSpec, t.is("struct"), t.is("union"), t.is("class"), t.is("enum"):
		return true
	case t.role == roleQual,
		t.role == roleNone && p.kindAt(i) == Ident && p.kindAt(i+1) == Ident && p.toks[i+1].role == roleNone:
		return true // no expression begins so, though the type may not be known
	case !p.isType(i):
		return false
	}
	end, ok := p.skipType(i)
	switch {
	case !ok:
		return p.meantAsType(end)
	case p.isAt(end, "{"):
		return false
	}
	if !p.isAt(end, "(") {
		return true
	}
	if p.isPointerOp(end + 1) {
		return true
	}
	// "T x(U(y))" declares a function in C++, which is never what is meant.
	if p.kindAt(end+1) == Ident && p.isAt(end+2, ")") && p.isAt(end+3, ")") && int(p.match[p.i]) == end+3 {
		p.failAt(p.tok().Pos, codeSpecifier, `this declares a function; write "=" for a variable with an initial value`)
	}
	return false
}

// params parses '(' [param {, param}] ')' in a scope of their own.
func (p *parser) params() []*Param {
	p.expect("(")
	if p.accept(")") {
		return nil
	}
	if p.at("void") && p.peek(1, ")") {
		p.i += 2
		return nil
	}
	var list []*Param
	p.relaxed(func() {
		for {
			list = append(list, p.param())
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect(")")
	return list
}

// definitionParams parses the parameters of a function. If they are faulty and a body
// follows, the function has those before the fault, and the body is looked at too.
func (p *parser) definitionParams() (list []*Param, broken bool) {
	end := p.match[p.i]
	if end < 0 || !p.isAt(int(end)+1, "{") {
		return p.params(), false
	}
	noGreater, start := p.noGreater, p.i
	if p.attempt(func() { list = p.params() }) {
		return list, false
	}
	p.i = start // once more, up to the fault, which is reported already
	p.noGreater = noGreater
	errs := p.errs
	p.attempt(func() {
		p.expect("(")
		p.relaxed(func() {
			for {
				list = append(list, p.param())
				p.expect(",")
			}
		})
	})
	p.errs, p.noGreater, p.i = errs, noGreater, int(end)+1
	return list, true
}

func (p *parser) param() *Param {
	if p.at("...") {
		p.fail(codeNotMetal, "variable arguments are not supported in Metal")
	}
	s := p.specifiers(specContext{})
	if s.specs != (Specs{}) || s.typedef || s.typ == nil {
		p.failAt(s.pos, codeSpecifier, "got a specifier that no parameter may have")
	}
	if s.defined {
		p.failAt(s.pos, codeSpecifier, "got the definition of a type in a parameter")
	}
	d := declarator{}
	x := &Param{node: node{s.pos}}
	x.Type = p.declarator(s.typ, &d, paramDeclarator)
	x.Attrs = append(s.attrs, d.attrs...)
	x.Variadic = d.pack
	if d.name != nil {
		x.Name, x.NamePos = d.name.Last().Ident, d.name.pos
		p.declareValue(x.Name, false)
		p.markDependent(x.Name, x.Type)
	}
	if p.accept("=") {
		x.Default = p.initializer()
	}
	return x
}
