package types

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// code is a constant of codes.go with its example.
type code struct{ name, value, doc, example string }

// parsePackage reads the package's files but the tests.
func parsePackage(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if files[path], err = parser.ParseFile(fset, path, nil, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
	}
	return fset, files
}

func declaredCodes(t *testing.T, f *ast.File) []code {
	t.Helper()
	var codes []code
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			value, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			doc, example, _ := strings.Cut(v.Doc.Text(), "\nExample:\n")
			codes = append(codes, code{v.Names[0].Name, value, doc, example})
		}
	}
	return codes
}

// codeName is the name of the constant with a value: "no-builtin" is codeNoBuiltin.
func codeName(value string) string {
	name := "code"
	for _, word := range strings.Split(value, "-") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// Each code has a sentence, a name like its value, and an example whose only faults have that code.
func TestCodes(t *testing.T) {
	_, files := parsePackage(t)
	seen := map[string]bool{}
	for _, c := range declaredCodes(t, files["codes.go"]) {
		if want := codeName(c.value); c.name != want {
			t.Errorf("%s has the value %q, want the name %s", c.name, c.value, want)
		}
		if !strings.HasPrefix(c.doc, c.name+": ") {
			t.Errorf("%s has no sentence that begins with its name", c.name)
		}
		if seen[c.value] {
			t.Errorf("%q stands for two codes", c.value)
		}
		seen[c.value] = true
		f, errs := syntax.Parse("example.metal",
			map[string]string{"example.metal": "#include <metal_stdlib>\nusing namespace metal;\n" + c.example},
			syntax.Config{Version: 310})
		if len(errs) == 0 {
			var p *hir.Program
			p, errs = Check(f, Config{Version: 310, FunctionConstants: map[int]any{0: 2, 1: false}})
			errs = append(errs, p.Warnings...)
		}
		if len(errs) == 0 {
			t.Errorf("%s: the example has no fault:\n%s", c.name, c.example)
		}
		for _, e := range errs {
			if e.Code != c.value {
				t.Errorf("%s: the example has the fault %s [%s]", c.name, e, e.Code)
			}
		}
	}
}

// Errors are reported with constants of codes.go only, each constant is used,
// and each has a fault in testdata/bad.
func TestCodesAreUsed(t *testing.T) {
	fset, files := parsePackage(t)
	declared := declaredCodes(t, files["codes.go"])
	used := map[string]bool{}
	for path, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "errorf" || s.Sel.Name == "warnf") &&
					len(n.Args) > 1 {
					if _, literal := n.Args[1].(*ast.BasicLit); literal {
						t.Errorf("%s: the code is a literal, want a constant of codes.go",
							fset.Position(n.Args[1].Pos()))
					}
				}
			case *ast.Ident:
				used[n.Name] = used[n.Name] || path != "codes.go"
			}
			return true
		})
	}
	announced := map[string]bool{}
	for path, text := range testFiles(t, "testdata/bad/*.metal") {
		for _, e := range expectations(t, path, text) {
			announced[e.Code] = true
		}
	}
	hostOnly := []string{codeFunctionConstantValue} // needs a value from the host
	for _, c := range declared {
		if !used[c.name] {
			t.Errorf("%s is never reported", c.name)
		}
		if !announced[c.value] && !slices.Contains(hostOnly, c.value) {
			t.Errorf("testdata/bad has no fault with code %s", c.value)
		}
	}
}
