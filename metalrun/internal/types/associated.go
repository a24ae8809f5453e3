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
	var n namespaces
	for _, a := range args {
		n.add(c, a.typ())
	}
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

// namespaces are those of what types are made of.
type namespaces struct {
	list []*scope
	seen map[*hir.Struct]bool
}

// add adds the namespace of class or enumeration t, and those of the bases and the template
// arguments of a class.
func (n *namespaces) add(c *checker, t hir.Type) {
	switch t := t.(type) {
	case *hir.Pointer:
		n.add(c, t.Elem)
	case *hir.Array:
		n.add(c, t.Elem)
	case *hir.Enum:
		if s := c.enums[t]; s != nil {
			n.around(s.parent)
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
		}
	}
}

// around adds the namespace that s lies in, with those that it is an inline part of.
func (n *namespaces) around(s *scope) {
	for s.kind != namespaceScope {
		s = s.parent
	}
	if !slices.Contains(n.list, s) {
		n.list = append(n.list, s)
	}
	if s.inline {
		n.around(s.parent)
	}
}
