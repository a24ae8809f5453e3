package syntax

// Visitor is called by a walk over the expressions and statements of a tree, with
// the variable that holds each: it may put another one there and the old one back.
type Visitor struct {
	// Expr is called for each expression that stands directly below the node: below
	// no other expression and no other statement.
	Expr func(*Expr)
	// Stmt is called for each statement that does, with the one that follows it in the same block, nil after the last.
	Stmt func(stmt, next *Stmt)
}

// Visit calls v for what stands below n, in the order of the source. It passes
// through names, types, declarations and the blocks that cannot be anything
// else, such as a function's body.
func (v Visitor) Visit(n Node) {
	switch n := n.(type) {
	case Expr:
		v.expr(n)
	case Stmt:
		v.stmt(n)
	case Decl:
		v.decl(n)
	case *ArrayType:
		v.Visit(n.Elem)
		v.optional(&n.Len)
	case *DecltypeType:
		v.Expr(&n.X)
	case *Attr:
		v.list(n.Args)
	case *Param:
		v.Visit(n.Type)
		each(n.Attrs, v.Visit)
		v.optional(&n.Default)
	case *TemplateParam:
		visit(n.Template, v.Visit)
		visit(n.Type, v.Visit)
		visit(n.DefaultType, v.Visit)
		v.optional(&n.Default)
	case *Name:
		for i := range n.Parts {
			part := &n.Parts[i]
			visit(part.Conversion, v.Visit)
			v.optional(&part.Decltype)
			for j := range part.Args {
				visit(part.Args[j].Type, v.Visit)
				v.optional(&part.Args[j].X)
			}
		}
	default:
		v.through(n)
	}
}

// through visits what stands below the children of a node that holds neither.
func (v Visitor) through(n Node) { children(n, v.Visit) }

func (v Visitor) decl(n Decl) {
	switch n := n.(type) {
	case *VarDecl:
		visit(n.Template, v.Visit)
		v.Visit(n.Type)
		visit(n.Written, v.Visit)
		each(n.Attrs, v.Visit)
		v.optional(&n.Bits)
		v.optional(&n.Init)
	case *FuncDecl:
		for _, t := range n.Outer {
			visit(t, v.Visit)
		}
		visit(n.Template, v.Visit)
		each(n.Attrs, v.Visit)
		visit(n.Result, v.Visit)
		v.Visit(n.Name)
		each(n.Params, v.Visit)
		each(n.After, v.Visit)
		for _, x := range n.Inits {
			v.list(x.Args)
		}
		visit(n.Body, v.Visit)
	case *EnumDecl:
		visit(n.Underlying, v.Visit)
		for i := range n.Values {
			v.optional(&n.Values[i].Value)
		}
	case *StaticAssert:
		v.Expr(&n.X)
	default:
		v.through(n)
	}
}

func (v Visitor) stmt(n Stmt) {
	switch n := n.(type) {
	case *BlockStmt:
		for i := range n.List {
			var next *Stmt
			if i+1 < len(n.List) {
				next = &n.List[i+1]
			}
			v.Stmt(&n.List[i], next)
		}
	case *ExprStmt:
		v.Expr(&n.X)
	case *IfStmt:
		v.part(&n.Init)
		v.optional(&n.Cond)
		visit(n.CondDecl, v.Visit)
		v.part(&n.Then)
		v.part(&n.Else)
	case *ForStmt:
		each(n.Attrs, v.Visit)
		v.part(&n.Init)
		v.optional(&n.Cond)
		v.optional(&n.Post)
		v.part(&n.Body)
	case *RangeStmt:
		each(n.Attrs, v.Visit)
		v.Visit(n.Var)
		v.Expr(&n.X)
		v.part(&n.Body)
	case *WhileStmt:
		v.Expr(&n.Cond)
		v.part(&n.Body)
	case *DoStmt:
		v.part(&n.Body)
		v.Expr(&n.Cond)
	case *SwitchStmt:
		v.Expr(&n.X)
		v.Visit(n.Body)
	case *CaseStmt:
		v.optional(&n.X)
		v.optional(&n.Last)
	case *ReturnStmt:
		v.optional(&n.X)
	default:
		v.through(n)
	}
}

func (v Visitor) expr(n Expr) {
	switch n := n.(type) {
	case *ParenExpr:
		v.Expr(&n.X)
	case *UnaryExpr:
		v.Expr(&n.X)
	case *PostfixExpr:
		v.Expr(&n.X)
	case *BinaryExpr:
		v.Expr(&n.X)
		v.Expr(&n.Y)
	case *AssignExpr:
		v.Expr(&n.X)
		v.Expr(&n.Y)
	case *CondExpr:
		v.Expr(&n.Cond)
		v.optional(&n.X)
		v.Expr(&n.Y)
	case *CallExpr:
		v.Expr(&n.Fun)
		v.list(n.Args)
	case *IndexExpr:
		v.Expr(&n.X)
		v.Expr(&n.Index)
	case *MemberExpr:
		v.Expr(&n.X)
		v.Visit(n.Member)
	case *CastExpr:
		v.Visit(n.Type)
		v.Expr(&n.X)
	case *ConstructExpr:
		v.Visit(n.Type)
		v.list(n.Args)
	case *SizeofExpr:
		visit(n.Type, v.Visit)
		v.optional(&n.X)
	case *InitList:
		for i := range n.Elems {
			if i < len(n.Designators) && n.Designators[i] != nil {
				v.Expr(&n.Designators[i].First)
				v.optional(&n.Designators[i].Last)
			}
			v.Expr(&n.Elems[i])
		}
	case *PackExpr:
		v.Expr(&n.X)
	case *FoldExpr:
		v.Expr(&n.X)
		v.optional(&n.Init)
	case *LambdaExpr:
		for i := range n.Captures {
			v.optional(&n.Captures[i].Init)
		}
		visit(n.Template, v.Visit)
		each(n.Params, v.Visit)
		visit(n.Result, v.Visit)
		v.Visit(n.Body)
	case *StmtExpr:
		v.Visit(n.Body)
	default:
		v.through(n)
	}
}

func (v Visitor) list(args []Expr) {
	for i := range args {
		v.Expr(&args[i])
	}
}

func (v Visitor) optional(x *Expr) {
	if *x != nil {
		v.Expr(x)
	}
}

func (v Visitor) part(s *Stmt) {
	if *s != nil {
		v.Stmt(s, nil)
	}
}
