package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Objects without a name that have a destructor: results of calls and constructors in the
// middle of an expression, and arguments by value. Each becomes a variable in front of the
// statement whose expression makes it, and ends behind that expression, the last one first.

// placeTemporaries rewrites a body whose types are known. head are the statements among
// them in which a constructor gives members of this their first values.
func (c *checker) placeTemporaries(head []Stmt, b *Block, this *Var) []Stmt {
	if !c.destructors {
		return head
	}
	c.placeIn(b)
	var out []Stmt
	for _, s := range head {
		f := &fullExpression{c: c}
		if x, ok := s.(*ExprStmt); ok {
			if a, ok := x.X.(*Assign); ok && initialises(a, this) {
				a.R = f.object(a.R)
				out = append(out, f.around(a.pos, s)...)
				continue
			}
		}
		out = append(out, c.placeInStmt(s)...)
	}
	return out
}

// passObjects makes parameters by value with a destructor the objects that calls made for
// them, which end behind the calls.
func (c *checker) passObjects(fn *Func) {
	if !c.destructors {
		return
	}
	for _, p := range fn.Params {
		p.Ref = p.Ref || c.destroys(p.Type)
	}
}

// initialises reports whether a is the first value of a member of this.
func initialises(a *Assign, this *Var) bool {
	f, ok := a.L.(*FieldExpr)
	if !ok {
		return false
	}
	v, ok := f.X.(*VarExpr)
	return ok && this != nil && v.Var == this
}

func (c *checker) placeIn(b *Block) {
	if b != nil {
		b.List = c.placeInList(b.List)
	}
}

func (c *checker) placeInList(list []Stmt) []Stmt {
	out := list[:0:0]
	for _, s := range list {
		out = append(out, c.placeInStmt(s)...)
	}
	return out
}

func (c *checker) placeInStmt(s Stmt) []Stmt {
	f := &fullExpression{c: c}
	switch s := s.(type) {
	case *Block:
		c.placeIn(s)
	case *VarStmt:
		if s.Var.Ref {
			s.Init = f.expr(s.Init)
		} else {
			s.Init = f.object(s.Init)
		}
		return f.around(s.Var.Pos, s)
	case *ExprStmt:
		s.X = f.expr(s.X)
		return f.around(s.X.Pos(), s)
	case *If:
		c.placeIn(s.Then)
		c.placeIn(s.Else)
		s.Cond = f.expr(s.Cond)
		return f.ahead(&s.Cond, s)
	case *Loop:
		c.placeIn(s.Body)
		s.Cond = f.within(s.Cond)
		post := &fullExpression{c: c}
		s.Post = post.within(s.Post)
	case *Switch:
		for i := range s.Cases {
			s.Cases[i].Body = c.placeInList(s.Cases[i].Body)
		}
		s.X = f.expr(s.X)
		return f.ahead(&s.X, s)
	case *Return:
		s.X = f.object(s.X)
		return f.ahead(&s.X, s)
	}
	return []Stmt{s}
}

// A fullExpression is an expression that is no part of another one.
type fullExpression struct {
	c     *checker
	maybe int // operands around the current one that may not be evaluated
	made  []madeObject
}

// A madeObject is a variable for an object, and one that says whether it was made, nil if
// it always is.
type madeObject struct{ v, was *Var }

// held is a variable that keeps a value, and its value.
func held(pos syntax.Pos, name string, t Type) (*Var, *Load) {
	v := &Var{Name: name, Pos: pos, Type: t, Space: syntax.Thread}
	return v, &Load{expr{pos, t}, &VarExpr{expr{pos, t}, v}}
}

// before declares the variables of all objects.
func (f *fullExpression) before() (list []Stmt) {
	for _, m := range f.made {
		list = append(list, &VarStmt{Var: m.v})
		if m.was != nil {
			list = append(list, &VarStmt{Var: m.was, Init: constant(m.v.Pos, Bool, 0)})
		}
	}
	return list
}

// after ends all objects that were made.
func (f *fullExpression) after(pos syntax.Pos) (list []Stmt) {
	for _, m := range slices.Backward(f.made) {
		end := f.c.destroy(pos, variable(pos, m.v, false))
		if m.was != nil {
			end = []Stmt{&If{Cond: &Load{expr{pos, Bool}, &VarExpr{expr{pos, Bool}, m.was}}, Then: &Block{List: end}}}
		}
		list = append(list, end...)
	}
	return list
}

// around is s with the objects of its expression.
func (f *fullExpression) around(pos syntax.Pos, s Stmt) []Stmt {
	if len(f.made) == 0 {
		return []Stmt{s}
	}
	return append(append(f.before(), s), f.after(pos)...)
}

