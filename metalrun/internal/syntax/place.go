package syntax

// Places is what a walk over the places of a tree calls. A place may be given
// another expression or statement while the walk stands at it, and the old one
// back.
type Places struct {
	// Expr is called for the place of each expression that stands directly below
	// the node: below no other expression and no other statement.
	Expr func(*Expr)
	// Stmt is called for the place of each statement that does, and for that of
	// the statement that follows it in the same block, nil behind the last.
	Stmt func(place, next *Stmt)
}

// Visit calls p for the places below n, in the order of the source. It passes
// through names, types, declarations and the blocks that cannot be anything
// else, such as a function's body.
func (p Places) Visit(n Node) {
	switch n := n.(type) {
	case Expr:
		p.expr(n)
	case Stmt:
		p.stmt(n)
	case Decl:
		p.decl(n)
	case *ArrayType:
		p.Visit(n.Elem)
		p.optional(&n.Len)
	case *DecltypeType:
		p.Expr(&n.X)
	case *Attr:
		p.list(n.Args)
	case *Param:
		p.Visit(n.Type)
		each(n.Attrs, p.Visit)
		p.optional(&n.Default)
	case *TemplateParam:
		visit(n.Type, p.Visit)
		visit(n.DefaultType, p.Visit)
		p.optional(&n.Default)
	case *Name:
		for i := range n.Parts {
			part := &n.Parts[i]
			visit(part.Conversion, p.Visit)
			for j := range part.Args {
				visit(part.Args[j].Type, p.Visit)
				p.optional(&part.Args[j].X)
			}
		}
	default:
		p.through(n)
	}
}

// through visits the places below the children of a node that has none itself.
func (p Places) through(n Node) { children(n, p.Visit) }

func (p Places) decl(n Decl) {
	switch n := n.(type) {
	case *VarDecl:
		visit(n.Template, p.Visit)
		p.Visit(n.Type)
		each(n.Attrs, p.Visit)
		p.optional(&n.Bits)
		p.optional(&n.Init)
	case *FuncDecl:
		visit(n.Template, p.Visit)
		each(n.Attrs, p.Visit)
		visit(n.Result, p.Visit)
		p.Visit(n.Name)
		each(n.Params, p.Visit)
		for _, x := range n.Inits {
			p.list(x.Args)
		}
		visit(n.Body, p.Visit)
	case *EnumDecl:
		visit(n.Underlying, p.Visit)
		for i := range n.Values {
			p.optional(&n.Values[i].Value)
		}
	case *StaticAssert:
		p.Expr(&n.X)
	default:
		p.through(n)
	}
}

func (p Places) stmt(n Stmt) {
	switch n := n.(type) {
	case *BlockStmt:
		for i := range n.List {
			var next *Stmt
			if i+1 < len(n.List) {
				next = &n.List[i+1]
			}
			p.Stmt(&n.List[i], next)
		}
	case *ExprStmt:
		p.Expr(&n.X)
	case *IfStmt:
		p.part(&n.Init)
		p.optional(&n.Cond)
		visit(n.CondDecl, p.Visit)
		p.part(&n.Then)
		p.part(&n.Else)
	case *ForStmt:
		each(n.Attrs, p.Visit)
		p.part(&n.Init)
		p.optional(&n.Cond)
		p.optional(&n.Post)
		p.part(&n.Body)
	case *RangeStmt:
		each(n.Attrs, p.Visit)
		p.Visit(n.Var)
		p.Expr(&n.X)
		p.part(&n.Body)
	case *WhileStmt:
		p.Expr(&n.Cond)
		p.part(&n.Body)
	case *DoStmt:
		p.part(&n.Body)
		p.Expr(&n.Cond)
	case *SwitchStmt:
		p.Expr(&n.X)
		p.Visit(n.Body)
	case *CaseStmt:
		p.optional(&n.X)
	case *ReturnStmt:
		p.optional(&n.X)
	default:
		p.through(n)
	}
}

func (p Places) expr(n Expr) {
	switch n := n.(type) {
	case *ParenExpr:
		p.Expr(&n.X)
	case *UnaryExpr:
		p.Expr(&n.X)
	case *PostfixExpr:
		p.Expr(&n.X)
	case *BinaryExpr:
		p.Expr(&n.X)
		p.Expr(&n.Y)
	case *AssignExpr:
		p.Expr(&n.X)
		p.Expr(&n.Y)
	case *CondExpr:
		p.Expr(&n.Cond)
		p.Expr(&n.X)
		p.Expr(&n.Y)
	case *CallExpr:
		p.Expr(&n.Fun)
		p.list(n.Args)
	case *IndexExpr:
		p.Expr(&n.X)
		p.Expr(&n.Index)
	case *MemberExpr:
		p.Expr(&n.X)
		p.Visit(n.Member)
	case *CastExpr:
		p.Visit(n.Type)
		p.Expr(&n.X)
	case *ConstructExpr:
		p.Visit(n.Type)
		p.list(n.Args)
	case *SizeofExpr:
		visit(n.Type, p.Visit)
		p.optional(&n.X)
	case *InitList:
		p.list(n.Elems)
	case *PackExpr:
		p.Expr(&n.X)
	default:
		p.through(n)
	}
}

func (p Places) list(args []Expr) {
	for i := range args {
		p.Expr(&args[i])
	}
}

func (p Places) optional(x *Expr) {
	if *x != nil {
		p.Expr(x)
	}
}

func (p Places) part(s *Stmt) {
	if *s != nil {
		p.Stmt(s, nil)
	}
}
