package syntax

import "strings"

// atAttributes reports whether "[[" stands here.
func (p *parser) atAttributes() bool { return p.at("[") && p.peek(1, "[") }

// attributes parses all attributes here: [[…]], alignas(…) and __attribute__((…)).
func (p *parser) attributes() []*Attr {
	var list []*Attr
	for gnu := false; ; {
		switch {
		case p.atAttributes():
			if gnu {
				p.report(p.tok().Pos, codeSpecifier,
					"an attribute list cannot appear here: want it ahead of __attribute__")
			}
			list = append(list, p.attributeBlock()...)
		case p.at("alignas"):
			list = append(list, p.alignas())
		case p.at("__attribute__"):
			gnu = true
			p.advance()
			p.expect("(")
			p.expect("(")
			p.relaxed(func() { list = p.attributeList(list, ")") })
			p.expect(")")
			p.expect(")")
		default:
			return list
		}
	}
}

// attributeBlock parses one [[…]].
func (p *parser) attributeBlock() (list []*Attr) {
	p.i += 2
	p.relaxed(func() { list = p.attributeList(nil, "]") })
	p.expect("]")
	p.expect("]")
	return list
}

// attributeList parses attributes separated by commas up to the closing
// bracket. GNU attributes, closed by a parenthesis, become [[gnu::…]].
func (p *parser) attributeList(list []*Attr, closing string) []*Attr {
	for !p.at(closing) {
		t := p.attributeWord()
		a := &Attr{node: node{t.Pos}, Name: t.Text}
		if closing == ")" {
			a.Scope, a.Name = "gnu", strings.TrimSuffix(strings.TrimPrefix(t.Text, "__"), "__")
		} else if p.accept("::") {
			a.Scope, a.Name = t.Text, p.attributeWord().Text
		}
		if p.accept("(") {
			a.Args = p.args(")")
		}
		list = append(list, a)
		if !p.accept(",") {
			break
		}
	}
	return list
}

func (p *parser) attributeWord() *Token {
	t := p.tok()
	if t.Kind != Ident && t.Kind != Keyword {
		p.fail(codeExpectedName, "got %s, want the name of an attribute", t)
	}
	p.advance()
	return t
}

// alignas parses alignas '(' X ')'. Of a type it means its alignment.
func (p *parser) alignas() *Attr {
	a := &Attr{node: node{p.advance()}, Name: "alignas"}
	p.expect("(")
	p.relaxed(func() {
		if end, ok := p.skipType(p.i); ok && p.isAt(end, ")") {
			x := &SizeofExpr{node: node{p.tok().Pos}, Align: true}
			x.Type = p.typeID()
			a.Args = []Expr{x}
			return
		}
		a.Args = []Expr{p.conditional()}
	})
	p.expect(")")
	return a
}
