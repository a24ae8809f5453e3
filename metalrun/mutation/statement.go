package mutation

import "metalconform/metalrun/internal/syntax"

// omission leaves a statement out, or the else of an if. A declaration stays:
// what follows would not compile.
func omission(s editPoint) []edit {
	if s.stmt == nil {
		return nil
	}
	var edits []edit
	switch x := (*s.stmt).(type) {
	case *syntax.ExprStmt:
		if isBarrier(x) {
			return nil
		}
	case *syntax.IfStmt:
		if x.Else != nil {
			edits = all(&x.Else, nil)
		}
	case *syntax.ForStmt, *syntax.RangeStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.SwitchStmt,
		*syntax.BreakStmt, *syntax.ContinueStmt, *syntax.ReturnStmt:
	default:
		return nil
	}
	return append(edits, leaveOut(s.stmt))
}

func leaveOut(x *syntax.Stmt) edit { return put(x, syntax.Stmt(&syntax.EmptyStmt{})) }

// order exchanges neighbours where one changes a variable that the other
// mentions, or leaves the block. Others would do the same in either order,
// unless two pointers lead to one element.
func order(s editPoint) []edit {
	if s.stmt == nil || s.next == nil || !movable(*s.stmt) || !movable(*s.next) {
		return nil
	}
	if leaves(*s.stmt) || leaves(*s.next) || touches(*s.stmt, *s.next) || touches(*s.next, *s.stmt) {
		return []edit{exchange(s.stmt, s.next)}
	}
	return nil
}

// exchange swaps two values.
func exchange[T any](a, b *T) edit {
	return edit{do: func() { *a, *b = *b, *a }, undo: func() { *a, *b = *b, *a }}
}

// movable reports whether a statement can stand before or after its neighbour.
// Barriers are moved by an operator of their own.
func movable(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.DeclStmt, *syntax.CaseStmt, *syntax.EmptyStmt:
		return false
	default:
		return !isBarrier(s)
	}
}

// leaves reports whether a statement may end the block that it stands in.
func leaves(s syntax.Stmt) bool {
	found := false
	syntax.Inspect(s, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.BreakStmt, *syntax.ContinueStmt, *syntax.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}

// touches reports whether a changes something that b mentions: a variable, or an
// array or pointer of the same name.
func touches(a, b syntax.Stmt) bool {
	mentioned := map[string]bool{}
	syntax.Inspect(b, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.NameExpr); ok {
			mentioned[x.Name.Last().Ident] = true
		}
		return true
	})
	found := false
	change := func(x syntax.Expr) { found = found || mentioned[root(x)] }
	syntax.Inspect(a, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignExpr:
			change(n.X)
		case *syntax.UnaryExpr:
			if n.Op == "++" || n.Op == "--" {
				change(n.X)
			}
		case *syntax.PostfixExpr:
			change(n.X)
		case *syntax.CallExpr: // what is passed by reference or pointer may change
			for _, x := range n.Args {
				change(x)
			}
		}
		return true
	})
	return found
}

// root is the name of the variable that an lvalue is part of, or of the pointer
// that leads to it; "" for other expressions.
func root(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.NameExpr:
		return x.Name.Last().Ident
	case *syntax.ParenExpr:
		return root(x.X)
	case *syntax.IndexExpr:
		return root(x.X)
	case *syntax.MemberExpr:
		return root(x.X)
	case *syntax.UnaryExpr:
		return root(x.X)
	case *syntax.BinaryExpr: // p + i
		return root(x.X)
	}
	return ""
}
