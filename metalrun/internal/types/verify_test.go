package types

import (
	"fmt"
	"maps"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// verifyTree checks that a program keeps what package hir promises: every
// conversion explicit, every load explicit, operands of one type.
func verifyTree(p *hir.Program) []string {
	v := &treeVerifier{done: map[*hir.Func]bool{}}
	for _, k := range p.Kernels {
		v.function(k)
	}
	return v.faults
}

type treeVerifier struct {
	faults []string
	fn     *hir.Func
	done   map[*hir.Func]bool
	vars   map[*hir.Var]bool
}

func (v *treeVerifier) fault(pos syntax.Pos, format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf("%s: in %s: %s", pos, v.fn.Name, fmt.Sprintf(format, args...)))
}

func (v *treeVerifier) function(f *hir.Func) {
	if v.done[f] {
		return
	}
	v.done[f] = true
	fn, vars := v.fn, v.vars
	v.fn, v.vars = f, map[*hir.Var]bool{}
	if f.Inner {
		maps.Copy(v.vars, vars)
	}
	for _, p := range f.Params {
		v.vars[p] = true
	}
	if f.Kernel != nil && len(f.Kernel.Args) != len(f.Params) {
		v.fault(f.Pos, "%d kernel arguments for %d parameters", len(f.Kernel.Args), len(f.Params))
	}
	if f.Body == nil {
		v.fault(f.Pos, "no body")
	} else {
		v.stmt(f.Body)
	}
	v.fn, v.vars = fn, vars
}

func (v *treeVerifier) list(l []hir.Stmt) {
	for _, s := range l {
		v.stmt(s)
	}
}

func (v *treeVerifier) stmt(s hir.Stmt) {
	switch s := s.(type) {
	case nil:
		v.fault(v.fn.Pos, "nil statement")
	case *hir.Block:
		v.list(s.List)
	case *hir.VarStmt:
		if s.Init != nil {
			v.want(s.Init, s.Var.Type, s.Var.Ref)
		}
		v.vars[s.Var] = true
		if hir.Find(s.Var.Type, func(t hir.Type) bool { return t.Align() < 1 || hasAuto(t) }) != nil {
			v.fault(s.Var.Pos, "variable %s of type %s", s.Var.Name, s.Var.Type)
		}
	case *hir.ExprStmt:
		v.expr(s.X)
	case *hir.If:
		v.want(s.Cond, hir.Bool, false)
		v.stmt(s.Then)
		if s.Else != nil {
			v.stmt(s.Else)
		}
	case *hir.Loop:
		if s.Cond != nil {
			v.want(s.Cond, hir.Bool, false)
		}
		if s.Post != nil {
			v.expr(s.Post)
		}
		v.stmt(s.Body)
	case *hir.Switch:
		v.value(s.X)
		if k, ok := s.X.Type().(hir.Kind); !ok || k < hir.Int || !k.IsInteger() {
			v.fault(s.Pos, "switch on %s", s.X.Type())
		}
		for _, c := range s.Cases {
			v.list(c.Body)
		}
	case *hir.Return:
		switch {
		case s.X != nil:
			v.want(s.X, v.fn.Result, false)
		case v.fn.Result != hir.Void:
			v.fault(s.Pos, "return without value")
		}
	}
}

// want checks an expression that has to be a value, or an lvalue, of type t.
func (v *treeVerifier) want(e hir.Expr, t hir.Type, lvalue bool) {
	if lvalue {
		v.lvalue(e)
	} else {
		v.value(e)
	}
	if e != nil && !hir.Identical(e.Type(), t) {
		v.fault(e.Pos(), "%s has type %s, want %s", hir.ExprString(e), e.Type(), t)
	}
}

func (v *treeVerifier) value(e hir.Expr) {
	v.expr(e)
	if e != nil && hir.IsLvalue(e) {
		v.fault(e.Pos(), "%s is an lvalue, want a value", hir.ExprString(e))
	}
}

func (v *treeVerifier) lvalue(e hir.Expr) {
	v.expr(e)
	if e != nil && !hir.IsLvalue(e) {
		v.fault(e.Pos(), "%s is a value, want an lvalue", hir.ExprString(e))
	}
}

// either checks an operand that may be both: a part of it has the same nature.
func (v *treeVerifier) either(e hir.Expr) { v.expr(e) }

