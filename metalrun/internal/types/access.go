package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Access control: which members and bases of a class a place in the program may name.

// access is who may name a member, from everyone to no one.
type access uint8

const (
	publicAccess access = iota
	protectedAccess
	privateAccess
	noAccess // private in a base
)

var accessWords = map[string]access{"public": publicAccess, "protected": protectedAccess, "private": privateAccess}

func (a access) String() string {
	return [...]string{"public", "protected", "private", "private"}[a]
}

// protection is the access of a member or of a base, and what gave it.
type protection struct {
	access  access
	implied bool // by the keyword "class", where nothing is written
	pos     syntax.Pos
}

func (p protection) String() string {
	if p.implied {
		return "implicitly " + p.access.String()
	}
	return p.access.String()
}

// classDefault is the protection of members and bases where none is written.
func classDefault(d *syntax.StructDecl) protection {
	if d.Keyword == "class" {
		return protection{access: privateAccess, implied: true}
	}
	return protection{}
}

// protect gives a member the access that its place in the class gives it.
func (info *structInfo) protect(pos syntax.Pos, name string) {
	p := info.current
	if p.access == publicAccess && info.members == nil {
		return
	}
	if info.members == nil {
		info.members = map[string]protection{}
	}
	p.pos = pos
	info.members[name] = p
	info.guarded = info.guarded || p.access != publicAccess
}

// protectFunction does the same for one function of an overload set.
func (info *structInfo) protectFunction(f *function) {
	f.protection = info.current
	f.protection.pos = namePos(f.decl)
	info.guarded = info.guarded || f.protection.access != publicAccess
}

// promote does the same for functions of a base that a using declaration names.
func (info *structInfo) promote(pos syntax.Pos, list []*function) {
	if info.promoted == nil {
		info.promoted = map[*function]protection{}
	}
	p := info.current
	p.pos = pos
	for _, f := range list {
		info.promoted[f] = p
	}
	info.guarded = info.guarded || p.access != publicAccess
}

// A lineage is the way from the class that a member is named in to the class that
// declares it: via[i] is how classes[i] inherits from classes[i+1].
type lineage struct {
	classes []*structInfo
	via     []protection
	member  protection
}

// descend finds the lineage of a member of info; own gives its protection in the class
// that declares it.
func descend(info *structInfo, own func(*structInfo) (protection, bool)) (lineage, bool) {
	if p, ok := own(info); ok {
		return lineage{classes: []*structInfo{info}, member: p}, true
	}
	for i, b := range info.bases {
		if l, ok := descend(b, own); ok {
			l.classes = append([]*structInfo{info}, l.classes...)
			l.via = append([]protection{info.via[i]}, l.via...)
			return l, true
		}
	}
	return lineage{}, false
}

// from is the lineage as seen from its class i.
func (l lineage) from(i int) lineage { return lineage{l.classes[i:], l.via[i:], l.member} }

// access is that of the member as a member of the class it is named in.
func (l lineage) access() access {
	a := l.member.access
	for i := len(l.via) - 1; i >= 0; i-- {
		if a >= privateAccess {
			return noAccess
		}
		a = max(a, l.via[i].access)
	}
	return a
}

// allowed reports whether the member can be named here. A protected one that belongs to
// an object of class obj, nil for static members and types, is open to derived classes for
// objects of their own.
func (c *checker) allowed(l lineage, obj *structInfo) bool {
	named := l.classes[0]
	switch l.access() {
	case publicAccess:
		return true
	case protectedAccess:
		if c.inside(named) || c.insideDerived(named, obj) {
			return true
		}
	case privateAccess:
		if c.inside(named) {
			return true
		}
	}
	return len(l.via) > 0 && c.baseAllowed(named, l.via[0]) && c.allowed(l.from(1), obj)
}

// baseAllowed reports whether a base of a class can be named as such here.
func (c *checker) baseAllowed(derived *structInfo, via protection) bool {
	return via.access == publicAccess || c.inside(derived) ||
		via.access == protectedAccess && c.insideDerived(derived, nil)
}

// inside reports whether this place is in a member or a friend of a class.
func (c *checker) inside(info *structInfo) bool {
	return c.around(func(s *structInfo, f *function) bool {
		return s != nil && (s == info || info.befriends(s)) || f != nil && info.befriendsFunction(f)
	})
}

// insideDerived reports whether this place is in a member of a class derived from info,
// of which an object of class obj, if not nil, is one.
func (c *checker) insideDerived(info, obj *structInfo) bool {
	return c.around(func(s *structInfo, _ *function) bool {
		return s != nil && c.isA(s, info) && (obj == nil || c.isA(obj, s))
	})
}

// isA reports whether one class is another or derived from it.
func (c *checker) isA(info, base *structInfo) bool {
	return info == base || c.basePath(info.typ, base.typ) != nil
}

