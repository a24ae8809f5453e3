package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Functions as template arguments

// matching is the function of a set, or instance of a template in it, whose
// type is sig; nil if there is none.
func (c *checker) matching(op operand, sig *hir.Signature) *routine {
	for _, f := range op.fns.list {
		if r := f.plain; r != nil && !op.hasTargs && !f.isTemplate() && f.isStatic() && c.hasSignature(r, sig) {
			return r
		}
	}
	for _, f := range op.fns.list {
		if !f.isTemplate() || len(f.decl.Params) != len(sig.Params) {
			continue
		}
		var r *routine
		c.attempt(func() {
			b := newBinding(f.decl.Template, f.scope)
			if !c.bindExplicit(b, op.targs) {
				return
			}
			for i, p := range f.decl.Params {
				if !c.unifyParam(b, p.Type, fromType(sig.Params[i])) {
					return
				}
			}
			if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
				r = c.instance(f, b)
			}
		})
		if r != nil && c.hasSignature(r, sig) {
			return r
		}
	}
	return nil
}

// hasSignature reports whether sig is the type of r, whose body may say what its result is.
func (c *checker) hasSignature(r *routine, sig *hir.Signature) bool {
	if hasAuto(r.result.typ) && len(r.signature().Params) == len(sig.Params) {
		c.ensureBody(r, r.decl.Pos())
	}
	return hir.Identical(r.signature(), sig)
}

// theOne is the single function that a name with its template arguments
// denotes, or nil after an error.
func (c *checker) theOne(op operand, pos syntax.Pos) *routine {
	var found []*routine
	for _, f := range op.fns.list {
		if !f.isTemplate() {
			if !op.hasTargs && f.plain != nil {
				found = append(found, f.plain)
			}
			continue
		}
		b := newBinding(f.decl.Template, f.scope)
		var r *routine
		c.attempt(func() {
			if !c.bindExplicit(b, op.targs) {
				return
			}
			if _, ok := c.bindDefaults(b, pos); ok {
				r = c.instance(f, b)
			}
		})
		if r != nil {
			found = append(found, r)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	if len(found) == 0 {
		if len(op.fns.list) == 1 && op.fns.list[0].isTemplate() {
			c.explainInstance(op.fns.list[0], op.targs, pos)
			return nil
		}
		c.errorf(pos, codeNoMatch, "no function %s has these template arguments", op.fns.name)
		return nil
	}
	defined := slices.DeleteFunc(slices.Clone(found), func(r *routine) bool { return r.def == nil })
	if len(defined) == 1 {
		return defined[0]
	}
	c.errorf(pos, codeAmbiguousCall, "%s names %d functions here", op.fns.name, len(found))
	return nil
}

// explainInstance reports why a function template has no instance for these arguments.
func (c *checker) explainInstance(f *function, targs []templateArg, pos syntax.Pos) {
	b := newBinding(f.decl.Template, f.scope)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		c.errorf(pos, codeTemplateArguments, "got %d template arguments, want at most %d", len(targs), len(b.params))
		return
	}
	if !c.setAll(b, targs, pos) {
		return
	}
	missing, ok := c.bindDefaults(b, pos)
	switch {
	case missing != "":
		c.errorf(pos, codeTemplateArguments, "the template parameter %s of %s has no argument", missing, f.name)
	case ok:
		c.instance(f, b)
	}
}

// conversionTo is the conversion function f, or its instance that leads to t.
func (c *checker) conversionTo(f *function, t hir.Type) *routine {
	if !f.isTemplate() {
		return f.plain
	}
	var r *routine
	c.attempt(func() {
		b := newBinding(f.decl.Template, f.scope)
		if !c.unify(b, f.decl.Name.Last().Conversion, plain(t)) {
			return
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			r = c.instance(f, b)
		}
	})
	return r
}
