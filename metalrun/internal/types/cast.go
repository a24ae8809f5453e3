package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

func (c *checker) castExpr(x *syntax.CastExpr) operand {
	q, ok := c.typeOf(x.Type)
	op := c.expr(x.X)
	if !ok || op.bad() {
		return operand{}
	}
	if x.Keyword == "as_type" {
		return c.asTypeExpr(x, q, op)
	}
	if op.list != nil {
		c.errorf(op.pos, codeBracedList, "a braced list cannot be cast")
		return operand{}
	}
	if q.ref {
		op = c.referenceCast(x, q, op)
		op.expiring = q.rvalueRef
		return op
	}
	if op.fns != nil {
		if isVoid(q.typ) {
			return op
		}
		return asValue(c.convertOperand(op, q.typ, x.Pos()))
	}
	if isVoid(q.typ) && op.typ() == hir.Type(hir.NullPointer{}) {
		return asValue(nothing(x.Pos()))
	}
	if isVoid(q.typ) && op.lvalue {
		// The value is thrown away: the object is not read.
		return value(&hir.Convert{Node: hir.At(x.Pos(), hir.Void), X: op.expr})
	}
	if !isVoid(q.typ) && !c.complete(q, x.Pos()) {
		return operand{}
	}
	if e, ok := c.hierarchyCast(x, q.typ, op); ok {
		return asValue(e)
	}
	if !c.castForm(x, q.typ, op) {
		return operand{}
	}
	e := c.explicit(op, q.typ, x.Pos())
	if e == nil {
		return operand{}
	}
	return value(e)
}

// hierarchyCast casts a pointer to a base or to a derived object; done is false for any
// other cast.
func (c *checker) hierarchyCast(x *syntax.CastExpr, to hir.Type, op operand) (e hir.Expr, done bool) {
	p, ok := to.(*hir.Pointer)
	if !ok || x.Keyword != "" && x.Keyword != "static_cast" {
		return nil, false
	}
	if e, ok := c.toBasePointer(op, to, x.Pos()); ok {
		return e, true
	}
	from, ok := decayed(op).(*hir.Pointer)
	if !ok || x.Keyword != "" && (from.Const && !p.Const || from.Volatile && !p.Volatile) ||
		c.basePath(p.Elem, from.Elem) == nil {
		return nil, false
	}
	return c.toDerived(c.rvalue(op), p)
}

// castForm checks what the C++ forms of a cast forbid beyond the C form.
func (c *checker) castForm(x *syntax.CastExpr, to hir.Type, op operand) bool {
	from := decayed(op)
	fp, fromPtr := from.(*hir.Pointer)
	tp, toPtr := to.(*hir.Pointer)
	drops := fromPtr && toPtr && (fp.Const && !tp.Const || fp.Volatile && !tp.Volatile)
	if x.Keyword != "" && fromPtr && toPtr && fp.Space != tp.Space {
		c.errorf(x.Pos(), codeAddressSpace, "%s from %s to %s converts between mismatching address spaces", x.Keyword,
			spelled(from), spelled(to))
		return false
	}
	switch x.Keyword {
	case "":
		return true
	case "static_cast":
		if drops {
			c.errorf(x.Pos(), codeDropsConst, "static_cast cannot drop a qualifier: got %s, want %s", from, to)
			return false
		}
		if fromPtr && toPtr && fp.Space == tp.Space && !hir.Identical(fp.Elem, tp.Elem) && !isVoid(fp.Elem) &&
			!isVoid(tp.Elem) {
			c.errorf(x.Pos(), codeCast, "static_cast cannot reinterpret memory: got %s, want %s", from, to)
			return false
		}
		if fromPtr != toPtr && !op.null && to != hir.Bool && arithmeticOrEnum(from) != arithmeticOrEnum(to) {
			c.errorf(x.Pos(), codeCast, "static_cast does not convert %s to %s", from, to)
			return false
		}
	case "reinterpret_cast":
		if drops {
			c.errorf(x.Pos(), codeDropsConst, "reinterpret_cast cannot drop a qualifier: got %s, want %s", from, to)
			return false
		}
		integer := func(t hir.Type) bool { k, ok := t.(hir.Kind); return ok && k.IsInteger() }
		if !(fromPtr && (toPtr || integer(to)) || toPtr && integer(from)) {
			c.errorf(x.Pos(), codeCast, "reinterpret_cast does not convert %s to %s", from, to)
			return false
		}
	case "const_cast":
		if !fromPtr || !toPtr || !hir.Identical(fp.Elem, tp.Elem) {
			c.errorf(x.Pos(), codeCast, "const_cast changes qualifiers only: got %s, want %s", from, to)
			return false
		}
	default:
		c.errorf(x.Pos(), codeUnsupported, "%s is not supported", x.Keyword)
		return false
	}
	return true
}

func arithmeticOrEnum(t hir.Type) bool {
	_, isEnum := t.(*hir.Enum)
	return isEnum || isArithmetic(t)
}

