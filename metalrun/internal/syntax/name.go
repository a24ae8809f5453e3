package syntax

// parsedName is a name as nameAt found it.
type parsedName struct {
	name   *Name
	end    int // index of the first token after it
	means  meaning
	entity *entity

	dependent bool // on template parameters
	// typename is missing: the name is a type only if the template
	// parameters before it say so.
	untyped bool
	opaque  bool // a member of a class that only the checker knows
	// template is missing before this part, which depends on template parameters.
	untemplated *NamePart
}

// nameAt parses the possibly qualified name at token i without moving.
func (p *parser) nameAt(i int) *parsedName {
	if n := p.names[i]; n != nil {
		return n
	}
	saved := p.i
	p.i = i
	n := p.qualified()
	n.end = p.i
	p.names[i] = n
	p.i = saved
	return n
}

// takeName parses the name at the current token.
func (p *parser) takeName() *parsedName {
	n := p.nameAt(p.i)
	p.i = n.end
	if n.dependent {
		p.dependent++
	}
	if t := n.untemplated; t != nil {
		p.report(t.Pos, codeTemplate, "use 'template' keyword to treat '%s' as a dependent template name", t.Ident)
	}
	return n
}

// startsName reports whether a possibly qualified name begins at token i.
func (p *parser) startsName(i int) bool {
	return p.kindAt(i) == Ident || p.isAt(i, "::") && p.kindAt(i+1) == Ident
}

// qualified parses [::] part {:: part}.
func (p *parser) qualified() *parsedName {
	r := &parsedName{name: &Name{}}
	r.name.pos = p.tok().Pos
	var in *scope // where the next part is looked up; nil if unknown
	first := true
	if p.accept("::") {
		r.name.Global = true
		in, first = p.global(), false
	}
	uses := p.dependent
	for {
		part := NamePart{Pos: p.tok().Pos, Template: p.accept("template")}
		owner := r.entity
		within := first || in == nil || p.scope.within(in) // its template's parameters are those at hand
		var e *entity
		switch {
		case p.at("operator"):
			p.operatorName(&part)
		case p.at("~"):
			p.advance()
			part.Ident = "~" + p.expectName("a class name").Text
		default:
			part.Ident = p.expectName("a name").Text
			switch {
			case first:
				if e = p.scope.lookup(part.Ident); e != nil && e.members == p.metal {
					part.Ident = "metal" // which an alias names too
				}
			case in != nil:
				e = in.member(part.Ident)
				if e == nil && in.class == part.Ident {
					e = in.parent.lookup(part.Ident)
				}
			}
		}
		p.chargeSearches()
		switch {
		case p.at("<") && (part.Template || e != nil && e.template):
			p.templateArgs(&part)
		case e == nil && in == nil && !first && p.dependent > uses && p.isTypeList(p.i):
			r.untemplated = &NamePart{Pos: part.Pos, Ident: part.Ident}
			p.templateArgs(&part)
		}
		r.name.Parts = append(r.name.Parts, part)
		r.entity = e
		r.opaque = r.opaque && !part.Template || owner != nil && owner.means == meansType && owner.members == nil
		if e != nil && e.dependent && within {
			p.dependent++
		}
		if !p.at("::") || p.kindAt(p.i+1) != Ident && !p.peek(1, "template") && !p.peek(1, "operator") &&
			!p.peek(1, "~") {
			break
		}
		p.advance()
		first = false
		in = nil
		if e != nil {
			in = e.members
		}
		if in != nil && p.dependent > uses && !p.scope.within(in) {
			r.untyped = true
		}
	}
	if r.entity != nil {
		r.means = r.entity.means
	}
	r.dependent = p.dependent > uses
	r.opaque = r.entity == nil && r.opaque && !r.dependent
	if r.untyped && r.means == meansType {
		r.means = meansNothing
	} else {
		r.untyped = false
	}
	return r
}

// global is the scope of the translation unit.
func (p *parser) global() *scope {
	s := p.scope
	for s.parent.parent != nil {
		s = s.parent
	}
	return s
}

// operatorName parses "operator" and what it names: an operator or a type.
func (p *parser) operatorName(part *NamePart) {
	p.expect("operator")
	t := p.tok()
	if code, msg := t.refusal(); code != "" {
		p.failAt(t.Pos, code, "operator %s", msg)
	}
	if t.Kind == String {
		p.literalOperator(part)
		return
	}
	if t.Kind != Op || t.Text == "::" {
		part.Ident = "operator"
		part.Conversion = p.conversionType()
		return
	}
	op, n := t.Text, 1
	switch {
	case op == "(" && p.peek(1, ")"), op == "[" && p.peek(1, "]"):
		op, n = op+p.toks[p.i+1].Text, 2
	case op == ">" && t.glued:
		op, n = ">"+p.toks[p.i+1].Text, 2
	case isAssignment(op), precedence[op] > 0, op == "!", op == "~", op == "++", op == "--", op == "->", op == ",":
	default:
		p.fail(codeExpected, "got %s, want an operator", t)
	}
	part.Ident = "operator" + op
	p.i += n
}

// literalOperator parses the empty string and the suffix that name a literal operator.
func (p *parser) literalOperator(part *NamePart) {
	if t := p.tok(); t.Text != `""` {
		p.fail(codeExpected, "got %s, want \"\" and a suffix", t)
	}
	p.advance()
	t := p.expectName("a suffix")
	if t.Text[0] != '_' {
		p.report(t.Pos, codeBadNumber, "user-defined literal suffixes not starting with '_' are reserved: got %s",
			t.Text)
	}
	part.Ident = literalPrefix + t.Text
}

// conversionType parses the type of a conversion function: no brackets.
func (p *parser) conversionType() TypeExpr {
	t := p.typeSpecifier()
	return p.pointers(t)
}

// spellName writes a name for a message.
func spellName(n *Name) string { return spellNode(n) }
