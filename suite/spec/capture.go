package spec

import (
	"fmt"
	"slices"

	"go.starlark.net/syntax"
)

// A function without a name that is written in a loop uses the loop's variable, not the value that it had there: when a
// kernel is judged, the loop is long over, and all functions of the loop see the last value. Reading the file finds no
// mistake in that, and the first kernels of the loop are judged by the definition of the last.

// Captured says where such functions are in the text of a file: each sentence begins with the position. A function that
// the language calls at once, such as that of a scan, is none.
func Captured(name string, text []byte) ([]string, error) {
	replaced, at := notation(string(text))
	f, err := dialect.Parse(name, replaced, 0)
	if err != nil {
		return nil, err
	}
	c := &captures{at: at}
	for _, s := range f.Stmts {
		c.visit(s)
	}
	return c.found, nil
}

// captures looks through a file.
type captures struct {
	at     positions
	loops  []string // the variables of the loops around
	calls  []callee // around
	inside bool     // of a function
	found  []string
}

// callee is who a function is given to.
type callee uint8

// Those who are called.
const (
	someone callee = iota // a function of the file
	atOnce                // one of the language, which calls functions before it returns
	keeper                // kernel and the like, which keep them
)

// calledBy is who a call calls.
func calledBy(n *syntax.CallExpr) callee {
	id, named := n.Fn.(*syntax.Ident)
	if !named || predeclared[id.Name] == nil {
		return someone
	}
	if _, keeps := specification[id.Name]; keeps {
		return keeper
	}
	return atOnce
}

// visit looks at a node and those below it.
func (c *captures) visit(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			c.within(func() {
				c.inside = true
				c.loops = slices.DeleteFunc(slices.Clone(c.loops), func(name string) bool {
					return slices.Contains(namesOf(n.Params, n.Body), name)
				})
				for _, s := range n.Body {
					c.visit(s)
				}
			})
			return false
		case *syntax.ForStmt:
			c.visit(n.X)
			c.within(func() {
				c.loops = append(slices.Clone(c.loops), variables(n.Vars)...)
				for _, s := range n.Body {
					c.visit(s)
				}
			})
			return false
		case *syntax.Comprehension:
			c.comprehension(n)
			return false
		case *syntax.CallExpr:
			c.within(func() {
				c.calls = append(slices.Clone(c.calls), calledBy(n))
				for _, arg := range n.Args {
					c.visit(arg)
				}
			})
			c.visit(n.Fn)
			return false
		case *syntax.LambdaExpr:
			c.lambda(n)
			return false
		}
		return true
	})
}

// within restores what is known of the surroundings.
func (c *captures) within(f func()) {
	loops, calls, inside := c.loops, c.calls, c.inside
	f()
	c.loops, c.calls, c.inside = loops, calls, inside
}

// comprehension looks at the elements of a list or dictionary.
func (c *captures) comprehension(n *syntax.Comprehension) {
	c.within(func() {
		for _, clause := range n.Clauses {
			if loop, is := clause.(*syntax.ForClause); is {
				c.visit(loop.X)
				c.loops = append(slices.Clone(c.loops), variables(loop.Vars)...)
			}
		}
		c.visit(n.Body)
	})
}

// lambda says which variables of loops a function uses that outlives them.
func (c *captures) lambda(n *syntax.LambdaExpr) {
	of := someone
	if len(c.calls) > 0 {
		of = c.calls[len(c.calls)-1]
	}
	if of == atOnce || of == someone && c.inside { // a helper of a definition is likely to call it at once, too
		c.visit(n.Body)
		return
	}
	var used []string
	outerNames(n, func(name string) {
		if slices.Contains(c.loops, name) && !slices.Contains(used, name) {
			used = append(used, name)
		}
	})
	for _, name := range used {
		begin := c.at.original(n.Lambda)
		c.found = append(c.found, fmt.Sprintf("%s: the lambda uses %s, the variable of a loop around it, and has its "+
			"last value whenever it is called: return it from a function that takes %s", begin, name, name))
	}
}

// outerNames tells the names that a function has from around it, but for values of its parameters.
func outerNames(f *syntax.LambdaExpr, tell func(name string)) {
	own := namesOf(f.Params, nil)
	outer := func(name string) {
		if !slices.Contains(own, name) {
			tell(name)
		}
	}
	var look func(n syntax.Node) bool
	look = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			outer(n.Name)
		case *syntax.LambdaExpr:
			outerNames(n, outer)
			return false
		case *syntax.DotExpr:
			syntax.Walk(n.X, look)
			return false
		case *syntax.BinaryExpr:
			if n.Op == syntax.EQ { // a named argument
				syntax.Walk(n.Y, look)
				return false
			}
		}
		return true
	}
	syntax.Walk(f.Body, look)
}

// variables are the names that a loop gives values to.
func variables(e syntax.Expr) (names []string) {
	syntax.Walk(e, func(n syntax.Node) bool {
		if id, is := n.(*syntax.Ident); is {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}
