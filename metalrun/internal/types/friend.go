package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A friend is a class or a function that may name all members of a class.
type friend struct {
	typ  *hir.Struct
	tmpl *classTemplate // all its instances
	fn   *function
	name string // of a class that is not declared yet, in namespace home
	home *scope
}

// enclosingNamespace is the namespace that a scope lies in.
func enclosingNamespace(s *scope) *scope {
	for s.kind != namespaceScope {
		s = s.parent
	}
	return s
}

// befriends reports whether a class is a friend of info.
func (info *structInfo) befriends(s *structInfo) bool {
	for _, f := range info.friends {
		switch {
		case f.typ != nil && f.typ == s.typ, f.tmpl != nil && f.tmpl == s.template:
			return true
		case f.name != "" && f.name == lastPart(bare(s.typ.Name)) && f.home == enclosingNamespace(s.scope):
			return true
		}
	}
	return false
}

// befriendsFunction reports whether a function is a friend of info. A template and its
// declaration as a friend are two functions of one form.
func (info *structInfo) befriendsFunction(g *function) bool {
	for _, f := range info.friends {
		switch {
		case f.fn == nil:
		case f.fn == g:
			return true
		case f.fn.isTemplate() && g.isTemplate() && f.fn.name == g.name &&
			enclosingNamespace(f.fn.scope) == enclosingNamespace(g.scope) && sameParams(f.fn.decl, g.decl):
			return true
		}
	}
	return false
}

// friendDecl is "friend class X;".
func (c *checker) friendDecl(info *structInfo, d *syntax.FriendDecl) {
	n, ok := d.Type.(*syntax.NamedType)
	if !ok {
		if q, ok := c.typeOf(d.Type); ok {
			c.befriend(info, q.typ)
		}
		return
	}
	last := n.Name.Last()
	plainName := len(n.Name.Parts) == 1 && !n.Name.Global && !last.HasArgs
	if plainName {
		ent := c.lookup(last.Ident).ent
		if d.Template != nil {
			if t, ok := ent.(*typeEntity); ok { // the template itself, by its injected name
				if s, ok := t.q.typ.(*hir.Struct); ok && c.structs[s] != nil && c.structs[s].template != nil {
					ent = c.structs[s].template
				}
			}
			if t, ok := ent.(*classTemplate); ok {
				info.friends = append(info.friends, friend{tmpl: t})
				return
			}
		}
		if ent == nil && n.Keyword != "" && n.Keyword != "typename" {
			info.friends = append(info.friends, friend{name: last.Ident, home: enclosingNamespace(c.scope)})
			return
		}
	}
	if q, ok := c.typeOf(d.Type); ok {
		c.befriend(info, q.typ)
	}
}

func (c *checker) befriend(info *structInfo, t hir.Type) {
	if s, ok := t.(*hir.Struct); ok {
		info.friends = append(info.friends, friend{typ: s})
	}
}

// friendFunction is a function that a class declares as a friend: one of the namespace
// around it, found by its arguments until it is declared there, or a member of
// another class.
func (c *checker) friendFunction(info *structInfo, d *syntax.FuncDecl) {
	last := d.Name.Last()
	if len(d.Name.Parts) > 1 || last.HasArgs {
		c.friendKnown(info, d)
		return
	}
	set := c.funcSetOf(d.Pos(), enclosingNamespace(info.scope), last.Ident)
	if set == nil {
		return
	}
	f := &function{name: last.Ident, decl: d, scope: c.scope, hidden: true}
	c.addFunction(set, f)
	if f.plain != nil {
		if old := c.sameFunction(set, f.plain); old != nil {
			f = old.of
		}
	}
	info.friends = append(info.friends, friend{fn: f})
}

// localFunction is a function that a statement declares: one of the namespace around it, found there when it is
// declared there too, and in the block by its name.
func (c *checker) localFunction(d *syntax.FuncDecl) {
	if len(d.Name.Parts) > 1 {
		c.errorf(namePos(d), codeMisplaced, "a name with \"::\" cannot be declared in a block")
		return
	}
	name, home := d.Name.Last().Ident, enclosingNamespace(c.scope)
	set, local := c.funcSetOf(d.Pos(), home, name), c.funcSetOf(d.Pos(), c.scope, name)
	if set == nil || local == nil {
		return
	}
	f := &function{name: name, decl: d, scope: home, hidden: true}
	c.addFunction(set, f)
	if f.plain == nil {
		return
	}
	if len(d.Params) == 0 && f.plain.result.typ != hir.Type(hir.Void) {
		at := namePos(d)
		at.Col += int32(len(name))
		c.warnOnce(d, at, codeEmptyDeclaration,
			"empty parentheses interpreted as a function declaration [-Wvexing-parse]")
	}
	known := *f
	if old := c.sameFunction(set, f.plain); old != nil {
		known = *old.of
	}
	known.hidden = false
	local.list = append(local.list, &known)
}

// friendKnown befriends functions that are declared elsewhere.
func (c *checker) friendKnown(info *structInfo, d *syntax.FuncDecl) {
	last := d.Name.Last()
	var set *funcSet
	if len(d.Name.Parts) > 1 {
		q, ok := c.qualify(d.Name)
		if !ok || q.scope == nil {
			c.errorf(d.Pos(), codeUndeclared, "no namespace or type named %s", qualifierText(d.Name))
			return
		}
		if set = c.memberSet(q.scope, d); set == nil {
			return
		}
	} else if set, _ = c.lookupFree(last.Ident).(*funcSet); set == nil {
		c.errorf(d.Pos(), codeUndeclared, "no function template %s to befriend", last.Ident)
		return
	}
	found := false
	for _, f := range set.list {
		if len(f.decl.Params) == len(d.Params) {
			info.friends = append(info.friends, friend{fn: f})
			found = true
		}
	}
	if !found {
		c.errorf(d.Pos(), codeUndeclared, "no function %s with these parameters to befriend", nameText(d.Name))
	}
}

// sameParams reports whether two functions have parameters of one form.
func sameParams(a, b *syntax.FuncDecl) bool {
	if len(a.Params) != len(b.Params) {
		return false
	}
	for i, p := range a.Params {
		if !sameForm(p.Type, b.Params[i].Type) {
			return false
		}
	}
	return true
}
