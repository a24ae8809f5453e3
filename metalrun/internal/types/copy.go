package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Copies of objects whose class says how it is copied.

// copies reports whether a copy of an object of type t is more than its bytes: the class,
// or that of a member, declares how it is made.
func (c *checker) copies(t hir.Type) bool {
	for {
		a, ok := t.(*hir.Array)
		if !ok {
			break
		}
		t = a.Elem
	}
	s, ok := t.(*hir.Struct)
	if !ok || c.structs[s] == nil {
		return false
	}
	return c.copiesItself(c.structs[s]) ||
		slices.ContainsFunc(s.Fields, func(f hir.Field) bool { return !f.Ref && c.copies(f.Type) })
}

// copiesItself reports whether a class has a constructor from an object of its own that is
// not left to the compiler.
func (c *checker) copiesItself(info *structInfo) bool {
	return slices.ContainsFunc(info.ctors, func(f *function) bool {
		r := f.plain
		return r != nil && !f.decl.Default && len(r.params) > 0 && minArgs(f.decl) < 2 && r.params[0].ref &&
			r.params[0].typ == hir.Type(info.typ)
	})
}

// copyOf is a new object of type t, made from the one that op denotes.
func (c *checker) copyOf(op operand, t hir.Type, pos syntax.Pos) hir.Expr {
	if !op.lvalue || !c.copies(t) {
		if _, isArray := t.(*hir.Array); isArray && op.lvalue {
			return &hir.Load{Node: hir.At(pos, t), X: op.expr}
		}
		return c.rvalue(op)
	}
	if s, ok := t.(*hir.Struct); ok && c.copiesItself(c.structs[s]) {
		return c.construction(pos, c.structs[s], []operand{op})
	}
	if hir.HasSideEffects(op.expr) {
		c.errorf(pos, codeUnsupported,
			"a copy of %s, a member of which has a copy constructor, from an expression with effects is not "+
				"supported: name the object first", t)
		return nil
	}
	e := &hir.Construct{Node: hir.At(pos, t)}
	for _, part := range c.partsToCopy(op, t, pos) {
		v := c.copyOf(part, part.typ(), pos)
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	return e
}

// partsToCopy are the members of an object, or its elements.
func (c *checker) partsToCopy(op operand, t hir.Type, pos syntax.Pos) []operand {
	var list []operand
	switch t := t.(type) {
	case *hir.Struct:
		c.spend(pos, partWork*len(t.Fields))
		for i, f := range t.Fields {
			part := op
			part.expr = &hir.FieldExpr{Node: hir.At(pos, f.Type), X: op.expr, Field: i}
			list = append(list, part)
		}
	case *hir.Array:
		c.spend(pos, partWork*min(t.Len, maxConstructed))
		for i := range min(t.Len, maxConstructed) {
			part := op
			part.expr = &hir.Index{Node: hir.At(pos, t.Elem), X: op.expr, I: constant(pos, hir.Int, uint64(i))}
			list = append(list, part)
		}
	}
	return list
}

// returned is the value of a return statement: a local object becomes the result itself,
// any other is copied.
func (c *checker) returned(x syntax.Expr, op operand, to hir.Type) hir.Expr {
	if v, ok := op.expr.(*hir.VarExpr); ok && op.lvalue && !v.Var.Ref && hir.Identical(v.Var.Type, to) && c.copies(to) {
		if _, named := x.(*syntax.NameExpr); named && !slices.Contains(c.fn.r.fn.Params, v.Var) {
			return c.rvalue(op)
		}
	}
	return c.convertOperand(op, to, x.Pos())
}
