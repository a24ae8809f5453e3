package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seeds adds the short programs of testdata, well-formed or not: of long ones the fuzzer tries few.
func seeds(f *testing.F) {
	for _, text := range programs(f) {
		if len(text) < 4<<10 {
			f.Add(text)
		}
	}
	files, err := filepath.Glob("testdata/errors/*.metal")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range chunks(string(text)) {
			f.Add(strings.TrimLeft(c, "\n"))
		}
	}
}

// FuzzPreprocess: no panic, no hang, and accepted tokens print as source
// that scans to the same tokens.
func FuzzPreprocess(f *testing.F) {
	seeds(f)
	f.Add("#define f(x, ...) x ## __VA_ARGS__ #x\nf(f, f(1, 2), f)\n#if f\n#endif")
	f.Fuzz(func(t *testing.T, text string) {
		first, errs := Preprocess("x", map[string]string{"x": text}, Config{})
		if errs != nil {
			return
		}
		var b strings.Builder
		if err := FprintTokens(&b, first); err != nil {
			t.Fatal(err)
		}
		toks := scan("x", b.String(), b.Len(), func(e *Error) { t.Errorf("printed: %v", e) })
		got := spelling((&preprocessor{}).finish(withoutPragmas(toks)))
		want := spelling(withoutPragmas(first))
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("tokens %q printed as %q scan as %q", want, b.String(), got)
		}
	})
}

// withoutPragmas leaves out pragma tokens, and the lines that print them.
func withoutPragmas(toks []Token) []Token {
	var out []Token
	skipping := false
	for i, t := range toks {
		if t.Line {
			skipping = t.is("#") && i+1 < len(toks) && toks[i+1].Text == "pragma"
		}
		if !skipping && t.Kind != Pragma {
			out = append(out, t)
		}
	}
	return out
}

// FuzzParse: no panic, no hang, and accepted programs print as source that
// parses to the same tree and prints the same again.
func FuzzParse(f *testing.F) {
	seeds(f)
	for _, c := range statementTrees {
		f.Add(prelude + "void test() { " + c.stmt + " }")
	}
	for _, c := range declarationTrees {
		f.Add(c.decl)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		first, errs := Parse("x", map[string]string{"x": text}, Config{})
		if errs != nil {
			return
		}
		source := printed(t, first)
		second, errs := Parse("x", map[string]string{"x": source}, Config{})
		if errs != nil {
			t.Fatalf("printed source is refused: %v\n%s", errs, source)
		}
		// A function that is declared beside variables is printed as a statement of its own.
		joined := func(f *File) string { return strings.ReplaceAll(dump(f), "]} DeclStmt{Decls:[", " ") }
		if a, b := joined(first), joined(second); a != b {
			t.Fatalf("tree changes when printed:\n%s\n%s\n%s", source, a, b)
		}
		if again := printed(t, second); again != source {
			t.Fatalf("prints differently the second time:\n%s\n%s", source, again)
		}
	})
}
