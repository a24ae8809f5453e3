package mutation

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// barrier leaves a barrier or fence out, makes it one of the simdgroup, changes
// the memory that it orders, or moves it past a neighbour. Nothing makes one
// stronger than it was.
func barrier(s editPoint) []edit {
	if s.stmt == nil {
		return nil
	}
	var edits []edit
	if isBarrier(*s.stmt) {
		call := (*s.stmt).(*syntax.ExprStmt).X.(*syntax.CallExpr)
		edits = append(edits, leaveOut(s.stmt))
		if fun := call.Fun.(*syntax.NameExpr); fun.Name.Last().Ident == "threadgroup_barrier" {
			edits = append(edits, put(&fun.Name.Last().Ident, "simdgroup_barrier"))
		}
		for i := range call.Args {
			edits = append(edits, weaker(&call.Args[i])...)
		}
	}
	if s.next != nil && (isBarrier(*s.stmt) && passable(*s.next) || isBarrier(*s.next) && passable(*s.stmt)) {
		edits = append(edits, exchange(s.stmt, s.next))
	}
	return edits
}

// passable reports whether a barrier that moves past a statement makes a
// difference: it may access memory, and is no barrier.
func passable(s syntax.Stmt) bool {
	found := false
	syntax.Inspect(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IndexExpr, *syntax.CallExpr:
			found = true
		case *syntax.UnaryExpr:
			found = found || n.Op == "*"
		case *syntax.MemberExpr:
			found = found || n.Arrow
		}
		return !found
	})
	return found && !isBarrier(s)
}

// isBarrier reports whether a statement calls a barrier or a fence.
func isBarrier(s syntax.Stmt) bool {
	x, ok := s.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*syntax.CallExpr)
	if !ok {
		return false
	}
	fun, ok := call.Fun.(*syntax.NameExpr)
	return ok && slices.Contains([]string{"threadgroup_barrier", "simdgroup_barrier", "atomic_thread_fence"},
		fun.Name.Last().Ident)
}

// weaker changes what a barrier or fence orders: one kind of memory instead of
// both, the other kind instead of the one, or none.
func weaker(flags *syntax.Expr) []edit {
	switch x := (*flags).(type) {
	case *syntax.BinaryExpr:
		if x.Op == "|" {
			return all(flags, x.X, x.Y)
		}
	case *syntax.NameExpr:
		var edits []edit
		for _, other := range otherMemory(x.Name.Last().Ident) {
			edits = append(edits, put(&x.Name.Last().Ident, other))
		}
		return edits
	}
	return nil
}

func otherMemory(flag string) []string {
	switch flag {
	case "mem_threadgroup":
		return []string{"mem_none", "mem_device"}
	case "mem_device":
		return []string{"mem_none", "mem_threadgroup"}
	case "memory_order_seq_cst":
		return []string{"memory_order_relaxed"}
	}
	return nil
}
