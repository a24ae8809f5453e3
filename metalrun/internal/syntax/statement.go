package syntax

// StmtID names a statement that can be executed: by its position, and by its number among the statements that have this
// position. A macro makes several.
type StmtID struct {
	Pos
	Number int
}

// Statements are the statements of a tree that can be executed. Blocks, labels and declarations other than those of
// variables are none.
func Statements(f *File) map[Stmt]StmtID {
	ids, next := map[Stmt]StmtID{}, map[Pos]int{}
	Inspect(f, func(n Node) bool {
		if s, ok := n.(Stmt); ok && executable(s) {
			if _, again := ids[s]; !again { // a type that declarators share is met once for each
				ids[s] = StmtID{s.Pos(), next[s.Pos()]}
				next[s.Pos()]++
			}
		}
		return true
	})
	return ids
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

// BodyStmt is a statement that is no block and no label.
type BodyStmt struct {
	StmtID
	// Guard says that it is the return of a thread that lies outside of the grid: the only statement of an if, without
	// else, whose condition compares names alone.
	Guard bool
	// Silent says that it cannot be executed: it declares no variable.
	Silent bool
}

// Bodies are the bodies of a tree. A body within another one comes after it.
func Bodies(f *File) []*Body {
	w := &bodyWalk{ids: Statements(f), guards: map[Stmt]bool{}}
	w.in(f, nil)
	return w.list
}

// bodyWalk collects bodies.
type bodyWalk struct {
	ids    map[Stmt]StmtID
	guards map[Stmt]bool
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
			if r := boundsReturn(c); r != nil {
				w.guards[r] = true
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
func boundsReturn(s *IfStmt) Stmt {
	then := s.Then
	if b, ok := then.(*BlockStmt); ok && len(b.List) == 1 {
		then = b.List[0]
	}
	if r, ok := then.(*ReturnStmt); ok && r.X == nil && s.Else == nil && s.Cond != nil && comparesNames(s.Cond) {
		return r
	}
	return nil
}

// comparesNames reports whether a condition compares names, members of names and products of them, with no number among
// them.
func comparesNames(x Expr) bool {
	switch x := x.(type) {
	case *ParenExpr:
		return comparesNames(x.X)
	case *BinaryExpr:
		switch x.Op {
		case "||":
			return comparesNames(x.X) && comparesNames(x.Y)
		case ">=", ">", "<=", "<":
			return namesOnly(x.X) && namesOnly(x.Y)
		}
	}
	return false
}

// namesOnly reports whether an expression is a name, a member of one, a conversion of one or a product of such.
func namesOnly(x Expr) bool {
	switch x := x.(type) {
	case *NameExpr:
		return true
	case *ParenExpr:
		return namesOnly(x.X)
	case *MemberExpr:
		return namesOnly(x.X)
	case *BinaryExpr:
		return x.Op == "*" && namesOnly(x.X) && namesOnly(x.Y)
	case *CastExpr:
		return namesOnly(x.X)
	case *ConstructExpr:
		return len(x.Args) == 1 && namesOnly(x.Args[0])
	}
	return false
}
