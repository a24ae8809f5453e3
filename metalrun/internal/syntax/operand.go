package syntax

import (
	"fmt"
	"slices"
	"strings"
)

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
			return p.lambda()
		}
	}
	p.fail(codeExpectedExpr, "expected expression, got %s", t)
	return nil
}

// paren parses '(' expr ')'.
func (p *parser) paren() Expr {
	x := &ParenExpr{node: node{p.advance()}}
	if p.at("{") {
		return p.stmtExpr(x.pos)
	}
	if cast := p.brokenCast(x.pos); cast != nil {
		return cast
	}
	var fold *FoldExpr
	p.relaxed(func() {
		if fold = p.leftFold(x.pos); fold != nil {
			return
		}
		x.X = p.expr()
		fold = p.fold(x.pos, x.X)
	})
	p.expect(")")
	if fold != nil {
		return fold
	}
	return x
}

// brokenCast recovers from "(half - 1)", which begins as a cast does: the parenthesis is
// reported, and what follows it is the operand. It is nil for anything else.
func (p *parser) brokenCast(opening Pos) Expr {
	end, ok := p.skipType(p.i)
	close := int(p.match[p.i-1])
	if !ok || close < end || p.tok().role != roleType {
		return nil
	}
	if t := &p.toks[end]; t.Kind != Op || t.is("(") || t.is("::") || t.is("...") {
		return nil
	}
	e := &Error{Pos: p.toks[end].Pos, Code: codeExpected, Msg: fmt.Sprintf("expected ')', got %s", &p.toks[end])}
	p.errs.add(e.Note(opening, "to match this '('"))
	p.i = close + 1
	p.unary()
	return &BadExpr{node{opening}}
}

// stmtExpr parses block ')' of a statement expression. Nothing jumps out of it.
func (p *parser) stmtExpr(pos Pos) Expr {
	x := &StmtExpr{node: node{pos}}
	jumps := p.jumps
	p.jumps = jumpContext{function: p.jumps.function}
	p.relaxed(func() { x.Body = p.block() })
	p.jumps = jumps
	p.expect(")")
	return x
}

// leftFold parses "... op X"; nil if it does not stand here.
func (p *parser) leftFold(pos Pos) *FoldExpr {
	if !p.at("...") {
		return nil
	}
	p.advance()
	f := &FoldExpr{node: node{pos}, Left: true, Op: p.foldOperator()}
	f.X = p.unary()
	return f
}

// fold parses the rest of "X op ..." or "X op ... op Y"; nil if no dots stand here.
// The operator before the dots has no right operand: [parser.binary] leaves it there.
func (p *parser) fold(pos Pos, x Expr) *FoldExpr {
	op, n := p.foldStart()
	if n == 0 {
		return nil
	}
	p.i += n
	p.expect("...")
	f := &FoldExpr{node: node{pos}, Op: op, X: x}
	if p.at(")") {
		return f
	}
	if again := p.foldOperator(); again != op {
		p.failAt(pos, codeExpected, "got operators %s and %s in a fold expression, want the same twice", op, again)
	}
	y := p.unary()
	if mentionsPack(y) && !mentionsPack(x) {
		f.Left, f.X, f.Init = true, y, x
	} else {
		f.Init = y
	}
	return f
}

// mentionsPack reports whether x may hold an unexpanded pack: in a fold with an initial
// value a literal cannot, and of two names the parameter pack is the operand that is
// no literal. What is left undecided the checker settles.
func mentionsPack(x Expr) bool {
	switch x := x.(type) {
	case *ParenExpr:
		return mentionsPack(x.X)
	case *IntLit, *FloatLit, *UserLit, *BoolLit, *StringLit, *NullLit, *ThisExpr:
		return false
	}
	return true
}

// foldStart is the operator at the current token if dots follow it, and its width.
func (p *parser) foldStart() (string, int) {
	op, n := p.binaryOp()
	if n == 0 || !p.isAt(p.i+n, "...") || precedence[op] == 0 && !isAssignment(op) && op != "," {
		return "", 0
	}
	return op, n
}

// foldOperator passes a binary operator.
func (p *parser) foldOperator() string {
	op, n := p.binaryOp()
	if n == 0 || precedence[op] == 0 && !isAssignment(op) && op != "," {
		p.fail(codeExpected, "got %s, want the operator of a fold expression", p.tok())
	}
	p.i += n
	return op
}

