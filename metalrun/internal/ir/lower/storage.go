package lower

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// maxLeaves is the largest variable, in scalars, that is kept in registers. It bounds the registers of a kernel. With
// 32 or 128, the attention, delta net, MLA and router kernels give the same bits, and take as long within 10 %
// (conform run -q).
const maxLeaves = 64

// storage says where the variables of a kernel and of all functions it reaches
// can live. A variable needs memory if something needs a pointer to it or
// selects an element of it by an index that is not constant, or that is out of range,
// which an access to memory finds. References, and pointers that are only ever
// dereferenced, stand for what they are bound to and need no memory themselves.
type storage struct {
	indexed   map[*hir.Var]bool // by something that is not constant, or out of range
	addressed map[*hir.Var]bool // has to be in thread memory for a pointer to it
	written   map[*hir.Var]bool // assigned after its declaration
	writes    map[*hir.Var]int  // number of statements that assign it
	aliased   map[*hir.Var]bool // can change while another function runs
	opaque    map[*hir.Var]bool // a pointer with other uses than dereferencing
	cast      map[*hir.Var]bool // to const, and yet assigned through the cast

	// Edges of implication: what is needed of the key is needed of each value.
	targets map[*hir.Var][]*hir.Var // reference or pointer → what it is bound to
	passed  map[*hir.Var][]*hir.Var // pointer → pointers whose value it takes over
	visited map[*hir.Func]bool
}

func analyse(fn *hir.Func) *storage {
	s := &storage{
		indexed: map[*hir.Var]bool{}, addressed: map[*hir.Var]bool{}, written: map[*hir.Var]bool{},
		writes: map[*hir.Var]int{}, aliased: map[*hir.Var]bool{}, opaque: map[*hir.Var]bool{},
		cast:    map[*hir.Var]bool{},
		targets: map[*hir.Var][]*hir.Var{}, passed: map[*hir.Var][]*hir.Var{},
		visited: map[*hir.Func]bool{},
	}
	s.function(fn)
	s.propagate()
	return s
}

// transparent reports whether pointer p stands for what it points to.
func (s *storage) transparent(p *hir.Var) bool {
	_, ok := p.Type.(*hir.Pointer)
	return ok && !p.Ref && !s.opaque[p] && !s.written[p] && !s.addressed[p]
}

// propagate follows the edges until nothing changes. A pointer that is
// reassigned or in memory is opaque; what an opaque pointer points to, or a
// reference that needs an address denotes, needs an address.
func (s *storage) propagate() {
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		mark := func(set map[*hir.Var]bool, list []*hir.Var) {
			for _, v := range list {
				fixpoint.MoveIn(p, set, v, true)
			}
		}
		for q, list := range s.passed {
			if s.cast[q] {
				mark(s.cast, list)
			}
			if s.addressed[q] || s.indexed[q] || !q.Ref && (s.opaque[q] || s.written[q]) {
				mark(s.opaque, list)
			}
		}
		for r, list := range s.targets {
			_, pointer := r.Type.(*hir.Pointer)
			if s.addressed[r] || pointer && !r.Ref && (s.opaque[r] || s.written[r]) {
				mark(s.addressed, list)
			}
			if s.indexed[r] {
				mark(s.indexed, list)
			}
			if s.cast[r] {
				mark(s.cast, list)
				mark(s.written, list)
			}
		}
	})
}

func (s *storage) function(fn *hir.Func) {
	if s.visited[fn] {
		return
	}
	s.visited[fn] = true
	for _, p := range fn.Params {
		switch {
		case fn.Cycle == nil:
		case p.Ref:
			s.addressed[p] = true // as each call may bind it to something else
		default:
			s.opaque[p] = true
		}
	}
	s.stmts(fn.Body.List)
}

// object reports whether v has to be in memory.
func (s *storage) object(v *hir.Var) bool {
	return s.indexed[v] || s.addressed[v] || !inRegisters(v.Type)
}

func (s *storage) stmts(list []hir.Stmt) {
	for _, st := range list {
		s.stmt(st)
	}
}

func (s *storage) stmt(st hir.Stmt) {
	switch st := st.(type) {
	case *hir.Block:
		if st != nil {
			s.stmts(st.List)
		}
	case *hir.VarStmt:
		if st.Init != nil {
			s.bind(st.Var, st.Init)
		}
	case *hir.ExprStmt:
		s.expr(st.X)
	case *hir.If:
		s.expr(st.Cond)
		s.stmt(st.Then)
		s.stmt(st.Else)
	case *hir.Loop:
		s.optional(st.Cond)
		s.optional(st.Post)
		s.stmt(st.Body)
	case *hir.Switch:
		s.expr(st.X)
		for _, c := range st.Cases {
			for _, inner := range c.Body {
				// What a case declares is in scope in the cases below it.
				if decl, ok := inner.(*hir.VarStmt); ok {
					s.written[decl.Var] = true
				}
				s.stmt(inner)
			}
		}
	case *hir.Return:
		s.optional(st.X)
	}
}

