package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// thisValue is a copy of the object that a constructor makes.
func (c *checker) thisValue(pos syntax.Pos) hir.Expr {
	return c.rvalue(variable(pos, c.fn.this, false))
}

// constructorHead declares the object and initialises its fields in order.
func (c *checker) constructorHead(r *routine) []hir.Stmt {
	info := r.of.owner
	pos := r.def.Pos()
	list := []hir.Stmt{&hir.VarStmt{Var: c.fn.this}}
	given := map[string]*syntax.FieldInit{}
	for i := range r.def.Inits {
		in := &r.def.Inits[i]
		name := in.Name
		if name == lastPart(bare(info.typ.Name)) && len(r.def.Inits) == 1 {
			ops, ok := c.arguments(in.Args)
			if !ok {
				return list
			}
			if e := c.construction(in.Pos, info, ops); e != nil {
				list[0].(*hir.VarStmt).Init = e
			}
			return list
		}
		if given[name] != nil {
			c.errorf(in.Pos, codeRedeclared, "the member %s is initialised already", name)
		}
		given[name] = in
	}
	for i, f := range info.typ.Fields {
		in := given[f.Name]
		if i < len(info.bases) {
			c.part = info.bases[i]
			in = given[lastPart(bare(info.bases[i].typ.Name))]
			delete(given, lastPart(bare(info.bases[i].typ.Name)))
		}
		delete(given, f.Name)
		e := c.fieldInit(pos, info, i, in)
		c.part = nil
		if e != nil {
			target := &hir.FieldExpr{Node: hir.At(pos, f.Type),
				X: &hir.VarExpr{Node: hir.At(pos, info.typ), Var: c.fn.this}, Field: i}
			list = append(list, &hir.ExprStmt{X: &hir.Assign{Node: hir.At(e.Pos(), f.Type), L: target, R: e}})
		}
	}
	for _, name := range sortedKeys(given) {
		path, ok := info.scope.names[name].(*fieldEntity)
		if !ok || len(path.path) == 1 {
			c.errorf(given[name].Pos, codeNoMember, "%s has no member %s", info.typ, name)
			continue
		}
		target := c.fieldPath(variable(given[name].Pos, c.fn.this, false), path.path, given[name].Pos)
		if e := c.fieldValue(given[name], hir.Field{Type: target.typ()}); e != nil {
			list = append(list,
				&hir.ExprStmt{X: &hir.Assign{Node: hir.At(e.Pos(), target.typ()), L: target.expr, R: e}})
		}
	}
	return list
}

// fieldInit is the value that a constructor gives field i, nil if it stays indeterminate.
func (c *checker) fieldInit(pos syntax.Pos, info *structInfo, i int, in *syntax.FieldInit) hir.Expr {
	f := info.typ.Fields[i]
	switch {
	case in != nil:
		return c.fieldValue(in, f)
	case info.inits[i] != nil:
		return c.memberInit(info, i, nil)
	case c.hasDefault(f.Type):
		return c.zero(pos, f.Type)
	case f.Ref:
		c.errorf(pos, codeUninitialised, "the reference %s has no initialiser", f.Name)
	case c.needsArguments(f.Type):
		c.errorf(pos, codeNoDefault, "%s has no default constructor", f.Type)
	}
	return nil
}

// fieldValue is the value that "name(args)" gives a field.
func (c *checker) fieldValue(in *syntax.FieldInit, f hir.Field) hir.Expr {
	if in.Brace && !f.Ref {
		list := &syntax.InitList{Elems: in.Args, Fields: make([]string, len(in.Args))}
		list.SetPos(in.Pos)
		return c.initList(plain(f.Type), list)
	}
	ops, ok := c.arguments(in.Args)
	if !ok {
		return nil
	}
	t := f.Type
	if f.Ref && len(ops) == 1 {
		return c.kept(f, c.initialiseWith(fieldQual(f), ops[0], in.Pos, true))
	}
	if len(ops) == 1 && ops[0].list != nil {
		return c.initList(plain(t), ops[0].list)
	}
	if len(ops) == 1 {
		return c.initialiseWith(plain(t), ops[0], in.Pos, true)
	}
	return c.constructFrom(in.Pos, t, ops)
}
