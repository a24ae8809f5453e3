package lower

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// lastEffect is the index of the last expression that may assign a variable, -1 if none does.
func (l *lowerer) lastEffect(list []hir.Expr) int {
	i := len(list) - 1
	for i >= 0 && !l.hasEffects(list[i]) {
		i--
	}
	return i
}

// hasEffects reports whether e may assign a variable. Operations and calls, of which there may be long chains,
// remember it.
func (l *lowerer) hasEffects(e hir.Expr) bool {
	switch e.(type) {
	case *hir.Binary, *hir.Call, *hir.BuiltinCall:
		has, known := l.effects[e]
		if !known {
			has = l.assigns(e)
			l.effects[e] = has
		}
		return has
	}
	return l.assigns(e)
}

// assigns is hasEffects, found out.
func (l *lowerer) assigns(e hir.Expr) bool {
	switch e := e.(type) {
	case *hir.Assign, *hir.OpAssign, *hir.IncDec, *hir.PointerCall:
		return true
	case *hir.Call:
		if e.Func.Inner {
			return true
		}
		for _, p := range e.Func.Params {
			if p.Ref && !p.Const && p.Space == syntax.Thread || isThreadPointer(p.Type) {
				return true
			}
		}
	case *hir.BuiltinCall:
		if slices.ContainsFunc(e.Args, func(a hir.Expr) bool { return isLvalue(a) || isThreadPointer(a.Type()) }) {
			return true
		}
	}
	return hir.AnyOperand(e, l.hasEffects)
}

// cheapNodes is the size up to which both sides of a selection are evaluated: about the cost of a branch, which has
// masks to change. With 4 or 48, the kernels of maxLeaves take as long within 10 %.
const cheapNodes = 12

// cheap reports whether e can be evaluated where its value may not be wanted:
// it has no effects, reads no memory, cannot fault and costs little.
func (l *lowerer) cheap(e hir.Expr) bool {
	budget := cheapNodes
	return l.cheapWithin(e, &budget)
}

func (l *lowerer) cheapWithin(e hir.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	switch e := e.(type) {
	case *hir.Const:
		return true
	case *hir.Load:
		return l.inRegister(e.X)
	case *hir.VarExpr:
		return l.inRegister(e)
	case *hir.Binary:
		if k := scalarKind(e.X.Type()); e.Op == hir.Div || e.Op == hir.Rem || e.Op == hir.MatMul || k == hir.Void {
			return false
		}
		if _, ok := e.X.Type().(hir.SimdMatrix); ok {
			return false
		}
	case *hir.BuiltinCall:
		if !cheapBuiltin(e) {
			return false
		}
	case *hir.Index:
		if _, ok := constInt(e.I); !ok {
			return false
		}
		return l.cheapWithin(e.X, budget)
	case *hir.Unary, *hir.Convert, *hir.AsType, *hir.FieldExpr, *hir.Swizzle, *hir.Cond:
	case *hir.Construct:
		if _, ok := e.Type().(hir.Vector); !ok {
			return false
		}
	default:
		return false
	}
	return !hir.AnyOperand(e, func(c hir.Expr) bool { return !l.cheapWithin(c, budget) })
}

// inRegister reports whether an lvalue is a variable in registers, or a part
// of one at a constant offset, or constant data.
func (l *lowerer) inRegister(e hir.Expr) bool {
	switch e := e.(type) {
	case *hir.VarExpr:
		if p, ok := l.vars[e.Var]; ok {
			return !p.inMemory
		}
		return e.Var.Global && e.Var.Data != nil
	case *hir.FieldExpr:
		return l.inRegister(e.X)
	case *hir.Swizzle:
		return l.inRegister(e.X)
	case *hir.Index:
		_, ok := constInt(e.I)
		return ok && l.inRegister(e.X)
	}
	return false
}
