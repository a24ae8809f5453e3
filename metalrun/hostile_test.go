package metalrun

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"
)

// Sources that are made to exhaust whoever compiles them, or to forge what is printed.
func TestHostileSources(t *testing.T) {
	want := map[string]string{ // the code of an error
		"callbomb22": "limit", "inlinebomb": "limit", "laughsf": "limit", "tmplrecf2": "not-constant",
		"structexp": "too-large", "tmpl_rect_fn": "too-large", "signatures": "template-depth",
		"host_name_newline": "attribute",
	}
	files, err := filepath.Glob("testdata/hostile/*.metal")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files, want %d: %v", len(files), len(want), err)
	}
	for _, file := range files {
		name := filepath.Base(file[:len(file)-len(".metal")])
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Analyse(SourceText(file, string(text)), CompileOptions{Budget: 1 << 17})
			if err == nil {
				_, err = p.Kernels()
			}
			var list Diagnostics
			if !errors.As(err, &list) || list[0].Line == 0 ||
				!slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Code == want[name] }) {
				t.Fatalf("got %.300v, want %s at a position", err, want[name])
			}
			for _, d := range list {
				for _, r := range d.Message + d.File {
					if !unicode.IsPrint(r) {
						t.Errorf("%q has %q", d.Message, r)
					}
				}
			}
		})
	}
}
