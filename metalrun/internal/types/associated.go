package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
)

// Functions that a call finds by its arguments (argument-dependent lookup): those of the namespaces of the classes
// and enumerations that their types are made of.

// associated adds the functions of the namespaces of the arguments' types,
// which a template can call although they were declared after it.
func (c *checker) associated(name string, set *funcSet, args []operand) *funcSet {
	found := c.namespacesOf(args)
	return found.functions(c, name, set)
}

// members reports whether a set has member functions: then arguments find no others.
func (s *funcSet) members() bool {
	return s != nil && slices.ContainsFunc(s.list, func(f *function) bool { return f.owner != nil })
}

// namespaces are those of what types are made of.
type namespaces struct {
	list    []*scope
	library bool // metal is one of them
	seen    map[*hir.Struct]bool
}

// namespacesOf are the namespaces that the types of arguments are associated with.
func (c *checker) namespacesOf(args []operand) namespaces {
	var n namespaces
	for _, a := range args {
		n.add(c, a.typ())
		if a.fns != nil {
			for _, f := range a.fns.list {
				if f.plain != nil {
					n.add(c, f.plain.signature())
				}
			}
		}
	}
	if !n.library {
		return n
	}
	if own, ok := c.global.names["metal"].(*namespaceEntity); ok { // what the program adds to it
		n.around(own.scope)
	}
	if c.prelude != nil {
		n.around(c.prelude)
	}
	return n
}

// metal reports whether namespace metal is among them.
func (n *namespaces) metal() bool { return n.library }

// functions adds the functions of that name to a set.
func (n *namespaces) functions(c *checker, name string, set *funcSet) *funcSet {
	for _, ns := range n.list {
		more, ok := ns.names[name].(*funcSet)
		if !ok || more == set {
			continue
		}
		joined := &funcSet{name: name}
		if set != nil {
			joined.named = set.named
			joined.list = append(joined.list, set.list...)
		}
		has := map[*function]bool{}
		for _, f := range joined.list {
			has[f] = true
		}
		for _, f := range more.list {
			if !has[f] {
				joined.list = append(joined.list, f)
			}
		}
		c.unpaid += 4 * len(joined.list)
		set = joined
	}
	return set
}

// add adds the namespace of class or enumeration t, and those of the bases and the template
// arguments of a class.
func (n *namespaces) add(c *checker, t hir.Type) {
	switch t := t.(type) {
	case *hir.Pointer:
		n.add(c, t.Elem)
	case *hir.Array:
		n.add(c, t.Elem)
	case hir.Reference:
		n.add(c, t.Elem)
	case *hir.Signature:
		n.add(c, t.Result)
		for _, p := range t.Params {
			n.add(c, p)
		}
	case hir.Atomic, hir.Matrix, hir.SimdMatrix, hir.SimdVote:
		n.library = true // vectors are types of the compiler's own and have no namespace
	case *hir.Enum:
		if s := c.enums[t]; s != nil {
			n.around(s.parent)
		} else if stdEnum(t.Name) == t {
			n.library = true
		}
	case *hir.Struct:
		info := c.structs[t]
		if info == nil || n.seen[t] {
			return
		}
		if n.seen == nil {
			n.seen = map[*hir.Struct]bool{}
		}
		n.seen[t] = true
		c.unpaid++
		n.around(info.scope.parent)
		for _, base := range info.bases {
			n.add(c, base.typ)
		}
		for _, a := range flatten(info.targs) {
			n.add(c, a.typ)
			if a.tmpl != nil {
				n.around(a.tmpl.scope)
			}
		}
	}
}

// around adds the namespace that s lies in, with those that it is an inline part of and its own inline parts.
func (n *namespaces) around(s *scope) {
	for s.kind != namespaceScope {
		s = s.parent
	}
	if slices.Contains(n.list, s) {
		return
	}
	n.list = append(n.list, s)
	n.library = n.library || s.holds().metal()
	if s.inline {
		n.around(s.parent)
	}
	for _, part := range s.used {
		if part.inline && part.parent == s {
			n.around(part)
		}
	}
}
