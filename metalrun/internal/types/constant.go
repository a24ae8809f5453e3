package types

import (
	"metalconform/metalrun/internal/consteval"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// constants evaluates constant expressions for c.
func (c *checker) constants() *consteval.Evaluator {
	return &consteval.Evaluator{Limits: &c.cfg.Budget.Limits, Spend: c.spend, Body: c.constBody, Unset: map[*hir.Var]bool{}}
}

// constBody is the body of a constexpr function, nil for other functions and
// where it is not known yet.
func (c *checker) constBody(f *hir.Func, pos syntax.Pos) *hir.Block {
	r := c.routines[f]
	if r == nil || !r.decl.Specs.Constexpr && (r.def == nil || !r.def.Specs.Constexpr) {
		return nil
	}
	c.ensureBody(r, pos)
	return f.Body
}

// whyNotConstant says, for an expression that is no constant, which part of it is to blame and
// why: a clause for a message.
func (c *checker) whyNotConstant(e hir.Expr) (syntax.Pos, string) {
	if _, fault := c.eval.Eval(e); fault != nil {
		return fault.Pos, fault.Why
	}
	return e.Pos(), "it is not a scalar"
}

func constant(pos syntax.Pos, t hir.Type, bits uint64) *hir.Const {
	return &hir.Const{Node: hir.At(pos, t), Bits: bits}
}
