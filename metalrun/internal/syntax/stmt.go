package syntax

import (
	"strconv"
	"strings"
)

// block parses '{' statements '}' in a scope of its own.
func (p *parser) block() *BlockStmt {
	p.push()
	b := &BlockStmt{node: node{p.tok().Pos}}
	limit := p.openBrace()
	for p.i < limit && p.tok().Kind == Pragma && !isUnroll(p.tok().Text) {
		p.packPragma()
		t := p.tok()
		b.List = append(b.List, &DeclStmt{node{t.Pos}, one(&PragmaDecl{node{t.Pos}, t.Text})})
		p.advance()
	}
	b.List = p.stmts(b.List, limit, p.listed)
	p.pop()
	b.End = p.closeBrace()
	return b
}

// stmts parses statements up to token limit. Each is a boundary of recovery.
func (p *parser) stmts(list []Stmt, limit int, stmt func() Stmt) []Stmt {
	for p.i < limit && len(p.errs.list) < p.errs.max {
		start := p.i
		if !p.attempt(func() { list = append(list, stmt()) }) {
			p.skip(start, limit, false)
		}
	}
	p.i = max(p.i, min(limit, len(p.toks)-1))
	return list
}

// stmt parses one statement.
func (p *parser) stmt() Stmt {
	p.enter()
	defer func() { p.depth-- }()
	t := p.tok()
	switch {
	case p.packPragma():
		return &DeclStmt{node{t.Pos}, one(&PragmaDecl{node{p.advance()}, t.Text})}
	case t.Kind == Pragma:
		return p.pragmaStmt()
	case p.at("{"):
		return p.block()
	case p.at(";"):
		return &EmptyStmt{node: node{p.advance()}}
	case p.atAttributes():
		return p.attributedStmt(false)
	}
	if t.Kind == Keyword {
		switch t.Text {
		case "if":
			return p.ifStmt()
		case "for":
			return p.forStmt(nil, nil)
		case "while":
			return p.whileStmt(nil)
		case "do":
			return p.doStmt(nil)
		case "switch":
			return p.switchStmt()
		case "case", "default":
			return p.labelled()
		case "else":
			p.fail(codeMisplaced, `got "else" without "if"`)
		case "break", "continue":
			return p.jump()
		case "return":
			return p.returnStmt()
		case "using":
			return &DeclStmt{node{t.Pos}, one(p.using(nil))}
		case "static_assert", "_Static_assert":
			return &DeclStmt{node{t.Pos}, one(p.staticAssert())}
		case "template":
			p.fail(codeSpecifier, "got a template inside a function")
		case "namespace":
			if p.peek(2, "=") {
				return &DeclStmt{node{t.Pos}, one(p.namespaceAlias())}
			}
			p.fail(codeMisplaced, "got a namespace inside a function")
		}
	}
	if t.Kind == Ident && p.peek(1, ":") {
		p.fail(codeNotMetal, "label %q: goto and labels are not supported in Metal", t.Text)
	}
	if p.declares() {
		return &DeclStmt{node{t.Pos}, p.simple(inBlock, nil, true)}
	}
	s := &ExprStmt{node: node{t.Pos}}
	s.X = p.expr()
	p.endExpr(s.X)
	return s
}

// endExpr passes the semicolon after an expression statement. A lone name
// before another is a declaration with an undeclared type.
func (p *parser) endExpr(x Expr) {
	if n, ok := x.(*NameExpr); ok && (p.kindAt(p.i) == Ident || p.at("const") || p.at("&&")) {
		p.failName(&parsedName{name: n.Name, means: meansNothing, untyped: p.isUntyped(n.Name)})
	}
	if a, ok := x.(*AssignExpr); ok && a.Op == "=" {
		x = a.X
	}
	if b, ok := x.(*BinaryExpr); ok && (b.Op == "*" || b.Op == "&") {
		if n, ok := b.X.(*NameExpr); ok && p.scope.lookup(n.Name.Parts[0].Ident) == nil {
			p.failName(&parsedName{name: n.Name})
		}
	}
	p.expect(";")
}

// isUntyped reports whether the parser saw n as a type without typename.
func (p *parser) isUntyped(n *Name) bool {
	if p.i == 0 {
		return false
	}
	for i := p.i - 1; i >= 0 && !p.isAt(i, ";") && !p.isAt(i, "{") && !p.isAt(i, "}"); i-- {
		if r := p.names[i]; r != nil && r.name == n {
			return r.untyped
		}
	}
	return false
}

