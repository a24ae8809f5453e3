package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A funcState is the function whose body is being checked.
type funcState struct {
	r           *routine
	this        *hir.Var // the object of a member function, or under construction
	kernel      bool
	loops       int            // enclosing loops
	breaks      int            // enclosing loops and switches
	labels      *switchContext // the innermost switch, nil outside of any
	unevaluated bool           // in sizeof or decltype
	dead        int            // enclosing branches that a constant condition rules out
	inExpr      bool           // in a statement expression
	above       int            // expressions that the function is inside of
	scope       *scope         // around its parameters
	breakScope  *scope         // around the loop or switch that break leaves
	loopScope   *scope         // around the body of the innermost loop
	ownName     *hir.Var       // the last variable whose initialiser names it
	locals      []local
	named       []*namedReturn
	noResult    map[*hir.Var]bool // seen by a return that names another object
	returning   *namedReturn      // while the ends ahead of it are made
}

// tooDeep says so if one more instance of a template in another is too many.
func (c *checker) tooDeep(pos syntax.Pos) bool {
	if l := &c.cfg.Budget.Limits; c.depth >= l.Of(syntax.Instances) {
		c.errorf(pos, codeTemplateDepth, "%s", l.Exceeded(syntax.Instances,
			"template instances are nested here, without an end as it seems: more than %d"))
		return true
	}
	return false
}

// ensureBody checks the body of a routine, which pos needs, if that has not been done.
func (c *checker) ensureBody(r *routine, pos syntax.Pos) {
	r.used = true
	if r.state != bodyUnchecked || c.definition(r) == nil || r.fn == nil {
		return
	}
	if c.tooDeep(r.def.Pos()) {
		r.state = bodyChecked
		return
	}
	r.state = bodyActive
	ctx := context{scope: newScope(c.outsideScope(r), blockScope), limit: unlimited, math: r.fastMath(),
		depth: c.depth + 1, user: c.user}
	if pos.File != preludeName {
		ctx.user = pos
	}
	limit := r.definedAt().limit
	switch lazy := r.of.owner != nil && r.of.owner.lazy; {
	case r.special:
		ctx.limit = limit
	case len(r.targs) > 0:
		ctx.limit = limit
		ctx.from = &instantiation{"function template specialization '" + r.fn.Name + "'", pos, c.from}
	case lazy:
		ctx.limit = limit
		ctx.from = &instantiation{"member function '" + r.fn.Name + "'", pos, c.from}
	case r.of.owner != nil && r.of.owner.lambda:
		ctx.limit = limit
	}
	speculating, suppressed := c.speculating, c.suppressed
	c.speculating = 0 // an error in a body counts, even if a speculation asked for the body
	classes := c.classes
	c.classes = nil
	c.in(ctx, func() { c.body(r) })
	c.classes = classes
	c.speculating, c.suppressed = speculating, suppressed
	r.state = bodyChecked
}

// definedAt is where the body of r stands.
func (r *routine) definedAt() *definitionPoint {
	if r.point != nil {
		return r.point
	}
	return &r.of.definitionPoint
}

func (c *checker) body(r *routine) {
	c.fn = &funcState{r: r, kernel: isKernel(r.decl), above: c.nested, scope: c.scope.parent}
	fn := r.fn
	var head []hir.Stmt
	switch {
	case r.of.isConstructor():
		c.fn.this = &hir.Var{Name: "this", Pos: fn.Pos, Type: r.of.owner.typ, Space: syntax.Thread}
	case !r.of.isStatic():
		q := r.thisQual()
		c.fn.this = &hir.Var{Name: "this", Pos: fn.Pos, Type: q.typ, Space: q.space, Ref: true, Const: q.isConst}
		fn.Params = append(fn.Params, c.fn.this)
	}
	c.declareParams(r, r.def, func(v *hir.Var) { fn.Params = append(fn.Params, v) })
	if r.of.isConstructor() {
		head = c.constructorHead(r)
	}
	faults := len(c.errs)
	b := c.bodyBlock(r.def.Body)
	if len(c.errs) == faults {
		c.unusedVariables(r)
		c.missingReturn(r, b)
	}
	c.settleResults()
	head = c.placeTemporaries(head, b, c.fn.this)
	c.passObjects(fn)
	if head != nil {
		b = &hir.Block{List: append(head, b)}
		b.List = append(b.List, &hir.Return{Pos: r.def.Body.End, X: c.thisValue(r.def.Body.End)})
	}
	fn.Body = b
	if hasAuto(r.result.typ) {
		r.result = plain(hir.Void)
		fn.Result = hir.Void
	}
}

// declareParams declares the parameters of a function by the names of d, and calls add
// for each.
func (c *checker) declareParams(r *routine, d *syntax.FuncDecl, add func(*hir.Var)) {
	pack := &packEntity{}
	for i, q := range r.params {
		p := paramOf(d, i)
		if q.typ == nil {
			if p.Name != "" {
				c.scope.names[p.Name] = &poisonEntity{}
			}
			continue
		}
		if !q.ref {
			c.complete(q, p.Pos())
		}
		v := paramVar(p, q)
		add(v)
		e := &varEntity{v: v, volatile: q.volatile}
		if c.fn != nil {
			e.owner = c.fn.r
		}
		switch {
		case p.Variadic:
			pack.elems = append(pack.elems, e)
		case p.Name != "":
			c.declare(p.NamePos, p.Name, e)
		}
	}
	if isVariadic(d) && d.Params[len(d.Params)-1].Name != "" {
		c.declare(d.Params[len(d.Params)-1].Pos(), d.Params[len(d.Params)-1].Name, pack)
	}
}

func paramVar(p *syntax.Param, q qual) *hir.Var {
	v := &hir.Var{Name: p.Name, Pos: p.Pos(), Type: q.typ, Space: syntax.Thread, Const: q.isConst, Ref: q.ref}
	if q.ref {
		v.Space = q.space
		v.Const = q.isConst || q.space == syntax.Constant
	}
	return v
}