func (v *treeVerifier) expr(e hir.Expr) {
	switch e := e.(type) {
	case nil:
		v.fault(v.fn.Pos, "nil expression")
		return
	case *hir.Const:
		v.constant(e)
	case *hir.VarExpr:
		if !e.Var.Global && !v.vars[e.Var] {
			v.fault(e.Pos(), "variable %s is used outside of its declaration", e.Var.Name)
		}
		if e.Var.Global && len(e.Var.Data) != e.Var.Type.Size() {
			v.fault(e.Pos(), "constant %s has %d bytes, want %d", e.Var.Name, len(e.Var.Data), e.Var.Type.Size())
		}
		v.same(e, e.Type(), e.Var.Type)
	case *hir.Load:
		v.want(e.X, e.Type(), true)
		if _, isArray := e.Type().(*hir.Array); isArray {
			v.fault(e.Pos(), "load of the array %s", hir.ExprString(e.X))
		}
	case *hir.Deref:
		v.value(e.X)
		if p, ok := e.X.Type().(*hir.Pointer); !ok || !hir.Identical(p.Elem, e.Type()) {
			v.fault(e.Pos(), "%s of type %s", hir.ExprString(e), e.Type())
		}
	case *hir.Index:
		v.either(e.X)
		v.value(e.I)
		if k, ok := e.I.Type().(hir.Kind); !ok || !k.IsInteger() {
			v.fault(e.Pos(), "index of type %s", e.I.Type())
		}
		v.element(e)
	case *hir.FieldExpr:
		v.either(e.X)
		if s, ok := e.X.Type().(*hir.Struct); !ok || e.Field >= len(s.Fields) ||
			!hir.Identical(s.Fields[e.Field].Type, e.Type()) {
			v.fault(e.Pos(), "field %d of %s", e.Field, e.X.Type())
		}
	case *hir.Swizzle:
		v.either(e.X)
		if vec, ok := e.X.Type().(hir.Vector); !ok || hir.ElemOf(e.Type()) != vec.Elem {
			v.fault(e.Pos(), "swizzle of %s", e.X.Type())
		}
	case *hir.ThreadElements:
		v.lvalue(e.X)
	case *hir.Temporary:
		v.want(e.X, e.Type(), false)
	case *hir.AddrOf:
		v.lvalue(e.X)
		v.pointer(e, e.X.Type())
	case *hir.Decay:
		v.lvalue(e.X)
		if a, ok := e.X.Type().(*hir.Array); ok {
			v.pointer(e, a.Elem)
		} else {
			v.fault(e.Pos(), "decay of %s", e.X.Type())
		}
	default:
		v.operation(e)
	}
}

func (v *treeVerifier) same(e hir.Expr, a, b hir.Type) {
	if !hir.Identical(a, b) {
		v.fault(e.Pos(), "%s joins %s and %s", hir.ExprString(e), a, b)
	}
}

func (v *treeVerifier) pointer(e hir.Expr, elem hir.Type) {
	p, ok := e.Type().(*hir.Pointer)
	if !ok {
		v.fault(e.Pos(), "%s has type %s", hir.ExprString(e), e.Type())
		return
	}
	v.same(e, p.Elem, elem)
}

func (v *treeVerifier) element(e *hir.Index) {
	switch t := e.X.Type().(type) {
	case *hir.Array:
		v.same(e, e.Type(), t.Elem)
	case hir.Vector:
		v.same(e, e.Type(), t.Elem)
	case hir.Matrix:
		v.same(e, e.Type(), t.Column())
	default:
		v.fault(e.Pos(), "index of %s", t)
	}
}

func (v *treeVerifier) constant(e *hir.Const) {
	switch e.Type().(type) {
	case hir.Kind, *hir.Enum:
		if data := hir.BytesOf(e.Bits, e.Type()); hir.BitsOf(data, e.Type()) != e.Bits {
			v.fault(e.Pos(), "constant %#x does not fit %s", e.Bits, e.Type())
		}
	case *hir.Pointer:
	default:
		v.fault(e.Pos(), "constant of type %s", e.Type())
	}
}

