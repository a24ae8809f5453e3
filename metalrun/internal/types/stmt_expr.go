package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Statements inside of expressions: extensions of clang. They become calls of functions
// without parameters whose bodies use the variables around them.

// stmtExpr is "({ … })": its value is that of the last statement.
func (c *checker) stmtExpr(x *syntax.StmtExpr) operand {
	if c.fn == nil {
		c.errorf(x.Pos(), codeMisplaced, "statement expressions are for the bodies of functions")
		return operand{}
	}
	body, result := &hir.Block{}, hir.Type(hir.Void)
	errs := len(c.errs) + c.suppressed
	within := *c.fn
	within.loops, within.breaks, within.labels, within.inExpr, within.scope = 0, 0, nil, true, c.scope
	fn := c.fn
	c.fn = &within
	c.inScope(blockScope, func() {
		for i, s := range x.Body.List {
			last, isExpr := s.(*syntax.ExprStmt)
			if i < len(x.Body.List)-1 || !isExpr {
				body.List = append(body.List, c.stmt(s)...)
				continue
			}
			op := c.expr(last.X)
			if op.bad() {
				return
			}
			body.List = append(body.List, c.covered(last, nil)...)
			if op.expr != nil && isVoid(op.typ()) {
				body.List = append(body.List, &hir.ExprStmt{X: op.expr})
				break
			}
			if e := c.copyOrValue(op); e != nil {
				result = e.Type()
				body.List = append(body.List, c.returnAfterEnds(&hir.Return{Pos: last.Pos(), X: e})...)
				return
			}
		}
		body.List = c.ended(body.List, x.Body.End)
	})
	c.fn = fn
	if len(c.errs)+c.suppressed > errs {
		return operand{}
	}
	return c.inner(x.Pos(), result, body)
}

// copyOrValue is the value of op as a new object.
func (c *checker) copyOrValue(op operand) hir.Expr {
	if s, ok := op.typ().(*hir.Struct); ok {
		return c.copyOf(op, s, op.at())
	}
	return c.rvalue(op)
}

// inner calls a body that stands inside of an expression.
func (c *checker) inner(pos syntax.Pos, result hir.Type, body *hir.Block) operand {
	fn := &hir.Func{Name: "(statement expression)", Pos: pos, Result: result, Body: body, Inner: true}
	return value(&hir.Call{Node: hir.At(pos, result), Func: fn})
}

// elvis is "x ?: y": x if that is true, evaluated once.
func (c *checker) elvis(x *syntax.CondExpr) operand {
	op := c.expr(x.Cond)
	if op.bad() {
		return operand{}
	}
	e := c.copyOrValue(op)
	if e == nil {
		return operand{}
	}
	v := &hir.Var{Name: "(condition)", Pos: x.Cond.Pos(), Type: e.Type(), Space: syntax.Thread, Const: true}
	first := variable(x.Cond.Pos(), v, false)
	cond := c.condition(first, x.Cond.Pos())
	other := c.expr(x.Y)
	if cond == nil || other.bad() {
		return operand{}
	}
	t := c.armType(value(e), other, x.Pos())
	if t == nil {
		return operand{}
	}
	a, b := c.convertOperand(first, t, first.at()), c.convertOperand(other, t, other.at())
	if a == nil || b == nil {
		return operand{}
	}
	choice := &hir.Cond{Node: hir.At(x.Pos(), t), C: cond, X: a, Y: b, LValue: false, Math: c.math,
		MarkY: c.mark(x.Y)}
	return c.inner(x.Pos(), t,
		&hir.Block{List: []hir.Stmt{&hir.VarStmt{Var: v, Init: e}, &hir.Return{Pos: x.Pos(), X: choice}}})
}
