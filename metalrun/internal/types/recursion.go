package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Recursion. A function that calls itself only in tail position becomes a loop. Other functions are inlined into their
// callers. The functions of a cycle of calls cannot be: they share a stack, whose frames are numbered.

// callGraph goes through the calls of a program.
type callGraph struct {
	c      *checker
	order  map[*hir.Func]int // of those that were visited, from 1 on
	oldest map[*hir.Func]int // that a function leads back to, among those on the path
	path   []*hir.Func       // those whose cycle is not known yet
	open   map[*hir.Func]bool
}

// newCallGraph is one in which nothing was visited.
func newCallGraph(c *checker) *callGraph {
	return &callGraph{c: c, order: map[*hir.Func]int{}, oldest: map[*hir.Func]int{}, open: map[*hir.Func]bool{}}
}

// visit visits a function and all that it leads to, and finds their cycles.
func (g *callGraph) visit(f *hir.Func) {
	g.order[f] = len(g.order) + 1
	g.oldest[f] = g.order[f]
	g.path, g.open[f] = append(g.path, f), true
	again := false
	for _, call := range g.c.calls[f] {
		for _, callee := range call.callees() {
			if r := g.c.routines[callee]; r != nil {
				g.c.ensureBody(r, call.pos) // it may have been defined since
			}
			if callee.Body == nil {
				if call.targets == nil { // otherwise it is told where its address is taken
					g.c.undefined(callee, call.pos)
				}
				continue
			}
			if g.order[callee] == 0 {
				g.visit(callee)
			}
			if g.open[callee] {
				g.oldest[f] = min(g.oldest[f], g.oldest[callee])
				again = again || callee == f
			}
		}
	}
	if g.oldest[f] == g.order[f] {
		at := slices.Index(g.path, f)
		if len(g.path) > at+1 || again {
			g.c.share(g.path[at:])
		}
		for _, done := range g.path[at:] {
			delete(g.open, done)
		}
		g.path = g.path[:at]
	}
}

// share gives functions one stack.
func (c *checker) share(list []*hir.Func) {
	c.worker.giveUp() // since it marks functions
	limits := &c.cfg.Budget.Limits
	cycle := &hir.Cycle{Frames: limits.Of(syntax.Recursion),
		Deeper: limits.Exceeded(syntax.Recursion, "this is more than %d calls in each other")}
	for _, f := range list {
		f.Cycle = cycle
	}
}

// A function that calls itself as the last thing it does is a loop: the parameters get
// their next values and the body runs again. Other recursion is refused, since calls
// become part of their caller.

// tailLoop is the function whose calls of itself are being replaced.
type tailLoop struct{ fn *hir.Func }

// loopTailCalls makes a loop of a function that calls itself in tail position only.
func (c *checker) loopTailCalls(fn *hir.Func) {
	recursive := func(call callSite) bool { return call.callee == fn }
	if fn.Body == nil || !slices.ContainsFunc(c.calls[fn], recursive) {
		return
	}
	t := tailLoop{fn}
	list := t.list(fn.Body.List, true)
	left := false
	hir.WalkCalls(&hir.Block{List: list}, func(call *hir.Call) { left = left || call.Func == fn })
	if left {
		return
	}
	list = append(list, &hir.Break{Pos: fn.Pos})
	fn.Body = &hir.Block{List: []hir.Stmt{&hir.Loop{Pos: fn.Pos, Body: &hir.Block{List: list}}}}
	c.calls[fn] = slices.DeleteFunc(slices.Clone(c.calls[fn]), recursive)
}

// list replaces calls in statements; tail says that the function ends after them.
func (t tailLoop) list(list []hir.Stmt, tail bool) []hir.Stmt {
	out := make([]hir.Stmt, len(list))
	for i, s := range list {
		last := tail && i == len(list)-1
		next := i + 1
		for next < len(list) && isCover(list[next]) {
			next++
		}
		if !last && next < len(list) {
			r, isReturn := list[next].(*hir.Return)
			last = isReturn && r.X == nil
		}
		out[i] = t.stmt(s, last)
	}
	return out
}

func isCover(s hir.Stmt) bool {
	_, is := s.(*hir.Cover)
	return is
}

func (t tailLoop) block(b *hir.Block, tail bool) *hir.Block {
	if b == nil {
		return nil
	}
	return &hir.Block{List: t.list(b.List, tail)}
}

func (t tailLoop) stmt(s hir.Stmt, tail bool) hir.Stmt {
	switch s := s.(type) {
	case *hir.Block:
		return t.block(s, tail)
	case *hir.If:
		return &hir.If{Cond: s.Cond, Then: t.block(s.Then, tail), Else: t.block(s.Else, tail)}
	case *hir.ExprStmt:
		if again := t.again(s.X); tail && t.fn.Result == hir.Type(hir.Void) && again != nil {
			return again
		}
	case *hir.Return:
		if again := t.again(s.X); again != nil {
			return again
		}
	}
	return s
}

// again gives the parameters the values of a call and goes back to the start; nil for
// another expression, or if a reference would have to be bound to another object.
func (t tailLoop) again(e hir.Expr) hir.Stmt {
	call, ok := e.(*hir.Call)
	if !ok || call.Func != t.fn {
		return nil
	}
	var next, set []hir.Stmt
	for i, p := range t.fn.Params {
		if v, same := call.Args[i].(*hir.VarExpr); p.Ref {
			if !same || v.Var != p {
				return nil
			}
			continue
		}
		v := &hir.Var{Name: p.Name, Pos: call.Pos(), Type: p.Type, Space: syntax.Thread}
		next = append(next, &hir.VarStmt{Var: v, Init: call.Args[i]})
		load := &hir.Load{Node: hir.At(call.Pos(), p.Type), X: &hir.VarExpr{Node: hir.At(call.Pos(), p.Type), Var: v}}
		set = append(set,
			&hir.ExprStmt{X: &hir.Assign{Node: hir.At(call.Pos(), p.Type),
				L: &hir.VarExpr{Node: hir.At(call.Pos(), p.Type), Var: p}, R: load}})
	}
	return &hir.Block{List: append(append(next, set...), &hir.Continue{Pos: call.Pos()})}
}
