package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// The types of a function's parameters and result.

// salvage looks for more faults in the body of a function whose signature has some. Its
// faulty parameters have no type.
func (c *checker) salvage(r *routine) {
	if r.def == nil || r.of.owner != nil || r.result.typ == nil || len(r.params) != len(r.decl.Params) {
		return
	}
	r.fn = &hir.Func{Name: r.of.name, Pos: r.decl.Pos(), Result: r.resultType()}
	c.ensureBody(r, r.decl.Pos())
}

// readSignature resolves parameter and result types and makes the Func.
func (c *checker) readSignature(r *routine) bool {
	ctx := c.context
	ctx.scope = r.scope
	ok := true
	c.in(ctx, func() {
		for i, p := range r.decl.Params {
			if p.Variadic {
				ok = c.packParams(r, p, i == len(r.decl.Params)-1) && ok
				continue
			}
			good := c.readParam(r, p)
			if good && i > 0 && p.Default == nil && r.decl.Params[i-1].Default != nil {
				c.errorf(p.Pos(), codeDefaultArgument,
					"the parameter needs a default argument, since the one before has one")
				good = false
			}
			ok = ok && good
		}
		ok = c.readResult(r) && ok
	})
	if !ok {
		return false
	}
	r.fn = &hir.Func{Name: c.routineName(r), Pos: r.decl.Pos(), Result: r.resultType()}
	c.routines[r.fn] = r
	return true
}

// readParam reads the type of one parameter.
func (c *checker) readParam(r *routine, p *syntax.Param) bool {
	q, good := c.paramType(p)
	if good && !q.ref {
		if _, isStruct := q.typ.(*hir.Struct); !isStruct {
			good = c.complete(q, p.Pos())
		}
	}
	if good && q.space != syntax.NoSpace && !q.ref && q.space != syntax.Thread && !isKernel(r.decl) {
		c.errorf(p.Pos(), codeParameterSpace,
			"a parameter that is a value cannot lie in %s memory: want a pointer or a reference", q.space)
		good = false
	}
	if !good {
		q = qual{}
	}
	r.params = append(r.params, q)
	return good
}

// packParams reads the parameters that a pack stands for.
func (c *checker) packParams(r *routine, p *syntax.Param, last bool) bool {
	if !last {
		c.errorf(p.Pos(), codeUnsupported, "a parameter pack is supported as the last parameter only")
		return false
	}
	scopes, ok := c.expansion(p.Type)
	for _, s := range scopes {
		c.within(s, func() { ok = c.readParam(r, p) && ok })
	}
	return ok
}

func (c *checker) readResult(r *routine) bool {
	d := r.decl
	switch {
	case r.of.isConstructor():
		r.result = plain(r.of.owner.typ)
		return true
	case d.Name.Last().Conversion != nil:
		q, ok := c.typeOf(d.Name.Last().Conversion)
		r.result = q
		return ok
	}
	x := d.Result
	if x == nil {
		c.errorf(d.Pos(), codeUnknownType, "%s has no result type", r.of.name)
		return false
	}
	if d.Trailing { // the result type may name parameters
		saved := c.scope
		c.scope = newScope(c.scope, blockScope)
		if fn := c.fn; !r.of.isStatic() { // or members, of an object that is not evaluated
			q := r.thisQual()
			this := &hir.Var{Name: "this", Pos: d.Pos(), Type: q.typ, Space: q.space, Ref: true, Const: q.isConst}
			c.fn = &funcState{r: r, this: this, unevaluated: true, above: c.nested}
			defer func() { c.fn = fn }()
		}
		c.declareParams(r, d, func(v *hir.Var) {})
		defer func() { c.scope = saved }()
	}
	q, ok := c.typeOrAuto(x)
	if !ok {
		return false
	}
	switch t := q.typ.(type) {
	case *hir.Array:
		if !q.ref {
			c.errorf(x.Pos(), codeArrayResult, "a function cannot return an array")
			return false
		}
	case hir.Atomic:
		if !q.ref {
			c.errorf(x.Pos(), codeAtomicType, "a function cannot return %s", t)
			return false
		}
	}
	if !q.ref && q.space != syntax.NoSpace && q.space != syntax.Thread {
		c.errorf(x.Pos(), codeResultSpace, "a result is a value and cannot lie in %s memory", q.space)
		return false
	}
	r.result = q
	return true
}

// resultType is the result in the tree: a reference is returned as a pointer.
func (r *routine) resultType() hir.Type {
	if r.result.ref {
		return pointerTo(r.result)
	}
	return r.result.typ
}

// routineName is the name for messages and printing: qualified, with template arguments.
func (c *checker) routineName(r *routine) string {
	name := r.of.scope.path + r.of.name
	if r.of.owner != nil {
		name = r.of.owner.typ.Name + "::" + r.of.name
	}
	if conv := r.decl.Name.Last().Conversion; conv != nil {
		name += " " + r.result.String()
	}
	if len(r.targs) > 0 {
		name += argsText(r.targs)
	}
	return name
}
