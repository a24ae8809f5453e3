package syntax

// StmtID names a statement that can be executed, or a part of one: by its position, and by its number among those that
// have this position. A macro makes several.
type StmtID struct {
	Pos
	Number int
}

// Statements are what can be executed by itself in a tree: statements, the arms of ?:, and what stands on the right of
// && or || and has effects. Blocks, labels and declarations other than those of variables are none.
func Statements(f *File) map[Node]StmtID {
	ids, next := map[Node]StmtID{}, map[Pos]int{}
	add := func(n Node, at Pos) {
		if _, again := ids[n]; !again { // a type that declarators share is met once for each
			ids[n] = StmtID{at, next[at]}
			next[at]++
		}
	}
	Inspect(f, func(n Node) bool {
		switch n := n.(type) {
		case Stmt:
			if executable(n) {
				add(n, n.Pos())
			}
		case Expr:
			for _, x := range optional(n) {
				from, _ := extent(x)
				add(x, from)
			}
		}
		return true
	})
	return ids
}

// optional are the operands of an expression that may not be evaluated, and decide of results.
func optional(x Expr) (list []Expr) {
	switch x := x.(type) {
	case *CondExpr:
		if x.X != nil {
			list = append(list, x.X)
		}
		list = append(list, x.Y)
	case *BinaryExpr:
		if (x.Op == "&&" || x.Op == "||") && acts(x.Y) {
			list = append(list, x.Y)
		}
	}
	return list
}

// acts reports whether an expression assigns or calls.
func acts(x Expr) bool {
	found := false
	Inspect(x, func(n Node) bool {
		switch n := n.(type) {
		case *AssignExpr, *PostfixExpr, *CallExpr:
			found = true
		case *UnaryExpr:
			found = found || n.Op == "++" || n.Op == "--"
		case *LambdaExpr:
			return false
		}
		return !found
	})
	return found
}

// extent is from where to where the names, literals and operators of an expression stand in its file.
func extent(x Expr) (from, to Pos) {
	from, to = x.Pos(), x.Pos()
	Inspect(x, func(n Node) bool {
		switch at := n.Pos(); {
		case at.File != from.File || at.Line == 0:
		case ahead(at, from):
			from = at
		case ahead(to, at):
			to = at
		}
		return true
	})
	return from, to
}

func executable(s Stmt) bool {
	switch s := s.(type) {
	case *BlockStmt, *CaseStmt, *EmptyStmt:
		return false
	case *DeclStmt:
		for _, d := range s.Decls {
			if _, variable := d.(*VarDecl); variable {
				return true
			}
		}
		return false
	}
	return true
}

// Body is the body of a function or of a lambda expression, between its braces.
type Body struct {
	From, To   Pos
	Statements []BodyStmt // in the order of the tree, without those of bodies within
}

// ahead reports whether a position stands before another one of its file.
func ahead(a, b Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }

// BodyStmt is a statement that is no block and no label, or a part of one that [Statements] has.
type BodyStmt struct {
	StmtID
	// To is where the last token of a part begins. Of a statement it is the zero position.
	To Pos
	// Guard says that it is the return of a thread that lies outside of the grid: the only statement of an if, without
	// else, whose condition compares names alone.
	Guard bool
	// Silent says that it cannot be executed: it declares no variable.
	Silent bool
}

// Bodies are the bodies of a tree. A body within another one comes after it.
func Bodies(f *File) []*Body {
	w := &bodyWalk{ids: Statements(f), guards: map[Node]bool{}, fixed: fixedNames(f)}
	w.in(f, nil)
	return w.list
}

// bodyWalk collects bodies.
type bodyWalk struct {
	ids    map[Node]StmtID
	guards map[Node]bool   // of statements, and of parts that are asked nothing
	fixed  map[string]bool // names of constants
	list   []*Body
}

