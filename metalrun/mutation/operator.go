package mutation

import "metalconform/metalrun/internal/syntax"

// Operator is one kind of edit.
type Operator struct {
	Name  string
	Doc   string // what it changes, in a clause
	edits func(editPoint) []edit
}

// Operators is the table of all operators.
func Operators() []Operator {
	return []Operator{
		{"arithmetic", "another arithmetic operator: - for +, / or + for *, % or * for /", arithmetic},
		{"operand", "a sum, difference or product without one of its operands", operand},
		{"bits", "another operator on bits, or none", bits},
		{"logic", "|| for &&, && for ||, no negation", logic},
		{"assignment", "another compound assignment, or a plain one; -- for ++", assignment},
		{"comparison", "a comparison with its boundary moved, or negated", comparison},
		{"condition", "a condition that always or never holds", condition},
		{"bound", "a loop that starts later, ends earlier or takes other strides", bound},
		{"constant", "another number", constant},
		{"index", "the element before or after", index},
		{"statement", "a statement left out", omission},
		{"order", "two neighbouring statements exchanged, one of which needs the other", order},
		{"barrier", "a barrier or fence left out, weakened, moved, or for other memory", barrier},
		{"cast", "a conversion left out, or one that truncates instead of rounding", cast},
		{"precision", "a local variable in half precision, or rounded to bfloat wherever it is assigned to", precision},
		{"function", "a related function, or none: min for max, fast for precise, quad for simd, a product and a " +
			"sum for fma", function},
		{"argument", "two neighbouring arguments of a call exchanged", argument},
		{"initial", "an initial value left out, or 0", initial},
	}
}

// editPoint is where operators may edit the tree: an expression or a statement.
type editPoint struct {
	expr  *syntax.Expr
	stmt  *syntax.Stmt
	next  *syntax.Stmt // of the statement that follows, if any
	in    syntax.Node  // the nearest expression, statement or declaration that the site is part of
	local bool         // in a function's body
}

// edit changes the tree; undo changes it back.
type edit struct{ do, undo func() }

// put is the edit that stores another value.
func put[T any](at *T, value T) edit {
	old := *at
	return edit{do: func() { *at = value }, undo: func() { *at = old }}
}

// replace is put for an expression.
func replace(at *syntax.Expr, x syntax.Expr) edit { return put(at, x) }

// all are edits that store one of the values each.
func all[T any](at *T, values ...T) []edit {
	list := make([]edit, len(values))
	for i, v := range values {
		list[i] = put(at, v)
	}
	return list
}

// editPoints visits where operators may edit a declaration. Parameters of functions
// and static assertions are left alone: a mutant has the interface of the
// original.
func editPoints(d syntax.Decl, f func(editPoint)) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		if d.Body != nil {
			walk(d.Body, d.Body, true, f)
		}
	case *syntax.StructDecl:
		for _, m := range d.Members {
			if m, ok := m.(*syntax.FuncDecl); ok {
				editPoints(m, f)
			}
		}
	case *syntax.VarDecl, *syntax.EnumDecl:
		walk(d, d, false, f)
	}
}

func walk(n, in syntax.Node, local bool, f func(editPoint)) {
	p := syntax.Visitor{}
	p.Expr = func(x *syntax.Expr) {
		s := editPoint{expr: x, in: in, local: local}
		f(s)
		walk(*x, *x, local, f)
	}
	p.Stmt = func(x, next *syntax.Stmt) {
		f(editPoint{stmt: x, next: next, in: in, local: local})
		if d, ok := (*x).(*syntax.DeclStmt); ok {
			for _, inner := range d.Decls {
				if _, asserted := inner.(*syntax.StaticAssert); !asserted {
					walk(inner, inner, local, f)
				}
			}
			return
		}
		walk(*x, *x, local, f)
	}
	p.Visit(n)
}
