package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVisitorMeetsEveryNode compares a walk of a Visitor with Inspect: apart from
// blocks that cannot be anything else, every expression and statement has one.
func TestVisitorMeetsEveryNode(t *testing.T) {
	for file, text := range programs(t) {
		f := parseText(t, file, text)
		met := map[Node]bool{}
		var p Visitor
		p.Expr = func(x *Expr) { met[*x] = true; p.Visit(*x) }
		p.Stmt = func(s, _ *Stmt) { met[*s] = true; p.Visit(*s) }
		p.Visit(f)
		bodies := map[Node]bool{}
		Inspect(f, func(n Node) bool {
			switch n := n.(type) {
			case *FuncDecl:
				bodies[n.Body] = true
			case *SwitchStmt:
				bodies[n.Body] = true
			case *LambdaExpr:
				bodies[n.Body] = true
			}
			_, expr := n.(Expr)
			_, stmt := n.(Stmt)
			if (expr || stmt) && !met[n] && !bodies[n] {
				t.Errorf("%s: no visit has the %T at %v", file, n, n.Pos())
			}
			return true
		})
	}
}

// TestVisitorEdits replaces each expression and statement in turn, and takes
// it back.
func TestVisitorEdits(t *testing.T) {
	f := parseText(t, "x.metal",
		"constant float a[2] = {1, 2}; template <int N> float g(float); float f(float x) { if (x < a[1]) { x = "+
			"g<3>(x); return x; } return -x; }")
	before := printed(t, f)
	var expressions, statements []string
	var p Visitor
	p.Expr = func(x *Expr) {
		old := *x
		*x = &BoolLit{Value: true}
		expressions = append(expressions, difference(before, printed(t, f)))
		*x = old
		p.Visit(old)
	}
	p.Stmt = func(s, next *Stmt) {
		old := *s
		if next != nil {
			*s, *next = *next, *s
		} else {
			*s = &EmptyStmt{}
		}
		statements = append(statements, difference(before, printed(t, f)))
		if next != nil {
			*s, *next = *next, *s
		}
		*s = old
		p.Visit(old)
	}
	p.Visit(f)
	if after := printed(t, f); after != before {
		t.Errorf("after all edits were taken back:\n%s\nwant\n%s", after, before)
	}
	wantExpressions := "2 | {1, 2} | 1 | 2 | x < a[1] | x | a[1] | a | 1 | x = g<3>(x) | x | g<3>(x) | g<3> | 3 | x " +
		"| x | -x | x"
	if got := strings.Join(expressions, " | "); got != wantExpressions {
		t.Errorf("expressions replaced:\n%s\nwant\n%s", got, wantExpressions)
	}
	wantStatements := []string{
		"if (x < a[1]) { x = g<3>(x); return x; } return -x;",
		"{ x = g<3>(x); return x; }",
		"x = g<3>(x); return x",
		"return x",
		"return -x",
	}
	if diff := cmp.Diff(wantStatements, statements); diff != "" {
		t.Errorf("statements dropped, or exchanged with the next (-want +got):\n%s", diff)
	}
}

// difference is what stands in a in place of what b has there, on one line.
func difference(a, b string) string {
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	return strings.Join(strings.Fields(a[first:len(a)-last]), " ")
}
