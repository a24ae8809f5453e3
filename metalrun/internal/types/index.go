package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

func (c *checker) indexExpr(x *syntax.IndexExpr) operand {
	op, index := c.indexed(x.X), c.expr(x.Index)
	if op.bad() || index.bad() {
		return operand{}
	}
	op = c.elements(op)
	if s, ok := op.typ().(*hir.Struct); ok {
		if r, done := c.overloadedIndex(op, s, index, x.Pos()); done {
			return r
		}
	}
	i := c.rvalue(index)
	if i == nil {
		return operand{}
	}
	if _, ok := i.Type().(*hir.Pointer); ok && op.expr != nil && isIntegral(op.typ()) {
		op, i = value(i), c.rvalue(op) // i[p] is p[i]
	}
	if s, ok := i.Type().(*hir.Struct); ok && c.structs[s] != nil {
		if e, ok := c.toIntegral(index, x.Index.Pos()); ok {
			i = e
		}
	}
	if !isIntegral(i.Type()) {
		c.errorf(x.Index.Pos(), codeIndex, "got index of type %s, want an integer", i.Type())
		return operand{}
	}
	i = c.integer(i)
	switch t := op.typ().(type) {
	case *hir.Pointer:
		if !c.sized(t, x.Pos()) {
			return operand{}
		}
		return c.deref(value(&hir.PtrAdd{Node: hir.At(x.Pos(), t), P: c.rvalue(op), I: i, Neg: false}), x.Pos())
	case *hir.Array:
		return c.element(op, t.Elem, t.Len, i, x.Pos(), "")
	case hir.Vector:
		return c.element(op, t.Elem, t.N, i, x.Pos(), "a vector component")
	case hir.Matrix:
		return c.element(op, t.Column(), t.Cols, i, x.Pos(), "")
	}
	if _, ok := op.typ().(*hir.Struct); ok {
		c.errorf(x.Pos(), codeIndex, "type '%s' does not provide a subscript operator", op.describe())
		return operand{}
	}
	c.errorf(x.Pos(), codeIndex, "subscripted value is not an array, pointer, or vector: its type is '%s'",
		op.describe())
	return operand{}
}

// indexed is the operand before an index. The columns of a matrix are also called so.
func (c *checker) indexed(x syntax.Expr) operand {
	m, ok := x.(*syntax.MemberExpr)
	if name, ok := x.(*syntax.NameExpr); ok {
		return c.notFunction(name)
	}
	if !ok || len(m.Member.Parts) > 1 || m.Member.Last().Ident != "columns" {
		return c.expr(x)
	}
	op := c.object(m)
	if _, ok := op.typ().(hir.Matrix); ok || op.bad() {
		return op
	}
	return c.memberOf(op, m)
}

// notFunction is the object that a name before an index denotes: a function has no elements.
func (c *checker) notFunction(x *syntax.NameExpr) operand {
	outer := c.indexing
	c.indexing = x
	op := c.nameExpr(x)
	c.indexing = outer
	if op.fns != nil && len(op.fns.list) > 0 && !op.hasTargs {
		if r := op.fns.list[0]; !r.isTemplate() {
			c.errorf(x.Pos(), codeIndex, "subscript of pointer to function type of '%s'", op.fns.name)
			return operand{}
		}
	}
	return op
}

// element is component i of an aggregate of n.
func (c *checker) element(op operand, elem hir.Type, n int, i hir.Expr, pos syntax.Pos, noAddr string) operand {
	if k, ok := c.eval.Scalar(i); ok && !isArray(op.typ()) &&
		(int64(k.Bits) < 0 && hir.ScalarKind(k.Type()).IsSigned() || k.Bits >= uint64(n)) {
		c.errorf(i.Pos(), codeIndexRange, "index %d is out of range: %s has %d elements", int64(k.Bits), op.typ(), n)
		return operand{}
	}
	op.expr = &hir.Index{Node: hir.At(pos, elem), X: op.expr, I: i}
	op.null = false
	if noAddr != "" {
		op.noAddr = noAddr
	}
	return op
}

// integer gives an index or an enumeration its integer type.
func (c *checker) integer(e hir.Expr) hir.Expr {
	switch t := e.Type().(type) {
	case *hir.Enum:
		return c.cast(e, promoted(t.Underlying))
	case hir.Kind:
		if t == hir.Bool {
			return c.cast(e, hir.Int)
		}
	}
	return e
}

// sized reports whether arithmetic on pointers of type p makes sense.
func (c *checker) sized(p *hir.Pointer, pos syntax.Pos) bool {
	if isVoid(p.Elem) {
		c.errorf(pos, codeVoidPointer, "a pointer to void has no elements")
		return false
	}
	return c.complete(plain(p.Elem), pos)
}

// deref is the object that a pointer points to.
func (c *checker) deref(op operand, pos syntax.Pos) operand {
	e := c.rvalue(op)
	if e == nil {
		return operand{}
	}
	p, ok := e.Type().(*hir.Pointer)
	if !ok {
		c.errorf(pos, codeDereference, "indirection requires pointer operand ('%s' invalid)", e.Type())
		return operand{}
	}
	if isVoid(p.Elem) {
		c.errorf(pos, codeVoidPointer, "a pointer to void cannot be dereferenced")
		return operand{}
	}
	if !c.complete(plain(p.Elem), pos) {
		return operand{}
	}
	var object hir.Expr = &hir.Deref{Node: hir.At(pos, p.Elem), X: e}
	if a, ok := e.(*hir.AddrOf); ok && hir.Identical(a.X.Type(), p.Elem) {
		object = a.X // *&x is x
	}
	return operand{
		expr: object, lvalue: true,
		const_: p.Const || p.Space == syntax.Constant, space: p.Space, volatile: p.Volatile,
	}
}

func (c *checker) addressOf(op operand, pos syntax.Pos) operand {
	switch {
	case op.bad():
		return op
	case op.fns != nil:
		return op
	case !op.lvalue:
		c.errorf(pos, codeAddressOf, "cannot take the address of an rvalue of type %s", spelled(op.typ()))
		return operand{}
	case op.noAddr != "":
		c.errorf(pos, codeAddressOf, "the address of %s cannot be taken", op.noAddr)
		return operand{}
	}
	if d, ok := op.expr.(*hir.Deref); ok {
		return value(d.X) // &*p is p
	}
	t := pointerTo(qual{typ: op.typ(), space: op.space, isConst: op.const_, volatile: op.volatile})
	return value(&hir.AddrOf{Node: hir.At(pos, t), X: op.expr})
}

func isArray(t hir.Type) bool { _, ok := t.(*hir.Array); return ok }
