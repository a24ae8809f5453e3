package analysis

import "metalconform/metalrun/internal/ir"

// region is a list of nodes: an arm of an If, or a part of a Loop or a Block. The three parts of a Loop lie in a region
// of their own.
type region struct {
	parent *region
	owner  any // *ir.If, *ir.Loop or *ir.Block; nil for the root
	depth  int
}

// definition is an instruction and the region in which it stands.
type definition struct {
	in *ir.Instr
	at *region
}

// departure is an exit and the region in which it stands.
type departure struct {
	exit *ir.Exit
	at   *region
}

// target is the construct that an exit leaves, or whose iteration it ends.
func target(e *ir.Exit) any {
	if e.Kind == ir.Leave {
		return e.Block
	}
	return e.Loop
}

// inside is a new region of a construct in this one.
func (at *region) inside(owner any) *region {
	return &region{parent: at, owner: owner, depth: at.depth + 1}
}

// within reports whether a region lies in a construct.
func (at *region) within(owner any) bool {
	for ; at != nil; at = at.parent {
		if at.owner == owner {
			return true
		}
	}
	return false
}

// common is the innermost region around a and b; a may be nil.
func common(a, b *region) *region {
	if a == nil {
		return b
	}
	for a != b {
		if a.depth < b.depth {
			a, b = b, a
		}
		a = a.parent
	}
	return a
}

// HasExit reports whether a thread can leave a construct from within the nodes.
func HasExit(nodes []ir.Node) bool {
	return ir.Contains(nodes, func(n ir.Node) bool { _, ok := n.(*ir.Exit); return ok })
}

// LeavesEarly reports whether a thread can leave an iteration of the loop before its end.
func LeavesEarly(n *ir.Loop) bool {
	inside := map[any]bool{}
	ir.Walk(n.Body, func(n ir.Node) bool { inside[n] = true; return true })
	return ir.Contains(n.Body, func(n ir.Node) bool {
		e, ok := n.(*ir.Exit)
		return ok && !inside[target(e)]
	})
}
