package diagnostics

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

var clangLine = regexp.MustCompile(`(?m)^k\.metal:(\d+):\d+: (?:fatal )?error: `)

// TestMistakes compares what is said about twenty-four kinds of mistakes with what a
// reader needs, beside what clang says: of C++ that means the same, or, of what only Metal
// has, Apple's. Where clang has an error, so have we, on the same line, but for a brace that
// it misses at the end of the file only.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files of mistakes: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source, rest, _ := strings.Cut(string(text), "-- clang --\n")
		clang, want, ok := strings.Cut(rest, "-- conform --\n")
		if !ok {
			t.Fatalf("%s: want three parts", file)
		}
		src := metalrun.SourceText("k.metal", source)
		_, err = metalrun.Analyse(src, metalrun.CompileOptions{})
		var list metalrun.Diagnostics
		if !errors.As(err, &list) {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var got strings.Builder
		if err := NewWriter(&got, Style{Format: Text}).Write(Of(list), src.Text); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got.String()); d != "" {
			t.Errorf("%s (-want +got)\n%s", file, d)
		}
		for _, m := range clangLine.FindAllStringSubmatch(strings.ReplaceAll(clang, "error: expected '}'", ""), -1) {
			if !strings.Contains("\n"+want, "\nk.metal:"+m[1]+":") {
				t.Errorf("%s: clang has an error in line %s, and we have none", file, m[1])
			}
		}
	}
}
