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
	return info.lazy && d.Body && d.Template == nil && d.Name != nil && len(d.Name.Parts) == 1 && !d.Name.Last().HasArgs &&
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