// objectClass is the class of an object, nil if it is none.
func (c *checker) objectClass(op operand) *structInfo {
	s, _ := op.typ().(*hir.Struct)
	return c.structs[s]
}

// around reports whether ok holds for a class or a function that this place lies in.
func (c *checker) around(ok func(*structInfo, *function) bool) bool {
	for s := c.scope; s != nil; s = s.parent {
		if s.kind == structScope && ok(s.str, s.str.enclosing) {
			return true
		}
	}
	return c.fn != nil && ok(c.fn.r.of.owner, c.fn.r.of)
}

// permit reports whether member name of a class, or of object obj, can be named here, and
// says so if it cannot.
func (c *checker) permit(pos syntax.Pos, info *structInfo, name string, obj *structInfo) bool {
	if !info.guarded {
		return true
	}
	l, ok := descend(info, func(s *structInfo) (protection, bool) {
		_, ok := s.scope.names[name]
		return s.members[name], ok
	})
	return !ok || c.permitted(pos, l, "'"+name+"' is a %s member of '%s'", obj)
}

// permitted reports a member that cannot be named here; what takes its access and class.
func (c *checker) permitted(pos syntax.Pos, l lineage, what string, obj *structInfo) bool {
	if c.allowed(l, obj) {
		return true
	}
	last := len(l.classes) - 1
	natural := l.from(last)
	if !c.allowed(natural, obj) {
		c.errorf(pos, codeAccess, what, l.member.access, l.classes[last].typ).Note(l.member.pos, "%s",
			l.member.declared())
		return false
	}
	at := last
	for c.allowed(l.from(at), obj) {
		at--
	}
	e := c.errorf(pos, codeAccess, what, l.from(at).access(), l.classes[last].typ)
	e.Note(l.via[at].pos, "constrained by %s inheritance here", l.via[at])
	e.Note(l.member.pos, "member is declared here")
	return false
}

// declared is where a member got its access, as a clause.
func (p protection) declared() string {
	if p.implied {
		return "implicitly declared " + p.access.String() + " here"
	}
	return "declared " + p.access.String() + " here"
}

// permitEntity checks a member that is named with a scope, and remembers for a set
// of functions, of which overload resolution takes one, in which class it was named.
func (c *checker) permitEntity(pos syntax.Pos, s *scope, name string, ent entity) (entity, bool) {
	if s == nil || s.kind != structScope || !s.str.guarded || ent == nil {
		return ent, true
	}
	switch e := ent.(type) {
	case *funcSet:
		return &funcSet{name: e.name, list: e.list, named: s.str}, true
	case *fieldEntity:
		obj := s.str
		if this, ok := c.thisObject(pos); ok {
			obj = c.objectClass(this)
		}
		return ent, c.permit(pos, s.str, name, obj)
	}
	return ent, c.permit(pos, s.str, name, nil)
}

// permitFunction reports whether a member function can be called here. It is named in
// class info, nil for the class of the object or its own.
func (c *checker) permitFunction(pos syntax.Pos, info *structInfo, obj *operand, r *routine) bool {
	owner := r.of.owner
	if owner == nil {
		return true
	}
	var of *structInfo
	if obj != nil && !r.of.isStatic() {
		if of = c.objectClass(*obj); of != nil && !c.isA(of, owner) {
			of = nil
		}
	}
	switch {
	case info != nil:
	case of != nil:
		info = of
	default:
		info = owner
	}
	if !info.guarded {
		return true
	}
	l, ok := descend(info, func(s *structInfo) (protection, bool) {
		if p, promoted := s.promoted[r.of]; promoted {
			return p, true
		}
		return r.of.protection, s == owner
	})
	if !ok {
		return true
	}
	if r.of.isConstructor() {
		part := info // an object of its own, or part of one that is made here
		if c.part == info {
			part = nil
		}
		return c.permitted(pos, l, "calling a %s constructor of class '%s'", part)
	}
	name := r.of.name
	if name == "operator" {
		name = "operator " + r.result.String()
	}
	return c.permitted(pos, l, "'"+name+"' is a %s member of '%s'", of)
}

// permitBase reports whether an object of one class can be converted here to its base.
func (c *checker) permitBase(pos syntax.Pos, from, to hir.Type) bool {
	f, _ := from.(*hir.Struct)
	t, _ := to.(*hir.Struct)
	info, base := c.structs[f], c.structs[t]
	if info == nil || base == nil || !info.guarded {
		return true
	}
	l, ok := descend(info, func(s *structInfo) (protection, bool) { return protection{}, s == base })
	if !ok || len(l.via) == 0 {
		return true
	}
	if c.allowed(l, nil) {
		return true
	}
	at := len(l.via) - 1
	for c.allowed(l.from(at), nil) {
		at--
	}
	c.errorf(pos, codeAccess, "cannot cast '%s' to its %s base class '%s'", from, l.from(at).access(),
		to).Note(l.via[at].pos, "%s", l.via[at].declared())
	return false
}
