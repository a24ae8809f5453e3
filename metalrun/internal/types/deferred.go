package types

import "metalconform/metalrun/internal/syntax"

// A deferredMember is a member of an instance of a class template that no expression has named yet. C++ makes nested
// classes and the values of static members when they are first named, and reports their errors then.
type deferredMember struct {
	info    *structInfo
	context context
	current protection
	declare func()
}

// deferMember calls declare when the name is first used.
func (c *checker) deferMember(info *structInfo, name string, pos syntax.Pos, declare func()) {
	d := &deferredMember{info, c.context, info.current, declare}
	c.declare(pos, name, d)
}

// deferrable reports whether the definition of a class may be deferred.
func (c *checker) deferrable(info *structInfo, d *syntax.StructDecl) bool {
	return info.lazy && d.Body && d.Template == nil && d.Name != nil && len(d.Name.Parts) == 1 &&
		!d.Name.Last().HasArgs &&
		info.scope.names[d.Name.Last().Ident] == nil
}

// own is the entity that a scope itself declares by a name.
func (c *checker) own(s *scope, name string) entity {
	e := s.names[name]
	if d, ok := e.(*deferredMember); ok {
		return c.force(s, name, d)
	}
	return e
}

// force declares a deferred member in the context of its class.
func (c *checker) force(s *scope, name string, d *deferredMember) entity {
	delete(s.names, name)
	speculating, suppressed, converting := c.speculating, c.suppressed, c.converting
	current := d.info.current
	c.speculating, c.converting, d.info.current = 0, 0, d.current
	ctx := d.context
	ctx.depth, ctx.user, ctx.from = c.depth, c.user, c.from
	c.in(ctx, d.declare)
	c.speculating, c.suppressed, c.converting, d.info.current = speculating, suppressed, converting, current
	return s.names[name]
}

// C++ makes an instance of a class template when the class has to be complete: naming it, as the target of a pointer or
// as the argument of a template, is not enough. Here it is made when it is named, and its diagnostics are deferred
// until it has to be complete.

// deferral says whose diagnostics are deferred.
type deferral struct {
	incomplete bool // the instance of the type being read need not be complete
	inside     int  // enclosing definitions whose diagnostics are deferred
}

// naming reads a type that need not be complete.
func (c *checker) naming(x syntax.TypeExpr, read func(syntax.TypeExpr) (qual, bool)) (qual, bool) {
	saved := c.deferral.incomplete
	c.deferral.incomplete = true
	q, ok := read(x)
	c.deferral.incomplete = saved
	return q, ok
}

// deferDiagnostics runs the definition of an instance. It keeps the errors in info if the class need not be complete
// yet.
func (c *checker) deferDiagnostics(info *structInfo, define func()) {
	saved, from := c.deferral, len(c.errs)
	c.deferral.incomplete = false
	if saved.incomplete {
		c.deferral.inside++
	}
	define()
	c.deferral = saved
	if len(c.errs) == from || !saved.incomplete && saved.inside == 0 {
		return
	}
	info.faults = append(info.faults, c.errs[from:]...)
	if saved.incomplete {
		for _, e := range info.faults {
			delete(c.seen, fault{e.Pos, e.Code, e.Msg})
		}
		c.errs = c.errs[:from]
	}
}

// absentMember defers the error that a member has a type that is not supported: it is reported when a kernel uses the
// class.
func (c *checker) absentMember(info *structInfo, d *syntax.VarDecl, q qual) bool {
	t, absent := q.typ.(absentType)
	if !absent || t.code != codeUnsupported || c.speculating > 0 {
		return false
	}
	from := len(c.errs)
	c.complete(q, d.Pos())
	info.faults = append(info.faults, c.errs[from:]...)
	for _, e := range c.errs[from:] {
		delete(c.seen, fault{e.Pos, e.Code, e.Msg})
	}
	c.errs = c.errs[:from]
	c.poison(d)
	return true
}

// reportDeferred reports the deferred errors of a class that has to be complete.
func (c *checker) reportDeferred(info *structInfo) {
	if info == nil || info.faults == nil || !info.complete {
		return
	}
	list := info.faults
	info.faults = nil
	for _, e := range list {
		if key := (fault{e.Pos, e.Code, e.Msg}); !c.seen[key] {
			c.seen[key] = true
			c.errs = append(c.errs, e)
		}
	}
}
