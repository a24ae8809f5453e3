package ir

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// lastEffect is the index of the last expression that may assign a variable, -1 if none does.
func (l *lowerer) lastEffect(list []types.Expr) int {
	i := len(list) - 1
	for i >= 0 && !l.hasEffects(list[i]) {
		i--
	}
	return i
}

// hasEffects reports whether e may assign a variable. Operations and calls, of which there may be long chains, remember it.
func (l *lowerer) hasEffects(e types.Expr) bool {
	switch e.(type) {
	case *types.Binary, *types.Call, *types.BuiltinCall:
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
func (l *lowerer) assigns(e types.Expr) bool {
	switch e := e.(type) {
	case *types.Assign, *types.OpAssign, *types.IncDec, *types.PointerCall:
		return true
	case *types.Call:
		if e.Func.Inner {
			return true
		}
		for _, p := range e.Func.Params {
			if p.Ref && !p.Const && p.Space == syntax.Thread || isThreadPointer(p.Type) {
				return true
			}
		}
	case *types.BuiltinCall:
		if slices.ContainsFunc(e.Args, func(a types.Expr) bool { return isLvalue(a) || isThreadPointer(a.Type()) }) {
			return true
		}
	}
	return types.AnyOperand(e, l.hasEffects)
}

// cheapNodes is the size up to which both sides of a selection are evaluated.
const cheapNodes = 12

// cheap reports whether e can be evaluated where its value may not be wanted:
// it has no effects, reads no memory, cannot fault and costs little.
func (l *lowerer) cheap(e types.Expr) bool {
	budget := cheapNodes
	return l.cheapWithin(e, &budget)
}

func (l *lowerer) cheapWithin(e types.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	switch e := e.(type) {
	case *types.Const:
		return true
	case *types.Load:
		return l.inRegister(e.X)
	case *types.VarExpr:
		return l.inRegister(e)
	case *types.Binary:
		if k := scalarKind(e.X.Type()); e.Op == types.Div || e.Op == types.Rem || e.Op == types.MatMul || k == types.Void {
			return false
		}
		if _, ok := e.X.Type().(types.SimdMatrix); ok {
			return false
		}
	case *types.BuiltinCall:
		if !cheapBuiltin(e) {
			return false
		}
	case *types.Index:
		if _, ok := constInt(e.I); !ok {
			return false
		}
		return l.cheapWithin(e.X, budget)
	case *types.Unary, *types.Convert, *types.AsType, *types.FieldExpr, *types.Swizzle, *types.Cond:
	case *types.Construct:
		if _, ok := e.Type().(types.Vector); !ok {
			return false
		}
	default:
		return false
	}
	return !types.AnyOperand(e, func(c types.Expr) bool { return !l.cheapWithin(c, budget) })
}

// inRegister reports whether an lvalue is a variable in registers, or a part
// of one at a constant offset, or constant data.
func (l *lowerer) inRegister(e types.Expr) bool {
	switch e := e.(type) {
	case *types.VarExpr:
		if p, ok := l.vars[e.Var]; ok {
			return !p.inMemory
		}
		return e.Var.Global && e.Var.Data != nil
	case *types.FieldExpr:
		return l.inRegister(e.X)
	case *types.Swizzle:
		return l.inRegister(e.X)
	case *types.Index:
		_, ok := constInt(e.I)
		return ok && l.inRegister(e.X)
	}
	return false
}
