package types

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// Recursion. A function that calls itself in tail position alone is a loop (tail_call.go). Other
// functions become part of their callers, which those of a cycle of calls cannot: they share a
// stack, whose frames are numbered.

// A Cycle is functions that lead back to each other.
type Cycle struct {
	Frames int    // that its stack has, one for each call under way
	Deeper string // what is to be said of a call that has none
}

// callGraph goes through the calls of a program.
type callGraph struct {
	c      *checker
	order  map[*Func]int // of those that were visited, from 1 on
	oldest map[*Func]int // that a function leads back to, among those on the path
	path   []*Func       // those whose cycle is not known yet
	open   map[*Func]bool
}

// newCallGraph is one in which nothing was visited.
func newCallGraph(c *checker) *callGraph {
	return &callGraph{c: c, order: map[*Func]int{}, oldest: map[*Func]int{}, open: map[*Func]bool{}}
}

// visit visits a function and all that it leads to, and finds their cycles.
func (g *callGraph) visit(f *Func) {
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
func (c *checker) share(list []*Func) {
	c.hand.apart() // since it marks functions
	limits := &c.cfg.Budget.Limits
	cycle := &Cycle{limits.Of(syntax.Recursion), limits.Exceeded(syntax.Recursion, "this is more than %d calls in each other")}
	for _, f := range list {
		f.Cycle = cycle
	}
}