// in collects the bodies below a node that stands in the body b, nil for none.
func (w *bodyWalk) in(n Node, b *Body) {
	children(n, func(c Node) {
		inner := b
		switch c := c.(type) {
		case *BlockStmt:
			switch n.(type) {
			case *FuncDecl, *LambdaExpr:
				inner = &Body{From: c.Pos(), To: c.End}
				w.list = append(w.list, inner)
			}
		case *IfStmt:
			if r := w.boundsReturn(c); r != nil {
				w.guards[r] = true
			}
		case *CondExpr:
			if w.comparesNames(c.Cond) {
				w.guards[c.X], w.guards[c.Y] = true, true
			}
		}
		if x, ok := c.(Expr); ok && b != nil {
			if id, ok := w.ids[x]; ok && !w.guards[x] {
				_, to := extent(x)
				b.Statements = append(b.Statements, BodyStmt{StmtID: id, To: to})
			}
		}
		if s, ok := c.(Stmt); ok && b != nil {
			switch id, ok := w.ids[s]; {
			case ok:
				b.Statements = append(b.Statements, BodyStmt{StmtID: id, Guard: w.guards[s]})
			case !isBlockOrLabel(s):
				b.Statements = append(b.Statements, BodyStmt{StmtID: StmtID{Pos: s.Pos()}, Silent: true})
			}
		}
		w.in(c, inner)
	})
}

func isBlockOrLabel(s Stmt) bool {
	switch s.(type) {
	case *BlockStmt, *CaseStmt:
		return true
	}
	return false
}

// boundsReturn is the return of "if (i >= n) return;", nil for another statement.
func (w *bodyWalk) boundsReturn(s *IfStmt) Stmt {
	then := s.Then
	if b, ok := then.(*BlockStmt); ok && len(b.List) == 1 {
		then = b.List[0]
	}
	if r, ok := then.(*ReturnStmt); ok && r.X == nil && s.Else == nil && s.Cond != nil && w.comparesNames(s.Cond) {
		return r
	}
	return nil
}

// comparesNames reports whether a condition compares names, members of names and products of them, with no number among
// them and no name of a number. Whether something is zero may be asked, too.
func (w *bodyWalk) comparesNames(x Expr) bool {
	switch x := x.(type) {
	case *ParenExpr:
		return w.comparesNames(x.X)
	case *BinaryExpr:
		switch x.Op {
		case "||", "&&":
			return w.comparesNames(x.X) && w.comparesNames(x.Y)
		case ">=", ">", "<=", "<":
			return w.namesOnly(x.X) && w.namesOnly(x.Y)
		}
	}
	return false
}

// namesOnly reports whether an expression is a name, a member of one, a conversion of one or a product of such.
func (w *bodyWalk) namesOnly(x Expr) bool {
	switch x := x.(type) {
	case *NameExpr:
		return !w.fixed[last(x.Name)]
	case *ParenExpr:
		return w.namesOnly(x.X)
	case *MemberExpr:
		return w.namesOnly(x.X)
	case *BinaryExpr:
		return x.Op == "*" && w.namesOnly(x.X) && w.namesOnly(x.Y)
	case *CastExpr:
		return w.namesOnly(x.X)
	case *ConstructExpr:
		return len(x.Args) == 1 && w.namesOnly(x.Args[0])
	}
	return false
}

// last is the last part of a name.
func last(n *Name) string { return n.Parts[len(n.Parts)-1].Ident }

// mostThreads is how many threads a threadgroup has at most. What multiplies an index is no larger.
const mostThreads = 1024

// fixedNames are the names that somewhere stand for a number: those of enumerators, of arguments of templates and of
// variables that begin with a number, unless one is written that a threadgroup may have threads.
func fixedNames(f *File) map[string]bool {
	fixed := map[string]bool{}
	Inspect(f, func(n Node) bool {
		switch n := n.(type) {
		case *EnumDecl:
			for _, v := range n.Values {
				fixed[v.Name] = true
			}
		case *TemplateParam:
			fixed[n.Name] = fixed[n.Name] || n.Type != nil
		case *VarDecl:
			fixed[n.Name] = fixed[n.Name] || n.Init != nil && isNumber(n.Init)
		}
		return true
	})
	return fixed
}

// isNumber reports whether an expression has a number that is too large for the threads of a threadgroup, or no name
// and more than one number.
func isNumber(x Expr) bool {
	names, numbers, large := 0, 0, false
	Inspect(x, func(n Node) bool {
		switch n := n.(type) {
		case *NameExpr:
			names++
		case *IntLit:
			numbers++
			large = large || n.Value > mostThreads
		case *FloatLit:
			large = true
		}
		return true
	})
	return large || names == 0 && numbers > 1
}