func (v *treeVerifier) operation(e hir.Expr) {
	switch e := e.(type) {
	case *hir.Unary:
		v.want(e.X, e.Type(), false)
	case *hir.Binary:
		v.binary(e)
	case *hir.PtrAdd:
		v.want(e.P, e.Type(), false)
		v.value(e.I)
	case *hir.PtrDiff:
		v.value(e.X)
		v.value(e.Y)
		v.same(e, e.X.Type().(*hir.Pointer).Elem, e.Y.Type().(*hir.Pointer).Elem)
		v.same(e, e.Type(), hir.Long)
	case *hir.Convert:
		if e.Type() == hir.Void {
			v.either(e.X)
			return
		}
		v.value(e.X)
		if !castable(e.X.Type(), e.Type()) && !splats(e.X.Type(), e.Type()) {
			v.fault(e.Pos(), "conversion of %s to %s", e.X.Type(), e.Type())
		}
	case *hir.Construct:
		v.construct(e)
	case *hir.AsType:
		v.value(e.X)
		if e.X.Type().Size() != e.Type().Size() {
			v.fault(e.Pos(), "as_type of %s to %s", e.X.Type(), e.Type())
		}
	case *hir.Assign:
		v.lvalue(e.L)
		v.want(e.R, e.L.Type(), false)
		v.same(e, e.Type(), e.L.Type())
	case *hir.OpAssign:
		v.lvalue(e.L)
		v.value(e.R)
		_, isPtr := e.Comp.(*hir.Pointer)
		if e.Op != hir.Shl && e.Op != hir.Shr && !isPtr && e.Op != hir.MatMul {
			v.same(e, e.R.Type(), e.Comp)
		}
	case *hir.IncDec:
		v.lvalue(e.L)
	case *hir.Cond:
		v.want(e.C, hir.Bool, false)
		if e.Type() == hir.Void {
			v.either(e.X)
			v.either(e.Y)
			return
		}
		v.want(e.X, e.Type(), e.LValue)
		v.want(e.Y, e.Type(), e.LValue)
	case *hir.Comma:
		v.either(e.X)
		v.either(e.Y)
	case *hir.Call:
		v.call(e)
	case *hir.PointerCall:
		v.value(e.Fun)
		for _, a := range e.Args {
			v.either(a)
		}
	case *hir.BuiltinCall:
		for _, a := range e.Args {
			v.either(a)
		}
	default:
		v.fault(e.Pos(), "unknown node %T", e)
	}
}

func splats(from, to hir.Type) bool {
	m, ok := to.(hir.Matrix)
	return ok && from == hir.Type(m.Elem)
}

func (v *treeVerifier) binary(e *hir.Binary) {
	v.value(e.X)
	v.value(e.Y)
	if e.Op == hir.MatMul {
		return
	}
	tx, ty := e.X.Type(), e.Y.Type()
	if e.Op != hir.Shl && e.Op != hir.Shr {
		v.same(e, tx, ty)
	}
	switch {
	case e.Op >= hir.Eq && e.Op <= hir.Ge:
		if vec, ok := tx.(hir.Vector); ok {
			v.same(e, e.Type(), hir.Vector{Elem: hir.Bool, N: vec.N})
		} else {
			v.same(e, e.Type(), hir.Bool)
		}
	case e.Op == hir.LAnd || e.Op == hir.LOr:
		if hir.ElemOf(e.Type()) != hir.Bool {
			v.fault(e.Pos(), "%s of %s", e.Op, e.Type())
		}
		v.same(e, e.Type(), tx)
	default:
		v.same(e, e.Type(), tx)
		if k, ok := e.Type().(hir.Kind); ok && k < hir.Int {
			v.fault(e.Pos(), "arithmetic in %s without promotion", k)
		}
	}
	if vec, ok := tx.(hir.Vector); ok && vec.Packed {
		v.fault(e.Pos(), "arithmetic in %s", vec)
	}
}

func (v *treeVerifier) construct(e *hir.Construct) {
	for i, a := range e.Args {
		v.value(a)
		switch t := e.Type().(type) {
		case *hir.Struct:
			if i >= len(t.Fields) {
				v.fault(e.Pos(), "%d values for %s", len(e.Args), t)
				return
			}
			v.same(e, a.Type(), t.Fields[i+e.Field].Type)
		case *hir.Array:
			v.same(e, a.Type(), t.Elem)
		case hir.Vector:
			if hir.ElemOf(a.Type()) != t.Elem {
				v.fault(e.Pos(), "component %s of %s", a.Type(), t)
			}
		case hir.Matrix:
			if hir.ElemOf(a.Type()) != t.Elem {
				v.fault(e.Pos(), "element %s of %s", a.Type(), t)
			}
		case hir.SimdMatrix:
			v.same(e, a.Type(), t.Elem)
		default:
			v.fault(e.Pos(), "construction of %s", t)
		}
	}
}

func (v *treeVerifier) call(e *hir.Call) {
	v.same(e, e.Type(), e.Func.Result)
	if len(e.Args) != len(e.Func.Params) {
		v.fault(e.Pos(), "%d arguments for %d parameters of %s", len(e.Args), len(e.Func.Params), e.Func.Name)
		return
	}
	for i, a := range e.Args {
		v.want(a, e.Func.Params[i].Type, e.Func.Params[i].Ref)
	}
	v.function(e.Func)
}
