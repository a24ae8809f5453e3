package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// An operand is an expression on its way into a larger one: its value has not
// been loaded and nothing has been converted yet.
type operand struct {
	expr     hir.Expr  // nil after an error that has been reported, or if list or fns is set
	lvalue   bool      // expr denotes an object
	const_   bool      // which must not be assigned to
	space    hir.Space // and lies here
	volatile bool
	expiring bool             // a T&& denotes it: a T& cannot
	noAddr   string           // why no pointer or reference to it can be made: "a swizzle"
	list     *syntax.InitList // a braced list instead of an expression
	fns      *funcSet         // a name of functions
	targs    []templateArg    // explicit template arguments of fns
	hasTargs bool
	null     bool       // the literal 0 or nullptr
	pos      syntax.Pos // of list and fns
}

// bad reports that an error in the operand has been reported already.
func (op operand) bad() bool { return op.expr == nil && op.list == nil && op.fns == nil }

// at is where the operand stands.
func (op operand) at() syntax.Pos {
	if op.expr != nil {
		return op.expr.Pos()
	}
	return op.pos
}

// typ is the type of the operand, nil for a list or a function name.
func (op operand) typ() hir.Type {
	if op.expr == nil {
		return nil
	}
	return op.expr.Type()
}

// describe names the operand's type in messages.
func (op operand) describe() string {
	switch {
	case op.list != nil:
		return "a braced list"
	case op.fns != nil:
		return "the function " + op.fns.name
	case op.expr == nil:
		return "an erroneous expression"
	}
	return op.typ().String()
}

func value(e hir.Expr) operand { return operand{expr: e} }

// variable denotes v.
func variable(pos syntax.Pos, v *hir.Var, volatile bool) operand {
	return operand{
		expr:     &hir.VarExpr{Node: hir.At(pos, v.Type), Var: v},
		lvalue:   true,
		const_:   v.Const || v.Space == syntax.Constant,
		space:    v.Space,
		volatile: volatile,
	}
}

// rvalue is the operand's value: an lvalue is loaded, an array decays to a
// pointer, a known constant is itself. It is nil after a reported error.
func (c *checker) rvalue(op operand) hir.Expr {
	switch {
	case op.list != nil:
		c.errorf(op.pos, codeBracedList, "a braced list is no expression here")
		return nil
	case op.fns != nil:
		c.errorf(op.pos, codeFunctionValue,
			"function %s used as a value: function pointers are supported as template arguments only", op.fns.name)
		return nil
	case op.expr == nil || !op.lvalue:
		return op.expr
	}
	pos := op.expr.Pos()
	switch t := op.typ().(type) {
	case *hir.Array:
		if op.noAddr != "" {
			c.errorf(pos, codeAddressOf, "the address of %s cannot be taken", op.noAddr)
			return nil
		}
		return &hir.Decay{Node: hir.At(pos,
			&hir.Pointer{Elem: t.Elem, Space: op.space, Const: op.const_, Volatile: op.volatile}), X: op.expr}
	case hir.Atomic:
		c.errorf(pos, codeAtomicAccess, "%s can be read and written by atomic functions only", t)
		return nil
	}
	if s, ok := op.typ().(*hir.Struct); ok && !c.copyable(s, pos) {
		return nil
	}
	if k := c.folded(op.expr); k != nil {
		return k
	}
	return &hir.Load{Node: hir.At(pos, op.typ()), X: op.expr}
}

// folded is the value of a scalar variable that is a compile-time constant, or nil.
func (c *checker) folded(e hir.Expr) *hir.Const {
	v, ok := e.(*hir.VarExpr)
	if !ok || v.Var.Data == nil || !v.Var.Const {
		return nil
	}
	switch v.Var.Type.(type) {
	case hir.Kind, *hir.Enum:
	default:
		return nil
	}
	if c.eval.Unset[v.Var] {
		return nil // a read of it has to stay visible
	}
	return &hir.Const{Node: hir.At(e.Pos(), v.Var.Type), Bits: hir.BitsOf(v.Var.Data, v.Var.Type),
		Decimal: v.Var.Decimal}
}

// notAssignable says of a value that it cannot be assigned to.
func notAssignable(op operand) string {
	e := op.expr
	if l, ok := e.(*hir.Load); ok {
		e = l.X
	}
	if s, ok := e.(*hir.Swizzle); ok && len(s.Comps) > 1 {
		return "vector is not assignable (contains duplicate components)"
	}
	return "expression is not assignable"
}

// assignable reports whether op can be stored to, or says why not.
func (c *checker) assignable(op operand, pos syntax.Pos) bool {
	switch {
	case op.bad():
		return false
	case !op.lvalue:
		c.errorf(pos, codeNotAssignable, "%s", notAssignable(op))
	case op.space == syntax.Constant:
		c.readOnly(codeWriteConstant, op, pos)
	case op.const_:
		c.readOnly(codeWriteConst, op, pos)
	default:
		switch t := op.typ().(type) {
		case *hir.Array:
			c.errorf(pos, codeNotAssignable, "an array cannot be assigned to")
		case hir.Atomic:
			c.errorf(pos, codeAtomicAccess, "%s can be read and written by atomic functions only", t)
		case *hir.Struct:
			if holdsConst(t) {
				c.errorf(pos, codeWriteConst, "%s has members that are const and cannot be assigned to", t)
				return false
			}
			return c.copyable(t, pos)
		default:
			return true
		}
	}
	return false
}

// materialise makes an object of a value, for a reference or a member function to bind to.
func materialise(e hir.Expr) operand {
	return operand{expr: &hir.Temporary{Node: hir.At(e.Pos(), e.Type()), X: e}, lvalue: true, space: syntax.Thread}
}

// copyable reports whether objects of type s can be copied, or says why not.
func (c *checker) copyable(s *hir.Struct, pos syntax.Pos) bool {
	if t := hir.Find(s, func(t hir.Type) bool { _, ok := t.(hir.Atomic); return ok }); t != nil {
		c.errorf(pos, codeAtomicAccess,
			"%s cannot be copied: it holds %s, which can be read and written by atomic functions only", s, t)
		return false
	}
	return true
}

// holdsConst reports whether a struct has a member that is const.
func holdsConst(s *hir.Struct) bool {
	return hir.Find(s, func(t hir.Type) bool {
		of, ok := t.(*hir.Struct)
		return ok && slices.ContainsFunc(of.Fields, func(f hir.Field) bool { return f.Const })
	}) != nil
}