func (s *storage) optional(e hir.Expr) {
	if e != nil {
		s.expr(e)
	}
}

// bind notes that v is declared or passed as e.
func (s *storage) bind(v *hir.Var, e hir.Expr) {
	if v.Ref {
		s.bindTarget(v, e, v.Const)
		return
	}
	if p, ok := v.Type.(*hir.Pointer); ok {
		switch x := samePointee(e).(type) {
		case *hir.AddrOf:
			s.bindTarget(v, x.X, p.Const)
			return
		case *hir.Load:
			if q, ok := pointerVar(x); ok {
				s.passed[v] = append(s.passed[v], q)
				return
			}
		}
	}
	s.expr(e)
}

func (s *storage) bindTarget(v *hir.Var, lvalue hir.Expr, readOnly bool) {
	r := s.path(lvalue)
	if r.v == nil {
		return
	}
	if !readOnly {
		s.write(r)
	}
	if r.through {
		s.passed[v] = append(s.passed[v], r.v)
		return
	}
	s.aliased[r.v] = true
	s.targets[v] = append(s.targets[v], r.v)
}

// root is the variable that an lvalue is a part of, or that it is reached
// through by dereferencing a pointer variable.
type root struct {
	v       *hir.Var
	through bool
}

func (s *storage) write(r root) {
	switch {
	case r.v == nil:
	case r.through:
		s.cast[r.v] = true
	default:
		s.written[r.v] = true
		s.writes[r.v]++
		s.cast[r.v] = s.cast[r.v] || r.v.Ref
	}
}

// need marks the root in a set, or that the pointer it is reached through must
// be a real one.
func (s *storage) need(set map[*hir.Var]bool, r root) {
	switch {
	case r.v == nil:
	case r.through:
		s.opaque[r.v] = true
	default:
		set[r.v] = true
	}
}

// path notes the uses in an lvalue and finds its root.
func (s *storage) path(e hir.Expr) root {
	switch e := e.(type) {
	case *hir.VarExpr:
		return root{v: e.Var}
	case *hir.Deref:
		switch x := samePointee(e.X).(type) {
		case *hir.AddrOf:
			return s.path(x.X)
		case *hir.Load:
			if p, ok := pointerVar(x); ok {
				return root{p, true}
			}
		}
		s.expr(e.X)
		return root{}
	case *hir.Index:
		r := s.path(e.X)
		if i, ok := constInt(e.I); !ok || !hasElement(e.X.Type(), i) {
			s.need(s.indexed, r)
		}
		s.expr(e.I)
		return r
	case *hir.FieldExpr:
		return s.path(e.X)
	case *hir.Swizzle:
		return s.path(e.X)
	case *hir.ThreadElements:
		return s.path(e.X)
	case *hir.Temporary:
		s.expr(e.X)
		return root{}
	case *hir.Cond:
		s.expr(e.C)
		s.need(s.addressed, s.path(e.X))
		s.need(s.addressed, s.path(e.Y))
		return root{}
	case *hir.Comma:
		s.expr(e.X)
		return s.path(e.Y)
	case *hir.Assign:
		s.expr(e.R)
		r := s.path(e.L)
		s.write(r)
		return r
	case *hir.OpAssign:
		s.expr(e.R)
		r := s.path(e.L)
		s.write(r)
		return r
	case *hir.IncDec:
		r := s.path(e.L)
		s.write(r)
		return r
	}
	s.expr(e)
	return root{}
}

