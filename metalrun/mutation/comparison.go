package mutation

import "metalconform/metalrun/internal/syntax"

func comparison(s editPoint) []edit {
	b, ok := binary(s)
	if !ok {
		return nil
	}
	switch b.Op {
	case "<":
		return all(&b.Op, "<=", ">=")
	case "<=":
		return all(&b.Op, "<", ">")
	case ">":
		return all(&b.Op, ">=", "<=")
	case ">=":
		return all(&b.Op, ">", "<")
	case "==":
		return all(&b.Op, "!=")
	case "!=":
		return all(&b.Op, "==")
	}
	return nil
}

// condition decides a condition, that of an if or of a choice, once and for all.
// An if without an else that never holds is left to omission.
func condition(s editPoint) []edit {
	if s.stmt != nil {
		if c, ok := (*s.stmt).(*syntax.IfStmt); ok && c.Cond != nil && !c.Constexpr {
			edits := all(&c.Cond, literalBool(true))
			if c.Else != nil {
				edits = append(edits, put(&c.Cond, literalBool(false)))
			}
			return edits
		}
		return nil
	}
	if c, ok := (*s.expr).(*syntax.CondExpr); ok && c.X != nil {
		return all(s.expr, c.X, c.Y)
	}
	return nil
}

func literalBool(value bool) syntax.Expr { return &syntax.BoolLit{Value: value} }

// bound changes the turns of a loop: the first, the last and the stride. That the
// last is one later is left to comparison.
func bound(s editPoint) []edit {
	if s.stmt == nil {
		return nil
	}
	loop, ok := (*s.stmt).(*syntax.ForStmt)
	if !ok {
		return nil
	}
	var edits []edit
	if first := firstTurn(loop.Init); first != nil {
		edits = append(edits, replace(first, shifted(*first, "+", 1)))
	}
	if b, ok := loop.Cond.(*syntax.BinaryExpr); ok && (b.Op == "<" || b.Op == "<=") {
		edits = append(edits, replace(&b.Y, shifted(b.Y, "-", 1)))
	}
	if a, ok := loop.Post.(*syntax.AssignExpr); ok && a.Op != "=" {
		edits = append(edits, replace(&a.Y, shifted(a.Y, "+", 1)))
	}
	return edits
}

// firstTurn is the initial value of a loop's variable, or nil.
func firstTurn(init syntax.Stmt) *syntax.Expr {
	switch s := init.(type) {
	case *syntax.DeclStmt:
		if v, ok := s.Decls[0].(*syntax.VarDecl); ok && len(s.Decls) == 1 && v.Init != nil {
			if _, literal := v.Init.(*syntax.IntLit); !literal { // a number is left to constant
				return &v.Init
			}
		}
	case *syntax.ExprStmt:
		if a, ok := s.X.(*syntax.AssignExpr); ok && a.Op == "=" {
			if _, literal := a.Y.(*syntax.IntLit); !literal {
				return &a.Y
			}
		}
	}
	return nil
}

// shifted is x plus or minus a number.
func shifted(x syntax.Expr, op string, by uint64) syntax.Expr {
	return &syntax.BinaryExpr{Op: op, X: x, Y: &syntax.IntLit{Value: by}}
}
