package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Destructors run where the scope of an object ends: after its last statement, and before of every jump out of it.
// Objects without a name end with their full expression (temporary.go), unless a reference makes them last.

// destructorDecl declares the destructor of a class.
func (c *checker) destructorDecl(info *structInfo, d *syntax.FuncDecl) {
	name := d.Name.Last().Ident
	switch {
	case name != "~"+lastPart(bare(info.typ.Name)):
		c.errorf(d.Name.Pos(), codeUnknownType, "expected the class name after '~' to name the enclosing class")
		return
	case len(d.Params) > 0:
		c.errorf(d.Name.Pos(), codeArgumentCount, "destructor cannot have any parameters")
		return
	case d.Quals.Space != syntax.NoSpace && d.Quals.Space != syntax.Thread:
		c.errorf(d.Name.Pos(), codeUnsupported, "a destructor for objects in address space %s is not supported",
			d.Quals.Space)
		return
	case d.Default || info.scope.names[name] != nil:
		return
	}
	f := &function{name: name, decl: returningNothing(d), scope: c.scope, owner: info}
	info.protectFunction(f)
	if set := c.funcSetOf(d.Pos(), info.scope, name); set != nil {
		c.addFunction(set, f)
		info.dtor = f
	}
}

// isDestructor reports whether d declares a destructor.
func isDestructor(d *syntax.FuncDecl) bool { return d.Name.Last().Ident[0] == '~' }

// returningNothing is the declaration of a destructor as one of a function.
func returningNothing(d *syntax.FuncDecl) *syntax.FuncDecl {
	f := *d
	void := &syntax.NamedType{Name: &syntax.Name{Parts: []syntax.NamePart{{Pos: d.Pos(), Ident: "void"}}}}
	void.SetPos(d.Pos())
	void.Name.SetPos(d.Pos())
	f.Result = void
	return &f
}

// destroys reports whether the end of an object of type t is more than that: a destructor
// of its class, or of that of a part, has something to do.
func (c *checker) destroys(t hir.Type) bool {
	switch t := t.(type) {
	case *hir.Array:
		return c.destroys(t.Elem)
	case *hir.Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		return info.dtor != nil && (info.dtor.def == nil || len(info.dtor.def.Body.List) > 0) ||
			slices.ContainsFunc(t.Fields, func(f hir.Field) bool { return !f.Ref && c.destroys(f.Type) })
	}
	return false
}

// owns notes that the current scope ends the life of the object that s declares. An object
// without a name that a reference is bound to lasts as long, and is declared ahead of it.
func (c *checker) owns(s *hir.VarStmt) (ahead []hir.Stmt) {
	v := s.Var
	if v.Ref {
		outer := whole(&s.Init)
		t, ok := (*outer).(*hir.Temporary)
		if !ok {
			return nil
		}
		made := whole(&t.X) // a reference to a part of an object keeps all of it
		e := *made
		if hir.IsLvalue(e) || !c.destroys(e.Type()) {
			return nil
		}
		v = &hir.Var{Name: "(object of " + v.Name + ")", Pos: v.Pos, Type: e.Type(), Space: syntax.Thread}
		*made = &hir.VarExpr{Node: hir.At(e.Pos(), e.Type()), Var: v}
		*outer = t.X
		ahead = []hir.Stmt{&hir.VarStmt{Var: v, Init: e}}
	}
	switch {
	case v.Global || !c.destroys(v.Type):
	case v.Space != syntax.Thread:
		c.errorf(v.Pos, codeUnsupported, "%s has a destructor and lies in %s memory, which is not supported", v.Name,
			v.Space)
	default:
		c.scope.objects = append(c.scope.objects, v)
	}
	return ahead
}

// whole is the object that e denotes a member or an element of.
func whole(e *hir.Expr) *hir.Expr {
	for {
		switch x := (*e).(type) {
		case *hir.FieldExpr:
			e = &x.X
		case *hir.Index:
			e = &x.X
		default:
			return e
		}
	}
}

// destroyScopes are the ends of all objects in the current scope and those around it, up to
// outer, which is not among them.
func (c *checker) destroyScopes(pos syntax.Pos, outer *scope) []hir.Stmt {
	var list []hir.Stmt
	for s := c.scope; s != nil && s != outer; s = s.parent {
		for _, v := range slices.Backward(s.objects) {
			end := c.destroy(pos, variable(pos, v, false))
			if n := c.fn.returning; n != nil && n.v == v {
				n.end = &hir.Block{List: end}
				end = []hir.Stmt{n.end}
			}
			list = append(list, end...)
		}
	}
	return list
}

// ended is a list of statements followed by the destructors of the objects of the current scope.
func (c *checker) ended(list []hir.Stmt, pos syntax.Pos) []hir.Stmt {
	if len(c.scope.objects) == 0 {
		return list
	}
	return append(list, c.destroyScopes(pos, c.scope.parent)...)
}

// destroy is the end of an object: what its destructor does, and then those of its parts,
// the last first.
func (c *checker) destroy(pos syntax.Pos, op operand) []hir.Stmt {
	if !c.destroys(op.typ()) {
		return nil
	}
	var list []hir.Stmt
	if s, ok := op.typ().(*hir.Struct); ok {
		if f := c.structs[s].dtor; f != nil && f.plain != nil {
			r := f.plain
			c.spend(pos, destroyWork)
			c.ensureBody(r, pos)
			c.recordCall(callSite{callee: r.fn, pos: pos})
			list = append(list,
				&hir.ExprStmt{X: &hir.Call{Node: hir.At(pos, hir.Void), Func: r.fn, Args: []hir.Expr{op.expr}}})
		}
	}
	if a, ok := op.typ().(*hir.Array); ok && a.Len > maxConstructed {
		c.errorf(pos, codeArrayLength, "got %d elements with a destructor, want at most %d, whatever the flags", a.Len,
			maxConstructed)
		return nil
	}
	for _, part := range slices.Backward(c.partsToCopy(op, op.typ(), pos)) {
		list = append(list, c.destroy(pos, part)...)
	}
	return list
}

// leave is a jump out of all scopes up to outer.
func (c *checker) leave(jump hir.Stmt, pos syntax.Pos, outer *scope) []hir.Stmt {
	return append(c.destroyScopes(pos, outer), jump)
}

// returnAfterEnds is a return with the ends of all objects of the function ahead of it, after the evaluation of its
// value.
func (c *checker) returnAfterEnds(r *hir.Return) []hir.Stmt {
	ends := c.destroyScopes(r.Pos, c.fn.scope)
	if len(ends) == 0 {
		return []hir.Stmt{r}
	}
	var list []hir.Stmt
	if r.X != nil {
		v, load := held(r.Pos, "(result)", r.X.Type())
		list = append(list, &hir.VarStmt{Var: v, Init: r.X})
		r = &hir.Return{Pos: r.Pos, X: load}
	}
	return append(append(list, ends...), r)
}
