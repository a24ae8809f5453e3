package lanes

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"testing"
)

//go:embed portable.go native_amd64.go native_arm64.go
var tableSources embed.FS

// TestMain runs no test while a table lacks a loop: most tests would end in a call of nil. The tables are read from
// their sources, so that those of other processors count too.
func TestMain(m *testing.M) {
	complete := true
	for _, file := range []string{"portable.go", "native_amd64.go", "native_arm64.go"} {
		missing, err := missingLoops(file)
		if err != nil {
			missing = []string{err.Error()}
		}
		for _, what := range missing {
			fmt.Fprintf(os.Stderr, "%s: the table has no %s\n", file, what)
			complete = false
		}
	}
	if !complete {
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// missingLoops are the fields of Table that the composite literals of that type in a file do not set.
func missingLoops(file string) (missing []string, err error) {
	text, err := tableSources.ReadFile(file)
	if err != nil {
		return nil, err
	}
	source, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		return nil, err
	}
	fields := reflect.TypeFor[Table]()
	ast.Inspect(source, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if id, ok := table.Type.(*ast.Ident); !ok || id.Name != fields.Name() {
			return true
		}
		set := map[string]bool{}
		for _, e := range table.Elts {
			set[e.(*ast.KeyValueExpr).Key.(*ast.Ident).Name] = true
		}
		for i := range fields.NumField() {
			if name := fields.Field(i).Name; !set[name] {
				missing = append(missing, name)
			}
		}
		return false
	})
	return missing, nil
}