// attributedStmt parses a statement after [[…]], or a label if labels may stand here.
func (p *parser) attributedStmt(labels bool) Stmt {
	pos, start := p.tok().Pos, p.i
	attrs := p.attributes()
	switch {
	case p.at("for"):
		return p.forStmt(nil, attrs)
	case p.at(";"):
		p.advance()
		return &EmptyStmt{node{pos}, attrs}
	case p.declares():
		p.i = start
		return &DeclStmt{node{pos}, p.simple(inBlock, nil, true)}
	}
	for _, a := range attrs {
		if !isHint(a) {
			p.failAt(a.Pos(), codeMisplaced, "'%s' attribute cannot be applied to a statement", a.Name)
		}
	}
	if labels && (p.at("case") || p.at("default")) {
		return p.label()
	}
	return p.stmt()
}

// isHint reports whether an attribute says only how a statement is best compiled.
func isHint(a *Attr) bool {
	return a.Name == "likely" || a.Name == "unlikely" || a.Scope != ""
}

// pragmaStmt parses loop pragmas and the loop that they belong to.
func (p *parser) pragmaStmt() Stmt {
	first := p.tok()
	var pragmas []string
	for p.tok().Kind == Pragma {
		t := p.tok()
		if !isUnroll(t.Text) {
			p.fail(codePragmaPosition, "got %s, want it at the start of a block or outside functions", t)
		}
		pragmas = append(pragmas, t.Text)
		p.advance()
	}
	switch {
	case p.at("for"):
		return p.forStmt(pragmas, nil)
	case p.at("while"):
		return p.whileStmt(pragmas)
	case p.at("do"):
		return p.doStmt(pragmas)
	case p.atAttributes():
		attrs := p.attributes()
		if p.at("for") {
			return p.forStmt(pragmas, attrs)
		}
	}
	p.failAt(first.Pos, codePragmaPosition, "got %s, want a loop after it", first)
	return nil
}

// sub parses the statement that another controls, in a scope of its own.
func (p *parser) sub() Stmt {
	p.push()
	s := p.stmt()
	p.pop()
	return s
}

func (p *parser) loopBody() Stmt {
	jumps := p.jumps
	p.jumps.loop = true
	s := p.sub()
	p.jumps = jumps
	return s
}

func (p *parser) ifStmt() Stmt {
	s := &IfStmt{node: node{p.advance()}}
	s.Constexpr = p.accept("constexpr")
	p.push()
	p.expect("(")
	p.condition(s)
	p.expect(")")
	s.Then = p.sub()
	if p.accept("else") {
		s.Else = p.sub()
	}
	p.pop()
	return s
}

// condition parses [init ';'] (expression | declaration) of an if.
func (p *parser) condition(s *IfStmt) {
	pos := p.tok().Pos
	if p.at(";") {
		s.Init = &EmptyStmt{node: node{p.advance()}}
		pos = p.tok().Pos
	}
	var decls []Decl
	if p.declares() {
		decls = p.simple(inBlock, nil, false)
	} else {
		s.Cond = p.expr()
	}
	if p.at(";") && s.Init == nil {
		if s.Cond != nil {
			s.Init = &ExprStmt{node{pos}, s.Cond}
			s.Cond = nil
		} else {
			s.Init = &DeclStmt{node{pos}, decls}
			decls = nil
		}
		p.advance()
		if p.declares() {
			decls = p.simple(inBlock, nil, false)
		} else {
			s.Cond = p.expr()
		}
	}
	if decls != nil {
		s.CondDecl = p.declared(decls)
	}
}

// declared is the variable that a condition declares.
func (p *parser) declared(decls []Decl) *VarDecl {
	v, ok := decls[0].(*VarDecl)
	if !ok || len(decls) > 1 || v.Init == nil {
		p.failAt(decls[0].Pos(), codeSpecifier,
			"got a declaration as condition, want one variable with an initial value")
	}
	return v
}

// breakUnless is the body of a loop that declares its condition, which it does anew in each iteration: if (declaration)
// body else break.
func (p *parser) breakUnless(v *VarDecl) Stmt {
	return &IfStmt{node: node{v.Pos()}, CondDecl: v, Then: p.loopBody(), Else: &BreakStmt{node{v.Pos()}}}
}