// referenceCast views an object as one of another type at the same address.
func (c *checker) referenceCast(x *syntax.CastExpr, q qual, op operand) operand {
	switch {
	case op.expr == nil || !op.lvalue:
		c.errorf(x.Pos(), codeCast, "only an object can be cast to a reference, got a value of type %s", op.describe())
		return operand{}
	case op.space != q.space:
		c.errorf(x.Pos(), codeAddressSpace,
			"got an object in %s memory, want one in %s memory: no cast leads to another address space", op.space,
			q.space)
		return operand{}
	case op.noAddr != "":
		c.errorf(x.Pos(), codeCast, "%s cannot be cast to a reference", op.noAddr)
		return operand{}
	}
	dropsConst := op.const_ && !q.isConst && q.space != syntax.Constant
	if dropsConst && x.Keyword != "" && x.Keyword != "const_cast" {
		c.errorf(x.Pos(), codeDropsConst, "%s cannot drop a qualifier", x.Keyword)
		return operand{}
	}
	if x.Keyword != "reinterpret_cast" && c.basePath(op.typ(), q.typ) != nil {
		op = c.toBase(op, q.typ)
	}
	if x.Keyword != "reinterpret_cast" && c.basePath(q.typ, op.typ()) != nil {
		if e, ok := c.toDerived(c.addressOf(op, x.Pos()).expr, pointerTo(q)); ok {
			return c.deref(value(e), x.Pos())
		}
	}
	if (x.Keyword == "static_cast" || x.Keyword == "const_cast") && !hir.Identical(op.typ(), q.typ) &&
		c.basePath(op.typ(), q.typ) == nil {
		c.errorf(x.Pos(), codeCast, "%s cannot reinterpret memory: got %s, want %s", x.Keyword, op.typ(), q.typ)
		return operand{}
	}
	if hir.Identical(op.typ(), q.typ) {
		op.const_, op.volatile = q.isConst || q.space == syntax.Constant, q.volatile
		return op
	}
	p := c.addressOf(op, x.Pos())
	return c.deref(value(&hir.Convert{Node: hir.At(x.Pos(), pointerTo(q)), X: p.expr}), x.Pos())
}

// asTypeExpr reinterprets the bits of a value.
func (c *checker) asTypeExpr(x *syntax.CastExpr, q qual, op operand) operand {
	e := c.rvalue(op)
	if e == nil {
		return operand{}
	}
	for _, t := range []hir.Type{e.Type(), q.typ} {
		switch t.(type) {
		case hir.Kind, hir.Vector:
			if !isVoid(t) {
				continue
			}
		}
		c.errorf(x.Pos(), codeAsType, "as_type wants scalars and vectors, got %s", t)
		return operand{}
	}
	if from := e.Type(); from.Size() != q.typ.Size() {
		c.errorf(x.Pos(), codeAsType, "as_type keeps the size: got %s of %d bytes, want %s of %d", from, from.Size(),
			q.typ, q.typ.Size())
		return operand{}
	}
	return value(&hir.AsType{Node: hir.At(x.Pos(), q.typ), X: e})
}

// constructExpr is T(…) or T{…}.
func (c *checker) constructExpr(x *syntax.ConstructExpr) operand {
	q, ok := c.typeOrAuto(x.Type)
	if !ok {
		return operand{}
	}
	if d, ok := q.typ.(deducedType); ok && !q.ref {
		if q.typ, ok = c.deduceClass(d, x.Args, x.Pos()); !ok {
			return operand{}
		}
	}
	if q.ref || hasAuto(q.typ) {
		c.errorf(x.Pos(), codeConstruct, "%s cannot be constructed", q.typ)
		return operand{}
	}
	if x.Fields != nil {
		if !c.complete(q, x.Pos()) {
			return operand{}
		}
		return c.constructList(x.Pos(), q.typ, &syntax.InitList{Elems: x.Args, Fields: x.Fields})
	}
	return c.construct(x.Pos(), q.typ, x.Args, x.Brace)
}

// constructList is t{…}.
func (c *checker) constructList(pos syntax.Pos, t hir.Type, list *syntax.InitList) operand {
	list.SetPos(pos)
	return asValue(c.initList(plain(t), list))
}

// construct makes a value of type t from arguments.
func (c *checker) construct(pos syntax.Pos, t hir.Type, args []syntax.Expr, brace bool) operand {
	if isVoid(t) && len(args) == 0 {
		return value(nothing(pos))
	}
	if !c.complete(plain(t), pos) {
		return operand{}
	}
	if brace {
		return c.constructList(pos, t, &syntax.InitList{Elems: args, Fields: make([]string, len(args))})
	}
	ops, ok := c.arguments(args)
	if !ok {
		return operand{}
	}
	return asValue(c.constructFrom(pos, t, ops))
}

// nothing is void().
func nothing(pos syntax.Pos) hir.Expr {
	return &hir.Convert{Node: hir.At(pos, hir.Void), X: constant(pos, hir.Int, 0)}
}

func asValue(e hir.Expr) operand {
	if e == nil {
		return operand{}
	}
	return value(e)
}

