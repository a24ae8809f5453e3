package exact

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIndependence holds the package to its rule: of all functions and methods of
// the oracles, it calls those that give the parameters of a format.
func TestIndependence(t *testing.T) {
	evaluates := map[string]bool{}
	for _, f := range sources(t, "..") {
		for _, d := range f.Decls {
			// Methods of Bounds are named like those of big.Float, and Contract.Bounds, which
			// makes one, counts.
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() && !methodOf(f, "Bounds") {
				evaluates[f.Name.Name] = true
			}
		}
	}
	called := map[string]bool{}
	for _, f := range sources(t, ".") {
		for _, name := range calls(f) {
			if evaluates[name] {
				called[name] = true
			}
		}
	}
	if diff := cmp.Diff([]string{"Max", "MinExponent", "Precision"}, slices.Sorted(maps.Keys(called))); diff != "" {
		t.Errorf("functions of the oracles that are called (-want +got):\n%s", diff)
	}
}

// methodOf reports whether a function is a method of a type or of a pointer to it.
func methodOf(f *ast.FuncDecl, name string) bool {
	if f.Recv == nil {
		return false
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.Name == name
}

// TestCalls finds a function and a method of the oracles, and no function of
// another package.
func TestCalls(t *testing.T) {
	const text = `package p; func f() { math.Max(1, 2); oracles.RoPE(p, c); p.Mapping.Head(1, 2, 3); g(4) }`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"RoPE", "Head"}, calls(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// sources are the files of a package without its tests.
func sources(t *testing.T, dir string) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// calls are the names of the functions of the oracles, and of all methods, that a
// file calls.
func calls(f *ast.File) (names []string) {
	others := []string{"math", "big", "slices"}
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); !ok || !slices.Contains(others, x.Name) {
					names = append(names, s.Sel.Name)
				}
			}
		}
		return true
	})
	return names
}
