package types

import (
	"testing"

	"metalconform/metalrun/internal/syntax"
)

// BenchmarkCheck checks all shaders of the catalogue and, with templates, the
// largest program of testdata.
func BenchmarkCheck(b *testing.B) {
	for name, pattern := range map[string]string{"shaders": "../../../shaders/*.metal",
		"templates": "testdata/ok/templates/tile_library.metal"} {
		var files []*syntax.File
		for path, text := range testFiles(b, pattern) {
			f, errs := syntax.Parse(path, map[string]string{path: text}, syntax.Config{Version: 310})
			if len(errs) > 0 {
				b.Fatal(errs)
			}
			files = append(files, f)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, f := range files {
					if _, errs := Check(f, Config{Version: 310}); len(errs) > 0 {
						b.Fatal(errs)
					}
				}
			}
		})
	}
}