// forStmt parses both kinds of for.
func (p *parser) forStmt(pragmas []string, attrs []*Attr) Stmt {
	pos := p.advance()
	p.push()
	defer p.pop()
	p.expect("(")
	s := &ForStmt{node: node{pos}, Pragmas: pragmas, Attrs: attrs}
	start := p.tok().Pos
	switch {
	case p.at(";"):
		s.Init = &EmptyStmt{node: node{start}}
	case p.declares():
		decls := p.simple(inBlock, nil, false)
		if v, ok := decls[0].(*VarDecl); ok && p.at(":") && len(decls) == 1 && v.Init == nil {
			p.advance()
			r := &RangeStmt{node: node{pos}, Pragmas: pragmas, Attrs: attrs, Var: v, X: p.initializer()}
			p.expect(")")
			r.Body = p.loopBody()
			return r
		}
		s.Init = &DeclStmt{node{start}, decls}
	default:
		x := p.expr()
		if n, ok := x.(*NameExpr); ok && p.kindAt(p.i) == Ident {
			p.failName(&parsedName{name: n.Name})
		}
		s.Init = &ExprStmt{node{start}, x}
	}
	p.expect(";")
	var cond *VarDecl
	switch {
	case p.at(";"):
	case p.declares():
		cond = p.declared(p.simple(inBlock, nil, false))
	default:
		s.Cond = p.expr()
	}
	p.expect(";")
	if !p.at(")") {
		s.Post = p.expr()
	}
	p.expect(")")
	if cond != nil {
		s.Body = p.breakUnless(cond)
	} else {
		s.Body = p.loopBody()
	}
	return s
}

func (p *parser) whileStmt(pragmas []string) Stmt {
	s := &WhileStmt{node: node{p.advance()}, Pragmas: pragmas}
	p.expect("(")
	if p.declares() {
		p.push()
		defer p.pop()
		cond := p.declared(p.simple(inBlock, nil, false))
		p.expect(")")
		return &ForStmt{node: s.node, Pragmas: pragmas, Init: &EmptyStmt{node: s.node}, Body: p.breakUnless(cond)}
	}
	s.Cond = p.expr()
	p.expect(")")
	s.Body = p.loopBody()
	return s
}

func (p *parser) doStmt(pragmas []string) Stmt {
	s := &DoStmt{node: node{p.advance()}, Pragmas: pragmas}
	s.Body = p.loopBody()
	p.expect("while")
	p.expect("(")
	s.Cond = p.expr()
	p.expect(")")
	p.expect(";")
	return s
}

// switchStmt parses "switch" '(' [init ';'] X ')' '{' … '}'; labels are statements of
// the body's own list. What comes before X, or is declared as X, stands in a block around it.
func (p *parser) switchStmt() Stmt {
	s := &SwitchStmt{node: node{p.advance()}}
	p.push()
	defer p.pop()
	p.expect("(")
	var head IfStmt
	p.condition(&head)
	p.expect(")")
	s.X = head.Cond
	around := &BlockStmt{node: s.node}
	if head.Init != nil {
		around.List = append(around.List, head.Init)
	}
	if v := head.CondDecl; v != nil {
		around.List = append(around.List, &DeclStmt{v.node, []Decl{v}})
		s.X = &NameExpr{v.node, simpleName(v.node.pos, v.Name)}
	}
	p.switchBody(s)
	if around.List == nil {
		return s
	}
	around.List, around.End = append(around.List, s), s.Body.End
	return around
}

func (p *parser) switchBody(s *SwitchStmt) {
	jumps := p.jumps
	p.jumps.selection, p.jumps.labels = true, true
	p.push()
	s.Body = &BlockStmt{node: node{p.tok().Pos}}
	limit := p.openBrace()
	s.Body.List = p.stmts(nil, limit, p.listed)
	p.pop()
	p.jumps = jumps
	s.Body.End = p.closeBrace()
}

// listed parses a statement of a list, in which a label stands for itself.
func (p *parser) listed() Stmt {
	switch {
	case p.jumps.labels && (p.at("case") || p.at("default")):
		return p.label()
	case p.atAttributes():
		return p.attributedStmt(p.jumps.labels)
	}
	return p.stmt()
}

