package suite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestChecksAreComplete asks each constant of type Check for a row, in the same order, that says what the check means.
func TestChecksAreComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "check.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []Check
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Check" {
			return true
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, Check(name))
		return true
	})
	for i, name := range names {
		switch {
		case i >= len(checks) || checks[i].Check != name:
			t.Fatalf("the check %q has no row at its place in checks, in check.go", name)
		case checks[i].Means == "":
			t.Errorf("the row of %q does not say what it means", name)
		case checks[i].Observed && checks[i].Subject != SubjectConduct:
			t.Errorf("%q is observed in launches, so its subject is their conduct", name)
		}
	}
	if len(names) != len(checks) || len(names) == 0 {
		t.Errorf("%d constants have %d rows", len(names), len(checks))
	}
}
