package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A lambda without captures is a pointer to a function too: to a static member of its
// closure that has the same parameters and the same body.

// lambdaFunction is that member of the closure s, nil if s is none or has captures.
func (c *checker) lambdaFunction(s *hir.Struct) *funcSet {
	const name = "(function)"
	info := c.structs[s]
	if info == nil || !info.lambda || len(s.Fields) > 0 {
		return nil
	}
	if set, ok := info.scope.names[name].(*funcSet); ok {
		return set
	}
	body := info.scope.names["operator()"].(*funcSet).list[0]
	d := *body.decl
	d.Name = nameExpr(d.Pos(), name).Name
	d.Quals.Const, d.Specs.Static = false, true
	set := &funcSet{name: name}
	info.scope.names[name] = set
	ctx := c.context
	ctx.scope = info.scope
	c.in(ctx, func() {
		c.classes = append(c.classes, info)
		c.addFunction(set, &function{name: name, decl: &d, scope: info.scope, owner: info, limit: body.limit})
		c.classes = c.classes[:len(c.classes)-1]
	})
	return set
}

// lambdaPointer converts a closure to a pointer to a function; ok is false if it is none for sig.
func (c *checker) lambdaPointer(s *hir.Struct, sig *hir.Signature, pos syntax.Pos) (e hir.Expr, ok bool) {
	set := c.lambdaFunction(s)
	if set == nil {
		return nil, false
	}
	r := c.matching(operand{fns: set, pos: pos}, sig)
	if r == nil {
		return nil, false
	}
	return c.addressOfRoutine(r, pos), true
}

// lambdaValue is the pointer that a closure becomes as the operand of a unary plus.
func (c *checker) lambdaValue(op operand, pos syntax.Pos) (operand, bool) {
	s, ok := op.typ().(*hir.Struct)
	if !ok {
		return op, false
	}
	set := c.lambdaFunction(s)
	if set == nil || set.list[0].isTemplate() {
		return op, false
	}
	return c.functionOperand(operand{fns: set, pos: pos}, pos), true
}
