package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// hasDefault reports whether an object of type t is initialised even without an initialiser.
func (c *checker) hasDefault(t hir.Type) bool {
	switch t := t.(type) {
	case *hir.Array:
		return c.hasDefault(t.Elem)
	case *hir.Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		for _, f := range info.ctors {
			if minArgs(f.decl) == 0 {
				return !f.decl.Default || c.defaultsAnything(info)
			}
		}
		return len(info.ctors) == 0 && c.defaultsAnything(info)
	}
	return false
}

// defaultsAnything reports whether some field initialises itself.
func (c *checker) defaultsAnything(info *structInfo) bool {
	for i, f := range info.typ.Fields {
		if info.inits[i] != nil || c.hasDefault(f.Type) {
			return true
		}
	}
	return false
}

// needsArguments reports whether an object of type t cannot be made without an initialiser.
func (c *checker) needsArguments(t hir.Type) bool {
	switch t := t.(type) {
	case *hir.Array:
		return c.needsArguments(t.Elem)
	case *hir.Struct:
		info := c.structs[t]
		if info == nil {
			return false
		}
		if len(info.ctors) > 0 {
			for _, f := range info.ctors {
				if minArgs(f.decl) == 0 {
					return f.decl.Delete
				}
			}
			return true
		}
		for i, f := range t.Fields {
			if (f.Ref || f.Const && !c.constructible(f.Type)) && info.inits[i] == nil || c.needsArguments(f.Type) {
				return true
			}
		}
	}
	return false
}

// constructible reports whether objects of type t have a constructor of their own.
func (c *checker) constructible(t hir.Type) bool {
	s, ok := t.(*hir.Struct)
	return ok && c.structs[s] != nil && len(c.structs[s].ctors) > 0
}

// constructStruct is s(args…): by a constructor, or a copy, or with every field
// initialised by itself or zero.
func (c *checker) constructStruct(pos syntax.Pos, s *hir.Struct, args []operand) hir.Expr {
	info := c.structs[s]
	if len(args) == 1 && args[0].expr != nil {
		if hir.Identical(args[0].typ(), s) {
			return c.copyOf(args[0], s, pos)
		}
		if c.basePath(args[0].typ(), s) != nil {
			c.permitBase(pos, args[0].typ(), s)
			return c.rvalue(c.toBase(args[0], s))
		}
	}
	if len(info.ctors) > 0 {
		return c.construction(pos, info, args)
	}
	if len(args) == 0 {
		return c.implicitDefault(pos, info)
	}
	if len(args) == 1 && args[0].list != nil { // a copy of what the list makes
		return c.initList(plain(s), args[0].list)
	}
	if len(args) == 1 {
		if e, ok := c.userConvertAs(args[0], s, pos, true); ok {
			return e
		}
	}
	c.errorf(pos, codeConstruct, "%s has no constructor that takes (%s)", s, describeArgs(args))
	return nil
}

