package spec

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"metalconform/tensorfile"
)

var update = flag.Bool("update", false, "write the list of functions in docs/specifications.md")

// TestReference: each name that files have in addition to those of Starlark is described once, and nothing else.
func TestReference(t *testing.T) {
	described := map[string]bool{}
	for _, f := range Reference {
		if described[f.Name()] {
			t.Errorf("%s is described twice", f.Name())
		}
		described[f.Name()] = true
		if predeclared[f.Name()] == nil {
			t.Errorf("%s is described, and no file has it", f.Name())
		}
		if strings.HasSuffix(f.Meaning, ".") || f.Group == "" || !strings.Contains(f.Example, f.Name()) {
			t.Errorf("%s: %+v", f.Name(), f)
		}
		if _, callable := predeclared[f.Name()].(starlark.Callable); callable && f.Name() != f.Signature &&
			!strings.HasSuffix(f.Signature, ")") {
			t.Errorf("signature %s", f.Signature)
		}
	}
	for name := range predeclared {
		operator := strings.HasPrefix(name, "(") || slices.Contains([]string{spanName, powerName, ellipsisName}, name)
		if starlark.Universe[name] == nil && !operator && !described[name] {
			t.Errorf("%s is predeclared, and the reference does not describe it", name)
		}
	}
}

// ofExample is a directory for the examples.
func ofExample(text string) fs.FS {
	layer := []tensorfile.Named{{Name: "w", Array: singles([]int{3}, 1, 2, 3)}}
	return files(text, map[string][]tensorfile.Named{"layer.safetensors": layer})
}

// example evaluates an example in a file and shows its value, if it has one that says something.
func (f Function) example(t *testing.T) string {
	t.Helper()
	r := newReader(ofExample("value = "+f.Example+"\n"), new(Limits))
	globals, err := r.load("f.star")
	if err != nil {
		t.Errorf("%s: %v", f.Example, err)
		return ""
	}
	switch v := globals["value"].(type) {
	case array, starlark.Float, starlark.Int, starlark.Bool:
		return v.String()
	case starlark.Tuple:
		return v.String()
	}
	return ""
}

const begins, ends = "<!-- functions: begin -->\n", "<!-- functions: end -->\n"

// TestReferenceInManual evaluates all examples and compares the list in the manual.
func TestReferenceInManual(t *testing.T) {
	const page = "../../docs/specifications.md"
	var list strings.Builder
	group := ""
	for _, f := range Reference {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&list, "\n### %s\n\n| | meaning | example |\n| --- | --- | --- |\n", group)
		}
		shown := "`" + f.Example + "`"
		if v := f.example(t); v != "" && v != f.Example {
			shown += " is `" + v + "`"
		}
		fmt.Fprintf(&list, "| `%s` | %s | %s |\n", f.Signature, f.Meaning, strings.ReplaceAll(shown, "|", `\|`))
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begins)
	have, after, ended := strings.Cut(rest, ends)
	if !found || !ended {
		t.Fatalf("%s has no place for the list of functions", page)
	}
	want := list.String() + "\n"
	if *update {
		if err := os.WriteFile(page, []byte(before+begins+want+ends+after), 0o666); err != nil {
			t.Fatal(err)
		}
		have = want
	}
	if diff := cmp.Diff(have, want); diff != "" {
		t.Errorf("docs/specifications.md is out of date (-update writes it) (-page +now):\n%s", diff)
	}
}
