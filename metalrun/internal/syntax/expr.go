package syntax

import "slices"

// expr parses assignment {, assignment}.
func (p *parser) expr() Expr {
	x := p.assignment()
	for n := 0; p.at(",") && !p.peek(1, "..."); n++ {
		p.checkChain(n)
		b := &BinaryExpr{node: node{p.advance()}, Op: ",", X: x}
		b.Y = p.assignment()
		x = b
	}
	return x
}

// checkChain bounds the operators of one precedence in one expression, and so the depth of the tree.
func (p *parser) checkChain(n int) {
	if n >= p.limits.Of(Operators) {
		p.fail(codeLimit, "%s", p.limits.Exceeded(Operators, "expression has more than %d operators in a row"))
	}
}

// assignment parses conditional [op assignment].
func (p *parser) assignment() Expr {
	p.enter()
	x := p.conditional()
	if op, n := p.binaryOp(); n > 0 && isAssignment(op) && !p.isAt(p.i+n, "...") {
		a := &AssignExpr{node: node{p.tok().Pos}, Op: op, X: x}
		p.i += n
		a.Y = p.initializer()
		x = a
	}
	p.depth--
	return x
}

// initializer parses an assignment or a list in braces.
func (p *parser) initializer() Expr {
	if p.at("{") {
		return p.initList()
	}
	return p.assignment()
}

func (p *parser) initializerOrComma() Expr {
	if p.at("{") {
		return p.initList()
	}
	return p.expr()
}

// initList parses '{' [ [.field =] init {, …} [,] ] '}'.
func (p *parser) initList() *InitList {
	p.enter()
	l := &InitList{node: node{p.expect("{")}}
	p.relaxed(func() {
		for !p.at("}") {
			field := ""
			var place *ArrayDesignator
			switch {
			case p.at("."):
				p.advance()
				field = p.expectName("the name of a field").Text
				if !p.at("{") {
					p.expect("=")
				}
			case p.isDesignator():
				place = p.arrayDesignator()
				l.Designators = slices.Grow(l.Designators, len(l.Elems)+1)[:len(l.Elems)]
			}
			l.Elems = append(l.Elems, p.argument())
			l.Fields = append(l.Fields, field)
			if l.Designators != nil || place != nil {
				l.Designators = append(l.Designators, place)
			}
			if !p.accept(",") {
				break
			}
		}
	})
	if !p.at("}") {
		p.fail(codeExpected, `got %s, want "," or "}"`, p.tok())
	}
	p.advance()
	p.depth--
	return l
}

// isDesignator reports whether the bracket here opens an array designator rather
// than a lambda.
func (p *parser) isDesignator() bool {
	if !p.at("[") || p.match[p.i] < 0 {
		return false
	}
	end := int(p.match[p.i])
	return p.isAt(end+1, "=") || p.isAt(end+1, "[") || p.isAt(end+1, ".")
}

// place parses '[' First ['...' Last] ']' '='.
func (p *parser) arrayDesignator() *ArrayDesignator {
	at := &ArrayDesignator{}
	p.advance()
	at.First = p.conditional()
	if p.accept("...") {
		at.Last = p.conditional()
	}
	p.expect("]")
	if !p.at("=") {
		p.fail(codeUnsupported, "a designator of several steps is not supported")
	}
	p.advance()
	return at
}

// args parses [argument {, argument}] up to the closing bracket, and passes it.
func (p *parser) args(closing string) []Expr {
	var list []Expr
	p.relaxed(func() {
		for !p.at(closing) {
			list = append(list, p.argument())
			if !p.at(",") {
				break
			}
			p.advance()
			if p.at(closing) && closing != "}" {
				p.fail(codeExpectedExpr, "got %s, want an argument", p.tok())
			}
		}
	})
	if !p.at(closing) {
		p.fail(codeExpected, "got %s, want \",\" or %q", p.tok(), closing)
	}
	p.advance()
	return list
}

func (p *parser) argument() Expr {
	x := p.initializer()
	if p.at("...") {
		return &PackExpr{node{p.advance()}, x}
	}
	return x
}

// conditional parses binary ['?' expr ':' assignment].
func (p *parser) conditional() Expr {
	x := p.binary(1)
	if !p.at("?") {
		return x
	}
	p.enter()
	c := &CondExpr{node: node{p.advance()}, Cond: x}
	if !p.at(":") {
		c.X = p.expr()
	}
	p.expect(":")
	c.Y = p.assignment()
	p.depth--
	return c
}

// binary parses operators of at least the given precedence, left to right.
func (p *parser) binary(min int) Expr {
	x := p.unary()
	for n := 0; ; n++ {
		op, width := p.binaryOp()
		prec := precedence[op]
		if prec == 0 || prec < min || p.isAt(p.i+width, "...") {
			return x
		}
		p.checkChain(n)
		b := &BinaryExpr{node: node{p.tok().Pos}, Op: op, X: x}
		p.i += width
		b.Y = p.binary(prec + 1)
		x = b
	}
}

