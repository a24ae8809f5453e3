package types

import "metalconform/metalrun/internal/syntax"

// A deferredMember is a member of an instance of a class template that nobody has named
// yet. What is wrong with it is no fault before somebody does: so C++ has it for classes
// inside of others and for the values of static members.
type deferredMember struct {
	info    *structInfo
	context context
	current protection
	declare func()
}

// deferMember puts off what declare does, to when the name is first used.
func (c *checker) deferMember(info *structInfo, name string, pos syntax.Pos, declare func()) {
	d := &deferredMember{info, c.context, info.current, declare}
	c.declare(pos, name, d)
}

// deferrable reports whether the definition of a class can wait.
func (c *checker) deferrable(info *structInfo, d *syntax.StructDecl) bool {
	return info.lazy && d.Body && d.Template == nil && d.Name != nil && len(d.Name.Parts) == 1 &&
		!d.Name.Last().HasArgs &&
		info.scope.names[d.Name.Last().Ident] == nil
}

// own is what a scope itself declares by a name.
func (c *checker) own(s *scope, name string) entity {
	e := s.names[name]
	if d, ok := e.(*deferredMember); ok {
		return c.force(s, name, d)
	}
	return e
}

// force declares a deferred member, away from whatever is being checked.
func (c *checker) force(s *scope, name string, d *deferredMember) entity {
	delete(s.names, name)
	quiet, muffled, converting := c.quiet, c.muffled, c.converting
	current := d.info.current
	c.quiet, c.converting, d.info.current = 0, 0, d.current
	ctx := d.context
	ctx.depth, ctx.user, ctx.from = c.depth, c.user, c.from
	c.in(ctx, d.declare)
	c.quiet, c.muffled, c.converting, d.info.current = quiet, muffled, converting, current
	return s.names[name]
}

// An instance of a class template that is only named, as what a pointer points to or as the
// argument of a template, is none: C++ makes it when it has to be complete. Here it is made at
// once, and what is wrong with it is withheld until then.

// withholding is how far instances may have faults that are not reported.
type withholding struct {
	named  bool // the instance of the type being read need not be complete
	inside int  // definitions whose faults will be withheld around this one
}

// naming reads a type that need not be complete.
func (c *checker) naming(x syntax.TypeExpr, read func(syntax.TypeExpr) (qual, bool)) (qual, bool) {
	saved := c.withhold.named
	c.withhold.named = true
	q, ok := read(x)
	c.withhold.named = saved
	return q, ok
}

// withheld runs the definition of an instance and keeps its faults, if nothing needs it yet.
func (c *checker) withheld(info *structInfo, define func()) {
	saved, from := c.withhold, len(c.errs)
	c.withhold.named = false
	if saved.named {
		c.withhold.inside++
	}
	define()
	c.withhold = saved
	if len(c.errs) == from || !saved.named && saved.inside == 0 {
		return
	}
	info.faults = append(info.faults, c.errs[from:]...)
	if saved.named {
		for _, e := range info.faults {
			delete(c.seen, fault{e.Pos, e.Code, e.Msg})
		}
		c.errs = c.errs[:from]
	}
}

// absentMember withholds that a member has a type that is not supported: no kernel may use
// the class.
func (c *checker) absentMember(info *structInfo, d *syntax.VarDecl, q qual) bool {
	t, absent := q.typ.(absentType)
	if !absent || t.code != codeUnsupported || c.quiet > 0 {
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

// need reports the faults of a class that has to be complete.
func (c *checker) need(info *structInfo) {
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
