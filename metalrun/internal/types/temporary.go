package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Objects without a name that have a destructor: results of calls and constructors in the middle of an expression, and
// arguments by value. Each becomes a variable before the statement whose expression makes it, and ends after that
// expression, the last one first.

// placeTemporaries rewrites a body whose types are known. head are the statements among
// them in which a constructor gives members of this their first values.
func (c *checker) placeTemporaries(head []hir.Stmt, b *hir.Block, this *hir.Var) []hir.Stmt {
	if !c.destructors {
		return head
	}
	c.placeIn(b)
	var out []hir.Stmt
	for _, s := range head {
		f := &fullExpression{c: c}
		if x, ok := s.(*hir.ExprStmt); ok {
			if a, ok := x.X.(*hir.Assign); ok && initialises(a, this) {
				a.R = f.object(a.R)
				out = append(out, f.around(a.Pos(), s)...)
				continue
			}
		}
		out = append(out, c.placeInStmt(s)...)
	}
	return out
}

// passObjects makes parameters by value with a destructor the objects that calls made for them, which end after the
// calls.
func (c *checker) passObjects(fn *hir.Func) {
	if !c.destructors {
		return
	}
	for _, p := range fn.Params {
		p.Ref = p.Ref || c.destroys(p.Type)
	}
}

// initialises reports whether a is the first value of a member of this.
func initialises(a *hir.Assign, this *hir.Var) bool {
	f, ok := a.L.(*hir.FieldExpr)
	if !ok {
		return false
	}
	v, ok := f.X.(*hir.VarExpr)
	return ok && this != nil && v.Var == this
}

func (c *checker) placeIn(b *hir.Block) {
	if b != nil {
		b.List = c.placeInList(b.List)
	}
}

func (c *checker) placeInList(list []hir.Stmt) []hir.Stmt {
	out := list[:0:0]
	for _, s := range list {
		out = append(out, c.placeInStmt(s)...)
	}
	return out
}

func (c *checker) placeInStmt(s hir.Stmt) []hir.Stmt {
	f := &fullExpression{c: c}
	switch s := s.(type) {
	case *hir.Block:
		c.placeIn(s)
	case *hir.VarStmt:
		if s.Var.Ref {
			s.Init = f.expr(s.Init)
		} else {
			s.Init = f.object(s.Init)
		}
		return f.around(s.Var.Pos, s)
	case *hir.ExprStmt:
		s.X = f.expr(s.X)
		return f.around(s.X.Pos(), s)
	case *hir.If:
		c.placeIn(s.Then)
		c.placeIn(s.Else)
		s.Cond = f.expr(s.Cond)
		return f.ahead(&s.Cond, s)
	case *hir.Loop:
		c.placeIn(s.Body)
		s.Cond = f.within(s.Cond)
		post := &fullExpression{c: c}
		s.Post = post.within(s.Post)
	case *hir.Switch:
		for i := range s.Cases {
			s.Cases[i].Body = c.placeInList(s.Cases[i].Body)
		}
		s.X = f.expr(s.X)
		return f.ahead(&s.X, s)
	case *hir.Return:
		s.X = f.object(s.X)
		return f.ahead(&s.X, s)
	}
	return []hir.Stmt{s}
}

// A fullExpression is an expression that is no part of another one.
type fullExpression struct {
	c     *checker
	maybe int // operands around the current one that may not be evaluated
	made  []madeObject
}

// A madeObject is a variable for an object, and one that says whether it was made, nil if
// it always is.
type madeObject struct{ v, was *hir.Var }

// held is a variable that keeps a value, and its value.
func held(pos syntax.Pos, name string, t hir.Type) (*hir.Var, *hir.Load) {
	v := &hir.Var{Name: name, Pos: pos, Type: t, Space: syntax.Thread}
	return v, &hir.Load{Node: hir.At(pos, t), X: &hir.VarExpr{Node: hir.At(pos, t), Var: v}}
}

// before declares the variables of all objects.
func (f *fullExpression) before() (list []hir.Stmt) {
	for _, m := range f.made {
		list = append(list, &hir.VarStmt{Var: m.v})
		if m.was != nil {
			list = append(list, &hir.VarStmt{Var: m.was, Init: constant(m.v.Pos, hir.Bool, 0)})
		}
	}
	return list
}

// after ends all objects that were made.
func (f *fullExpression) after(pos syntax.Pos) (list []hir.Stmt) {
	for _, m := range slices.Backward(f.made) {
		end := f.c.destroy(pos, variable(pos, m.v, false))
		if m.was != nil {
			end = []hir.Stmt{&hir.If{Cond: &hir.Load{Node: hir.At(pos, hir.Bool),
				X: &hir.VarExpr{Node: hir.At(pos, hir.Bool), Var: m.was}}, Then: &hir.Block{List: end}}}
		}
		list = append(list, end...)
	}
	return list
}

// around is s with the objects of its expression.
func (f *fullExpression) around(pos syntax.Pos, s hir.Stmt) []hir.Stmt {
	if len(f.made) == 0 {
		return []hir.Stmt{s}
	}
	return append(append(f.before(), s), f.after(pos)...)
}

