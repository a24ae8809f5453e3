package llvm

import (
	"os"
	"path/filepath"
	"testing"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// TestShaders verifies what becomes of all kernels of the catalogue.
func TestShaders(t *testing.T) {
	if testing.Short() {
		t.Skip("optimises the whole catalogue")
	}
	dir := filepath.Join("..", "..", "..", "..", "shaders")
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	files, optimised := map[string]string{}, 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	for name := range files {
		if filepath.Ext(name) != ".metal" {
			continue
		}
		file, errs := syntax.Parse(name, files, syntax.Config{Version: 310})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		program, errs := types.Check(file, types.Config{Version: 310, Mode: hir.Fast, FastFunctions: true})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for _, fn := range program.Kernels {
			k, err := lower.Lower(fn)
			if err != nil {
				t.Fatal(err)
			}
			if err := ir.Verify(Optimise(k)); err != nil {
				t.Errorf("%s: %v", fn.Name, err)
			}
			optimised++
		}
	}
	if optimised < 77 {
		t.Errorf("%d kernels under %s, want all of the catalogue", optimised, dir)
	}
}
