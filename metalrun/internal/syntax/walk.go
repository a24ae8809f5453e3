package syntax

import "fmt"

// Inspect calls f for n and, where f returns true, for all nodes below it in
// the order of the source. A DefinedType that joined declarators share is
// met once for each.
func Inspect(n Node, f func(Node) bool) {
	if n != nil && f(n) {
		children(n, func(c Node) { Inspect(c, f) })
	}
}

// children calls f for each direct child of n. It knows every kind of node.
func children(n Node, f func(Node)) {
	switch n := n.(type) {
	case *File:
		each(n.Decls, f)
	case *Name:
		for i := range n.Parts {
			visit(n.Parts[i].Conversion, f)
			visit(n.Parts[i].Decltype, f)
			for _, a := range n.Parts[i].Args {
				visit(a.Type, f)
				visit(a.X, f)
			}
		}
	case TypeExpr:
		typeChildren(n, f)
	case Decl:
		declChildren(n, f)
	case *Attr:
		each(n.Args, f)
	case *Param:
		visit(n.Type, f)
		each(n.Attrs, f)
		visit(n.Default, f)
	case *Template:
		each(n.Params, f)
	case *TemplateParam:
		visit(n.Template, f)
		visit(n.Type, f)
		visit(n.DefaultType, f)
		visit(n.Default, f)
	case Stmt:
		stmtChildren(n, f)
	case Expr:
		exprChildren(n, f)
	default:
		panic(fmt.Sprintf("syntax: unknown node %T", n))
	}
}

// visit calls f unless the child is absent.
func visit[N interface {
	Node
	comparable
}](n N, f func(Node)) {
	var none N
	if n != none {
		f(n)
	}
}

func each[N Node](list []N, f func(Node)) {
	for _, n := range list {
		f(n)
	}
}

func typeChildren(n TypeExpr, f func(Node)) {
	switch n := n.(type) {
	case *NamedType:
		f(n.Name)
	case *QualType:
		f(n.Base)
	case *PointerType:
		f(n.Elem)
	case *ReferenceType:
		f(n.Elem)
	case *ArrayType:
		f(n.Elem)
		visit(n.Len, f)
	case *FuncType:
		f(n.Result)
		each(n.Params, f)
	case *DecltypeType:
		f(n.X)
	case *AutoType:
	case *DefinedType:
		f(n.Decl)
	default:
		panic(fmt.Sprintf("syntax: unknown type %T", n))
	}
}

func declChildren(n Decl, f func(Node)) {
	switch n := n.(type) {
	case *VarDecl:
		visit(n.Template, f)
		f(n.Type)
		visit(n.Written, f)
		each(n.Attrs, f)
		visit(n.Bits, f)
		visit(n.Init, f)
	case *FuncDecl:
		for _, t := range n.Outer {
			visit(t, f)
		}
		visit(n.Template, f)
		each(n.Attrs, f)
		visit(n.Result, f)
		f(n.Name)
		each(n.Params, f)
		each(n.After, f)
		for _, x := range n.Inits {
			each(x.Args, f)
		}
		visit(n.Body, f)
	case *Instantiation:
		each(n.Attrs, f)
		visit(n.Type, f)
		f(n.Name)
		each(n.Params, f)
	case *StructDecl:
		visit(n.Template, f)
		each(n.Attrs, f)
		visit(n.Name, f)
		for _, b := range n.Bases {
			visit(b.Type, f)
		}
		each(n.Members, f)
	case *EnumDecl:
		visit(n.Underlying, f)
		for _, v := range n.Values {
			visit(v.Value, f)
		}
	case *TypedefDecl:
		visit(n.Template, f)
		f(n.Type)
	case *UsingDecl:
		f(n.Name)
	case *NamespaceDecl:
		each(n.Decls, f)
	case *StaticAssert:
		f(n.X)
	case *FriendDecl:
		visit(n.Template, f)
		f(n.Type)
	case *PragmaDecl, *AccessDecl, *EmptyDecl:
	default:
		panic(fmt.Sprintf("syntax: unknown declaration %T", n))
	}
}

func stmtChildren(n Stmt, f func(Node)) {
	switch n := n.(type) {
	case *BlockStmt:
		each(n.List, f)
	case *DeclStmt:
		each(n.Decls, f)
	case *ExprStmt:
		f(n.X)
	case *IfStmt:
		visit(n.Init, f)
		visit(n.Cond, f)
		visit(n.CondDecl, f)
		f(n.Then)
		visit(n.Else, f)
	case *ForStmt:
		each(n.Attrs, f)
		f(n.Init)
		visit(n.Cond, f)
		visit(n.Post, f)
		f(n.Body)
	case *RangeStmt:
		each(n.Attrs, f)
		f(n.Var)
		f(n.X)
		f(n.Body)
	case *WhileStmt:
		f(n.Cond)
		f(n.Body)
	case *DoStmt:
		f(n.Body)
		f(n.Cond)
	case *SwitchStmt:
		f(n.X)
		f(n.Body)
	case *CaseStmt:
		visit(n.X, f)
		visit(n.Last, f)
	case *ReturnStmt:
		visit(n.X, f)
	case *EmptyStmt:
		each(n.Attrs, f)
	case *BreakStmt, *ContinueStmt:
	default:
		panic(fmt.Sprintf("syntax: unknown statement %T", n))
	}
}

func exprChildren(n Expr, f func(Node)) {
	switch n := n.(type) {
	case *NameExpr:
		f(n.Name)
	case *ParenExpr:
		f(n.X)
	case *UnaryExpr:
		f(n.X)
	case *PostfixExpr:
		f(n.X)
	case *BinaryExpr:
		f(n.X)
		f(n.Y)
	case *AssignExpr:
		f(n.X)
		f(n.Y)
	case *CondExpr:
		f(n.Cond)
		visit(n.X, f)
		f(n.Y)
	case *CallExpr:
		f(n.Fun)
		each(n.Args, f)
	case *IndexExpr:
		f(n.X)
		f(n.Index)
	case *MemberExpr:
		f(n.X)
		f(n.Member)
	case *CastExpr:
		f(n.Type)
		f(n.X)
	case *ConstructExpr:
		f(n.Type)
		each(n.Args, f)
	case *SizeofExpr:
		visit(n.Type, f)
		visit(n.X, f)
	case *InitList:
		for i, x := range n.Elems {
			if i < len(n.Designators) && n.Designators[i] != nil {
				f(n.Designators[i].First)
				visit(n.Designators[i].Last, f)
			}
			f(x)
		}
	case *PackExpr:
		f(n.X)
	case *FoldExpr:
		f(n.X)
		visit(n.Init, f)
	case *LambdaExpr:
		for _, c := range n.Captures {
			visit(c.Init, f)
		}
		visit(n.Template, f)
		each(n.Params, f)
		visit(n.Result, f)
		f(n.Body)
	case *StmtExpr:
		f(n.Body)
	case *IntLit, *FloatLit, *UserLit, *BoolLit, *StringLit, *NullLit, *BadExpr, *ThisExpr:
	default:
		panic(fmt.Sprintf("syntax: unknown expression %T", n))
	}
}
