package types

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// deduceCall finds the instance of a function template that a call means, nil if there is none.
func (c *checker) deduceCall(f *function, targs []templateArg, args []operand) *routine {
	var r *routine
	c.attempt(func() {
		b := newBinding(f.decl.Template, f.scope)
		if !c.bindExplicit(b, targs) {
			return
		}
		if !c.deduceArguments(b, f.decl, args) {
			return
		}
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			r = c.instance(f, b)
		}
	})
	return r
}

// undeduced says why deduceCall found nothing.
func (c *checker) undeduced(f *function, targs []templateArg, args []operand) (reason string) {
	saved := c.why
	defer func() { c.why = saved }()
	c.attempt(func() {
		c.why = new(string)
		b := newBinding(f.decl.Template, f.scope)
		if !c.bindExplicit(b, targs) {
			reason = "its template parameters do not take " + argsText(targs)
			return
		}
		if !c.deduceArguments(b, f.decl, args) {
			reason = fmt.Sprintf("its template arguments cannot be deduced from (%s)", describeArgs(args))
			return
		}
		for i, p := range b.params {
			if !b.known[i] && !p.Variadic && p.Default == nil && p.DefaultType == nil {
				reason = fmt.Sprintf("couldn't infer template argument '%s'", p.Name)
				return
			}
		}
		reason = "substitution failure"
		if _, ok := c.bindDefaults(b, f.decl.Pos()); ok {
			c.instance(f, b)
		}
		var with []string
		for i, p := range b.params {
			if b.known[i] && p.Name != "" {
				with = append(with, p.Name+" = "+b.args[i].String())
			}
		}
		if len(with) > 0 {
			reason += " [with " + strings.Join(with, ", ") + "]"
		}
		if *c.why != "" {
			reason += ": " + *c.why
		}
	})
	return reason
}

// deduceArguments deduces from all arguments of a call. A pack at the end takes
// those that are left.
func (c *checker) deduceArguments(b *binding, d *syntax.FuncDecl, args []operand) bool {
	for i, a := range args {
		p := paramOf(d, i)
		if p.Variadic {
			b.elem = i - len(d.Params) + 1
		}
		if a.list != nil && !p.Variadic {
			continue
		}
		ok := false
		ctx := c.context
		ctx.scope, ctx.limit = b.scope, unlimited // the names are those of the declaration
		c.in(ctx, func() { ok = c.deduceParam(b, p.Type, a) })
		if !ok {
			return false
		}
	}
	return true
}

func (c *checker) bindExplicit(b *binding, targs []templateArg) bool {
	targs = flatten(targs)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		return false
	}
	b.given = len(targs)
	if v := b.variadic(); v >= 0 {
		b.given = min(b.given, v)
	}
	return c.setAll(b, targs, syntax.Pos{})
}

// deduceParam deduces from one argument of a call.
func (c *checker) deduceParam(b *binding, p syntax.TypeExpr, op operand) bool {
	if !b.mentionsUnknown(p) {
		return true
	}
	if op.fns != nil {
		return c.deduceFunction(b, p, op)
	}
	if a, ok := p.(*syntax.ArrayType); ok { // a pointer, as a parameter
		ptr, ok := decayed(op).(*hir.Pointer)
		return ok && c.unify(b, a.Elem, pointee(ptr))
	}
	if r, ok := p.(*syntax.ReferenceType); ok {
		a := qual{typ: op.typ(), space: syntax.Thread}
		if op.lvalue {
			a.space, a.isConst, a.volatile = op.space, op.const_, op.volatile
		}
		return c.unify(b, r.Elem, a)
	}
	return c.unify(b, p, plain(decayed(op)))
}

// deduceFunction deduces from an argument that names a function: if it is the only one
// of its name its type is known.
func (c *checker) deduceFunction(b *binding, p syntax.TypeExpr, op operand) bool {
	var r *routine
	if !c.attempt(func() { r = c.theOne(op, op.pos) }) || r == nil {
		return true
	}
	return c.unify(b, p, plain(r.signature()))
}

// mentionsUnknown reports whether a type depends on parameters that are to be
// deduced. What one argument has given, the next has to confirm.
func (b *binding) mentionsUnknown(x syntax.TypeExpr) bool {
	switch x := x.(type) {
	case *syntax.NamedType:
		if i := b.index(x.Name); i >= 0 {
			return i >= b.given
		}
		if b.templateIndex(x.Name) >= b.given && b.templateIndex(x.Name) >= 0 {
			return true
		}
		for _, part := range x.Name.Parts {
			for _, a := range part.Args {
				if a.Type != nil && b.mentionsUnknown(a.Type) {
					return true
				}
				if n, ok := a.X.(*syntax.NameExpr); ok && b.unknownName(n.Name) {
					return true
				}
			}
		}
	case *syntax.QualType:
		return b.mentionsUnknown(x.Base)
	case *syntax.PointerType:
		return b.mentionsUnknown(x.Elem)
	case *syntax.ReferenceType:
		return b.mentionsUnknown(x.Elem)
	case *syntax.ArrayType:
		n, ok := x.Len.(*syntax.NameExpr)
		return b.mentionsUnknown(x.Elem) || ok && b.unknownName(n.Name)
	case *syntax.FuncType:
		if b.mentionsUnknown(x.Result) {
			return true
		}
		return slices.ContainsFunc(x.Params, func(p *syntax.Param) bool { return b.mentionsUnknown(p.Type) })
	}
	return false
}

func (b *binding) unknownName(n *syntax.Name) bool {
	i := b.index(n)
	return i >= b.given
}

// instance is the function that a template becomes with all parameters bound,
// nil after an error.
func (c *checker) instance(f *function, b *binding) *routine {
	key := argsKey(b.args)
	if r, ok := f.instances[key]; ok {
		if r == nil {
			c.suppress()
		} else if r.def == nil && f.def != nil && !r.special {
			r.def = f.def
		}
		return r
	}
	c.spend(f.decl.Pos(), instanceWork+len(key))
	r := &routine{of: f, decl: f.decl, def: f.def, scope: b.scope, targs: b.args}
	for _, s := range f.special {
		if s.key == key {
			r.decl, r.def, r.scope, r.special, r.point = s.decl, nil, f.scope, true, &s.definitionPoint
			if s.decl.Body != nil {
				r.def = s.decl
			}
		}
	}
	ctx := c.context
	ctx.limit, ctx.fn = unlimited, nil
	ok := false
	c.signing++
	if l := &c.cfg.Budget.Limits; c.signing > l.Of(syntax.Instances) { // a candidate that fails would hide it
		c.stop(f.decl.Pos(), codeTemplateDepth, "%s", l.Exceeded(syntax.Instances,
			"signatures of templates are nested here, without an end as it seems: more than %d"))
	}
	c.in(ctx, func() { ok = c.readSignature(r) })
	c.signing--
	if !ok {
		return nil
	}
	if n := len(r.params) - len(f.decl.Params); n > 0 {
		c.spend(f.decl.Pos(), packWork*n)
	}
	f.instances[key] = r
	if hasAuto(r.result.typ) {
		c.ensureBody(r, c.at)
	}
	return r
}
