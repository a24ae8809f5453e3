package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// explicitSpecialisation is "template <> R f<args>(params) { … }".
type explicitSpecialisation struct {
	key  string
	decl *syntax.FuncDecl
	definitionPoint
}

// specialiseFunction records an explicit specialisation.
func (c *checker) specialiseFunction(d *syntax.FuncDecl) {
	set, ok := c.member(c.scope, d.Name.Last().Ident).(*funcSet)
	if !ok {
		c.errorf(d.Pos(), codeUndeclared, "no function template %s to specialise", d.Name.Last().Ident)
		return
	}
	c.specialise(set, d)
}

// specialise records an explicit specialisation of a function template of a set.
func (c *checker) specialise(set *funcSet, d *syntax.FuncDecl) {
	name := d.Name.Last()
	var targs []templateArg
	if name.HasArgs {
		var ok bool
		if targs, ok = c.templateArgs(name); !ok {
			return
		}
	}
	f, b := c.specialised(set, targs, d)
	if f == nil {
		c.errorf(d.Pos(), codeNoMatch, "no function template %s fits this specialisation", name.Ident)
		return
	}
	key := argsKey(b.args)
	r := f.instances[key]
	switch {
	case r != nil && r.special && r.def != nil && d.Body != nil:
		c.errorf(namePos(d), codeRedefined, "redefinition of '%s'", r.fn.Name).Note(namePos(r.def),
			"previous definition is here")
		return
	case r != nil && r.special:
		if d.Body == nil {
			return
		}
		at := c.here()
		r.def, r.point = d, &at
	case r != nil && r.used:
		c.errorf(namePos(d), codeSpecialisation, "%s is specialised after it has been used", r.fn.Name)
		return
	default:
		delete(f.instances, key)
		c.spend(d.Pos(), len(f.special)/specialsPerStep)
		f.special = append(f.special, &explicitSpecialisation{key, d, c.here()})
		r = c.instance(f, b)
	}
	if r != nil && r.def != nil {
		c.defineBody(r)
	}
}

// specialised is the template of a set that d specialises, the most special one of those
// that fit, and its arguments; nil if none fits.
func (c *checker) specialised(set *funcSet, targs []templateArg, d *syntax.FuncDecl) (best *function, args *binding) {
	for _, f := range set.list {
		if !f.isTemplate() || len(f.decl.Params) != len(d.Params) {
			continue
		}
		b := c.deduceDeclared(f, targs, d.Params, d.Result)
		if b != nil && c.isSpecialisation(f, b, d) &&
			(best == nil || c.specialises(f, best) && !c.specialises(best, f)) {
			best, args = f, b
		}
	}
	return best, args
}

// isSpecialisation reports whether d declares what template f becomes with the arguments
// of b: the same parameters and result.
func (c *checker) isSpecialisation(f *function, b *binding, d *syntax.FuncDecl) bool {
	primary := &routine{of: f, decl: f.decl, scope: b.scope, targs: b.args}
	declared := &routine{of: f, decl: d, scope: f.scope, targs: b.args}
	same := false
	ok := c.attempt(func() {
		ctx := c.context
		ctx.limit = unlimited
		c.in(ctx, func() {
			same = c.readSignature(primary) && c.readSignature(declared) &&
				hir.Identical(primary.signature(), declared.signature())
		})
	})
	return ok && same
}

// deduceDeclared binds the parameters of a template from a declared function
// type, as in an explicit instantiation; nil if they do not fit.
func (c *checker) deduceDeclared(f *function, targs []templateArg, params []*syntax.Param,
	result syntax.TypeExpr) *binding {
	b := newBinding(f.decl.Template, f.scope)
	good := c.attempt(func() {
		if !c.bindExplicit(b, targs) {
			c.suppressed++
			return
		}
		for i, p := range params {
			q, ok := c.paramType(p)
			if !ok || !c.unifyParam(b, f.decl.Params[i].Type, q) {
				c.suppressed++
				return
			}
		}
		if result != nil && f.decl.Result != nil && b.mentionsUnknown(f.decl.Result) {
			if q, ok := c.typeOrAuto(result); !ok || !hasAuto(q.typ) && !c.unifyParam(b, f.decl.Result, q) {
				c.suppressed++
				return
			}
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); !ok {
			c.suppressed++
		}
	})
	if !good {
		return nil
	}
	return b
}
