package types

// walkCalls calls f for every call of a function of the program in b, in order
// of evaluation as written.
func walkCalls(b *Block, f func(*Call)) {
	Walk(b, func(e Expr) {
		if c, ok := e.(*Call); ok {
			f(c)
		}
	})
}

// Walk calls f for every expression in a statement, operands before operations.
func Walk(s Stmt, f func(Expr)) {
	list := func(l []Stmt) {
		for _, s := range l {
			Walk(s, f)
		}
	}
	switch s := s.(type) {
	case *Block:
		list(s.List)
	case *VarStmt:
		WalkExpr(s.Init, f)
	case *ExprStmt:
		WalkExpr(s.X, f)
	case *If:
		WalkExpr(s.Cond, f)
		Walk(s.Then, f)
		if s.Else != nil {
			Walk(s.Else, f)
		}
	case *Loop:
		WalkExpr(s.Cond, f)
		Walk(s.Body, f)
		WalkExpr(s.Post, f)
	case *Switch:
		WalkExpr(s.X, f)
		for _, c := range s.Cases {
			list(c.Body)
		}
	case *Return:
		WalkExpr(s.X, f)
	}
}

// WalkExpr calls f for e and all its operands, operands first. It accepts nil.
func WalkExpr(e Expr, f func(Expr)) {
	if e == nil {
		return
	}
	for _, x := range Operands(e) {
		WalkExpr(x, f)
	}
	f(e)
}

// Operands lists the direct operands of an expression.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Load:
		return []Expr{e.X}
	case *Deref:
		return []Expr{e.X}
	case *Index:
		return []Expr{e.X, e.I}
	case *FieldExpr:
		return []Expr{e.X}
	case *Swizzle:
		return []Expr{e.X}
	case *ThreadElements:
		return []Expr{e.X}
	case *Temporary:
		return []Expr{e.X}
	case *AddrOf:
		return []Expr{e.X}
	case *Decay:
		return []Expr{e.X}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *PtrAdd:
		return []Expr{e.P, e.I}
	case *PtrDiff:
		return []Expr{e.X, e.Y}
	case *Convert:
		return []Expr{e.X}
	case *Construct:
		return e.Args
	case *AsType:
		return []Expr{e.X}
	case *Assign:
		return []Expr{e.L, e.R}
	case *OpAssign:
		return []Expr{e.L, e.R}
	case *IncDec:
		return []Expr{e.L}
	case *Call:
		return e.Args
	case *PointerCall:
		return append([]Expr{e.Fun}, e.Args...)
	case *BuiltinCall:
		return e.Args
	case *Cond:
		return []Expr{e.C, e.X, e.Y}
	case *Comma:
		return []Expr{e.X, e.Y}
	}
	return nil
}
