package types

import "metalconform/metalrun/internal/syntax"

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
