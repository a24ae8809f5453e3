package ir

import (
	"iter"
	"slices"
)

// Walk visits nodes in the order of the source, a construct before what is in
// it. A construct for which visit gives false is not entered.
func Walk(nodes []Node, visit func(Node) bool) {
	for _, n := range nodes {
		if visit(n) {
			for _, part := range Parts(n) {
				Walk(*part, visit)
			}
		}
	}
}

// Parts are the lists of nodes that a construct consists of, in the order of the
// source: the arms of an If, head, body and post of a Loop, the body of a Block.
// A rewriter gives them new lists.
func Parts(n Node) []*[]Node {
	switch n := n.(type) {
	case *If:
		return []*[]Node{&n.Then, &n.Else}
	case *Loop:
		return []*[]Node{&n.Head, &n.Body, &n.Post}
	case *Block:
		return []*[]Node{&n.Body}
	}
	return nil
}

// Instrs are the instructions among nodes and in their parts, in the order of
// the source.
func Instrs(nodes ...Node) iter.Seq[*Instr] {
	return func(yield func(*Instr) bool) {
		more := true
		Walk(nodes, func(n Node) bool {
			if in, ok := n.(*Instr); ok && more {
				more = yield(in)
			}
			return more
		})
	}
}

// Contains reports whether f holds for one of nodes or of what is in them.
func Contains(nodes []Node, f func(Node) bool) bool {
	found := false
	Walk(nodes, func(n Node) bool {
		found = found || f(n)
		return !found
	})
	return found
}

// Sets reports whether some instruction among nodes sets r.
func Sets(nodes []Node, r Reg) bool {
	return Contains(nodes, func(n Node) bool {
		in, ok := n.(*Instr)
		return ok && slices.Contains(in.Dst, r)
	})
}

// Cond is where a construct keeps its condition, nil if it has none.
func Cond(n Node) *Reg {
	switch n := n.(type) {
	case *If:
		return &n.Cond
	case *Loop:
		if n.Cond != None {
			return &n.Cond
		}
	}
	return nil
}
