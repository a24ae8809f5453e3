package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Destructors run where the scope of an object ends: behind its last statement, and ahead
// of every jump out of it. Objects without a name, whose lives end within a statement,
// are refused.

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
		c.errorf(d.Name.Pos(), codeUnsupported, "a destructor for objects in address space %s is not supported", d.Quals.Space)
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
func (c *checker) destroys(t Type) bool {
	switch t := t.(type) {
	case *Array:
		return c.destroys(t.Elem)
	case *Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		return info.dtor != nil && (info.dtor.def == nil || len(info.dtor.def.Body.List) > 0) ||
			slices.ContainsFunc(t.Fields, func(f Field) bool { return !f.Ref && c.destroys(f.Type) })
	}
	return false
}

// owns notes that the current scope ends the life of v.
func (c *checker) owns(v *Var) {
	if v.Ref || v.Global || !c.destroys(v.Type) {
		return
	}
	if v.Space != syntax.Thread {
		c.errorf(v.Pos, codeUnsupported, "%s has a destructor and lies in %s memory, which is not supported", v.Name, v.Space)
		return
	}
	c.scope.objects = append(c.scope.objects, v)
}

// destroyScopes are the ends of all objects in the current scope and those around it, up to
// outer, which is not among them.
func (c *checker) destroyScopes(pos syntax.Pos, outer *scope) []Stmt {
	var list []Stmt
	for s := c.scope; s != nil && s != outer; s = s.parent {
		for _, v := range slices.Backward(s.objects) {
			list = append(list, c.destroy(pos, variable(pos, v, false))...)
		}
	}
	return list
}

// ended is a list of statements with the ends of the objects of the current scope behind it.
func (c *checker) ended(list []Stmt, pos syntax.Pos) []Stmt {
	if len(c.scope.objects) == 0 {
		return list
	}
	return append(list, c.destroyScopes(pos, c.scope.parent)...)
}

// destroy is the end of an object: what its destructor does, and then those of its parts,
// the last first.
func (c *checker) destroy(pos syntax.Pos, op operand) []Stmt {
	if !c.destroys(op.typ()) {
		return nil
	}
	var list []Stmt
	if s, ok := op.typ().(*Struct); ok {
		if f := c.structs[s].dtor; f != nil && f.plain != nil {
			r := f.plain
			c.spend(pos, destroyWork)
			c.ensureBody(r, pos)
			c.recordCall(r.fn, pos)
			list = append(list, &ExprStmt{&Call{expr: expr{pos, Void}, Func: r.fn, Args: []Expr{op.expr}}})
		}
	}
	if a, ok := op.typ().(*Array); ok && a.Len > maxConstructed {
		c.errorf(pos, codeArrayLength, "got %d elements with a destructor, want at most %d, whatever the flags", a.Len, maxConstructed)
		return nil
	}
	for _, part := range slices.Backward(c.partsToCopy(op, op.typ(), pos)) {
		list = append(list, c.destroy(pos, part)...)
	}
	return list
}

// leave is a jump out of all scopes up to outer.
func (c *checker) leave(jump Stmt, pos syntax.Pos, outer *scope) []Stmt {
	return append(c.destroyScopes(pos, outer), jump)
}

// returnAfterEnds is a return with the ends of all objects of the function ahead of it,
// behind the evaluation of its value.
func (c *checker) returnAfterEnds(r *Return) []Stmt {
	ends := c.destroyScopes(r.Pos, c.fn.scope)
	if len(ends) == 0 {
		return []Stmt{r}
	}
	var list []Stmt
	if r.X != nil {
		t := r.X.Type()
		v := &Var{Name: "(result)", Pos: r.Pos, Type: t, Space: syntax.Thread}
		list = append(list, &VarStmt{Var: v, Init: r.X})
		r = &Return{r.Pos, &Load{expr{r.Pos, t}, &VarExpr{expr{r.Pos, t}, v}}}
	}
	return append(append(list, ends...), r)
}

// checkTemporaries refuses objects with a destructor that no variable, result or member is.
func (c *checker) checkTemporaries(s Stmt, this *Var) {
	if !c.destructors {
		return
	}
	switch s := s.(type) {
	case *Block:
		for _, s := range s.List {
			c.checkTemporaries(s, this)
		}
	case *VarStmt:
		c.checkPlaced(s.Init)
	case *ExprStmt:
		if a, ok := s.X.(*Assign); ok && this != nil && initialises(a, this) {
			c.checkPlaced(a.R)
			return
		}
		c.checkUnplaced(s.X)
	case *If:
		c.checkUnplaced(s.Cond)
		c.checkTemporaries(s.Then, this)
		if s.Else != nil {
			c.checkTemporaries(s.Else, this)
		}
	case *Loop:
		c.checkUnplaced(s.Cond)
		c.checkUnplaced(s.Post)
		c.checkTemporaries(s.Body, this)
	case *Switch:
		c.checkUnplaced(s.X)
		for _, k := range s.Cases {
			for _, s := range k.Body {
				c.checkTemporaries(s, this)
			}
		}
	case *Return:
		if l, ok := s.X.(*Load); ok {
			if v, ok := l.X.(*VarExpr); ok && v.Var != this && v.Var.Name != "(result)" && !v.Var.Ref && c.destroys(v.Var.Type) {
				c.errorf(s.Pos, codeUnsupported, "returning %s by name is not supported: its class has a destructor, and a compiler may or may not make a copy", v.Var.Name)
			}
		}
		c.checkPlaced(s.X)
	}
}

// initialises reports whether a is the first value of a member of this.
func initialises(a *Assign, this *Var) bool {
	f, ok := a.L.(*FieldExpr)
	if !ok {
		return false
	}
	v, ok := f.X.(*VarExpr)
	return ok && v.Var == this
}

// checkPlaced checks the value that an object begins with. It becomes the object itself.
func (c *checker) checkPlaced(e Expr) {
	if e == nil {
		return
	}
	if k, ok := e.(*Construct); ok {
		for _, a := range k.Args {
			c.checkPlaced(a)
		}
		return
	}
	for _, x := range Operands(e) {
		c.checkUnplaced(x)
	}
	c.checkArguments(e)
}

// checkUnplaced checks an expression in the middle of others.
func (c *checker) checkUnplaced(e Expr) {
	WalkExpr(e, func(e Expr) {
		switch e.(type) {
		case *Call, *PointerCall, *Construct, *Temporary, *Cond:
			if c.destroys(e.Type()) {
				c.errorf(e.Pos(), codeUnsupported, "an object of %s without a name is not supported: the class has a destructor, declare a variable", e.Type())
				return
			}
		}
		c.checkArguments(e)
	})
}

// checkArguments refuses arguments by value that have a destructor.
func (c *checker) checkArguments(e Expr) {
	call, ok := e.(*Call)
	if !ok {
		return
	}
	for _, p := range call.Func.Params {
		if !p.Ref && c.destroys(p.Type) {
			c.errorf(e.Pos(), codeUnsupported, "an argument of %s by value is not supported: the class has a destructor, pass a reference", p.Type)
			return
		}
	}
}
