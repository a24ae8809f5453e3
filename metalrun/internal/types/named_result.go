package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Objects that a function returns by their names. As in clang, such an object is the
// result itself, neither copied nor ended, if every return that can see it names it.

// A namedReturn is one return of an object by its name.
type namedReturn struct {
	v    *hir.Var
	end  *hir.Block // of the object, nil if that is nothing
	copy func() hir.Expr
	at   *hir.Expr // the value returned, which is the object itself
}

// returnNamed is the return of what op, the expression x, denotes, if that is a local
// object of which it matters whether it is copied. All others in sight are no results.
func (c *checker) returnNamed(x syntax.Expr, op operand) *namedReturn {
	r := c.fn.r
	if !c.destructors && !c.copies(r.result.typ) {
		return nil
	}
	v := c.localObject(x, op)
	for s := c.scope; s != nil && s != c.fn.scope; s = s.parent {
		for _, e := range s.names {
			if e, ok := e.(*varEntity); ok && e.v != v {
				c.notResult(e.v)
			}
		}
	}
	if v == nil {
		return nil
	}
	n := &namedReturn{v: v, copy: func() hir.Expr { return c.convertOperand(op, v.Type, x.Pos()) }}
	c.fn.named = append(c.fn.named, n)
	return n
}

// returnValue is r after the destructors of all objects of the function. The object that n names is left out if it
// becomes the result.
func (c *checker) returnValue(r *hir.Return, n *namedReturn) []hir.Stmt {
	c.fn.returning = n
	list := c.returnAfterEnds(r)
	c.fn.returning = nil
	if n == nil {
		return list
	}
	if s, ok := list[0].(*hir.VarStmt); ok {
		n.at = &s.Init
	} else {
		n.at = &r.X
	}
	return list
}

// localObject is the object that x names, nil if it is none that could be the result.
func (c *checker) localObject(x syntax.Expr, op operand) *hir.Var {
	e, ok := op.expr.(*hir.VarExpr)
	if _, named := x.(*syntax.NameExpr); !ok || !named || e.Var.Ref || e.Var.Global || e.Var.Space != syntax.Thread {
		return nil
	}
	v := e.Var
	if !hir.Identical(v.Type, c.fn.r.result.typ) || !c.copies(v.Type) && !c.destroys(v.Type) {
		return nil
	}
	for _, p := range c.fn.r.fn.Params {
		if p == v {
			return nil
		}
	}
	return v
}

// notResult notes that a return that can see v does not name it.
func (c *checker) notResult(v *hir.Var) {
	if c.fn.noResult == nil {
		c.fn.noResult = map[*hir.Var]bool{}
	}
	c.fn.noResult[v] = true
}

// settleResults decides which of the objects returned by name are results.
func (c *checker) settleResults() {
	for _, n := range c.fn.named {
		switch {
		case !c.fn.noResult[n.v]:
			if n.end != nil {
				n.end.List = nil
			}
		case n.at != nil && c.copies(n.v.Type):
			if e := n.copy(); e != nil {
				*n.at = e
			}
		}
	}
}