// lambda parses '[' captures ']' [template parameters] ['(' params ')'] ["mutable"] ["->" Type] block.
func (p *parser) lambda() Expr {
	x := &LambdaExpr{node: node{p.advance()}}
	outer := p.push()
	p.relaxed(func() {
		for !p.at("]") {
			p.capture(x)
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect("]")
	if p.at("<") {
		x.Template = &Template{node: node{p.tok().Pos}}
		p.push().template = true
		p.templateParams(x.Template)
	}
	p.push()
	if p.at("(") {
		x.Params = p.params()
	}
	for p.at("mutable") || p.at("constexpr") {
		x.Mutable = x.Mutable || p.at("mutable")
		p.advance()
	}
	p.noexcept()
	p.attributes()
	if p.accept("->") {
		x.Result = p.typeID()
	}
	jumps := p.jumps
	p.jumps = jumpContext{function: true}
	p.relaxed(func() { x.Body = p.block() })
	p.jumps = jumps
	p.scope = outer.parent
	return x
}

// capture parses one capture of a lambda.
func (p *parser) capture(x *LambdaExpr) {
	pos := p.tok().Pos
	first := len(x.Captures) == 0 && x.Default == ""
	switch {
	case first && p.at("="):
		x.Default = "="
		p.advance()
	case first && p.at("&") && p.kindAt(p.i+1) != Ident:
		x.Default = "&"
		p.advance()
	case p.at("this"):
		p.advance()
		x.Captures = append(x.Captures, Capture{Pos: pos, Name: "this", Ref: true})
	case p.at("*") && p.peek(1, "this"):
		p.i += 2
		x.Captures = append(x.Captures, Capture{Pos: pos, Name: "*this"})
	default:
		c := Capture{Pos: pos, Ref: p.accept("&")}
		c.Name = p.expectName("the name of a captured variable").Text
		if p.accept("=") {
			c.Init = p.assignment()
			p.declareValue(c.Name, false)
		}
		x.Captures = append(x.Captures, c)
	}
}

// nameOperand parses a name used as a value, or T(…) and T{…} of a type.
func (p *parser) nameOperand() Expr {
	if strings.HasPrefix(p.tok().Text, "__") && p.peek(1, "(") {
		if strings.HasPrefix(p.tok().Text, "__is_") {
			return p.trait()
		}
		if x := p.builtinCast(); x != nil {
			return x
		}
	}
	n := p.nameAt(p.i)
	if n.entity == nil && p.tok().Text == "offsetof" && p.peek(1, "(") {
		return p.offsetof()
	}
	if n.means == meansType || p.opaqueBefore(p.i, "{") {
		return p.construct()
	}
	if n.means == meansNamespace {
		p.fail(codeExpectedExpr, "expected expression, got namespace %q", spellName(n.name))
	}
	if p.isAt(n.end, "{") && n.untyped {
		p.failName(n)
	}
	p.takeName()
	return &NameExpr{node{n.name.pos}, n.name}
}

// builtinCast parses a function of clang that takes a type; nil if none stands here.
func (p *parser) builtinCast() Expr {
	t := p.tok()
	typeFirst := false
	switch t.Text {
	case "__builtin_offsetof":
		return p.offsetof()
	case "__builtin_bit_cast":
		typeFirst = true
	case "__builtin_astype", "__builtin_convertvector":
	default:
		return nil
	}
	var typ TypeExpr
	var x Expr
	p.i += 2
	p.relaxed(func() {
		if typeFirst {
			typ = p.typeID()
			p.expect(",")
		}
		if x = p.assignment(); !typeFirst {
			p.expect(",")
			typ = p.typeID()
		}
	})
	p.expect(")")
	if t.Text == "__builtin_convertvector" {
		return &ConstructExpr{node: node{t.Pos}, Type: typ, Args: []Expr{x}}
	}
	return &CastExpr{node: node{t.Pos}, Keyword: "as_type", Type: typ, X: x}
}

// offsetof parses __builtin_offsetof '(' Type ',' Member ')'.
func (p *parser) offsetof() Expr {
	x := &SizeofExpr{node: node{p.tok().Pos}, Offset: true}
	p.i += 2
	p.relaxed(func() {
		x.Type = p.typeID()
		p.expect(",")
		t := p.expectName("the name of a member")
		x.X = p.postfix(&NameExpr{node{t.Pos}, simpleName(t.Pos, t.Text)})
	})
	p.expect(")")
	return x
}

// trait parses __is_NAME '(' Type {, Type} ')', which becomes a name with template arguments.
func (p *parser) trait() Expr {
	t := p.tok()
	part := NamePart{Pos: t.Pos, Ident: t.Text, HasArgs: true, Trait: true}
	p.i += 2
	p.relaxed(func() {
		for {
			part.Args = append(part.Args, TemplateArg{Type: p.typeID()})
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect(")")
	return &NameExpr{node{t.Pos}, &Name{node: node{t.Pos}, Parts: []NamePart{part}}}
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
	case p.at("__typeof__"), p.at("__typeof"):
		c.Type = p.typeof()
	case p.at("__underlying_type"):
		c.Type = p.underlying()
	case p.at("decltype"):
		c.Type = p.decltype()
		if d, ok := c.Type.(*DecltypeType); ok && p.at("::") {
			return &NameExpr{node{t.Pos}, p.decltypeName(d)}
		}
	default:
		c.Type = p.typeSpecifier()
	}
	switch {
	case p.accept("("):
		c.Args = p.args(")")
	case p.at("{"):
		p.constructList(c)
	default:
		p.report(p.tok().Pos, codeExpected, "expected '(' for function-style cast or type construction")
		return &BadExpr{node{t.Pos}}
	}
	return c
}

// constructList parses the list in braces of c.
func (p *parser) constructList(c *ConstructExpr) {
	l := p.initList()
	if l.Designators != nil {
		p.failAt(l.pos, codeUnsupported, "an array designator is not supported here: declare a variable with this list")
	}
	c.Brace, c.Args = true, l.Elems
	if slices.IndexFunc(l.Fields, func(f string) bool { return f != "" }) >= 0 {
		c.Fields = l.Fields
	}
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
	case "typename", "decltype", "__typeof__", "__typeof", "__underlying_type":
		return p.construct()
	case "operator":
		n := p.qualified().name
		return &NameExpr{node{t.Pos}, n}
	}
	if t.role == roleType {
		return p.construct()
	}
	p.fail(codeExpectedExpr, "expected expression, got %s", t)
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
	if i := strings.IndexByte(t.Text, '_'); i > 0 && t.Kind != Char {
		return p.userLiteral(i)
	}
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
		l := &IntLit{node: node{t.Pos}, Text: t.Text}
		l.Value, l.Chars, err = charValue(t.Text)
		x = l
	}
	if err != nil {
		p.report(t.Pos, err.Code, "%s", err.Msg)
	}
	p.advance()
	if t.Kind == Char {
		p.noSuffix()
	}
	return x
}

// noSuffix refuses a suffix that a program defines after a string or a character.
func (p *parser) noSuffix() {
	if t := p.tok(); t.Kind == Ident && t.Text[0] == '_' && len(t.Text) > 1 && t.Text[1] != '_' {
		p.failAt(t.Pos, codeUnsupported,
			"a suffix of a string or a character, such as %s, is not supported: those of numbers are", t.Text)
	}
}

// userLiteral parses a number with a suffix that begins at i, which a program defines.
func (p *parser) userLiteral(i int) Expr {
	t := p.tok()
	n, err := splitNumber(t.Text[:i])
	switch {
	case err != nil:
		p.report(t.Pos, codeBadNumber, "%v", err)
	case n.suffix != "":
		p.report(t.Pos, codeBadNumber, "number %s has the unknown suffix %q", t.Text, n.suffix+t.Text[i:])
	}
	l := &UserLit{node{t.Pos}, t.Text[:i], nil}
	l.Operator = &Name{node{t.Pos}, false, []NamePart{{Pos: t.Pos, Ident: literalPrefix + t.Text[i:]}}}
	p.advance()
	return l
}

// stringLit parses one string of adjacent literals.
func (p *parser) stringLit() *StringLit {
	l := &StringLit{node: node{p.tok().Pos}}
	var b strings.Builder
	for t := p.tok(); t.Kind == String; t = p.tok() {
		s, err := stringValue(t.Text)
		if err != nil {
			p.report(t.Pos, err.Code, "%s", err.Msg)
		}
		b.WriteString(s)
		p.advance()
	}
	p.noSuffix()
	l.Value = b.String()
	return l
}
