package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Recursion. A function that calls itself in tail position alone is a loop (tail_call.go). Other
// functions become part of their callers, which those of a cycle of calls cannot: they share a
// stack, whose frames are numbered.

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
	c.hand.apart() // since it marks functions
	limits := &c.cfg.Budget.Limits
	cycle := &hir.Cycle{Frames: limits.Of(syntax.Recursion), Deeper: limits.Exceeded(syntax.Recursion, "this is more than %d calls in each other")}
	for _, f := range list {
		f.Cycle = cycle
	}
}
