package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Pointers to functions: numbers of functions whose address is taken.

// functionAddress is the address of the function of a set whose type is sig.
func (c *checker) functionAddress(op operand, sig *hir.Signature, pos syntax.Pos) hir.Expr {
	r := c.matching(op, sig)
	if r == nil {
		c.errorf(pos, codeFunctionValue, "no function %s has type %s", op.fns.name, sig)
		return nil
	}
	return c.addressOfRoutine(r, pos)
}

// functionOperand is the address of the only function that a name denotes.
func (c *checker) functionOperand(op operand, pos syntax.Pos) operand {
	r := c.theOne(op, pos)
	if r == nil {
		return operand{}
	}
	if !r.of.isStatic() || isKernel(r.decl) {
		c.errorf(pos, codeFunctionValue, "no pointer to %s can be made", r.fn.Name)
		return operand{}
	}
	return asValue(c.addressOfRoutine(r, pos))
}

func (c *checker) addressOfRoutine(r *routine, pos syntax.Pos) hir.Expr {
	c.ensureBody(r, pos)
	c.recordCall(callSite{callee: r.fn, pos: pos})
	sig := r.signature()
	t := c.targetsOf(sig)
	for i, f := range t.List {
		if f == r.fn {
			return constant(pos, sig, uint64(i+1))
		}
	}
	t.List = append(t.List, r.fn)
	return constant(pos, sig, uint64(len(t.List)))
}

// targetsOf are the functions that a pointer of type sig may point to.
func (c *checker) targetsOf(sig *hir.Signature) *hir.Targets {
	for _, t := range c.targets {
		if hir.Identical(t.sig, sig) {
			return t.list
		}
	}
	c.worker.giveUp() // since every function has a number
	list := &hir.Targets{}
	c.targets = append(c.targets, targetType{sig, list})
	return list
}

// targetType is a type of functions whose address is taken.
type targetType struct {
	sig  *hir.Signature
	list *hir.Targets
}

// pointerCall calls the function that op points to.
func (c *checker) pointerCall(pos syntax.Pos, op operand, sig *hir.Signature, args []operand) operand {
	if len(args) != len(sig.Params) {
		c.errorf(pos, codeArgumentCount, "got %d arguments, want %d for %s", len(args), len(sig.Params), sig)
		return operand{}
	}
	call := &hir.PointerCall{Fun: c.rvalue(op), Targets: c.targetsOf(sig)}
	for i, p := range sig.Params {
		e := c.argument(args[i], fromType(p))
		if e == nil {
			return operand{}
		}
		call.Args = append(call.Args, e)
	}
	c.recordCall(callSite{targets: call.Targets, pos: pos})
	result := fromType(sig.Result)
	call.Node = hir.At(pos, result.typ)
	if result.ref {
		call.Node = hir.At(pos, pointerTo(result))
		return c.deref(value(call), pos)
	}
	return value(call)
}

// functionComparison compares pointers to functions; done is false if neither is one.
func (c *checker) functionComparison(pos syntax.Pos, op hir.Op, a, b hir.Expr, anull, bnull bool) (e hir.Expr,
	done bool) {
	sa, aptr := a.Type().(*hir.Signature)
	sb, bptr := b.Type().(*hir.Signature)
	switch {
	case !aptr && !bptr:
		return nil, false
	case op != hir.Eq && op != hir.Ne:
	case aptr && bptr && hir.Identical(sa, sb):
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: a, Y: b}, true
	case aptr && bnull:
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: a, Y: constant(pos, sa, 0)}, true
	case bptr && anull:
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: constant(pos, sb, 0), Y: b}, true
	}
	c.errorf(pos, codeOperands, "%s is not defined for %s and %s", op, a.Type(), b.Type())
	return nil, true
}