// expr notes the uses in a value. An lvalue that stands where a value is
// wanted is an argument taken by reference.
func (s *storage) expr(e hir.Expr) {
	switch e := e.(type) {
	case *hir.Const:
	case *hir.Load:
		if c, ok := e.X.(*hir.Cond); ok {
			s.expr(c.C)
			s.path(c.X)
			s.path(c.Y)
			return
		}
		r := s.path(e.X)
		if r.v != nil && !r.through {
			if _, ok := r.v.Type.(*hir.Pointer); ok {
				s.opaque[r.v] = true
			}
		}
	case *hir.Assign, *hir.OpAssign, *hir.IncDec:
		s.path(e)
	case *hir.VarExpr, *hir.Deref, *hir.ThreadElements, *hir.Temporary:
		s.write(s.path(e))
	case *hir.Index:
		if isLvalue(e.X) {
			s.write(s.path(e))
			return
		}
		s.expr(e.X)
		s.expr(e.I)
	case *hir.FieldExpr:
		s.part(e, e.X)
	case *hir.Swizzle:
		s.part(e, e.X)
	case *hir.AddrOf:
		r := s.path(e.X)
		if p, ok := e.Type().(*hir.Pointer); !ok || !p.Const {
			s.write(r)
		}
		s.need(s.addressed, r)
	case *hir.Decay:
		r := s.path(e.X)
		if p, ok := e.Type().(*hir.Pointer); !ok || !p.Const {
			s.write(r)
		}
		s.need(s.addressed, r)
	case *hir.Unary:
		s.expr(e.X)
	case *hir.Binary:
		s.expr(e.X)
		s.expr(e.Y)
	case *hir.PtrAdd:
		s.expr(e.P)
		s.expr(e.I)
	case *hir.PtrDiff:
		s.expr(e.X)
		s.expr(e.Y)
	case *hir.Convert:
		s.expr(e.X)
	case *hir.AsType:
		s.expr(e.X)
	case *hir.Construct:
		s.exprs(e.Args)
	case *hir.Call:
		s.function(e.Func)
		for i, a := range e.Args {
			s.bind(e.Func.Params[i], a)
		}
	case *hir.PointerCall:
		s.expr(e.Fun)
		for _, fn := range e.Targets.List {
			s.function(fn)
			for i, a := range e.Args {
				s.bind(fn.Params[i], a)
			}
		}
	case *hir.BuiltinCall:
		s.builtin(e)
	case *hir.Cond:
		s.expr(e.C)
		s.expr(e.X)
		s.expr(e.Y)
	case *hir.Comma:
		s.expr(e.X)
		s.expr(e.Y)
	}
}

func (s *storage) part(e, x hir.Expr) {
	if isLvalue(x) {
		s.write(s.path(e))
		return
	}
	s.expr(x)
}

func (s *storage) exprs(list []hir.Expr) {
	for _, e := range list {
		s.expr(e)
	}
}

// builtin notes the uses in a call of the library. A pointer to a variable of
// the thread, which only compare-exchange takes, needs no memory: the old
// value is handed back in registers.
func (s *storage) builtin(e *hir.BuiltinCall) {
	for _, a := range e.Args {
		if x, ok := samePointee(a).(*hir.AddrOf); ok && isThreadPointer(a.Type()) {
			s.write(s.path(x.X))
			continue
		}
		s.expr(a)
	}
}

func isThreadPointer(t hir.Type) bool {
	p, ok := t.(*hir.Pointer)
	return ok && p.Space == syntax.Thread
}

// samePointee strips conversions that change a pointer's qualifiers only.
func samePointee(e hir.Expr) hir.Expr {
	for {
		c, ok := e.(*hir.Convert)
		if !ok {
			return e
		}
		to, ok1 := c.Type().(*hir.Pointer)
		from, ok2 := c.X.Type().(*hir.Pointer)
		if !ok1 || !ok2 || !hir.Identical(to.Elem, from.Elem) {
			return e
		}
		e = c.X
	}
}

// pointerVar is the variable whose value x is, if that is a pointer variable.
func pointerVar(x *hir.Load) (*hir.Var, bool) {
	v, ok := x.X.(*hir.VarExpr)
	if !ok {
		return nil, false
	}
	_, ok = v.Var.Type.(*hir.Pointer)
	return v.Var, ok && !v.Var.Ref
}

// isLvalue reports whether e denotes an object.
func isLvalue(e hir.Expr) bool {
	switch e := e.(type) {
	case *hir.VarExpr, *hir.Deref, *hir.Assign, *hir.OpAssign, *hir.Temporary, *hir.ThreadElements:
		return true
	case *hir.IncDec:
		return !e.Postfix
	case *hir.Index:
		return isLvalue(e.X)
	case *hir.FieldExpr:
		return isLvalue(e.X)
	case *hir.Swizzle:
		return isLvalue(e.X)
	case *hir.Cond:
		return e.LValue
	case *hir.Comma:
		return isLvalue(e.Y)
	}
	return false
}

// hasElement reports whether an array, vector or matrix has element i.
func hasElement(t hir.Type, i int64) bool {
	_, n := element(t)
	return i >= 0 && i < int64(n)
}

// constInt is the value of a constant integer expression.
func constInt(e hir.Expr) (int64, bool) {
	switch e := e.(type) {
	case *hir.Const:
		if k := scalarKind(e.Type()); k.IsInteger() || k == hir.Bool {
			return int64(ir.Wrap(scalarOf(k), e.Bits)), true
		}
	case *hir.Convert:
		k := scalarKind(e.Type())
		if v, ok := constInt(e.X); ok && k.IsInteger() {
			return int64(ir.Wrap(scalarOf(k), uint64(v))), true
		}
	}
	return 0, false
}
