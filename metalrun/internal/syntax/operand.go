package syntax

// primary parses an operand.
func (p *parser) primary() Expr {
	t := p.tok()
	switch t.Kind {
	case Int, Float, Char:
		return p.literal()
	case String:
		return p.stringLit()
	case Ident:
		return p.nameOperand()
	case Keyword:
		return p.keywordOperand()
	case Op:
		switch t.Text {
		case "(":
			return p.paren()
		case "::":
			if p.startsName(p.i) {
				return p.nameOperand()
			}
		case "[":
			p.fail(codeUnsupported, "lambdas are not supported")
		}
	}
	p.fail(codeExpectedExpr, "got %s, want an expression", t)
	return nil
}

// paren parses '(' expr ')'.
func (p *parser) paren() Expr {
	x := &ParenExpr{node: node{p.advance()}}
	if p.at("{") {
		p.fail(codeUnsupported, "statement expressions are not supported")
	}
	p.relaxed(func() { x.X = p.expr() })
	if p.at("...") {
		p.fail(codeUnsupported, "fold expressions are not supported")
	}
	p.expect(")")
	return x
}

// nameOperand parses a name used as a value, or T(…) and T{…} of a type.
func (p *parser) nameOperand() Expr {
	n := p.nameAt(p.i)
	if n.means == meansType {
		return p.construct()
	}
	if n.means == meansNamespace {
		p.fail(codeExpectedExpr, "got namespace %q, want an expression", spellName(n.name))
	}
	if p.isAt(n.end, "{") && n.untyped {
		p.failName(n)
	}
	p.takeName()
	return &NameExpr{node{n.name.pos}, n.name}
}

// construct parses Type '(' args ')' or Type '{' args '}'. The type is one
// word or name.
func (p *parser) construct() Expr {
	c := &ConstructExpr{node: node{p.tok().Pos}}
	t := p.tok()
	switch {
	case t.role == roleType:
		p.advance()
		c.Type = p.builtin([]string{t.Text}, t.Pos)
	case p.at("decltype"):
		c.Type = p.decltype()
	default:
		c.Type = p.typeSpecifier()
	}
	switch {
	case p.accept("("):
		c.Args = p.args(")")
	case p.at("{"):
		p.advance()
		c.Brace, c.Args = true, p.args("}")
	default:
		p.fail(codeExpected, `got %s, want "(" or "{" after a type`, p.tok())
	}
	return c
}

func (p *parser) keywordOperand() Expr {
	t := p.tok()
	switch t.Text {
	case "true", "false":
		p.advance()
		return &BoolLit{node{t.Pos}, t.Text == "true"}
	case "nullptr":
		return &NullLit{node{p.advance()}}
	case "this":
		return &ThisExpr{node{p.advance()}}
	case "static_cast", "reinterpret_cast", "const_cast", "as_type":
		return p.namedCast()
	case "typename", "decltype":
		return p.construct()
	case "operator":
		n := p.qualified().name
		return &NameExpr{node{t.Pos}, n}
	}
	if t.role == roleType {
		return p.construct()
	}
	p.fail(codeExpectedExpr, "got %s, want an expression", t)
	return nil
}

// namedCast parses keyword '<' Type '>' '(' X ')'.
func (p *parser) namedCast() Expr {
	c := &CastExpr{node: node{p.tok().Pos}, Keyword: p.tok().Text}
	p.advance()
	p.expect("<")
	saved := p.noGreater
	p.noGreater = true
	c.Type = p.typeID()
	p.noGreater = saved
	p.expect(">")
	p.expect("(")
	p.relaxed(func() { c.X = p.expr() })
	p.expect(")")
	return c
}

// literal parses a number or a character.
func (p *parser) literal() Expr {
	t := p.tok()
	var err *Error
	var x Expr
	switch t.Kind {
	case Int:
		l := &IntLit{node: node{t.Pos}, Text: t.Text}
		l.Value, l.Suffix, l.Hex, err = intValue(t.Text)
		x = l
	case Float:
		l := &FloatLit{node: node{t.Pos}, Text: t.Text}
		l.Value, l.Suffix, err = floatValue(t.Text)
		x = l
	default:
		l := &IntLit{node: node{t.Pos}, Text: t.Text, Char: true}
		l.Value, err = charValue(t.Text)
		x = l
	}
	if err != nil {
		p.report(t.Pos, err.Code, "%s", err.Msg)
	}
	p.advance()
	return x
}

// stringLit parses one string of adjacent literals.
func (p *parser) stringLit() *StringLit {
	l := &StringLit{node: node{p.tok().Pos}}
	for t := p.tok(); t.Kind == String; t = p.tok() {
		s, err := stringValue(t.Text)
		if err != nil {
			p.report(t.Pos, err.Code, "%s", err.Msg)
		}
		l.Value += s
		p.advance()
	}
	return l
}