// ahead evaluates x, an expression of s, ahead of s, where it makes objects.
func (f *fullExpression) ahead(x *hir.Expr, s hir.Stmt) []hir.Stmt {
	if len(f.made) == 0 {
		return []hir.Stmt{s}
	}
	v, load := held((*x).Pos(), "(result)", (*x).Type())
	list := f.around(v.Pos, &hir.VarStmt{Var: v, Init: *x})
	*x = load
	return append(list, s)
}

// within is e, evaluated in each iteration of a loop, as an expression that ends its objects.
func (f *fullExpression) within(e hir.Expr) hir.Expr {
	if e = f.expr(e); len(f.made) == 0 {
		return e
	}
	pos := e.Pos()
	if s, ok := e.Type().(hir.Kind); !ok || s != hir.Bool {
		return f.c.inner(pos, hir.Void, &hir.Block{List: f.around(pos, &hir.ExprStmt{X: e})}).expr
	}
	v, load := held(pos, "(condition)", e.Type())
	return f.c.inner(pos, hir.Bool,
		&hir.Block{List: append(f.around(pos, &hir.VarStmt{Var: v, Init: e}), &hir.Return{Pos: pos, X: load})}).expr
}

// object rewrites the value that a variable, a result, a member or an element begins
// with: it becomes the object itself.
func (f *fullExpression) object(e hir.Expr) hir.Expr {
	switch e := e.(type) {
	case *hir.Construct:
		for i, a := range e.Args {
			e.Args[i] = f.object(a)
		}
	case *hir.Cond:
		if !e.LValue {
			e.C = f.expr(e.C)
			f.maybe++
			e.X, e.Y = f.object(e.X), f.object(e.Y)
			f.maybe--
			return e
		}
		f.operands(e)
	case *hir.Comma:
		e.X, e.Y = f.expr(e.X), f.object(e.Y)
	case nil:
	default:
		f.operands(e)
	}
	return e
}

// expr rewrites an expression in the middle of others.
func (f *fullExpression) expr(e hir.Expr) hir.Expr {
	switch x := e.(type) {
	case nil:
	case *hir.Call, *hir.PointerCall, *hir.Construct:
		if f.c.destroys(e.Type()) {
			return &hir.Load{Node: hir.At(e.Pos(), e.Type()), X: f.make(e)}
		}
		f.operands(e)
	case *hir.Cond:
		if !x.LValue && f.c.destroys(x.Type()) {
			return &hir.Load{Node: hir.At(x.Pos(), x.Type()), X: f.make(e)}
		}
		f.operands(e)
	case *hir.Temporary:
		if f.c.destroys(x.Type()) {
			return f.make(x.X)
		}
		f.operands(e)
	default:
		f.operands(e)
	}
	return e
}

// make is the variable in which e makes an object.
func (f *fullExpression) make(e hir.Expr) hir.Expr {
	pos, t := e.Pos(), e.Type()
	maybe := f.maybe > 0
	e = f.object(e)
	m := madeObject{v: &hir.Var{Name: "(temporary)", Pos: pos, Type: t, Space: syntax.Thread}}
	v := &hir.VarExpr{Node: hir.At(pos, t), Var: m.v}
	var first hir.Expr = &hir.Assign{Node: hir.At(pos, t), L: v, R: e}
	if maybe {
		m.was = &hir.Var{Name: "(made)", Pos: pos, Type: hir.Bool, Space: syntax.Thread}
		note := &hir.Assign{Node: hir.At(pos, hir.Bool), L: &hir.VarExpr{Node: hir.At(pos, hir.Bool), Var: m.was},
			R: constant(pos, hir.Bool, 1)}
		first = &hir.Comma{Node: hir.At(pos, hir.Bool), X: first, Y: note}
	}
	f.made = append(f.made, m)
	return &hir.Comma{Node: hir.At(pos, t), X: first, Y: &hir.VarExpr{Node: hir.At(pos, t), Var: m.v}}
}

// operands rewrites what e is made of.
func (f *fullExpression) operands(e hir.Expr) {
	switch e := e.(type) {
	case *hir.Call:
		if e.Func.Inner {
			f.c.placeIn(e.Func.Body)
		}
		for i, a := range e.Args {
			e.Args[i] = f.argument(a)
		}
	case *hir.PointerCall:
		e.Fun = f.expr(e.Fun)
		for i, a := range e.Args {
			e.Args[i] = f.argument(a)
		}
	case *hir.Binary:
		e.X = f.expr(e.X)
		f.choice(e.Op == hir.LAnd || e.Op == hir.LOr, &e.Y)
	case *hir.Cond:
		e.C = f.expr(e.C)
		f.choice(true, &e.X, &e.Y)
	default:
		hir.EachOperand(e, func(x *hir.Expr) { *x = f.expr(*x) })
	}
}

// choice rewrites operands that may not be evaluated.
func (f *fullExpression) choice(maybe bool, operands ...*hir.Expr) {
	if maybe {
		f.maybe++
		defer func() { f.maybe-- }()
	}
	for _, x := range operands {
		*x = f.expr(*x)
	}
}

// argument rewrites the argument of a call. One by value becomes an object of its own.
func (f *fullExpression) argument(e hir.Expr) hir.Expr {
	if f.c.destroys(e.Type()) && !hir.IsLvalue(e) {
		return f.make(e)
	}
	return f.expr(e)
}