// ahead evaluates x, an expression of s, ahead of s, where it makes objects.
func (f *fullExpression) ahead(x *Expr, s Stmt) []Stmt {
	if len(f.made) == 0 {
		return []Stmt{s}
	}
	v, load := held((*x).Pos(), "(result)", (*x).Type())
	list := f.around(v.Pos, &VarStmt{Var: v, Init: *x})
	*x = load
	return append(list, s)
}

// within is e, evaluated in each turn of a loop, as an expression that ends its objects.
func (f *fullExpression) within(e Expr) Expr {
	if e = f.expr(e); len(f.made) == 0 {
		return e
	}
	pos := e.Pos()
	if s, ok := e.Type().(Kind); !ok || s != Bool {
		return f.c.inner(pos, Void, &Block{List: f.around(pos, &ExprStmt{e})}).expr
	}
	v, load := held(pos, "(condition)", e.Type())
	return f.c.inner(pos, Bool, &Block{List: append(f.around(pos, &VarStmt{Var: v, Init: e}), &Return{pos, load})}).expr
}

// object rewrites the value that a variable, a result, a member or an element begins
// with: it becomes the object itself.
func (f *fullExpression) object(e Expr) Expr {
	switch e := e.(type) {
	case *Construct:
		for i, a := range e.Args {
			e.Args[i] = f.object(a)
		}
	case *Cond:
		if !e.LValue {
			e.C = f.expr(e.C)
			f.maybe++
			e.X, e.Y = f.object(e.X), f.object(e.Y)
			f.maybe--
			return e
		}
		f.operands(e)
	case *Comma:
		e.X, e.Y = f.expr(e.X), f.object(e.Y)
	case nil:
	default:
		f.operands(e)
	}
	return e
}

// expr rewrites an expression in the middle of others.
func (f *fullExpression) expr(e Expr) Expr {
	switch x := e.(type) {
	case nil:
	case *Call, *PointerCall, *Construct:
		if f.c.destroys(e.Type()) {
			return &Load{expr{e.Pos(), e.Type()}, f.make(e)}
		}
		f.operands(e)
	case *Cond:
		if !x.LValue && f.c.destroys(x.typ) {
			return &Load{expr{x.pos, x.typ}, f.make(e)}
		}
		f.operands(e)
	case *Temporary:
		if f.c.destroys(x.typ) {
			return f.make(x.X)
		}
		f.operands(e)
	default:
		f.operands(e)
	}
	return e
}

// make is the variable in which e makes an object.
func (f *fullExpression) make(e Expr) Expr {
	pos, t := e.Pos(), e.Type()
	maybe := f.maybe > 0
	e = f.object(e)
	m := madeObject{v: &Var{Name: "(temporary)", Pos: pos, Type: t, Space: syntax.Thread}}
	v := &VarExpr{expr{pos, t}, m.v}
	var first Expr = &Assign{expr{pos, t}, v, e}
	if maybe {
		m.was = &Var{Name: "(made)", Pos: pos, Type: Bool, Space: syntax.Thread}
		note := &Assign{expr{pos, Bool}, &VarExpr{expr{pos, Bool}, m.was}, constant(pos, Bool, 1)}
		first = &Comma{expr{pos, Bool}, first, note}
	}
	f.made = append(f.made, m)
	return &Comma{expr{pos, t}, first, &VarExpr{expr{pos, t}, m.v}}
}

// operands rewrites what e is made of.
func (f *fullExpression) operands(e Expr) {
	switch e := e.(type) {
	case *Call:
		if e.Func.Inner {
			f.c.placeIn(e.Func.Body)
		}
		for i, a := range e.Args {
			e.Args[i] = f.argument(a)
		}
	case *PointerCall:
		e.Fun = f.expr(e.Fun)
		for i, a := range e.Args {
			e.Args[i] = f.argument(a)
		}
	case *Binary:
		e.X = f.expr(e.X)
		f.choice(e.Op == LAnd || e.Op == LOr, &e.Y)
	case *Cond:
		e.C = f.expr(e.C)
		f.choice(true, &e.X, &e.Y)
	default:
		eachOperand(e, func(x *Expr) { *x = f.expr(*x) })
	}
}

// choice rewrites operands that may not be evaluated.
func (f *fullExpression) choice(maybe bool, operands ...*Expr) {
	if maybe {
		f.maybe++
		defer func() { f.maybe-- }()
	}
	for _, x := range operands {
		*x = f.expr(*x)
	}
}

// argument rewrites the argument of a call. One by value becomes an object of its own.
func (f *fullExpression) argument(e Expr) Expr {
	if f.c.destroys(e.Type()) && !isLvalue(e) {
		return f.make(e)
	}
	return f.expr(e)
}