func (p *parser) unary() Expr {
	p.enter()
	defer func() { p.depth-- }()
	t := p.tok()
	if t.Kind == Op {
		switch t.Text {
		case "+", "-", "!", "~", "*", "&", "++", "--":
			u := &UnaryExpr{node: node{p.advance()}, Op: t.Text}
			u.X = p.unary()
			return u
		case "&&":
			p.fail(codeUnsupported, "the address of a label is not supported")
		case "(":
			if end, ok := p.skipType(p.i + 1); ok && p.isAt(end, ")") || p.isOpaqueCast(p.i) {
				return p.cast()
			}
		}
	}
	if p.at("sizeof") || p.at("alignof") {
		return p.sizeof()
	}
	return p.postfix(p.primary())
}

// cast parses '(' Type ')' unary. A list in braces after it builds a value.
func (p *parser) cast() Expr {
	pos := p.advance()
	var t TypeExpr
	p.relaxed(func() { t = p.typeID() })
	p.expect(")")
	if p.at("{") {
		if _, ok := t.(*NamedType); !ok {
			p.fail(codeUnsupported, "a list in braces after a cast to this type is not supported")
		}
		c := &ConstructExpr{node: node{pos}, Type: t}
		p.constructList(c)
		return p.postfix(c)
	}
	c := &CastExpr{node: node{pos}, Type: t}
	c.X = p.unary()
	return c
}

// sizeof parses sizeof and alignof of types and expressions.
func (p *parser) sizeof() Expr {
	s := &SizeofExpr{Align: p.at("alignof")}
	s.pos = p.advance()
	if !s.Align && p.accept("...") {
		s.Pack = true
		p.expect("(")
		t := p.expectName("the name of a pack")
		s.X = &NameExpr{node{t.Pos}, simpleName(t.Pos, t.Text)}
		p.expect(")")
		return s
	}
	if p.at("(") {
		if end, ok := p.skipType(p.i + 1); ok && p.isAt(end, ")") || s.Align && p.opaqueBefore(p.i+1, ")") {
			p.advance()
			p.relaxed(func() { s.Type = p.typeID() })
			p.expect(")")
			return s
		}
	}
	if s.Align {
		p.expect("(")
		p.fail(codeExpectedType, "got %s, want a type in alignof", p.tok())
	}
	s.X = p.unary()
	return s
}

// postfix parses calls, indices, members and increments after x.
func (p *parser) postfix(x Expr) Expr {
	for n := 0; p.tok().Kind == Op; n++ {
		t := p.tok()
		p.checkChain(n)
		switch t.Text {
		case "(":
			c := &CallExpr{node: node{p.advance()}, Fun: x}
			c.Args = p.args(")")
			x = c
		case "[":
			i := &IndexExpr{node: node{p.advance()}, X: x}
			p.relaxed(func() { i.Index = p.expr() })
			p.expect("]")
			x = i
		case ".", "->":
			p.advance()
			x = &MemberExpr{node{t.Pos}, x, t.Text == "->", p.memberName(p.dependentObject(x))}
		case "++", "--":
			p.advance()
			x = &PostfixExpr{node{t.Pos}, t.Text, x}
		case ".*", "->*":
			p.fail(codeUnsupported, "pointers to members are not supported")
		case "{":
			return p.braceAfter(x)
		default:
			return x
		}
	}
	return x
}

// braceAfter refuses T{…} where T is not known as a type; elsewhere a brace
// ends the expression.
func (p *parser) braceAfter(x Expr) Expr {
	if n, ok := x.(*NameExpr); ok && p.i > 0 && p.kindAt(p.i-1) == Ident && n.Name.Last().Ident == p.toks[p.i-1].Text {
		if e := p.scope.lookup(n.Name.Parts[0].Ident); e == nil {
			p.failName(&parsedName{name: n.Name})
		}
	}
	return x
}

// memberQualifier reports whether a class with template arguments qualifies the
// member's name here.
func (p *parser) memberQualifier() bool {
	e := p.scope.lookup(p.tok().Text)
	return e != nil && e.means == meansType && e.template && p.nameAt(p.i).end > p.i &&
		len(p.nameAt(p.i).name.Parts) > 1
}

// memberName parses what follows "." or "->". A member is a template if
// "template" says so or a member template of that name is known, which a member of a dependent object never is.
func (p *parser) memberName(dependent bool) *Name {
	t := p.tok()
	if t.Kind == Ident && !p.peek(1, "::") &&
		!(p.peek(1, "<") && (p.methods[t.Text] || dependent && p.isTypeList(p.i+1))) {
		p.advance()
		return simpleName(t.Pos, t.Text)
	}
	if p.at("~") {
		p.fail(codeNotMetal, "calling a destructor is not supported")
	}
	name := &Name{node: node{t.Pos}}
	part := NamePart{Pos: t.Pos, Template: p.accept("template")}
	if p.at("operator") {
		p.operatorName(&part)
	} else {
		if p.peek(1, "::") || p.peek(1, "<") && p.memberQualifier() {
			return p.takeName().name
		}
		part.Ident = p.expectName("the name of a member").Text
	}
	if p.at("<") && (part.Template || p.methods[part.Ident] || part.Ident == "operator()" ||
		dependent && p.isTypeList(p.i)) {
		e := p.scope.lookup(part.Ident)
		if isClass := e != nil && e.means == meansType && e.template; dependent && !part.Template && !isClass {
			p.report(t.Pos, codeTemplate, "use 'template' keyword to treat '%s' as a dependent template name",
				part.Ident)
		}
		p.templateArgs(&part)
	}
	name.Parts = []NamePart{part}
	return name
}
