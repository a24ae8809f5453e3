package hir

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
	EachOperand(e, func(x *Expr) { WalkExpr(*x, f) })
	f(e)
}

// WalkCalls calls f for every call of a function of the program in b, in order
// of evaluation as written, also in the statements of an expression.
func WalkCalls(b *Block, f func(*Call)) {
	Walk(b, func(e Expr) {
		if c, ok := e.(*Call); ok {
			f(c)
			if c.Func.Inner {
				WalkCalls(c.Func.Body, f)
			}
		}
	})
}

// AnyOperand reports whether is holds for a direct operand of an expression.
func AnyOperand(e Expr, is func(Expr) bool) (found bool) {
	EachOperand(e, func(x *Expr) { found = found || is(*x) })
	return found
}

// EachOperand calls f for where an expression has its direct operands.
func EachOperand(e Expr, f func(*Expr)) {
	switch e := e.(type) {
	case *Load:
		f(&e.X)
	case *Deref:
		f(&e.X)
	case *Index:
		f(&e.X)
		f(&e.I)
	case *FieldExpr:
		f(&e.X)
	case *Swizzle:
		f(&e.X)
	case *ThreadElements:
		f(&e.X)
	case *Temporary:
		f(&e.X)
	case *AddrOf:
		f(&e.X)
	case *Decay:
		f(&e.X)
	case *Unary:
		f(&e.X)
	case *Binary:
		f(&e.X)
		f(&e.Y)
	case *PtrAdd:
		f(&e.P)
		f(&e.I)
	case *PtrDiff:
		f(&e.X)
		f(&e.Y)
	case *Convert:
		f(&e.X)
	case *Construct:
		each(e.Args, f)
	case *AsType:
		f(&e.X)
	case *Assign:
		f(&e.L)
		f(&e.R)
	case *OpAssign:
		f(&e.L)
		f(&e.R)
	case *IncDec:
		f(&e.L)
	case *Call:
		each(e.Args, f)
	case *PointerCall:
		f(&e.Fun)
		each(e.Args, f)
	case *BuiltinCall:
		each(e.Args, f)
	case *Cond:
		f(&e.C)
		f(&e.X)
		f(&e.Y)
	case *Comma:
		f(&e.X)
		f(&e.Y)
	}
}

func each(list []Expr, f func(*Expr)) {
	for i := range list {
		f(&list[i])
	}
}
