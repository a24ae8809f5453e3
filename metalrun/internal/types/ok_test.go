package types

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/hir"
)

var update = flag.Bool("update", false, "write golden files instead of comparing them")

// The programs of testdata/ok are well formed; the folder is the feature
// group. A file NAME.tree beside NAME.metal is the typed tree as Print writes it.
func TestFeaturePrograms(t *testing.T) {
	groups := map[string]int{}
	files := testFiles(t, "testdata/ok/*/*.metal")
	for path, text := range testFiles(t, "../../../shaders/*.metal") {
		files[path] = text
	}
	for path, text := range files {
		group := filepath.Base(filepath.Dir(path))
		groups[group]++
		t.Run(group+"/"+strings.TrimSuffix(filepath.Base(path), ".metal"), func(t *testing.T) {
			program, errs := check(filepath.Base(path), text, 400)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if len(program.Kernels) == 0 {
				t.Fatal("the program has no entry point: nothing was checked")
			}
			for _, fault := range verifyTree(program) {
				t.Error(fault)
			}
			compareTree(t, strings.TrimSuffix(path, ".metal")+".tree", hir.Print(program))
		})
	}
	for group, n := range groups {
		if n < 10 && group != "shaders" {
			t.Errorf("the feature group %s has %d programs, want at least 10", group, n)
		}
	}
}

// compareTree compares the printed tree with its golden file, if there is one.
func compareTree(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the tree differs from %s (-want +got):\n%s", path, diff)
	}
}