// implicitDefault is the value of an aggregate made from nothing.
func (c *checker) implicitDefault(pos syntax.Pos, info *structInfo) hir.Expr {
	s := info.typ
	if c.needsArguments(s) {
		c.errorf(pos, codeNoDefault, "%s has no default constructor", s)
		return nil
	}
	e := &hir.Construct{Node: hir.At(pos, s)}
	if !c.defaultsAnything(info) {
		return e
	}
	for i := range s.Fields {
		if s.Union && i > 0 {
			break
		}
		v := c.defaultField(pos, s, i, e.Args)
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	return e
}

// defaultFields assigns the fields of v that initialise themselves.
func (c *checker) defaultFields(v *hir.Var) []hir.Stmt {
	var list []hir.Stmt
	info := c.structs[v.Type.(*hir.Struct)]
	made := fieldsOf(v, info.typ)
	c.spend(v.Pos, partWork*len(made))
	for i, f := range info.typ.Fields {
		if info.typ.Union && i > 0 || info.inits[i] == nil && !c.hasDefault(f.Type) {
			continue
		}
		if e := c.defaultField(v.Pos, info.typ, i, made); e != nil {
			target := &hir.FieldExpr{Node: hir.At(v.Pos, f.Type),
				X: &hir.VarExpr{Node: hir.At(v.Pos, info.typ), Var: v}, Field: i}
			list = append(list, &hir.ExprStmt{X: &hir.Assign{Node: hir.At(v.Pos, f.Type), L: target, R: e}})
		}
	}
	return list
}

// fieldsOf are the values of the fields of v.
func fieldsOf(v *hir.Var, s *hir.Struct) []hir.Expr {
	object := &hir.VarExpr{Node: hir.At(v.Pos, s), Var: v}
	list := make([]hir.Expr, len(s.Fields))
	for i, f := range s.Fields {
		list[i] = &hir.Load{Node: hir.At(v.Pos, f.Type),
			X: &hir.FieldExpr{Node: hir.At(v.Pos, f.Type), X: object, Field: i}}
	}
	return list
}

// fieldQual is the type of a field as declared.
func fieldQual(f hir.Field) qual {
	if !f.Ref {
		return plain(f.Type)
	}
	q := pointee(f.Type.(*hir.Pointer))
	q.ref = true
	return q
}

// kept is what a field holds that is initialised with e: of an object that it refers to,
// the address.
func (c *checker) kept(f hir.Field, e hir.Expr) hir.Expr {
	if !f.Ref || e == nil {
		return e
	}
	q := fieldQual(f)
	op := operand{expr: e, lvalue: true, space: q.space, const_: q.isConst, volatile: q.volatile}
	return c.addressOf(op, e.Pos()).expr
}

// memberInit is the value of a default member initialiser.
func (c *checker) memberInit(info *structInfo, i int, made []hir.Expr) hir.Expr {
	c.spend(info.inits[i].Pos(), memberWork)
	var e hir.Expr
	ctx := c.context
	ctx.made = made
	if c.fn != nil && (c.fn.this == nil || c.fn.this.Type != hir.Type(info.typ) || !c.fn.r.of.isConstructor()) {
		outside := *c.fn // the object has no name here
		outside.this = nil
		ctx.fn = &outside
	}
	ctx.scope = info.scope
	ctx.limit = unlimited
	f := info.typ.Fields[i]
	c.in(ctx, func() { e = c.kept(f, c.initialise(fieldQual(f), info.inits[i], false)) })
	return e
}

// threadConstructors are the constructors for objects of a thread, where a value is made;
// all if there are only such for other address spaces.
func threadConstructors(list []*function) []*function {
	own := slices.DeleteFunc(slices.Clone(list), func(f *function) bool {
		return f.decl.Quals.Space != syntax.NoSpace && f.decl.Quals.Space != syntax.Thread
	})
	if len(own) == 0 {
		return list
	}
	return own
}

// construction calls a constructor.
func (c *checker) construction(pos syntax.Pos, info *structInfo, args []operand) hir.Expr {
	set := &funcSet{name: lastPart(info.typ.Name), list: threadConstructors(info.ctors)}
	r := c.overload(pos, set, nil, nil, false, args)
	if r == nil || !c.permitFunction(pos, info, nil, r) {
		return nil
	}
	if r.decl.Delete {
		c.errorf(pos, codeDeleted, "call to deleted constructor of '%s'", info.typ).
			Note(namePos(r.decl), "'%s' has been explicitly marked deleted here", lastPart(info.typ.Name))
		return nil
	}
	if r.decl.Default {
		if len(args) == 0 {
			return c.implicitDefault(pos, &structInfo{typ: info.typ, inits: info.inits, scope: info.scope})
		}
		return c.rvalue(args[0])
	}
	op := c.invoke(pos, r, nil, args)
	return op.expr
}
