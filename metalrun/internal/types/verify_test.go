package types

import (
	"fmt"
	"maps"

	"metalconform/metalrun/internal/syntax"
)

// verifyTree checks that a program keeps what tree.go promises: every
// conversion explicit, every load explicit, operands of one type.
func verifyTree(p *Program) []string {
	v := &treeVerifier{done: map[*Func]bool{}}
	for _, k := range p.Kernels {
		v.function(k)
	}
	return v.faults
}

type treeVerifier struct {
	faults []string
	fn     *Func
	done   map[*Func]bool
	vars   map[*Var]bool
}

func (v *treeVerifier) fault(pos syntax.Pos, format string, args ...any) {
	v.faults = append(v.faults, fmt.Sprintf("%s: in %s: %s", pos, v.fn.Name, fmt.Sprintf(format, args...)))
}

func (v *treeVerifier) function(f *Func) {
	if v.done[f] {
		return
	}
	v.done[f] = true
	fn, vars := v.fn, v.vars
	v.fn, v.vars = f, map[*Var]bool{}
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

func (v *treeVerifier) list(l []Stmt) {
	for _, s := range l {
		v.stmt(s)
	}
}

func (v *treeVerifier) stmt(s Stmt) {
	switch s := s.(type) {
	case nil:
		v.fault(v.fn.Pos, "nil statement")
	case *Block:
		v.list(s.List)
	case *VarStmt:
		if s.Init != nil {
			v.want(s.Init, s.Var.Type, s.Var.Ref)
		}
		v.vars[s.Var] = true
		if holds(s.Var.Type, func(t Type) bool { return t.Align() < 1 || hasAuto(t) }) != nil {
			v.fault(s.Var.Pos, "variable %s of type %s", s.Var.Name, s.Var.Type)
		}
	case *ExprStmt:
		v.expr(s.X)
	case *If:
		v.want(s.Cond, Bool, false)
		v.stmt(s.Then)
		if s.Else != nil {
			v.stmt(s.Else)
		}
	case *Loop:
		if s.Cond != nil {
			v.want(s.Cond, Bool, false)
		}
		if s.Post != nil {
			v.expr(s.Post)
		}
		v.stmt(s.Body)
	case *Switch:
		v.value(s.X)
		if k, ok := s.X.Type().(Kind); !ok || k < Int || !k.IsInteger() {
			v.fault(s.Pos, "switch on %s", s.X.Type())
		}
		for _, c := range s.Cases {
			v.list(c.Body)
		}
	case *Return:
		switch {
		case s.X != nil:
			v.want(s.X, v.fn.Result, false)
		case v.fn.Result != Void:
			v.fault(s.Pos, "return without value")
		}
	}
}

// denotes reports whether e is an lvalue.
func denotes(e Expr) bool {
	switch e := e.(type) {
	case *VarExpr, *Deref, *Temporary, *ThreadElements, *Assign, *OpAssign:
		return true
	case *Index:
		return denotes(e.X)
	case *FieldExpr:
		return denotes(e.X)
	case *Swizzle:
		return denotes(e.X)
	case *IncDec:
		return !e.Postfix
	case *Cond:
		return e.LValue
	case *Comma:
		return denotes(e.Y)
	}
	return false
}

// want checks an expression that has to be a value, or an lvalue, of type t.
func (v *treeVerifier) want(e Expr, t Type, lvalue bool) {
	if lvalue {
		v.lvalue(e)
	} else {
		v.value(e)
	}
	if e != nil && !Identical(e.Type(), t) {
		v.fault(e.Pos(), "%s has type %s, want %s", ExprString(e), e.Type(), t)
	}
}

func (v *treeVerifier) value(e Expr) {
	v.expr(e)
	if e != nil && denotes(e) {
		v.fault(e.Pos(), "%s is an lvalue, want a value", ExprString(e))
	}
}

func (v *treeVerifier) lvalue(e Expr) {
	v.expr(e)
	if e != nil && !denotes(e) {
		v.fault(e.Pos(), "%s is a value, want an lvalue", ExprString(e))
	}
}

// either checks an operand that may be both: a part of it has the same nature.
func (v *treeVerifier) either(e Expr) { v.expr(e) }

func (v *treeVerifier) expr(e Expr) {
	switch e := e.(type) {
	case nil:
		v.fault(v.fn.Pos, "nil expression")
		return
	case *Const:
		v.constant(e)
	case *VarExpr:
		if !e.Var.Global && !v.vars[e.Var] {
			v.fault(e.pos, "variable %s is used outside of its declaration", e.Var.Name)
		}
		if e.Var.Global && len(e.Var.Data) != e.Var.Type.Size() {
			v.fault(e.pos, "constant %s has %d bytes, want %d", e.Var.Name, len(e.Var.Data), e.Var.Type.Size())
		}
		v.same(e, e.typ, e.Var.Type)
	case *Load:
		v.want(e.X, e.typ, true)
		if _, isArray := e.typ.(*Array); isArray {
			v.fault(e.pos, "load of the array %s", ExprString(e.X))
		}
	case *Deref:
		v.value(e.X)
		if p, ok := e.X.Type().(*Pointer); !ok || !Identical(p.Elem, e.typ) {
			v.fault(e.pos, "%s of type %s", ExprString(e), e.typ)
		}
	case *Index:
		v.either(e.X)
		v.value(e.I)
		if k, ok := e.I.Type().(Kind); !ok || !k.IsInteger() {
			v.fault(e.pos, "index of type %s", e.I.Type())
		}
		v.element(e)
	case *FieldExpr:
		v.either(e.X)
		if s, ok := e.X.Type().(*Struct); !ok || e.Field >= len(s.Fields) || !Identical(s.Fields[e.Field].Type, e.typ) {
			v.fault(e.pos, "field %d of %s", e.Field, e.X.Type())
		}
	case *Swizzle:
		v.either(e.X)
		if vec, ok := e.X.Type().(Vector); !ok || elemOf(e.typ) != vec.Elem {
			v.fault(e.pos, "swizzle of %s", e.X.Type())
		}
	case *ThreadElements:
		v.lvalue(e.X)
	case *Temporary:
		v.want(e.X, e.typ, false)
	case *AddrOf:
		v.lvalue(e.X)
		v.pointer(e, e.X.Type())
	case *Decay:
		v.lvalue(e.X)
		if a, ok := e.X.Type().(*Array); ok {
			v.pointer(e, a.Elem)
		} else {
			v.fault(e.pos, "decay of %s", e.X.Type())
		}
	default:
		v.operation(e)
	}
}

func (v *treeVerifier) same(e Expr, a, b Type) {
	if !Identical(a, b) {
		v.fault(e.Pos(), "%s joins %s and %s", ExprString(e), a, b)
	}
}

func (v *treeVerifier) pointer(e Expr, elem Type) {
	p, ok := e.Type().(*Pointer)
	if !ok {
		v.fault(e.Pos(), "%s has type %s", ExprString(e), e.Type())
		return
	}
	v.same(e, p.Elem, elem)
}

func (v *treeVerifier) element(e *Index) {
	switch t := e.X.Type().(type) {
	case *Array:
		v.same(e, e.typ, t.Elem)
	case Vector:
		v.same(e, e.typ, t.Elem)
	case Matrix:
		v.same(e, e.typ, t.Column())
	default:
		v.fault(e.pos, "index of %s", t)
	}
}

func (v *treeVerifier) constant(e *Const) {
	switch e.typ.(type) {
	case Kind, *Enum:
		if data := bytesOf(e.Bits, e.typ); bitsOf(data, e.typ) != e.Bits {
			v.fault(e.pos, "constant %#x does not fit %s", e.Bits, e.typ)
		}
	case *Pointer:
	default:
		v.fault(e.pos, "constant of type %s", e.typ)
	}
}

func (v *treeVerifier) operation(e Expr) {
	switch e := e.(type) {
	case *Unary:
		v.want(e.X, e.typ, false)
	case *Binary:
		v.binary(e)
	case *PtrAdd:
		v.want(e.P, e.typ, false)
		v.value(e.I)
	case *PtrDiff:
		v.value(e.X)
		v.value(e.Y)
		v.same(e, e.X.Type().(*Pointer).Elem, e.Y.Type().(*Pointer).Elem)
		v.same(e, e.typ, Long)
	case *Convert:
		if e.typ == Void {
			v.either(e.X)
			return
		}
		v.value(e.X)
		if !castable(e.X.Type(), e.typ) && !splats(e.X.Type(), e.typ) {
			v.fault(e.pos, "conversion of %s to %s", e.X.Type(), e.typ)
		}
	case *Construct:
		v.construct(e)
	case *AsType:
		v.value(e.X)
		if e.X.Type().Size() != e.typ.Size() {
			v.fault(e.pos, "as_type of %s to %s", e.X.Type(), e.typ)
		}
	case *Assign:
		v.lvalue(e.L)
		v.want(e.R, e.L.Type(), false)
		v.same(e, e.typ, e.L.Type())
	case *OpAssign:
		v.lvalue(e.L)
		v.value(e.R)
		_, isPtr := e.Comp.(*Pointer)
		if e.Op != Shl && e.Op != Shr && !isPtr && e.Op != MatMul {
			v.same(e, e.R.Type(), e.Comp)
		}
	case *IncDec:
		v.lvalue(e.L)
	case *Cond:
		v.want(e.C, Bool, false)
		if e.typ == Void {
			v.either(e.X)
			v.either(e.Y)
			return
		}
		v.want(e.X, e.typ, e.LValue)
		v.want(e.Y, e.typ, e.LValue)
	case *Comma:
		v.either(e.X)
		v.either(e.Y)
	case *Call:
		v.call(e)
	case *PointerCall:
		v.value(e.Fun)
		for _, a := range e.Args {
			v.either(a)
		}
	case *BuiltinCall:
		for _, a := range e.Args {
			v.either(a)
		}
	default:
		v.fault(e.Pos(), "unknown node %T", e)
	}
}

func splats(from, to Type) bool {
	m, ok := to.(Matrix)
	return ok && from == Type(m.Elem)
}

func (v *treeVerifier) binary(e *Binary) {
	v.value(e.X)
	v.value(e.Y)
	if e.Op == MatMul {
		return
	}
	tx, ty := e.X.Type(), e.Y.Type()
	if e.Op != Shl && e.Op != Shr {
		v.same(e, tx, ty)
	}
	switch {
	case e.Op >= Eq && e.Op <= Ge:
		if vec, ok := tx.(Vector); ok {
			v.same(e, e.typ, Vector{Elem: Bool, N: vec.N})
		} else {
			v.same(e, e.typ, Bool)
		}
	case e.Op == LAnd || e.Op == LOr:
		if elemOf(e.typ) != Bool {
			v.fault(e.pos, "%s of %s", e.Op, e.typ)
		}
		v.same(e, e.typ, tx)
	default:
		v.same(e, e.typ, tx)
		if k, ok := e.typ.(Kind); ok && k < Int {
			v.fault(e.pos, "arithmetic in %s without promotion", k)
		}
	}
	if vec, ok := tx.(Vector); ok && vec.Packed {
		v.fault(e.pos, "arithmetic in %s", vec)
	}
}

func (v *treeVerifier) construct(e *Construct) {
	for i, a := range e.Args {
		v.value(a)
		switch t := e.typ.(type) {
		case *Struct:
			if i >= len(t.Fields) {
				v.fault(e.pos, "%d values for %s", len(e.Args), t)
				return
			}
			v.same(e, a.Type(), t.Fields[i+e.Field].Type)
		case *Array:
			v.same(e, a.Type(), t.Elem)
		case Vector:
			if elemOf(a.Type()) != t.Elem {
				v.fault(e.pos, "component %s of %s", a.Type(), t)
			}
		case Matrix:
			if elemOf(a.Type()) != t.Elem {
				v.fault(e.pos, "element %s of %s", a.Type(), t)
			}
		case SimdMatrix:
			v.same(e, a.Type(), t.Elem)
		default:
			v.fault(e.pos, "construction of %s", t)
		}
	}
}

func (v *treeVerifier) call(e *Call) {
	v.same(e, e.typ, e.Func.Result)
	if len(e.Args) != len(e.Func.Params) {
		v.fault(e.pos, "%d arguments for %d parameters of %s", len(e.Args), len(e.Func.Params), e.Func.Name)
		return
	}
	for i, a := range e.Args {
		v.want(a, e.Func.Params[i].Type, e.Func.Params[i].Ref)
	}
	v.function(e.Func)
}
