package structure

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestStructure holds this module to its rules.
func TestStructure(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the types of the whole module")
	}
	m := loadModule(t, filepath.Join("..", ".."))
	refs, err := findReferences(m)
	if err != nil {
		t.Fatal(err)
	}
	left, stale := excused(m.violations(refs, standard), exceptions)
	for _, v := range left {
		t.Errorf("%s: %s %s", v.rule, v.place, v.text)
	}
	for _, e := range stale {
		t.Errorf("exceptions_test.go lets %s break the rule %q, which it keeps: remove the row", e.place, e.rule)
	}
	for _, e := range exceptions {
		if e.reason == "" {
			t.Errorf("exceptions_test.go gives no reason for %s of %s", e.rule, e.place)
		}
	}
}

// low are limits that a small module can break.
var low = limits{files: 4, cycle: 2, fields: 3, lines: 5, columns: 60}

// TestRules has a module for each rule that breaks it. Its file want lists the violations, one a line.
func TestRules(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		rule := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			if err := txtar.Write(archive, root); err != nil {
				t.Fatal(err)
			}
			m := loadModule(t, root)
			refs, err := findReferences(m)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range m.violations(refs, low) {
				if v.rule != rule {
					t.Errorf("also breaks the rule %q: %s %s", v.rule, v.place, v.text)
				}
				got = append(got, v.place+" "+v.text)
			}
			want, err := os.ReadFile(filepath.Join(root, "want"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExcused has an exception for a package, for a name in it, for a size, and one that nothing needs.
func TestExcused(t *testing.T) {
	found := []violation{
		{rule: "lines", place: "a/b.T.f", size: 90},
		{rule: "lines", place: "a/b.g", size: 90},
		{rule: "columns", place: "a/b/c.go", size: 130},
		{rule: "columns", place: "a/bc/c.go", size: 130},
		{rule: "columns", place: "a/b/c/c.go", size: 130},
		{rule: "files", place: "a/b", size: 70},
		{rule: "files", place: "a", size: 70},
	}
	but := []exception{
		{rule: "lines", place: "a/b.T.f"},
		{rule: "columns", place: "a/b"},
		{rule: "files", place: "a/b", most: 70},
		{rule: "files", place: "a", most: 69},
		{rule: "cycle", place: "a/b"},
	}
	left, stale := excused(found, but)
	wantLeft := []violation{found[1], found[3], found[4], found[6]}
	wantStale := []exception{but[3], but[4]}
	if !slices.Equal(left, wantLeft) || !slices.Equal(stale, wantStale) {
		t.Errorf("left %v and stale %v, want %v and %v", left, stale, wantLeft, wantStale)
	}
}
