package syntax

import "fmt"

func (p *printer) block(b *BlockStmt) {
	p.body(len(b.List) == 0, func() {
		for _, s := range b.List {
			if _, ok := s.(*CaseStmt); ok {
				p.indent--
				p.line()
				p.stmt(s)
				p.indent++
				continue
			}
			p.line()
			p.stmt(s)
		}
	})
}

// stmt writes a statement; the caller has begun its line.
func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *BlockStmt:
		p.block(s)
	case *DeclStmt:
		p.declStmt(s)
	case *ExprStmt:
		p.expr(s.X, 0)
		p.write(";")
	case *IfStmt:
		p.ifStmt(s)
	case *ForStmt:
		p.loopHead(s.Pragmas, s.Attrs)
		p.write("for (")
		p.simpleStmt(s.Init)
		p.write(";")
		p.optional(" ", s.Cond)
		p.write(";")
		p.optional(" ", s.Post)
		p.write(")")
		p.sub(s.Body, false)
	case *RangeStmt:
		p.loopHead(s.Pragmas, s.Attrs)
		p.write("for (")
		p.variables(s.Var, nil)
		p.write(" : ")
		p.expr(s.X, precAssignment)
		p.write(")")
		p.sub(s.Body, false)
	case *WhileStmt:
		p.loopHead(s.Pragmas, nil)
		p.write("while (")
		p.expr(s.Cond, 0)
		p.write(")")
		p.sub(s.Body, false)
	case *DoStmt:
		p.loopHead(s.Pragmas, nil)
		p.write("do")
		p.sub(s.Body, false)
		if _, ok := s.Body.(*BlockStmt); ok {
			p.write(" ")
		} else {
			p.line()
		}
		p.write("while (")
		p.expr(s.Cond, 0)
		p.write(");")
	case *SwitchStmt:
		p.write("switch (")
		p.expr(s.X, 0)
		p.write(") ")
		p.block(s.Body)
	case *CaseStmt:
		if s.X == nil {
			p.write("default:")
			return
		}
		p.write("case ")
		p.expr(s.X, precConditional)
		if s.Last != nil {
			p.write(" ... ")
			p.expr(s.Last, precConditional)
		}
		p.write(":")
	case *BreakStmt:
		p.write("break;")
	case *ContinueStmt:
		p.write("continue;")
	case *ReturnStmt:
		p.write("return")
		p.optional(" ", s.X)
		p.write(";")
	case *EmptyStmt:
		if len(s.Attrs) > 0 {
			p.attrs(s.Attrs)
		}
		p.write(";")
	default:
		panic(fmt.Sprintf("syntax: unknown statement %T", s))
	}
}

func (p *printer) optional(before string, x Expr) {
	if x != nil {
		p.write(before)
		p.expr(x, 0)
	}
}

// declStmt writes the declarations of a statement in the place of one line.
func (p *printer) declStmt(s *DeclStmt) {
	inner := &printer{indent: p.indent}
	inner.decls(s.Decls)
	text := inner.String()
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n') {
		text = text[1:]
	}
	p.write(text)
}

// simpleStmt writes the first part of a for or if, without its semicolon.
func (p *printer) simpleStmt(s Stmt) {
	switch s := s.(type) {
	case *DeclStmt:
		if v, ok := s.Decls[0].(*VarDecl); ok {
			p.variables(v, s.Decls[1:])
			return
		}
		inner := &printer{indent: p.indent}
		inner.declStmt(s)
		text := inner.String()
		p.write(text[:len(text)-1])
	case *ExprStmt:
		p.expr(s.X, 0)
	}
}

// loopHead writes the pragmas and attributes of a loop.
func (p *printer) loopHead(pragmas []string, attrs []*Attr) {
	for _, text := range pragmas {
		p.write("#pragma ", text)
		p.line()
	}
	if len(attrs) > 0 {
		p.attrs(attrs)
		p.write(" ")
	}
}

// sub writes the statement that another controls; braced asks for braces.
func (p *printer) sub(s Stmt, braced bool) {
	b, ok := s.(*BlockStmt)
	if !ok && braced {
		b, ok = &BlockStmt{List: []Stmt{s}}, true
	}
	if ok {
		p.write(" ")
		p.block(b)
		return
	}
	p.indent++
	p.line()
	p.stmt(s)
	p.indent--
}

func (p *printer) ifStmt(s *IfStmt) {
	p.write("if ")
	if s.Constexpr {
		p.write("constexpr ")
	}
	p.write("(")
	if s.Init != nil {
		p.simpleStmt(s.Init)
		p.write("; ")
	}
	if s.CondDecl != nil {
		p.variables(s.CondDecl, nil)
	} else {
		p.expr(s.Cond, 0)
	}
	p.write(")")
	braced := s.Else != nil && takesElse(s.Then)
	p.sub(s.Then, braced)
	if s.Else == nil {
		return
	}
	if _, ok := s.Then.(*BlockStmt); ok || braced {
		p.write(" else")
	} else {
		p.line()
		p.write("else")
	}
	if e, ok := s.Else.(*IfStmt); ok {
		p.write(" ")
		p.ifStmt(e)
		return
	}
	p.sub(s.Else, false)
}

// takesElse reports whether an else after s would belong to an if within s.
func takesElse(s Stmt) bool {
	switch s := s.(type) {
	case *IfStmt:
		return s.Else == nil || takesElse(s.Else)
	case *ForStmt:
		return takesElse(s.Body)
	case *RangeStmt:
		return takesElse(s.Body)
	case *WhileStmt:
		return takesElse(s.Body)
	}
	return false
}