// labelled parses labels with the statement after them where the grammar has one statement.
func (p *parser) labelled() Stmt {
	t := p.tok()
	if !p.jumps.labels {
		p.fail(codeMisplaced, "'%s' statement not in switch statement", t.Text)
	}
	b := &BlockStmt{node: node{t.Pos}, End: t.Pos}
	for p.at("case") || p.at("default") {
		b.List = append(b.List, p.label())
	}
	b.List = append(b.List, p.stmt())
	return b
}

// label parses "case" X ':' or "default" ':'.
func (p *parser) label() Stmt {
	c := &CaseStmt{node: node{p.tok().Pos}}
	if p.accept("case") {
		c.X = p.conditional()
		if p.accept("...") {
			c.Last = p.conditional()
		}
	} else {
		p.advance()
	}
	p.expect(":")
	if p.at("}") {
		p.fail(codeExpectedStmt, "got %s, want a statement after a label", p.tok())
	}
	return c
}

func (p *parser) jump() Stmt {
	t := p.tok()
	var s Stmt
	if t.Text == "break" {
		if !p.jumps.loop && !p.jumps.selection {
			p.report(t.Pos, codeMisplaced, "'break' statement not in loop or switch statement")
		}
		s = &BreakStmt{node{t.Pos}}
	} else {
		if !p.jumps.loop {
			p.report(t.Pos, codeMisplaced, "'continue' statement not in loop statement")
		}
		s = &ContinueStmt{node{t.Pos}}
	}
	p.advance()
	p.expect(";")
	return s
}

func (p *parser) returnStmt() Stmt {
	s := &ReturnStmt{node: node{p.advance()}}
	if !p.at(";") {
		s.X = p.initializerOrComma()
	}
	p.expect(";")
	return s
}

// declares reports whether a declaration begins here rather than an
// expression. "T(x);" declares x, as C++ has it; "T(x).y" and "T(x, y)" do
// not.
func (p *parser) declares() bool {
	t := p.tok()
	switch t.role {
	case roleQual, roleSpec:
		return true
	case roleElaborated:
		if !p.isTypeof(p.i) && t.Text != "typename" {
			return true
		}
	case roleType:
	case roleNone:
		if p.isCoherent(p.i) {
			return true
		}
		if !p.startsName(p.i) {
			return false
		}
		if n := p.nameAt(p.i); n.means != meansType {
			return p.kindAt(n.end) == Ident && p.meantAsType(p.i) || p.opaqueDeclares(p.i)
		}
	default:
		return false
	}
	end, ok := p.skipSpecifiers(p.i)
	if !ok {
		return true
	}
	if p.isAt(end, "(") {
		return p.declaresInParens(end)
	}
	return !p.isAt(end, "{") && !p.isAt(end, ".") && !p.isAt(end, "::")
}

// declaresInParens reports whether the parenthesis at token i, after a type,
// encloses a declarator: what follows it is what may follow a declarator.
func (p *parser) declaresInParens(i int) bool {
	end, ok := p.skipParens(i)
	if !ok {
		return false
	}
	for _, s := range []string{";", "=", "[", "(", "{", ",", ":"} {
		if p.isAt(end, s) {
			return true
		}
	}
	return false
}

// skipParens returns the token after the parenthesis at token i if it encloses
// a declarator, which may stand in more parentheses.
func (p *parser) skipParens(i int) (int, bool) {
	if p.match[i] < 0 {
		return 0, false
	}
	end := int(p.match[i])
	j := p.skipPointers(i + 1)
	if p.isAt(j, "(") {
		inner, ok := p.skipParens(j)
		return end + 1, ok && (inner == end || p.isAt(inner, "[") || p.isAt(inner, "("))
	}
	if p.kindAt(j) != Ident {
		return 0, false
	}
	if j+1 != end && !p.isAt(j+1, "[") && !p.isAt(j+1, "(") || j == i+1 && j+1 != end {
		return 0, false
	}
	return end + 1, true
}

// packPragma obeys the pragma pack at the current token. It reports false if there is none.
func (p *parser) packPragma() bool {
	text, ok := strings.CutPrefix(p.tok().Text, packPrefix)
	if p.tok().Kind != Pragma || !ok {
		return false
	}
	p.packed, _ = strconv.Atoi(strings.TrimSuffix(text, ")"))
	return true
}
