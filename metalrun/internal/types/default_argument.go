package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// defaultArgument is the value of a parameter that a call leaves out.
func (c *checker) defaultArgument(r *routine, i int, pos syntax.Pos) hir.Expr {
	c.spend(pos, defaultWork)
	x := paramOf(r.decl, i).Default
	if x == nil && r.def != nil {
		x = r.def.Params[i].Default
	}
	var e hir.Expr
	ctx := c.context
	ctx.scope = r.scope
	c.in(ctx, func() {
		if mayAskForType(x) {
			c.scope = newScope(r.scope, blockScope)
			c.declareParams(r, r.decl, func(*hir.Var) {})
		}
		e = c.initialise(r.params[i], x, false)
	})
	return e
}

// mayAskForType reports whether an expression may name a parameter for its type.
func mayAskForType(x syntax.Expr) (found bool) {
	syntax.Inspect(x, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.SizeofExpr, *syntax.DecltypeType:
			found = true
		}
		return !found
	})
	return found
}

// joinDefaults adds the default arguments that another declaration gives.
func (r *routine) joinDefaults(again *syntax.FuncDecl) {
	d := *r.decl
	d.Params = slices.Clone(d.Params)
	for i, p := range again.Params {
		if p.Default != nil && i < len(d.Params) {
			d.Params[i] = p
			r.decl, r.of.decl = &d, &d
		}
	}
}

// checkDefaults checks the default arguments of a plain function where they are declared, or at the end of the
// outermost struct around it.
func (c *checker) checkDefaults(r *routine) {
	given := func(p *syntax.Param) bool { return p.Default != nil }
	if f := r.of; f.owner != nil && (f.owner.lazy || f.owner.lambda) || f.inherited || c.speculating > 0 ||
		!slices.ContainsFunc(r.decl.Params, given) {
		return
	}
	if len(c.classes) > 0 {
		c.undefaulted = append(c.undefaulted, r)
		return
	}
	ctx := c.context
	ctx.scope = r.scope
	ctx.fn = &funcState{r: r, above: c.nested, scope: r.scope}
	calls, bound := c.calls[r.fn], c.bound[r.fn]
	for i, p := range r.decl.Params {
		if p.Default != nil && namesOne(p.Default, r.decl.Params[:i+1]) == nil {
			c.in(ctx, func() { c.defaultArgument(r, i, p.Default.Pos()) })
		}
	}
	c.calls[r.fn], c.bound[r.fn] = calls, bound // it is the caller that evaluates them
}

// refuseParameters refuses default arguments that read a parameter up to their own: those are in scope, and have no
// value yet.
func (c *checker) refuseParameters(d *syntax.FuncDecl) {
	for i, p := range d.Params {
		if n := namesOne(p.Default, d.Params[:i+1]); n != nil {
			c.errorf(n.Pos(), codeDefaultArgument, "default argument references parameter '%s'", n.Name.Last().Ident)
		}
	}
}

// namesOne is where a default argument reads one of the parameters, nil if it does not.
func namesOne(x syntax.Expr, params []*syntax.Param) (found *syntax.NameExpr) {
	eachRead(x, func(n *syntax.NameExpr) {
		name := n.Name.Last().Ident
		if found == nil && len(n.Name.Parts) == 1 &&
			slices.ContainsFunc(params, func(p *syntax.Param) bool { return p.Name == name }) {
			found = n
		}
	})
	return found
}

// eachRead calls f for the names in a default argument that it may read: not those that are there for a type alone, or
// in a lambda.
func eachRead(x syntax.Expr, f func(*syntax.NameExpr)) {
	if x == nil {
		return
	}
	syntax.Inspect(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.SizeofExpr, *syntax.DecltypeType, *syntax.LambdaExpr:
			return false
		case *syntax.NameExpr:
			f(n)
		}
		return true
	})
}

// defaultsOfLambda checks that no default argument reads a variable of the function around: a call may
// come when there is none.
func (c *checker) defaultsOfLambda(x *syntax.LambdaExpr) bool {
	ok := true
	for _, p := range x.Params {
		eachRead(p.Default, func(n *syntax.NameExpr) {
			if namesOne(n, x.Params) != nil {
				return // which is refused of every function
			}
			e, isVar := c.lookup(n.Name.Last().Ident).ent.(*varEntity)
			if !isVar || len(n.Name.Parts) > 1 || e.owner == nil || e.v.Data != nil {
				return
			}
			what := "local variable '%s' of enclosing function"
			if slices.Contains(c.fn.r.fn.Params, e.v) {
				what = "parameter '%s'"
			}
			c.errorf(n.Pos(), codeDefaultArgument, "default argument references "+what, e.v.Name)
			ok = false
		})
	}
	return ok
}