// constructFrom is t(args…) with the arguments checked.
func (c *checker) constructFrom(pos syntax.Pos, t hir.Type, args []operand) hir.Expr {
	if s, ok := t.(*hir.Struct); ok {
		return c.constructStruct(pos, s, args)
	}
	switch len(args) {
	case 0:
		return c.zero(pos, t)
	case 1:
		if _, fromMatrix := args[0].typ().(hir.Matrix); fromMatrix || args[0].list != nil {
			return c.explicit(args[0], t, pos)
		}
		_, fromStruct := args[0].typ().(*hir.Struct)
		if m, ok := t.(hir.Matrix); ok && m.Cols*m.Rows != 1 && !fromStruct {
			return c.diagonal(pos, m, args[0])
		}
		return c.explicit(args[0], t, pos)
	}
	switch t := t.(type) {
	case hir.Vector:
		return c.fillVector(pos, t, args)
	case hir.Matrix:
		return c.fillMatrix(pos, t, args)
	}
	c.errorf(pos, codeConstruct, "%s takes one argument, got %d", t, len(args))
	return nil
}

func (c *checker) diagonal(pos syntax.Pos, m hir.Matrix, op operand) hir.Expr {
	e := c.rvalue(op)
	if e == nil {
		return nil
	}
	if arithmeticKind(e.Type()) == hir.Void {
		c.errorf(pos, codeConstruct, "got %s, want the diagonal of %s as a scalar", e.Type(), m)
		return nil
	}
	return &hir.Construct{Node: hir.At(pos, m), Args: []hir.Expr{c.cast(e, m.Elem)}, Field: 0}
}

// maxConstructed bounds the elements of an array that are constructed one by one.
const maxConstructed = 1 << 14

// zero is the value-initialised t.
func (c *checker) zero(pos syntax.Pos, t hir.Type) hir.Expr {
	c.spend(pos, 1)
	switch t := t.(type) {
	case hir.Kind, *hir.Enum, *hir.Pointer, *hir.Signature:
		return constant(pos, t, 0)
	case hir.Vector:
		return &hir.Convert{Node: hir.At(pos, t), X: constant(pos, t.Elem, 0)}
	case hir.Matrix:
		return &hir.Convert{Node: hir.At(pos, t), X: constant(pos, t.Elem, 0)}
	case hir.SimdMatrix:
		return &hir.Construct{Node: hir.At(pos, t), Args: []hir.Expr{constant(pos, t.Elem, 0)}, Field: 0}
	case hir.SimdVote:
		return &hir.Convert{Node: hir.At(pos, t), X: constant(pos, hir.ULong, 0)}
	case *hir.Struct:
		return c.constructStruct(pos, t, nil)
	case *hir.Array:
		if c.hasDefault(t.Elem) {
			if t.Len > maxConstructed {
				c.errorf(pos, codeArrayLength,
					"got %d elements that initialise themselves, want at most %d, whatever the flags: initialise "+
						"them in a loop", t.Len, maxConstructed)
				return nil
			}
			e := &hir.Construct{Node: hir.At(pos, t)}
			for range t.Len {
				e.Args = append(e.Args, c.zero(pos, t.Elem))
			}
			return e
		}
		return &hir.Construct{Node: hir.At(pos, t)}
	}
	c.errorf(pos, codeConstruct, "%s cannot be constructed", t)
	return nil
}

// fillVector takes components from scalars and vectors, left to right.
func (c *checker) fillVector(pos syntax.Pos, t hir.Vector, args []operand) hir.Expr {
	e := &hir.Construct{Node: hir.At(pos, t)}
	n := 0
	for _, a := range args {
		v := c.rvalue(a)
		if v == nil {
			return nil
		}
		switch at := plainVector(v.Type()).(type) {
		case hir.Vector:
			if at.Elem != t.Elem {
				c.errorf(a.at(), codeVectorConversion, "got %s as components of %s: vectors do not convert implicitly",
					at, t)
				return nil
			}
			n += at.N
			e.Args = append(e.Args, c.cast(v, at))
		default:
			n++
			if v = c.convert(v, t.Elem, a.at()); v == nil {
				return nil
			}
			e.Args = append(e.Args, v)
		}
	}
	if n != t.N {
		c.errorf(pos, codeComponentCount, "got %d components, want %d for %s", n, t.N, t)
		return nil
	}
	return e
}

// fillMatrix takes columns, or all elements.
func (c *checker) fillMatrix(pos syntax.Pos, t hir.Matrix, args []operand) hir.Expr {
	e := &hir.Construct{Node: hir.At(pos, t)}
	var elem hir.Type = t.Elem
	switch len(args) {
	case t.Cols:
		elem = t.Column()
	case t.Cols * t.Rows:
	default:
		c.errorf(pos, codeComponentCount, "got %d arguments, want %d columns or %d elements for %s", len(args), t.Cols,
			t.Cols*t.Rows, t)
		return nil
	}
	for _, a := range args {
		if _, isVec := elem.(hir.Vector); isVec && arithmeticKind(a.typ()) != hir.Void {
			c.errorf(a.at(), codeComponentCount, "got a scalar, want a column of type %s", elem)
			return nil
		}
		v := c.convertOperand(a, elem, a.at())
		if v == nil {
			return nil
		}
		e.Args = append(e.Args, v)
	}
	return e
}
